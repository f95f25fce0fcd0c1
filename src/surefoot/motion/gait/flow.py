"""Flow: what the whole body needs to know about each moment of a walk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.capability import GRAVITY
from surefoot.math import rotations
from surefoot.motion.curves import smoothed, wrapped
from surefoot.motion.footholds import Holds
from surefoot.motion.gait import walk
from surefoot.motion.gait.rhythm import Rhythm
from surefoot.motion.gait.track import Ground, Track

LOOK_AHEAD = 0.4
"""[s] that the head looks where the body will go."""

_RATE = 120.0
_SMOOTHING = 0.2  # [s]


@dataclass(frozen=True, eq=False)
class Flow:
    """A walk at `n` moments; every array is `(n,)` unless it says otherwise.

    Attributes:
        times: [s].
        track: where the body is, and how it moves over the ground.
        phase: of the gait; 0 at a left contact.
        activity: 1 walking, 0 standing.
        vigour: how much of a full walk's swing there is: little when slow.
        ratio: v*, speed without dimension.
        floor: [m] height of the ground that carries the body, smoothed over its steps.
        climb: [rad] how steeply that goes up along the heading.
        surge: [rad] the lean that balances speeding up.
        bank: [rad] the lean that balances a turn; to the left is positive.
        look: [rad] how far to the left of the heading the body will face soon.
    """

    times: Floats
    track: Ground
    phase: Floats
    activity: Floats
    vigour: Floats
    ratio: Floats
    floor: Floats
    climb: Floats
    surge: Floats
    bank: Floats
    look: Floats


class Flows:
    """Makes flows of one walk.

    Args:
        track: where the body goes.
        holds: the footholds of both feet.
        leg: [m].
    """

    def __init__(self, track: Track, holds: Holds, leg: float) -> None:
        self.track, self.holds, self.leg = track, holds, leg
        self.rhythm = Rhythm(holds.footholds)
        count = round((track.until - track.start) * _RATE) + 1
        self.grid = track.start + np.arange(count + 1) / _RATE
        ground = track.at(self.grid)
        self._weights = _loads(holds, self.grid, leg)
        self._speed = smoothed(ground.speed, round(_SMOOTHING * _RATE))
        width = round(_SMOOTHING * _RATE)
        forward = smoothed(ground.forward, width)
        self._surge = np.arctan(smoothed(np.gradient(forward, 1 / _RATE), width) / GRAVITY)
        climbing = np.gradient(self._floor(self.grid, ground.position), 1 / _RATE)
        carried = np.gradient(self._carried_floor(), 1 / _RATE)
        climbing = smoothed(climbing - carried, width)
        self._climb = np.arctan2(climbing, np.maximum(np.abs(forward), 0.3)) * np.sign(forward)

    def at(self, times: Floats) -> Flow:
        """The flow at `times` `(n,)` [s], inside the track."""
        track = self.track.at(times)
        activity = self.rhythm.activity(times)
        ratio = walk.speed_ratio(np.interp(times, self.grid, self._speed), self.leg)
        later = self.track.at(times + LOOK_AHEAD)
        return Flow(
            times=times,
            track=track,
            phase=self.rhythm.phase(times),
            activity=activity,
            vigour=activity * np.clip(ratio / walk.FITTED[0], 0.0, 1.0),
            ratio=ratio,
            floor=self._floor(times, track.position),
            climb=np.interp(times, self.grid, self._climb),
            surge=np.interp(times, self.grid, self._surge),
            bank=np.arctan(track.forward * track.turning / GRAVITY),
            look=np.clip(wrapped(later.heading - track.heading), -0.7, 0.7),
        )

    def _floor(self, times: Floats, body: Floats) -> Floats:
        """The height under the body of the planes of its footholds, each as much as it carries."""
        total, weight = np.zeros(len(times)), np.zeros(len(times))
        for index, (first, load) in enumerate(self._weights):
            knots = self.grid[first : first + len(load)]
            at = np.flatnonzero((times >= knots[0]) & (times <= knots[-1]))
            if len(at) == 0:
                continue
            share = np.interp(times[at], knots, load)
            position, turned = self.holds.frames(np.full(len(at), index), times[at])
            normal = rotations.rotate(turned, [0.0, 0.0, 1.0])
            away = ((body[at] - position) * normal)[:, :2].sum(axis=1)
            total[at] += share * (position[:, 2] - away / np.maximum(normal[:, 2], 0.3))
            weight[at] += share
        return total / np.maximum(weight, 1e-9)

    def _carried_floor(self) -> Floats:
        """How far what moves has lifted the body, so that riding a lift is not climbing."""
        rate = np.zeros(len(self.grid))
        weight = np.full(len(self.grid), 1e-9)
        for index, (first, load) in enumerate(self._weights):
            window = slice(first, first + len(load))
            which = np.full(len(load), index)
            times = self.grid[window]
            before, _ = self.holds.frames(which, times - 0.5 / _RATE)
            after, _ = self.holds.frames(which, times + 0.5 / _RATE)
            rate[window] += load * (after - before)[:, 2]
            weight[window] += load
        return np.cumsum(rate / weight)


def _loads(holds: Holds, grid: Floats, leg: float) -> list[tuple[int, Floats]]:
    """How much each foothold carries over time: where it begins in the grid, and its loads.

    One in mid-stance carries everything; from mid-stance to mid-stance it changes evenly, so that
    stairs and slopes are climbed at an even pace.
    """
    usual = float(walk.duty(0.35) * walk.stride_time(0.35, leg))
    last = grid[-1]
    raw: list[tuple[int, Floats]] = []
    total = np.zeros(len(grid))
    for start, end in zip(holds.starts, holds.ends, strict=True):
        end = min(end, last + 2 * usual)
        stance = min(end - start, 1.6 * usual)
        rise, fall = start + stance / 2, max(end - stance / 2, start + stance / 2)
        ramp = 0.81 * stance  # from one foot's mid-stance to the other's
        first, final = np.searchsorted(grid, [rise - 1.35 * ramp, fall + 1.35 * ramp])
        first, final = int(max(first - 2, 0)), int(min(final + 2, len(grid)))
        if final - first < 2:
            first, final = max(min(first, len(grid) - 2), 0), min(max(final, 2), len(grid))
        times = grid[first:final]
        hat = np.minimum((times - rise) / ramp + 1, (fall - times) / ramp + 1)
        hat = np.clip(hat, 0.0, 1.0)
        load = smoothed(hat, round(0.3 * ramp * _RATE)) + 1e-6
        raw.append((first, load))
        total[first:final] += load
    return [(first, load / total[first : first + len(load)]) for first, load in raw]
