from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from surefoot import _native, costs
from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.errors import ProblemError
from surefoot.planning import AllOf, Goal, Kind, Limits, Outcome, Plan, Problem, Region
from surefoot.planning.planners import make
from surefoot.planning.runs import rollouts, runs
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import slab


def ferry(stay: float = 4.0) -> World:
    """Two banks that only a raft joins, which waits at each for a while."""
    times = np.cumsum([0.0, stay, 6.0, stay, 6.0])
    ways = np.array([[x, 0.0, 0.0] for x in (-0.1, -0.1, 7.1, 7.1, -0.1)])
    return World(
        [
            Body(name="left", mesh=slab((6.0, 8.0, 1.0), (-5.0, 0.0, 0.0))),
            Body(name="right", mesh=slab((6.0, 8.0, 1.0), (12.0, 0.0, 0.0))),
            Body(name="raft", mesh=slab((3.0, 4.0, 0.3)),
                 trajectory=Keyframed(times, ways, repeat="loop")),
        ],
        name="ferry",
    )  # fmt: skip


@pytest.fixture
def problem(adult: Character) -> Problem:
    world = ferry()
    goal = Goal(world.place((13.0, 0.0, 0.2)), tolerance=0.4)
    return Problem(world=world, character=adult, start=world.place((-6.0, 0.0, 0.2)), goal=goal)


SETTINGS = {
    "safe intervals": SpaceTimeSettings(),
    "paper": SpaceTimeSettings.of_the_paper(),
    "no culling": SpaceTimeSettings.of_the_paper(waiting="no culling"),
}


@pytest.mark.parametrize("start_time", [0.0, 2.6, 5.3])
def test_plans_end_in_a_stand_at_the_goal(
    problem: Problem, controllers: Controllers, start_time: float
) -> None:
    asked = replace(problem, start_time=start_time)
    plan = SpaceTime(controllers=controllers).plan(asked)
    assert plan
    assert plan.check(asked.world), plan.check(asked.world)
    last = plan.segments[-1]
    step = float(np.linalg.norm(last.positions[-1] - last.positions[-2]))
    assert step / (last.times[-1] - last.times[-2]) < 0.1
    away = last.positions[-1, :2] - np.array([13.0, 0.0])
    assert float(np.linalg.norm(away)) <= 0.4


@pytest.mark.parametrize("waiting", ["safe intervals", "paper"])
def test_a_raft_is_caught(problem: Problem, controllers: Controllers, waiting: str) -> None:
    plan = SpaceTime(SETTINGS[waiting], controllers).plan(problem)
    assert plan
    assert plan.check(problem.world), plan.check(problem.world)
    kinds = [segment.kind for segment in plan.segments]
    assert Kind.RIDE in kinds
    assert Kind.BOARD in kinds or Kind.JUMP in kinds
    assert any(segment.frame == "raft" for segment in plan.segments)
    assert plan.statistics["trajectories_evaluated"] > 0
    assert {"nodes_expanded", "heuristic_ms", "search_ms", "total_ms", "landmarks"} <= set(
        plan.statistics
    )
    assert plan.cost == pytest.approx(plan.duration, abs=0.3)


def test_no_snapshot_joins_the_banks(problem: Problem, controllers: Controllers) -> None:
    for t in (2.0, 7.0, 12.0):
        still = replace(problem, world=problem.world.at(t), horizon=20.0)
        assert not SpaceTime(controllers=controllers).plan(still)


def test_plans_are_the_same_again(problem: Problem, controllers: Controllers, tmp_path) -> None:
    planner = SpaceTime(controllers=controllers)
    plan = planner.plan(problem)
    again = planner.plan(replace(problem, world=ferry()))
    assert plan == again
    plan.save(tmp_path / "plan.json")
    assert Plan.load(tmp_path / "plan.json") == plan


def test_its_rollouts_can_be_made_again(problem: Problem, controllers: Controllers) -> None:
    plan = SpaceTime(controllers=controllers).plan(problem)
    played = rollouts(plan, problem.world, problem.character, controllers)
    assert played[-1].end == plan.end
    for one, following in pairwise(played):
        assert one.end == pytest.approx(following.start, abs=1e-9)


def test_a_longer_stay_is_no_worse(problem: Problem, controllers: Controllers) -> None:
    """Waiting for the next raft only where this one cannot be caught."""
    planner = SpaceTime(controllers=controllers)
    late = replace(problem, start_time=8.0)
    plan = planner.plan(late)
    assert plan
    assert plan.check(late.world)
    # The raft is at the other bank until 14 s and back at 20 s.
    aboard = next(s.start for s in plan.segments if s.frame == "raft")
    assert aboard > 17.0


def test_an_arrival_window_is_waited_for(problem: Problem, controllers: Controllers) -> None:
    planner = SpaceTime(controllers=controllers)
    free = planner.plan(problem)
    later = replace(problem, goal=replace(problem.goal, arrive=(free.end + 3.0, free.end + 20.0)))
    plan = planner.plan(later)
    assert plan
    assert free.end + 3.0 - 1e-6 <= plan.end <= free.end + 20.0
    assert plan.check(problem.world), plan.check(problem.world)


def test_goals_that_cannot_be_reached_are_told_at_once(
    problem: Problem, controllers: Controllers
) -> None:
    world = World([*(body for body in problem.world if body.name != "raft")])
    plan = SpaceTime(controllers=controllers).plan(replace(problem, world=world))
    assert plan.status.outcome is Outcome.UNREACHABLE
    assert plan.statistics["trajectories_evaluated"] == 0
    assert "whatever the time" in plan.status.message


def test_too_short_a_horizon_is_told(problem: Problem, controllers: Controllers) -> None:
    plan = SpaceTime(controllers=controllers).plan(replace(problem, horizon=5.0))
    assert plan.status.outcome is Outcome.OUT_OF_TIME
    assert "longer horizon" in plan.status.message


def test_limits_give_the_best_partial_plan(problem: Problem, controllers: Controllers) -> None:
    limited = replace(problem, limits=Limits(evaluations=10))
    plan = SpaceTime(controllers=controllers).plan(limited)
    assert plan.status.outcome is Outcome.EXHAUSTED
    assert plan.statistics["trajectories_evaluated"] <= 10
    assert plan.segments
    assert plan.check(problem.world), plan.check(problem.world)


def test_cancelled(problem: Problem, controllers: Controllers) -> None:
    plan = SpaceTime(controllers=controllers).plan(problem, cancel=lambda: True)
    assert plan.status.outcome is Outcome.CANCELLED


def test_a_region_is_reached(problem: Problem, controllers: Controllers) -> None:
    plan = SpaceTime(controllers=controllers).plan(replace(problem, goal=Region(body="raft")))
    assert plan
    assert plan.segments[-1].frame == "raft"
    assert plan.check(problem.world), plan.check(problem.world)


def test_a_cost_that_makes_acting_cheaper_is_refused(
    problem: Problem, controllers: Controllers
) -> None:
    def rate(position, t, mode, velocity):  # noqa: ARG001
        return 3.0 if mode == "wait" else 1.0

    cost = costs.function(rate, lower=1.0, waiting_upper=3.0)
    with pytest.raises(ProblemError, match=r"'walk'.*adds 2 per second"):
        SpaceTime(controllers=controllers).plan(replace(problem, cost=cost))


def test_bad_input_is_named(problem: Problem, controllers: Controllers) -> None:
    with pytest.raises(ProblemError, match="safe intervals"):
        SpaceTimeSettings(waiting="sometimes")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ProblemError, match="tick"):
        SpaceTimeSettings(tick=float("nan"))
    with pytest.raises(ProblemError, match="anywhere must be True or False, got 'no'"):
        SpaceTimeSettings(anywhere="no")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ProblemError, match="walk"):
        SpaceTime(SpaceTimeSettings(controllers=("fly",)), controllers).plan(problem)
    with pytest.raises(ProblemError, match="horizon"):
        replace(problem, horizon=float("inf"))
    with pytest.raises(ProblemError, match="in turn"):
        SpaceTime(controllers=controllers).plan(replace(problem, goal=AllOf((problem.goal,))))
    with pytest.raises(ProblemError, match="SpaceTimeSettings"):
        SpaceTime(3)  # pyright: ignore[reportArgumentType]
    assert make("space-time", {"tick": 0.2}).name == "space-time"


def test_the_native_search_checks_its_arrays() -> None:
    with pytest.raises(ValueError, match="durations has 3 entries; it needs 8"):
        _native.search_timetable(
            np.zeros(3, dtype=np.int32), np.zeros(4, dtype=np.int32), np.ones(1), np.zeros(2),
            np.zeros(2, dtype=np.bool_), 0.1, 1.0, 0, _native.SearchSettings(),
        )  # fmt: skip


def test_who_waits_stands_at_the_landmark(problem: Problem, controllers: Controllers) -> None:
    """Who comes at a run and is to wait, or to end there, is led by a controller that stands."""
    last = SpaceTime(controllers=controllers).search(problem).run().legs[-1]
    assert last.halt != "straight"
    assert last.stands == 0.4
    without = Controllers(
        controllers.repertoire,
        {name: one for name, one in controllers.trained.items() if not one.task.standing},
    )
    plain = SpaceTime(controllers=without).search(problem).run()
    assert {leg.halt for leg in plain.legs} == {"straight"}
    plan = SpaceTime(controllers=controllers).plan(problem)
    assert {"arrive", "arrive running"} & {run.controller for run in runs(plan)}
    made = rollouts(plan, problem.world, problem.character, controllers)
    assert made[-1].end == pytest.approx(plan.end, abs=1e-6)


@pytest.mark.parametrize("allowed", [("run", "jump"), ("walk", "jump")])
def test_who_stands_does_it_by_what_is_allowed(
    problem: Problem, controllers: Controllers, allowed: tuple[str, ...]
) -> None:
    asked = replace(problem, capabilities=allowed)
    found = SpaceTime(controllers=controllers).search(asked).skills
    halts = {skill.halt.task.capability for skill in found if skill.halt is not None}
    assert halts == {allowed[0]}
    plan = SpaceTime(controllers=controllers).plan(asked)
    assert {segment.capability for segment in plan.segments} <= set(allowed)


def test_who_waits_is_not_kept_back_by_who_goes_on(
    problem: Problem, controllers: Controllers
) -> None:
    """A way to another body after a wait is tried where going on at once was not worth it."""
    search = SpaceTime(controllers=controllers).search(problem)
    found = search.run(recorded=True).native
    at_once: set[tuple[int, int, int]] = set()
    waited: set[tuple[int, int, int]] = set()
    frames = search.landmarks.frames
    for parent, to, controller, departs, *_ in found.evaluations.tolist():
        label = found.labels[int(parent)]
        if frames[int(label[0])] == frames[int(to)]:
            continue
        way = (int(parent), int(to), int(controller))
        (waited if departs > label[1] + 1e-6 else at_once).add(way)
    assert waited - at_once
