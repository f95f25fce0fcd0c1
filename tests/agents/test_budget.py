"""Nodes for frames, and for those who wait."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from agents.conftest import DT
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Entrant
from surefoot.agents.budget import FIRST_RATE, Rations, TimeManager

SETTINGS = CrowdSettings(
    nodes=1000, least_nodes=50, frame_nodes=4000, patience=5, horizon=8, asking=10
)


def handed_out(waiting, allowance, cost):
    """What each who is served gets, when plans take what they get up to `cost(i)`."""
    rations, given_, taken = Rations(waiting, allowance, SETTINGS), [], 0
    while len(given_) < waiting:
        count, nodes = rations.next(waiting - len(given_))
        if count == 0:
            break
        spent = sum(min(nodes, cost(len(given_) + i)) for i in range(count))
        rations.take(count, spent)
        taken += spent + 10 * count
        given_ += [nodes] * count
    return given_, taken


def test_few_get_all_they_may_have():
    given_, _ = handed_out(3, 4000, lambda _: 10**9)
    assert given_ == [1000] * 3


def test_many_get_less():
    given_, taken = handed_out(10_000, 4000, lambda _: 10**9)
    assert min(given_) >= SETTINGS.least_nodes
    assert len(given_) <= 4000 // (SETTINGS.least_nodes + 10)
    assert taken <= 4000


def test_what_cheap_plans_leave_others_may_take():
    # All but every tenth cost next to nothing: the dear ones get much more than an even share.
    given_, taken = handed_out(80, 6000, lambda i: 500 if i % 10 == 0 else 5)
    assert len(given_) == 80
    assert max(given_) > 4 * (6000 // 80)
    assert taken <= 6000


@given(some.integers(1, 20_000), some.integers(1, 100_000), some.integers(1, 3000))
def test_a_frame_never_takes_more_than_it_may(waiting, allowance, cost):
    given_, taken = handed_out(waiting, allowance, lambda _: cost)
    assert len(given_) <= waiting
    assert len(given_) >= 1 or allowance < 11
    assert taken <= allowance


def test_what_a_frame_takes_too_much_the_next_goes_without():
    times = TimeManager(SETTINGS)
    times.settle(4000, 5500)
    assert times.owed == 1500
    count, nodes = times.rations(1000, 4000).next(1000)
    assert count * nodes <= 2500
    times.settle(4000, 2400)
    assert times.owed == 0


def test_plans_look_less_far_ahead_the_more_wait():
    times = TimeManager(SETTINGS)
    for _ in range(50):
        # 20 nodes an action, of late.
        times.planned(10, 10 * 8 * 20, 8)
    assert times.usual == pytest.approx(20, rel=0.01)
    # 4000 nodes are 23 plans of 8 actions; 5 frames may pass until everybody is served.
    assert times.horizon(100, 4000) == 8
    assert times.horizon(130, 4000) < 8
    reach = [times.horizon(n, 4000) for n in (1, 10, 100, 200, 500, 2000, 10_000)]
    assert reach == sorted(reach, reverse=True)
    assert reach[0] == 8
    assert reach[-1] == 1
    assert times.horizon(0, 4000) == 0


def test_how_far_plans_look_does_not_depend_on_the_clock():
    one, two = TimeManager(SETTINGS), TimeManager(SETTINGS)
    for each, seconds in ((one, 1e-6), (two, 10.0)):
        each.planned(10, 3000, 8)
        each.spent(3000, seconds)
    assert one.horizon(50, 4000) == two.horizon(50, 4000)


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
        settings=CrowdSettings(nodes=20, least_nodes=20, frame_nodes=100, look=1000, asking=0),
    )
    served: list[int] = []
    for _ in range(5):
        frame = crowd.step(DT)
        assert frame.nodes <= 100
        served += frame.asked
    # Nobody for the second time before everybody was asked once.
    assert served[:25] == list(range(25))
