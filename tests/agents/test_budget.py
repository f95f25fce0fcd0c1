"""Nodes for frames, and for those who wait."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from agents.conftest import DT
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Entrant
from surefoot.agents.budget import FIRST_RATE, TimeManager, shares

SETTINGS = CrowdSettings(nodes=1000, least_nodes=50, frame_nodes=4000, patience=5, horizon=8)


def test_few_get_all_they_may_have():
    given_ = shares(3, 4000, SETTINGS)
    assert (given_.served, given_.nodes, given_.horizon) == (3, 1000, 8)


def test_many_get_less_and_look_less_far_ahead():
    few, many, crowd = (shares(n, 4000, SETTINGS) for n in (20, 100, 10_000))
    assert few.nodes > many.nodes > crowd.nodes == SETTINGS.least_nodes
    assert few.horizon > many.horizon > crowd.horizon == 1
    assert crowd.served == 4000 // 50


@given(some.integers(1, 20_000), some.integers(1, 100_000))
def test_a_frame_never_takes_more_than_it_may(waiting, allowance):
    given_ = shares(waiting, allowance, SETTINGS)
    assert 1 <= given_.served <= waiting
    assert given_.served * given_.nodes <= allowance
    assert 1 <= given_.horizon <= SETTINGS.horizon


def test_milliseconds_become_nodes_by_what_was_measured():
    times = TimeManager(CrowdSettings(milliseconds=4.0))
    assert times.allowance(0) == 4.0 * FIRST_RATE
    for frame in range(1, 60):
        # 500 nodes each millisecond.
        times.spent(2000, 0.004)
        times.allowance(frame)
    assert times.allowance(60) == pytest.approx(2000, rel=0.01)
    assert [each.frame for each in times.log] == list(range(61))
    assert times.log[0].milliseconds == 4.0
    assert times.log[0].rate == FIRST_RATE


def test_counted_nodes_do_not_depend_on_how_long_they_took():
    times = TimeManager(CrowdSettings(frame_nodes=700))
    times.spent(2000, 1e-9)
    assert times.allowance(0) == 700


def test_waiting_is_served_in_turn(floor, adult):
    starts = [(x, y, 0.0) for x in range(-4, 5, 2) for y in range(-4, 5, 2)]
    crowd = Crowd(
        floor,
        [Entrant(adult, start, goal=(start[0] + 0.5, start[1], 0.0)) for start in starts],
        planner=Discs,
        settings=CrowdSettings(nodes=20, least_nodes=20, frame_nodes=100, look=1000),
    )
    served: list[int] = []
    for _ in range(5):
        frame = crowd.step(DT)
        assert frame.nodes <= 100
        served += frame.asked
    assert sorted(served) == list(range(25))
