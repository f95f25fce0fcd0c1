"""Deep trees, large coordinates and many bodies, against brute force.

Small random worlds never leave the first levels of a tree; here bounds, float filters and the
order of a search decide.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from references import random_worlds, timed
from references.scenes import Scene
from surefoot.arrays import Floats
from surefoot.math import Pose
from surefoot.world import Body, Capsule, Cylinder, Foot, Keyframed, Mesh, Static, World, merge
from surefoot.world.primitives import box, cylinder, ground

Random = np.random.Generator


def terrain(rng: Random, size: int = 18, cell: float = 0.25, bumps: float = 0.2) -> Mesh:
    """A bumpy open sheet of many triangles."""
    x, y = np.meshgrid(np.arange(size) * cell, np.arange(size) * cell)
    z = bumps * rng.normal(size=x.shape)
    corners = np.stack([x, y, z], axis=-1).reshape(-1, 3) - [size * cell / 2, size * cell / 2, 0]
    i = (np.arange(size - 1)[:, None] * size + np.arange(size - 1)).reshape(-1)
    faces = np.concatenate(
        [np.stack([i, i + 1, i + size], 1), np.stack([i + 1, i + size + 1, i + size], 1)]
    )
    return Mesh(corners, faces.astype(np.int32))


def ball(rng: Random, rings: int = 10, sides: int = 16) -> Mesh:
    """A closed lumpy ball."""
    angle, turn = np.linspace(0, np.pi, rings + 1)[1:-1], np.linspace(0, 2 * np.pi, sides + 1)[:-1]
    a, b = np.meshgrid(angle, turn, indexing="ij")
    radius = 1.5 * (1 + 0.1 * rng.uniform(-1, 1, a.shape))[..., None]
    around = radius * np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=-1)
    corners = np.concatenate([around.reshape(-1, 3), [[0, 0, 1.6], [0, 0, -1.6]]])
    top, bottom = len(corners) - 2, len(corners) - 1
    faces = []
    for j in range(sides):
        k = (j + 1) % sides
        faces.append([top, j, k])
        last = (rings - 2) * sides
        faces.append([bottom, last + k, last + j])
        for i in range(rings - 2):
            p, q = i * sides + j, i * sides + k
            faces += [[p, p + sides, q], [q, p + sides, q + sides]]
    return Mesh(corners, np.array(faces, dtype=np.int32))


def city(rng: Random) -> Mesh:
    """Many boxes in one mesh, some of them far larger than others."""
    sizes = 10.0 ** rng.uniform(-2, 0.3, (40, 3))
    return merge([box(size, rng.uniform(-3, 3, 3)) for size in sizes])


def slivers(rng: Random) -> Mesh:
    """Long thin triangles in all directions: boxes that overlap everywhere."""
    start, end = rng.uniform(-3, 3, (2, 300, 3))
    corners = np.stack([start, end, end + 0.01 * rng.normal(size=(300, 3))], axis=1)
    return Mesh(corners.reshape(-1, 3), np.arange(900, dtype=np.int32).reshape(-1, 3))


MAKERS: dict[str, Callable[[Random], Mesh]] = {
    "terrain": terrain,
    "ball": ball,
    "city": city,
    "slivers": slivers,
    "pillars": lambda rng: merge(
        [cylinder(0.2, 2, 12).transformed(Pose(rng.uniform(-3, 3, 3))) for _ in range(8)]
    ),
}


def _check(
    worlds: list[World], times: list[Floats], points: Floats, rng: Random, edge: float
) -> None:
    """All point queries against every triangle."""
    scene = Scene.of(worlds, times)
    split = np.split(points, len(worlds))
    directions = rng.normal(size=points.shape)
    directions[::4] = [0, 0, -1]
    sizes = np.diff(np.append(scene.starts, len(scene.question)))
    aim = scene.corners[scene.starts + rng.integers(sizes)].mean(axis=1)
    directions[1::2] = (aim - points)[1::2]
    unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    ways = np.split(directions, len(worlds))

    distance, inside = scene.ray(points, unit)
    ahead = np.where(np.isnan(distance), np.inf, distance)
    sure = scene.least(np.where((inside > edge) & (ahead > edge), ahead, np.inf))
    maybe = scene.least(np.where((inside > -edge) & (ahead > -edge), ahead, np.inf))
    rays = [w.ray(p, d, t) for w, p, d, t in zip(worlds, split, ways, times, strict=True)]
    got = np.concatenate([hits.distance for hits in rays])
    assert (got <= sure + 100 * edge).all()
    assert (got >= maybe - 100 * edge).all()
    assert (sure == maybe).mean() > 0.95
    assert np.isfinite(got).mean() > 0.05

    gaps = np.linalg.norm(scene.closest(points) - points[scene.question], axis=1)
    near = [w.nearest(p, t) for w, p, t in zip(worlds, split, times, strict=True)]
    got = np.concatenate([found.distance for found in near])
    assert np.allclose(got, scene.least(gaps), atol=1000 * edge)

    for shape in (Cylinder(0.3, 1.5, 0.2), Capsule(0.3, 1.5), Cylinder(0.05, 0.1)):
        gap = scene.gap(points, shape, edge)
        middle = points + np.array([0, 0, (shape.step + shape.height) / 2])
        within = scene.inside(middle) > 0.5
        touching = scene.any_per_body(gap < 0) | within
        lowest = np.where(touching.any(axis=1), touching.argmax(axis=1), -1)
        found = [
            w.overlapping(p, t, shape=shape) for w, p, t in zip(worlds, split, times, strict=True)
        ]
        # How close a question is to being decided otherwise.
        undecided = scene.least(np.abs(gap)) < 10 * edge
        wrong = (np.concatenate(found) != lowest) & ~undecided
        # The end faces of a shape decide, too: a triangle may end right at them.
        assert wrong.sum() <= 1, np.flatnonzero(wrong)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("upright", [True, False])
def test_large_meshes(kind: str, upright: bool) -> None:
    rng = np.random.default_rng(list(MAKERS).index(kind))
    mesh = MAKERS[kind](rng)
    turn = [1, 0, 0, 0.4] if upright else rng.normal(size=4)
    still = Static(Pose(rng.uniform(-1, 1, 3), turn))
    world = World([Body(name=kind, mesh=mesh, trajectory=still)])
    points = rng.uniform(-3, 3, (100, 3))
    on_surface = mesh.vertices[mesh.faces[rng.integers(len(mesh.faces), size=50)]].mean(axis=1)
    points[:50] = still.at.apply(on_surface) + 0.05 * rng.normal(size=(50, 3))
    _check([world], [np.zeros(100)], points, rng, 1e-9)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("far", [1e3, 1e5])
def test_large_coordinates(kind: str, far: float) -> None:
    # Far in the mesh's own frame, far in the world, or both, so that they cancel out.
    rng = np.random.default_rng([list(MAKERS).index(kind), 5])
    mesh = MAKERS[kind](rng)
    shift = np.array([far, -0.7 * far, 0.1 * far])
    points = rng.uniform(-3, 3, (30, 3))
    for inner, outer in ((shift, 0 * shift), (0 * shift, shift), (shift, -shift)):
        moved = Mesh(mesh.vertices + inner, mesh.faces)
        world = World([Body(name=kind, mesh=moved, trajectory=Static(Pose(outer)))])
        _check([world], [np.zeros(30)], points + inner + outer, rng, 1e-9 * far)


def test_far_rays_hit_small_things() -> None:
    rng = np.random.default_rng(0)
    mesh = ball(rng)
    world = World([Body(name="ball", mesh=mesh)])
    for far in (1e2, 1e4, 1e6):
        away = rng.normal(size=(200, 3))
        away *= far / np.linalg.norm(away, axis=1, keepdims=True)
        aim = rng.uniform(-0.5, 0.5, (200, 3))
        found = world.ray(away, aim - away)
        assert found.hit.all()
        radius = np.linalg.norm(found.position, axis=1)
        assert (radius > 1.2).all()
        assert (radius < 1.7).all()


def test_many_bodies() -> None:
    rng = np.random.default_rng(1)
    bodies = []
    for i in range(150):
        motion = (
            timed.rocking(rng, reach=6)
            if rng.random() < 0.5
            else Static(random_worlds.pose(rng, 6))
        )
        bodies.append(Body(name=f"{i}", mesh=random_worlds.mesh(rng), trajectory=motion))
    bodies.append(Body(name="ground", mesh=ground(30, 30, -4)))
    rng.shuffle(bodies)  # pyright: ignore
    world = World(bodies)
    _check([world], [rng.uniform(-1, 20, 60)], rng.uniform(-7, 7, (60, 3)), rng, 1e-9)


def test_feet_on_terrain() -> None:
    rng = np.random.default_rng(2)
    mesh = terrain(rng)
    world = World([Body(name="terrain", mesh=mesh)])
    points = np.column_stack([rng.uniform(-2, 2, (300, 2)), np.full(300, 1.0)])
    heading = rng.uniform(-3, 3, 300)
    found = world.support(points, foot=Foot(0.3, 0.12), heading=heading, down=3)
    assert found.hit.all()
    # No surface under the sole is higher: many points under it, each found by a ray.
    u, v = np.meshgrid(np.linspace(-0.15, 0.15, 31), np.linspace(-0.06, 0.06, 13))
    cos, sin = np.cos(heading)[:, None], np.sin(heading)[:, None]
    x = points[:, :1] + u.reshape(1, -1) * cos - v.reshape(1, -1) * sin
    y = points[:, 1:2] + u.reshape(1, -1) * sin + v.reshape(1, -1) * cos
    below = world.support(np.stack([x, y, np.ones_like(x)], axis=-1), down=3)
    highest = below.height.max(axis=1)
    assert (found.height >= highest - 1e-9).all()
    assert (found.height <= highest + 0.03).all()
    # The share of the sole that rests, by nine points against all of these.
    share = (below.height >= found.height[:, None] - 0.03).mean(axis=1)
    assert np.abs(share - found.coverage).mean() < 0.1


def test_coverage_of_a_sole_over_an_edge() -> None:
    world = World([Body(name="floor", mesh=ground(4, 4))])
    for out, expected in ((-0.2, 1.0), (0.0, 2 / 3), (0.13, 1 / 3)):
        sole = world.support([2 + out, 0, 0.5], foot=Foot(0.3, 0.1))
        assert sole.height == pytest.approx(0)
        assert sole.coverage == pytest.approx(expected, abs=1e-9)
    assert not world.support([2.16, 0, 0.5], foot=Foot(0.3, 0.1)).hit


def test_a_moving_body_is_found_in_any_block_of_time() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        motion = timed.rocking(rng, lean=1.5, reach=30)
        world = World([Body(name="box", mesh=random_worlds.mesh(rng), trajectory=motion)])
        corners = world["box"].mesh.vertices[world["box"].mesh.faces].mean(axis=1)
        for times in (
            rng.uniform(-5, 20, 40),
            rng.uniform(-500, 2000, 200),
            np.arange(-20, 60) / 4,
        ):
            positions, rotations = motion.poses(times)
            pick = corners[rng.integers(len(corners), size=len(times))]
            world_points = np.array(
                [Pose(p, q).apply(c) for p, q, c in zip(positions, rotations, pick, strict=True)]
            )
            assert (world.nearest(world_points, times, max_distance=1e-6).hit).all()
            assert world.overlap(world_points - [0, 0, 0.05], times, shape=Cylinder(0.1, 0.1)).all()


def test_loops_of_many_keys_over_long_times() -> None:
    rng = np.random.default_rng(4)
    keys = Keyframed(
        np.cumsum(rng.uniform(0.01, 0.2, 1000)), rng.uniform(-5, 5, (1000, 3)), repeat="loop"
    )
    world = World([Body(name="box", mesh=box((0.2, 0.2, 0.2)), trajectory=keys)])
    times = rng.uniform(-1e5, 1e5, 2000)
    positions, _ = keys.poses(times)
    assert np.allclose(world.nearest(positions, times).distance, 0.1, atol=1e-9)
