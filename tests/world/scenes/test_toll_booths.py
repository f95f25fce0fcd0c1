"""The toll booths of levine2011, section 7.1: lanes to cross, and a dock that trucks lead to."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from surefoot.character import people
from surefoot.planning import Goal, Problem
from surefoot.planning.grid import Grid
from surefoot.world import Cylinder, scenes
from surefoot.world.scenes.toll_booth import BARRIER_X, LANES

ADULT = people.adult()
NAMES = ("toll booth 1", "toll booth 2")
TIMES = np.arange(0.0, 60.0, 0.1)


@pytest.fixture(scope="module", params=NAMES)
def scene(request: pytest.FixtureRequest) -> scenes.Scene:
    return scenes.load(request.param)


def extents(scene: scenes.Scene, lane: int) -> dict[str, np.ndarray]:
    """Of each vehicle of a lane, where it begins and ends along x at `TIMES`: `(n, 2)` [m]."""
    found: dict[str, np.ndarray] = {}
    for body in scene.world:
        first = body.name.split(" ")
        mine = body.name.startswith(f"car {lane}.") or (first[0] == "truck" and lane == len(LANES))
        if not mine:
            continue
        xs = body.trajectory.poses(TIMES)[0][:, :1] + body.mesh.bounds[:, 0]
        title = " ".join(first[:2])
        before = found.get(title, xs)
        found[title] = np.stack(
            [np.minimum(xs, before)[:, 0], np.maximum(xs, before)[:, 1]], axis=1
        )
    return found


@pytest.mark.parametrize("lane", range(1, len(LANES) + 1))
def test_nobody_drives_into_the_next_or_the_barrier(scene: scenes.Scene, lane: int) -> None:
    vehicles = sorted(extents(scene, lane).values(), key=lambda xs: -xs[0, 0])
    assert len(vehicles) >= 4
    for ahead, behind in pairwise(vehicles):
        assert (ahead[:, 0] - behind[:, 1]).min() > 1.0
    arm = scene.world[f"barrier {lane}"]
    tips = arm.trajectory.poses(TIMES)[1]
    raised = 2 * np.arctan2(tips[:, 1], tips[:, 0])
    down = raised < np.radians(60)
    assert down.any()
    assert not down.all()
    for xs in vehicles:
        under = (xs[:, 0] < BARRIER_X + 0.1) & (xs[:, 1] > BARRIER_X - 0.1)
        assert not (under & down).any()


def test_cars_stop_and_trucks_can_be_ridden(scene: scenes.Scene) -> None:
    moving = [body for body in scene.world if body.trajectory.moving]
    assert len(moving) >= 50
    beds = [body for body in moving if not body.has("forbidden")]
    assert beds
    assert all(body.name.endswith("bed") for body in beds)
    speeds = np.abs(np.stack([body.trajectory.velocity(TIMES)[0][:, 0] for body in beds]))
    assert speeds.max() < 2.0


def test_the_dock_is_out_of_reach_on_foot(scene: scenes.Scene) -> None:
    """Where no truck is, no way leads to it, also not by jumping."""
    world = scene.world.at(0.0)
    for body in list(world):
        if body.name.startswith("truck"):
            world.remove(body.name)
    problem = Problem(world=world, character=ADULT, start=scene.start, goal=Goal(scene.goal))
    plan = Grid().plan(problem)
    assert not plan
    stage = world.place((-6.0, 20.4, 1.5))
    assert stage.body == "stage"
    over = Problem(world=world, character=ADULT, start=scene.start, goal=Goal(stage))
    assert Grid().plan(over)


def test_one_can_stand_at_start_and_goal(scene: scenes.Scene) -> None:
    walk = ADULT.capability("walk")
    shape = Cylinder(walk.radius, walk.height, walk.step_height)
    for place in (scene.start, scene.goal):
        points = np.tile(scene.world.position(place, 0.0), (len(TIMES), 1))
        assert not scene.world.overlap(points, TIMES, shape=shape).any()
