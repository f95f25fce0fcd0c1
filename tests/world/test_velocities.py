"""How fast material points move: of bodies, and of the ground under a foot."""

from __future__ import annotations

import numpy as np
import pytest

from references import motions, random_worlds
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import Attached, Body, Foot, Keyframed, Static, World
from surefoot.world.primitives import ground

STEP = 1e-6


def _moved(world: World, name: str, points: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Velocity of what is at `points` at `times`, by following it a little back and forth."""
    trajectory = world[name].trajectory
    position, turn = motions.poses(trajectory, times)
    local = np.einsum("nji,nj->ni", turn, points - position)
    out = []
    for side in (STEP, -STEP):
        position, turn = motions.poses(trajectory, times + side)
        out.append(np.einsum("nij,nj->ni", turn, local) + position)
    return (out[0] - out[1]) / (2 * STEP)


@pytest.mark.parametrize("kind", random_worlds.MOTIONS)
def test_points_of_bodies(kind: str) -> None:
    rng = np.random.default_rng(0)
    agreeing = total = 0
    for _ in range(40):
        world = random_worlds.world(rng, most=1, kinds=[kind])
        points, times = rng.uniform(-3, 3, (20, 3)), rng.uniform(-2, 9, 20)
        found = world.velocity("body 0", points, times)
        # Right where no key or jump comes within the small step, which is almost everywhere.
        agreeing += int(
            np.isclose(found, _moved(world, "body 0", points, times), atol=1e-3).all(axis=1).sum()
        )
        total += len(times)
    assert agreeing >= total - 3


def test_the_ground_carries_what_stands_on_it() -> None:
    rng = np.random.default_rng(1)
    checked = 0
    for _ in range(60):
        world = random_worlds.world(rng, most=3)
        points, times = rng.uniform(-2, 2, (20, 3)), rng.uniform(-2, 9, 20)
        below = world.support(points, times, up=1, down=4)
        sole = world.support(points, times, up=1, down=4, foot=Foot(0.3, 0.1), heading=times)
        for found in (below, sole):
            for i in np.flatnonzero(found.hit):
                name = world.names[found.body[i]]
                touched = np.append(points[i, :2], found.height[i])
                expected = world.velocity(name, touched, times[i])
                assert np.allclose(found.velocity[i], expected, atol=1e-9)
                checked += 1
            assert np.array_equal(found.velocity[~found.hit], np.zeros(((~found.hit).sum(), 3)))
    assert checked > 300


def test_a_turntable() -> None:
    turn = Keyframed([0, 2], np.zeros((2, 3)), turns.from_yaw([0, 1]), repeat="ping-pong")
    world = World([Body(name="disc", mesh=ground(8, 8), trajectory=turn)])
    at_edge = world.support([3, 0, 1], 1.0)
    assert np.allclose(at_edge.velocity, [0, 1.5, 0])  # 0.5 rad/s, 3 m out
    assert np.allclose(world.support([3, 0, 1], 3.0).velocity, [0, -1.5, 0])


def test_on_a_turntable_on_a_train() -> None:
    train = Keyframed([0, 10], [[0, 0, 0], [20, 0, 0]])
    turn = Keyframed([0, 3], np.zeros((2, 3)), turns.from_yaw([0, 3]))
    world = World(
        [
            Body(
                name="disc",
                mesh=ground(8, 8),
                trajectory=Attached(train, Attached(Static(Pose.at(1, 0, 0)), turn)),
            )
        ]
    )
    assert np.allclose(world.velocity("disc", [5, 2, 0], 2.0), [2 - 2, 0, 0])


def test_what_rests_has_no_velocity() -> None:
    once = Keyframed([0, 1], [[0, 0, 0], [5, 0, 0]])
    world = World([Body(name="box", mesh=ground(2, 2), trajectory=once)])
    assert np.allclose(
        world.velocity("box", [5, 0, 0], [-1.0, 0.5, 1.0, 2.0]),
        [[0] * 3, [5, 0, 0], [0] * 3, [0] * 3],
    )
