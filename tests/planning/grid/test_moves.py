"""Moves between cells against trying every pair, on random worlds of voxels."""

from __future__ import annotations

import numpy as np
import pytest

from references import grid_moves, voxel_worlds
from references.grid_moves import Action, Cells, Moves
from surefoot import _native

BATCHES = [*range(20), *(pytest.param(batch, marks=pytest.mark.slow) for batch in range(20, 400))]
WORLDS = 15
"""Random worlds in a batch."""

Edges = set[grid_moves.Edge]


def native_edges(
    voxels: _native.GridVoxels, moves: _native.GridMoves, *, arriving: bool = False
) -> Edges:
    cell = grid_moves.rows(voxels)
    found = [(cell[p], cell[q], a) for p, q, a in moves.edges(arriving).tolist()]
    assert len(set(found)) == len(found), "a move is listed twice"
    return set(found)


def expected_edges(moves: Moves) -> Edges:
    return {(p, q, a) for p, targets in moves.edges.items() for q, a in targets.items()}


@pytest.mark.parametrize("batch", BATCHES)
def test_moves_are_those_that_trying_every_pair_finds(batch: int) -> None:
    for world in range(WORLDS):
        rng = np.random.default_rng([batch, world, 61])
        moves = voxel_worlds.moves(rng)
        voxels = moves.world.native()
        native = moves.native(voxels)
        seed = f"seed [{batch}, {world}, 61]"
        assert native_edges(voxels, native) == expected_edges(moves), seed
        assert native_edges(voxels, native, arriving=True) == expected_edges(moves), seed


@pytest.mark.parametrize("batch", BATCHES)
def test_updated_moves_are_those_made_afresh(batch: int) -> None:
    for world in range(WORLDS):
        rng = np.random.default_rng([batch, world, 62])
        moves = voxel_worlds.moves(rng)
        voxels = moves.world.native()
        native = moves.native(voxels)
        borders = _native.GridBorders(native, layers=2)
        for _ in range(4):
            for _ in range(int(rng.integers(1, 3))):
                change(rng, voxels)
            native.update(threads=int(rng.integers(1, 3)))
            borders.update()
            fresh = moves.native(voxels)
            seed = f"seed [{batch}, {world}, 62]"
            for arriving in (False, True):
                edges = native_edges(voxels, native, arriving=arriving)
                assert edges == native_edges(voxels, fresh), seed
            live = voxels.live()
            assert (native.fits()[live] == fresh.fits()[live]).all(), seed
            again = _native.GridBorders(fresh, layers=2)
            assert (borders.layers()[live] == again.layers()[live]).all(), seed


def change(rng: np.random.Generator, voxels: _native.GridVoxels) -> None:
    """A body comes, moves or goes."""
    columns = voxels.columns()[voxels.live()]
    id_ = int(rng.integers(2, 5))
    if rng.random() < 0.3 or len(columns) == 0:
        voxels.remove(np.array([id_], dtype=np.int32))
        return
    at = columns[rng.integers(len(columns))]
    level = int(voxels.levels()[voxels.live()][:, 1].mean())
    size = rng.integers(1, 4, 3)
    box = np.stack(np.meshgrid(*(np.arange(n) for n in size)), axis=-1).reshape(-1, 3)
    cells = box + np.array([*at, level + int(rng.integers(-2, 3))])
    voxels.put_cells(id_, cells.astype(np.int32), bool(rng.random() < 0.2))


@pytest.mark.parametrize("seed", range(8))
def test_threads_change_nothing(seed: int) -> None:
    rng = np.random.default_rng([seed, 63])
    moves = voxel_worlds.moves(rng, 60)
    bytes_ = set()
    for threads in (1, 2, 4):
        voxels = moves.world.native(threads)
        native = moves.native(voxels, threads)
        layers = _native.GridBorders(native, layers=3, threads=threads).layers()
        bytes_.add(native.edges().tobytes() + native.edges(True).tobytes() + layers.tobytes())
    assert len(bytes_) == 1


# --- borders and regions -------------------------------------------------------------------------


@pytest.mark.parametrize("batch", BATCHES)
def test_borders_are_cells_that_lack_a_neighbour_on_some_side(batch: int) -> None:
    for world in range(WORLDS):
        rng = np.random.default_rng([batch, world, 64])
        moves = voxel_worlds.moves(rng)
        voxels = moves.world.native()
        mask = int(rng.integers(1, 2 ** len(moves.actions)))
        diagonals = bool(rng.random() < 0.3)
        native = moves.native(voxels)
        layers = _native.GridBorders(native, layers=3, actions=mask, diagonals=diagonals).layers()
        found = {cell: layers[row] for row, cell in grid_moves.rows(voxels).items()}
        expected = border_layers(moves, mask, 3, diagonals=diagonals)
        assert found == expected, f"seed [{batch}, {world}, 64]"


def border_layers(
    moves: Moves, mask: int, count: int, *, diagonals: bool
) -> dict[grid_moves.Voxel, int]:
    fitting = [a for a in range(len(moves.actions)) if mask >> a & 1]
    out = {
        cell: 0 if any(moves.fits(cell, a) for a in fitting) else 255
        for cell in moves.world.surfaces
    }
    sides = grid_moves.SIDES + (grid_moves.CORNERS if diagonals else [])
    for layer in range(1, count + 1):
        inside = {cell for cell, found in out.items() if found == 0}
        for p in inside:
            good = [q for q, a in moves.edges[p].items() if mask >> a & 1 and q in inside]
            ways = [(q[0] - p[0], q[1] - p[1]) for q in good]
            if any(not any(straight(way, side) for way in ways) for side in sides):
                out[p] = layer
    return out


def straight(way: tuple[int, int], side: tuple[int, int]) -> bool:
    steps = max(abs(way[0]), abs(way[1]))
    return way == (steps * side[0], steps * side[1])


@pytest.mark.parametrize("batch", BATCHES)
def test_regions_join_cells_with_ways_there_and_back(batch: int) -> None:
    for world in range(WORLDS):
        rng = np.random.default_rng([batch, world, 65])
        moves = voxel_worlds.moves(rng, 5)
        voxels = moves.world.native()
        native = moves.native(voxels)
        cells = grid_moves.rows(voxels)
        reached = {p: set(moves.dijkstra({p: 0.0})) for p in moves.world.surfaces}
        strong, weak = native.regions(), native.regions(False)
        for row, p in cells.items():
            fits = any(moves.fits(p, a) for a in range(len(moves.actions)))
            assert (strong[row] >= 0) == (weak[row] >= 0) == fits
            for other, q in cells.items():
                if fits and strong[other] >= 0:
                    both = q in reached[p] and p in reached[q]
                    assert (strong[row] == strong[other]) == both
                    if q in reached[p]:
                        assert weak[row] == weak[other]
        # Weak regions are no larger than they must be: as many as a flood over both ways leaves.
        assert len(set(weak[weak >= 0])) == len(flooded(reached, moves))


def flooded(
    reached: dict[grid_moves.Voxel, set[grid_moves.Voxel]], moves: Moves
) -> list[set[grid_moves.Voxel]]:
    groups: list[set[grid_moves.Voxel]] = []
    for p in reached:
        if not any(moves.fits(p, a) for a in range(len(moves.actions))):
            continue
        mine = {p} | reached[p]
        touching = [group for group in groups if group & mine]
        groups = [group for group in groups if not group & mine]
        groups.append(mine.union(*touching))
    return groups


# --- cases known by heart ------------------------------------------------------------------------


def test_open_floor_has_no_leaps() -> None:
    floor = frozenset((i, j, 0) for i in range(30) for j in range(30))
    jumper = Action(up=2, down=2, height=4, span=8)
    moves = Moves(Cells(floor), [Action(up=1, down=1, height=4), jumper])
    voxels = moves.world.native()
    edges = moves.native(voxels).edges()
    columns = voxels.columns()
    across = np.abs(columns[edges[:, 0]] - columns[edges[:, 1]]).max(axis=1)
    assert (across == 1).all()
    assert (edges[:, 2] == 0).all()


def test_a_change_looks_only_at_what_is_near() -> None:
    floor = frozenset((i, j, 0) for i in range(200) for j in range(200))
    moves = Moves(
        Cells(floor), [Action(up=1, down=1, height=4), Action(up=1, down=1, height=4, span=4)]
    )
    voxels = moves.world.native()
    native = moves.native(voxels)
    borders = _native.GridBorders(native)
    voxels.put_cells(9, np.array([[100, 100, 1], [101, 100, 1]], dtype=np.int32))
    assert native.update() < 200
    assert borders.update() < 600
    assert native.update() == 0


def test_slopes_are_walked_whatever_the_rise_of_slices() -> None:
    from references.voxels import Lattice, put
    from surefoot.world.primitives import ramp

    voxels = Lattice(0.2, 0.05).native()
    put(voxels, [ramp(4.0, 2.0, 2.4)])
    walk = _native.GridAction(up=0.35, down=0.35, height=1.75, max_slope=0.61)
    assert len(set(_native.GridMoves(voxels, [walk]).regions().tolist())) == 1
    timid = _native.GridAction(up=0.35, down=0.35, height=1.75, max_slope=0.5)
    assert not _native.GridMoves(voxels, [timid]).fits().any()
