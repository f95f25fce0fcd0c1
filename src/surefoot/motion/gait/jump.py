"""The jump of healthy adults, as numbers: how legs and feet leave the ground and meet it again.

Rounded from seven jumps of motion capture; see `walk` for how they are stated.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import ArrayLike, Floats

PUSH_OFF_PITCH = 0.85
"""[rad] of a foot when its toes leave the ground for a long flight."""

RISING = (0.22, 2.5)
"""In which time [s] the heel rises before that, and with which power of time: late and fast."""

TOUCH_DOWN_PITCH = 0.55
"""[rad] of a foot that meets the ground with its toes first, under the body."""

FALLING = 0.10
"""[s] in which its heel comes down."""

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
"""[s] that a flight must last for that."""


def trailing(drop: float) -> tuple[float, float, float]:
    """The leg that took off, in a leap that goes down by `drop` [L]; see `TRAILING`."""
    share = min(max((drop - 0.1) / 0.4, 0.0), 1.0)
    ahead, above, pitch = (
        (1 - share) * level + share * down
        for level, down in zip(TRAILING, FOLLOWING_DOWN, strict=True)
    )
    return ahead, above, pitch


def take_off_extension(usual: ArrayLike, speed: ArrayLike) -> Floats:
    """Of thigh and shin: hip to ankle when the toes leave the ground.

    The faster, the less: a leg that goes on stretching must not be straight too soon.

    Args:
        usual: of a run.
        speed: v* at which the body goes up.
    """
    speed = np.asarray(speed, dtype=np.float64)
    return np.asarray(usual) - 0.055 * np.clip((speed - 0.44) / 0.66, 0.0, 1.0)


def landing_extension(usual: ArrayLike, speed: ArrayLike, rise: ArrayLike) -> Floats:
    """Likewise at landing: legs are bent for a hard landing, and drawn up for a high one.

    Args:
        usual: of a run.
        speed: v* at which the body comes down.
        rise: [L] by which the landing lies above the take-off.
    """
    speed, rise = np.asarray(speed, dtype=np.float64), np.asarray(rise, dtype=np.float64)
    hard = 0.11 * np.clip(speed - 0.4, 0.0, 1.1)
    return np.asarray(usual) - hard - 0.42 * np.clip(rise - 0.05, 0.0, 0.6)
