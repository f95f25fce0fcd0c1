"""Rhythm: the phase of the gait, and when the body walks or stands, from its footholds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import monotone, smoothed
from surefoot.motion.footholds import SIDES, Foothold

STAND = 1.0
"""[s] between a contact and the next foot leaving the ground from which on it is a stand: so long
that nothing of the walk is left when the phase goes on to that of the next step."""

_SWING = 0.38  # of a stride, in a walk
_RATE = 60.0
_TOGETHER = 0.06  # [s]


class Rhythm:
    """Phase and activity over time.

    Args:
        footholds: in order of contact; the first of each foot is where it stood at the start.
    """

    def __init__(self, footholds: Sequence[Foothold]) -> None:
        self._times: list[float] = []
        self._phases: list[float] = []
        self.swings: list[tuple[float, float]] = []
        latest: dict[str, Foothold] = {}
        contact = -np.inf
        jumps = _jumps(footholds)
        for hold in sorted(footholds, key=lambda hold: hold.start):
            before = latest.get(hold.foot)
            latest[hold.foot] = hold
            if before is None:
                continue
            if (before.end, hold.start) not in jumps:
                self._add(hold, before.end, contact)
            contact = hold.start
        if self._times:
            self._knot(contact + 0.5, self._phases[-1] + 0.15)
        self._activity_times, self._activity = self._active()

    def _add(self, hold: Foothold, lift: float, contact: float) -> None:
        own = 0.0 if hold.foot == "left" else 0.5
        stood = lift - contact > STAND
        latest = self._phases[-1] if self._phases else 0.0
        # The next time round for this foot, at least a quarter of a stride (or a swing) on.
        after = latest + (0.6 if stood else 0.25)
        phase = own + np.ceil(after - own)
        if stood:
            if np.isfinite(contact):
                self._knot(min(contact + 0.5, lift - 0.01), latest + 0.15)
            self._knot(lift, phase - _SWING)
        self._knot(hold.start, phase)
        self.swings.append((lift, hold.start))

    def _knot(self, time: float, phase: float) -> None:
        if not self._times or time > self._times[-1] + 1e-3:
            self._times.append(time)
            self._phases.append(float(phase))

    def _active(self) -> tuple[Floats, Floats]:
        if not self.swings:
            return np.zeros(1), np.zeros(1)
        first, last = self.swings[0][0] - 1.0, self.swings[-1][1] + 1.0
        times = np.arange(first, last + 1 / _RATE, 1 / _RATE)
        active = np.zeros(len(times))
        for lift, contact in self.swings:
            active[(times > lift - 0.2) & (times < contact + 0.25)] = 1.0
        return times, smoothed(active, round(0.25 * _RATE))

    def phase(self, times: Floats) -> Floats:
        """`(n,)`: 0 at a left contact, 0.5 at a right one, and so on, always rising."""
        if not self._times:
            return np.zeros(len(times))
        return monotone(times, self._times, self._phases)

    def activity(self, times: Floats) -> Floats:
        """`(n,)`: 1 while walking, 0 while standing, smooth in between."""
        return np.interp(times, self._activity_times, self._activity)


def _jumps(footholds: Sequence[Foothold]) -> set[tuple[float, float]]:
    """The times in the air of feet that leave and meet the ground together: no steps."""
    swings: dict[str, list[tuple[float, float]]] = {side: [] for side in SIDES}
    for side in SIDES:
        own = sorted((hold for hold in footholds if hold.foot == side), key=lambda hold: hold.start)
        swings[side] = [(first.end, second.start) for first, second in pairwise(own)]
    jumps: set[tuple[float, float]] = set()
    for one in swings[SIDES[0]]:
        for two in swings[SIDES[1]]:
            if max(abs(one[0] - two[0]), abs(one[1] - two[1])) < _TOGETHER:
                jumps |= {one, two}
    return jumps
