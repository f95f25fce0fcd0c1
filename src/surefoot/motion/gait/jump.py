"""The jump of healthy adults, as numbers: how legs and feet leave the ground and meet it again.

Rounded from seven jumps of motion capture; see `walk` for how they are stated.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import ArrayLike, Floats

PUSH_OFF_PITCH = 0.85
"""[rad] of a foot when its toes leave the ground for a long flight."""

RISING = (0.15, 2.5)
"""In which time [s for a leg of 0.93 m] the heel rises before that, and with which power of time:
late and fast."""

TOUCH_DOWN_PITCH = 0.55
"""[rad] of a foot that meets the ground with its toes first, under the body."""

FALLING = 0.10
"""[s for a leg of 0.93 m] in which its heel comes down."""

LEADING = (0.33, -0.60, -0.05)
"""Ankle ahead of the hip and above it [L], and pitch [rad], of the leg that leads in a leap."""

TRAILING = (-0.52, -0.56, 1.25)
"""Likewise of the leg that took off."""

FOLLOWING_DOWN = (-0.05, -0.72, 0.6)
"""Likewise where it goes down, and the ground taken off from is in its way."""

WAITS = (0.2, 0.9)
"""Of the flight: when the leading leg has come there, and until when the other one stays."""

TUCK = 0.05
"""[L] that feet are drawn up in the air."""

TUCK_TIME = 0.45
"""[s for a leg of 0.93 m] that a flight must last for that."""


def trailing(drop: float) -> tuple[float, float, float]:
    """The leg that took off, in a leap that goes down by `drop` [L]; see `TRAILING`."""
    share = min(max((drop - 0.1) / 0.4, 0.0), 1.0)
    ahead, above, pitch = (
        (1 - share) * level + share * down
        for level, down in zip(TRAILING, FOLLOWING_DOWN, strict=True)
    )
    return ahead, above, pitch


TAKE_OFF_KNEE = 1.5
"""[sqrt(g/L)]: how fast a knee stretches when the toes leave the ground, at most."""

TAKE_OFF_LEG = (0.94, 0.92)
"""Of thigh and shin: the least that a leg is long for that, running and jumping."""

LANDING_KNEE = 3.3
"""[sqrt(g/L)]: how fast it bends at landing, at most."""

LANDING_LEG = (0.90, 0.81)
"""Of thigh and shin: the least that a leg is long for that."""


def tucked(rise: ArrayLike) -> Floats:
    """Of thigh and shin: how much less legs are stretched on landing `rise` [L] higher up."""
    return 0.42 * np.clip(np.asarray(rise, dtype=np.float64) - 0.05, 0.0, 0.6)
