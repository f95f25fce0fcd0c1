"""Journeys: over what rests and what moves, by crossings from one to the other (beacco2013, 4.1).

The coarsest plan of all: which bodies to ride on, and when to step across. Footsteps are searched
for along it.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from itertools import count

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.planning.footsteps.crossings import Crossings, crossings_of
from surefoot.planning.footsteps.waypoints import Sight, Way, WayFinder
from surefoot.world import Body, Static, World

SPEED = 1.1
"""[m/s] at which people are taken to walk."""

_AHEAD = 90.0
"""[s] that is looked ahead."""

_ANEW = 30.0
"""[s] before the end of what is known at which it is looked at anew."""

_CHOICES = 4
"""Crossings to parts of a body that are tried from a place."""

_FASTEST = 2.0
"""[m/s] at which anybody gets nearer to a goal, walking on what moves itself."""

_STEP = 0.8
"""[m] across."""

_MOST = 200
"""Places from which crossings are tried."""

LASTS = 1.5
"""[s] that a crossing must be open for when somebody is there."""

_TOGETHER = 0.6
"""[s] within which crossings are as good as each other."""


@dataclass(frozen=True, eq=False)
class Hop:
    """A step from one body to another.

    Attributes:
        leave: what is left: a body's id, -1 for all that rests.
        leave_at: `(3,)` [m]: from where, in its frame.
        enter: what is stepped onto.
        enter_at: `(3,)` [m]: where to, in its frame.
        opens: [s] from when on.
        closes: [s] until when.
    """

    leave: int
    leave_at: Floats
    enter: int
    enter_at: Floats
    opens: float
    closes: float


@dataclass(frozen=True, eq=False)
class Journey:
    """A way over several bodies.

    Attributes:
        hops: from body to body, in order.
        goal: `(3,)` [m]: where it ends, in the frame of the last one.
        arrives: [s] when, about.
        landed: `(3,)` [m]: where the last crossing led to; None before the first.
    """

    hops: tuple[Hop, ...]
    goal: Floats
    arrives: float
    landed: Floats | None = None


class Journeys:
    """Finds journeys over the bodies of one world.

    Args:
        world: it may change between questions.
        character: who travels.
    """

    def __init__(self, world: World, character: Character) -> None:
        self.world, self.character = world, character
        self._known: tuple[tuple[Body, ...], Crossings, float] | None = None
        self._grounds: dict[int, tuple[Body | int, Sight, WayFinder]] = {}
        self._ways: dict[tuple[int, ...], Way | None] = {}

    def find(self, body: int, start: Floats, t: float, goal_body: int, goal: Floats
             ) -> Journey | None:  # fmt: skip
        """The journey that arrives the earliest; None where there is none.

        Args:
            body: what carries the start: an id, -1 for all that rests.
            start: `(3,)` [m] in its frame.
            t: [s] when.
            goal_body: likewise what carries the goal.
            goal: `(3,)` [m] in its frame.
        """
        known = self._crossings(t)
        target = self._in_world(goal_body, goal, t)
        order = count()
        heap: list[tuple[float, int, float, int, Floats, tuple[Hop, ...], bool]] = []
        heapq.heappush(heap, (t, next(order), t, body, start, (), False))
        seen: set[tuple[int, ...]] = set()
        for _ in range(_MOST):
            if not heap:
                return None
            _, _, now, here, place, hops, done = heapq.heappop(heap)
            if done:
                return Journey(hops, goal, now)
            key = (here, *(np.floor(place / 1.0).astype(int).tolist()))
            if key in seen:
                continue
            seen.add(key)
            if here == goal_body:
                way = self.way(here, place, goal)
                if way is not None:
                    arrives = now + _length(place, way) / SPEED
                    row = (arrives, next(order), arrives, here, goal, hops, True)
                    heapq.heappush(heap, row)
            for hop in self._hops(known, here, place, now, target):
                ready = hop.opens + _STEP / SPEED
                there = self._in_world(hop.enter, hop.enter_at, ready)
                bound = ready + float(np.linalg.norm(there - target)) / _FASTEST
                row = (bound, next(order), ready, hop.enter, hop.enter_at, (*hops, hop), False)
                heapq.heappush(heap, row)
        return None

    def _in_world(self, body: int, place: Floats, t: float) -> Floats:
        """A place in the frame of what carries it, where it is at `t` [s]."""
        return place if body < 0 else self._body(body).trajectory.pose(t).apply(place)

    def _body(self, id_: int) -> Body:
        return self.world[self.world.names[id_]]

    def way(self, body: int, start: Floats, goal: Floats) -> Way | None:
        """The way between two points in the frame of what carries them; None for none."""
        key = (body, *(np.round(np.concatenate([start, goal]) / 0.3).astype(int).tolist()))
        if key not in self._ways:
            if len(self._ways) > 4096:
                self._ways.clear()
            sight, finder = self._ground(body)
            self._ways[key] = sight.straight(start, goal) or finder.way(start, goal)
        found = self._ways[key]
        if found is None:
            return None
        return Way(np.concatenate([found.points[:-1], goal[None]]), found.kinds, found.rough)

    def _ground(self, body: int) -> tuple[Sight, WayFinder]:
        """What sees and finds ways over one body, or over all that rests."""
        of: Body | int = self.world.native.rests if body < 0 else self._body(body)
        known = self._grounds.get(body)
        if known is None or (known[0] is not of and known[0] != of):
            self._ways.clear()
            still = self.world
            if isinstance(of, Body):
                still = World([of.moved(Static())])
            made = Sight(still, self.character), WayFinder(still, self.character)
            known = self._grounds[body] = (of, *made)
        return known[1], known[2]

    def _crossings(self, t: float) -> Crossings:
        bodies = tuple(self.world)
        known = self._known
        if (
            known is None
            or len(known[0]) != len(bodies)
            or any(a is not b for a, b in zip(known[0], bodies, strict=True))
            or not known[2] <= t <= known[1].until - _ANEW
        ):
            # From whole multiples on: who asks a little later gets the same answer.
            start = float(np.floor(t / _ANEW) * _ANEW)
            skill = self.character.capability("walk")
            found = crossings_of(self.world, skill, start, _AHEAD + _ANEW)
            known = self._known = (bodies, found, start)
        return known[1]

    def _hops(
        self, known: Crossings, body: int, place: Floats, t: float, target: Floats
    ) -> list[Hop]:
        """Crossings from a body, to a few parts of each other one: the most promising first."""
        own = np.flatnonzero((known.leave == body) & (known.times >= t))
        away = np.linalg.norm(known.leave_at[own] - place, axis=1)
        own = own[known.times[own] >= t + away / SPEED]
        _, first = np.unique(known.cells[own], return_index=True)
        earliest = own[first]
        left = np.linalg.norm(known.where[earliest] - target, axis=1)
        order = np.argsort(known.times[earliest] + left / _FASTEST, kind="stable")
        found: list[Hop] = []
        counts: Counter[int] = Counter()
        for row in earliest[order].tolist():
            if counts[int(known.enter[row])] >= _CHOICES:
                continue
            rows = own[known.cells[own] == known.cells[row]]
            hop = self._hop(known, rows, body, place, t)
            if hop is not None:
                counts[hop.enter] += 1
                found.append(hop)
        return found

    def _hop(
        self, known: Crossings, rows: np.ndarray, body: int, place: Floats, t: float
    ) -> Hop | None:
        """The first of some crossings that somebody is in time for; of those, the nearest."""
        rows = rows[known.times[rows] <= known.times[rows[0]] + 30.0]
        early = rows[known.times[rows] <= known.times[rows[0]] + _TOGETHER]
        away = np.linalg.norm(known.leave_at[early] - place, axis=1)
        best = int(early[int(np.argmin(away))])
        way = self.way(body, place, known.leave_at[best])
        if way is None:
            return None
        ready = t + _length(place, way) / SPEED
        near = np.linalg.norm(known.leave_at[rows] - known.leave_at[best], axis=1) < 1.0
        times = np.unique(known.times[rows[near]])
        # The first span of them that is long enough.
        spans = np.split(times, np.flatnonzero(np.diff(times) > 0.6) + 1)
        long = [span for span in spans if span[-1] >= max(ready, float(span[0])) + LASTS]
        if not long:
            return None
        opens, closes = float(long[0][long[0] >= ready][0]), float(long[0][-1])
        same = rows[near & (np.abs(known.times[rows] - opens) < 1e-9)]
        away = np.linalg.norm(known.leave_at[same] - known.leave_at[best], axis=1)
        chosen = int(same[int(np.argmin(away))])
        return Hop(body, known.leave_at[chosen], int(known.enter[chosen]),
                   known.enter_at[chosen], opens, closes)  # fmt: skip


def _length(start: Floats, way: Way) -> float:
    """[m] of a way."""
    points = np.concatenate([start[None], way.points])
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
