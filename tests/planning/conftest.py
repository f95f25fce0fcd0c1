"""Plans and worlds written by hand, small enough to see what is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from surefoot.character import Character, people
from surefoot.planning import Goal, Outcome, Plan, Segment, Status, assume
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import slab


@pytest.fixture(scope="session")
def adult() -> Character:
    return people.adult()


@pytest.fixture
def floor() -> World:
    """A floor of 20 m by 20 m, its top at z = 0."""
    return World([Body(name="floor", mesh=slab((20.0, 20.0, 0.2)))])


@pytest.fixture
def yard() -> World:
    """The floor, and a lift at x = 5 that goes from 0 to 3 m and back in 20 s."""
    lift = Keyframed(
        [0.0, 2.0, 8.0, 12.0, 18.0, 20.0],
        [[5, 0, 0], [5, 0, 0], [5, 0, 3], [5, 0, 3], [5, 0, 0], [5, 0, 0]],
        repeat="loop",
    )
    deck = Body(name="deck", mesh=slab((4.0, 4.0, 0.2), (8.0, 0.0, 3.0)))
    return World(
        [
            Body(name="floor", mesh=slab((8.0, 20.0, 0.2))),
            Body(name="lift", mesh=slab((2.0, 2.0, 0.1)), trajectory=lift),
            deck,
        ]
    )


@pytest.fixture
def go() -> Callable[..., Segment]:
    """A straight segment: `go((0, 0, 0), (2, 0, 0), t)`."""

    def make(
        start: Any, end: Any, t: float = 0.0, *, kind: str = "walk", speed: float = 1.3, **more: Any
    ) -> Segment:
        positions = np.array([start, end], dtype=np.float64)
        seconds = more.pop("seconds", float(np.linalg.norm(positions[1] - positions[0])) / speed)
        toward = positions[1] - positions[0]
        heading = float(np.arctan2(toward[1], toward[0]))
        fields = {
            "kind": kind,
            "capability": "walk",
            "times": np.array([t, t + seconds]),
            "positions": positions,
            "headings": np.full(2, heading),
        }
        return Segment(**(fields | more))

    return make


@pytest.fixture
def plan_of(adult: Character) -> Callable[..., Plan]:
    """A plan of some segments that says it reaches where it ends."""

    def make(world: World, *segments: Segment, **more: Any) -> Plan:
        first, last = segments[0], segments[-1]
        fields = {
            "character": "adult",
            "capabilities": dict(adult.capabilities),
            "origin": first.place(first.start),
            "start": first.start,
            "goal": Goal(last.place(last.end)),
            "segments": segments,
            "status": Status(Outcome.REACHED, "the goal is reached"),
            "cost": sum(segment.cost for segment in segments),
            "assumes": assume(world, first.start, last.end, segments=segments),
            "planner": "hand",
        }
        return Plan(**(fields | more))

    return make


@pytest.fixture
def ride(yard: World, go: Callable[..., Segment], plan_of: Callable[..., Plan]) -> Plan:
    """Walk onto the lift, ride it up, walk off onto the deck."""
    walk = go((0, 0, 0), (3.5, 0, 0), -2.0, cost=2.7, because="the lift is level until 2 s")
    board = go((-1.5, 0, 0), (0, 0, 0), walk.end, kind="board", frame="lift", cost=1.2)
    up = go((0, 0, 0), (0, 0, 0), board.end, seconds=9.0 - board.end, kind="ride", frame="lift")
    off = go((5, 0, 3), (8, 0, 3), 9.0, kind="walk", cost=2.3)
    return plan_of(yard, walk, board, replace(up, cost=8.0), off)
