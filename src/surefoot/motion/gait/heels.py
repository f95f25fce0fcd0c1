"""Heels: raised where an ankle cannot bend any further, as in a crouch or up a steep slope."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import kinematics
from surefoot.character.legs import solve_leg
from surefoot.character.skeleton import Skeleton
from surefoot.motion.curves import over, sampled
from surefoot.motion.gait.similarity import size

SPARE = 0.02
"""[rad] of an ankle's range that is not used."""

HIGHEST = 0.9
"""[rad] that a heel rises for that, at most."""

_BEND = 60.0  # [rad/s^2 for a leg of 0.93 m] with which heels rise and fall
_GAIN = 1.4  # a raised heel bends the knee too, which takes back some of what the ankle gains


class Heels:
    """How much the foot is pitched beyond its roll, over time.

    Args:
        start: [s].
        step: [s] between the moments at which it is kept.
        count: of these.
        leg: [m].
    """

    def __init__(self, start: float, step: float, count: int, leg: float) -> None:
        self._start, self._step = start, step
        self._bend = _BEND / size(leg)
        self._needed = np.zeros(count)
        self._raised = np.zeros(count)

    def at(self, times: Floats) -> Floats:
        """`(n,)` [rad], >= 0: heels up, toes down."""
        return sampled(times, self._start, self._step, self._raised)

    def rate(self, times: Floats) -> Floats:
        """`(n,)` [rad/s]."""
        half = self._step / 2
        return (self.at(times + half) - self.at(times - half)) / self._step

    def need(self, more: Floats) -> None:
        """Raises the heel by `more` `(count,)` [rad] than it is, at least."""
        short = more > 0
        needed = np.minimum(self._raised + _GAIN * more, HIGHEST)
        self._needed = np.where(short, needed, self._needed)
        self._raised = over(self._needed, self._step, peaks=self._bend, valleys=self._bend)


def heel_needed(
    skeleton: Skeleton, side: str, pelvis: Floats, pelvis_rotation: Floats, ankle: Floats,
    foot_rotation: Floats,
) -> Floats:  # fmt: skip
    """How far `(n,)` [rad] a heel must rise for its ankle not to bend too far; 0 where it does not.

    Args:
        skeleton: with the canonical joints.
        side: "left" or "right".
        pelvis: `(n, 3)` [m].
        pelvis_rotation: `(n, 4)`.
        ankle: `(n, 3)` [m].
        foot_rotation: `(n, 4)`.
    """
    foot = skeleton.index(f"{side}_foot")
    leg = solve_leg(skeleton, side, pelvis, pelvis_rotation, ankle, foot_rotation)
    bend = kinematics.joint_angles(leg.foot[:, None], [skeleton.twist_axes[foot]])[:, 0, 1]
    return np.maximum(skeleton.limits[foot, 1, 0] + SPARE - bend, 0.0)
