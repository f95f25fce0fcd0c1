"""A small world with a lift, and someone who walks onto it and rides up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from surefoot.animation import Animation, animate
from surefoot.character import people
from surefoot.planning import Goal, Outcome, Plan, Segment, Status
from surefoot.studio.serving import LOOPBACK, Page
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import box, slab

LIFT = Keyframed(
    np.array([0.0, 4.0, 7.0]),
    np.array([[3.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 0.0, 2.0]]),
)


@pytest.fixture(scope="session")
def lift_world() -> World:
    """A floor that ends where the lift begins; the lift goes up from 4 s to 7 s."""
    return World(
        [
            Body(name="floor", mesh=slab((4.0, 6.0, 0.2)), color=(0.7, 0.7, 0.7)),
            Body(name="lift", mesh=slab((2.0, 2.0, 0.1)), trajectory=LIFT, color=(0.8, 0.0, 0.0)),
            Body(name="post/red", mesh=box((0.2, 0.2, 1.0), (0.0, 2.5, 0.5))),
        ],
        name="landing",
    )


def segment(kind: str, times: list[float], positions: Any, frame: str | None = None) -> Segment:
    """A piece of a plan that faces along x."""
    return Segment(
        kind=kind,  # pyright: ignore[reportArgumentType]
        capability="walk",
        times=np.array(times),
        positions=np.array(positions, dtype=np.float64),
        headings=np.zeros(len(times)),
        frame=frame,
        cost=times[-1] - times[0],
    )


@pytest.fixture(scope="session")
def ride(lift_world: World) -> Animation:
    """A walk over the floor, onto the lift, and up with it."""
    adult = people.adult()
    plan = Plan(
        character=adult.name,
        capabilities={"walk": adult.capability("walk")},
        origin=lift_world.place((-1.0, 0.0, 0.1)),
        start=0.0,
        goal=Goal(lift_world.attach((3.0, 0.0, 2.0), "lift", 7.0)),
        segments=(
            segment("walk", [0.0, 2.4], [[-1.0, 0, 0], [1.9, 0, 0]]),
            segment("board", [2.4, 3.4], [[-1.1, 0, 0], [0.1, 0, 0]], "lift"),
            segment("ride", [3.4, 8.0], [[0.1, 0, 0], [0.1, 0, 0]], "lift"),
        ),
        status=Status(Outcome.REACHED, "there"),
        cost=8.0,
    )
    return animate(plan, lift_world, adult)


@pytest.fixture
def server() -> Iterator[Any]:
    """An empty page."""
    pytest.importorskip("viser", reason="viser is not installed: no studio here")
    page = Page(LOOPBACK, 0, "test")
    yield page.server
    page.stop()
