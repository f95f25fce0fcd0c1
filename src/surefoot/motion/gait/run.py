"""The run of healthy adults, as numbers: rhythm, footholds, foot roll, swing and body curves.

Fitted by `tools/fit_gaits.py` to 18 steps of motion capture between 2.5 and 4.0 m/s, and stated
without dimension, as the numbers of the walk are; see `walk`.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import ArrayLike, Floats
from surefoot.motion.gait.walk import Curve

FITTED = (0.83, 1.35)
"""v* of the strides that the curves were fitted to."""


def stride_time(ratio: ArrayLike) -> Floats:
    """[sqrt(L/g)] from one contact of a foot to its next; slow runs keep their rhythm."""
    ratio = np.asarray(ratio, dtype=np.float64)
    return 3.01 * np.hypot(ratio, 0.8) ** -0.735


def duty(ratio: ArrayLike) -> Floats:
    """The share of a stride that a foot is on the ground: slow runs hardly fly."""
    ratio = np.asarray(ratio, dtype=np.float64)
    return 0.302 + 0.1 * np.clip(0.75 - ratio, 0.0, 0.5)


def trail(ratio: ArrayLike) -> Floats:
    """How far [L] the ankle is behind the hips in mid-stance."""
    ratio = np.asarray(ratio, dtype=np.float64)
    return np.clip(0.152 + 0.1185 * (ratio - 0.9), 0.12, 0.24)


SURGE = 0.55
"""How much farther [L per g] it is behind when the body speeds up, or ahead when it brakes."""

STEP_WIDTH = 0.07
"""[L] between the ankles across the way."""

CONTACT_PITCH = -0.09
"""[rad] of the foot at contact, with the heel well ahead of the body."""


def push_off_pitch(ratio: ArrayLike) -> Floats:
    """[rad] of the foot when its toes leave the ground."""
    ratio = np.asarray(ratio, dtype=np.float64)
    return np.clip(0.81 + 0.25 * (ratio - 0.9), 0.75, 1.0)


def push_off_speed(ratio: ArrayLike) -> Floats:
    """Of the body's speed: that of the ankle when the toes leave the ground.

    0.6 to 0.7 in the clips, which are near v* = 1; faster ones go along more, so that the knee
    stretches no faster than it does in the clips.
    """
    ratio = np.asarray(ratio, dtype=np.float64)
    return np.clip(0.7 + 0.3 * (ratio - 1.0), 0.7, 0.9)


ROLL_UP = 0.68
"""Share of the stance at its end in which the heel rises."""


def contact_extension(ratio: ArrayLike) -> Floats:
    """Of thigh and shin: hip to ankle at contact; fast runners land with bent knees."""
    ratio = np.asarray(ratio, dtype=np.float64)
    return 0.968 - 0.05 * np.clip(ratio - 0.9, 0.0, 0.9)


def push_off_extension(ratio: ArrayLike) -> Floats:
    """Likewise when the toes leave the ground.

    A little less than in the clips (0.978), where the leg hardly stretches on after that.
    """
    ratio = np.asarray(ratio, dtype=np.float64)
    return 0.974 - 0.03 * np.clip(ratio - 0.85, 0.0, 0.9)


# The swing: what the ankle (ahead of the hip and above it [L]) and the foot's pitch [rad] do
# beyond a Hermite curve: a bump 64 u^3 (1 - u)^3 times these, in powers of u - 0.5.
SWING_AHEAD = (-0.13, 0.45)
SWING_UP = (0.29, -0.60)
SWING_PITCH = (0.95, -1.20)

HEIGHT = 0.975
"""[L] of the hips over a foot that stays on the ground."""

LEAN = 0.15
"""[rad] of the trunk, forward, at v* = 1."""


def _curve(
    harmonics: tuple[int, ...], cosines: tuple[float, ...], sines: tuple[float, ...]
) -> Curve:
    """A curve that is the same at all speeds."""
    level = [tuple((value, 0.0) for value in values) for values in (cosines, sines)]
    return Curve(harmonics, level[0], level[1], FITTED)


# Turns are [rad], positive to the left (yaw), leaning forward (pitch), left side up (roll).
PELVIS_YAW = _curve((1, 3), (-0.0131, -0.0095), (0.0808, -0.0040))
PELVIS_PITCH = _curve((2,), (-0.0030,), (-0.0112,))
PELVIS_ROLL = _curve((1, 3), (-0.0553, -0.0307), (0.1185, 0.0043))
CHEST_YAW = _curve((1, 3), (0.1502, -0.0095), (-0.0869, -0.0031))
CHEST_PITCH = _curve((2,), (-0.0167,), (0.0508,))
CHEST_ROLL = _curve((1, 3), (-0.0160, 0.0055), (-0.0487, -0.0036))

# Shifts of the pelvis [L]: to the left, ahead of steady motion.
PELVIS_LEFT = _curve((1, 3), (-0.0041, -0.0050), (0.0140, 0.0001))
PELVIS_AHEAD = _curve((2, 4), (0.0171, -0.0001), (-0.0087, -0.0001))

# The left arm [rad], about its mean: forward at the shoulder, outward, elbow, turned in.
ARM_FORWARD = _curve((1, 2, 3), (-0.2626, -0.0643, -0.0156), (0.3883, 0.0648, -0.0086))
ARM_OUTWARD = _curve((1, 2), (0.0498, 0.0154), (-0.0339, -0.0536))
ELBOW = _curve((1, 2, 3), (-0.0786, 0.0339, -0.0034), (0.1304, -0.1081, -0.0054))
INWARD = _curve((1, 2), (-0.0507, 0.0257), (-0.0066, -0.0374))
ARM_MEAN = (-0.33, 0.22, 1.735, 0.288)
"""[rad] of these four."""
