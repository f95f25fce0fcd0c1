"""Stretches of a timed path, and the smooth runs that one body carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats, floats, frozen, number
from surefoot.errors import InputError, one_of
from surefoot.math import rotations
from surefoot.motion.curves import covering, smoothed, smoothstep, wrapped
from surefoot.motion.flight import Flight
from surefoot.world import World

ROUNDING = 0.45
"""[s] before and after a moment that count for where the body is then."""

STEP = 1.0 / 120.0
"""[s] between the moments at which paths are kept."""

FASTEST_TURN = 2.6
"""[rad/s] unless a stretch says otherwise: plans turn at a point, people in steps."""

Gait = Literal["auto", "walk", "run"]
GAITS: dict[Gait, float] = {"walk": -1.0, "auto": 0.0, "run": 1.0}
"""Gaits as numbers between which one can blend."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Stretch:
    """A timed path on the ground in the frame of one body.

    Attributes:
        times: `(n,)` [s], n >= 2, increasing.
        positions: `(n, 3)` [m] in the frame, linear in between; the point between the feet.
        headings: `(n,)` [rad] in the frame.
        frame: the body that carries it, None for the world's own frame.
        gait: "walk" and "run" at whatever speed; "auto" walks slowly and runs fast.
        crouch: `(n,)` 0..1 how deep, linear in between; one number for all of it; 0 is upright.
        flights: times in the air, in order, inside the stretch; in a flight only its headings
            count, positions follow from the flight.
        turning: [rad/s], > 0: the fastest that the body turns; what turns faster is spread.
    """

    times: Floats
    positions: Floats
    headings: Floats
    frame: str | None = None
    gait: Gait = "auto"
    crouch: Floats = field(default_factory=lambda: np.zeros(()))
    flights: tuple[Flight, ...] = ()
    turning: float = FASTEST_TURN

    def __post_init__(self) -> None:
        if self.gait not in GAITS:
            raise InputError(one_of("gait", self.gait, list(GAITS)))
        times = arrays.times(self.times, "stretch times")
        if times.ndim != 1 or len(times) < 2 or not (np.diff(times) > 0).all():
            raise InputError("stretch times must be two or more, increasing")
        for name, shape in (("positions", (len(times), 3)), ("headings", times.shape)):
            array = floats(getattr(self, name), f"stretch {name}")
            if array.shape != shape:
                raise InputError(f"stretch {name} must have shape {shape}, got {array.shape}")
            object.__setattr__(self, name, frozen(array))
        object.__setattr__(self, "times", frozen(times))
        crouch = floats(self.crouch, "stretch crouch")
        if crouch.shape not in ((), times.shape):
            raise InputError(f"stretch crouch must have shape {times.shape}, got {crouch.shape}")
        if crouch.min() < 0.0 or crouch.max() > 1.0:
            raise InputError(f"stretch crouch must be in 0..1, got {crouch.min()}..{crouch.max()}")
        object.__setattr__(self, "crouch", frozen(np.broadcast_to(crouch, times.shape).copy()))
        object.__setattr__(self, "flights", tuple(self.flights))
        number(self.turning, "stretch turning", above=0.0)
        last = times[0]
        for flight in self.flights:
            if flight.start < last or flight.end > times[-1]:
                raise InputError(
                    f"stretch flights must lie in order inside {times[0]:g}..{times[-1]:g} s, got"
                    f" {flight.start:g}..{flight.end:g} s"
                )
            last = flight.end


class Run:
    """Stretches that one body carries, as a smooth path in its frame."""

    def __init__(
        self, frame: str | None, start: float, end: float, times: Floats, positions: Floats,
        headings: Floats, gaits: Floats, crouch: Floats, turning: Floats,
    ) -> None:  # fmt: skip
        self.frame, self.start, self.end = frame, start, end
        self.first = self.last = True
        self._times = times
        width = round(ROUNDING / STEP)
        turned = _unhurried(_unrolled(headings), turning)
        self._raw = np.column_stack([positions, turned])
        self._positions = smoothed(positions, width)
        self._headings = smoothed(turned, width)
        self._gaits = smoothed(gaits, width)
        # Under something low the body is low all along: it bends before and rises after.
        self._crouch = np.minimum(covering(crouch, width), 1.0)
        # Speeds across frames that move apart jump; the body's rhythm should not.
        velocity = np.gradient(self._positions[:, :2], STEP, axis=0)
        cosine, sine = np.cos(self._headings), np.sin(self._headings)
        forward = cosine * velocity[:, 0] + sine * velocity[:, 1]
        self._motion = np.stack(
            [
                forward,
                cosine * velocity[:, 1] - sine * velocity[:, 0],
                np.gradient(self._headings, STEP),
                smoothed(np.gradient(forward, STEP), width // 3),
            ],
            axis=1,
        )

    def share(self, path: Floats) -> Floats:
        """How much this run decides at each moment of the path; all runs' shares sum to one."""
        share = np.ones_like(path)
        if not self.first:
            share *= smoothstep((path - self.start + ROUNDING) / (2 * ROUNDING))
        if not self.last:
            share *= 1 - smoothstep((path - self.end + ROUNDING) / (2 * ROUNDING))
        return share

    def sample(self, path: Floats) -> tuple[Floats, Floats]:
        """Positions `(n, 3)` [m] and headings `(n,)` in the frame."""
        return _interpolated(path, self._times, self._positions), np.interp(
            path, self._times, self._headings
        )

    def planned(self, path: Floats) -> Floats:
        """Positions `(n, 3)` [m] and headings as the fourth column, before they were rounded."""
        return _interpolated(path, self._times, self._raw)

    def motion(self, path: Floats) -> Floats:
        """`(n, 4)`: speeds forward and to the left [m/s], turning [rad/s], speeding up [m/s^2]."""
        return _interpolated(path, self._times, self._motion)

    def gait(self, path: Floats) -> Floats:
        """`(n,)`: -1 where it must be a walk, 1 where it must be a run; 0 where speed decides."""
        return np.interp(path, self._times, self._gaits)

    def crouch(self, path: Floats) -> Floats:
        """`(n,)`: 0 upright, 1 as low as it gets."""
        return np.interp(path, self._times, self._crouch)

    def to_world(
        self, world: World, positions: Floats, headings: Floats, times: Floats
    ) -> tuple[Floats, Floats]:
        """Positions and headings of the frame in the world, at `times` `(n,)` [s]."""
        if self.frame is None:
            return positions, headings
        origins, turns = world[self.frame].trajectory.poses(times)
        ahead = np.stack([np.cos(headings), np.sin(headings), np.zeros_like(headings)], axis=-1)
        ahead = rotations.rotate(turns, ahead)
        return rotations.rotate(turns, positions) + origins, np.arctan2(ahead[:, 1], ahead[:, 0])


def _unhurried(headings: Floats, fastest: Floats) -> Floats:
    """Headings that turn no faster than `fastest` `(n,)` [rad/s]: a little before and after."""
    most = fastest * STEP
    if (np.abs(np.diff(headings)) <= most[1:]).all():
        return headings
    ways: list[Floats] = []
    for way, limit in ((headings, most), (headings[::-1], most[::-1])):
        followed = way.copy()
        for i in range(1, len(way)):
            change = min(max(way[i] - followed[i - 1], -limit[i]), limit[i])
            followed[i] = followed[i - 1] + change
        ways.append(followed)
    return (ways[0] + ways[1][::-1]) / 2


def _unrolled(headings: Floats) -> Floats:
    """The same headings, each the shorter way round from the one before."""
    return np.concatenate([headings[:1], headings[0] + np.cumsum(wrapped(np.diff(headings)))])


def _interpolated(times: Floats, knots: Floats, values: Floats) -> Floats:
    result = np.empty((len(times), values.shape[1]))
    for column in range(values.shape[1]):
        result[:, column] = np.interp(times, knots, values[:, column])
    return result


def smooth_runs(world: World, stretches: Sequence[Stretch]) -> list[Run]:
    """Runs of stretches with the same moving frame; what never moves is the world's own."""
    frames = [_moving_frame(world, stretch.frame) for stretch in stretches]
    spans: list[tuple[str | None, float, float]] = []
    for frame, stretch in zip(frames, stretches, strict=True):
        start, end = float(stretch.times[0]), float(stretch.times[-1])
        if spans and spans[-1][0] == frame:
            start = spans.pop()[1]
        spans.append((frame, start, end))
    runs: list[Run] = []
    for frame, start, end in spans:
        # Far enough either way for the blend with the neighbours and the rounding of both.
        margin = 3 * ROUNDING
        count = round((end - start + 2 * margin) / STEP) + 1
        times = start - margin + STEP * np.arange(count, dtype=np.float64)
        planned = _planned(world, stretches, times, frame)
        runs.append(Run(frame, start, end, times, *planned))
    for first, second in pairwise(runs):
        first.last, second.first = False, False
    return runs


def _moving_frame(world: World, frame: str | None) -> str | None:
    return frame if frame is not None and world[frame].trajectory.moving else None


def _planned(
    world: World, stretches: Sequence[Stretch], times: Floats, frame: str | None
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """The path, gait, crouch and fastest turn as planned, in one frame; at rest at the ends."""
    starts = [stretch.times[0] for stretch in stretches]
    index = np.clip(np.searchsorted(starts, times, side="right") - 1, 0, len(starts) - 1)
    positions, headings = np.empty((len(times), 3)), np.empty(len(times))
    gaits = np.array([GAITS[stretch.gait] for stretch in stretches])[index]
    turning = np.array([stretch.turning for stretch in stretches])[index]
    crouch = np.empty(len(times))
    for i, stretch in enumerate(stretches):
        at = index == i
        if not at.any():
            continue
        local = _interpolated(times[at], stretch.times, stretch.positions)
        turned = np.interp(times[at], stretch.times, _unrolled(stretch.headings))
        crouch[at] = np.interp(times[at], stretch.times, stretch.crouch)
        if stretch.frame == frame:
            positions[at], headings[at] = local, turned
            continue
        ahead = np.stack([np.cos(turned), np.sin(turned), np.zeros_like(turned)], axis=-1)
        if stretch.frame is not None:
            origins, turns = world[stretch.frame].trajectory.poses(times[at])
            local = rotations.rotate(turns, local) + origins
            ahead = rotations.rotate(turns, ahead)
        if frame is not None:
            origins, turns = world[frame].trajectory.poses(times[at])
            local = rotations.rotate(rotations.inverse(turns), local - origins)
            ahead = rotations.rotate(rotations.inverse(turns), ahead)
        positions[at], headings[at] = local, np.arctan2(ahead[:, 1], ahead[:, 0])
    return positions, headings, gaits, crouch, turning
