"""The worlds that are measured in are what the benchmarks say they are."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.worlds import building as house
from benchmarks.worlds import movers, questions

from surefoot.world import Body, Cylinder, World

SHAPE = Cylinder(0.3, 1.8, step=0.3)


@pytest.fixture(scope="module")
def built() -> house.Building:
    return house.building(50_000, seed=1)


def test_the_building_has_its_triangles_and_follows_its_seed(built: house.Building):
    assert 50_000 <= len(built.mesh.faces) < 50_100
    again = house.building(50_000, seed=1)
    assert np.array_equal(again.mesh.vertices, built.mesh.vertices)
    other = house.building(50_000, seed=2)
    assert not np.array_equal(other.mesh.vertices[:100], built.mesh.vertices[:100])


def test_all_but_the_land_is_solid_and_faces_outward(built: house.Building):
    open_faces = np.count_nonzero(~built.mesh.closed)
    assert open_faces == 2 * 80 * 80
    corners = built.mesh.vertices[built.mesh.faces[built.mesh.closed]]
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert volume > 0


def test_questions_stand_on_something_and_some_overlap(built: house.Building):
    world = World([Body(name="house", mesh=built.mesh)])
    points = built.standing(2_000, seed=3)
    assert points.shape == (2_000, 3)
    ground = world.support(points, up=SHAPE.step, down=SHAPE.step)
    assert ground.hit.mean() > 0.97  # all but those in the stairwell's hole
    assert 0.3 < world.overlap(points, shape=SHAPE).mean() < 0.6


def test_movers_move_and_lifts_stay_clear_of_the_house(built: house.Building):
    bodies = movers.among_rooms(50, seed=2)
    assert all(body.trajectory.moving for body in bodies)
    assert len({body.name for body in bodies}) == 50
    world = World([Body(name="house", mesh=built.mesh), *bodies])
    spots = questions.places(built, world, 100, seed=4)
    assert sum(spot.body is not None for spot in spots) == 10


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("count", [1, 7, 400])
def test_the_plain_is_as_dense_at_any_count(count: int, moving: bool):
    world = World(movers.on_plain(count, moving=moving, seed=5))
    assert len(world) == count
    points = movers.plain_points(count, 4_000, seed=6)
    share = world.overlap(points, questions.times(4_000, seed=7), shape=SHAPE).mean()
    assert 0.04 < share < 0.2
