from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from surefoot import schema
from surefoot.character import Character
from surefoot.errors import FileError, InputError, VersionError
from surefoot.planning import (
    AllOf,
    Alternative,
    AnyOf,
    Controller,
    Flight,
    Footstep,
    Goal,
    Outcome,
    Plan,
    Policy,
    Region,
    Segment,
    Status,
    Steps,
    assume,
)
from surefoot.world import Place, World


def test_a_plan_is_true_when_it_reaches_the_goal(ride: Plan) -> None:
    assert ride
    for outcome in set(Outcome) - {Outcome.REACHED}:
        assert not replace(ride, status=Status(outcome, "because"))


def test_a_plan_knows_where_one_is_at_any_time(ride: Plan, yard: World) -> None:
    walk, board, up, off = ride.segments
    assert (ride.start, ride.end) == (walk.start, off.end)
    assert ride.duration == off.end - walk.start
    assert ride.segment_at(walk.start) is walk
    assert ride.segment_at(board.start) is board, "where two meet, the later one"
    assert ride.segment_at(5.0) is up
    assert ride.segment_at(off.end) is off
    assert ride.segment_at(off.end + 0.1) is None
    assert ride.place(5.0) == Place("lift", np.zeros(3))
    np.testing.assert_allclose(ride.position(5.0, yard), [5, 0, 1.5], atol=1e-9)
    np.testing.assert_allclose(ride.position(-9.0, yard), [0, 0, 0])
    np.testing.assert_allclose(ride.position(99.0, yard), [8, 0, 3], atol=1e-9)
    assert ride.heading(9.5, yard) == 0.0
    times = np.linspace(-3, 15, 181)
    points, headings = ride.track(times, yard)
    assert points.shape == (181, 3)
    assert headings.shape == (181,)
    # Nobody jumps: a body that moves at 1.3 m/s at most is never farther than that.
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).max() < 0.14


def test_after_its_end_a_plan_stays_on_what_carries_it(
    yard: World, go: Callable[..., Segment], plan_of: Callable[..., Plan]
) -> None:
    plan = plan_of(yard, go((0, 0, 0), (0.5, 0, 0), 0.0, frame="lift"))
    np.testing.assert_allclose(plan.position(10.0, yard), [5.5, 0, 3], atol=1e-9)


def test_a_plan_without_segments_is_where_it_starts(ride: Plan, yard: World) -> None:
    stuck = replace(
        ride,
        segments=(),
        origin=Place("lift", np.zeros(3)),
        status=Status(Outcome.UNREACHABLE, "the deck cannot be reached"),
    )
    assert stuck.end == stuck.start
    assert stuck.place(3.0) == stuck.origin
    np.testing.assert_allclose(stuck.position(10.0, yard), [5, 0, 3], atol=1e-9)
    assert str(stuck) == (
        "adult does not reach (8.00, 0.00, 3.00): the deck cannot be reached (hand)"
    )


def everything(ride: Plan) -> Plan:
    """A plan that uses every type there is."""
    place = Place("deck", np.array([0.1, 0.2, 0.3]))
    walk, board, up, off = ride.segments
    flight = Flight(take_off=walk.place(walk.start), landing=place, start=walk.start, end=walk.end)
    controls = (
        replace(walk, flights=(flight,), instead=(Alternative("run", "it is late", 3.0),)),
        replace(board, execution=Controller("board", {"speed": 0.1 + 0.2}), timing="open"),
        replace(up, execution=Policy("stand"), instead=(Alternative("jump", "too far"),)),
        replace(off, execution=Steps(("left", "right"), (1.0, 0.9)), timing="estimated"),
    )
    feet = (
        Footstep(foot="left", place=place, heading=0.1, start=0.0, end=1.0),
        Footstep(foot="right", place=place, heading=-0.1, start=0.5, end=inf),
    )
    region = Region(body="deck", low=(-inf, 0, 0), high=(1, inf, 2), arrive=(0, 9))
    goal = AnyOf((AllOf((region, Goal(place, heading=1.0)), ordered=True), Goal(place)))
    statistics = {"nodes_expanded": 12, "total_ms": 0.5}
    return replace(ride, segments=controls, footsteps=feet, goal=goal, statistics=statistics)


def test_plans_round_trip_to_the_same_bits(ride: Plan, tmp_path: Path) -> None:
    plan = everything(ride)
    path = tmp_path / "walk.plan.json"
    plan.save(path)
    back = Plan.load(path)
    again = tmp_path / "again.json"
    back.save(again)
    assert path.read_bytes() == again.read_bytes()
    assert back == plan
    assert hash(back) == hash(plan)
    assert back.segments[1].execution == plan.segments[1].execution
    assert back.footsteps == plan.footsteps
    assert back.statistics == plan.statistics
    for mine, theirs in zip(plan.segments, back.segments, strict=True):
        assert mine.positions.tobytes() == theirs.positions.tobytes()
        assert mine.times.tobytes() == theirs.times.tobytes()


@given(st.data())
def test_any_path_round_trips(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 60))
    number = st.floats(-1e6, 1e6)
    steps = data.draw(st.lists(st.floats(1e-3, 10.0), min_size=n, max_size=n))
    columns = [data.draw(st.lists(number, min_size=n, max_size=n)) for _ in range(4)]
    segment = Segment(
        kind="walk",
        capability="walk",
        times=np.cumsum(steps),
        positions=np.array(columns[:3]).T,
        headings=columns[3],
    )
    text = schema.dumps(segment, kind="segment", version=1)
    back = schema.loads(text, Segment, kind="segment", version=1)
    for name in ("times", "positions", "headings"):
        assert getattr(back, name).tobytes() == getattr(segment, name).tobytes()


def test_equal_plans_say_the_same_whatever_the_clock_said(ride: Plan) -> None:
    assert replace(ride, statistics={"total_ms": 3.0}) == ride
    assert replace(ride, cost=1.0) != ride
    assert replace(ride, segments=ride.segments[:2]) != ride
    assert ride != "a plan"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"kind": "board"', '"kind": "hop"', r"segments\[1\].kind: expected one of 'walk', 'run'"),
        ('"timing": "open"', '"timing": 3', r"segments\[1\].timing: expected one of 'fixed'"),
        (
            '"type": "policy"',
            '"type": "magic"',
            r"segments\[2\].execution.type: unknown type 'magic'",
        ),
        (
            '"foot": "left"',
            '"foot": "wing"',
            r"footsteps\[0\].foot: expected one of 'left', 'right'",
        ),
        ('"outcome": "reached"', '"outcome": "yes"', "status.outcome: expected one of 'reached'"),
        (
            '"nodes_expanded": 12',
            '"nodes_expanded": "many"',
            "statistics.nodes_expanded: expected an integer or a number",
        ),
        ('"capability": "walk"', '"capability": "fly"', r"plan: segments\[0\]: unknown capability"),
        ('"max_slope": 0.61', '"max_slope": 35', "capabilities.walk: .*was it given in degrees"),
    ],
)
def test_bad_plan_files_name_file_and_path(
    ride: Plan, tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "walk.plan.json"
    everything(ride).save(path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(FileError, match=message) as error:
        Plan.load(path)
    assert str(path) in str(error.value)


def leaves_of(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside JSON data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    return [
        deeper
        for key, item in inner
        for deeper in [
            (*path, key),
            *(leaves_of(item, (*path, key)) if isinstance(item, dict | list) else ()),
        ]
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.data())
def test_any_damage_to_a_file_is_named(ride: Plan, data: st.DataObject) -> None:
    text = schema.dumps(everything(ride), kind="plan", version=1)
    broken = json.loads(text)
    path = data.draw(st.sampled_from(leaves_of(broken)))
    value = data.draw(
        st.sampled_from([None, True, -1, 0, 1e300, 10**30, "", "inf", "-inf", "x", [], [[]], {}])
    )
    inner = broken
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    try:
        plan = schema.loads(json.dumps(broken), Plan, kind="plan", version=1, name="a.json")
    except FileError as error:
        message = str(error)
    else:
        message = "a.json: " + str(plan) + plan.explain()
    assert message.startswith("a.json: ")


def test_other_versions_and_kinds_are_refused(ride: Plan, tmp_path: Path, yard: World) -> None:
    path = tmp_path / "walk.plan.json"
    ride.save(path)
    path.write_text(path.read_text().replace('"version": 1', '"version": 2', 1))
    with pytest.raises(VersionError, match="plan of version 2; this surefoot reads version 1"):
        Plan.load(path)
    yard.save(path)
    with pytest.raises(FileError, match="this is a world, expected a plan"):
        Plan.load(path)


def test_a_segment_needs_a_known_capability(ride: Plan) -> None:
    with pytest.raises(
        InputError, match=r"segments\[0\]: unknown capability 'walk'; there are: run"
    ):
        replace(ride, capabilities={"run": ride.capabilities["run"]})


def test_a_stand_in_moves_as_the_plan_does(ride: Plan, yard: World, adult: Character) -> None:
    body = ride.as_body(adult, yard, name="anna")
    assert body.name == "anna"
    assert body.has("character")
    times = np.linspace(ride.start, ride.end, 400)
    positions, _ = body.trajectory.poses(times)
    expected, _ = ride.track(times, yard)
    assert np.linalg.norm(positions - expected, axis=1).max() < 0.005
    low, high = body.mesh.bounds
    assert high[2] - low[2] == adult.capability("walk").height
    # The cylinder fits inside the prism that stands for it.
    corners = body.mesh.vertices[:24, :2]
    apothem = np.linalg.norm((corners + np.roll(corners, 1, axis=0)) / 2, axis=1).min()
    assert apothem == pytest.approx(adult.capability("walk").radius)


def test_a_stand_in_goes_on_riding(
    yard: World, go: Callable[..., Segment], plan_of: Callable[..., Plan], adult: Character
) -> None:
    plan = plan_of(yard, go((0, 0, 0), (0.5, 0, 0), 0.0, frame="lift"))
    body = plan.as_body(adult, yard)
    assert body.name == "adult"
    for t in (1.0, 7.0, 10.0, 33.3):
        expected = yard.position(plan.place(t), t)
        np.testing.assert_allclose(body.trajectory.pose(t).position, expected, atol=2e-3)
    short = plan.as_body(adult, yard, until=5.0)
    np.testing.assert_allclose(short.trajectory.pose(9.0).position, [5.5, 0, 1.5], atol=1e-6)
    with pytest.raises(InputError, match="until must be at least"):
        plan.as_body(adult, yard, until=0.0)


def test_others_bump_into_a_stand_in(
    floor: World, go: Callable[..., Segment], plan_of: Callable[..., Plan], adult: Character
) -> None:
    first = plan_of(floor, go((0, 0, 0), (4, 0, 0), 0.0))
    second = plan_of(floor, go((2, -2, 0), (2, 2, 0), 0.0))
    assert second.check(floor)
    floor.add(first.as_body(adult, floor, name="first"))
    check = second.check(floor)
    assert not check
    assert check.violations[0].body == "first"
    later = plan_of(floor, go((2, -2, 0), (2, 2, 0), 5.0))
    assert later.check(floor)


def test_a_stand_in_is_for_the_planned_character(ride: Plan, yard: World, adult: Character) -> None:
    other = replace(adult, name="child")
    with pytest.raises(InputError, match="the plan is for 'adult', not for 'child'"):
        ride.as_body(other, yard)


def test_assumptions_are_kept_and_tell_what_changed(yard: World) -> None:
    known = {a.body: a for a in assume(yard, 0.0, 10.0)}
    assert set(known) == {"floor", "lift", "deck"}
    assert len(known["floor"].times) == 1
    assert len(known["lift"].times) == 21
    assert all(a.change(yard) == "" for a in known.values())
    assert [a.body for a in assume(yard, 0.0, 1.0, bodies=["lift"])] == ["lift"]
