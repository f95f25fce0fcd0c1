"""The run of healthy adults, as numbers: rhythm, footholds, foot roll, swing and body curves.

Fitted to the strides of motion capture that `tools/fit_gaits.py` finds, between 2.1 and 4.1 m/s,
and stated without dimension, as the numbers of the walk are; see `walk`.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import ArrayLike, Floats
from surefoot.motion.gait.walk import Curve

FITTED = (0.75, 1.4)
"""v* of the strides that the curves were fitted to."""


def stride_time(ratio: ArrayLike) -> Floats:
    """[sqrt(L/g)] from one contact of a foot to its next; slow runs keep their rhythm."""
    ratio = np.asarray(ratio, dtype=np.float64)
    return 2.5 * np.hypot(ratio, 0.45) ** -0.38


def duty(ratio: ArrayLike) -> Floats:
    """The share of a stride that a foot is on the ground."""
    ratio = np.asarray(ratio, dtype=np.float64)
    return np.clip(0.33 - 0.09 * (ratio - 0.9), 0.25, 0.37)


TRAIL = 0.165
"""How far [L] the ankle is behind the hips in mid-stance."""

SURGE = 0.55
"""How much farther [L per g] it is behind when the body speeds up, or ahead when it brakes."""

STEP_WIDTH = 0.05
"""[L] between the ankles across the way."""

CONTACT_PITCH = -0.09
"""[rad] of the foot at contact."""

PUSH_OFF_PITCH = 0.88
"""[rad] of the foot when its toes leave the ground."""

ROLL_UP = 0.68
"""Share of the stance at its end in which the heel rises."""


def contact_extension(ratio: ArrayLike) -> Floats:
    """Of thigh and shin: hip to ankle at contact; fast runners land with bent knees."""
    ratio = np.asarray(ratio, dtype=np.float64)
    return 0.965 - 0.035 * np.clip(ratio - 0.9, 0.0, 0.9)


EXTENSION = 0.968
"""Of thigh and shin: hip to ankle when the toes leave the ground."""

# The swing: what the ankle (ahead of the hip and above it [L]) and the foot's pitch [rad] do
# beyond a Hermite curve: a bump 16 u^2 (1 - u)^2 times these, in powers of u - 0.5.
SWING_AHEAD = (-0.08, 0.22)
SWING_UP = (0.26, -0.50)
SWING_PITCH = (0.35, -0.80)

HEIGHT = 0.955
"""[L] of the hips over a foot that stays on the ground."""

LEAN = 0.08
"""[rad] of the trunk, forward, at v* = 1."""


def _curve(
    harmonics: tuple[int, ...], cosines: tuple[float, ...], sines: tuple[float, ...]
) -> Curve:
    """A curve that is the same at all speeds."""
    level = [tuple((value, 0.0) for value in values) for values in (cosines, sines)]
    return Curve(harmonics, level[0], level[1], FITTED)


# Turns are [rad], positive to the left (yaw), leaning forward (pitch), left side up (roll).
PELVIS_YAW = _curve((1, 3), (-0.0194, -0.003), (0.0798, 0.0047))
PELVIS_PITCH = _curve((2,), (-0.0135,), (-0.007,))
PELVIS_ROLL = _curve((1, 3), (-0.035, -0.0219), (0.1091, 0.0187))
CHEST_YAW = _curve((1, 3), (0.1029, -0.0118), (-0.0932, 0.0071))
CHEST_PITCH = _curve((2,), (-0.0091,), (0.0235,))
CHEST_ROLL = _curve((1, 3), (-0.0238, 0.0021), (-0.0348, -0.0033))

# Shifts of the pelvis [L]: to the left, ahead of steady motion.
PELVIS_LEFT = _curve((1, 3), (-0.0006, -0.004), (0.007, 0.0035))
PELVIS_AHEAD = _curve((2, 4), (0.0123, 0.0012), (-0.0094, 0.0007))

# The left arm [rad]: forward at the shoulder, outward, bend at the elbow, turned in.
ARM_FORWARD = _curve((1, 2, 3), (-0.183, -0.047, -0.0251), (0.3852, 0.0522, -0.0016))
ARM_OUTWARD = _curve((1, 2), (0.0691, -0.0228), (-0.1669, -0.099))
ELBOW = _curve((1, 2, 3), (-0.0592, -0.0078, 0.0008), (0.1476, -0.1095, 0.0009))
ARM_MEAN = (-0.50, 0.24, 1.70, 0.38)
"""[rad] about which the arm does that."""
