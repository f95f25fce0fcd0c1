"""Rhythm: the phase of the gait, and when the body walks or stands, from its footholds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import monotone, smoothed
from surefoot.motion.footholds import SIDES, Foothold
from surefoot.motion.gait.similarity import slowness

STAND = 1.0
"""[s for a leg of 0.93 m] between a contact and the next foot leaving the ground from which on it
is a stand: so long that nothing of the walk is left when the phase goes on to that of the next
step."""

_SWING = 0.38  # of a stride, in a walk
_RATE = 60.0
_TOGETHER = 0.06  # [s likewise]
_SETTLING = 0.5  # [s likewise] after a contact in which the phase goes on
_AROUND = (0.2, 0.25)  # [s likewise] before and after a swing that are no stand


class Rhythm:
    """Phase and activity over time.

    Args:
        footholds: in order of contact; the first of each foot is where it stood at the start.
        leg: [m].
    """

    def __init__(self, footholds: Sequence[Foothold], leg: float) -> None:
        self._slow = slowness(leg)
        self._times: list[float] = []
        self._phases: list[float] = []
        self.swings: list[tuple[float, float]] = []
        latest: dict[str, Foothold] = {}
        contact = -np.inf
        jumps = _jumps(footholds, self._slow * _TOGETHER)
        for hold in sorted(footholds, key=lambda hold: hold.start):
            before = latest.get(hold.foot)
            latest[hold.foot] = hold
            if before is None:
                continue
            if (before.end, hold.start) not in jumps:
                self._add(hold, before.end, contact)
            contact = hold.start
        if self._times:
            self._knot(contact + self._slow * _SETTLING, self._phases[-1] + 0.15)
        self._activity_times, self._activity = self._active()

    def _add(self, hold: Foothold, lift: float, contact: float) -> None:
        own = 0.0 if hold.foot == "left" else 0.5
        stood = lift - contact > self._slow * STAND
        latest = self._phases[-1] if self._phases else 0.0
        # The next time round for this foot, at least a quarter of a stride (or a swing) on.
        after = latest + (0.6 if stood else 0.25)
        phase = own + np.ceil(after - own)
        if stood:
            if np.isfinite(contact):
                self._knot(min(contact + self._slow * _SETTLING, lift - 0.01), latest + 0.15)
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
        before, after = (self._slow * around for around in _AROUND)
        first, last = self.swings[0][0] - 1.0, self.swings[-1][1] + 1.0
        times = np.arange(first, last + 1 / _RATE, 1 / _RATE)
        active = np.zeros(len(times))
        for lift, contact in self.swings:
            active[(times > lift - before) & (times < contact + after)] = 1.0
        return times, smoothed(active, round(after * _RATE))

    def phase(self, times: Floats) -> Floats:
        """`(n,)`: 0 at a left contact, 0.5 at a right one, and so on, always rising."""
        if not self._times:
            return np.zeros(len(times))
        return monotone(times, self._times, self._phases)

    def activity(self, times: Floats) -> Floats:
        """`(n,)`: 1 while walking, 0 while standing, smooth in between."""
        return np.interp(times, self._activity_times, self._activity)


def _jumps(footholds: Sequence[Foothold], together: float) -> set[tuple[float, float]]:
    """The times in the air of feet that leave and meet the ground together: no steps."""
    swings: dict[str, list[tuple[float, float]]] = {side: [] for side in SIDES}
    for side in SIDES:
        own = sorted((hold for hold in footholds if hold.foot == side), key=lambda hold: hold.start)
        swings[side] = [(first.end, second.start) for first, second in pairwise(own)]
    jumps: set[tuple[float, float]] = set()
    for one in swings[SIDES[0]]:
        for two in swings[SIDES[1]]:
            if max(abs(one[0] - two[0]), abs(one[1] - two[1])) < together:
                jumps |= {one, two}
    return jumps
