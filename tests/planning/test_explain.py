"""What plans say to people: world coordinates, one frame in a row, numbers with units."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import pi

import numpy as np
import pytest

from surefoot.math import Pose
from surefoot.motion.flight import Flight
from surefoot.planning import (
    AllOf,
    Alternative,
    AnyOf,
    Goal,
    Outcome,
    Plan,
    Region,
    Segment,
    Status,
    assume,
    explain,
    wording,
)
from surefoot.planning.wording import Assumed
from surefoot.world import Body, Keyframed, Observed, Place, World
from surefoot.world.primitives import box, slab

POINT = re.compile(r"\((-?\d+\.\d\d), (-?\d+\.\d\d), (-?\d+\.\d\d)\)")


def points(text: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, found)) for found in POINT.findall(text)]


@pytest.fixture
def rafts() -> World:
    """A raft that turns as it drifts, and another that comes by."""
    swing = Keyframed(
        [0.0, 4.0, 9.0],
        [[0, 0, 0], [2, 0, 0], [9, 1, 0]],
        [Pose.at(yaw=angle).rotation for angle in (0.0, 0.7, 2.0)],
    )
    past = Keyframed([0.0, 9.0], [[20, 3, 0], [2, 3, 0]])
    return World(
        [
            Body(name="quay", mesh=slab((8.0, 8.0, 0.2), (-6.0, 0.0, 0.0))),
            Body(name="raft", mesh=slab((4.0, 4.0, 0.2)), trajectory=swing),
            Body(name="barge", mesh=slab((4.0, 4.0, 0.2)), trajectory=past),
        ]
    )


@pytest.fixture
def voyage(
    rafts: World, go: Callable[..., Segment], plan_of: Callable[..., Plan]
) -> tuple[Plan, World]:
    """From the quay onto a raft that turns, a ride, a jump to the barge, and a wait there."""
    walk = go((-5, 0, 0), (-2.5, 0, 0), 0.0)
    board = go((-1.9, 0.1, 0), (-0.5, 0, 0), walk.end, kind="board", frame="raft")
    ride = go((-0.5, 0, 0), (-0.5, 0, 0), board.end, kind="ride", frame="raft", seconds=1.137)
    take_off = rafts.position(Place("raft", np.array([-0.5, 0.0, 0.0])), ride.end)
    jump = go(take_off, np.add(take_off, [0.4, 1.2, 0.0]), ride.end, kind="jump", seconds=0.43)
    landing = rafts.attach(jump.positions[-1], "barge", jump.end)
    flight = Flight(take_off=ride.place(ride.end), landing=landing, start=jump.start, end=jump.end)
    stand = go(landing.position, landing.position, jump.end, kind="wait", frame="barge", seconds=1)
    return plan_of(rafts, walk, board, ride, replace(jump, flights=(flight,)), stand), rafts


def test_rows_are_where_the_world_has_it(voyage: tuple[Plan, World]) -> None:
    plan, world = voyage
    rows = str(plan).splitlines()[2:]
    assert len(rows) == len(plan.segments)
    for row, segment in zip(rows, plan.segments, strict=True):
        ends = [
            world.position(Place(segment.frame, segment.positions[i]), segment.times[i])
            for i in (0, -1)
        ]
        np.testing.assert_allclose(points(row), ends[: len(points(row))], atol=0.0051)
    assert len(points(rows[2])) == 2, "it rides: where to is somewhere else"


def test_a_row_begins_where_the_one_before_it_ended(ride: Plan) -> None:
    rows = [points(row) for row in str(ride).splitlines()[2:]]
    for before, after in pairwise(rows):
        assert before[-1] == after[0]


def test_rows_name_what_moves_and_changes_of_it(voyage: tuple[Plan, World]) -> None:
    head, *rows = str(voyage[0]).splitlines()[1:]
    ons = [row[head.index("  on") + 2 : head.index("cost") - 2].strip() for row in rows]
    assert ons == ["", "the ground to raft", "raft", "raft to barge", "barge"]


def test_what_rests_is_not_named_in_every_row(
    yard: World, go: Callable[..., Segment], plan_of: Callable[..., Plan]
) -> None:
    plan = plan_of(yard, go((-1, 0, 0), (1, 0, 0), 0.0, frame="deck"))
    head, row = str(plan).splitlines()[1:]
    assert head.split() == ["what", "start", "end", "from", "to", "cost"]
    assert points(row) == [(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)]


def test_what_stays_has_one_place(
    floor: World, go: Callable[..., Segment], plan_of: Callable[..., Plan]
) -> None:
    walk = go((0, 0, 0), (2, 0, 0), 0.0)
    plan = plan_of(floor, walk, go((2, 0, 0), (2, 0, 0), walk.end, kind="wait", seconds=1.0))
    assert len(points(str(plan).splitlines()[3])) == 1


def test_a_plan_whose_bodies_are_not_known_says_whose_coordinates_it_gives(ride: Plan) -> None:
    unknown = replace(ride, assumes=())
    assert "(-1.50, 0.00, 0.00) in the frame of lift" in str(unknown)
    assert "in the frame of lift" in unknown.explain()


def test_plans_of_older_files_are_placed_nearly(voyage: tuple[Plan, World]) -> None:
    plan, world = voyage
    older = replace(plan, assumes=assume(world, plan.start, plan.end))
    for row, exact in zip(str(older).splitlines()[2:], str(plan).splitlines()[2:], strict=True):
        np.testing.assert_allclose(points(row), points(exact), atol=0.03)


def test_the_headline_has_the_goal_in_the_world_when_it_is_reached(
    voyage: tuple[Plan, World],
) -> None:
    plan, world = voyage
    x, y, z = world.position(plan.goal.place, plan.end)
    goal = f"({x:.2f}, {y:.2f}, {z:.2f}) on barge"
    assert explain.goal(plan) == goal
    assert str(plan).startswith(f"adult reaches {goal} in ")


def test_goals_of_several_parts(yard: World) -> None:
    known = Assumed(assume(yard, 0.0, 10.0))
    lift, deck = Goal(Place("lift", np.zeros(3))), Goal(Place("deck", np.array([0.0, 0.5, -0.0])))
    both = AllOf((lift, AnyOf((deck, Region(body="deck")))), ordered=True)
    for seen in (known, yard):
        assert wording.goal(both, seen, 10.0) == (
            "(5.00, 0.00, 3.00) on lift, then (0.00, 0.50, 0.00) on deck or anywhere on 'deck'"
        )
    assert wording.goal(lift, yard, 5.0, at=True) == "(5.00, 0.00, 1.50) on lift at 5.00 s"
    assert wording.goal(deck, yard, 5.0, at=True) == "(0.00, 0.50, 0.00) on deck"


def test_a_body_is_exactly_where_it_was_at_ends_of_segments(voyage: tuple[Plan, World]) -> None:
    plan, world = voyage
    known = Assumed(plan.assumes)
    for segment in plan.segments:
        for t in (segment.start, segment.end):
            place = Place("raft", np.array([1.0, 2.0, 3.0]))
            if segment.frame == "raft":
                np.testing.assert_allclose(
                    known.point(place, t), world.position(place, t), atol=1e-12
                )


def test_what_was_only_seen_is_not_assumed_at_ends_of_segments(go: Callable[..., Segment]) -> None:
    seen = Observed.first(1.0, Pose.at(0.0), ahead=2.0, trust=0.4).then(2.0, Pose.at(1.0))
    world = World([Body(name="cart", mesh=box((1, 1, 1)), trajectory=seen)])
    ride = go((0, 0, 0.5), (0, 0, 0.5), 2.7, frame="cart", kind="ride", seconds=6.0)
    (known,) = assume(world, 2.0, 10.0, segments=[ride])
    assert 2.7 in known.times
    assert known.times[-1] == 4.0


def test_between_two_moments_a_body_turns_the_short_way() -> None:
    turning = Keyframed(
        [0.0, 1.0], [[0, 0, 0], [2, 0, 0]], [Pose.at(yaw=yaw).rotation for yaw in (0.0, pi / 2)]
    )
    world = World([Body(name="disc", mesh=box((1, 1, 1)), trajectory=turning)])
    (known,) = assume(world, 0.0, 1.0)
    assert known.moves
    for t in (-1.0, 0.0, 0.25, 0.5, 0.77, 1.0, 3.0):
        place = Place("disc", np.array([1.0, 0.0, 0.0]))
        np.testing.assert_allclose(
            known.point(place.position, t), world.position(place, t), atol=0.01
        )


def test_times_and_counts_have_units_and_no_exponents(ride: Plan) -> None:
    statistics = {
        "cells": 13032, "ground_ms": 47.2, "order_ms": 0.19, "nodes_expanded": 412, "searches": 1,
        "search_ms": 3.1, "total_ms": 1770.4, "training_ms": 1720.0, "memory_bytes": 0,
    }  # fmt: skip
    plan = replace(ride, statistics=statistics)
    assert str(plan).splitlines()[0].endswith("(hand, planned in 1.8 s, 1.7 s of it training)")
    assert plan.explain().splitlines()[-1] == (
        "Planning: training 1.7 s; ground: 13,032 cells in 47 ms; order of goals 0.19 ms; search:"
        " 1 search, 412 nodes expanded in 3.1 ms."
    )


def test_statistics_without_a_name_in_words_are_still_said(ride: Plan) -> None:
    plan = replace(ride, statistics={"old milliseconds": 2.5, "whatever_ms": 1770.0})
    assert plan.explain().endswith("Planning: 2.5 old milliseconds; whatever_ms 1.8 s.")
    assert str(plan).splitlines()[0].endswith("(hand)")


def test_the_table_says_what_when_where_cost(ride: Plan) -> None:
    lines = str(ride).splitlines()
    assert lines[0] == "adult reaches (8.00, 0.00, 3.00) in 13.31 s, cost 14.20 (hand)"
    assert lines[1].split() == ["what", "start", "end", "from", "to", "on", "cost"]
    assert lines[2].split()[:3] == ["walk", "-2.00", "0.69"]
    assert "ride" in lines[4]
    assert lines[4].endswith("8.00")
    assert len(lines) == 6


def test_the_explanation_gives_reasons_and_what_was_left(ride: Plan) -> None:
    walk, *rest = ride.segments
    jump = Alternative("jump to the deck", "it is 3 m up")
    later = Alternative("the next round", "it is 20 s later", 34.2)
    plan = replace(ride, segments=(replace(walk, instead=(jump, later)), *rest))
    text = plan.explain()
    assert "1. At -2.00 s walk 3.50 m to (3.50, 0.00, 0.00)" in text
    assert ", because the lift is level until 2 s." in text
    assert "Not: jump to the deck: it is 3 m up (cannot be done)." in text
    assert "Not: the next round: it is 20 s later (would cost 34.20 in all)." in text
    assert "step from the ground to lift at (5.00, 0.00, 0.00) until 1.85 s" in text
    assert "ride lift from (5.00, 0.00, 0.00) to (5.00, 0.00, 3.00) until 9.00 s" in text
    assert "It is carried by 'lift', whose motion is known for all time." in text


def test_the_explanation_of_a_jump_between_bodies(voyage: tuple[Plan, World]) -> None:
    text = voyage[0].explain()
    assert re.search(r"jump from \S+ \S+ \S+ on raft to .* on barge, 0.43 s in the air\.", text)
    assert "It is carried by 'raft' and 'barge', whose motion is known for all time." in text


def test_a_partial_plan_says_how_far_it_gets(ride: Plan) -> None:
    message = "1000 nodes were not enough; allow more"
    partial = replace(ride, segments=ride.segments[:1], status=Status(Outcome.EXHAUSTED, message))
    text = str(partial)
    assert f"does not reach (8.00, 0.00, 3.00): {message}" in text
    assert "the best way found ends at 0.69 s, (3.50, 0.00, 0.00)" in text
    on_lift = replace(partial, segments=ride.segments[:3])
    assert "the best way found ends at 9.00 s, (5.00, 0.00, 3.00) on lift" in str(on_lift)


def test_claims_that_do_not_hold_are_placed_in_the_world(ride: Plan, yard: World) -> None:
    yard.add(Body(name="crate", mesh=box((1.0, 1.0, 1.0), (5.0, 0.0, 2.0))))
    (first, *_) = [w for w in ride.check(yard).violations if w.place.body == "lift"]
    x, y, z = yard.position(first.place, first.time)
    assert f"({x:.2f}, {y:.2f}, {z:.2f}) on lift: " in str(first)
