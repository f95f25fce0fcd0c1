"""Passages: what is gone on foot between two flights, as one smooth path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import Indices, smootherstep, smoothstep, wrapped
from surefoot.motion.gait.runs import ROUNDING, STEP, Stretch, smooth_runs
from surefoot.world import World

CATCHING_UP = 1.6
"""[s] after the start, and before the end, over which the body makes up for being at rest."""

PINNING = 0.7
"""[s] before a take-off, and after a landing, in which the rounded path comes to its place."""

_LAST = 0.25  # [s] before a take-off whose mean velocity the path goes on with
_BEYOND = 4 * ROUNDING  # [s]


@dataclass(frozen=True, eq=False)
class Ground:
    """What a track says about moments.

    Attributes:
        position: `(..., 3)` [m], the point between the feet, in the world.
        heading: `(...)` [rad], in the world.
        forward: `(...)` [m/s], speed along the heading, relative to the carrying body.
        sideways: `(...)` [m/s], speed to the left, relative to the carrying body.
        turning: `(...)` [rad/s], relative to the carrying body.
        surge: `(...)` [m/s^2], how fast the speed along the heading grows.
        gait: `(...)`: -1 where it must be a walk, 1 where it must be a run; 0: speed decides.
        crouch: `(...)`: 0 upright, 1 as low as it gets.
    """

    position: Floats
    heading: Floats
    forward: Floats
    sideways: Floats
    turning: Floats
    surge: Floats
    gait: Floats
    crouch: Floats

    @property
    def speed(self) -> Floats:
        """`(...)` [m/s] over the ground."""
        return np.hypot(self.forward, self.sideways)


class Passage:
    """A smooth path on foot.

    Args:
        world: whose bodies carry it.
        stretches: each from when and where the last one ended.
        origin: `(3,)` [m] in the world, where a flight lands at the start; None: it starts at rest.
        target: `(3,)` [m] in the world, where a flight takes off at the end; None: it ends at rest.
    """

    def __init__(
        self, world: World, stretches: Sequence[Stretch], *, origin: Floats | None = None,
        target: Floats | None = None,
    ) -> None:  # fmt: skip
        self.world = world
        self.start = float(stretches[0].times[0])
        self.end = float(stretches[-1].times[-1])
        extended = list(stretches)
        # Whoever lands or takes off does not stop there.
        if origin is not None:
            extended[0] = _extended(extended[0], -1)
        if target is not None:
            extended[-1] = _extended(extended[-1], 1)
        self._runs = smooth_runs(world, extended)
        still_before, still_after = self._rests()
        self._late = 0.0 if origin is not None else max(ROUNDING - still_before, 0.0)
        self._early = 0.0 if target is not None else max(ROUNDING - still_after, 0.0)
        self._catch = max(min(CATCHING_UP, (self.end - self.start) / 2), STEP)
        self._pins: list[tuple[float, float, Floats]] = []
        pinning = min(PINNING, max(self.end - self.start, STEP))
        pins = [(self.start, pinning, origin), (self.end, -pinning, target)]
        for t, length, place in pins:
            if place is not None:
                self._pins.append((t, length, place - self.at(np.array([t])).position[0]))

    def _rests(self) -> tuple[float, float]:
        """How long the body is at rest after the start and before the end."""
        times = np.arange(self.start, self.end + STEP, STEP)
        first, last = self._runs[0], self._runs[-1]
        begins = first.planned(times[times <= max(first.end, times[0])])
        ends = last.planned(times[times >= min(last.start, times[-1])])
        left = np.abs(begins - begins[0]).max(axis=1) > 0.01
        moving = np.abs(ends - ends[-1]).max(axis=1) > 0.01
        after = int(np.argmax(left)) if left.any() else len(left)
        before = int(np.argmax(moving[::-1])) if moving.any() else len(moving)
        return after * STEP, before * STEP

    def _path_times(self, times: Floats) -> tuple[Floats, Floats]:
        """When the rounded path is where the body is at `times`, and how fast that goes on.

        The rounded path moves a little before the planned start; the body starts at rest, so it
        is late by that much at first and catches up, and is early by as much at the end.
        """
        since = np.clip((times - self.start) / self._catch, 0.0, 1.0)
        left = np.clip((self.end - times) / self._catch, 0.0, 1.0)
        path = times - self._late * (1 - smoothstep(since)) + self._early * (1 - smoothstep(left))
        haste = self._late * since * (1 - since) + self._early * left * (1 - left)
        return path, 1.0 + 6.0 * haste / self._catch

    def at(self, times: Floats) -> Ground:
        """The path at `times` `(n,)` [s]; before and after, as it would go on."""
        path, rate = self._path_times(times)
        position, heading = np.zeros((len(times), 3)), np.zeros(len(times))
        motion = np.zeros((len(times), 4))
        gait, crouch = np.zeros(len(times)), np.zeros(len(times))
        total = np.zeros(len(times))
        for run in self._runs:
            share = run.share(path)
            used = share > 0
            if not used.any():
                continue
            local, turned = run.sample(path[used])
            moved, facing = run.to_world(self.world, local, turned, times[used])
            # Blended headings: go on from what is there already by part of the way.
            part = share[used] / (total[used] + share[used])
            heading[used] += part * wrapped(facing - heading[used])
            position[used] += share[used, None] * moved
            motion[used] += share[used, None] * run.motion(path[used])
            gait[used] += share[used] * run.gait(path[used])
            crouch[used] += share[used] * run.crouch(path[used])
            total[used] += share[used]
        # Where runs are shorter than the rounding, more than two overlap.
        position, motion = position / total[:, None], motion * (rate / total)[:, None]
        return Ground(
            position=self._pinned(times, position),
            heading=heading,
            forward=motion[:, 0],
            sideways=motion[:, 1],
            turning=motion[:, 2],
            surge=motion[:, 3],
            gait=gait / total,
            crouch=crouch / total,
        )

    def carried(self, path_times: Floats, times: Floats) -> tuple[Floats, Floats]:
        """Positions `(n, 3)` [m] and headings `(n,)` at `path_times`, on their bodies at `times`.

        Where the body will be in mid-stance tells where the foot lands before that; the two may
        be apart by what the carrying body moves in between.
        """
        path, _ = self._path_times(path_times)
        chosen = self._chosen(path)
        position, heading = np.empty((len(path), 3)), np.empty(len(path))
        for index, run in enumerate(self._runs):
            at = chosen == index
            if not at.any():
                continue
            local, turned = run.sample(path[at])
            position[at], heading[at] = run.to_world(self.world, local, turned, times[at])
        return self._pinned(path_times, position), heading

    def frame(self, t: float) -> str | None:
        """The moving body that carries the character at `t` [s], if any."""
        path, _ = self._path_times(np.array([t]))
        return self._runs[int(self._chosen(path)[0])].frame

    def _chosen(self, path: Floats) -> Indices:
        """Which run decides most at each moment of the path."""
        return np.argmax([run.share(path) for run in self._runs], axis=0)

    def _pinned(self, times: Floats, position: Floats) -> Floats:
        """Positions moved so that flights begin and end in their places exactly."""
        for t, length, shift in self._pins:
            share = smootherstep(1 - (times - t) / length)
            position = position + share[:, None] * shift
        return position


def _extended(stretch: Stretch, way: int) -> Stretch:
    """A stretch that goes on beyond its end, or before its start, as it goes there."""
    times, positions, headings = stretch.times, stretch.positions, stretch.headings
    end = -1 if way > 0 else 0
    near = float(times[end] - way * min(_LAST, times[-1] - times[0]))
    then = np.array([float(np.interp(near, times, positions[:, axis])) for axis in range(3)])
    velocity = (positions[end] - then) / (times[end] - near)
    beyond = np.array([times[end] + way * _BEYOND])
    place = (positions[end] + way * _BEYOND * velocity)[None]
    crouch = stretch.crouch
    parts = [(times, beyond), (positions, place), (headings, headings[[end]]),
             (crouch, crouch[[end]])]  # fmt: skip
    times, positions, headings, crouch = (np.concatenate(pair[::way]) for pair in parts)
    return replace(
        stretch, times=times, positions=positions, headings=headings, crouch=crouch, flights=()
    )
