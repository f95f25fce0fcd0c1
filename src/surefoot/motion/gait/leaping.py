"""Leaping: which foot leaves and meets the ground where, at either end of a flight."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.motion.footholds import SIDES, Foothold, Side, attached
from surefoot.motion.gait import walk
from surefoot.motion.gait.course import Leap
from surefoot.motion.gait.soles import middle_ahead, rest
from surefoot.motion.gait.stance import along, outward
from surefoot.world import Place, World

TILTED = 0.12
"""[m] above and below a place in which the ground is looked for that tilts a foot."""

QUICKEST_STEP = 0.2
"""[s for a leg of 0.93 m]: what is left before a take-off must be more than this for another
step."""

LONGEST_STANCE = 0.3
"""[s likewise] of the foot that takes off alone."""


def take_off(
    world: World, measures: Measures, leap: Leap, side: Side, heading: float, start: float
) -> Foothold:
    """The foothold that one foot takes off from, in the flight's own place."""
    place = leap.flight.flight.take_off
    return _hold(world, measures, side, place, leap.start, heading, start, leap.start, alone=True)


def touch_down(
    world: World, measures: Measures, leap: Leap, side: Side, heading: float
) -> Foothold:
    """The foothold that a foot lands on: in the flight's own place, or beside it with both."""
    place, t = leap.flight.flight.landing, leap.end
    return _hold(world, measures, side, place, t, heading, t, float("inf"), alone=leap.one_down)


def _hold(
    world: World, measures: Measures, side: Side, place: Place, t: float, heading: float,
    start: float, end: float, *, alone: bool,
) -> Foothold:  # fmt: skip
    """A foot at a place that a body carries at `t`: its middle there, or as it would stand."""
    point = world.position(place, t)[None]
    facing = np.array([heading + outward(side) * walk.TOE_OUT * (0.5 if alone else 1.0)])
    if not alone:
        point = point + _beside(side, heading, facing, measures)
    sole = rest(world, measures, point, facing, np.array([t]), reach=TILTED)
    position = np.array([point[0, 0], point[0, 1], sole.position[0, 2]])
    return attached(world, side, place.body, position, sole.rotation[0], start, end, at=t)


def _beside(side: Side, heading: float, facing: Floats, measures: Measures) -> Floats:
    """`(1, 3)` [m] from between the feet to where one of them stands."""
    half = np.array([outward(side) * walk.STANDING_WIDTH / 2 * measures.leg_length])
    across = along(np.array([heading + np.pi / 2]), half)
    return across + along(facing, np.array([middle_ahead(measures)]))


def stance_time(stride: float, duty: float, slow: float) -> float:
    """[s] that a foot is on the ground before it takes off alone; `slow` as in `similarity`."""
    return min(duty * stride, slow * LONGEST_STANCE)


def first_down(took_off: Side | None, lead: Side) -> Side:
    """Which foot lands first: not the one that took off alone."""
    if took_off is None:
        return lead
    return SIDES[1 - SIDES.index(took_off)]
