"""Every event fires, is counted, and leads to the right new plan."""

from __future__ import annotations

import numpy as np
import pytest

from agents.conftest import DT, run, wall
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Entrant, Event
from surefoot.math import Pose
from surefoot.world import Body, Keyframed, Place, Static, primitives

LONG = {"nodes": 300, "horizon": 30, "actions": 100, "expiry": 1000.0}
"""Plans that reach their goal at once and do not expire."""


@pytest.fixture
def walker(floor, adult):
    def make(goal=(5.0, 0.0, 0.0), **settings) -> Crowd:
        return Crowd(
            floor,
            [Entrant(adult, (-5.0, 0.0, 0.0), goal=goal)],
            planner=Discs,
            settings=CrowdSettings(**(LONG | settings)),
        )

    return make


def only(crowd: Crowd, *events: Event) -> bool:
    return {event for event, count in crowd.events.items() if count} == set(events)


def test_without_events_nobody_plans(walker):
    crowd = walker(goal=None)
    run(crowd, 1.0)
    for _ in range(20):
        assert crowd.step(DT).asked == ()
    assert only(crowd)


def test_a_changed_goal_is_planned_for_at_once(walker):
    crowd = walker()
    crowd.step(DT)
    assert only(crowd, Event.GOAL)
    run(crowd, 1.0)
    crowd.goal(0, (-5.0, 5.0, 0.0))
    frame = crowd.step(DT)
    assert frame.taken == (0,)
    assert crowd.events[Event.GOAL] == 2
    plan = crowd.plans()[0]
    assert np.hypot(*(plan.spots([plan.end])[0][0, :2] - (-5.0, 5.0))) <= 0.25


def test_a_goal_that_rides_away_is_another_goal(walker, floor):
    way = Keyframed(np.array([0.0, 2.0, 4.0]), np.array([[3.0, 3, 0], [3, 3, 0], [3, -3, 0]]))
    floor.add(Body(name="mat", mesh=primitives.box((1, 1, 0.001)), trajectory=way))
    crowd = walker(goal=Place("mat", np.array([0.0, 0.0, 0.0005])), view=0.1)
    crowd.step(DT)
    run(crowd, 1.8)
    assert crowd.events[Event.GOAL] == 1
    run(crowd, 1.0)
    assert crowd.events[Event.GOAL] > 1
    run(crowd, 30.0)
    assert crowd.done
    assert np.hypot(*(crowd.spots()[0][0, :2] - (3.0, -3.0))) <= 0.26


def test_plans_expire_by_time(walker):
    crowd = walker(expiry=1.0)
    for _ in range(30):
        crowd.step(DT)
    assert only(crowd, Event.GOAL, Event.EXPIRED)
    asked = [frame.t for frame in crowd.frames if frame.asked]
    assert np.allclose(np.diff(asked), 1.0, atol=DT + 1e-9)


def test_plans_expire_by_actions_played(walker):
    crowd = walker(actions=3)
    for _ in range(50):
        crowd.step(DT)
    assert only(crowd, Event.GOAL, Event.PLAYED)
    asked = [frame.t for frame in crowd.frames if frame.asked]
    # An action of a disc takes 0.4 s.
    assert np.allclose(np.diff(asked)[1:], 1.2, atol=DT + 1e-9)


def test_a_plan_that_ends_short_of_its_goal_goes_on_before_it_ends(walker):
    crowd = walker(horizon=3)
    speeds = []
    before = crowd.spots()[0]
    for _ in range(60):
        crowd.step(DT)
        now = crowd.spots()[0]
        speeds.append(float(np.hypot(*(now - before)[0, :2])) / DT)
        before = now
    # Never a stop between plans, though none of the first ones reaches the goal.
    assert min(speeds[1:]) == pytest.approx(1.3, abs=0.01)


def test_somebody_who_comes_into_view_is_noticed(walker, adult):
    crowd = walker(view=3.0, look=1)
    crowd.add(adult, (0.0, 2.0, 0.0))
    run(crowd, 1.0)
    assert crowd.events[Event.AGENT] == 0
    run(crowd, 3.0)
    assert crowd.events[Event.AGENT] == 1
    noticed = next(frame for frame in crowd.frames[1:] if frame.asked)
    assert noticed.t == pytest.approx(2.1, abs=0.3)
    assert only(crowd, Event.GOAL, Event.AGENT)


def test_a_body_whose_way_is_known_is_noticed_when_it_comes_into_view(walker, floor):
    way = Keyframed(np.array([0.0, 10.0]), np.array([[0.0, 9.0, 1.0], [0.0, -9.0, 1.0]]))
    floor.add(Body(name="cart", mesh=primitives.box((0.5, 0.5, 2)), trajectory=way))
    crowd = walker(view=3.0, look=1)
    run(crowd, 9.0)
    assert crowd.events[Event.BODY] == 1
    assert crowd.events[Event.COLLISION] == 0


def test_a_wall_that_nobody_foresaw_is_gone_round(walker, floor):
    floor.add(wall("wall", 0.0, 8.0))
    crowd = walker()
    run(crowd, 0.5)
    assert only(crowd, Event.GOAL)
    before = crowd.plans()[0]
    # The wall is dragged into the way (beacco2013, figure 8).
    for y in np.linspace(8.0, 0.0, 9):
        floor.observe("wall", crowd.t, Pose.at(0.0, float(y), 1.0), velocity=(0, 0, 0))
        crowd.step(DT)
    assert crowd.events[Event.COLLISION] > 0
    plan = crowd.plans()[0]
    assert plan is not before
    assert np.isinf(crowd.planner.threats({0: plan}, ["wall"], crowd.t)[0])
    run(crowd, 30.0)
    assert crowd.done


def test_a_known_body_put_on_another_way_is_noticed(walker, floor):
    floor.add(wall("door", 0.0, 4.0))
    crowd = walker()
    run(crowd, 0.5)
    floor.move("door", Static(Pose.at(0.0, 0.0, 1.0)))
    assert crowd.step(DT).asked == (0,)
    assert crowd.events[Event.COLLISION] == 1
    run(crowd, 30.0)
    assert crowd.done


def test_who_stands_without_a_goal_gets_out_of_the_way_of_a_threat(walker, floor):
    floor.add(Body(name="ball", mesh=primitives.ball(0.5), trajectory=Static(Pose.at(0, 0, 0.9))))
    crowd = walker(goal=None)
    for i in range(30):
        x = 0.0 - 0.15 * i
        floor.observe("ball", crowd.t, Pose.at(x, 0.0, 0.9), velocity=(-1.5, 0.0, 0.0))
        crowd.step(DT)
    assert crowd.events[Event.COLLISION] > 0
    spot = crowd.spots()[0][0]
    assert np.hypot(*(spot[:2] - (-5.0, 0.0))) > 0.3
