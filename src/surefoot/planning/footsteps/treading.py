"""Treading: what an action does with its feet, on whatever ground (beacco2013, 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.math import rotations
from surefoot.motion.playing.footage import Footfall, Take
from surefoot.motion.playing.legs import TOLERANCE

_MOMENT = 0.01  # [s] between moments at which feet are looked for in the air
_LATE = 0.06  # [s] by which a foot may land after the step that it ends


@dataclass(frozen=True, eq=False)
class Treading:
    """The feet of a part of a clip.

    Attributes:
        soles: `(2, 3)`: where left and right sole are when it ends, in the frame that the body
            travels in then: x and y [m], and where the toes point [rad].
        ground: `(2, 2)` [m]: what left and right foot are on, or come from, when it begins and
            when it ends; above the mean of both when it begins.
        lands: `(2,)`: which feet come down.
        often: whether a foot comes down more than once.
        leaves: `(2,)`, 0 to 1: when a foot that lands has left the ground.
        flies: whether both feet are in the air for a while.
        flight: `(2,)`, 0 to 1: from when to when, where they are.
        floor: [m] in the clip, of the mean when it begins.
    """

    soles: Floats
    ground: Floats
    lands: Bools
    often: bool
    leaves: Floats
    flies: bool
    flight: Floats
    floor: float

    @property
    def rise(self) -> float:
        """[m] how far up it goes by itself."""
        return float(self.ground[1].mean())


def treading(take: Take, start: float, end: float) -> Treading:
    """What the feet of a clip do from `start` to `end` [s]."""
    place, heading = take.frame(end)
    soles, ground = np.zeros((2, 3)), np.zeros((2, 2))
    lands, leaves = np.zeros(2, dtype=np.bool_), np.zeros(2)
    often = False
    c, s = cos(heading), sin(heading)
    for foot, falls in enumerate(take.footfalls):
        if not falls:
            continue
        last = _under(falls, end)
        away = last.position[:2] - place
        soles[foot] = (
            c * away[0] + s * away[1],
            c * away[1] - s * away[0],
            float(rotations.yaw(last.rotation)) - heading,
        )
        ground[:, foot] = _under(falls, start).position[2], last.position[2]
        landings = [one for one in falls if start + TOLERANCE < one.start <= end + TOLERANCE]
        lands[foot], often = bool(landings), often or len(landings) > 1
        before = [one.end for one in falls if one.start <= start + TOLERANCE]
        if landings and before:
            leaves[foot] = np.clip((before[-1] - start) / (end - start), 0.0, 0.9)
    floor = float(ground[0].mean())
    air = _in_the_air(take, start, end)
    flight = np.array([0.0, 0.0])
    if len(air):
        flight = (np.array([air[0], air[-1]]) - start) / (end - start)
    return Treading(
        soles, ground - floor, lands, often, leaves, len(air) > 0, flight, floor
    )  # fmt: skip


def landing_near(take: Take, foot: int, t: float) -> float:
    """When [s] a foot lands that is said to land at `t` [s]: exactly, where that is known."""
    near = [fall.start for fall in take.footfalls[foot] if abs(fall.start - t) <= _LATE]
    return min(near, key=lambda start: abs(start - t)) if near else t


def _under(falls: tuple[Footfall, ...], t: float) -> Footfall:
    """What a foot is on, or comes from."""
    before = [fall for fall in falls if fall.start <= t + TOLERANCE]
    return before[-1] if before else falls[0]


def _in_the_air(take: Take, start: float, end: float) -> Floats:
    """Moments [s] at which both feet are in the air."""
    moments = np.arange(start, end, _MOMENT)
    down = np.zeros(len(moments), dtype=np.bool_)
    for falls in take.footfalls:
        for fall in falls:
            down |= (moments >= fall.start - TOLERANCE) & (moments <= fall.end + TOLERANCE)
    return moments[~down]
