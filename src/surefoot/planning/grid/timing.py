"""When to walk which part of a route: past bodies that move, by waiting before them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Capability
from surefoot.planning.grid.route import Route
from surefoot.world import Contact, Cylinder, Place, TimedPath, World

LONGEST_LOOK_BACK = 6.0
"""[m] How far before an obstacle a place to wait is looked for."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """A walk along part of a route.

    Attributes:
        start: where it begins along the route [m].
        end: where it ends [m].
        departure: when [s].
        times: `(n,)` [s].
        lengths: `(n,)` along the route [m].
    """

    start: float
    end: float
    departure: float
    times: Floats
    lengths: Floats

    @property
    def arrival(self) -> float:
        """When it ends [s]."""
        return float(self.times[-1])

    def length_at(self, t: float) -> float:
        """Where along the route one is at a time [m]."""
        return float(np.interp(t, self.times, self.lengths))


@dataclass(frozen=True)
class Pause:
    """A wait for a body to get out of the way."""

    at: float
    start: float
    end: float
    body: str


@dataclass(frozen=True, eq=False)
class Schedule:
    """Walks and waits in turn.

    Attributes:
        parts: in order.
        blocked: what cannot be passed before the horizon, if anything.
    """

    parts: list[Stretch | Pause]
    blocked: Contact | None


def stretch(
    route: Route, start: float, end: float, departure: float, speed: float, acceleration: float
) -> Stretch:
    """A walk that speeds up from rest and slows down to rest."""
    inside = route.lengths[(route.lengths > start) & (route.lengths < end)]
    lengths = np.concatenate([[start], inside, [end]])
    # Distances as if on the level: what is slow to walk counts as longer.
    slow = route.slowness((lengths[1:] + lengths[:-1]) / 2)
    gone = np.concatenate([[0.0], np.cumsum(np.diff(lengths) * slow)])
    whole = float(gone[-1])
    left = whole - gone
    # Time from rest over a distance, speeding up until the speed is reached.
    ramp = min(speed**2 / (2 * acceleration), whole / 2)
    top = np.sqrt(2 * acceleration * ramp)

    def from_rest(distance: Floats) -> Floats:
        ramping = np.minimum(distance, ramp)
        return np.sqrt(2 * ramping / acceleration) + np.maximum(distance - ramp, 0.0) / top

    total = 2 * np.sqrt(2 * ramp / acceleration) + (whole - 2 * ramp) / top
    times = np.where(gone <= left, from_rest(gone), total - from_rest(left))
    return Stretch(start, end, departure, departure + times, lengths)


class Scheduler:
    """Fits a route into a world that moves."""

    def __init__(
        self, world: World, route: Route, skill: Capability, speed: float, wait_step: float
    ) -> None:
        self._world, self._route, self._skill = world, route, skill
        self._speed, self._wait_step = speed, wait_step
        self._shape = Cylinder(skill.radius, skill.height, skill.step_height)
        self.sweeps = 0

    def schedule(self, start: float, horizon: float) -> Schedule:
        """Walks and waits from the route's start at time `start` [s], done by `horizon` [s]."""
        parts: list[Stretch | Pause] = []
        at, now = 0.0, start
        while True:
            walk = self._walk(at, now)
            contact = self._first_contact([walk])[0]
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
        end = self._route.length if end is None else end
        return stretch(self._route, start, end, departure, self._speed, self._skill.acceleration)

    def _first_contact(self, walks: list[Stretch]) -> list[Contact | None]:
        self.sweeps += len(walks)
        paths = [TimedPath(walk.times, self._route.at(walk.lengths)) for walk in walks]
        return self._world.sweeps(paths, self._shape)

    def _wait_before(
        self, at: float, met: float, now: float, contact: Contact, horizon: float
    ) -> Pause | None:
        """The nearest place before the obstacle, and the earliest time, from which one gets by."""
        back = np.arange(0.25, LONGEST_LOOK_BACK, 0.25)
        spots = np.unique(np.concatenate([np.maximum(met - self._skill.radius - back, at), [at]]))
        for spot in spots[::-1]:
            arrival = now if spot <= at else self._walk(at, now, float(spot)).arrival
            until = self._safe_until(float(spot), arrival, horizon)
            departures = np.arange(arrival + self._wait_step, until, self._wait_step)
            if until <= arrival or len(departures) == 0:
                continue
            walks = [self._walk(float(spot), float(t)) for t in departures]
            for walk, found in zip(walks, self._first_contact(walks), strict=True):
                # Past this obstacle is enough; the next one is dealt with when it comes.
                if found is None or walk.length_at(found.time) > met + 2 * self._skill.radius:
                    return Pause(float(spot), arrival, walk.departure, contact.body)
        return None

    def _safe_until(self, spot: float, arrival: float, horizon: float) -> float:
        """Until when one can stand at a spot from arrival on [s]; arrival when one cannot."""
        if horizon <= arrival:
            return arrival
        point = self._route.at(np.array([spot]))[0]
        spans = self._world.safe_intervals([Place(None, point)], self._skill, arrival, horizon)[0]
        first = len(spans) and spans[0, 0] <= arrival + 1e-9
        return float(spans[0, 1]) if first else arrival

    def _until(
        self, parts: list[Stretch | Pause], at: float, met: float, now: float
    ) -> list[Stretch | Pause]:
        """The best partial answer: as far as the obstacle."""
        end = met - self._skill.radius
        return [*parts, self._walk(at, now, end)] if end > at + 0.1 else parts
