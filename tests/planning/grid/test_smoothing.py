"""Straight lines over cells, against following each line from crossing to crossing."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from references.drawings import WALK, Scene, block, plane
from references.grid_moves import Action, Voxel

BATCHES = [*range(20), *(pytest.param(batch, marks=pytest.mark.slow) for batch in range(20, 400))]


def random_scene(rng: np.random.Generator) -> Scene:
    """A floor with pillars, steps and a second way of moving."""
    wide, deep = rng.integers(6, 14, 2).tolist()
    world = plane(wide, deep)
    for _ in range(int(rng.integers(0, 14))):
        i, j = int(rng.integers(wide)), int(rng.integers(deep))
        world |= block([i], [j], range(int(rng.integers(1, 4))))
    low = block([int(rng.integers(wide))], range(int(rng.integers(1, deep))), [4])
    bend = Action(up=1, down=1, height=2, price=2, span=float(rng.choice([0, 3])))
    return Scene(world | low, [WALK, bend], corners=str(rng.choice(["both", "one"])))


def some_path(rng: np.random.Generator, scene: Scene, prices: np.ndarray | None):
    fits = [row for row in scene.cells if scene.native.fits()[row]]
    start, goal = rng.choice(fits, 2).astype(np.int32)
    return scene.search.path(np.array([start]), np.array([goal]), prices=prices)


def sees(scene: Scene, p: Voxel, q: Voxel, action: int, closed: set[Voxel]) -> bool:
    """Follows the line between two centres through all the sides and corners it crosses."""
    di, dj = q[0] - p[0], q[1] - p[1]
    crossings: dict[Fraction, set[tuple[int, int]]] = {}
    for axis, along in enumerate((di, dj)):
        for k in range(abs(along)):
            step = (
                (int(math.copysign(1, along)), 0)
                if axis == 0
                else (0, int(math.copysign(1, along)))
            )
            crossings.setdefault(Fraction(2 * k + 1, 2 * abs(along)), set()).add(step)

    def link(cell: Voxel, side: tuple[int, int]) -> Voxel | None:
        to = scene.moves.link(cell, side)
        good = to is not None and scene.moves.near[cell][to] == action and to not in closed
        return to if good else None

    here = p
    for at in sorted(crossings):
        steps = crossings[at]
        whole = (sum(i for i, _ in steps), sum(j for _, j in steps))
        if any(link(here, step) is None for step in steps):
            return False
        there = link(here, whole)
        if there is None:
            return False
        here = there
    return here == q


@pytest.mark.parametrize("batch", BATCHES)
def test_sight_follows_every_cell_under_the_line(batch: int) -> None:
    rng = np.random.default_rng([batch, 81])
    scene = random_scene(rng)
    rows = np.array(list(scene.cells), dtype=np.int32)
    starts, ends = rng.choice(rows, 200), rng.choice(rows, 200)
    prices = np.where(rng.random(len(scene.voxels)) < 0.1, np.inf, 1).astype(np.float32)
    closed = {cell for row, cell in scene.cells.items() if np.isinf(prices[row])}
    found = scene.native.sees(starts, ends, 0, prices)
    for p, q, seen in zip(starts.tolist(), ends.tolist(), found, strict=True):
        # The ends may be closed.
        expected = sees(scene, scene.cells[p], scene.cells[q], 0, closed - {scene.cells[q]})
        assert seen == expected, batch


@pytest.mark.parametrize("batch", BATCHES)
def test_corners_see_each_other_and_make_the_way_shorter(batch: int) -> None:
    rng = np.random.default_rng([batch, 82])
    scene = random_scene(rng)
    prices = None
    if rng.random() < 0.5:
        prices = rng.choice([1.0, 2.0, np.inf], len(scene.voxels), p=[0.7, 0.2, 0.1])
        prices = prices.astype(np.float32)
    closed = {c for r, c in scene.cells.items() if prices is not None and np.isinf(prices[r])}
    for _ in range(20):
        cells, actions, _, _, _, _ = some_path(rng, scene, prices)
        corners = scene.native.corners(cells, actions, prices).tolist()
        assert corners[0] == 0
        assert corners[-1] == len(cells) - 1
        assert sorted(set(corners)) == corners
        path = [scene.cells[row] for row in cells.tolist()]
        for a, b in itertools.pairwise(corners):
            if b == a + 1:
                continue
            assert len(set(actions[a:b])) == 1
            assert sees(scene, path[a], path[b], int(actions[a]), closed - {path[-1]})
            if prices is None:
                straight = np.linalg.norm(np.subtract(path[b], path[a]))
                steps = np.linalg.norm(np.diff(np.array(path[a : b + 1]), axis=0), axis=1)
                assert straight <= steps.sum() + 1e-9


@pytest.mark.parametrize("batch", BATCHES)
def test_straightened_paths_are_paths_that_cost_no_more(batch: int) -> None:
    rng = np.random.default_rng([batch, 83])
    scene = random_scene(rng)
    prices = None
    if rng.random() < 0.5:
        prices = rng.choice([1.0, 2.0], len(scene.voxels)).astype(np.float32)
    worth = np.ones(len(scene.voxels)) if prices is None else prices

    def cost(cells: np.ndarray) -> float:
        points = scene.voxels.positions()[cells]
        lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
        return float((lengths * (worth[cells][1:] + worth[cells][:-1]) / 2).sum())

    for _ in range(20):
        cells, actions, _, _, _, _ = some_path(rng, scene, prices)
        smooth, by = scene.native.straightened(cells, actions, prices)
        assert len(smooth) == len(by) + 1 <= len(cells)
        assert (smooth[0], smooth[-1]) == (cells[0], cells[-1])
        for p, q, action in zip(smooth[:-1], smooth[1:], by, strict=True):
            assert scene.moves.edges[scene.cells[p]][scene.cells[q]] == action
        # A leap is as long as the steps that it takes the place of, not as the crow flies.
        if all(abs(a - b).max() <= 1 for a, b in itertools.pairwise(scene.voxels.columns()[cells])):
            assert cost(smooth) <= cost(cells) + 1e-6


def test_over_open_floor_one_line_is_enough() -> None:
    scene = Scene(plane(40, 30))
    cells, actions, *_ = scene.search.path(scene.rows([(1, 2, 0)]), scene.rows([(37, 23, 0)]))
    assert scene.native.corners(cells, actions).tolist() == [0, len(cells) - 1]


def test_a_wall_is_passed_at_its_ends() -> None:
    scene = Scene(plane(30, 30) | block([15], range(20), range(1, 5)))
    cells, actions, *_ = scene.search.path(scene.rows([(2, 2, 0)]), scene.rows([(28, 2, 0)]))
    corners = [scene.cells[row] for row in cells[scene.native.corners(cells, actions)].tolist()]
    assert len(corners) <= 5
    assert any(abs(i - 15) <= 1 and j == 20 for i, j, _ in corners)


def test_a_jump_stays_a_jump() -> None:
    gap = block([10], range(9), [0])
    jump = Action(up=1, down=1, height=4, span=2, price=2)
    scene = Scene(plane(21, 9) - gap, [WALK, jump])
    cells, actions, *_ = scene.search.path(scene.rows([(1, 1, 0)]), scene.rows([(19, 7, 0)]))
    assert (actions == 1).sum() == 1
    leap = int(np.flatnonzero(actions == 1)[0])
    corners = scene.native.corners(cells, actions).tolist()
    assert {leap, leap + 1} <= set(corners)
    smooth, by = scene.native.straightened(cells, actions)
    assert (by == 1).sum() == 1
    assert len(smooth) == len(cells)


def test_paths_of_one_cell_and_of_none() -> None:
    scene = Scene(plane(3, 3))
    nothing = np.zeros(0, dtype=np.int32)
    one = scene.rows([(1, 1, 0)])
    assert scene.native.corners(one, nothing).tolist() == [0]
    assert scene.native.corners(nothing, nothing).tolist() == []
    assert scene.native.straightened(one, nothing)[0].tolist() == one.tolist()
