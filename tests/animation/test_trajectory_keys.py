"""Keys of a file give the motion that the trajectory has."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.trajectory_keys import SEAM, Keys, trajectory_keys
from surefoot.math import Pose
from surefoot.world import Attached, Function, Keyframed, Static, Trajectory, along
from surefoot.world.keyframes import Repeat

TURNS = np.array([[1.0, 0, 0, 0], [0.6, 0.0, 0.0, 0.8], [0.0, 0.6, 0.0, 0.8], [0.8, 0.0, 0.6, 0.0]])
POINTS = np.array([[0.0, 0, 0], [1, 2, 0.5], [3, 1, -0.5], [0.4, 0.2, 0.1]])
TIMES = np.array([0.3, 0.9, 2.0, 2.7])


def _again(keys: tuple[Keys, Keys]) -> Keyframed:
    """The motion of the keys alone: once, at rest before and after."""
    moved, turned = keys
    return Keyframed(
        moved.times,
        moved.values,
        turned.values,
        interpolation=moved.interpolation,
        tangents=moved.tangents,
        rotation_times=turned.times,
        rotation_interpolation=turned.interpolation,
        rotation_tangents=turned.tangents,
    )


def _same(trajectory: Trajectory, start: float, end: float, tolerance: float = 1e-9) -> None:
    again = _again(trajectory_keys(trajectory, start, end, 60.0))
    times = np.linspace(start, end, 700)[:-1]
    expected, turns = trajectory.poses(times)
    found, found_turns = again.poses(times)
    # A jump takes a moment in a file.
    near = np.abs(times[:, None] - again.times[None]).min(axis=1) > 2 * SEAM
    assert np.abs(expected - found)[near].max() < tolerance
    aligned = np.abs((turns * found_turns).sum(axis=-1))
    assert np.abs(aligned - 1)[near].max() < tolerance
    assert again.times.min() >= start - 1e-12
    assert again.times.max() <= end + 1e-12


@pytest.mark.parametrize("repeat", ["once", "loop", "ping-pong"])
@pytest.mark.parametrize("interpolation", ["linear", "step"])
@pytest.mark.parametrize("window", [(0.0, 3.0), (1.1, 9.7), (-3.0, 0.2), (4.0, 4.4)])
def test_keyed_motions_are_exact(
    interpolation: str, repeat: Repeat, window: tuple[float, float]
) -> None:
    motion = Keyframed(TIMES, POINTS, TURNS, interpolation=interpolation, repeat=repeat)  # type: ignore[arg-type]
    _same(motion, *window)


@pytest.mark.parametrize("repeat", ["once", "loop", "ping-pong"])
@pytest.mark.parametrize("window", [(0.0, 3.0), (1.1, 9.7)])
def test_splines_are_exact(repeat: Repeat, window: tuple[float, float]) -> None:
    slopes = np.array([[0.5, 0, 1], [1, -1, 0], [0, 0.3, 0.2], [-1, 0, 0.5]])
    motion = Keyframed(
        TIMES, POINTS, interpolation="cubic", tangents=(slopes, 0.5 * slopes), repeat=repeat
    )
    _same(motion, *window)
    _same(along(POINTS, 1.3, repeat=repeat), *window)


@pytest.mark.parametrize("repeat", ["once", "loop", "ping-pong"])
def test_a_span_longer_than_its_keys_rests_in_between(repeat: Repeat) -> None:
    motion = Keyframed(
        [0.0], [[1.0, 2.0, 3.0]], TURNS[:3], rotation_times=[0.5, 1.0, 2.0], span=(0.0, 3.0),
        repeat=repeat,
    )  # fmt: skip
    _same(motion, 0.0, 11.0)
    moved, turned = trajectory_keys(motion, 0.0, 11.0, 30.0)
    assert len(moved.times) == 1
    assert len(turned.times) < 30


def test_keys_of_a_keyed_motion_are_its_own() -> None:
    motion = Keyframed(TIMES, POINTS)
    moved, turned = trajectory_keys(motion, 0.0, 3.0, 30.0)
    assert np.array_equal(moved.times, TIMES)
    assert np.array_equal(moved.values, POINTS)
    assert len(turned.times) == 1


def test_other_motions_are_sampled() -> None:
    swing = Function(
        lambda t: Pose.at(np.sin(t), 0.0, 0.0, 0.5 * t), horizon=50.0, max_speed=2.0,
        max_turn_rate=1.0,
    )  # fmt: skip
    _same(swing, 1.0, 4.0, 1e-4)
    _same(Attached(swing, Static(Pose.at(1.0, 2.0))), 1.0, 4.0, 2e-4)
    slopes = np.zeros((4, 4))
    turned = Keyframed(
        TIMES, POINTS, TURNS, rotation_interpolation="cubic", rotation_tangents=(slopes, slopes)
    )
    _same(turned, 0.0, 3.0)
    _same(turned, 1.0, 2.0, 2e-4)


@pytest.mark.parametrize("repeat", ["once", "loop", "ping-pong"])
@pytest.mark.parametrize("first", [0.0, 1 / 24, 3600.0])
@pytest.mark.parametrize("rate", [24.0, 25.0, 29.97, 30.0, 60.0])
def test_keys_of_frames_are_exact_and_none_comes_twice(
    rate: float, first: float, repeat: Repeat
) -> None:
    points = np.random.default_rng(4).normal(size=(9, 3))
    points[-1] = points[0]
    motion = Keyframed(first + np.arange(9) / rate, points, repeat=repeat)
    # The animation starts and ends on frames, as one does that was made from frames.
    for window in ((first, first + 100 / rate), (first + 12 / rate, first + 3.0)):
        _same(motion, *window, tolerance=1e-7)
        moved, _ = trajectory_keys(motion, *window, 60.0)
        assert np.diff(moved.times).min(initial=1.0) > 0.9 / rate
