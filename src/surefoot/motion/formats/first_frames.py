"""Frames at the start of a file that do not belong to its motion.

Exporters put the pose that a skeleton was bound in, arms spread, before the first frame; some put
a frame of zeros after it. Neither leads into what follows: the step from it is far larger than
any later one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.humanoid import SIDES

# How many frames may be stray, and how many later ones show how fast the motion is.
_MOST, _LATER = 3, 90
# By how much a step must exceed nearly all later ones: any, and one from a frame at rest.
_TIMES, _FROM_REST = 5.0, 2.0
# The least mean turn of a joint [rad] that counts as a jump.
_LEAST = 0.08
# A joint turned by less [rad] is at rest, and the share of moving joints that makes a frame so.
_AT_REST, _SHARE = 1e-3, 0.5


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


def arms_spread(bones: Mapping[str, int], positions: Floats) -> bool:
    """Whether a pose `(joints, 3)`, Z up, holds both arms out to the sides: a T pose."""
    for side in SIDES:
        ends = [f"{side}_upper_arm", f"{side}_forearm"]
        if any(joint not in bones for joint in ends):
            return False
        along = positions[bones[ends[1]]] - positions[bones[ends[0]]]
        if abs(along[2]) > 0.4 * np.linalg.norm(along):
            return False
    return True
