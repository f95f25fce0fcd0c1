"""When to go which part of a way: past bodies that move, by waiting before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Capability
from surefoot.planning.grid.pacing import Stretch, paced
from surefoot.planning.grid.way import Way
from surefoot.planning.standing import cylinder
from surefoot.world import Contact, Place, TimedPath, World

LONGEST_LOOK_BACK = 6.0
"""[m] How far before an obstacle a place to wait is looked for."""


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

    def schedule(self, start: float, horizon: float) -> Schedule:
        """Goes the way from its start at time `start` [s], done by `horizon` [s]."""
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

    def _wait_before(
        self, at: float, met: float, now: float, contact: Contact, horizon: float
    ) -> Pause | None:
        """The nearest place before the obstacle, and the earliest time, from which one gets by."""
        radius = self._skill(met).radius
        for spot in self._spots(at, met - radius):
            skill = self._skill(spot)
            arrival = now if spot <= at else self._walk(at, now, spot).arrival
            until = self._safe_until(spot, arrival, horizon, skill)
            departure = self._departure(spot, arrival, until, met + 2 * radius)
            if departure is not None:
                return Pause(spot, arrival, departure, contact.body, skill)
        return None

    def _departure(self, spot: float, arrival: float, until: float, past: float) -> float | None:
        """The first time to leave a spot, before `until` [s], from which one gets past a length."""
        departures = np.arange(arrival + self._wait_step, until, self._wait_step).tolist()
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
        return float(spans[0, 1]) if first else arrival

    def _until(
        self, parts: list[Stretch | Pause], at: float, met: float, now: float
    ) -> list[Stretch | Pause]:
        """The best partial answer: as far as the obstacle."""
        end = self._way.standing(max(met - self._skill(met).radius, 0.0))
        return [*parts, self._walk(at, now, end)] if end > at + 0.1 else parts
