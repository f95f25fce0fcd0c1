"""How long a way takes: speeding up and slowing down as fast as one can, no faster than one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning.grid.leaps import CROUCHING, STRAIGHTENING
from surefoot.planning.grid.way import Piece, Route, Way


@dataclass(frozen=True, eq=False)
class Timed:
    """A piece of a way, or a part of one, with times.

    Attributes:
        piece: what is done.
        times: `(n,)` [s], increasing.
        lengths: `(n,)` along the way [m].
        positions: `(n, 3)` [m].
        headings: `(n,)` [rad].
        flight: (start, end) [s] of a jump's time in the air.
    """

    piece: Piece
    times: Floats
    lengths: Floats
    positions: Floats
    headings: Floats
    flight: tuple[float, float] | None = None

    def later(self, seconds: float) -> Timed:
        """The same, so much later."""
        flight = self.flight
        if flight is not None:
            flight = flight[0] + seconds, flight[1] + seconds
        return replace(self, times=self.times + seconds, flight=flight)


@dataclass(frozen=True, eq=False)
class Stretch:
    """Part of a way from rest to rest.

    Attributes:
        parts: at least one, in order.
    """

    parts: tuple[Timed, ...]

    @property
    def departure(self) -> float:
        """When it begins [s]."""
        return float(self.parts[0].times[0])

    @property
    def arrival(self) -> float:
        """When it ends [s]."""
        return float(self.parts[-1].times[-1])

    def length_at(self, t: float) -> float:
        """Where along the way one is at a time [m]."""
        for part in self.parts:
            if t <= part.times[-1]:
                return float(np.interp(t, part.times, part.lengths))
        return float(self.parts[-1].lengths[-1])

    def time_at(self, length: float) -> float:
        """When one is first at a length along the way [s]."""
        for part in self.parts:
            if length <= part.lengths[-1]:
                return float(np.interp(length, part.lengths, part.times))
        return self.arrival

    def later(self, seconds: float) -> Stretch:
        """The same, so much later."""
        return Stretch(tuple(part.later(seconds) for part in self.parts))


def paced(way: Way, start: float, end: float) -> Stretch:
    """A way between two lengths [m] at which one can stop, from rest to rest, from time 0 on."""
    pacing = _Pacing(way, start, end)
    return Stretch(tuple(pacing.timed()))


@dataclass(frozen=True, eq=False)
class _Ground:
    """Part of a piece on the ground: lengths along the way, and how fast one may be between."""

    index: int
    lengths: Floats
    limits: Floats


class _Pacing:
    """Paces the ground between flights, one stretch of it after the other."""

    def __init__(self, way: Way, start: float, end: float) -> None:
        self._way, self._start, self._end = way, start, end
        self._clock = 0.0
        self._out: dict[int, list[tuple[Floats, Floats, Floats]]] = {}
        self._flights: dict[int, tuple[float, float]] = {}

    def timed(self) -> list[Timed]:
        run: list[_Ground] = []
        speed = 0.0
        for index, piece in enumerate(self._way.pieces):
            low, high = float(self._way.starts[index]), float(self._way.starts[index + 1])
            if high <= self._start + 1e-9 or low >= self._end - 1e-9:
                continue
            if piece.leap is None:
                run += self._ground(index, max(low, self._start), min(high, self._end))
                continue
            leap, route = piece.leap, self._way.routes[index]
            take_off = low + Route.through(leap.run_up).length
            landing = high - Route.through(leap.run_out).length
            run += self._ground(index, low, take_off)
            self._pace(run, speed, 0.0 if leap.standing else leap.speed)
            if leap.standing:
                self._stand(index, take_off, route.at(np.array([take_off - low])), CROUCHING)
            self._fly(index, take_off, landing)
            if leap.standing:
                self._stand(index, landing, route.at(np.array([landing - low])), STRAIGHTENING)
            speed = 0.0 if leap.standing else leap.speed
            run = self._ground(index, landing, high)
        self._pace(run, speed, 0.0)
        return [self._finished(index) for index in sorted(self._out)]

    def _ground(self, index: int, low: float, high: float) -> list[_Ground]:
        if high - low < 1e-9:
            return []
        piece, route = self._way.pieces[index], self._way.routes[index]
        offset = float(self._way.starts[index])
        inside = route.lengths + offset
        inside = inside[(inside > low + 1e-6) & (inside < high - 1e-6)]
        lengths = np.concatenate([[low], inside, [high]])
        middles = (lengths[1:] + lengths[:-1]) / 2 - offset
        if piece.leap is not None:
            # A run-up must be as fast as the jump needs, whatever the ground is like.
            return [_Ground(index, lengths, np.full(len(middles), piece.leap.speed))]
        return [_Ground(index, lengths, piece.speed / route.slowness(middles))]

    def _pace(self, run: Sequence[_Ground], first: float, last: float) -> None:
        """Goes over some ground, at given speeds [m/s] at both ends."""
        if not run:
            return
        lengths = np.concatenate([[run[0].lengths[0]], *(part.lengths[1:] for part in run)])
        limits = np.concatenate([part.limits for part in run])
        push = np.concatenate(
            [np.full(len(p.limits), self._way.pieces[p.index].skill.acceleration) for p in run]
        )
        if len(lengths) == 2:
            # From rest to rest over one interval: speed up for half of it.
            middle = (lengths[0] + lengths[1]) / 2
            lengths = np.array([lengths[0], middle, lengths[1]])
            limits, push = np.repeat(limits, 2), np.repeat(push, 2)
            run = [_Ground(run[0].index, lengths, limits)]
        # Whoever lands faster than one goes on is caught with the first step.
        first = min(first, self._way.pieces[run[0].index].skill.max_speed)
        times = self._clock + _times(np.diff(lengths), limits, push, first, last)
        at = 0
        for part in run:
            here = slice(at, at + len(part.lengths))
            offset = float(self._way.starts[part.index])
            points = self._way.routes[part.index].at(part.lengths - offset)
            self._put(part.index, times[here], part.lengths, points)
            at += len(part.lengths) - 1
        self._clock = float(times[-1])

    def _stand(self, index: int, length: float, point: Floats, seconds: float) -> None:
        times = np.array([self._clock, self._clock + seconds])
        self._put(index, times, np.full(2, length), np.repeat(point, 2, axis=0))
        self._clock += seconds

    def _fly(self, index: int, take_off: float, landing: float) -> None:
        leap = self._way.pieces[index].leap
        assert leap is not None
        since = leap.frames
        lengths = take_off + (landing - take_off) * since / leap.airborne
        self._put(index, self._clock + since, lengths, leap.flight(since))
        self._flights[index] = self._clock, self._clock + leap.airborne
        self._clock += leap.airborne

    def _put(self, index: int, times: Floats, lengths: Floats, points: Floats) -> None:
        self._out.setdefault(index, []).append((times, lengths, points))

    def _finished(self, index: int) -> Timed:
        parts = self._out[index]
        # Each part begins with the moment that the last one ended with.
        times, lengths, positions = (
            np.concatenate([parts[0][i], *(part[i][1:] for part in parts[1:])]) for i in range(3)
        )
        headings = self._way.line.headings(lengths)
        flight = self._flights.get(index)
        return Timed(self._way.pieces[index], times, lengths, positions, headings, flight)


def _times(steps: Floats, limits: Floats, push: Floats, first: float, last: float) -> Floats:
    """`(n + 1,)` [s] from 0, over steps `(n,)` [m] with speed limits and accelerations for each."""
    squares = np.concatenate([[limits[0]], np.minimum(limits[1:], limits[:-1]), [limits[-1]]]) ** 2
    squares[0], squares[-1] = first**2, last**2
    # Under constant acceleration the square of the speed grows evenly with the distance.
    gained = np.concatenate([[0.0], np.cumsum(2 * push * steps)])
    rising = gained + np.minimum.accumulate(squares - gained)
    left = gained[-1] - gained
    falling = left + np.minimum.accumulate((squares - left)[::-1])[::-1]
    speeds = np.sqrt(np.minimum(rising, falling))
    # Whoever lands is as fast as that, even where the ground ends soon.
    speeds[0] = max(speeds[0], first)
    return np.concatenate([[0.0], np.cumsum(2 * steps / (speeds[1:] + speeds[:-1]))])
