"""Tracks: where the body goes, made smooth from a timed path on the ground and in the air.

Planned paths have corners and start at full speed; bodies do not. A track follows the path
closely and at its times, but rounds its corners, and starts and ends at rest. It is smooth in
the frame of whatever carries the character, so riding is standing still. Flights are kept exactly:
they begin and end in their places, at their times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from surefoot.arrays import ArrayLike, Bools, Floats
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.curves import Indices, wrapped
from surefoot.motion.flight import Flight
from surefoot.motion.gait.airborne import Airborne
from surefoot.motion.gait.passages import Ground, Passage
from surefoot.motion.gait.runs import Stretch
from surefoot.world import Place, World

__all__ = ["Ground", "Track"]

SHORTEST = 0.02
"""[s] of a passage; where flights follow each other sooner, the body stands for so long."""

_NUMBERS = ("heading", "forward", "sideways", "turning", "surge", "gait", "crouch")
_SPACING = 0.1  # [s] between the points of a path that changes its frame


class Track:
    """The smooth path of a body through one or more stretches that follow each other in time.

    Args:
        world: whose bodies carry it.
        stretches: each from when and where the last one ended.
        linger: [s], >= 0: to stay at the end.
    """

    def __init__(self, world: World, stretches: Sequence[Stretch], *, linger: float = 0.0) -> None:
        if not stretches:
            raise InputError("a track needs at least one stretch")
        for first, second in pairwise(stretches):
            if abs(second.times[0] - first.times[-1]) > 1e-6:
                raise InputError(
                    f"stretches must follow each other: one ends at {first.times[-1]:g} s, the"
                    f" next starts at {second.times[0]:g} s"
                )
        self.world = world
        self.start = float(stretches[0].times[0])
        self.end = float(stretches[-1].times[-1])
        self.until = self.end + linger
        flights = [flight for stretch in stretches for flight in stretch.flights]
        self.passages = _passages(world, stretches, flights, self.start, self.end)
        self.flights = tuple(
            Airborne(world, flight, before, after, _turn(stretches, flight))
            for flight, (before, after) in zip(flights, pairwise(self.passages), strict=True)
        )
        self._takes_off = np.array([flight.start for flight in flights])
        self._lands = np.array([flight.end for flight in flights])

    def at(self, times: ArrayLike) -> Ground:
        """The track at `times` `(n,)` [s]; before and after, at rest on what carries it."""
        times = np.asarray(times, dtype=np.float64)
        if not self.flights:
            return self.passages[0].at(times)
        ground = _empty(len(times))
        which, aloft = self._which(times)
        for index, passage in enumerate(self.passages):
            at = np.flatnonzero((which == index) & ~aloft)
            if len(at):
                _put(ground, at, passage.at(times[at]))
        for index, flight in enumerate(self.flights):
            at = np.flatnonzero((which == index) & aloft)
            if len(at):
                _put(ground, at, flight.at(times[at]))
        return replace(ground, heading=self._turned(times, ground.heading))

    def carried(self, path_times: Floats, times: Floats) -> tuple[Floats, Floats]:
        """Positions `(n, 3)` [m] and headings `(n,)` at `path_times`, on their bodies at `times`.

        Where the body will be in mid-stance tells where the foot lands before that; the two may
        be apart by what the carrying body moves in between.
        """
        if not self.flights:
            return self.passages[0].carried(path_times, times)
        position, heading = np.empty((len(times), 3)), np.empty(len(times))
        # What is on the ground at `times` does not know yet where the body is after a flight.
        which, _ = self._which(times)
        for index, passage in enumerate(self.passages):
            at = np.flatnonzero(which == index)
            if len(at):
                last = self._takes_off[index] if index < len(self.flights) else np.inf
                path = np.minimum(path_times[at], last)
                position[at], heading[at] = passage.carried(path, times[at])
        return position, self._turned(path_times, heading)

    def frame(self, t: float) -> str | None:
        """The moving body that carries the character at `t` [s], if any."""
        which, aloft = self._which(np.array([t]))
        return None if aloft[0] else self.passages[int(which[0])].frame(t)

    def next_flight(self, t: float) -> Airborne | None:
        """The first flight that takes off after `t` [s], if any."""
        index = int(np.searchsorted(self._takes_off, t, side="left"))
        return self.flights[index] if index < len(self.flights) else None

    def _which(self, times: Floats) -> tuple[Indices, Bools]:
        """The passage at each moment, or the one before a flight; and whether it is a flight."""
        landed = np.searchsorted(self._lands, times, side="right")
        taken_off = np.searchsorted(self._takes_off, times, side="left")
        return landed, taken_off > landed

    def _turned(self, times: Floats, headings: Floats) -> Floats:
        for flight in self.flights:
            headings = headings + flight.turned(times)
        return headings


def _empty(count: int) -> Ground:
    numbers = {name: np.empty(count) for name in _NUMBERS}
    return Ground(position=np.empty((count, 3)), **numbers)


def _put(ground: Ground, at: Indices, part: Ground) -> None:
    for name in ("position", *_NUMBERS):
        getattr(ground, name)[at] = getattr(part, name)


def _passages(
    world: World, stretches: Sequence[Stretch], flights: Sequence[Flight], start: float, end: float
) -> tuple[Passage, ...]:
    """What is between the flights of a track."""
    passages: list[Passage] = []
    starts = [start, *(flight.end for flight in flights)]
    ends = [*(flight.start for flight in flights), end]
    for index, (begin, stop) in enumerate(zip(starts, ends, strict=True)):
        landed = flights[index - 1] if index > 0 else None
        leaves = flights[index] if index < len(flights) else None
        parts = [
            _part(world, stretch, max(begin, stretch.times[0]), min(stop, stretch.times[-1]),
                  landed, leaves)
            for stretch in stretches
            if min(stop, stretch.times[-1]) - max(begin, stretch.times[0]) > 1e-9
        ]  # fmt: skip
        if stop - begin < SHORTEST and leaves is not None:
            parts = [_standing(world, stretches, leaves.take_off, leaves.start, begin)]
        elif stop - begin < SHORTEST and landed is not None:
            parts = [_standing(world, stretches, landed.landing, landed.end, begin)]
        passages.append(
            Passage(
                world,
                parts,
                origin=None if landed is None else world.position(landed.landing, landed.end),
                target=None if leaves is None else world.position(leaves.take_off, leaves.start),
            )
        )
    return tuple(passages)


def _part(
    world: World, stretch: Stretch, start: float, end: float, landed: Flight | None,
    leaves: Flight | None,
) -> Stretch:  # fmt: skip
    """A stretch from `start` to `end` [s], in the frame of what a flight next to it touches."""
    inner = stretch.times[(stretch.times > start + 1e-9) & (stretch.times < end - 1e-9)]
    times = np.concatenate([[start], inner, [end]])
    frame = stretch.frame
    # Jumps are planned in the world's frame; but who waits on a train for one stands on the train.
    if leaves is not None and _has(stretch, leaves):
        frame = leaves.take_off.body
    elif landed is not None and _has(stretch, landed):
        frame = landed.landing.body
    if frame != stretch.frame:
        times = np.unique(np.concatenate([times, np.arange(start, end, _SPACING)]))
    positions = np.column_stack(
        [np.interp(times, stretch.times, stretch.positions[:, axis]) for axis in range(3)]
    )
    headings = _headings(stretch, times)
    if frame != stretch.frame:
        positions, headings = _reframed(world, stretch.frame, frame, positions, headings, times)
    return replace(
        stretch,
        times=times,
        positions=positions,
        headings=headings,
        crouch=np.interp(times, stretch.times, stretch.crouch),
        frame=frame,
        flights=(),
    )


def _reframed(
    world: World, before: str | None, after: str | None, positions: Floats, headings: Floats,
    times: Floats,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Positions `(n, 3)` [m] and headings `(n,)` of one body's frame in another's."""
    ahead = np.stack([np.cos(headings), np.sin(headings), np.zeros_like(headings)], axis=-1)
    if before is not None:
        origins, turns = world[before].trajectory.poses(times)
        positions = rotations.rotate(turns, positions) + origins
        ahead = rotations.rotate(turns, ahead)
    if after is not None:
        origins, turns = world[after].trajectory.poses(times)
        back = rotations.inverse(turns)
        positions, ahead = (
            rotations.rotate(back, positions - origins),
            rotations.rotate(back, ahead),
        )
    return positions, np.arctan2(ahead[:, 1], ahead[:, 0])


def _standing(
    world: World, stretches: Sequence[Stretch], place: Place, t: float, start: float
) -> Stretch:
    """A moment at a place, between two flights that leave no time for more."""
    stretch = next(stretch for stretch in stretches if stretch.times[-1] >= t - 1e-9)
    times = np.array([t])
    position, heading = place.position[None], _headings(stretch, times)
    _, heading = _reframed(world, stretch.frame, place.body, position, heading, times)
    return Stretch(
        times=np.array([start, start + SHORTEST]),
        positions=np.stack([place.position] * 2),
        headings=np.repeat(heading, 2),
        crouch=np.interp([t, t], stretch.times, stretch.crouch),
        frame=place.body,
    )


def _turn(stretches: Sequence[Stretch], flight: Flight) -> float:
    """[rad] that the plan turns during a flight, the way round that it says."""
    for stretch in stretches:
        if _has(stretch, flight):
            inner = stretch.times[(stretch.times > flight.start) & (stretch.times < flight.end)]
            times = np.concatenate([[flight.start], inner, [flight.end]])
            turned = _headings(stretch, times)
            return float(turned[-1] - turned[0])
    raise AssertionError(flight)


def _has(stretch: Stretch, flight: Flight) -> bool:
    return any(own is flight for own in stretch.flights)


def _headings(stretch: Stretch, times: Floats) -> Floats:
    """`(n,)` [rad] in the stretch's frame, each the shorter way round from the one before."""
    steps = wrapped(np.diff(stretch.headings))
    unrolled = stretch.headings[0] + np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(np.interp(times, stretch.times, unrolled), dtype=np.float64)
