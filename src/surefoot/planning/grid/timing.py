"""When to go which part of a way: past bodies that move, by waiting before them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, interpolate
from surefoot.character import Capability
from surefoot.planning.grid.pacing import Stretch, paced
from surefoot.planning.grid.way import Way
from surefoot.planning.standing import cylinder
from surefoot.world import Contact, Place, TimedPath, World

LONGEST_LOOK_BACK = 6.0
"""[m] How far before an obstacle a place to wait is looked for."""

_BEAT = 0.05
"""[s] between the moments at which it is asked what carries somebody."""

_PASSING = 0.15
"""[m] between the places that must be free while somebody passes them."""

_SLIP = 0.01
"""[m/s] Ground that moves faster carries people away."""


@dataclass(frozen=True)
class Pause:
    """A wait for a body to get out of the way.

    Attributes:
        at: where along the way [m].
        start: [s].
        end: [s].
        body: what is waited for.
        skill: in which one waits.
    """

    at: float
    start: float
    end: float
    body: str
    skill: Capability


@dataclass(frozen=True, eq=False)
class Schedule:
    """Stretches and waits in turn.

    Attributes:
        parts: in order.
        blocked: what cannot be passed before the horizon, if anything.
    """

    parts: list[Stretch | Pause]
    blocked: Contact | None

    @property
    def arrival(self) -> float:
        """[s] when the last part ends."""
        last = self.parts[-1]
        return last.end if isinstance(last, Pause) else last.arrival


@dataclass(frozen=True, eq=False)
class _Passed:
    """A place on the way.

    Attributes:
        length: how far along it is [m].
        spans: `(k, 2)` [s] when it is free.
        start: [s] of the first of `still`.
        still: `(m,)` at moments a beat apart: nothing that moves is under the feet there.
    """

    length: float
    spans: Floats
    start: float
    still: Bools

    def free(self, times: Floats, slack: float) -> Bools:
        """`(n,)`: which times `(n,)` [s] are in a span, or almost."""
        inside: Bools = times[:, None] >= self.spans[:, 0] - slack
        inside &= times[:, None] <= self.spans[:, 1] + slack
        beats = ((times - self.start) / _BEAT).astype(np.intp)
        last = len(self.still) - 1
        before, after = np.clip(beats, 0, last), np.clip(beats + 1, 0, last)
        return np.logical_or.reduce(inside, axis=1) & (self.still[before] | self.still[after])


class Scheduler:
    """Fits a way into a world that moves.

    Args:
        world: all of it.
        moving: the bodies of it that move; the way is known to be free of the others.
        way: longer than nothing.
        wait_step: how finely departures are tried [s], > 0.
    """

    def __init__(self, world: World, moving: World, way: Way, wait_step: float) -> None:
        self._world, self._moving, self._way = world, moving, way
        self._wait_step = wait_step
        self._kept: dict[tuple[float, float], Stretch] = {}
        self.sweeps = 0

    def schedule(
        self, start: float, horizon: float, stay: Callable[[float], float] = lambda t: t
    ) -> Schedule:
        """Goes the way from its start at time `start` [s], done by `horizon` [s].

        `stay` tells until when one stands at the end after having come there at a time [s]. Where
        something comes by in the meantime one waits at the start instead, if that is better.
        """
        soon = self._schedule(start, horizon)
        if soon.blocked is not None:
            return soon
        come = self._comes_by(self._way.length, soon.arrival, stay(soon.arrival))
        if come is None:
            return soon
        later = start + stay(soon.arrival) - soon.arrival
        if self._comes_by(0.0, start, later) is None:
            late = self._schedule(later, horizon)
            end = stay(late.arrival)
            if late.blocked is None and not self._comes_by(self._way.length, late.arrival, end):
                wait = Pause(0.0, start, later, come.body, self._skill(0.0))
                return Schedule([wait, *late.parts], None)
        return Schedule(soon.parts, come)

    def _comes_by(self, spot: float, start: float, end: float) -> Contact | None:
        """What first comes to who stands at a length of the way for a while."""
        if end <= start or len(self._moving) == 0:
            return None
        skill = self._skill(spot)
        times = np.linspace(start, end, 2 + int((end - start) / _BEAT))
        points = np.tile(self._way.line.at(np.array([spot])), (len(times), 1))
        hit = self._moving.sweep(TimedPath(times, points), cylinder(skill))
        return hit or self._ride(points, times, skill)

    def _schedule(self, start: float, horizon: float) -> Schedule:
        parts: list[Stretch | Pause] = []
        at, now = 0.0, start
        while True:
            walk = self._walk(at, now)
            contact = self._first_contacts([walk])[0]
            if contact is None:
                parts.append(walk)
                late = walk.arrival > horizon
                return Schedule(parts, Contact(walk.arrival, "") if late else None)
            met = walk.length_at(contact.time)
            pause = self._wait_before(at, met, now, contact, horizon)
            if pause is None:
                return Schedule(self._until(parts, at, met, now), contact)
            if pause.at > at:
                parts.append(self._walk(at, now, pause.at))
            parts.append(pause)
            at, now = pause.at, pause.end

    def _walk(self, start: float, departure: float, end: float | None = None) -> Stretch:
        """From rest at one length to rest at another; the same whenever it begins."""
        span = start, self._way.length if end is None else end
        if span not in self._kept:
            self._kept[span] = paced(self._way, *span)
        return self._kept[span].later(departure)

    def _first_contacts(self, walks: Sequence[Stretch]) -> list[Contact | None]:
        """What each walk meets first, with the cylinder of whatever is done then."""
        found: list[Contact | None] = [None] * len(walks)
        if len(self._moving) == 0:
            return found
        for i, walk in enumerate(walks):
            found[i] = self._first_ride(walk)
        by_skill: dict[Capability, list[tuple[int, TimedPath]]] = {}
        for i, walk in enumerate(walks):
            for part in walk.parts:
                path = TimedPath(part.times, part.positions)
                by_skill.setdefault(part.piece.skill, []).append((i, path))
        for skill, paths in by_skill.items():
            self.sweeps += len(paths)
            contacts = self._moving.sweeps([path for _, path in paths], cylinder(skill))
            for (i, _), contact in zip(paths, contacts, strict=True):
                earlier = found[i]
                if contact is not None and (earlier is None or contact.time < earlier.time):
                    found[i] = contact
        return found

    def _first_ride(self, walk: Stretch) -> Contact | None:
        """What first comes under the feet and moves: too low to run into, and no ground."""
        first: Contact | None = None
        for part in walk.parts:
            count = 2 + int((part.times[-1] - part.times[0]) / _BEAT)
            times: Floats = np.linspace(float(part.times[0]), float(part.times[-1]), count)
            if part.flight is not None:
                times = times[(times <= part.flight[0]) | (times >= part.flight[1])]
            points = interpolate(times, part.times, part.positions)
            first = self._ride(points, times, part.piece.skill)
            if first is not None:
                break
        return first

    def _ride(self, points: Floats, times: Floats, skill: Capability) -> Contact | None:
        """What first carries away somebody who is at points `(n, 3)` at times `(n,)`."""
        rides = self._rides(points, times, skill)
        if not rides.any():
            return None
        k = int(np.argmax(rides))
        step = max(skill.step_height, 0.01)
        under = self._world.support(points[k], float(times[k]), up=step, down=step)
        return Contact(float(times[k]), self._world.names[int(under.body)])

    def _rides(self, points: Floats, times: Floats, skill: Capability) -> Bools:
        """`(n,)`: whether what is under points `(n, 3)` at times `(n,)` moves."""
        step = max(skill.step_height, 0.01)
        # Most often nothing that moves is there at all, and that is cheap to ask.
        rides = self._moving.support(points, times, up=step, down=step).hit
        some = np.flatnonzero(rides)
        under = self._world.support(points[some], times[some], up=step, down=step)
        rides[some] = under.hit & (np.linalg.norm(under.velocity, axis=1) > _SLIP)
        return rides

    def _wait_before(
        self, at: float, met: float, now: float, contact: Contact, horizon: float
    ) -> Pause | None:
        """The nearest place before the obstacle, and the earliest time, from which one gets by."""
        radius = self._skill(met).radius
        first = max(met - radius - LONGEST_LOOK_BACK, at)
        passing = self._passing(first, met + 2 * radius, now, horizon)
        for spot in self._spots(at, met - radius):
            skill = self._skill(spot)
            arrival = now
            if spot > at:
                approach = self._walk(at, now, spot)
                if self._first_contacts([approach])[0] is not None:
                    continue
                arrival = approach.arrival
            until = self._safe_until(spot, arrival, horizon, skill)
            departure = self._departure(spot, arrival, until, met + 2 * radius, passing)
            if departure is not None:
                return Pause(spot, arrival, departure, contact.body, skill)
        return None

    def _passing(self, low: float, high: float, start: float, end: float) -> list[_Passed]:
        """Places on foot between two lengths of the way, and when each is free."""
        lengths = np.arange(max(low, 0.0), min(high, self._way.length), _PASSING)
        by_skill: dict[Capability, list[float]] = {}
        for length in lengths.tolist() if end > start else ():
            piece = self._way.pieces[self._way.piece_at(length)]
            if piece.leap is None and not piece.kind.bridges:
                by_skill.setdefault(piece.skill, []).append(length)
        found: list[_Passed] = []
        for skill, on_foot in by_skill.items():
            points = self._way.line.at(np.array(on_foot))
            places = [Place(None, point) for point in points]
            spans = self._world.safe_intervals(places, skill, start, end)
            times: Floats = np.arange(start, end + _BEAT, _BEAT)
            for length, point, free in zip(on_foot, points, spans, strict=True):
                rides = self._rides(np.tile(point, (len(times), 1)), times, skill)
                found.append(_Passed(length, free, start, ~rides))
        return found

    def _departure(
        self, spot: float, arrival: float, until: float, past: float, passing: list[_Passed]
    ) -> float | None:
        """The first time to leave a spot, before `until` [s], from which one gets past a length."""
        times: Floats = np.arange(arrival + self._wait_step, until, self._wait_step)
        # Few are worth a closer look: at each place in the way one must find it free.
        walk = self._walk(spot, 0.0)
        for passed in passing:
            if passed.length >= spot:
                times = times[passed.free(times + walk.time_at(passed.length), self._wait_step)]
        departures = times.tolist()
        first, count = 0, 8
        # Most waits are short: a few departures at a time, then more.
        while first < len(departures):
            walks = [self._walk(spot, t) for t in departures[first : first + count]]
            for walk, found in zip(walks, self._first_contacts(walks), strict=True):
                # Past this obstacle is enough; the next one is dealt with when it comes.
                if found is None or walk.length_at(found.time) > past:
                    return walk.departure
            first, count = first + count, 2 * count
        return None

    def _spots(self, at: float, end: float) -> list[float]:
        """Where to wait before an obstacle, the nearest to it first."""
        wanted = np.maximum(end - np.arange(0.25, LONGEST_LOOK_BACK, 0.25), at)
        spots = {at, *(max(self._way.standing(spot), at) for spot in wanted.tolist())}
        return sorted(spots, reverse=True)

    def _skill(self, length: float) -> Capability:
        return self._way.pieces[self._way.piece_at(length)].skill

    def _safe_until(self, spot: float, arrival: float, horizon: float, skill: Capability) -> float:
        """Until when one can stand at a spot from arrival on [s]; arrival when one cannot."""
        if horizon <= arrival:
            return arrival
        point: Floats = self._way.line.at(np.array([spot]))[0]
        spans = self._world.safe_intervals([Place(None, point)], skill, arrival, horizon)[0]
        first = len(spans) and spans[0, 0] <= arrival + 1e-9
        if not first:
            return arrival
        until = float(spans[0, 1])
        times: Floats = np.linspace(arrival, until, 2 + int((until - arrival) / _BEAT))
        ride = self._ride(np.tile(point, (len(times), 1)), times, skill)
        return until if ride is None else max(ride.time - _BEAT, arrival)

    def _until(
        self, parts: list[Stretch | Pause], at: float, met: float, now: float
    ) -> list[Stretch | Pause]:
        """The best partial answer: as far as the obstacle lets one come."""
        for end in self._spots(at, met - self._skill(met).radius):
            if end <= at + 0.1:
                break
            walk = self._walk(at, now, end)
            if self._first_contacts([walk])[0] is None:
                return [*parts, walk]
        return parts
