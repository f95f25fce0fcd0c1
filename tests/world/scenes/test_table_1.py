"""The scenes of bandi2000's Table 1: as large as there, and with what its figures show."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import people
from surefoot.errors import InputError
from surefoot.world import Cylinder, World, scenes

# Cells along x and y (the paper's x and z), how many high (its y), and the cell and rise [m].
TABLE_1 = {
    "labyrinth": ((72, 93, 23), 0.25, 0.10),
    "staircase": ((53, 91, 102), 0.25, 0.05),
    "factory": ((69, 69, 95), 0.25, 0.06),
    "supermarket": ((162, 236, 90), 0.25, 0.06),
}
ADULT = people.adult()
WALK, CROUCH = ADULT.capability("walk"), ADULT.capability("crouch")


def extent(world: World) -> np.ndarray:
    points = [body.trajectory.pose(0.0).apply(body.mesh.vertices) for body in world]
    return np.ptp(np.concatenate(points), axis=0)


@pytest.fixture(scope="module", params=TABLE_1)
def scene(request: pytest.FixtureRequest) -> scenes.Scene:
    return scenes.load(request.param)


def test_the_grid_has_the_papers_size(scene: scenes.Scene) -> None:
    cells, cell, rise = TABLE_1[scene.name]
    assert np.allclose(extent(scene.world) / [cell, cell, rise], cells, atol=1e-6)


def test_detail_is_of_the_order_of_the_papers_files(scene: scenes.Scene) -> None:
    triangles = sum(len(body.mesh.faces) for body in scene.world)
    assert 10_000 < triangles < 100_000


def test_all_is_solid_and_faces_outward(scene: scenes.Scene) -> None:
    for body in scene.world:
        assert body.mesh.closed.all(), body.name
        a, b, c = (body.mesh.vertices[body.mesh.faces[:, i]] for i in range(3))
        assert np.einsum("ij,ij->", a, np.cross(b, c)) > 0, body.name


def test_one_can_stand_at_the_places(scene: scenes.Scene) -> None:
    shape = Cylinder(WALK.radius, WALK.height, WALK.step_height)
    for name, place in scene.places.items():
        point = scene.world.position(place, 0.0)
        low = scene.name == "factory" and name == "A"
        assert bool(scene.world.overlap(point, shape=shape)) is low, name
        ground = scene.world.support(point, up=0.1, down=0.1)
        assert not scene.world[scene.world.names[int(ground.body)]].has("forbidden"), name


def test_furniture_is_forbidden(scene: scenes.Scene) -> None:
    furniture = [body for body in scene.world if body.has("furniture")]
    assert len(furniture) > 5
    assert all(body.has("forbidden") for body in furniture)


@pytest.mark.parametrize("name", ["labyrinth", "supermarket"])
def test_a_is_passable_but_leaves_no_room_for_a_border(name: str) -> None:
    scene = scenes.load(name)
    a, b = (scene.world.position(scene.place(at), 0.0) for at in "AB")

    def free(point: np.ndarray, radius: float) -> bool:
        return not scene.world.overlap(point, shape=Cylinder(radius, WALK.height, 0.05))

    # A body of 0.25 m fits; two cells of 0.25 m do at most, and both are border cells.
    assert free(a, WALK.radius)
    assert not free(a, 0.31)
    # A border on each side of a cell, wherever the cells' edges lie, takes 1 m.
    assert free(b, 0.5)


def test_the_tank_is_too_low_to_walk_under_and_high_enough_to_crouch() -> None:
    scene = scenes.load("factory")
    up = np.array([0.0, 0.0, 1.0])
    points = [scene.world.position(scene.place(name), 0.0) for name in ("A", "B")]
    above = scene.world.ray(np.array(points) + 0.01 * up, up)
    assert CROUCH.height < above.distance[0] < WALK.height
    assert above.distance[1] > WALK.height
    names = [scene.world.names[i] for i in above.body if i >= 0]
    assert names[0] == "tank"


def test_tiles_are_copies_side_by_side() -> None:
    one, six = scenes.load("factory"), scenes.load("factory", tiles=(3, 2))
    assert len(six.world) == 6 * len(one.world)
    assert np.allclose(extent(six.world), extent(one.world) * [3, 2, 1])
    size = extent(one.world)
    start, goal = (scene.world.position(scene.start, 0.0) for scene in (one, six))
    assert np.allclose(start, goal)
    goal = one.world.position(one.goal, 0.0)
    assert np.allclose(six.world.position(six.goal, 0.0), goal + size * [2, 1, 0])
    assert np.allclose(six.world.position(six.place("A (1, 0)"), 0.0)[0], size[0])
    assert six.world["tank (2, 1)"].mesh is six.world["tank (0, 0)"].mesh
    # The ground goes on across the seams.
    seam = np.array([[size[0] / 2 + dx, 0.0, 0.0] for dx in np.linspace(-0.5, 0.5, 21)])
    assert six.world.support(seam, up=0.2, down=0.2).hit.all()


def test_moving_bodies_move_in_every_tile() -> None:
    two = scenes.load("yard", tiles=(2, 1))
    first, second = (two.world[f"plank ({i}, 0)"].trajectory.pose(3.0).position for i in (0, 1))
    assert np.allclose(second - first, [25.9, 0.0, 0.0], atol=0.2)


@pytest.mark.parametrize("tiles", [(0, 1), (1, -2)])
def test_tiles_that_are_none_are_refused(tiles: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="at least"):
        scenes.load("factory", tiles=tiles)
