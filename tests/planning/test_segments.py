from __future__ import annotations

from math import inf, pi

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.planning import Controller, Flight, Footstep, Kind, Segment, Steps, Timing
from surefoot.world import Place, World


def segment(**fields: object) -> Segment:
    usual = {
        "kind": "walk",
        "capability": "walk",
        "times": [1.0, 2.0, 4.0],
        "positions": [[0, 0, 0], [2, 0, 0], [2, 4, 1]],
        "headings": [0.0, 0.0, 1.5],
    }
    return Segment(**(usual | fields))


def here(x: float = 0.0, z: float = 0.0, body: str | None = None) -> Place:
    return Place(body, np.array([x, 0.0, z]))


def test_a_segment_knows_its_times_lengths_and_places() -> None:
    s = segment()
    assert (s.start, s.end, s.duration) == (1.0, 4.0, 3.0)
    assert s.kind is Kind.WALK
    assert s.timing is Timing.FIXED
    assert s.length == pytest.approx(2 + np.sqrt(17))
    assert s.place(3.0) == Place(None, np.array([2.0, 2.0, 0.5]))
    positions, headings = s.sample(np.array([0.0, 1.5, 3.0, 9.0]))
    np.testing.assert_allclose(positions, [[0, 0, 0], [1, 0, 0], [2, 2, 0.5], [2, 4, 1]])
    np.testing.assert_allclose(headings, [0.0, 0.0, 0.75, 1.5])


def test_headings_turn_the_shorter_way() -> None:
    s = segment(headings=[3.0, -3.0, -3.0])
    _, headings = s.sample(np.array([1.5]))
    assert abs(float(np.cos(headings[0]) - np.cos(pi))) < 1e-6


def test_modes_are_what_costs_charge() -> None:
    assert segment().mode == "walk"
    assert segment(kind="wait").mode == "wait"
    assert segment(kind=Kind.RIDE).mode == "wait"
    assert segment(kind="turn").mode == "walk"
    assert Kind.BOARD.bridges
    assert not Kind.WALK.bridges


def test_arrays_cannot_be_changed_from_outside() -> None:
    times = np.array([1.0, 2.0, 4.0])
    s = segment(times=times)
    times[0] = 99.0
    assert s.start == 1.0
    with pytest.raises(ValueError, match="read-only"):
        s.positions[0] = 1.0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": "stroll"}, "unknown segment kind 'stroll'; there are: bend, board, climb"),
        ({"timing": "soon"}, "unknown timing 'soon'; there are: estimated, fixed, open"),
        ({"times": [1.0]}, r"walk segment: times must have shape \(n,\) with n >= 2"),
        ({"times": [1.0, 3.0, 2.0]}, r"times must increase, but times\[1\] = 3 is followed by 2"),
        ({"times": [1.0, np.nan, 2.0]}, "times must be finite"),
        ({"positions": [[0, 0, 0]]}, r"positions must have shape \(3, 3\), got \(1, 3\)"),
        ({"headings": [0.0, 1.0]}, r"headings must have shape \(3,\), got \(2,\)"),
        ({"cost": -1.0}, "cost must be at least 0"),
        (
            {"flights": [Flight(take_off=here(), landing=here(), start=3.5, end=4.5)]},
            "flights must lie in order inside 1..4 s, got 3.5..4.5 s",
        ),
    ],
)
def test_bad_segments_say_what_is_wrong(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        segment(**fields)


def test_bad_parts_say_what_is_wrong() -> None:
    with pytest.raises(InputError, match="a flight must end after it starts, got 2 s to 2 s"):
        Flight(take_off=here(), landing=here(), start=2.0, end=2.0)
    with pytest.raises(InputError, match="unknown foot 'middle'; there are: left, right"):
        Footstep(foot="middle", place=here(), heading=0.0, start=0.0, end=1.0)
    with pytest.raises(InputError, match="a footstep must end after it starts"):
        Footstep(foot="left", place=here(), heading=0.0, start=1.0, end=1.0)
    with pytest.raises(InputError, match="2 names, 1 speeds"):
        Steps(("a", "b"), (1.0,))
    with pytest.raises(InputError, match="playing speed must be greater than 0"):
        Steps(("a",), (0.0,))
    assert Footstep(foot="left", place=here(), heading=0.0, start=1.0, end=inf).end == inf
    assert Controller("go").parameters == {}


def test_a_flight_is_a_parabola_between_moving_places(yard: World) -> None:
    flight = Flight(take_off=here(), landing=here(body="lift"), start=4.0, end=4.8)
    times = np.linspace(4.0, 4.8, 41)
    path = flight.positions(yard, times)
    np.testing.assert_allclose(path[0], [0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(path[-1], yard.position(here(body="lift"), 4.8), atol=1e-12)
    # Free fall: the second difference is gravity, and only that.
    second = np.diff(path, n=2, axis=0) / 0.02**2
    np.testing.assert_allclose(second, np.tile([0, 0, -9.81], (39, 1)), atol=1e-6)
    speed = (path[1] - path[0]) / 0.02
    halfway = np.array([0, 0, 9.81 * 0.01])
    np.testing.assert_allclose(flight.launch(yard), speed + halfway, atol=1e-9)
