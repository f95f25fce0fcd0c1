"""Searches that are gone on with, and plans that are told only as far as it matters now."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from surefoot.control import Controllers
from surefoot.planning import Goal, Problem
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.planning.spacetime.playing import between, told_to
from surefoot.planning.spacetime.traveller import Traveller

BETWEEN_QUESTIONS = 64
"""Steps of a search, each a trajectory at most, after which it asks whether to stop."""


@pytest.fixture
def traveller(rafts: Problem, controllers: Controllers) -> Traveller:
    planner = SpaceTime(SpaceTimeSettings(polish=60), controllers)
    made = Traveller(rafts.world, rafts.character, rafts.start, planner, t=0.0, until=90.0)
    assert made.stay()
    return made


def test_a_little_at_a_time_finds_what_one_search_finds(
    traveller: Traveller, rafts: Problem
) -> None:
    once = traveller.search(rafts.goal, 1.0, horizon=50.0)
    whole = once.go_on(5000)
    assert once.reached
    many = traveller.search(rafts.goal, 1.0, horizon=50.0)
    goes = 0
    while goes < 100:
        before = many.ran
        part = many.go_on(30)
        assert many.ran - before <= 30 + BETWEEN_QUESTIONS
        goes += 1
        if many.reached and many.ran == before:
            break  # polished, too
    assert goes > 2
    assert part.native.cost == whole.native.cost
    assert [leg.way for leg in part.legs] == [leg.way for leg in whole.legs]
    # Nothing is run twice, but ways to the goal.
    assert many.ran < 1.5 * once.ran


def test_who_has_polished_enough_runs_nothing(traveller: Traveller, rafts: Problem) -> None:
    search = traveller.search(rafts.goal, 1.0, horizon=50.0)
    found = search.go_on(5000)
    ran = search.ran
    again = search.go_on(5000)
    assert search.ran == ran
    assert again.native is found.native


def test_another_goal_from_the_same_moment_recalls_what_was_run(
    traveller: Traveller, rafts: Problem
) -> None:
    first = traveller.search(rafts.goal, 1.0, horizon=50.0)
    first.go_on(5000)
    beside = Goal(rafts.world.place((13.0, 0.8, 0.2)), tolerance=0.4)
    alone = traveller.search(beside, 1.0, horizon=50.0)
    alone.go_on(5000)
    knowing = traveller.search(beside, 1.0, horizon=50.0, memory=first.memory)
    knowing.go_on(5000)
    assert alone.reached
    assert knowing.reached
    assert knowing.ran < 0.7 * alone.ran


def test_what_does_not_hold_is_left_out(traveller: Traveller, rafts: Problem) -> None:
    search = traveller.search(rafts.goal, 1.0, horizon=50.0)
    before = search.go_on(5000)
    world = rafts.world
    raft = world["raft"].trajectory
    world.move("raft", world["left"].trajectory)  # it is not there when the plan is told
    assert search.told(np.inf) is None
    world.move("raft", raft)
    assert not search.reached
    after = search.go_on(5000)
    assert search.reached
    assert [leg.way for leg in after.legs] != [leg.way for leg in before.legs]


def test_a_horizon_has_room_for_the_likeliest_way(traveller: Traveller, rafts: Problem) -> None:
    narrow = traveller.search(rafts.goal, 1.0, horizon=5.0)
    assert narrow.problem.horizon == 5.0
    roomy = traveller.search(rafts.goal, 1.0, horizon=5.0, longest=80.0)
    assert roomy.search.lasting < roomy.problem.horizon < 80.0
    assert 1.4 * roomy.search.lasting + 8.0 <= roomy.problem.horizon


def test_partial_plans_are_told_to_where_a_step_between_bodies_has_ended(
    traveller: Traveller, rafts: Problem
) -> None:
    """A jump that is told without its landing looks like a walk over nothing."""
    search = traveller.search(rafts.goal, 1.0, horizon=50.0)
    search.go_on(5000)
    whole = search.told(np.inf)
    assert whole is not None
    assert any(between(one) for one in whole.played)
    for until in np.arange(1.5, whole.plan.end, 0.5).tolist():
        told = whole.played[: told_to(whole.played, until)]
        assert told[-1].run.end >= min(until, whole.played[-1].run.end) - 1e-6
        assert not between(told[-1]) or told == whole.played
        part = search.told(until)
        assert part is not None, until
        assert part.verified >= until or part.verified == np.inf


def test_courses_are_left_where_nothing_is_cut_off(traveller: Traveller, rafts: Problem) -> None:
    search = traveller.search(rafts.goal, 1.0, horizon=50.0)
    search.go_on(5000)
    solved = search.told(np.inf)
    assert solved is not None
    assert traveller.go_on(1.0, solved)
    course = traveller.course
    for one, after in pairwise(course.played):
        assert course.landed(one.run.end) == (not between(one))
        middle = 0.5 * (one.run.begin + one.run.end)
        assert course.landed(middle)
        # Who gets ready for what comes next.
        wanted = one.run.end if one.waits and not after.waits else None
        assert course.readies(middle) == wanted
        assert course.readies(one.run.end) is None
    assert any(one.waits and not after.waits for one, after in pairwise(course.played))
