"""Cases on the edge of a decision that real worlds are full of: seams, signed zeros, touching."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.world import Body, Capsule, Cylinder, Keyframed, Mesh, Static, World, merge
from surefoot.world.primitives import box, ground


def test_support_does_not_depend_on_how_a_floor_is_turned() -> None:
    for yaw in np.linspace(-7, 7, 57):
        world = World(
            [Body(name="floor", mesh=ground(10, 10), trajectory=Static(Pose.at(yaw=yaw)))]
        )
        found = world.support([1.0, 0.5, 1.0])
        assert found.hit, f"no floor at yaw {yaw}"
        assert found.height == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zeros_of_either_sign_in_a_direction_are_alike(axis: int, zero: float) -> None:
    world = World([Body(name="box", mesh=box((2, 2, 2)))])
    for other in (0.0, -0.0):
        for sign in (1.0, -1.0):
            direction = np.array([zero, other, 0.0])
            direction[[0, 1, 2]] = np.roll(direction, axis)
            direction[axis] = sign
            origin = np.full(3, 0.3)
            origin[axis] = -5 * sign
            assert world.ray(origin, direction).distance == pytest.approx(4)


def test_the_rim_of_a_floor_holds_on_every_side() -> None:
    world = World([Body(name="floor", mesh=ground(10, 6))])
    x, y = np.meshgrid([-5.0, 0.0, 5.0], [-3.0, 0.0, 3.0])
    points = np.stack([x, y, np.ones_like(x)], axis=-1)
    assert world.support(points).hit.all()


@pytest.mark.parametrize("turn_left", range(4))
@pytest.mark.parametrize("turn_right", range(4))
def test_no_ray_slips_between_two_tiles(turn_left: int, turn_right: int) -> None:
    quarter = [[1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 0, 1], [1, 0, 0, -1]]
    tiles = [
        Body(name=name, mesh=ground(2, 2), trajectory=Static(Pose([x, 0, 0], quarter[turn])))
        for name, x, turn in (("left", -1, turn_left), ("right", 1, turn_right))
    ]
    seam = np.stack([np.zeros(41), np.linspace(-0.99, 0.99, 41), np.ones(41)], axis=-1)
    if {turn_left, turn_right} <= {0, 2}:  # quarter turns are not exact in floating point
        assert World(tiles).support(seam).hit.all()
    offset = seam + np.array([1e-9, 0, 0])
    assert World(tiles).support(offset).hit.all()


def test_no_ray_slips_between_the_triangles_of_a_mesh() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        pose = Pose(rng.uniform(-5, 5, 3), rng.normal(size=4))
        mesh = box(rng.uniform(0.1, 3, 3)).transformed(pose)
        world = World([Body(name="box", mesh=mesh)])
        ends = mesh.vertices[mesh.faces[rng.integers(12, size=20)][:, :2]]
        share = rng.uniform(0.01, 0.99, (20, 1))
        on_edges = ends[:, 0] * share + ends[:, 1] * (1 - share)
        middle = mesh.vertices.mean(axis=0)
        # From the middle outward through an edge, and from far outside to the middle through it.
        assert world.ray(middle, on_edges - middle).hit.all()
        outside = middle + 3 * (on_edges - middle)
        inward = world.ray(outside, middle - on_edges)
        assert np.allclose(inward.position, on_edges, atol=1e-9)


RIGHT_ANGLES = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [1, 1, 1, 1], [0, 1, 1, 0]]


def test_rays_along_a_face_end_on_a_surface() -> None:
    # Turned by right angles, faces lie in planes of the axes but for the last digit: a ray along
    # one may graze it or pass, but where it is said to hit, there must be a surface.
    rng = np.random.default_rng(0)
    for number in range(600):
        turn = RIGHT_ANGLES[rng.integers(len(RIGHT_ANGLES))]
        mesh = box(rng.uniform(0.5, 2, 3)).transformed(Pose(rng.uniform(-2, 2, 3), turn))
        still = Static(Pose(rng.uniform(-1, 1, 3), RIGHT_ANGLES[rng.integers(4)]))
        world = World([Body(name="box", mesh=mesh, trajectory=still)])
        corners = still.at.apply(mesh.vertices)
        share = rng.random((40, 1))
        on_faces = corners[rng.integers(8, size=40)] * share
        on_faces += corners[rng.integers(8, size=40)] * (1 - share)
        direction = np.eye(3)[rng.integers(3)] * rng.choice([-1, 1])
        origins = on_faces - direction * rng.uniform(2, 8, (40, 1))
        found = world.ray(origins, direction)
        off = world.nearest(found.position[found.hit]).distance
        assert (off < 1e-6).all(), f"world {number}: {off.max():.3g} m off any surface"


def test_support_beside_a_wall_is_on_a_surface() -> None:
    rng = np.random.default_rng(1)
    for number in range(600):
        turn = RIGHT_ANGLES[rng.integers(len(RIGHT_ANGLES))]
        mesh = box(rng.uniform(0.5, 2, 3)).transformed(Pose(rng.uniform(-2, 2, 3), turn))
        world = World([Body(name="box", mesh=mesh)])
        share = rng.random((40, 1))
        points = mesh.vertices[rng.integers(8, size=40)] * share
        points += mesh.vertices[rng.integers(8, size=40)] * (1 - share)
        found = world.support(points, up=4, down=8)
        touched = np.column_stack([points[:, :2], found.height])[found.hit]
        off = world.nearest(touched).distance
        assert (off < 1e-6).all(), f"world {number}: {off.max():.3g} m off any surface"


@pytest.mark.parametrize("yaw", [0.0, 0.7, 2.5])
def test_standing_exactly_on_a_floor_is_no_overlap(yaw: float) -> None:
    for z in np.round(np.linspace(-3, 3, 241), 3):
        for height in (1.7, 1.8, 0.4):
            still = Static(Pose.at(yaw=yaw))
            world = World([Body(name="floor", mesh=ground(10, 10, float(z)), trajectory=still)])
            foot = [0.1, 0.2, float(z)]
            assert not world.overlap(foot, shape=Cylinder(0.3, height)), (z, height)
            sunk = [0.1, 0.2, float(z) - 1e-9]
            assert world.overlap(sunk, shape=Cylinder(0.3, height)), (z, height)


def test_touching_side_by_side_is_no_overlap() -> None:
    world = World([Body(name="wall", mesh=box((2, 4, 4)))])
    for shape in (Cylinder(0.25, 1.5), Capsule(0.25, 1.5)):
        assert not world.overlap([1.25, 0, 0], shape=shape)
        assert world.overlap([1.25 - 1e-9, 0, 0], shape=shape)


def test_a_pillar_in_a_room_of_the_same_mesh_is_solid() -> None:
    walls = box((8, 8, 4))
    room = Mesh(walls.vertices, walls.faces[:, ::-1])
    pillar = box((2, 2, 3))
    shape = Cylinder(0.2, 0.5)
    together = World([Body(name="room", mesh=merge([room, pillar]))])
    apart = World([Body(name="room", mesh=room), Body(name="pillar", mesh=pillar)])
    for world in (together, apart):
        assert world.overlap([0, 0, -0.25], shape=shape)  # wholly inside the pillar
        assert not world.overlap([3, 3, -0.25], shape=shape)  # in the room
        assert world.overlap([1, 0, -0.25], shape=shape)  # through the pillar's side


@pytest.mark.parametrize(
    "corner",
    [
        2.0,
        pytest.param(
            3.0,
            marks=pytest.mark.xfail(
                strict=True, reason="parts that share a whole edge count as one; see docs/world.md"
            ),
        ),
    ],
)
def test_a_pillar_in_a_room_is_solid(corner: float) -> None:
    walls = box((8, 8, 4))
    room = Mesh(walls.vertices, walls.faces[:, ::-1])
    pillar = box((2, 2, 4), (corner, corner, 0))
    world = World([Body(name="room", mesh=merge([room, pillar]))])
    assert world.overlap([corner, corner, -0.25], shape=Cylinder(0.2, 0.5))
    assert not world.overlap([-2, -2, -0.25], shape=Cylinder(0.2, 0.5))


def test_a_hollow_in_a_solid_can_be_entered() -> None:
    outer, inner = box((8, 8, 4)), box((6, 6, 3))
    hollow = merge([outer, Mesh(inner.vertices, inner.faces[:, ::-1]), box((1, 1, 2))])
    world = World([Body(name="house", mesh=hollow)])
    shape = Cylinder(0.1, 0.2)
    assert not world.overlap([2, 2, 0], shape=shape)  # in the hollow
    assert world.overlap([0, 0, 0], shape=shape)  # in the block within the hollow
    assert world.overlap([3.5, 0, 0], shape=shape)  # in the wall
    assert not world.overlap([5, 0, 0], shape=shape)  # outside


def test_a_body_that_is_not_solid_can_be_entered() -> None:
    shell = Body(name="shell", mesh=box((4, 4, 4)), solid=False)
    assert not World([shell]).overlap([0, 0, -0.5], shape=Cylinder(0.3, 1.0))


def test_of_equally_near_bodies_the_lowest_id_answers() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        mesh = box(rng.uniform(0.5, 2, 3))
        still = [Body(name=f"still {i}", mesh=mesh) for i in range(5)]
        rest = Keyframed([0, 1], np.zeros((2, 3)), [[1, 0, 0, 0]] * 2)
        world = World([*still, Body(name="keyed", mesh=mesh, trajectory=rest)])
        for _ in range(3):
            points = rng.uniform(-3, 3, (40, 3))
            near = world.nearest(points)
            assert (near.body == 0).all()
            rays = world.ray(points, rng.normal(size=(40, 3)))
            assert (rays.body[rays.hit] == 0).all()
            support = world.support(points, up=3, down=6)
            assert (support.body[support.hit] == 0).all()
            inside = world.overlapping(points, shape=Cylinder(0.4, 1.0))
            assert set(inside.tolist()) <= {-1, 0}


def test_questions_about_the_far_past_and_future() -> None:
    once = Keyframed([0, 1], [[0, 0, 0], [5, 0, 0]])
    world = World([Body(name="box", mesh=box((1, 1, 1)), trajectory=once)])
    for time in (1e6, 1e9):
        assert world.ray([5, 0, 3], [0, 0, -1], time).hit
        assert world.ray([0, 0, 3], [0, 0, -1], -time).hit
        assert not world.ray([0, 0, 3], [0, 0, -1], time).hit
    for time in (1e12, -1e20, np.array([[0.0], [1e300]])):
        with pytest.raises(InputError, match="t must be within 1e\\+09 s"):
            world.ray([5, 0, 3], [0, 0, -1], time)


def test_far_from_the_origin_queries_stay_right() -> None:
    x, y, z = 1e5, -2e5, 3e3
    world = World([Body(name="box", mesh=box((2, 2, 2)), trajectory=Static(Pose.at(x, y, z)))])
    assert world.ray([x, y, z + 9], [0, 0, -1]).distance == pytest.approx(8, abs=1e-9)
    assert world.nearest([x + 4, y, z]).distance == pytest.approx(3, abs=1e-9)
    assert world.overlap([x + 1.299, y, z], shape=Cylinder(0.3, 1.0))
    assert not world.overlap([x + 1.301, y, z], shape=Cylinder(0.3, 1.0))


DEEP = """
import numpy as np
from surefoot.world import Body, Mesh, World
places = [16.0**k for k in range(-268, 6)]
corners = np.array([p for x in places for p in ([x, 0, 0], [x, 1, 0], [x, 0, 1])])
faces = np.arange(len(corners)).reshape(-1, 3)
for side in (1, -1):
    world = World([Body(name="plates", mesh=Mesh(corners * [side, 1, 1], faces))])
    for x, way in ((-1, 1), (1e7, -1), (0.5, -1), (0.5, 1)):
        assert world.ray([x * side, 0.2, 0.2], [way * side, 0, 0]).hit
        assert world.nearest([x * side, 0.2, 0.2]).hit
"""


def test_a_mesh_whose_tree_is_as_deep_as_numbers_go() -> None:
    # In a process of its own: what overruns a stack takes its process along.
    done = subprocess.run([sys.executable, "-c", DEEP], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or f"ended by signal {-done.returncode}"
