"""Laws of worlds: nothing depends on where, when, how large or in which mirror one looks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from references import changed, random_worlds, timed
from references.timed import Stander
from surefoot.arrays import Floats
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import Capsule, Cylinder, Foot, Place, TimedPath, World

SEEDS = [*range(30), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(30, 600))]

Map = Callable[[Floats], Floats]


def compare(
    world: World,
    other: World,
    rng: np.random.Generator,
    *,
    point: Map,
    direction: Map,
    heading: Map = lambda angle: angle,
    later: float = 0.0,
    scale: float = 1.0,
) -> None:
    """Asserts that both worlds say the same about corresponding places and moments."""
    points, times = rng.uniform(-3, 3, (60, 3)), rng.uniform(-2, 9, 60)
    ways = rng.normal(size=(60, 3))
    moved, when = point(points), times + later

    rays, again = world.ray(points, ways, times), other.ray(moved, direction(ways), when)
    _alike(rays.hit, again.hit)
    hit = rays.hit & again.hit
    assert np.allclose(again.distance[hit], scale * rays.distance[hit], atol=1e-7)
    same = hit & (rays.body == again.body) & (rays.triangle == again.triangle)
    assert same.sum() >= hit.sum() - 2
    assert np.allclose(again.position[same], point(rays.position[same]), atol=1e-7)

    near, near_again = world.nearest(points, times), other.nearest(moved, when)
    assert np.allclose(near_again.distance, scale * near.distance, atol=1e-7)

    reach = {"up": 0.5, "down": 3.0}
    larger = {key: scale * value for key, value in reach.items()}
    below, below_again = world.support(points, times, **reach), other.support(moved, when, **larger)
    _alike(below.hit, below_again.hit)
    hit = below.hit & below_again.hit
    drop = (points[:, 2] - below.height)[hit]
    assert np.allclose((moved[:, 2] - below_again.height)[hit], scale * drop, atol=1e-7)
    assert np.allclose(below_again.slope[hit], below.slope[hit], atol=1e-6)
    same = hit & (below.body == below_again.body)
    carried = scale * direction(below.velocity[same])
    assert np.allclose(below_again.velocity[same], carried, atol=1e-3)

    angles = rng.uniform(-3, 3, 60)
    sole = world.support(points, times, **reach, foot=Foot(0.3, 0.1), heading=angles)
    foot = Foot(0.3 * scale, 0.1 * scale, 0.03 * scale)
    sole_again = other.support(moved, when, **larger, foot=foot, heading=heading(angles))
    _alike(sole.hit, sole_again.hit)
    hit = sole.hit & sole_again.hit
    drop = (points[:, 2] - sole.height)[hit]
    assert np.allclose((moved[:, 2] - sole_again.height)[hit], scale * drop, atol=1e-6)
    _alike(sole.coverage, sole_again.coverage)

    for kind in (Cylinder, Capsule):
        shape, larger_shape = kind(0.3, 1.2, 0.1), kind(0.3 * scale, 1.2 * scale, 0.1 * scale)
        first = world.overlapping(points, times, shape=shape)
        _alike(first, other.overlapping(moved, when, shape=larger_shape))


def _alike(first: np.ndarray, second: np.ndarray) -> None:
    """Equal but for a rare question on the edge of a decision."""
    assert (first != second).sum() <= 1, np.flatnonzero(first != second)


@pytest.mark.parametrize("seed", SEEDS)
def test_where_the_world_is_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    world = random_worlds.world(rng)
    yaw = float(rng.uniform(-3, 3))
    pose = Pose(rng.uniform(-50, 50, 3), turns.from_yaw(yaw))
    compare(
        world,
        changed.placed(world, pose),
        rng,
        point=pose.apply,
        direction=lambda ways: turns.rotate(pose.rotation, ways),
        heading=lambda angle: angle + yaw,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_when_it_happens_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    world = random_worlds.world(rng)
    by = float(rng.choice([0.5, 100.25, rng.uniform(-20, 20)]))
    still = lambda points: points  # noqa: E731
    compare(world, changed.later(world, by), rng, point=still, direction=still, later=by)


@pytest.mark.parametrize("seed", SEEDS)
def test_left_and_right_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng([seed, 3])
    world = random_worlds.world(rng)
    flip = lambda points: points * np.array([-1.0, 1.0, 1.0])  # noqa: E731
    compare(
        world,
        changed.mirrored(world),
        rng,
        point=flip,
        direction=flip,
        heading=lambda angle: np.pi - angle,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_size_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng([seed, 4])
    world = random_worlds.world(rng)
    by = float(rng.choice([2.0, 0.5, 3.7]))
    compare(
        world,
        changed.scaled(world, by),
        rng,
        point=lambda points: by * points,
        direction=lambda ways: ways,
        scale=by,
    )


# --- spans of time -------------------------------------------------------------------------------


ODD = Stander(radius=0.27, height=1.73, step_height=0.23, max_slope=0.71)
"""Sizes that nothing else has: exact touching is on the edge of a decision."""


def _beyond(spans: Floats, others: Floats) -> float:
    """For how long `spans` hold a moment that `others` do not [s]."""
    borders = np.unique(np.concatenate([spans.reshape(-1), others.reshape(-1)]))
    if len(borders) < 2:
        return 0.0
    middles = (borders[1:] + borders[:-1]) / 2

    def inside(these: Floats) -> np.ndarray:
        return ((middles[:, None] > these[:, 0]) & (middles[:, None] < these[:, 1])).any(axis=1)

    return float((np.diff(borders) * (inside(spans) & ~inside(others))).sum())


TIMED_SEEDS = [*range(15), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(15, 300))]


@pytest.mark.parametrize("seed", TIMED_SEEDS)
@pytest.mark.parametrize("law", ["placed", "later", "mirrored"])
def test_safe_spans_stay_the_same(law: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 6])
    world, places = timed.station(rng)
    # A place in the world's own frame moves with the world; one on a body stays as it is.
    pose, by = Pose([5, -3, 2], turns.from_yaw(0.7)), 0.0
    other, seen = changed.placed(world, pose), pose.apply
    if law == "later":
        by, seen = 3.25, lambda points: points
        other = changed.later(world, by)
    if law == "mirrored":
        seen = lambda points: points * np.array([-1.0, 1.0, 1.0])  # noqa: E731
        other = changed.mirrored(world)
    local = seen if law == "mirrored" else (lambda points: points)
    moved = [
        Place(place.body, (seen if place.body is None else local)(place.position))
        for place in places
    ]
    # What is found with a coarse tolerance in one is found with a fine one in the other.
    coarse, fine = 1e-2, 5e-4
    asked = ((world, places, 0.0), (other, moved, by))
    loose, tight = (
        [w.safe_intervals(p, ODD, t, t + 5, tolerance=tolerance) for w, p, t in asked]
        for tolerance in (coarse, fine)
    )
    for i, place in enumerate(places):
        here, there = loose[0][i], loose[1][i] - by
        told = f"{place}: {here} and {there}"
        # Losses of support shorter than the coarse tolerance may be missed, as documented.
        assert _beyond(here, tight[1][i] - by) <= coarse * (1 + len(here)), told
        assert _beyond(there, tight[0][i]) <= coarse * (1 + len(there)), told


@pytest.mark.parametrize("seed", TIMED_SEEDS)
def test_first_contacts_stay_the_same(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    world, _ = timed.station(rng)
    pose, by = Pose([5, -3, 2], turns.from_yaw(0.7)), 2.5
    other = changed.later(changed.placed(world, pose), by)
    for _ in range(5):
        positions = rng.uniform(-3, 3, (3, 3))
        path = TimedPath([0, 1.3, 2.7], positions)
        again = TimedPath(path.times + by, pose.apply(positions))
        first, second = (
            w.sweep(p, Cylinder(0.25, 1, 0.1)) for w, p in ((world, path), (other, again))
        )
        assert (first is None) == (second is None)
        if first is not None and second is not None:
            assert second.time - by == pytest.approx(first.time, abs=2e-3)
