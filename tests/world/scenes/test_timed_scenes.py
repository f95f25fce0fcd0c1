"""Scenes to be crossed in time: the highway, and the levels of the platform game."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from surefoot.character import people
from surefoot.planning import Goal, Problem
from surefoot.planning.grid import Grid
from surefoot.world import Cylinder, scenes

ADULT = people.adult()
TIMES = np.arange(0.0, 60.0, 0.1)
LEVELS = tuple(f"platform game {k}" for k in (1, 2, 3))


@pytest.mark.parametrize("name", scenes.names())
def test_one_can_stand_at_start_and_goal(name: str) -> None:
    scene, walk = scenes.load(name), ADULT.capability("walk")
    shape = Cylinder(walk.radius, walk.height, walk.step_height)
    for place in (scene.start, scene.goal):
        points = np.tile(scene.world.position(place, 0.0), (len(TIMES), 1))
        assert not scene.world.overlap(points, TIMES, shape=shape).any()
        assert not scene.world[place.body].has("forbidden")


@pytest.mark.parametrize("name", ["highway", *LEVELS])
def test_nothing_that_moves_meets_another(name: str) -> None:
    """Boxes about what moves apart; parts of one vehicle move together."""
    bodies = [body for body in scenes.load(name).world if body.trajectory.moving]
    boxes = []
    for body in bodies:
        spots, turns = body.trajectory.poses(TIMES)
        corners = body.mesh.bounds.copy()
        if abs(turns[0, 0]) < 0.5:  # turned round
            corners[:, :2] = -corners[::-1, :2]
        boxes.append(spots[:, None] + corners)
    for i, j in combinations(range(len(bodies)), 2):
        if np.ptp(boxes[i] - boxes[j], axis=0).max() < 1e-9:
            continue
        if bodies[i].name.split()[:2] == bodies[j].name.split()[:2]:
            continue
        a, b = boxes[i], boxes[j]
        apart = (a[:, 1] < b[:, 0]) | (b[:, 1] < a[:, 0])
        assert apart.any(axis=1).all(), (bodies[i].name, bodies[j].name)


def test_the_highway_has_roads_traffic_and_a_way_above() -> None:
    scene = scenes.load("highway")
    moving = [body for body in scene.world if body.trajectory.moving]
    assert len(moving) >= 50
    ways = {np.sign(round(float(b.trajectory.velocity(1.0)[0][0]), 3)) for b in moving}
    assert {-1.0, 1.0} <= ways
    assert sum(body.has("road") for body in scene.world) >= 2
    # Over the first carriageway one walks, without a step on the road.
    problem = Problem(
        world=scene.world.at(0.0), character=ADULT, start=scene.start,
        goal=Goal(scene.place("bridge")),
    )  # fmt: skip
    assert Grid().plan(problem)
    carrier = scene.world["carrier"].trajectory.poses(TIMES)[0]
    assert np.ptp(carrier[:, 1]) > 8.0


@pytest.mark.parametrize("name", LEVELS)
def test_islands_are_joined_by_nothing_at_rest(name: str) -> None:
    scene = scenes.load(name)
    world = scene.world.at(0.0)
    for body in list(world):
        if body.name.startswith("platform"):
            world.remove(body.name)
    problem = Problem(world=world, character=ADULT, start=scene.start, goal=Goal(scene.goal))
    assert not Grid().plan(problem)
