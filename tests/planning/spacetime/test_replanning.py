"""Planning again gives what planning anew gives, for fewer trajectories."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.planning import Goal, Plan, Problem
from surefoot.planning.spacetime import Replanner, SpaceTime, SpaceTimeSettings
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import slab


def raft(stay: float, phase: float = 0.0) -> Keyframed:
    times = np.cumsum([0.0, stay, 6.0, stay, 6.0]) + phase
    return Keyframed(times, [[x, 0.0, 0.0] for x in (-0.1, -0.1, 7.1, 7.1, -0.1)], repeat="loop")


def made(trajectory: Keyframed, far: Keyframed) -> World:
    return World(
        [
            Body(name="left", mesh=slab((6.0, 8.0, 1.0), (-5.0, 0.0, 0.0))),
            Body(name="right", mesh=slab((6.0, 8.0, 1.0), (12.0, 0.0, 0.0))),
            Body(name="raft", mesh=slab((3.0, 4.0, 0.3)), trajectory=trajectory),
            Body(name="far", mesh=slab((2.0, 2.0, 0.3)), trajectory=far),
        ],
        name="ferry",
    )


def shuttle(y: float) -> Keyframed:
    return Keyframed([0.0, 5.0, 10.0], [[80.0, y, 0.0], [90.0, y, 0.0], [80.0, y, 0.0]],
                     repeat="loop")  # fmt: skip


@pytest.fixture
def problem(adult: Character) -> Problem:
    world = made(raft(4.0), shuttle(60.0))
    goal = Goal(world.place((13.0, 0.0, 0.2)), tolerance=0.4)
    return Problem(world=world, character=adult, start=world.place((-6.0, 0.0, 0.2)), goal=goal)


def assert_same(one: Plan, other: Plan) -> None:
    assert replace(one, statistics={}) == replace(other, statistics={})


def new_ones(plan: Plan) -> int:
    counts = plan.statistics
    return int(counts["trajectories_evaluated"]) - int(counts["trajectories_recalled"])


def test_a_goal_that_moves(problem: Problem, controllers: Controllers) -> None:
    # Polishing looks around each goal, whatever it is.
    planner = SpaceTime(SpaceTimeSettings(polish=0, along=5.0, across=3.5), controllers)
    again = Replanner(problem, planner)
    assert_same(again.plan(), planner.plan(problem))
    for spot in ((12.0, 2.0, 0.2), (14.0, -2.5, 0.2)):
        goal = Goal(problem.world.place(spot), tolerance=0.4)
        plan = again.plan(goal=goal)
        anew = planner.plan(replace(problem, goal=goal))
        assert_same(plan, anew)
        assert new_ones(plan) < 0.8 * new_ones(anew)


def test_the_same_again_runs_nothing(problem: Problem, controllers: Controllers) -> None:
    again = Replanner(problem, SpaceTime(controllers=controllers))
    first, second = again.plan(), again.plan()
    assert_same(first, second)
    # But for those to the goal.
    assert new_ones(second) < 0.2 * new_ones(first)


def test_a_body_whose_future_changes(problem: Problem, controllers: Controllers) -> None:
    # Ways to goals are run anew: few landmarks are near enough to it here.
    planner = SpaceTime(SpaceTimeSettings(along=5.0, across=3.5), controllers)
    again = Replanner(problem, planner)
    first = again.plan()
    world = problem.world
    # The raft leaves later: nothing about it is as it was.
    world.move("raft", raft(7.0))
    plan = again.plan()
    assert_same(plan, planner.plan(problem))
    assert plan.check(world)
    assert plan.end != pytest.approx(first.end)
    # Something far away: everything is.
    world.move("far", shuttle(61.0))
    plan = again.plan()
    assert_same(plan, planner.plan(problem))
    assert new_ones(plan) < 0.2 * int(plan.statistics["trajectories_evaluated"])


def test_another_world_is_planned_anew(problem: Problem, controllers: Controllers) -> None:
    planner = SpaceTime(controllers=controllers)
    again = Replanner(problem, planner)
    again.plan()
    other = made(raft(4.0, phase=2.0), shuttle(60.0))
    plan = again.plan(world=other)
    assert_same(plan, planner.plan(replace(problem, world=other)))
