"""Plans to animate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from surefoot.animation import Animation, animate
from surefoot.character import Character, people
from surefoot.planning import Goal, Kind, Outcome, Plan, Segment, Status
from surefoot.world import Body, Keyframed, Place, World, along
from surefoot.world.primitives import box, slab


@pytest.fixture(scope="session")
def adult() -> Character:
    return people.adult()


@pytest.fixture(scope="session")
def station() -> World:
    """A platform, a train that leaves at 7 s, a door, a fan, a lamp that jumps, a tram."""
    train = Keyframed([0.0, 7.0, 13.0], [[5.0, 0.0, 0.0], [5.0, 0.0, 0.0], [5.0, 9.0, 0.0]])
    door = Keyframed(
        [0.0, 1.0, 2.0, 3.0], [[-2.0, 3.0, 1], [-2.0, 3, 1], [-1, 3, 1], [-2, 3, 1]], repeat="loop"
    )
    half = np.array([0.0, 0.0, 1.0, 0.0])
    fan = Keyframed(
        [0.0], [[0.0, 4.0, 2.5]], [[1.0, 0, 0, 0], half], rotation_times=[0.5, 1.7],
        span=(0.0, 2.0), repeat="ping-pong",
    )  # fmt: skip
    lamp = Keyframed(
        [0.0, 0.7, 1.9], [[0.0, 5, 3], [0, 5, 3.5], [1, 5, 3]], interpolation="step", repeat="loop"
    )
    tram = along([[-3.0, -4, 0], [0, -5, 0.2], [3, -4, 0]], 1.3, repeat="ping-pong")
    return World(
        [
            Body(
                name="platform", mesh=slab((8.0, 6.0, 0.3)), tags={"material": "stone", "cost": 2}
            ),
            Body(name="train", mesh=slab((2.0, 4.0, 0.3)), trajectory=train, color=(0.2, 0.4, 0.8)),
            Body(name="door", mesh=box((1.0, 0.1, 2.0)), trajectory=door),
            Body(name="fan", mesh=box((1.0, 0.1, 0.1)), trajectory=fan),
            Body(name="lamp", mesh=box((0.2, 0.2, 0.2)), trajectory=lamp),
            Body(name="tram", mesh=box((1.0, 0.6, 0.6)), trajectory=tram),
        ],
        name="station",
    )


Make = Callable[..., Plan]


@pytest.fixture(scope="session")
def make_plan(adult: Character) -> Make:
    """A plan of segments, for the adult."""

    def make(*segments: Segment, reached: bool = True, **more: Any) -> Plan:
        first = segments[0] if segments else None
        return Plan(
            character=adult.name,
            capabilities=adult.capabilities,
            origin=Place(None, np.zeros(3) if first is None else first.positions[0]),
            start=0.0 if first is None else first.start,
            goal=Goal(Place(None, np.zeros(3))),
            segments=segments,
            status=Status(
                Outcome.REACHED if reached else Outcome.UNREACHABLE,
                "reached" if reached else "a wall is in the way",
            ),
            planner="by hand",
            **more,
        )

    return make


def segment(
    kind: Kind, times: list[float], points: list[list[float]], headings: list[float],
    frame: str | None = None, **more: Any,
) -> Segment:  # fmt: skip
    """A segment with the walk's capability."""
    return Segment(
        kind=kind,
        capability="walk",
        times=np.array(times),
        positions=np.array(points),
        headings=np.array(headings),
        frame=frame,
        **more,
    )


@pytest.fixture(scope="session")
def journey(make_plan: Make) -> Plan:
    """Walk, turn, wait, board the train, ride."""
    east, north = 0.0, np.pi / 2
    start, edge, inside = [-2.0, -1.0, 0.0], [3.2, -1.0, 0.0], [-0.2, 0.0, 0.0]
    return make_plan(
        segment(Kind.TURN, [0.5, 1.3], [start, start], [north, east]),
        segment(Kind.WALK, [1.3, 4.7], [start, [2.4, -1.0, 0.0]], [east, east]),
        segment(Kind.WAIT, [4.7, 5.0], [[2.4, -1.0, 0.0]] * 2, [east, east], because="the bell"),
        segment(Kind.BOARD, [5.0, 5.8], [[2.4, -1.0, 0.0], edge], [east, east]),
        segment(Kind.WALK, [5.8, 7.4], [[-1.8, -1.0, 0.0], inside], [east, east], "train"),
        segment(Kind.RIDE, [7.4, 9.0], [inside, inside], [east, east], "train"),
    )


@pytest.fixture(scope="session")
def ride(journey: Plan, station: World, adult: Character) -> Animation:
    """The journey, animated."""
    return animate(journey, station, adult, rate=30.0)
