"""Jerk and knees: does anything move as no body can?"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.skeleton import Skeleton
from surefoot.motion.footholds import SIDES
from surefoot.motion.gait.similarity import size, slowness

RATE = 60.0
"""[1/s] at which differences are taken: finer samples of motion capture show only its noise."""

KNEE_SPEED = 17.0
"""[rad/s] of an adult's knee: people run and jump at up to 16.8 (55 clips of the CMU database at
60 Hz, without those whose knees flip straight in the file)."""

KNEE_ACCELERATION = 500.0
"""[rad/s^2] of an adult's knee: in the same clips walks reach 300, runs and jumps 490."""


def knee_bounds(leg: float) -> tuple[float, float]:
    """How fast [rad/s] and how sharp [rad/s^2] the knees of a body with legs of `leg` [m] may be.

    People of every size move alike at equal Froude numbers v^2 / (g L): the same angles, in times
    that go with sqrt(L / g). So a child's knees are quicker than an adult's in the same gait, by
    1 / sqrt(L), and change their speed more, by 1 / L; a bound in absolute figures would call a
    child's run a pop, and overlook one of a giant.
    """
    return KNEE_SPEED / slowness(leg), KNEE_ACCELERATION / size(leg)


def knee_bend(skeleton: Skeleton, local_rotations: Floats) -> Floats:
    """How far knees bend `(..., 2)` [rad], left and right; backward is negative."""
    knees = skeleton.indices([f"{side}_shin" for side in SIDES])
    return skeleton.joint_angles(local_rotations)[..., knees, 1]


def spacing(times: Floats) -> tuple[int, float]:
    """Every how many moments differences are taken, and how far apart [s] those are."""
    step = float(np.median(np.diff(times)))
    stride = max(1, round(1.0 / (step * RATE)))
    return stride, stride * step


def speeds(times: Floats, values: Floats) -> Floats:
    """Rates of change [1/s] of `values` `(n, ...)`; none for a single moment."""
    return _differences(times, values, 1)


def accelerations(times: Floats, values: Floats) -> Floats:
    """Second differences [1/s^2] of `values` `(n, ...)`."""
    return _differences(times, values, 2)


def jerks(times: Floats, positions: Floats) -> Floats:
    """Jerk `(m, ...)` [m/s^3] of points `(n, ..., 3)`."""
    return np.linalg.norm(_differences(times, positions, 3), axis=-1)


def _differences(times: Floats, values: Floats, order: int) -> Floats:
    if len(times) < 2:
        return values[:0]
    stride, step = spacing(times)
    result = values
    for _ in range(order):
        result = result[stride:] - result[:-stride]
    return result / step**order
