"""How many frames a second make a motion as fast as people are.

Played too slowly or too fast, a motion is no longer one of legs under gravity. Two signs show by
how much, both of the whole clip and without finding steps: how long the feet take to lose half
their correlation, and how fast the body falls between two supports. Over 55 clips of people who
walk, run, jump, creep and turn, their mean is within a factor of 2 of the truth for whoever moves
along, and says nothing about those who stand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from surefoot.arrays import Floats

# How long [s] feet take to move a quarter of their variance, and how fast [m/s^2] the pelvis
# falls in the fastest fiftieth of the time, for a person walking.
_WALK_TIME, _WALK_FALL = 0.13, 4.0
_LAGS = np.array([1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512])
# Where in a clip the pairs of frames begin that each lag is judged by.
_SHARES = np.linspace(0.0, 1.0, 64)
# The spread [m] of the feet around the pelvis that shows steps, and that shows any motion.
_STEPPING, _MOVING = 0.25, 0.03


class Pace(NamedTuple):
    """The rate [1/s] at which a person would move so; sure of those who step along."""

    rate: float
    sure: bool


def pace(feet: Floats, height: Floats) -> Pace | None:
    """The pace of a motion; None for who stands still, or frames too far apart to tell.

    Args:
        feet: `(n, 2, 3)` [m], both ankles from the pelvis.
        height: `(n,)` [m], the pelvis.
    """
    places = feet.reshape(len(feet), -1)
    spread = float(places.var(axis=0).sum())
    if np.sqrt(spread) < _MOVING:
        return None
    lag = _lag(places, spread)
    if lag is None:
        return None
    step = max(1, round(0.4 * lag))
    if len(height) < 2 * step + 3:
        return None
    falls = (2 * height[step:-step] - height[2 * step :] - height[: -2 * step]) / step**2
    fastest = float(np.sort(falls)[int(0.98 * (len(falls) - 1))])
    if fastest <= 0.0:
        return None
    rate = float(np.sqrt(lag / _WALK_TIME * np.sqrt(_WALK_FALL / fastest)))
    return Pace(rate, bool(np.sqrt(spread) > _STEPPING))


def _lag(places: Floats, spread: float) -> float | None:
    """Frames until the feet have moved a quarter of twice their variance; None if never.

    None also where one frame is enough for that: the frames are too far apart to tell.
    """
    lags = _LAGS[len(places) >= 2 * _LAGS]
    if not len(lags):
        return None
    # Pairs of frames for every lag at once, spread over the clip.
    starts = (_SHARES * (len(places) - 1 - lags[:, None])).astype(np.intp)
    moved = places[starts + lags[:, None]] - places[starts]
    roots = np.sqrt((moved * moved).sum(axis=2).mean(axis=1) / (2 * spread))
    far = np.flatnonzero(roots > 0.5)
    if not len(far) or far[0] == 0:
        return None
    at = int(far[0])
    share = (0.5 - roots[at - 1]) / (roots[at] - roots[at - 1])
    return float(lags[at - 1] + (lags[at] - lags[at - 1]) * share)
