"""Repair: captured clips without frames that jump out of the motion, and without trembling."""

from __future__ import annotations

from dataclasses import replace
from math import radians

import numpy as np

from surefoot.arrays import Bools, Floats, number
from surefoot.math import rotations
from surefoot.motion.clip import Clip
from surefoot.motion.curves import smoothed

WINDOW = 0.06
"""[s] around a frame that tell where it should be; up to half of that may be wrong."""

JUMP = (0.008, radians(4.0))
"""[m, rad] out of the middle of its neighbours that a root, or a joint, cannot go: at 120 frames a
second that takes ten times the acceleration of a jump."""


STEADY = 0.08
"""[s] of `steadied`: as biomechanics filters gait, at about 10 Hz."""


def without_glitches(clip: Clip) -> tuple[Clip, int]:
    """The clip with glitches mended, and how many frames had one.

    A frame that lies far from the median of its neighbours is taken from those before and after
    instead: the root, or a single joint. Motion that merely turns round stays as it is.
    """
    reach = max(int(WINDOW / 2 * clip.rate), 1)
    if len(clip) <= 2 * reach:
        return clip, 0
    root, moved = clip.root, np.zeros(len(clip), dtype=np.bool_)
    middle = _medians(root, reach)
    bad = np.linalg.norm(root - middle, axis=1) > JUMP[0]
    moved |= bad
    if bad.any():
        root = _bridged(root, bad)
    local = _same_signs(clip.rotations)
    middle = rotations.normalize(_medians(local.reshape(len(clip), -1), reach).reshape(local.shape))
    off = rotations.multiply(local, rotations.inverse(middle))
    turned = np.linalg.norm(rotations.to_rotation_vector(off), axis=-1) > JUMP[1]
    moved |= turned.any(axis=1)
    for joint in np.flatnonzero(turned.any(axis=0)).tolist():
        local[:, joint] = rotations.normalize(_bridged(local[:, joint], turned[:, joint]))
    count = int(moved.sum())
    if count == 0:
        return clip, 0
    note = f"{count} of {len(clip)} frames had glitches, which are mended"
    return replace(clip, root=root, rotations=local, notes=(*clip.notes, note)), count


def steadied(clip: Clip, width: float = STEADY) -> Clip:
    """The clip without the trembling of its capture: a low-pass filter on root and joints.

    Locked feet do not tremble along with a body that does, so its knees would.

    Args:
        clip: any.
        width: [s], >= 0: what lasts less than this is taken for noise.
    """
    half = round(number(width, "width", at_least=0.0) * clip.rate / 2)
    if half < 1 or len(clip) < 3:
        return clip
    local = smoothed(_same_signs(clip.rotations), half)
    return replace(clip, root=smoothed(clip.root, half), rotations=rotations.normalize(local))


def _medians(values: Floats, reach: int) -> Floats:
    """Medians `(n, c)` of each column over `reach` frames either way."""
    padded = np.pad(values, ((reach, reach), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)
    return np.median(windows, axis=-1)


def _bridged(values: Floats, bad: Bools) -> Floats:
    """Rows `(n, c)` with the bad ones taken from the good ones before and after."""
    good = np.flatnonzero(~bad)
    if len(good) == 0:
        return values
    result = values.copy()
    at = np.flatnonzero(bad)
    for column in range(values.shape[1]):
        result[at, column] = np.interp(at, good, values[good, column])
    return result


def _same_signs(quaternions: Floats) -> Floats:
    """The same rotations `(n, joints, 4)`, without changes of sign from frame to frame."""
    flips = np.where((quaternions[1:] * quaternions[:-1]).sum(axis=-1) < 0, -1.0, 1.0)
    signs = np.concatenate([np.ones((1, quaternions.shape[1])), np.cumprod(flips, axis=0)])
    return quaternions * signs[..., None]
