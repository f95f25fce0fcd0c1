from __future__ import annotations

import numpy as np
import pytest

from surefoot.math import Pose, rotations
from surefoot.planning import frames
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import box


@pytest.fixture
def turning() -> World:
    """A cart that moves along x and turns by a radian a second."""
    times = np.linspace(0.0, 10.0, 101)
    positions = np.stack([2.0 * times, 0 * times, 0 * times], axis=1)
    trajectory = Keyframed(times, positions, rotations.from_yaw(times))
    return World([Body(name="cart", mesh=box((1, 1, 1)), trajectory=trajectory)])


def test_positions_go_there_and_back(turning: World) -> None:
    rng = np.random.default_rng(3)
    local, times = rng.normal(size=(50, 3)), rng.uniform(0, 10, 50)
    there = frames.to_world(turning, "cart", local, times)
    for place, point, t in zip(local, there, times, strict=True):
        expected = turning["cart"].trajectory.pose(t).apply(place)
        np.testing.assert_allclose(point, expected, atol=1e-12)
    np.testing.assert_allclose(frames.to_frame(turning, "cart", there, times), local, atol=1e-12)


def test_headings_turn_with_the_frame(turning: World) -> None:
    times = np.array([0.0, 1.0, 2.0])
    world = frames.headings_to_world(turning, "cart", np.full(3, 0.5), times)
    np.testing.assert_allclose(world, [0.5, 1.5, 2.5], atol=1e-9)
    np.testing.assert_allclose(
        frames.headings_to_frame(turning, "cart", world, times), 0.5, atol=1e-9
    )


def test_the_worlds_own_frame_changes_nothing(turning: World) -> None:
    points, times = np.array([[1.0, 2.0, 3.0]]), np.array([4.0])
    assert np.array_equal(frames.to_world(turning, None, points, times), points)
    assert np.array_equal(frames.to_frame(turning, None, points, times), points)
    assert np.array_equal(frames.headings_to_world(turning, None, np.ones(1), times), [1.0])
    assert not frames.carries(turning, None)
    assert frames.carries(turning, "cart")


def test_frame_velocity_is_that_of_the_carried_point(turning: World) -> None:
    points, times = np.array([[6.05, 1.0, 0.0]]), np.array([3.05])
    found = frames.frame_velocities(turning, "cart", points, times)
    origin = turning["cart"].trajectory.pose(3.05).position
    expected = np.array([2.0, 0, 0]) + np.cross([0, 0, 1.0], points[0] - origin)
    np.testing.assert_allclose(found[0], expected, atol=1e-3)
    assert not frames.frame_velocities(turning, None, points, times).any()


@pytest.mark.parametrize(
    ("first", "second", "turn"),
    [(0.0, 1.0, 1.0), (3.1, -3.1, 2 * np.pi - 6.2), (-3.1, 3.1, 6.2 - 2 * np.pi), (0.5, 0.5, 0.0)],
)
def test_turns_take_the_shorter_way(first: float, second: float, turn: float) -> None:
    assert float(frames.turn_between(first, second)) == pytest.approx(turn)


def test_tilted_frames_keep_headings_meaningful() -> None:
    tilt = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.3)
    ramp = Body(name="ramp", mesh=box((1, 1, 1)), trajectory=Keyframed([0.0], [[0, 0, 0]], [tilt]))
    world = World([ramp])
    # Tilted about x, forward along x stays forward.
    assert float(frames.headings_to_world(world, "ramp", np.zeros(1), np.zeros(1))[0]) == 0.0
    assert Pose(np.zeros(3), tilt).apply([0, 1, 0])[2] > 0
