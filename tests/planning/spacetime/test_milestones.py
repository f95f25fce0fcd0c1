"""Large worlds: one plan after the other, to milestones of the grid planner."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.planning import Goal, Plan, Problem
from surefoot.planning.runs import rollouts
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.planning.spacetime.landmarks import landmarks_in, landmarks_of
from surefoot.planning.spacetime.milestones import milestones
from surefoot.planning.spacetime.search import least_able
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import box, slab

LONG = 60.0


def street() -> World:
    """Houses that narrow a street from either side in turn, and a cart to and fro before each."""
    bodies: list[Body] = []
    for k in range(int(LONG // 10)):
        x, side = 10.0 * k, -4.0 if k % 2 else 4.0
        ways = np.array([[x + 3.0, y, 0.0] for y in (-6.0, 6.0, -6.0)])
        crosses = Keyframed(np.array([0.0, 4.0, 8.0]) + k % 3, ways, repeat="loop")
        bodies += [
            Body(name=f"paving {k}", mesh=slab((10.0, 14.0, 0.4), (x + 5.0, 0.0, 0.0))),
            Body(name=f"house {k}", mesh=slab((4.0, 6.0, 3.0), (x + 8.0, side, 3.0)),
                 tags={"forbidden": True}),
            Body(name=f"cart {k}", mesh=box((1.4, 2.0, 1.4), (0.0, 0.0, 0.75)),
                 trajectory=crosses, tags={"forbidden": True}),
        ]  # fmt: skip
    return World(bodies, name="street")


@pytest.fixture(scope="module")
def problem(adult: Character) -> Problem:
    world = street()
    return Problem(
        world=world, character=adult, start=world.place((1.0, 0.0, 0.2)), horizon=150.0,
        goal=Goal(world.place((LONG - 1.0, 0.0, 0.2)), tolerance=0.5),
    )  # fmt: skip


@pytest.fixture(scope="module")
def plan(problem: Problem, controllers: Controllers) -> Plan:
    return SpaceTime(SpaceTimeSettings(milestones=15.0), controllers).plan(problem)


def test_stages_make_one_plan_that_holds(plan: Plan, problem: Problem) -> None:
    assert plan, plan.status
    assert plan.statistics["stages"] >= 3
    assert plan.check(problem.world), plan.check(problem.world)


def test_its_rollouts_can_be_made_again(
    plan: Plan, problem: Problem, controllers: Controllers
) -> None:
    again = rollouts(plan, problem.world, problem.character, controllers)
    assert again[-1].end == pytest.approx(plan.end)


def test_milestones_are_where_nothing_passes(problem: Problem) -> None:
    found = milestones(problem, 15.0, 30.0)
    assert len(found) >= 2
    gaps = np.diff([problem.start.position[0], *(point[0] for point in found)])
    assert (gaps >= 13.0).all()
    for point in found:
        away = [abs(point[0] - (10.0 * k + 3.0)) for k in range(6)]
        assert min(away) > 0.7 + 0.2  # beside every cart's way


def test_only_what_is_near_has_landmarks(problem: Problem) -> None:
    world, settings = problem.world, SpaceTimeSettings()
    skill = least_able(problem.skills.values())
    part = np.array([[0.0, -7.0, -1.0], [20.0, 7.0, 4.0]])
    near = landmarks_in(part, world, skill, settings, 0.0, 20.0)
    places = near.positions(world, 0.0)
    assert len(places) > 10
    assert (places >= part[0]).all()
    assert (places <= part[1]).all()
    every = landmarks_of(world, skill, settings, 0.0, 20.0)
    assert len(near) < 0.6 * len(every)


def test_a_goal_that_the_grid_knows_no_way_to_is_left_to_the_last_stage(
    adult: Character, controllers: Controllers
) -> None:
    times = np.cumsum([0.0, 4.0, 6.0, 4.0, 6.0])
    ways = np.array([[x, 0.0, 0.0] for x in (-0.1, -0.1, 7.1, 7.1, -0.1)])
    world = World([
        Body(name="left", mesh=slab((6.0, 8.0, 1.0), (-5.0, 0.0, 0.0))),
        Body(name="right", mesh=slab((6.0, 8.0, 1.0), (12.0, 0.0, 0.0))),
        Body(name="raft", mesh=slab((3.0, 4.0, 0.3)),
             trajectory=Keyframed(times, ways, repeat="loop")),
    ])  # fmt: skip
    asked = Problem(
        world=world, character=adult, start=world.place((-6.0, 0.0, 0.2)),
        goal=Goal(world.place((13.0, 0.0, 0.2)), tolerance=0.4),
    )  # fmt: skip
    found = SpaceTime(SpaceTimeSettings(milestones=8.0), controllers).plan(asked)
    assert found, found.status
    assert found.check(world)
