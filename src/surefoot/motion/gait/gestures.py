"""Gestures: what trunk and head do for a jump, before, during and after it; arms: `jump_arms`.

Whoever jumps with both feet bends over, stretches, and bends again to catch the fall. Key poses
stand at the moments that the flight gives, sized by the speeds of take-off and landing; smooth
curves join them. The angles are rounded from seven jumps of motion capture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import monotone
from surefoot.motion.footholds import Foothold
from surefoot.motion.gait.ballistics import Ballistics
from surefoot.motion.gait.jump_arms import SMALL, TOGETHER


@dataclass(frozen=True, eq=False)
class Gesture:
    """What jumps do to the upper body at `n` moments; every array is `(n,)`.

    Attributes:
        lean: [rad] that the chest leans forward more than it would.
        tilt: [rad] likewise, of the pelvis.
        gaze: [rad] likewise, of the head: where the feet will land.
    """

    lean: Floats
    tilt: Floats
    gaze: Floats


_CHANNELS = tuple(field.name for field in fields(Gesture))
Key = dict[str, float]


class Gestures:
    """The gestures of a body's jumps.

    Args:
        ballistics: its flights; none if None.
        footholds: of both feet.
    """

    def __init__(
        self, ballistics: Ballistics | None = None, footholds: Sequence[Foothold] = ()
    ) -> None:
        self._times: list[float] = []
        self._keys: list[Key] = []
        if ballistics is None:
            return
        self._beat = ballistics.beat / 0.308
        flights = ballistics.airtimes
        for index, share in enumerate(flights.long):
            if share < SMALL:
                continue
            start, end = float(flights.starts[index]), float(flights.ends[index])
            both_off = sum(abs(hold.end - start) < TOGETHER for hold in footholds) > 1
            both_down = sum(abs(hold.start - end) < TOGETHER for hold in footholds) > 1
            speeds = ballistics.launches[index, 2], -ballistics.impacts[index, 2]
            launch = float(np.clip(speeds[0] / (0.76 * ballistics.pace), 0.25, 1.15))
            impact = float(np.clip(speeds[1] / (0.86 * ballistics.pace), 0.2, 1.3))
            if both_off:
                self._leave(start, end, share * launch)
            else:
                self._leap(start, end, float(share), both_down)
            if both_down:
                self._land(end, share * impact)
            else:
                self._add(end + 0.1 * self._beat, gaze=0.05)
                self._add(end + 0.45 * self._beat)

    def _leave(self, start: float, end: float, size: float) -> None:
        """With both feet: bent, then stretched."""
        air, beat = end - start, self._beat
        self._add(start - 0.72 * beat)
        self._add(start - 0.27 * beat, lean=0.62 * size, tilt=0.34 * size, gaze=0.1 * size)
        self._add(start - 0.02 * beat, lean=0.2 * size, tilt=0.05)
        self._add(start + 0.3 * air, lean=0.03, gaze=0.08)

    def _leap(self, start: float, end: float, share: float, both_down: bool) -> None:
        """With one foot: upright, and looking at the landing; or ready to land."""
        air = end - start
        self._add(start - 0.2 * self._beat)
        if both_down:
            return
        self._add(start, lean=-0.05 * share)
        self._add(start + 0.55 * air, lean=0.04 * share, gaze=0.12 * share)

    def _land(self, end: float, size: float) -> None:
        """On both feet: bent, and up again."""
        beat = self._beat
        self._add(end - 0.04 * beat, lean=0.14 * size, tilt=0.02, gaze=0.14)
        self._add(end + 0.2 * beat, lean=0.46 * size, tilt=0.24 * size, gaze=0.08)
        self._add(end + (0.2 + 0.55 * min(max(size, 0.5), 1.1)) * beat)

    def _add(self, t: float, **key: float) -> None:
        """Adds a key pose; one that comes too soon after the last takes its place."""
        soon = 0.05 * self._beat
        while self._times and t < self._times[-1] + soon:
            self._times.pop()
            before = self._keys.pop()
            if t < (self._times[-1] if self._times else -np.inf) + soon:
                continue
            key = {name: max(key.get(name, 0.0), before[name], key=abs) for name in _CHANNELS}
            break
        self._times.append(t)
        self._keys.append({name: key.get(name, 0.0) for name in _CHANNELS})

    def at(self, times: Floats) -> Gesture:
        """The gestures at `times` `(n,)` [s]."""
        if not self._times:
            return Gesture(*([np.zeros(len(times))] * len(_CHANNELS)))
        return Gesture(
            *(monotone(times, self._times, [key[name] for key in self._keys]) for name in _CHANNELS)
        )
