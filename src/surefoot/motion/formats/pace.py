"""How many frames a second make a motion as fast as people are.

Played too slowly or too fast, a motion is no longer one of legs under gravity. Two signs show by
how much, both of the whole clip and without finding steps: how long the feet take to lose half
their correlation, and how fast the body falls between two supports. Over 55 clips of people who
walk, run, jump, creep and turn, their mean is within a factor of 2 of the truth for whoever moves
along, and says nothing about those who stand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from surefoot import _native
from surefoot.arrays import Floats

# How long [s] feet take to move a quarter of their variance, and how fast [m/s^2] the pelvis
# falls in the fastest fiftieth of the time, for a person walking.
_WALK_TIME, _WALK_FALL = 0.13, 4.0
# The spread [m] of the feet around the pelvis that shows steps, and that shows any motion.
_STEPPING, _MOVING = 0.25, 0.03


class Pace(NamedTuple):
    """The rate [1/s] at which a person would move so; sure of those who step along."""

    rate: float
    sure: bool


def pace(positions: Floats, bones: Mapping[str, int]) -> Pace | None:
    """The pace of a motion; None for who stands still, or frames too far apart to tell.

    Args:
        positions: `(n, joints, 3)` [m], world.
        bones: pelvis and feet to their joints.
    """
    spread, lag, fall = _native.pace_of(
        positions, bones["pelvis"], bones["left_foot"], bones["right_foot"]
    )
    if spread < _MOVING or math.isnan(lag) or math.isnan(fall) or fall <= 0.0:
        return None
    rate = math.sqrt(lag / _WALK_TIME * math.sqrt(_WALK_FALL / fall))
    return Pace(rate, spread > _STEPPING)
