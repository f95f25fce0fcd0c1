"""What the grid benchmark measures is what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks.worlds import recast_test
from benchmarks.worlds.cells import CellWorld, Resting, length
from benchmarks.worlds.table_1 import TABLE_1, pairs, walkable

from surefoot.character import people
from surefoot.world import Body, World, scenes
from surefoot.world.primitives import box, slab

WALK = people.adult().capability("walk")
FLOOR = Body(name="floor", mesh=slab((10.0, 6.0, 0.2)))
WALL = Body(name="wall", mesh=box((0.2, 4.0, 2.0), (0.0, -1.0, 1.0)))


def cut(*bodies: Body) -> CellWorld:
    return CellWorld(Resting.of(World(bodies)), WALK, 0.25, 0.1)


def cell(world: CellWorld, x: float, y: float) -> int:
    return int(world.cells(np.array([[x, y, 0.0]]))[0])


def test_ways_lead_around_walls_with_a_border_between() -> None:
    world = cut(FLOOR, WALL).ready()
    start, goal = cell(world, -3.1, -2.1), cell(world, 3.1, -2.1)
    found = world.path(start, goal)
    shortest = 2 * np.hypot(3.0 - 0.1, 3.0)
    assert shortest < length(found) < shortest + 1.5
    assert np.all(np.abs(np.array(found)[1:-1, 0]) < 1.0)
    # A field from the goal leads the same way.
    (way,) = world.ways(world.sights(world.field(goal)), np.array([start], dtype=np.int32))
    assert length(way) == pytest.approx(length(found), abs=0.3)
    walled_in = Body(name="across", mesh=box((0.2, 6.0, 2.0), (1.0, 0.0, 1.0)))
    closed = cut(FLOOR, walled_in).ready()
    assert length(closed.path(cell(closed, -3.1, 0.1), cell(closed, 3.1, 0.1))) == np.inf


def test_what_moves_is_followed() -> None:
    world = cut(FLOOR)
    crate = Resting.of([Body(name="crate", mesh=slab((1.0, 1.0, 1.0), (0.0, 0.0, 1.0)))], first=1)
    before = int(world.inside.sum())
    world.follow(crate)
    with_crate = int(world.inside.sum())
    assert with_crate < before
    world.follow(crate.moved(np.array([0.5, 0.0, 0.0])))
    assert int(world.inside.sum()) == with_crate
    world.voxels.remove(crate.ids)
    world.moves.update()
    world.borders.update()
    assert int(world.inside.sum()) == before


@pytest.mark.parametrize("name", ["labyrinth", "factory"])
def test_pairs_of_places_can_be_walked_between(name: str) -> None:
    scene, size = scenes.load(name), TABLE_1[name]
    world = CellWorld(Resting.of(scene.world), WALK, size.cell, size.rise).ready()
    cells = walkable(world, scene.world.position(scene.start, 0.0))
    for start, goal in zip(*pairs(cells, 20, seed=1), strict=True):
        assert np.isfinite(length(world.path(int(start), int(goal))))


def test_recasts_queries_are_turned_upright(tmp_path: Path) -> None:
    path = tmp_path / "queries.txt"
    path.write_text("s Solo Mesh\nf a.obj\npf  1 2 3  4 5 6  0x3 0x0\n")
    starts, ends = recast_test.queries(path)
    assert starts.tolist() == [[1.0, -3.0, 2.0]]
    assert ends.tolist() == [[4.0, -6.0, 5.0]]
