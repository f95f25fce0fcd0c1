"""Cutting a clip into steps and whole actions, from its foot plants (beacco2013 4.1, 4.2).

A step starts with one foot on the ground and ends when the other has landed. Jumps are kept whole
with the crouch before and the landing after; so are turns on the spot, made of several steps, and
ducking; see `grouping`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.plants.plants import Plants
from surefoot.motion.steps.body import Body
from surefoot.motion.steps.step import Mode

LEFT, RIGHT, BOTH = 0, 1, 2

_TOGETHER = 0.12  # [s] within which two feet leave together
_LANDING_TOGETHER = 0.15  # [s] likewise land
_FLIGHT = 0.02  # [s] in the air that is no error of measurement
_SLIDING = 0.12  # [s] without a foot at rest and without a fall: nothing to cut there
_FALLING = -4.0  # [m/s^2] of the root; free fall is -9.8
_LEAP = 0.38  # [s] in the air that no runner is
_LEAD = 0.35  # [s] before a foot lifts that belongs to its step after a stand
_SHORTEST = 0.16  # [s] of a step
_RUNNING = 2.2  # [m/s]: nobody walks that fast
_CROUCHING = 1.5  # [m/s]: runners are low, too, but faster
_RISE = 0.08  # [m] between the feet that is a step up or down
_AT_REST = 0.15  # [m/s] of the root
_ON_THE_SPOT = 0.3  # [s] on the ground after a jump, less than which is a bounce
_WINDING_UP, _RECOVERING = 0.9, 1.0  # [s] at most, before and after a jump
CROUCHED = 0.86
"""Of the leg: a root that is lower is that of a body that crouches. Upright walkers' are at 0.92
or more, bouncing runners' at 0.85."""


@dataclass(frozen=True)
class Cut:
    """A piece of a clip."""

    mode: Mode
    support: int
    swing: int
    start: float
    end: float
    level: float
    """[m] of the ground under the support."""
    foot_from: Floats
    """`(3,)` [m], where the swing foot was planted, and where it is in the end."""
    foot_to: Floats
    confidence: float
    lands: bool = False
    """It starts when the support lands."""


class _Planted(NamedTuple):
    foot: int
    start: float
    end: float
    place: Floats
    confidence: float


def cut(plants: Plants, body: Body) -> list[Cut]:
    """Steps and jumps, in order; they do not overlap."""
    rows = plants.rows
    places = rows[:, 3:6].copy()
    if plants.floor_velocity is not None:
        middle = np.rint((rows[:, 1] + rows[:, 2]) / 2 * plants.rate).astype(np.intp)
        places[:, :2] -= plants.carried()[np.minimum(middle, plants.count - 1)]
    found = [
        _Planted(int(foot), start, end, place, confidence)
        for (foot, start, end, confidence), place in zip(
            rows[:, [0, 1, 2, 7]].tolist(), places, strict=True
        )
    ]
    of_foot = [[p for p in found if p.foot == foot] for foot in (LEFT, RIGHT)]
    result: list[Cut] = []
    done = 0.0
    landed_with_another: set[int] = set()
    for landed in found:
        if landed.start <= 0.0 or id(landed) in landed_with_another:
            continue
        own = _last_before(of_foot[landed.foot], landed.start)
        opposite = _last_before(of_foot[1 - landed.foot], landed.start)
        airborne = landed.start - max(
            (min(p.end, landed.start) for p in (own, opposite) if p is not None),
            default=landed.start,
        )
        made: Cut | None = None
        if airborne > _FLIGHT and not _falls(body, landed.start - airborne, landed.start):
            # No foot is found on the ground, and yet the body does not fall: feet slide.
            if airborne > _SLIDING:
                continue
            airborne = 0.0
        if airborne > _FLIGHT:
            partner = next(
                (
                    p
                    for p in of_foot[1 - landed.foot]
                    if landed.start <= p.start <= landed.start + _LANDING_TOGETHER
                ),
                None,
            )
            made = _jump(body, landed, partner, own, opposite, airborne, done)
            if made is not None and partner is not None:
                landed_with_another.add(id(partner))
        if made is None:
            made = _step(body, landed, own, opposite, airborne, done)
        if made is not None:
            result.append(made)
            done = made.end
    return result


def _last_before(plants: list[_Planted], time: float) -> _Planted | None:
    for plant in reversed(plants):
        if plant.start < time:
            return plant
    return None


def _step(
    body: Body,
    landed: _Planted,
    own: _Planted | None,
    support: _Planted | None,
    airborne: float,
    done: float,
) -> Cut | None:
    """A step of a walk or a run; None where the clip does not show all of it."""
    if own is None or support is None:
        return None
    start = max(done, support.start, own.end - _LEAD if own.end > support.start else 0.0)
    if landed.start - start < _SHORTEST:
        return None
    rise = float(landed.place[2] - support.place[2])
    speed = body.travelled(start, landed.start)[1] / sqrt(body.scale)
    mode: Mode = "walk"
    if airborne > _FLIGHT or speed > _RUNNING:
        mode = "run"
    elif abs(rise) > _RISE * body.scale:
        mode = "step up" if rise > 0 else "step down"
    elif body.crouched(start, landed.start) < CROUCHED and speed < _CROUCHING:
        mode = "crouch"
    return Cut(
        mode,
        support.foot,
        landed.foot,
        start,
        landed.start,
        float(support.place[2]),
        own.place,
        landed.place,
        min(own.confidence, support.confidence, landed.confidence),
        start == support.start > 0.0,
    )


def _jump(
    body: Body,
    landed: _Planted,
    partner: _Planted | None,
    own: _Planted | None,
    opposite: _Planted | None,
    airborne: float,
    done: float,
) -> Cut | None:
    """A jump with what leads up to it and what it takes to recover; None for a running step."""
    hop = own is not None and (opposite is None or own.end > opposite.end)
    from_both = own is not None and opposite is not None and abs(own.end - opposite.end) < _TOGETHER
    leap = airborne > _LEAP * sqrt(body.scale)
    if not (hop or from_both or partner is not None or leap):
        return None
    last = own if hop else opposite
    if last is None:
        return None
    takeoff = max(last.end, own.end if own is not None else 0.0)
    stood = max(last.start, own.start if own is not None and from_both else last.start, done)
    touched = max(landed.start, partner.start if partner is not None else 0.0)
    leaves = min(landed.end, partner.end if partner is not None else np.inf)
    from_place = last.place if own is None else own.place
    to_place = landed.place
    if partner is not None and own is not None and opposite is not None:
        from_place = (own.place + opposite.place) / 2
        to_place = (landed.place + partner.place) / 2
    known = [p for p in (last, own, landed, partner) if p is not None]
    return Cut(
        "jump",
        BOTH if from_both else last.foot,
        BOTH if partner is not None else landed.foot,
        _wind_up(body, stood, takeoff),
        touched if partner is None else _recovered(body, touched, leaves),
        float(last.place[2]),
        from_place,
        to_place,
        min(p.confidence for p in known),
    )


def _wind_up(body: Body, earliest: float, takeoff: float) -> float:
    """When the body, last at rest, starts to move for a jump."""
    first = max(earliest, takeoff - _WINDING_UP)
    frames = np.arange(int(np.ceil(first * body.rate)), int(takeoff * body.rate))
    frames = frames[frames / body.rate < takeoff - _SHORTEST]
    resting = frames[body.speed[frames] < _AT_REST * sqrt(body.scale)]
    # Rest at the bottom of the crouch does not count: legs are straight when it starts.
    resting = resting[body.crouch[resting] > CROUCHED]
    return float(resting[-1] / body.rate) if len(resting) else first


def _recovered(body: Body, touched: float, leaves: float) -> float:
    """When the body has come to rest after landing on both feet."""
    last = min(leaves, touched + _RECOVERING, (len(body.points) - 1) / body.rate)
    frames = np.arange(int(np.ceil(touched * body.rate)), int(last * body.rate) + 1)
    frames = frames[frames < len(body.speed)]
    slow = frames[body.speed[frames] < _AT_REST * sqrt(body.scale)]
    upright = slow[body.crouch[slow] > CROUCHED]
    if len(upright):
        return float(upright[0] / body.rate)
    return last if last - touched > _ON_THE_SPOT else touched


def _falls(body: Body, start: float, end: float) -> bool:
    """Whether the root falls freely, or nearly, between two moments."""
    first, last = body.frame(start - 0.02), body.frame(end + 0.02)
    heights = body.points[first : last + 2, 0, 2]
    if len(heights) < 4:
        return True
    times = np.arange(len(heights)) / body.rate
    squares = (times - times.mean()) ** 2
    squares -= squares.mean()
    return bool(2 * (squares @ heights) / (squares @ squares) < _FALLING)
