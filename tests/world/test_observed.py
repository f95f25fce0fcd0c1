"""Live bodies: what was seen, what is guessed, and how far the guess can be trusted."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import TrajectoryError
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import Body, Keyframed, Observed, World
from surefoot.world.primitives import box


def test_the_guess_goes_on_as_last_seen_then_rests() -> None:
    seen = Observed.first(0.0, Pose.at(1, 2, 3), ahead=2.0)
    seen = seen.then(1.0, Pose.at(2, 2, 3, yaw=0.5))
    assert np.allclose(seen.pose(0.5).position, [1.5, 2, 3])
    assert np.allclose(seen.pose(2.0).position, [3, 2, 3])
    assert turns.yaw(seen.pose(2.0).rotation) == pytest.approx(1.0)
    assert np.allclose(seen.pose(3.0).position, [4, 2, 3])
    assert np.allclose(seen.pose(9.0).position, [4, 2, 3])  # beyond the horizon
    linear, angular = seen.velocity([0.5, 2.0, 9.0])
    assert np.allclose(linear, [[1, 0, 0], [1, 0, 0], [0, 0, 0]])
    assert np.allclose(angular, [[0, 0, 0.5], [0, 0, 0.5], [0, 0, 0]])


def test_confidence_falls_evenly_to_the_horizon() -> None:
    seen = Observed.first(1.0, Pose(), ahead=2.0, trust=0.2)
    assert [seen.confidence(t) for t in (0.0, 1.0, 2.0, 3.0, 3.1)] == pytest.approx(
        [1.0, 1.0, 0.6, 0.2, 0.0]
    )
    assert seen.horizon == 3.0


def test_a_first_sighting_can_come_with_velocities() -> None:
    world = World([Body(name="ball", mesh=box((1, 1, 1)))])
    world.observe("ball", 1.0, Pose(), velocity=[1, 0, 0], turn_rate=[0, 0, 2])
    assert np.allclose(world["ball"].trajectory.pose(2.0).position, [1, 0, 0])
    assert np.allclose(world.velocity("ball", [0, 0, 0], 1.5), [1, -1, 0])


def test_a_first_sighting_can_come_with_a_future() -> None:
    world = World([Body(name="ball", mesh=box((1, 1, 1)))])
    future = Keyframed([0, 10], [[0, 0, 0], [0, 10, 0]])
    world.observe("ball", 0.0, Pose(), future=future)
    assert np.allclose(world["ball"].trajectory.pose(2.0).position, [0, 2, 0])


def test_sightings_without_rotations_can_go_on() -> None:
    seen = Keyframed([0.0, 1.0], [[0, 0, 0], [1, 0, 0]])
    observed = Observed(seen, linear=np.array([1.0, 0, 0]), angular=np.zeros(3))
    again = observed.then(2.0, Pose.at(2, 0, 0))
    assert np.allclose(again.pose(2.5).position, [2.5, 0, 0])


def test_only_the_latest_keys_are_kept() -> None:
    seen = Observed.first(0.0, Pose())
    for i in range(1, Observed.KEPT + 50):
        seen = seen.then(float(i), Pose.at(i, 0, 0))
    assert len(seen.seen.times) == Observed.KEPT
    assert seen.now == Observed.KEPT + 49


def test_sightings_come_in_order() -> None:
    seen = Observed.first(3.0, Pose())
    with pytest.raises(TrajectoryError, match="time of sighting must be greater than 3"):
        seen.then(3.0, Pose())


def test_what_was_seen_must_be_keys() -> None:
    with pytest.raises(TrajectoryError, match="seen"):
        Observed(3, linear=np.zeros(3), angular=np.zeros(3))  # pyright: ignore
