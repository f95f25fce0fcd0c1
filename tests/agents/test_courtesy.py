"""Who gets nowhere is made room for."""

from __future__ import annotations

import numpy as np

from agents.conftest import DT, run, wall
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Entrant, Event

FEW = CrowdSettings(nodes=50, least_nodes=20, frame_nodes=200, horizon=8, courtesy=1.5)


def in_a_passage(floor, adult, *entrants, **changes) -> Crowd:
    """A passage along x, as wide as one person, with room to step aside at its ends."""
    for y in (-0.45 - 2.0, 0.45 + 2.0):
        floor.add(wall(f"block {y}", 0.0, y, (7.0, 4.0, 2.0)))
    starts = [Entrant(adult, (x, 0.0, 0.0), goal=goal) for x, goal in entrants]
    return Crowd(floor, starts, planner=Discs, settings=FEW if not changes else changes["settings"])


def test_of_two_who_meet_in_a_passage_one_steps_aside(floor, adult):
    crowd = in_a_passage(floor, adult, (-5.0, (5.0, 0.0, 0.0)), (5.0, (-5.0, 0.0, 0.0)))
    run(crowd, 90.0)
    assert crowd.done
    assert crowd.events[Event.COURTESY] >= 2


def test_without_courtesy_they_would_stand_there_for_ever(floor, adult):
    never = CrowdSettings(nodes=50, least_nodes=20, frame_nodes=200, horizon=8, courtesy=1e6)
    crowd = in_a_passage(
        floor, adult, (-5.0, (5.0, 0.0, 0.0)), (5.0, (-5.0, 0.0, 0.0)), settings=never
    )
    run(crowd, 25.0)
    assert not crowd.done
    assert crowd.events[Event.COURTESY] == 0


def test_who_rests_in_the_way_steps_aside_and_comes_back(floor, adult):
    crowd = in_a_passage(floor, adult, (-5.0, (5.0, 0.0, 0.0)), (3.0, (3.2, 0.0, 0.0)))
    far = 0.0
    for _ in range(600):
        crowd.step(DT)
        far = max(far, float(np.hypot(*(crowd.spots()[0][1, :2] - (3.2, 0.0)))))
        if crowd.done:
            break
    assert crowd.done
    assert far > 1.0
    assert np.hypot(*(crowd.spots()[0][1, :2] - (3.2, 0.0))) <= 0.3


def test_nobody_is_moved_where_everybody_gets_on(crossing):
    crowd = crossing()
    run(crowd, 30.0)
    assert crowd.done
    assert crowd.events[Event.COURTESY] == 0
