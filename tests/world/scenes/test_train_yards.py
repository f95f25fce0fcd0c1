"""The train yards of levine2011, section 7.1: no snapshot joins start and goal."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from surefoot.character import people
from surefoot.planning import Goal, Problem
from surefoot.planning.grid import Grid
from surefoot.world import Cylinder, World, scenes

ADULT = people.adult()
NAMES = ("train yard 1", "train yard 2")


def standable(world: World) -> dict[str, np.ndarray]:
    """Low and high corners (2, 2) across the ground, in their frames, of what one may stand on."""
    return {
        body.name: body.mesh.bounds[:, :2]
        for body in world
        if not body.has("forbidden")
    }  # fmt: skip


def joined(world: World, t: float, first: str, last: str, reach: float) -> bool:
    """Whether jumps of at most `reach`, however high, lead from one body to another at `t`.

    Rectangles about the bodies stand for them, and those that nearly touch are joined, so what is
    not joined here is not joined at all.
    """
    flat = standable(world)
    names = list(flat)
    boxes = np.array([
        flat[name] + world[name].trajectory.pose(t).position[:2] for name in names
    ])  # fmt: skip
    gaps = np.maximum(boxes[:, None, 0] - boxes[None, :, 1], boxes[None, :, 0] - boxes[:, None, 1])
    near = np.linalg.norm(np.maximum(gaps, 0.0), axis=-1) <= reach
    reached = np.zeros(len(names), dtype=bool)
    reached[names.index(first)] = True
    while True:
        more = near[reached].any(axis=0)
        if (more == reached).all():
            return bool(reached[names.index(last)])
        reached = more


@pytest.fixture(scope="module", params=NAMES)
def scene(request: pytest.FixtureRequest) -> scenes.Scene:
    return scenes.load(request.param)


def test_no_moment_joins_the_platforms(scene: scenes.Scene) -> None:
    """At 0.05 s, with the longest jump that the body can make at all, and any height."""
    reach = ADULT.capability("jump").max_jump_length
    assert scene.start.body == "south platform"
    assert scene.goal.body == "north platform"
    for t in np.arange(0.0, scene.horizon, 0.05):
        assert not joined(scene.world, t, "south platform", "north platform", reach), t


def test_every_two_neighbours_meet_at_some_time(scene: scenes.Scene) -> None:
    """The chain exists in time: a platform, a train on each track, the other platform."""
    world, reach = scene.world, 0.5
    chain = ["south platform", "train 1 car 3", "train 3 car 2", "train 7 car 1",
             "train 10 car 2", "north platform"]  # fmt: skip
    flat = standable(world)
    times = np.arange(0.0, 25.0, 0.05)
    met: list[float] = []
    for one, other in pairwise(chain):
        a, b = (
            flat[name] + world[name].trajectory.poses(times)[0][:, None, :2]
            for name in (one, other)
        )
        gap = np.maximum(a[:, 0] - b[:, 1], b[:, 0] - a[:, 1])
        near = np.linalg.norm(np.maximum(gap, 0.0), axis=1) <= reach
        after = times[near & (times >= (met[-1] if met else 0.0))]
        assert len(after), (one, other)
        met.append(float(after[0]))


@pytest.mark.parametrize("t", [0.0, 9.0, 21.0])
def test_the_grid_planner_finds_no_way_in_a_snapshot(scene: scenes.Scene, t: float) -> None:
    world = scene.world.at(t)
    problem = Problem(world=world, character=ADULT, start=scene.start, goal=Goal(scene.goal))
    plan = Grid().plan(problem)
    assert not plan
    assert plan.status.outcome == "unreachable"


def test_it_is_a_yard(scene: scenes.Scene) -> None:
    moving = [body for body in scene.world if body.trajectory.moving]
    assert len(moving) >= 40
    decks = [body for body in moving if not body.has("forbidden")]
    poses = [body.trajectory.pose(0.0).position for body in decks]
    assert len({round(float(y), 3) for _, y, _ in poses}) >= 4  # tracks
    speeds = {round(float(body.trajectory.velocity(1.0)[0][0]), 3) for body in decks}
    assert len(speeds) >= 3
    assert len({round(float(body.mesh.bounds[1, 2]), 3) for body in decks}) >= 4  # heights


def test_one_can_stand_at_start_and_goal(scene: scenes.Scene) -> None:
    walk = ADULT.capability("walk")
    shape = Cylinder(walk.radius, walk.height, walk.step_height)
    for place in (scene.start, scene.goal):
        points = np.tile(scene.world.position(place, 0.0), (600, 1))
        times = np.linspace(0.0, scene.horizon, 600)
        assert not scene.world.overlap(points, times, shape=shape).any()


def test_the_yards_differ_in_timing_only() -> None:
    first, second = (scenes.load(name).world for name in NAMES)
    assert list(first.names) == list(second.names)
    moved = 0
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one.mesh.vertices, other.mesh.vertices)
        moved += one.trajectory != other.trajectory
    assert moved
