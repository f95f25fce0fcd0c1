"""Rhythm: the phase of the gait, and when the body walks or stands, from its footholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import monotone, smoothed
from surefoot.motion.footholds import Foothold

STAND = 0.45
"""[s] between a contact and the next foot leaving the ground from which on it is a stand."""

_SWING = 0.38  # of a stride, in a walk
_RATE = 60.0


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
        for hold in sorted(footholds, key=lambda hold: hold.start):
            before = latest.get(hold.foot)
            latest[hold.foot] = hold
            if before is None:
                continue
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
