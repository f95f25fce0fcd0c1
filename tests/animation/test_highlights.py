"""Highlights: what a plan boards, rides and jumps is what its filmstrip shows."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation import Animation, animate
from surefoot.animation.highlights import highlights, moments
from surefoot.character import people
from surefoot.planning import Goal, Kind, Outcome, Plan, Segment, Status
from surefoot.world import Body, Keyframed, Place, World
from surefoot.world.primitives import slab


@pytest.fixture(scope="module")
def animation() -> Animation:
    """Walks along a floor, waits, and walks on; a cart goes by."""
    rolls = Keyframed(np.array([0.0, 9.0]), np.array([[-4.0, 3.0, 0.5], [4.0, 3.0, 0.5]]))
    world = World([
        Body(name="floor", mesh=slab((16.0, 12.0, 0.3))),
        Body(name="cart", mesh=slab((1.0, 1.0, 0.5)), trajectory=rolls),
    ])  # fmt: skip
    adult = people.adult()

    def segment(kind: Kind, start: float, end: float, x: float, to: float) -> Segment:
        return Segment(kind=kind, capability="walk", times=np.array([start, end]),
                       positions=np.array([[x, 0.0, 0.0], [to, 0.0, 0.0]]),
                       headings=np.zeros(2))  # fmt: skip

    plan = Plan(
        character=adult.name, capabilities=adult.capabilities, start=0.0,
        origin=Place(None, np.array([-3.0, 0.0, 0.0])),
        goal=Goal(Place(None, np.array([3.0, 0.0, 0.0]))),
        segments=(segment(Kind.WALK, 0.0, 3.0, -3.0, 0.0), segment(Kind.WAIT, 3.0, 6.0, 0.0, 0.0),
                  segment(Kind.WALK, 6.0, 9.0, 0.0, 3.0)),
        status=Status(Outcome.REACHED, "there"),
    )  # fmt: skip
    return animate(plan, world, adult)


def test_what_tells_most_is_shown_in_order(animation: Animation) -> None:
    assert moments(animation, 8) == [(0.3, "start"), (4.5, "wait"), (9.0, "there")]
    assert moments(animation, 2) == [(0.3, "start"), (4.5, "wait")]


def test_a_strip_has_a_picture_for_each(animation: Animation) -> None:
    strip = highlights(animation, size=(80, 60), columns=2, quality="draft")
    assert strip.size == (2 * 80 + 6, 2 * 60 + 6)
    shots = [strip.pixels[:60, :80], strip.pixels[:60, 86:]]
    assert np.abs(shots[0].astype(int) - shots[1].astype(int)).mean() > 2.0
