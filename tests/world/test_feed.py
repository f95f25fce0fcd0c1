"""Poses pushed into a live world: what is taken, what is refused, and what is made of it."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import InputError, SurefootError, WorldError
from surefoot.math import Pose, rotations
from surefoot.world import (
    Body,
    Cylinder,
    Feed,
    Keyframed,
    Observed,
    Played,
    Static,
    TimedPath,
    Watching,
    World,
)
from surefoot.world.primitives import box, slab

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def _feed(count: int = 3, watching: Watching | None = None) -> Feed:
    world = World([Body(name="floor", mesh=slab((20, 20, 0.2)))])
    feed = Feed(world, watching)
    for k in range(count):
        feed.add(Body(name=f"box {k}", mesh=box((0.5, 0.5, 0.5))), Pose((2.0 * k, 0.0, 1.0)), 0.0)
    return feed


def _frame(feed: Feed, shift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    n = len(feed.names)
    positions = np.array([[2.0 * k + shift, 0.0, 1.0] for k in range(n)])
    return positions, np.tile(UPRIGHT, (n, 1))


def test_bodies_are_where_they_were_seen_and_go_on_steadily_to_the_horizon() -> None:
    feed = _feed(watching=Watching(ahead=1.0))
    for k in range(1, 31):
        assert feed.push(0.1 * k, *_frame(feed, 0.05 * k))
    way = feed.world["box 1"].trajectory
    np.testing.assert_allclose(way.pose(3.0).position, (3.5, 0, 1), atol=1e-12)
    np.testing.assert_allclose(way.pose(2.55).position, (2 + 1.275, 0, 1), atol=1e-12)
    np.testing.assert_allclose(way.velocity(3.0)[0], (0.5, 0, 0), atol=1e-9)
    np.testing.assert_allclose(way.pose(3.6).position, (3.8, 0, 1), atol=1e-9)
    # Beyond the horizon it is taken to rest.
    np.testing.assert_allclose(way.pose(9.0).position, (4.0, 0, 1), atol=1e-9)
    assert way.horizon == pytest.approx(4.0)
    assert way.confidence(3.0) == 1.0 > way.confidence(3.5) > way.confidence(4.0) > 0.19
    assert way.confidence(4.5) == 0.0


def test_turning_is_measured_and_goes_on() -> None:
    feed = _feed(1)
    for k in range(1, 20):
        turn = rotations.from_yaw(0.02 * k)
        feed.push(k / 60, [[0.0, 0, 1]], [turn])
    way = feed.world["box 0"].trajectory
    np.testing.assert_allclose(way.velocity(feed.time)[1], (0, 0, 1.2), atol=1e-6)
    ahead = rotations.yaw(way.pose(feed.time + 0.5).rotation)
    assert float(ahead) == pytest.approx(0.02 * 19 + 0.6, abs=1e-6)


def test_velocities_are_filtered() -> None:
    """A shaking hand adds noise; the guess is steadier than the sightings."""
    rng = np.random.default_rng(3)
    feed = _feed(1, Watching(memory=0.2))
    raw, seen, last = [], [], np.array([0.0, 0, 1])
    for k in range(1, 200):
        at = np.array([k / 60, 0, 1]) + rng.normal(0, 0.004, 3)
        feed.push(k / 60, [at], [UPRIGHT])
        raw.append((at - last) * 60)
        seen.append(feed.world["box 0"].trajectory.velocity(feed.time)[0])
        last = at
    off = [np.linalg.norm(np.array(v[50:]) - (1, 0, 0), axis=1).mean() for v in (raw, seen)]
    assert off[1] < 0.35 * off[0]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_what_is_not_finite_is_refused_counted_and_reported(bad: float) -> None:
    feed = _feed()
    feed.push(0.1, *_frame(feed, 0.02))
    positions, turned = _frame(feed, 0.04)
    positions[1, 2] = bad
    pushed = feed.push(0.2, positions, turned)
    assert not pushed
    assert pushed.count("not finite") == 1
    assert pushed.count("taken") == 2
    # The last good pose is kept, and goes on as it was going.
    kept = feed.world["box 1"].trajectory.pose(0.1).position
    np.testing.assert_allclose(kept, (2.02, 0, 1), atol=1e-12)
    assert np.isfinite(feed.world["box 1"].trajectory.pose(5.0).position).all()
    assert feed.counts["not finite"] == 1
    assert "'box 1' 1 times" in feed.report()
    turned[2] = 0.0
    assert feed.push(0.3, _frame(feed)[0], turned).verdicts[2] == 2
    assert feed.push(float(bad), *_frame(feed)).count("not finite") == 3


def test_late_and_repeated_frames_are_refused() -> None:
    feed = _feed()
    feed.push(1.0, *_frame(feed, 0.1))
    for t in (1.0, 0.5):
        assert feed.push(t, *_frame(feed, 9.0)).count("late") == 3
    assert feed.push(1.1, *_frame(feed, 0.2)).count("taken") == 3
    np.testing.assert_allclose(
        feed.world["box 0"].trajectory.pose(1.05).position, (0.15, 0, 1), atol=1e-9
    )


def test_who_is_put_elsewhere_has_no_way_between_and_no_speed() -> None:
    feed = _feed(1)
    for k in range(1, 11):
        feed.push(k / 60, [[0.01 * k, 0, 1]], [UPRIGHT])
    assert feed.push(11 / 60, [[50.0, 0, 1]], [UPRIGHT]).count("jumped") == 1
    way = feed.world["box 0"].trajectory
    np.testing.assert_allclose(way.velocity(11 / 60)[0], 0.0)
    np.testing.assert_allclose(way.pose(10.9 / 60).position, (0.1, 0, 1))
    # Nobody in between is swept over.
    path = TimedPath([10 / 60, 12 / 60], [[25.0, 0, 1], [25.0, 0, 1]])
    assert feed.world.sweep(path, Cylinder(0.3, 1.0)) is None
    assert feed.world.overlap([50.0, 0, 0.8], 12 / 60, shape=Cylinder(0.3, 1.0))


def test_what_rests_costs_nothing_and_wakes_at_its_true_speed() -> None:
    feed = _feed(1)
    for k in range(1, 61):
        feed.push(k / 60, [[0.0, 0, 1]], [UPRIGHT])
    assert feed.counts["still"] >= 58
    feed.push(61 / 60, [[0.02, 0, 1]], [UPRIGHT])
    np.testing.assert_allclose(
        feed.world["box 0"].trajectory.velocity(61 / 60)[0], (1.2, 0, 0), atol=1e-9
    )
    np.testing.assert_allclose(feed.world["box 0"].trajectory.pose(0.5).position, (0, 0, 1))


def test_many_at_once_are_the_same_as_one_after_the_other() -> None:
    """The native feed against `world.observe`, on random motions and questions."""
    rng = np.random.default_rng(11)
    feed = _feed(8, Watching(memory=1e-9, ahead=2.0, fastest=1e6))
    other = World([Body(name="floor", mesh=slab((20, 20, 0.2)))])
    for k in range(8):
        at = Pose((2.0 * k, 0.0, 1.0))
        other.add(Body(name=f"box {k}", mesh=box((0.5, 0.5, 0.5)), trajectory=Static(at)))
        other.observe(f"box {k}", 0.0, at)
    for k in range(1, 12):
        positions = rng.uniform(-1, 1, (8, 3)) + np.array([0, 0, 1.5])
        turned = rng.normal(size=(8, 4))
        turned /= np.linalg.norm(turned, axis=1)[:, None]
        feed.push(0.1 * k, positions, turned)
        for i in range(8):
            other.observe(f"box {i}", 0.1 * k, Pose(positions[i], turned[i]))
    for name in feed.names:
        seen = other[name].trajectory
        assert isinstance(seen, Observed)
        times = np.concatenate([np.linspace(0.3, 1.1, 20), np.linspace(1.1, 4.0, 20)])
        for a, b in zip(feed.world[name].trajectory.poses(times), seen.poses(times), strict=True):
            same = np.abs(a - b).max(axis=1)
            if a.shape[1] == 4:
                same = np.minimum(same, np.abs(a + b).max(axis=1))
            assert same.max() < 1e-6
    feet, times = rng.uniform(-2, 2, (300, 3)), rng.uniform(0.3, 2.9, 300)
    shape = Cylinder(0.2, 0.6)
    assert (
        feed.world.overlap(feet, times, shape=shape) == other.overlap(feet, times, shape=shape)
    ).all()


def test_bodies_come_and_go() -> None:
    feed = _feed(2)
    feed.push(0.1, *_frame(feed))
    feed.add(Body(name="late", mesh=box((1, 1, 1))), Pose((0, 5, 1)))
    assert feed.names == ["box 0", "box 1", "late"]
    feed.remove("box 0")
    assert "box 0" not in feed.world
    feed.push(0.2, [[2.0, 0, 1], [0, 5, 1]], [UPRIGHT] * 2)
    feed.push(0.3, [[0, 5.1, 1]], [UPRIGHT], names=["late"])
    np.testing.assert_allclose(feed.world["late"].trajectory.pose(0.3).position, (0, 5.1, 1))


def test_bad_frames_are_errors_that_say_what_is_wrong() -> None:
    feed = _feed(2)
    with pytest.raises(WorldError, match=r"positions \(2, 3\)"):
        feed.push(0.1, np.zeros((3, 3)), np.zeros((3, 4)))
    with pytest.raises(WorldError, match="box 0, box 1"):
        feed.push(0.1, np.zeros((1, 3)), np.zeros((1, 4)), names=["box 7"])
    with pytest.raises(WorldError, match="box 0, box 1"):
        feed.remove("floor")
    with pytest.raises(InputError, match="ahead"):
        Watching(ahead=0.0)
    with pytest.raises(SurefootError, match="sampled"):
        feed.world.save("/dev/null/world.json")


def test_a_known_world_is_shown_frame_by_frame() -> None:
    keys = Keyframed([0.0, 2.0, 4.0], [[0, 0, 0], [2, 0, 0], [0, 0, 0]], repeat="loop")
    known = World(
        [
            Body(name="floor", mesh=slab((9, 9, 0.2))),
            Body(name="cart", mesh=slab((1, 1, 0.2)), trajectory=keys),
        ]
    )
    shown = Played(known, start=-3.0, watching=Watching(ahead=0.5))
    for _ in range(240):
        shown.step(1 / 60)
    np.testing.assert_allclose(
        shown.world["cart"].trajectory.pose(shown.time).position,
        keys.pose(shown.time).position,
        atol=1e-9,
    )
    # It does not know that the cart turns round.
    later = shown.time + 1.9
    assert abs(shown.world["cart"].trajectory.pose(later).position[0]
               - keys.pose(later).position[0]) > 0.3  # fmt: skip
    assert not shown.world["floor"].trajectory.moving
