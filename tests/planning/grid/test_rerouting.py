"""Paths mended after changes, against trying every cell behind the break."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from references import grid_moves, voxel_worlds
from references.drawings import Scene, block, plane
from references.grid_moves import Cells, Moves
from surefoot import _native
from surefoot.errors import ProblemError

BATCHES = [*range(40), *(pytest.param(batch, marks=pytest.mark.slow) for batch in range(40, 800))]


@pytest.mark.parametrize("batch", BATCHES)
def test_a_mended_path_is_the_cheapest_there_is(batch: int) -> None:
    for world in range(8):
        rng = np.random.default_rng([batch, world, 91])
        moves = voxel_worlds.moves(rng, 8)
        voxels = moves.world.native()
        native = moves.native(voxels)
        search = _native.GridSearch(native)
        rows = np.array(list(grid_moves.rows(voxels)), dtype=np.int32)
        start, goal = rng.choice(rows, 1), rng.choice(rows, 1)
        old, _, _, reached, _, _ = search.path(start, goal)
        if not reached or len(old) < 4:
            continue
        before = grid_moves.rows(voxels)
        path = [before[row] for row in old.tolist()]
        points = voxels.positions()[old]
        # Something lands on the middle of the way.
        i, j, k = path[int(rng.integers(1, len(path) - 1))]
        body = block([i], [j], [k + 1, k + 2])
        voxels.put_cells(7, np.array(sorted(body), dtype=np.int32))
        native.update()
        cells = voxels.locate(points, 0.01, 0.01)
        changed = Cells(
            moves.world.occupied | body, moves.world.forbidden, moves.world.cell, moves.world.rise
        )
        expected = Moves(changed, moves.actions, moves.corners, moves.first_layer, moves.ledge)
        check(search, cells, expected, grid_moves.rows(voxels), f"seed {batch, world, 91}")


def check(
    search: _native.GridSearch,
    cells: np.ndarray,
    moves: Moves,
    rows: dict[int, grid_moves.Voxel],
    seed: str,
) -> None:
    path = [rows.get(row) for row in cells.tolist()]
    edges = moves.edges
    breaks = [p is None or q is None or q not in edges[p] for p, q in itertools.pairwise(path)]
    assert search.broken(cells).tolist() == breaks, seed
    if path[0] is None:
        return
    found, actions, cost, reached, _, _, head, tail = search.reroute(cells)
    mended = [rows[row] for row in found.tolist()]
    for p, q, action in zip(mended[:-1], mended[1:], actions, strict=True):
        assert edges[p][q] == action, seed
    if not any(breaks):
        assert mended == path
        return

    def cost_of(p: grid_moves.Voxel, q: grid_moves.Voxel) -> float:
        return moves.cost(p, q, "euclidean", 8, None)

    def along(part: list[grid_moves.Voxel]) -> float:
        return sum(cost_of(p, q) for p, q in itertools.pairwise(part))

    first = breaks.index(True)
    behind = len(breaks) - breaks[::-1].index(True)
    last_good, rest = path[first], path[behind:]
    assert last_good is not None
    distance = moves.dijkstra({last_good: 0.0})
    best = min(
        (
            distance.get(cell, math.inf) + along(rest[k:])  # pyright: ignore
            for k, cell in enumerate(rest)
            if cell is not None
        ),
        default=math.inf,
    )
    if math.isfinite(best):
        assert reached, seed
        assert cost == pytest.approx(along(path[: first + 1]) + best, rel=1e-6), seed  # pyright: ignore
        assert mended[:head] == path[:head]
        assert head == first + 1
        assert mended[len(mended) - tail :] == path[len(path) - tail :]
    elif reached:
        # Only another way from the very start is left.
        assert head == 1


def test_the_paper_takes_the_nearest_cell_behind_the_break() -> None:
    # The old way makes a loop behind a wall; the nearest cell of it is not the best.
    scene = Scene(plane(30, 30))
    old = [(2, 10, 0)] + [(i, 10, 0) for i in range(3, 20)]
    old += [(20, j, 0) for j in range(10, 25)] + [(i, 25, 0) for i in range(20, 4, -1)]
    points = scene.voxels.positions()[scene.rows(old)]
    scene.change(3, block([8, 9], range(9, 12), range(1, 5)))
    cells = scene.voxels.locate(points, 0.5, 0.5)
    near, best = (scene.search.reroute(cells, nearest=nearest) for nearest in (True, False))
    assert near[3]
    assert best[3]
    assert near[2] > best[2]
    assert near[7] > best[7]


def test_where_one_is_must_be_on_the_path() -> None:
    scene = Scene(plane(9, 9))
    cells = scene.rows([(0, 0, 0), (1, 0, 0)])
    with pytest.raises(ProblemError, match="on no cell of the path"):
        scene.search.reroute(cells, 2)
    with pytest.raises(ProblemError, match="on no cell of the path"):
        scene.search.reroute(np.array([-1, cells[1]], dtype=np.int32))


def test_a_goal_that_is_covered_is_not_reached() -> None:
    scene = Scene(plane(9, 9))
    old = scene.path((0, 4, 0), (8, 4, 0))
    points = scene.voxels.positions()[scene.rows(old)]
    scene.change(3, block([7, 8], [3, 4, 5], range(1, 5)))
    cells = scene.voxels.locate(points, 0.5, 0.5)
    found, _, cost, reached, *_ = scene.search.reroute(cells)
    assert not reached
    assert math.isinf(cost)
    # What can still be walked of the old path is kept.
    assert [scene.cells[row] for row in found.tolist()] == old[: len(found)]
    assert len(found) == 7
