"""Straight ways to a goal that many have: every hop is seen, and none makes the way longer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from references.drawings import WALK, Scene, block, plane
from references.grid_moves import Action
from surefoot import _native
from surefoot.errors import ProblemError

BATCHES = [*range(20), *(pytest.param(batch, marks=pytest.mark.slow) for batch in range(20, 300))]


def random_scene(rng: np.random.Generator) -> Scene:
    """A floor with pillars, steps, a low beam, and a second way of moving."""
    wide, deep = rng.integers(6, 16, 2).tolist()
    world = plane(wide, deep)
    for _ in range(int(rng.integers(0, 18))):
        i, j = int(rng.integers(wide)), int(rng.integers(deep))
        world |= block([i], [j], range(int(rng.integers(1, 4))))
    low = block([int(rng.integers(wide))], range(int(rng.integers(1, deep))), [4])
    bend = Action(up=1, down=1, height=2, price=2, span=float(rng.choice([0, 3])))
    return Scene(world | low, [WALK, bend], corners=str(rng.choice(["both", "one"])))


@pytest.mark.parametrize("batch", BATCHES)
def test_ways_are_seen_hop_by_hop_and_are_no_longer(batch: int) -> None:
    rng = np.random.default_rng([batch, 91])
    scene = random_scene(rng)
    prices = None
    if rng.random() < 0.5:
        prices = rng.choice([1.0, 2.0, np.inf], len(scene.voxels), p=[0.7, 0.2, 0.1])
        prices = prices.astype(np.float32)
    backward = bool(rng.random() < 0.5)
    fits = np.flatnonzero(scene.native.fits()).astype(np.int32)
    source = rng.choice(fits, 1)
    front = scene.search.front(source, backward=backward, prices=prices)
    sights = _native.GridSights(front, prices)
    corners, starts = sights.corners(fits)
    costs, positions = front.costs(), scene.voxels.positions()
    for cell, first, last in zip(fits.tolist(), starts[:-1], starts[1:], strict=True):
        way = corners[first:last].tolist()
        if np.isinf(costs[cell]):
            assert way == []
            continue
        assert [way[0], way[-1]] == ([cell, source[0]] if backward else [source[0], cell])
        cells, actions, *_ = front.trace(cell)
        order = {row: k for k, row in enumerate(cells.tolist())}
        spent = 0.0
        for a, b in itertools.pairwise(way):
            # The way turns at cells of the way that the front found, in their order.
            assert order[a] < order[b]
            hop = set(actions[order[a] : order[b]].tolist())
            if order[b] > order[a] + 1:
                assert len(hop) == 1
                ends = np.array([a], dtype=np.int32), np.array([b], dtype=np.int32)
                assert scene.native.sees(*ends, hop.pop(), prices)[0]
            else:
                hop.clear()
            spent += float(np.linalg.norm(positions[b] - positions[a]))
        if prices is None and set(actions.tolist()) <= {0}:
            assert spent <= costs[cell] + 1e-6


def test_an_open_floor_is_crossed_in_one_hop() -> None:
    scene = Scene(plane(20, 15), [WALK])
    rows = np.array(list(scene.cells), dtype=np.int32)
    front = scene.search.front(rows[:1], backward=True)
    sights = _native.GridSights(front)
    assert (sights.nexts()[rows[1:]] == rows[0]).all()
    assert sights.nexts()[rows[0]] == -1
    corners, starts = sights.corners(rows)
    assert len(corners) == 2 * len(rows) - 1
    assert len(starts) == len(rows) + 1


def test_a_front_of_another_time_is_refused() -> None:
    scene = Scene(plane(6, 6), [WALK])
    rows = np.array(list(scene.cells), dtype=np.int32)
    front = scene.search.front(rows[:1])
    with pytest.raises(ProblemError, match="a price for each"):
        _native.GridSights(front, np.ones(3, dtype=np.float32))
    scene.voxels.put_cells(99, np.array([[3, 3, 1]], dtype=np.int32))
    with pytest.raises(ProblemError, match="has changed"):
        _native.GridSights(front)
