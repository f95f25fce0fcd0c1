"""Flow: what the whole body needs to know about each moment of a walk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.capability import GRAVITY
from surefoot.math import rotations
from surefoot.motion.curves import smoothed, wrapped
from surefoot.motion.footholds import Holds
from surefoot.motion.gait import pace, walk
from surefoot.motion.gait.airtimes import airtimes
from surefoot.motion.gait.course import Course
from surefoot.motion.gait.loads import loads
from surefoot.motion.gait.rhythm import Rhythm
from surefoot.motion.gait.similarity import slowness
from surefoot.motion.gait.track import Ground

LOOK_AHEAD = 0.4
"""[s] that the head looks where the body will go."""

_RATE = 120.0
_SMOOTHING = 0.2  # [s for a leg of 0.93 m]
_GATHERING = 0.8  # [s likewise] before and after a flight
_SLOW = 0.2  # [m/s likewise] at which going up tells little about how steep it is


@dataclass(frozen=True, eq=False)
class Flow:
    """A walk at `n` moments; every array is `(n,)` unless it says otherwise.

    Attributes:
        times: [s].
        track: where the body is, and how it moves over the ground.
        phase: of the gait; 0 at a left contact.
        activity: 1 walking or running, 0 standing.
        runs: how much of that is a run, 0..1.
        idles: how much it only stands, and does not gather for a jump either, 0..1.
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
    runs: Floats
    idles: Floats
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
        course: where the body goes.
        holds: the footholds of both feet.
        leg: [m].
    """

    def __init__(self, course: Course, holds: Holds, leg: float) -> None:
        self.course, self.holds, self.leg = course, holds, leg
        self.slow = slowness(leg)
        """Times, and speeds, of this body over an adult's."""
        self.rhythm = Rhythm(holds.footholds, leg)
        self.airtimes = airtimes(holds.footholds, leg)
        count = round((course.until - course.start) * _RATE) + 1
        self.grid = course.start + np.arange(count + 1) / _RATE
        ground = course.at(self.grid)
        aloft = np.zeros(len(self.grid), dtype=np.bool_)
        for leap in course.leaps:
            aloft |= (self.grid > leap.start) & (self.grid < leap.end)
        self._weights = loads(holds, self.grid, leg, course.leaps)
        # In the air a body is as fast as before and after, not as far as it jumps.
        speed = np.interp(self.grid, self.grid[~aloft], ground.speed[~aloft])
        width = round(self.slow * _SMOOTHING * _RATE)
        self._speed = smoothed(speed, width)
        self._still = 1 - smoothed(self._gathers(), 2 * width)
        forward = smoothed(ground.forward, width)
        self._surge = np.arctan(smoothed(ground.surge, width) / GRAVITY)
        turning = np.where(aloft, 0.0, ground.turning)
        self._bank = np.arctan(smoothed(ground.forward * turning, width // 2) / GRAVITY)
        climbing = np.gradient(self._floor(self.grid, ground.position), 1 / _RATE)
        carried = np.gradient(self._carried_floor(), 1 / _RATE)
        climbing = smoothed(np.where(aloft, 0.0, climbing - carried), width)
        self._climb = np.arctan(climbing * forward / (forward**2 + (self.slow * _SLOW) ** 2))

    def at(self, times: Floats) -> Flow:
        """The flow at `times` `(n,)` [s], inside the track."""
        track = self.course.at(times)
        activity = self.rhythm.activity(times)
        ratio = walk.speed_ratio(np.interp(times, self.grid, self._speed), self.leg)
        later = self.course.at(times + LOOK_AHEAD)
        return Flow(
            times=times,
            track=track,
            phase=self.rhythm.phase(times),
            activity=activity,
            runs=self._runs(times, track.gait),
            idles=(1 - activity) * np.interp(times, self.grid, self._still),
            vigour=activity * np.clip(ratio / walk.FITTED[0], 0.0, 1.0),
            ratio=ratio,
            floor=self._floor(times, track.position),
            climb=np.interp(times, self.grid, self._climb),
            surge=np.interp(times, self.grid, self._surge),
            bank=np.interp(times, self.grid, self._bank),
            look=np.clip(wrapped(later.heading - track.heading), -0.7, 0.7),
        )

    def _runs(self, times: Floats, gait: Floats) -> Floats:
        """How much of a run it is; who is about to run begins as one."""
        soon = np.interp(times + self.slow * pace.FORESIGHT, self.grid, self._speed)
        speed = np.maximum(np.interp(times, self.grid, self._speed), pace.SOON * soon)
        return pace.run_share(walk.speed_ratio(speed, self.leg), gait)

    def _gathers(self) -> Floats:
        """1 from the preparation of a jump until it is over, else 0, on the grid."""
        gathers, about = np.zeros(len(self.grid)), self.slow * _GATHERING
        for start, end in zip(self.airtimes.starts, self.airtimes.ends, strict=True):
            gathers[(self.grid > start - about) & (self.grid < end + about)] = 1.0
        return gathers

    def _floor(self, times: Floats, body: Floats) -> Floats:
        """The height under the body of the planes of its footholds, each as much as it carries."""
        total, weight = np.zeros(len(times)), np.zeros(len(times))
        for index, (first, load) in enumerate(self._weights):
            knots = self.grid[first : first + len(load)]
            at = np.flatnonzero((times >= knots[0]) & (times <= knots[-1]))
            if len(at) == 0:
                continue
            share = np.interp(times[at], knots, load)
            position, turned = self.holds.grounds(np.full(len(at), index), times[at])
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
