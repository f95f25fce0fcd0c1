"""What a search learns from ways that fail."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.control import Controllers
from surefoot.planning import Problem
from surefoot.planning.spacetime import SpaceTime
from surefoot.planning.spacetime.search import Search

TIMES = np.arange(0.0, 40.0, 0.25)


@pytest.fixture
def search(rafts: Problem, controllers: Controllers) -> Search:
    return SpaceTime(controllers=controllers).search(rafts)


def table(outlook: _native.Outlook, landmarks: int) -> Floats:
    return np.array([[outlook.left(i, float(t)) for t in TIMES] for i in range(landmarks)])


def ways(search: Search, rng: np.random.Generator, count: int) -> list[tuple[int, int, float]]:
    """Random ones, departing in the middle of a block."""
    found: list[tuple[int, int, float]] = []
    while len(found) < count:
        a = int(rng.integers(len(search.landmarks)))
        near = search.meetings.near(a)
        if near:
            found.append((a, int(rng.choice(near)), float(rng.choice(TIMES)) + 0.125))
    return found


def test_at_first_it_is_what_is_likely(search: Search) -> None:
    outlook = _native.Outlook(search.likely)
    for i in range(len(search.landmarks)):
        for t in TIMES[::7].tolist():
            assert outlook.left(i, t) == search.likely.left(i, t)


def test_failures_make_it_no_better_and_their_order_does_not_matter(search: Search) -> None:
    n = len(search.landmarks)
    failed = ways(search, np.random.default_rng(3), 120)
    before = _native.Outlook(search.likely)
    forward, backward = _native.Outlook(search.likely), _native.Outlook(search.likely)
    for way in failed:
        forward.tell(*way, succeeded=False)
    for way in reversed(failed):
        backward.tell(*way, succeeded=False)
    assert (table(forward, n) >= table(before, n) - 1e-4).all()
    assert (table(forward, n) > table(before, n) + 0.1).any()
    np.testing.assert_array_equal(table(forward, n), table(backward, n))


def test_what_fails_is_doubted_about_then_and_in_the_end_at_all_times(search: Search) -> None:
    outlook = _native.Outlook(search.likely)
    (a, b, _), *_ = ways(search, np.random.default_rng(5), 1)
    outlook.tell(a, b, 10.1, succeeded=False)
    assert outlook.doubt(a, b, 10.1) > outlook.doubt(a, b, 10.3) > 0.0
    assert outlook.doubt(a, b, 12.0) == 0.0
    for t in (14.1, 16.1, 18.1):
        outlook.tell(a, b, t, succeeded=False)
    assert outlook.doubt(a, b, 30.0) > 0.0


def test_successes_make_up_for_failures(search: Search) -> None:
    """Whoever succeeds as well leaves the estimates as they were."""
    n = len(search.landmarks)
    outlook, before = _native.Outlook(search.likely), _native.Outlook(search.likely)
    tried = ways(search, np.random.default_rng(7), 40)
    for way in tried:
        outlook.tell(*way, succeeded=False)
    for way in tried:
        outlook.tell(*way, succeeded=True)
    np.testing.assert_array_equal(table(outlook, n), table(before, n))


def test_where_many_ways_between_two_bodies_fail_all_are_doubted(search: Search) -> None:
    outlook, marks = _native.Outlook(search.likely), search.landmarks
    crossings: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for a in range(len(marks)):
        for b in search.meetings.near(a):
            if marks.frames[a] != marks.frames[b]:
                pair = (int(marks.bodies[a]), int(marks.bodies[b]))
                crossings.setdefault(pair, []).append((a, b))
    (pair, ways), (_, others), *_ = sorted(crossings.items(), key=lambda each: -len(each[1]))
    assert len(ways) > 8, pair
    *failed, last = ways
    for k in range(24):
        outlook.tell(*failed[k % len(failed)], 3.0 + 0.5 * k, succeeded=False)
    assert outlook.doubt(*last, 30.0) > 0.0
    assert outlook.doubt(*others[0], 30.0) == 0.0
    outlook.tell(*failed[0], 20.0, succeeded=True)
    outlook.tell(*failed[0], 21.0, succeeded=True)
    assert outlook.doubt(*last, 30.0) == 0.0


def test_what_rests_is_in_the_way_at_all_times(search: Search) -> None:
    outlook = _native.Outlook(search.likely)
    (a, b, _), *_ = ways(search, np.random.default_rng(9), 1)
    outlook.tell(a, b, 10.1, succeeded=False)
    assert outlook.doubt(a, b, 30.0) == 0.0
    outlook.tell(a, b, 10.1, succeeded=False, rests=True)
    assert outlook.doubt(a, b, 30.0) > 0.0
