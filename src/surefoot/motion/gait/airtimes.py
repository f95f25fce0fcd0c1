"""Airtimes: when no foot is on the ground. Runs, hops and jumps are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import Indices, smoothstep
from surefoot.motion.footholds import Foothold
from surefoot.motion.gait.similarity import slowness

LONG = (0.20, 0.42)
"""[s for a leg of 0.93 m] between which a flight becomes a long one: a jump and not a step of a
run."""

MOSTLY = 0.2
"""Of a swing, that is flown: from then on it is a swing of a run; below, partly one of a walk."""

_INSTANT = 1e-6  # [s]


@dataclass(frozen=True, eq=False)
class Airtimes:
    """Times `k` at which no foot is on the ground, in order.

    Attributes:
        starts: `(k,)` [s], when the last foot leaves the ground.
        ends: `(k,)` [s], when the next one meets it.
        slow: times of this body over an adult's.
    """

    starts: Floats
    ends: Floats
    slow: float

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def durations(self) -> Floats:
        """`(k,)` [s]."""
        return self.ends - self.starts

    @property
    def long(self) -> Floats:
        """`(k,)` 0..1: how much of a jump they are; see `LONG`."""
        return _long(self.durations, self.slow)

    def at(self, times: Floats) -> Indices:
        """Which of them `(n,)` it is at `times` `(n,)` [s]; -1 on the ground."""
        if len(self) == 0:
            return np.full(len(times), -1)
        index = np.searchsorted(self.starts, times, side="left") - 1
        aloft = (index >= 0) & (times < self.ends[np.maximum(index, 0)])
        return np.where(aloft, index, -1)


def airtimes(footholds: Sequence[Foothold], leg: float) -> Airtimes:
    """The times in the air between footholds of both feet of a body with legs of `leg` [m]."""
    ordered = sorted(footholds, key=lambda hold: hold.start)
    starts: list[float] = []
    ends: list[float] = []
    held = ordered[0].end
    for hold in ordered[1:]:
        if hold.start > held + _INSTANT:
            starts.append(held)
            ends.append(hold.start)
        held = max(held, hold.end)
    return Airtimes(np.array(starts), np.array(ends), slowness(leg))


def flown(starts: Floats, ends: Floats, airtimes: Airtimes) -> tuple[Floats, Floats]:
    """How much of a run's swing, and how much of a jump, swings `(n,)` are, 0..1.

    Args:
        starts: `(n,)` [s], when the foot leaves the ground.
        ends: `(n,)` [s], when it meets it again.
        airtimes: of the body.
    """
    total, longest = np.zeros(len(starts)), np.zeros(len(starts))
    for start, end in zip(airtimes.starts, airtimes.ends, strict=True):
        both = np.minimum(end, ends) - np.maximum(start, starts)
        total += np.maximum(both, 0.0)
        longest = np.maximum(longest, both)
    share = smoothstep(total / (MOSTLY * np.maximum(ends - starts, 1e-9)))
    # Who leaves and meets the ground with the same feet hops, however briefly.
    hops = ends - starts < longest + _INSTANT
    return share, np.where(hops, 1.0, _long(longest, airtimes.slow))


def _long(durations: Floats, slow: float) -> Floats:
    return smoothstep((durations / slow - LONG[0]) / (LONG[1] - LONG[0]))
