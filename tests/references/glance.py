"""What a glance at a clip tells, as native/motion/glance.cpp has it, in numpy."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats

_MOST, _LATER = 3, 90
_TIMES, _FROM_REST = 5.0, 2.0
_LEAST = 0.08
_AT_REST, _SHARE = 1e-3, 0.5
_LAGS = np.array([1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512])
_PAIRS = 64


def stray_frames(rotations: Floats) -> int:
    """How many frames at the start do not lead into the motion.

    Args:
        rotations: `(n, joints, 4)`, local; the identity at rest.
    """
    few = rotations[: _MOST + _LATER + 1]
    if len(few) < _MOST + 4:
        return 0
    # The angle from each frame to the next; a few joints that a capture has lost may jump too.
    turns = _angles((few[1:] * few[:-1]).sum(axis=-1))
    steps = turns.mean(axis=-1)
    later = np.sort(steps[_MOST:])
    usual = float(later[int(0.9 * (len(later) - 1))])
    moving = turns[_MOST:].max(axis=0) > _AT_REST
    resting = _angles(few[:_MOST, :, 0]) < _AT_REST
    at_rest = resting[:, moving].mean(axis=-1) > _SHARE if moving.any() else resting.all(axis=-1)
    least = np.maximum(np.where(at_rest, _FROM_REST, _TIMES) * usual, _LEAST)
    jumps = np.flatnonzero(steps[:_MOST] > least)
    return int(jumps[-1]) + 1 if len(jumps) else 0


def _angles(cosines_of_half: Floats) -> Floats:
    return 2 * np.arccos(np.abs(cosines_of_half).clip(max=1.0))


def pace_of(feet: Floats, height: Floats) -> tuple[float, float, float]:
    """Spread, lag and fall of ankles `(n, 2, 3)` from the pelvis, and its height `(n,)`."""
    places = feet.reshape(len(feet), -1)
    variance = float(places.var(axis=0).sum())
    spread = float(np.sqrt(variance))
    lags = _LAGS[len(places) >= 2 * _LAGS]
    roots: list[float] = []
    for lag in lags:
        starts = np.arange(_PAIRS) * (len(places) - 1 - lag) // (_PAIRS - 1)
        moved = places[starts + lag] - places[starts]
        roots.append(float(np.sqrt((moved**2).sum(axis=1).mean() / (2 * variance))))
    far = np.flatnonzero(np.array(roots) > 0.5)
    if not len(far) or far[0] == 0:
        return spread, np.nan, np.nan
    at = int(far[0])
    share = (0.5 - roots[at - 1]) / (roots[at] - roots[at - 1])
    lag = float(lags[at - 1] + (lags[at] - lags[at - 1]) * share)
    step = max(1, int(np.floor(0.4 * lag + 0.5)))
    if len(height) < 2 * step + 3:
        return spread, lag, np.nan
    falls = (2 * height[step:-step] - height[2 * step :] - height[: -2 * step]) / step**2
    return spread, lag, float(np.sort(falls)[int(0.98 * (len(falls) - 1))])
