"""Ballistics: a pelvis that flies exactly when no foot is on the ground, and bounces in between.

In the air nothing acts but gravity: the way is a parabola, given by where it begins and ends. On
the ground the legs act like springs: the pelvis comes down at the speed that it lands with, is
caught, and leaves at the speed that it takes off with. Where there is time it sinks to its deepest
and comes up to where it would be without flights; in a run there is none, and one bounce joins two
flights. Height and velocity are continuous throughout, acceleration except at landings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.capability import GRAVITY
from surefoot.motion.curves import quintic, smoothstep
from surefoot.motion.gait.airtimes import Airtimes

BRIEF = 0.08
"""[s for a leg of 0.93 m]: flights shorter than this are hardly ones; a fast walk becomes a run
through them."""

# Times are in sqrt(L/g), so that they hold for people of every size; 0.308 s for a leg of 0.93 m.
ABSORBING = 0.27
"""How far the pelvis sinks after a landing, over the speed it lands with."""

STIFFNESS = 4.5
"""How hard the legs catch a landing at once, over the speed it lands with."""

PUSHING = 0.57
"""Of the speed at take-off: the mean one from the deepest point on."""

SITTING = 0.3
"""How far the pelvis goes back as it sinks: over what it sinks."""

DEEPEST = (0.38, 0.2)
"""[L] that it sinks, at most: where there is time, and on one foot in between two flights."""

_CATCH = 0.65  # from a landing to the deepest point
_PUSH = 0.78  # from the deepest point to a take-off
_RISING = (0.81, 0.91)  # from the deepest point until it is up again, and more after a hard landing
_SINKING = (0.65, 1.27)  # until the deepest point, and more for a high take-off
_APART = (0.16, 0.81)  # between two points of the path that are not one
_STEP = 0.02  # [s] over which the wished path's velocity is measured
_DOWN = np.array([0.0, 0.0, -GRAVITY])

Path = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class _Knot:
    """What the path differs from the wished one by at a moment: by, how fast, how bent."""

    time: float
    shift: Floats
    slope: Floats
    bend: Floats


class Ballistics:
    """Corrects a wished path of the pelvis.

    Args:
        airtimes: when it flies.
        wished: the path for times on the ground: positions `(n, 3)` [m] at times `(n,)` [s].
        ahead: likewise, the direction `(n, 3)` that the body faces.
        lifts: `(k, 3)` [m], where the flights begin.
        landings: `(k, 3)` [m], where they end.
        leg: [m].
    """

    def __init__(
        self, airtimes: Airtimes, wished: Path, ahead: Path, lifts: Floats, landings: Floats,
        leg: float,
    ) -> None:  # fmt: skip
        self.airtimes, self.lifts, self.leg = airtimes, lifts, leg
        self.beat, self.pace = sqrt(leg / GRAVITY), sqrt(leg * GRAVITY)
        """[s] and [m/s]: what times and speeds are measured in."""
        duration = airtimes.durations[:, None]
        self.launches = (landings - lifts) / duration - 0.5 * duration * _DOWN
        """`(k, 3)` [m/s] at take-off."""
        self.impacts = self.launches + duration * _DOWN
        """`(k, 3)` [m/s] at landing."""
        self._wished, self._ahead, self._landings = wished, ahead, landings
        groups = [self._contact(index) for index in range(len(airtimes) + 1)]
        knots = [knot for group in groups for knot in group]
        self._times = np.array([knot.time for knot in knots])
        self._shifts = np.array([knot.shift for knot in knots]).reshape(-1, 3)
        self._slopes = np.array([knot.slope for knot in knots]).reshape(-1, 3)
        self._bends = np.array([knot.bend for knot in knots]).reshape(-1, 3)
        sizes = [len(group) for group in groups]
        self._first = np.cumsum([0, *sizes[:-1]])
        self._last = np.cumsum(sizes) - 1

    def at(self, times: Floats, positions: Floats) -> Floats:
        """Positions `(n, 3)` [m] for the wished ones at `times` `(n,)` [s]."""
        if len(self.airtimes) == 0:
            return positions
        result = positions.copy()
        which = self.airtimes.at(times)
        on = np.flatnonzero(which < 0)
        result[on] += self._shift(times[on])
        up = np.flatnonzero(which >= 0)
        flight = which[up]
        since = (times[up] - self.airtimes.starts[flight])[:, None]
        fall = 0.5 * since**2 * _DOWN
        result[up] = self.lifts[flight] + since * self.launches[flight] + fall
        return result

    def _shift(self, times: Floats) -> Floats:
        """What is added to the wished path on the ground."""
        contact = np.searchsorted(self.airtimes.ends, times, side="right")
        first, last = self._first[contact], self._last[contact]
        after = np.clip(np.searchsorted(self._times, times, side="right"), first + 1, last)
        before = after - 1
        length = np.maximum(self._times[after] - self._times[before], 1e-9)
        total = np.zeros((len(times), 3))
        for knot, way in ((before, 1.0), (after, -1.0)):
            past = np.clip(way * (times - self._times[knot]) / length, 0.0, 1.0)
            there, slope, bend = (weight[:, None] for weight in quintic(past))
            size = length[:, None]
            total += there * self._shifts[knot] + way * size * slope * self._slopes[knot]
            total += size**2 * bend * self._bends[knot]
        return total

    def _contact(self, index: int) -> list[_Knot]:
        """The knots between one flight and the next."""
        landed = index > 0
        leaves = index < len(self.airtimes)
        start = float(self.airtimes.ends[index - 1]) if landed else -np.inf
        end = float(self.airtimes.starts[index]) if leaves else np.inf
        inner: list[_Knot] = []
        first = self._end(start, index - 1, 1, self.impacts) if landed else None
        last = self._end(end, index, -1, self.launches) if leaves else None
        low = self._caught(index - 1, start) if landed else None
        high = self._pushed(index, end) if leaves else None
        room = end - start - self.beat * ((_CATCH if landed else 0) + (_PUSH if leaves else 0))
        if low is not None and high is not None and first is not None and last is not None:
            inner = (
                _joined(low, high, room, self.beat)
                if room > 0.0
                else self._bounced(index, start, end)
            )
        elif low is not None:
            inner = low
        elif high is not None:
            inner = high
        return [knot for knot in (first, *inner, last) if knot is not None]

    def _bounced(self, index: int, start: float, end: float) -> list[_Knot]:
        """In a short contact: where the pelvis is deepest, if it would be too deep otherwise."""
        speed = max(-float(self.impacts[index - 1, 2]), 0.0)
        lower = min(float(self._landings[index - 1, 2]), float(self.lifts[index, 2]))
        low, length = lower - DEEPEST[1] * self.leg, end - start
        # A quintic goes down by about this much.
        if float(self._landings[index - 1, 2]) - 0.19 * speed * length > low:
            return []
        when = float(
            np.clip(2.2 * DEEPEST[1] * self.leg / max(speed, 1e-9), 0.25 * length, 0.5 * length)
        )
        return [self._low(start + when, low, 0.7 * speed / when)]

    def _end(self, t: float, flight: int, way: int, velocities: Floats) -> _Knot:
        """The knot at one end of a flight; `way` is 1 at a landing, -1 at a take-off."""
        here, near, far = self._wished(t + way * _STEP * np.array([0.0, 1.0, 2.0]))
        velocity = way * (4 * near - 3 * here - far) / (2 * _STEP)
        bend = np.array([0.0, 0.0, (here - 2 * near + far)[2] / _STEP**2])
        places = self._landings if way > 0 else self.lifts
        share = smoothstep(self.airtimes.durations[flight] / (self.airtimes.slow * BRIEF))
        slope = velocities[flight] - velocity
        force = _DOWN.copy()
        if way > 0:
            force[2] += STIFFNESS / self.beat * max(-float(velocities[flight, 2]), 0.0)
        return _Knot(t, places[flight] - here, slope, share * (force - bend))

    def _caught(self, flight: int, start: float) -> list[_Knot]:
        """After a landing: where the pelvis is deepest, and where it is up again."""
        speed = max(-float(self.impacts[flight, 2]), 0.0)
        sinks = min(ABSORBING * self.beat * speed, DEEPEST[0] * self.leg)
        low = start + _CATCH * self.beat
        hard = float(smoothstep(speed / (0.83 * self.pace)))
        up = low + self.beat * (_RISING[0] + _RISING[1] * hard)
        bend = 0.5 * speed / (_CATCH * self.beat)
        return [self._low(low, float(self._landings[flight, 2]) - sinks, bend), _rest(up)]

    def _pushed(self, flight: int, end: float) -> list[_Knot]:
        """Before a take-off: where the pelvis begins to sink, and where it is deepest."""
        speed, push = max(float(self.launches[flight, 2]), 0.0), _PUSH * self.beat
        sinks = min(PUSHING * speed * push, DEEPEST[0] * self.leg)
        high = min(speed / self.pace, 1.0)
        down = end - push - self.beat * (_SINKING[0] + _SINKING[1] * high)
        bend = 0.9 * speed / push
        return [_rest(down), self._low(end - push, float(self.lifts[flight, 2]) - sinks, bend)]

    def _low(self, t: float, height: float, bend: float) -> _Knot:
        wished = self._wished(np.array([t]))[0]
        sunk = max(float(wished[2]) - height, 0.0)
        shift = -SITTING * sunk * self._ahead(np.array([t]))[0]
        shift[2] = -sunk
        return _Knot(t, shift, np.zeros(3), np.array([0.0, 0.0, bend]))


def _rest(t: float) -> _Knot:
    return _Knot(t, np.zeros(3), np.zeros(3), np.zeros(3))


def _joined(low: list[_Knot], high: list[_Knot], room: float, beat: float) -> list[_Knot]:
    """The knots after a landing and before a take-off that leave `room` [s] between them."""
    if low[1].time < high[0].time - _APART[0] * beat:
        return [*low, *high]
    if room > _APART[1] * beat:
        return [low[0], high[1]]
    one, two = low[0], high[1]
    time = (one.time + two.time) / 2
    deeper = one if one.shift[2] < two.shift[2] else two
    return [_Knot(time, deeper.shift, deeper.slope, (one.bend + two.bend) / 2)]
