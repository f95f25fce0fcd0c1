"""Tracks: where the body goes, made smooth from a timed path on the ground.

Planned paths have corners and start at full speed; bodies do not. A track follows the path
closely and at its times, but rounds its corners, and starts and ends at rest. It is smooth in
the frame of whatever carries the character, so riding is standing still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from surefoot.arrays import ArrayLike, Floats
from surefoot.errors import InputError
from surefoot.motion.curves import Indices, smoothstep, wrapped
from surefoot.motion.gait.runs import ROUNDING, STEP, Stretch, smooth_runs
from surefoot.world import World

CATCHING_UP = 1.6
"""[s] after the start, and before the end, over which the body makes up for being at rest."""


@dataclass(frozen=True, eq=False)
class Ground:
    """What a track says about moments.

    Attributes:
        position: `(..., 3)` [m], the point between the feet, in the world.
        heading: `(...)` [rad], in the world.
        forward: `(...)` [m/s], speed along the heading, relative to the carrying body.
        sideways: `(...)` [m/s], speed to the left, relative to the carrying body.
        turning: `(...)` [rad/s], relative to the carrying body.
    """

    position: Floats
    heading: Floats
    forward: Floats
    sideways: Floats
    turning: Floats

    @property
    def speed(self) -> Floats:
        """`(...)` [m/s] over the ground."""
        return np.hypot(self.forward, self.sideways)


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
        self._runs = smooth_runs(world, stretches)
        still_before, still_after = self._rests()
        self._late = max(ROUNDING - still_before, 0.0)
        self._early = max(ROUNDING - still_after, 0.0)
        self._catch = min(CATCHING_UP, (self.end - self.start) / 2)

    def _rests(self) -> tuple[float, float]:
        """How long the body is at rest after the start and before the end."""
        times = np.arange(self.start, self.end + STEP, STEP)
        first, last = self._runs[0], self._runs[-1]
        begins = first.planned(times[times <= first.end])
        ends = last.planned(times[times >= last.start])
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

    def at(self, times: ArrayLike) -> Ground:
        """The track at `times` `(n,)` [s]; before and after, at rest on what carries it."""
        times = np.asarray(times, dtype=np.float64)
        path, rate = self._path_times(times)
        position, heading = np.zeros((len(times), 3)), np.zeros(len(times))
        motion, total = np.zeros((len(times), 3)), np.zeros(len(times))
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
            total[used] += share[used]
        # Where runs are shorter than the rounding, more than two overlap.
        position, motion = position / total[:, None], motion * (rate / total)[:, None]
        return Ground(position, heading, *motion.T)

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
        return position, heading

    def frame(self, t: float) -> str | None:
        """The moving body that carries the character at `t` [s], if any."""
        path, _ = self._path_times(np.array([t]))
        return self._runs[int(self._chosen(path)[0])].frame

    def _chosen(self, path: Floats) -> Indices:
        """Which run decides most at each moment of the path."""
        return np.argmax([run.share(path) for run in self._runs], axis=0)
