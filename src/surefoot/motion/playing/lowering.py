"""Lowering: how far a pelvis sinks for its legs to reach, along a curve that bends gently."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import over, smootherstep

STEP = 1.0 / 60.0
"""[s] between moments at which the legs are asked, at most."""

CATCHING = 12.0
"""[m/s^2] with which the legs catch a pelvis that is lowered for a reach."""

SINKING = 8.0
"""[m/s^2] with which it sinks towards one."""

LATE = 0.25
"""[s] in which it gets to where it would be, had it known of a reach before."""

_PAST = 0.5  # [s] that is remembered


class Lowering:
    """The curve of one character; it grows at its end, and what it was stays."""

    def __init__(self) -> None:
        self._times: Floats = np.zeros(0)
        self._drops: Floats = np.zeros(0)

    def grow(self, times: Floats, needed: Floats) -> None:
        """Goes on over even `times` `(n,)` [s], n >= 2, on or above what is `needed` `(n,)` [m]."""
        step = float(times[1] - times[0])
        known = len(self._times) > 0
        count = int(np.ceil(_PAST / step)) if known else 1
        earlier = times[0] - step * np.arange(count, 0, -1)
        past = self.at(earlier) if known else needed[:1]
        curve = over(np.concatenate([past, needed]), step, peaks=CATCHING, valleys=SINKING)
        curve = curve[count:]
        if known:
            # What comes now could not be known before: it takes a moment to get there.
            missing = curve[0] - float(self.at(times[:1])[0])
            late = 1 - smootherstep((times - times[0]) / LATE)
            curve = np.maximum(curve - late * missing, needed)
        keep = self._times > times[0] - 2 * _PAST
        keep &= self._times < times[0] - 1e-9
        self._times = np.concatenate([self._times[keep], times])
        self._drops = np.concatenate([self._drops[keep], curve])

    def at(self, times: Floats) -> Floats:
        """How far the pelvis is lowered `(n,)` [m] at `times` `(n,)` [s] of late."""
        return np.interp(times, self._times, self._drops)
