"""Stance: what each foot stands on now, and where the feet belong beside the body."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.capability import GRAVITY
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.footholds import Foothold, Holds, Side
from surefoot.motion.gait import pace, run, walk
from surefoot.motion.gait.soles import middle_ahead
from surefoot.motion.gait.track import Ground
from surefoot.world import World

SHARPEST = 0.3
"""Of gravity: the most that feet go outward for in a turn."""

_FORWARD = np.array([1.0, 0.0, 0.0])


class Stance:
    """The footholds that both feet stand on.

    Args:
        world: whose bodies carry them.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.holds: dict[Side, Foothold] = {}
        self._carried: dict[Side, Holds] = {}

    def put(self, hold: Foothold) -> None:
        """Puts a foot down."""
        self.holds[hold.foot] = hold
        self._carried[hold.foot] = Holds(self.world, [hold])

    def soles(self, side: Side, times: Floats) -> tuple[Floats, Floats]:
        """Positions `(n, 3)` [m] and rotations `(n, 4)` of the sole a foot stands on."""
        return self._carried[side].frames(np.zeros(len(times), dtype=np.intp), times)

    def to_carrier(self, side: Side, points: Floats, times: Floats) -> Floats:
        """World points `(n, 3)` [m] in the frame of what carries a foot."""
        return self._carried[side].to_carrier(np.zeros(len(times), dtype=np.intp), points, times)

    def facing(self, side: Side, times: Floats) -> Floats:
        """Unit directions `(n, 3)` in which the toes point."""
        _, turned = self.soles(side, times)
        return rotations.rotate(turned, _FORWARD)


def beside(side: Side, ground: Ground, measures: Measures) -> tuple[Floats, Floats]:
    """Where a foot belongs: middles of the sole `(n, 3)` [m] and headings `(n,)` [rad]."""
    leg = measures.leg_length
    ratio = walk.speed_ratio(ground.speed, leg)
    runs = pace.run_share(ratio, ground.gait)
    width = pace.width(ratio, runs)
    # Sideways, the feet must not meet: one steps out, the other only follows.
    aside = 0.47 * np.abs(ground.sideways) * pace.stride_time(ratio, runs, leg) / leg
    back = np.sign(ground.forward) * pace.trail(walk.speed_ratio(ground.forward, leg), runs)
    # Runners lean into their speeding up, and against their braking.
    back = back + runs * run.SURGE * np.clip(ground.surge / GRAVITY, -SHARPEST, SHARPEST)
    sharpest = SHARPEST * (1 + runs)
    lean = np.clip(ground.forward * ground.turning / GRAVITY, -sharpest, sharpest)
    out = outward(side)
    to_left = leg * (out * (width + aside) / 2 - walk.OUTWARD * lean)
    facing = ground.heading + out * walk.TOE_OUT
    return (
        ground.position
        + along(ground.heading, -back * leg)
        + along(ground.heading + np.pi / 2, to_left)
        + along(facing, np.full_like(facing, middle_ahead(measures))),
        facing,
    )


def along(headings: Floats, lengths: Floats) -> Floats:
    """Level vectors `(n, 3)` of given directions [rad] and lengths [m]."""
    return np.stack(
        [lengths * np.cos(headings), lengths * np.sin(headings), np.zeros_like(lengths)], axis=-1
    )


def outward(side: Side) -> float:
    """1 for the left foot, -1 for the right: the sign of its outer side."""
    return 1.0 if side == "left" else -1.0


def other(side: Side) -> Side:
    """The other foot."""
    return "right" if side == "left" else "left"
