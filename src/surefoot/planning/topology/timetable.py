"""When which surface will be in reach of which, in a world as it is expected to go on.

An atlas of its own looks on while the expected world goes by: what it relates is when one could
change. The earliest way over such windows is found as over a timetable of trains.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Capability
from surefoot.planning.topology.atlas import Atlas
from surefoot.planning.topology.settings import TopologySettings
from surefoot.world import Place, World

Surface = tuple[str, int]
"""A body and the number of its connected part."""

RATE = 8.0
"""[1/s] Looks at what is expected."""

SAMPLES = 64
"""Jumps that are tried at each of them."""

PIECE = 30.0
"""[s] By which it is looked farther ahead, until a way is found."""

TRIED = 4
"""Take-offs that are tried at each look."""

CHANGE, HASTE, BRIEF = 0.8, 0.3, 0.7
"""[s] That a change of surfaces takes; for which it must stay possible after one is there for it;
for which it must be possible at all: what is expected may come a little earlier or later."""


@dataclass(frozen=True)
class Ride:
    """A change of surfaces on the way.

    Attributes:
        source: that is left.
        target: that is changed to.
        begin: [s] when it can begin.
        end: [s] when it can no more.
        arrive: [s] when one is over.
        take_off: `(3,)` [m] from where, in the frame of the source's body.
        landing: `(3,)` [m] where to, in that of the target's.
    """

    source: Surface
    target: Surface
    begin: float
    end: float
    arrive: float
    take_off: Floats
    landing: Floats


@dataclass(frozen=True)
class Itinerary:
    """The earliest way over what is expected: its changes of surfaces, and when it ends [s]."""

    rides: tuple[Ride, ...]
    arrive: float

    @property
    def pairs(self) -> frozenset[tuple[Surface, Surface]]:
        """The changes as pairs of surfaces."""
        return frozenset((ride.source, ride.target) for ride in self.rides)


@dataclass
class _Change:
    """From one surface to another: from where that can be tried, and when it was possible.

    Attributes:
        source: that is left.
        target: that is changed to.
        landing: `(3,)` [m] where one came to last, in the frame of the target's body.
        spots: `(3,)` [m] each, in the frame of the source's body.
        spans: [s] for each spot: begins and ends of when it is possible.
    """

    source: Surface
    target: Surface
    landing: Floats
    spots: list[Floats]
    spans: list[list[list[float]]]


class Timetable:
    """When surfaces will be in reach of each other, from `now` on, as far as was asked for."""

    def __init__(
        self, ahead: World, skills: Mapping[str, Capability], settings: TopologySettings,
        now: float,
    ) -> None:  # fmt: skip
        self.world, self.begin = ahead, now
        self.atlas = Atlas(ahead, skills, replace(settings, samples=SAMPLES, forget=1e9))
        self.until = now
        self._frames = 0
        self._changes: dict[int, _Change] = {}
        self._leaving: dict[Surface, list[_Change]] = {}
        self._speed = self.atlas.skills.ground[0].speed

    def earliest(
        self, place: Place, goal: Place, t: float, *, latest: float,
        barred: Collection[tuple[Surface, Surface]] = (),
    ) -> Itinerary | None:  # fmt: skip
        """The way from a place at `t` [s] that is soonest at another one, looking no farther.

        Args:
            place: on a body.
            goal: likewise.
            t: [s].
            latest: [s] that is looked ahead to.
            barred: pairs of surfaces not to change between.
        """
        while True:
            found = self._over(place, goal, t, barred)
            if found is not None and found.arrive <= self.until:
                return found
            if self.until >= latest:
                return found
            self._look(min(max(self.until, t) + PIECE, latest))

    def _look(self, until: float) -> None:
        """Lets the expected world go by to `until` [s]."""
        native = self.atlas.native
        while self.until < until:
            t = self.begin + self._frames / RATE
            self._frames += 1
            self.atlas.update(t)
            for index in native.relations():
                if native.relation(index)[2]:
                    self._try(index, t)
            self.until = t
        self._leaving = {}
        for index, change in self._changes.items():
            if self.atlas.relation(index).mean_speed <= self.atlas.settings.max_relative_speed:
                self._leaving.setdefault(change.source, []).append(change)

    def _try(self, index: int, t: float) -> None:
        """Notes whether one could change surfaces at `t` [s], from each of a few take-offs."""
        change = self._changes.get(index)
        if change is None:
            source, target = (self.atlas.surface_name(end) for end in self.atlas.ends(index))
            change = self._changes[index] = _Change(source, target, np.zeros(3), [], [])
        spots = list(change.spots)
        if len(spots) < TRIED:
            spots += self._others(index, change, t)
        for k, spot in enumerate(spots):
            possible, node, *_ = self.atlas.native.decide(index, spot[None].copy(), t, -1)
            if not possible:
                continue
            if k >= len(change.spots):
                change.spots.append(spot)
                change.spans.append([[t, t]])
                change.landing = self.atlas.nodes(change.target[0])[node]
                return
            spans = change.spans[k]
            if spans and spans[-1][1] > t - 1.5 / RATE:
                spans[-1][1] = t
            else:
                spans.append([t, t])

    def _others(self, index: int, change: _Change, t: float) -> list[Floats]:
        """Take-offs that were not tried yet: found by the atlas, or else nearest to the target."""
        ours = self.atlas.nodes(change.source[0])
        found = [ours[node] for node in self.atlas.take_offs(index)[:TRIED]]
        if not found and not change.spots:
            ours, theirs = self._nodes(change.source), self._nodes(change.target)
            place = self.world[change.source[0]].trajectory.pose(t)
            there = self.world[change.target[0]].trajectory.pose(t).apply(theirs)
            away = np.linalg.norm(ours[:, None] - place.unapply(there)[None], axis=2).min(axis=1)
            found = list(ours[np.argsort(away, kind="stable")[:TRIED]])
        known = change.spots
        return [spot for spot in found if not any(np.array_equal(spot, old) for old in known)]

    def _nodes(self, surface: Surface) -> Floats:
        roadmap = self.atlas.roadmap(surface[0])
        if roadmap is None:
            return np.zeros((0, 3))
        positions, _, part, _ = roadmap.nodes()
        return positions[part == surface[1]]

    def _over(
        self, place: Place, goal: Place, t: float, barred: Collection[tuple[Surface, Surface]]
    ) -> Itinerary | None:
        """Dijkstra by arrival: who is earlier on a surface is never later on the next."""
        if self._frames == 0:
            return None
        here, there = self.atlas.surface(place)[0], self.atlas.surface(goal)[0]
        if here < 0 or there < 0:
            return None
        start, end = self.atlas.surface_name(here), self.atlas.surface_name(there)
        known: dict[Surface, tuple[float, Ride | None]] = {start: (t, None)}
        open_ = [(t, start, tuple(place.position.tolist()))]
        done: set[Surface] = set()
        while open_:
            now, surface, spot = heapq.heappop(open_)
            if surface in done:
                continue
            done.add(surface)
            if surface == end:
                rest = float(np.linalg.norm(goal.position - np.array(spot))) / self._speed
                return Itinerary(_back(known, surface), now + rest)
            for change in self._leaving.get(surface, ()):
                target = change.target
                if target in done or (surface, target) in barred:
                    continue
                ride = self._ride(change, now, np.array(spot))
                if ride is not None and ride.arrive < known.get(target, (np.inf, None))[0]:
                    known[target] = (ride.arrive, ride)
                    landing = tuple(ride.landing.tolist())
                    heapq.heappush(open_, (ride.arrive, target, landing))
        return None

    def _ride(self, change: _Change, now: float, here: Floats) -> Ride | None:
        """The first change that can be caught, from the take-off where that is soonest."""
        best: Ride | None = None
        brief = max(self.atlas.settings.min_valid, BRIEF)
        for spot, spans in zip(change.spots, change.spans, strict=True):
            ready = now + float(np.linalg.norm(spot - here)) / self._speed
            for begin, end in spans:
                if end - begin < brief or end - HASTE < ready:
                    continue
                arrive = max(begin, ready) + CHANGE
                if best is None or arrive < best.arrive:
                    best = Ride(
                        change.source, change.target, begin, end, arrive, spot, change.landing
                    )
                break
        return best


def _back(known: Mapping[Surface, tuple[float, Ride | None]], last: Surface) -> tuple[Ride, ...]:
    rides: list[Ride] = []
    ride = known[last][1]
    while ride is not None:
        rides.append(ride)
        ride = known[ride.source][1]
    return tuple(reversed(rides))
