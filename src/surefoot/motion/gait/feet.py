"""Feet over time: locked to their footholds in stance, over whatever lies between in swing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.curves import Indices
from surefoot.motion.footholds import Holds
from surefoot.motion.gait.airtimes import Airtimes, flown
from surefoot.motion.gait.heels import Heels
from surefoot.motion.gait.rolling import Rolls, pitched, rise, rolled_ankle, sole_points
from surefoot.motion.gait.swing import Swings

_FLAT = 1e-9


@dataclass(frozen=True, eq=False)
class FootPath:
    """One foot at many moments.

    Attributes:
        ankle: `(n, 3)` [m], in the world.
        rotation: `(n, 4)`, of the foot in the world.
        toes: `(n,)` [rad], turn of the toes against the foot; up is negative.
        hold: `(n,)` the foothold it is on or comes from.
        swing: `(n,)` 0..1 in the air; NaN on the ground.
        heel: `(n,)` whether the heel is on its foothold.
        ball: `(n,)` whether the toes are.
    """

    ankle: Floats
    rotation: Floats
    toes: Floats
    hold: Indices
    swing: Floats
    heel: Bools
    ball: Bools

    @property
    def stance(self) -> Bools:
        """`(n,)`: whether the foot is on the ground."""
        return np.isnan(self.swing)


class Feet:
    """The motion of one foot through its footholds.

    Args:
        holds: of this foot.
        rolls: one for each of them.
        heels: what is added to their pitch.
        measures: of the body.
        side: 1 for the left foot, -1 for the right.
    """

    def __init__(
        self, holds: Holds, rolls: Rolls, heels: Heels, measures: Measures, side: float
    ) -> None:
        self.holds, self.rolls, self.heels, self.measures = holds, rolls, heels, measures
        self.swings = Swings(holds, rolls, heels, measures, side)

    def at(self, times: Floats) -> FootPath:
        """The foot at `times` `(n,)` [s]."""
        holds = self.holds
        hold = np.clip(np.searchsorted(holds.starts, times, side="right") - 1, 0, None)
        flying = (times > holds.ends[hold]) & (hold < len(holds) - 1)
        path = self._stance(hold, times)
        at = np.flatnonzero(flying)
        if len(at):
            done = times[at] - holds.ends[hold[at]]
            progress = done / (holds.starts[hold[at] + 1] - holds.ends[hold[at]])
            flown = self.swings.at(hold[at], progress, times[at])
            path.ankle[at], path.rotation[at], path.toes[at] = (
                flown.ankle,
                flown.rotation,
                flown.toes,
            )
            path.swing[at] = progress
            path.heel[at] = path.ball[at] = False
        return path

    def flown(self, airtimes: Airtimes) -> Floats:
        """How much of a run's swing `(swings,)` each swing is, 0..1."""
        return flown(self.holds.ends[:-1], self.holds.starts[1:], airtimes)[0]

    def pitch(self, times: Floats) -> Floats:
        """Pitches `(n,)` [rad] of the foot on the ground at `times` `(n,)` [s]."""
        hold = np.clip(np.searchsorted(self.holds.starts, times, side="right") - 1, 0, None)
        return self._rolled(hold, times)

    def rises(self, hold: Indices) -> Floats:
        """How far [m] up it goes in the swings after footholds, beyond what slopes make."""
        after = np.minimum(hold + 1, len(self.holds) - 1)
        times = self.holds.starts[after]
        return rise(*self.holds.grounds(hold, times), *self.holds.grounds(after, times))

    def _rolled(self, hold: Indices, times: Floats) -> Floats:
        left = np.maximum(self.holds.ends[hold] - times, 0.0)
        pitch = self.rolls.pitch(hold, times - self.holds.starts[hold], left)
        return pitch + self.heels.at(times)

    def _stance(self, hold: Indices, times: Floats) -> FootPath:
        position, turned = self.holds.frames(hold, times)
        pitch = self._rolled(hold, times)
        ankle = position + rotations.rotate(turned, rolled_ankle(self.measures, pitch))
        return FootPath(
            ankle=ankle,
            rotation=rotations.multiply(turned, pitched(pitch)),
            toes=-np.maximum(pitch, 0.0),
            hold=hold,
            swing=np.full(len(times), np.nan),
            heel=pitch <= _FLAT,
            ball=pitch >= -_FLAT,
        )

    def sole_points(self, path: FootPath) -> Floats:
        """`(n, 3, 3)` [m]: heel, ball and toe tip of the sole, in the world."""
        return sole_points(self.measures, path.ankle, path.rotation, path.toes)
