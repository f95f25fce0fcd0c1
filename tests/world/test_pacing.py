"""A world on a slower clock: where things are then is where they were."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.math import Pose, rotations
from surefoot.world import Attached, Body, Function, Keyframed, Static, Trajectory, World
from surefoot.world.pacing import lived_at
from surefoot.world.primitives import slab

RNG = np.random.default_rng(4)


def cubic() -> Keyframed:
    places, slopes = RNG.normal(size=(4, 3)), RNG.normal(size=(2, 4, 3))
    return Keyframed(
        [0.5, 2.0, 3.0, 6.0], places, interpolation="cubic", tangents=(slopes[0], slopes[1]),
        repeat="loop", span=(0.0, 7.0),
    )  # fmt: skip


def turning() -> Keyframed:
    turns = rotations.from_yaw(np.array([0.0, 1.0, 2.0]))
    return Keyframed(
        [0.0, 5.0], [[0.0, 0.0, 0.0], [3.0, 1.0, 0.0]], turns,
        rotation_times=np.array([0.0, 1.0, 4.0]), repeat="ping-pong",
    )  # fmt: skip


MOTIONS: dict[str, Trajectory] = {
    "rests": Static(Pose.at(1.0, 2.0, 3.0)),
    "loops": cubic(),
    "turns": turning(),
    "attached": Attached(turning(), cubic()),
    "function": Function(lambda t: Pose.at(np.sin(t), 0.0, 0.0), horizon=40.0, max_speed=1.0),
}


@pytest.mark.parametrize("name", MOTIONS)
@pytest.mark.parametrize("pace", [1.0, 0.5, 0.37])
def test_everything_happens_at_a_share_of_its_time(name: str, pace: float) -> None:
    world = World([Body(name="it", mesh=slab((1, 1, 0.1)), trajectory=MOTIONS[name])])
    faster = lived_at(world, pace, until=30.0)
    times = np.linspace(0.0, 29.0, 117)
    here, turned = world["it"].trajectory.poses(times)
    there, turned_there = faster["it"].trajectory.poses(times * pace)
    loose = 1e-4 if name == "function" else 1e-9  # a function has keys 60 times a second
    np.testing.assert_allclose(there, here, atol=loose)
    np.testing.assert_allclose(np.abs((turned * turned_there).sum(axis=1)), 1.0, atol=1e-9)


def test_a_pace_is_a_share() -> None:
    world = World([Body(name="it", mesh=slab((1, 1, 0.1)))])
    with pytest.raises(InputError, match="pace must be at most 1"):
        lived_at(world, 1.5, until=1.0)
