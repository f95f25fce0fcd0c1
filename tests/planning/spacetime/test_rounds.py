"""Several searches of different temper, and those that come by again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.planning import Goal, Limits, Problem
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.planning.spacetime.traveller import Traveller
from surefoot.world import Keyframed, scenes


@pytest.fixture(scope="module")
def highway(adult: Character) -> Problem:
    made = scenes.load("highway")
    goal = Goal(made.goal, tolerance=0.4)
    return Problem(world=made.world, character=adult, start=made.start, goal=goal)


def test_more_polish_never_costs_more(highway: Problem, controllers: Controllers) -> None:
    gained = 0
    for start_time in (0.0, 1.7, 3.4):
        costs = []
        for polish in (0, 200, 2000):
            planner = SpaceTime(SpaceTimeSettings(polish=polish), controllers)
            outcome = planner.search(replace(highway, start_time=start_time)).run()
            assert outcome.end == "reached"
            costs.append(outcome.native.cost)
        assert costs == sorted(costs, reverse=True)
        gained += costs[-1] < costs[0]
    assert gained > 0


def test_polish_counts_what_is_run(rafts: Problem, controllers: Controllers) -> None:
    def new_ones(polish: int) -> int:
        planner = SpaceTime(SpaceTimeSettings(polish=polish), controllers)
        counts = planner.search(rafts).run().statistics
        return int(counts["trajectories_evaluated"]) - int(counts["trajectories_recalled"])

    first = new_ones(0)
    assert first < new_ones(first + 60) <= first + 60 + 1


def test_hints_lead_there_at_once(highway: Problem, controllers: Controllers) -> None:
    planner = SpaceTime(SpaceTimeSettings(polish=0), controllers)
    first = planner.search(highway)
    found = first.run()
    again = planner.search(highway, hints=[leg.hint for leg in found.legs]).run()
    assert again.end == "reached"
    assert again.native.cost <= found.native.cost + 1e-9
    tried = again.statistics["trajectories_evaluated"]
    assert tried < 2 * len(found.legs) < found.statistics["trajectories_evaluated"]


def test_hints_that_lead_nowhere_do_no_harm(highway: Problem, controllers: Controllers) -> None:
    planner = SpaceTime(SpaceTimeSettings(polish=0), controllers)
    search = planner.search(highway)
    last = len(search.landmarks) - 1
    wrong = [(float(last), 0.0, 1.0), (0.0, 0.0, -np.inf)]
    found = planner.search(highway, hints=wrong).run()
    assert found.end == "reached"
    with pytest.raises(ValueError, match="the landmark of a hint is 1000000"):
        planner.search(highway, hints=[(1e6, 0.0, 0.0)]).run()


def test_what_is_not_verified_yet_is_before_it_comes_to_that(
    rafts: Problem, controllers: Controllers
) -> None:
    world = rafts.world
    planner = SpaceTime(SpaceTimeSettings(polish=0), controllers)
    traveller = Traveller(world, rafts.character, rafts.start, planner, t=0.0, until=60.0)
    traveller.stay()
    attempt = traveller.attempt(rafts.goal, 1.0, budget=4000, horizon=50.0, ahead=3.0)
    assert attempt.found
    assert attempt.solved is not None
    assert attempt.solved.plan.end < attempt.arrives  # told as far as it matters now
    assert traveller.take(attempt)
    end = traveller.course.end
    assert traveller.verified < end
    before = world["raft"].trajectory
    assert isinstance(before, Keyframed)
    assert traveller.verify(end)
    assert traveller.verified >= attempt.arrives
    # The raft never comes: the course ends before it would be stepped on.
    traveller.verified = 2.0
    world.move("raft", Keyframed([0.0, 1.0], [[3.5, 30.0, 0.0], [3.5, 31.0, 0.0]]))
    assert not traveller.verify(end)
    assert traveller.course.end < end
    assert all(piece.place.body is None for one in traveller.course.played
               for piece in one.rollout.pieces)  # fmt: skip
    world.move("raft", before)


def test_the_best_of_unfinished_ways_leads_on(rafts: Problem, controllers: Controllers) -> None:
    planner = SpaceTime(SpaceTimeSettings(polish=0), controllers)
    limits = Limits(evaluations=15)
    world = rafts.world
    asked = Problem(world=world, character=rafts.character, start=rafts.start, goal=rafts.goal,
                    limits=limits)  # fmt: skip
    plan = planner.plan(asked)
    assert not plan
    assert plan.segments
    start, goal = (world.position(place, 0.0)[0] for place in (rafts.start, rafts.goal.place))
    assert abs(plan.position(plan.end, world)[0] - goal) < abs(start - goal)
