"""Trajectories against an independent evaluation, and what they promise about themselves."""

from __future__ import annotations

import numpy as np
import pytest

from references import motions, random_worlds
from surefoot.arrays import Floats
from surefoot.errors import TrajectoryError
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import (
    Attached,
    Function,
    Keyframed,
    Observed,
    Static,
    Trajectory,
    along,
)

KINDS = list(random_worlds.MOTIONS)
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))]


def _matrices(trajectory: Trajectory, times: Floats) -> tuple[Floats, Floats]:
    positions, rotations = trajectory.poses(times)
    assert np.allclose(np.linalg.norm(rotations, axis=1), 1, atol=1e-12)
    return positions, motions.matrices(rotations)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_poses(kind: str, seed: int) -> None:
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    for number in range(120):
        trajectory = random_worlds.motion(rng, [kind])
        times = random_worlds.moments(rng, 40)
        positions, turned = motions.poses(trajectory, times)
        got, got_turned = _matrices(trajectory, times)
        off = np.abs(got - positions).max(axis=1) + np.abs(got_turned - turned).max(axis=(1, 2))
        wrong = off > 1e-9
        assert not wrong.any(), f"motion {number} of seed {seed} at {times[wrong]}"


@pytest.mark.parametrize("first", [-0.75, 0.0, 0.1, 3.0])
@pytest.mark.parametrize("gaps", [(0.125, 1.25), (1.0, 1.0), (0.3, 0.7, 0.1)])
def test_steps_back_and_forth_show_each_key_once_a_way(first: float, gaps: tuple[float]) -> None:
    # On the way back a key's moment is over when it comes; the last key is never shown.
    keys = first + np.concatenate([[0.0], np.cumsum(gaps)])
    places = np.arange(len(keys))[:, None] * np.array([[1.0, 0, 0]])
    trajectory = Keyframed(keys, places, interpolation="step", repeat="ping-pong")
    middle = (keys[1:] + keys[:-1]) / 2
    for t, expected in zip(2 * keys[-1] - keys[1:], np.arange(len(gaps)), strict=True):
        after = trajectory.pose(float(np.nextafter(t, np.inf)) + 1e-9).position[0]
        assert after == expected
        around = {trajectory.pose(float(t) + d).position[0] for d in (-1e-9, 0.0, 1e-9)}
        before = trajectory.pose(float(t) - 1e-9).position[0]
        assert around <= {before, after}, f"at {t!r} s another pose shows: {around}"
    assert [trajectory.pose(float(t)).position[0] for t in middle] == list(range(len(gaps)))


def _jump_free(trajectory: Trajectory, start: float, end: float) -> bool:
    """Whether the pose is continuous between two times, from what the fields say."""
    if isinstance(trajectory, Attached):
        return _jump_free(trajectory.parent, start, end) and _jump_free(
            trajectory.child, start, end
        )
    if isinstance(trajectory, Observed):
        borders = (trajectory.now, trajectory.horizon)
        if any(start <= border <= end for border in borders):
            return False
        if end < trajectory.now:
            return _jump_free(trajectory.seen, start, end)
        return trajectory.future is None or _jump_free(trajectory.future, start, end)
    if isinstance(trajectory, Keyframed):
        steps = "step" in (trajectory.interpolation, trajectory.turn_interpolation)
        if trajectory.repeat == "once" and not steps:
            return True
        borders = [trajectory.start, trajectory.end]
        if steps:
            borders += trajectory.times.tolist()
            if trajectory.rotation_times is not None:
                borders += trajectory.rotation_times.tolist()
        span = trajectory.end - trajectory.start
        if trajectory.repeat != "once" and span > 0:
            rounds = np.arange(-40, 80)
            borders = np.concatenate(
                [
                    trajectory.start + rounds * span,
                    *(border + 2 * rounds * span for border in borders),
                    *(2 * trajectory.end - border + 2 * rounds * span for border in borders),
                    *(border + rounds * span for border in borders),
                ]
            ).tolist()
        return not any(start <= border <= end for border in borders)
    return True


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_travel_bounds_every_motion(kind: str, seed: int) -> None:
    rng = np.random.default_rng([seed, KINDS.index(kind), 7])
    checked = 0
    for number in range(150):
        trajectory = random_worlds.motion(rng, [kind])
        start = float(random_worlds.moments(rng, 1)[0])
        end = start + float(10.0 ** rng.uniform(-4, 0.7))
        if not _jump_free(trajectory, start, end):
            continue
        checked += 1
        told = f"motion {number} of seed {seed} from {start!r} to {end!r}"
        x, y, z, turn, tilt = trajectory.native.travel(start, end)
        times = np.linspace(start, end, 65)
        positions, turned = motions.poses(trajectory, times)
        # Between any two moments of the span, not only from its start.
        for i in (0, 17, 40):
            moved = np.abs(positions - positions[i])
            assert (moved <= np.array([x, y, z]) + 1e-9).all(), told
            relative = turned @ turned[i].T
            cosine = (np.trace(relative, axis1=1, axis2=2) - 1) / 2
            angle = np.arctan2(_sine(relative), cosine)
            assert (angle <= turn + 1e-7).all(), told
            # What stood upright leans by no more than the tilt.
            leaning = np.arccos(np.clip(relative[:, 2, 2], -1, 1))
            assert (leaning <= tilt + 1e-7).all(), told
    assert checked >= 20


def _sine(matrices: Floats) -> Floats:
    skew = matrices - np.swapaxes(matrices, 1, 2)
    return np.sqrt(skew[:, 0, 1] ** 2 + skew[:, 0, 2] ** 2 + skew[:, 1, 2] ** 2) / 2


def test_travel_far_from_time_zero() -> None:
    loop = Keyframed(
        [0, 0.01, 0.02], [[0, 0, 0], [1, 0, 0], [0, 0, 0]], turns.from_yaw([0, 1, 0]), repeat="loop"
    )
    for start in (0.0, 1e3, 1e6):
        for length in (1e-6, 1e-4, 4e-3):
            x, _, _, turn, _ = loop.native.travel(start, start + length)
            speed, rate = 100.0, 100.0
            actual = (start + length) - start
            assert x >= speed * actual * (1 - 1e-9) - 1e-9
            assert turn >= rate * actual * (1 - 1e-9) - 1e-9
            assert x <= speed * actual + 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_velocities_are_differences(kind: str) -> None:
    rng = np.random.default_rng([KINDS.index(kind), 11])
    step = 1e-6
    checked = 0
    for number in range(100):
        trajectory = random_worlds.motion(rng, [kind])
        times = rng.uniform(-3, 12, 12)
        smooth = [_smooth(trajectory, t - 3 * step, t + 3 * step) for t in times]
        times = times[smooth]
        if len(times) == 0:
            continue
        checked += len(times)
        linear, angular = trajectory.velocity(times)
        before, turned_before = motions.poses(trajectory, times - step)
        after, turned_after = motions.poses(trajectory, times + step)
        assert np.allclose(linear, (after - before) / (2 * step), atol=1e-4), number
        spin = (turned_after - turned_before) / (2 * step)
        # R' R^T is the cross-product matrix of the angular velocity.
        _, turned = motions.poses(trajectory, times)
        skew = spin @ np.swapaxes(turned, 1, 2)
        rate = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)
        assert np.allclose(angular, rate, atol=1e-4), number
    assert checked > 200


def _smooth(trajectory: Trajectory, start: float, end: float) -> bool:
    """Whether no key, border or end of a span lies between two times."""
    if isinstance(trajectory, Attached):
        return _smooth(trajectory.parent, start, end) and _smooth(trajectory.child, start, end)
    if isinstance(trajectory, Observed):
        if not _jump_free(trajectory, start, end):
            return False
        inner = trajectory.seen if end < trajectory.now else trajectory.future
        return inner is None or start > trajectory.horizon or _smooth(inner, start, end)
    if isinstance(trajectory, Function):
        return not any(start <= t <= end for t in (trajectory.start, trajectory.horizon))
    if isinstance(trajectory, Keyframed):
        if trajectory.repeat == "once" and (end < trajectory.start or start > trajectory.end):
            return True
        times, _ = motions.fold(trajectory, np.array([start, end]))
        low, high = times.min(), times.max()
        keys = [*trajectory.times, trajectory.start, trajectory.end]
        if trajectory.rotation_times is not None:
            keys += list(trajectory.rotation_times)
        return high - low < 1e-3 and not any(low - 1e-9 <= key <= high + 1e-9 for key in keys)
    return True


def test_a_body_at_rest_does_not_move() -> None:
    assert not Static(Pose.at(1, 2, 3)).moving
    assert not Keyframed([0, 1], [[1, 2, 3]] * 2).moving
    assert not Keyframed([0.0], [[1, 2, 3]], repeat="loop").moving
    assert Keyframed([0, 1], [[1, 2, 3], [1, 2, 4]]).moving
    assert Keyframed([0, 1], [[1, 2, 3]] * 2, turns.from_yaw([0, 1])).moving


def test_along_passes_its_points_at_its_speed() -> None:
    rng = np.random.default_rng(3)
    for closed in (False, True):
        for _ in range(20):
            corners = np.cumsum(rng.uniform(0.5, 2, (5, 3)) * rng.choice([-1, 1], (5, 3)), axis=0)
            speed = float(rng.uniform(0.5, 3))
            path = along(corners, speed, closed=closed, repeat="loop" if closed else "once")
            times = np.linspace(path.start, path.end, 4001)
            positions, rotations = path.poses(times)
            gaps = np.linalg.norm(positions[:, None] - corners, axis=-1).min(axis=0)
            assert (gaps < 0.12).all()
            steps = np.linalg.norm(np.diff(positions, axis=0), axis=1) / np.diff(times)
            assert np.median(steps) == pytest.approx(speed, rel=0.03)
            assert np.allclose(rotations[:, 1:3], 0)
            if closed:
                assert np.allclose(positions[0], positions[-1])


def test_horizons_and_confidence() -> None:
    swing = Function(lambda t: Pose.at(0.5 * t), horizon=4.0, max_speed=1.0, start=1.0)
    assert swing.horizon == 4.0
    assert (swing.confidence(4.0), swing.confidence(4.1)) == (1.0, 0.0)
    seen = Observed.first(0.0, Pose(), ahead=2.0, trust=0.5)
    both = Attached(swing, seen)
    assert both.horizon == 2.0
    assert both.confidence(2.0) == pytest.approx(0.5)
    assert Static().horizon == np.inf
    # Outside its bounds a function is not asked, and the body rests.
    assert np.allclose(swing.pose(-3.0).position, swing.pose(1.0).position)
    assert np.allclose(swing.pose(9.0).position, swing.pose(4.0).position)


def test_sampled_keys_follow_the_motion() -> None:
    swing = Function(
        lambda t: Pose.at(np.sin(t), 0, 0, yaw=t), horizon=6, max_speed=1, max_turn_rate=1
    )
    keys = swing.sampled(0, 6, rate=200)
    times = np.linspace(0, 6, 501)
    assert np.allclose(keys.poses(times)[0], swing.poses(times)[0], atol=1e-4)
    with pytest.raises(ValueError, match="end must be greater than 2"):
        swing.sampled(2, 1)


def test_equal_motions_are_equal_and_hash_alike() -> None:
    rng = np.random.default_rng(8)
    for kind in KINDS:
        first = random_worlds.motion(np.random.default_rng(5), [kind])
        again = random_worlds.motion(np.random.default_rng(5), [kind])
        other = random_worlds.motion(rng, [kind])
        assert first == again
        assert hash(first) == hash(again)
        assert first != other or kind == "function"
    assert Static() != 3


def test_a_function_that_breaks_its_turn_rate_is_told() -> None:
    with pytest.raises(TrajectoryError, match=r"turns .* max_turn_rate is 1 rad/s"):
        Function(lambda t: Pose.at(yaw=2 * t), horizon=3, max_speed=1, max_turn_rate=1)
