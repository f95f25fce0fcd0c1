"""The walk of healthy adults, as numbers: rhythm, footholds, foot roll and body curves.

Fitted to 40 strides of motion capture between 0.7 and 2.0 m/s and stated without dimension, so
that they hold for people of every size. Lengths are in leg lengths L (hip to sole), speeds are
v* = v / sqrt(g L). Body curves are Fourier series in the phase of the left foot: 0 at its contact,
0.5 at the right foot's. What turns or shifts to a side has odd harmonics only and what is the same
for both steps has even ones only, so that left and right mirror each other exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from surefoot.arrays import ArrayLike, Floats
from surefoot.character.capability import GRAVITY
from surefoot.motion.curves import fourier

FITTED = (0.24, 0.67)
"""v* of the strides that the curves were fitted to."""


def speed_ratio(speed: ArrayLike, leg: float) -> Floats:
    """v* of speeds `(...)` [m/s] for a leg of length `leg` [m]."""
    return np.abs(np.asarray(speed, dtype=np.float64)) / sqrt(GRAVITY * leg)


def stride_time(ratio: ArrayLike, leg: float) -> Floats:
    """[s] from one contact of a foot to its next; slow steps stay under a second each.

    Fast walkers quicken their steps rather than lengthen them: from the comfortable speed on,
    length over rate stays the same.
    """
    ratio = np.asarray(ratio, dtype=np.float64)
    quicker = (1 + (ratio / 0.45) ** 6) ** (-0.17 / 6)
    return 2.73 * np.hypot(ratio, 0.15) ** -0.326 * quicker * sqrt(leg / GRAVITY)


def duty(ratio: ArrayLike) -> Floats:
    """The share of a stride that a foot is on the ground."""
    return np.clip(0.74 - 0.33 * np.asarray(ratio, dtype=np.float64), 0.53, 0.72)


def trail(ratio: ArrayLike) -> Floats:
    """How far [L] the ankle is behind the hips in mid-stance."""
    ratio = np.asarray(ratio, dtype=np.float64)
    return 0.045 * np.tanh(ratio / 0.15) + 0.021 * ratio


def going(ratio: ArrayLike) -> Floats:
    """0 when standing, 1 when walking, for what differs between the two."""
    return np.tanh(np.asarray(ratio, dtype=np.float64) / 0.15)


STEP_WIDTH = 0.115
"""[L] between the ankles across the way, walking."""

STANDING_WIDTH = 0.175
"""[L] between the ankles, standing."""

TOE_OUT = 0.10
"""[rad] that each foot points outward."""

OUTWARD = 0.72
"""How far [m per v omega / g] the feet go outward in turns, since the body leans inward."""

CONTACT_PITCH = -0.27
"""[rad] of the foot when its heel meets level ground; toes up is negative."""


def push_off_pitch(ratio: ArrayLike) -> Floats:
    """[rad] of the foot when its toes leave the ground."""
    return 0.608 + 0.927 * np.asarray(ratio, dtype=np.float64)


ROLL_DOWN = 0.18
"""Share of the stance from heel contact until the sole is flat."""

ROLL_UP = 0.56
"""Share of the stance at its end in which the heel rises."""

SWING_LIFT = (0.018, -0.36)
"""[L] of the ankle's arc beyond a Hermite curve: its middle, and what earlier and later differ."""

SWING_PITCH = (-0.116, 0.7)
"""[rad] likewise, of the foot's pitch."""

SWING_AHEAD = (0.025, 0.09)
"""Of the way, likewise: feet hurry ahead of the curve and land slowly."""

LANDING = 0.12
"""Speed of the ankle before contact over its mean speed in the swing; spares the knee a jerk."""


@dataclass(frozen=True)
class Curve:
    """A body curve: Fourier coefficients linear in v*.

    Attributes:
        harmonics: multiples of the stride's frequency.
        cosines: for each harmonic the value at v* = 0 and its change with v*.
        sines: likewise.
        fitted: v* of the strides it was fitted to.
    """

    harmonics: tuple[int, ...]
    cosines: tuple[tuple[float, float], ...]
    sines: tuple[tuple[float, float], ...]
    fitted: tuple[float, float] = FITTED

    def at(self, phase: Floats, ratio: Floats) -> Floats:
        """The curve at phases and v* `(n,)`; v* is kept inside what was fitted."""
        held = np.clip(ratio, *self.fitted)
        cosines = [constant + slope * held for constant, slope in self.cosines]
        sines = [constant + slope * held for constant, slope in self.sines]
        return fourier(phase, self.harmonics, cosines, sines)


# Turns are [rad], positive to the left (yaw), leaning forward (pitch), left side up (roll).
PELVIS_YAW = Curve(
    (1, 3), ((0.02, -0.26848), (-0.00428, 0.0187)), ((-0.08663, 0.13643), (-0.04006, 0.10382))
)
PELVIS_PITCH = Curve((2,), ((0.03968, -0.06222),), ((0.02202, -0.05771),))
PELVIS_ROLL = Curve(
    (1, 3), ((-0.08945, 0.03834), (-0.00098, -0.03666)), ((0.04055, 0.05192), (-0.03753, 0.1015))
)
CHEST_YAW = Curve(
    (1, 3), ((0.06743, -0.04054), (-0.01614, 0.038)), ((-0.0491, 0.03667), (-0.0243, 0.07357))
)
CHEST_PITCH = Curve((2,), ((0.0199, -0.03427),), ((-0.0062, 0.00543),))
CHEST_ROLL = Curve(
    (1, 3), ((-0.02378, -0.0064), (0.00297, 0.00013)), ((0.00528, -0.05501), (0.00311, -0.0194))
)

# Shifts of the pelvis [L]: up, to the left, ahead of steady motion.
PELVIS_UP = Curve((2, 4), ((-0.00206, -0.02793), (0.00214, -0.00888)),
                  ((0.01093, -0.03622), (0.00086, -0.01152)))  # fmt: skip
PELVIS_LEFT = Curve(
    (1, 3), ((-0.01422, 0.02414), (0.00003, -0.00165)), ((0.03444, -0.04002), (0.00077, -0.00335))
)
PELVIS_AHEAD = Curve((2, 4), ((-0.02031, 0.04807), (-0.00248, 0.00484)),
                     ((0.00801, 0.00856), (-0.00317, 0.00953)))  # fmt: skip

# The left arm [rad], about its mean: forward at the shoulder, outward, bend at the elbow.
ARM_FORWARD = Curve(
    (1, 2, 3),
    ((0.12308, -0.84611), (0.03055, -0.06705), (0.0055, -0.02251)),
    ((-0.01714, 0.15736), (-0.02041, 0.00814), (-0.01185, 0.05155)),
)
ARM_OUTWARD = Curve((1, 2), ((-0.01382, -0.07816), (0.0015, 0.011)),
                    ((0.01698, 0.00249), (0.00268, -0.03902)))  # fmt: skip
ELBOW = Curve(
    (1, 2, 3),
    ((0.08729, -0.73153), (0.03587, 0.0011), (-0.01762, 0.03041)),
    ((0.05394, -0.12632), (-0.04009, 0.0486), (0.00174, -0.01597)),
)
