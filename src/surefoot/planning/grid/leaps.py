"""Jumps found exactly: from where, to where, how high and how fast, with the body clear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character import Capability
from surefoot.character.capability import GRAVITY
from surefoot.character.measures import Measures
from surefoot.planning.claims.flights import TUCK
from surefoot.planning.grid.walkable import Walkable
from surefoot.world import Cylinder, Foot, TimedPath, World

T = TypeVar("T", float, Floats)

STANDING_SHARE = 0.6
"""Of the longest jump: what can be jumped without a run-up."""

CROUCHING = 0.45
"""[s] that a jump from a stand is prepared for."""

STRAIGHTENING = 0.4
"""[s] in which one gets up again after a landing that ends in a stand."""

CAUGHT = 2.0
"""[m/s] A landing no faster than this is caught with the first step."""

_FRAME = 1.0 / 60.0
"""[s] between the points of a flight."""

# How far before the edge to take off and behind it to land [m].
_INSETS = np.array([0.0, 0.08, 0.16, 0.24, 0.32, 0.42, 0.55])

# Shares of the way from the lowest arc to the highest that are tried.
_ARCS = np.array([0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0])

# Slopes at which one takes off: steep from a stand, flatter at a run.
_STEEP, _FLAT = 1.0, 0.7

_COVERED = 0.9
"""Share of the sole that must be on the ground."""

_EVEN = 0.02
"""[m] By which the ground under a sole may be uneven."""

_MOST_SPOTS = 8
"""Pairs of take-off and landing whose arcs are tried."""


@dataclass(frozen=True, eq=False)
class Leap:
    """A jump over ground at rest.

    Attributes:
        run_up: `(k, 3)` [m] on the ground, to the take-off; that alone for a jump from a stand.
        run_out: `(m, 3)` [m] on the ground, from the landing on; that alone where it ends there.
        airborne: [s] from take-off to landing.
        speed: [m/s] over the ground in the air.
        standing: whether it is prepared for, and ends, in a stand.
    """

    run_up: Floats
    run_out: Floats
    airborne: float
    speed: float
    standing: bool

    @property
    def take_off(self) -> Floats:
        """`(3,)` [m]."""
        return self.run_up[-1]

    @property
    def landing(self) -> Floats:
        """`(3,)` [m]."""
        return self.run_out[0]

    def flight(self, since: Floats) -> Floats:
        """`(n, 3)` [m]: the feet at times `(n,)` [s] after the take-off."""
        return _arc(self.take_off, self.landing, self.airborne, since)

    @property
    def frames(self) -> Floats:
        """`(n,)` [s] after the take-off: moments close enough to draw the arc by straight lines."""
        return np.linspace(0.0, self.airborne, 2 + int(self.airborne / _FRAME))


class Leaps:
    """Finds jumps in a world at rest, each once: what was found out is remembered.

    Args:
        world: in which nothing moves.
        skill: a capability that jumps.
        measures: of the body, for its feet.
    """

    def __init__(self, world: World, skill: Capability, measures: Measures) -> None:
        self._world, self._skill = world, skill
        self._walkable = Walkable(world, skill)
        # Both feet beside each other.
        self._foot = Foot(1.1 * measures.foot_length, measures.hip_width + measures.foot_width)
        self._shape = Cylinder(skill.radius, skill.height, skill.step_height)
        self._found: dict[bytes, Leap | None] = {}
        self._likely: dict[bytes, bool] = {}

    @property
    def looked_at(self) -> int:
        """How many jumps the exact queries were asked about."""
        return len(self._found) + len(self._likely)

    def find(self, start: Floats, end: Floats) -> Leap | None:
        """A jump from about `start` to about `end`, both `(3,)` [m] on the ground, if there is one.

        Take-off and landing lie on the line through the two, at or before the one and at or behind
        the other.
        """
        key = start.tobytes() + end.tobytes()
        if key not in self._found:
            self._found[key] = self._find(start, end)
        return self._found[key]

    def _find(self, start: Floats, end: Floats) -> Leap | None:
        along = _directions(start[None], end[None])
        offs, ons = self._firm(start[None], -along), self._firm(end[None], along)
        pairs = [
            (round(before + behind, 6), off, on)
            for before, off in offs.each(0)
            for behind, on in ons.each(0)
        ]
        for _, off, on in sorted(pairs, key=lambda pair: pair[0])[:_MOST_SPOTS]:
            leap = self._between(off, on, along[0])
            if leap is not None:
                return leap
        return None

    def likely(self, starts: Floats, ends: Floats) -> Bools:
        """`(n,)`: whether jumps between points `(n, 3)` are worth looking at more closely."""
        # A search that is refused again and again asks about much the same ones each time.
        keys = [start.tobytes() + end.tobytes() for start, end in zip(starts, ends, strict=True)]
        new = [i for i, key in enumerate(keys) if key not in self._likely]
        if new:
            found = self._look_at(starts[new], ends[new]).tolist()
            self._likely.update(zip((keys[i] for i in new), found, strict=True))
        return np.array([self._likely[key] for key in keys], dtype=np.bool_)

    def _look_at(self, starts: Floats, ends: Floats) -> Bools:
        """See `likely`."""
        along = _directions(starts, ends)
        offs, ons = self._firm(starts, -along), self._firm(ends, along)
        size = self._skill
        before = _INSETS[np.argmax(offs.good, axis=1)]
        away = np.hypot(*(ends - starts)[:, :2].T) + before
        away += _INSETS[np.argmax(ons.good, axis=1)]
        # The highest take-off and the lowest landing tell the least rise.
        high = np.where(offs.good, offs.points[:, :, 2], -np.inf).max(axis=1)
        low = np.where(ons.good, ons.points[:, :, 2], np.inf).min(axis=1)
        found = offs.good.any(axis=1) & ons.good.any(axis=1) & (away <= size.max_jump_length)
        found &= low - high <= size.max_jump_up
        # Whoever must run has to have somewhere to run: the highest arc needs the least speed.
        running = np.flatnonzero(found & (away > STANDING_SHARE * size.max_jump_length))
        upward = np.sqrt(2 * GRAVITY * (size.max_jump_up + TUCK))
        airborne = upward + np.sqrt(upward**2 - 2 * GRAVITY * (low - high)[running])
        needed = self._run_up(away[running] * GRAVITY / airborne) + before[running]
        # Wherever one takes off, the run-up leads over what lies behind the last good spot.
        last = _INSETS[len(_INSETS) - 1 - np.argmax(offs.good[running, ::-1], axis=1)]
        last = np.minimum(last, needed)
        ends_of = [starts[running] - along[running] * far[:, None] for far in (needed, last)]
        lines = self._walkable.lines(list(np.stack(ends_of, axis=1)))
        found[running] = [line is not None for line in lines]
        return found

    def holds(self, leap: Leap) -> bool:
        """Whether a jump can be made, in the world as it is."""
        ends = np.stack([leap.take_off, leap.landing])
        ground = self._world.support(ends, up=_EVEN, down=_EVEN)
        if not (ground.hit.all() and self._walkable.free(ends).all()):
            return False
        since = leap.frames
        path = TimedPath(since, leap.flight(since))
        if self._world.sweep(path, self._shape) is not None:
            return False
        runs = [run for run in (leap.run_up, leap.run_out) if len(run) > 1]
        return all(line is not None for line in self._walkable.lines(runs))

    def _firm(self, edges: Floats, back: Floats) -> _Spots:
        """Spots at or behind edges `(n, 3)` where both feet stand firmly with room."""
        points = edges[:, None] + _INSETS[:, None] * back[:, None]
        heading = np.arctan2(back[:, 1], back[:, 0])[:, None]
        reach = max(self._skill.step_height, 0.05)
        sole = self._world.support(points, up=reach, down=reach, foot=self._foot, heading=heading)
        below = self._world.support(points, up=reach, down=reach)
        good = below.hit & sole.hit & (sole.coverage >= _COVERED)
        points[:, :, 2] = np.where(good, below.height, points[:, :, 2])
        good[good] = np.abs(sole.height[good] - below.height[good]) < _EVEN
        good[good] = self._walkable.free(points[good])
        return _Spots(points, good)

    def _between(self, take_off: Floats, landing: Floats, along: Floats) -> Leap | None:
        length = float(np.hypot(*(landing - take_off)[:2]))
        standing = length <= STANDING_SHARE * self._skill.max_jump_length
        flights = self._flights(length, float(landing[2] - take_off[2]), standing)
        paths: list[TimedPath] = []
        for airborne, _ in flights:
            times = np.linspace(0.0, airborne, 2 + int(airborne / _FRAME))
            paths.append(TimedPath(times, _arc(take_off, landing, airborne, times)))
        contacts = self._world.sweeps(paths, self._shape)
        clear = [flight for flight, hit in zip(flights, contacts, strict=True) if hit is None]
        if not clear:
            return None
        if standing:
            return Leap(take_off[None], landing[None], *clear[0], True)
        # Whoever cannot run up for the slowest of them cannot for any.
        slowest = min(speed for _, speed in clear)
        if self._run(take_off, -along, self._run_up(slowest)) is None:
            return None
        if self._run(landing, along, self._run_out(slowest)) is None:
            return None
        for airborne, speed in clear:
            before = self._run(take_off, -along, self._run_up(speed))
            after = self._run(landing, along, self._run_out(speed))
            if before is not None and after is not None:
                return Leap(before[::-1], after, airborne, speed, False)
        return None

    def _flights(self, length: float, rise: float, standing: bool) -> list[tuple[float, float]]:
        """Times in the air and speeds over the ground, the most natural first."""
        size = self._skill
        if length > size.max_jump_length or not -size.max_drop <= rise <= size.max_jump_up:
            return []
        lowest = np.sqrt(2 * GRAVITY * (max(rise, 0.0) + 0.05))
        highest = np.sqrt(2 * GRAVITY * (size.max_jump_up + TUCK))
        # Level, one takes off at a certain slope; up, higher by as much as one climbs.
        slope = _STEEP if standing else _FLAT
        natural = np.sqrt(GRAVITY * length * slope / 2 + 2 * GRAVITY * max(rise, 0.0))
        upward = lowest + (highest - lowest) * _ARCS
        upward = np.append(upward, np.clip(natural, lowest, highest))
        upward = upward[np.argsort(np.abs(upward - natural), kind="stable")]
        airborne = (upward + np.sqrt(upward**2 - 2 * GRAVITY * rise)) / GRAVITY
        speed = length / airborne
        level = speed * np.minimum(airborne, 2 * upward / GRAVITY)
        good = (speed <= size.max_speed) & (level <= size.max_jump_length)
        return [(float(t), float(v)) for t, v in zip(airborne[good], speed[good], strict=True)]

    def _run_up(self, speed: T) -> T:
        """[m] that it takes to be that fast."""
        return speed**2 / (2 * self._skill.acceleration)

    def _run_out(self, speed: float) -> float:
        """[m] that it takes to be slow enough to be caught."""
        return max(speed**2 - CAUGHT**2, 0.0) / (2 * self._skill.acceleration)

    def _run(self, start: Floats, along: Floats, length: float) -> Floats | None:
        """Points on the ground from a spot straight on, or None where there is no way."""
        if length < 1e-3:
            return start[None]
        return self._walkable.line(np.stack([start, start + length * along]))


@dataclass(frozen=True, eq=False)
class _Spots:
    """Points `(n, insets, 3)` [m] at and behind edges, and which of them are good."""

    points: Floats
    good: Bools

    def each(self, edge: int) -> Iterator[tuple[float, Floats]]:
        """How far behind an edge its good points are [m], and where."""
        for i in np.flatnonzero(self.good[edge]):
            yield float(_INSETS[i]), self.points[edge, i]


def _directions(starts: Floats, ends: Floats) -> Floats:
    """`(n, 3)`: level unit vectors from points to points; nothing where one is above the other."""
    across = (ends - starts) * np.array([1.0, 1.0, 0.0])
    return across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)


def _arc(take_off: Floats, landing: Floats, airborne: float, since: Floats) -> Floats:
    """`(n, 3)`: the parabola between two places at times since take-off `(n,)` [s]."""
    launch = (landing - take_off) / airborne + np.array([0.0, 0.0, 0.5 * GRAVITY * airborne])
    since = since[:, None]
    return take_off + launch * since + np.array([0.0, 0.0, -0.5 * GRAVITY]) * since**2
