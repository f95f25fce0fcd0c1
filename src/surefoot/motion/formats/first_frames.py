"""Frames at the start of a file that do not belong to its motion.

Exporters put the pose that a skeleton was bound in, arms spread, before the first frame; some put
a frame of zeros after it. Neither leads into what follows: the step from it is far larger than
any later one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.character.humanoid import SIDES


def stray_frames(rotations: Floats) -> int:
    """How many frames at the start do not lead into the motion; see native/motion/glance.hpp.

    Args:
        rotations: `(n, joints, 4)`, local; the identity at rest.
    """
    return _native.stray_frames(rotations)


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
