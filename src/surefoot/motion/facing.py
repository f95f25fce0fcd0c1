"""Facing: which way a body faces, and the level frame it travels in, from its poses alone.

A walking pelvis turns and sways with every step, so poses of different moments cannot be laid on
each other by the pelvis alone. Hips and chest turn against each other; halfway between them, and
smoothed over a stride, is where the body as a whole is going.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.skeleton import Skeleton
from surefoot.math import rotations
from surefoot.motion.curves import smoothstep, wrapped

STRIDE = 1.1
"""[s]: what comes and goes once in a stride, as a walking pelvis does, is averaged out."""

_LEFT = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Travel:
    """Level frames of a body at `n` moments.

    Attributes:
        position: `(n, 2)` [m], where the body is, in the ground plane.
        heading: `(n,)` [rad], which way it faces; no jumps by whole turns.
    """

    position: Floats
    heading: Floats


def facing(skeleton: Skeleton, local_rotations: Floats) -> Floats:
    """Headings `(n,)` [rad] halfway between hips and chest, without jumps by whole turns.

    Args:
        skeleton: with the canonical joints.
        local_rotations: `(n, joints, 4)`.
    """
    pelvis = local_rotations[:, 0]
    chest = pelvis
    for joint in ("spine", "chest"):
        chest = rotations.multiply(chest, local_rotations[:, skeleton.index(joint)])
    hips, ribs = _yaw(pelvis), _yaw(chest)
    return np.unwrap(hips + wrapped(ribs - hips) / 2)


def travel(skeleton: Skeleton, root: Floats, local_rotations: Floats, rate: float) -> Travel:
    """The frames in which a body travels: smooth, and at the ends as straight as inside.

    Args:
        skeleton: with the canonical joints.
        root: `(n, 3)` [m].
        local_rotations: `(n, joints, 4)`.
        rate: [1/s] of the moments.
    """
    raw = np.column_stack([root[:, :2], facing(skeleton, local_rotations)])
    smooth = local_lines(raw, STRIDE * rate / 2)
    return Travel(smooth[:, :2], smooth[:, 2])


def local_lines(values: Floats, half_width: float) -> Floats:
    """`values` `(n, c)`, each moment from the straight line through those around it.

    Lines are fitted over `half_width` moments either way, fading out around there, so that waves
    of twice that length vanish and straight motion stays as it is, also at the ends, where a line
    sees one side only.
    """
    count = len(values)
    reach = min(int(1.3 * half_width), count - 1)
    if reach < 1:
        return values.copy()
    offsets = np.arange(-reach, reach + 1)
    kernel = 1.0 - smoothstep((np.abs(offsets) / max(half_width, 1.0) - 0.7) / 0.6)
    # Sums of weights, times and values in each window give the line's value at its middle.
    inside = np.ones(count)
    ones = _windowed(inside, kernel, reach)
    first = _windowed(inside, kernel * offsets, reach)
    second = _windowed(inside, kernel * offsets**2, reach)
    spread = ones * second - first**2
    result = np.empty_like(values)
    for column in range(values.shape[1]):
        level = values[:, column]
        total = _windowed(level, kernel, reach)
        moment = _windowed(level, kernel * offsets, reach)
        result[:, column] = (second * total - first * moment) / spread
    return result


def _windowed(values: Floats, kernel: Floats, reach: int) -> Floats:
    """Sums of `values` around each moment, weighted; nothing lies beyond the ends."""
    return np.convolve(values, kernel[::-1], mode="full")[reach : reach + len(values)]


def _yaw(turned: Floats) -> Floats:
    """Headings from where the left side points: leaning forward does not change it."""
    left = rotations.rotate(turned, _LEFT)
    return np.arctan2(-left[..., 0], left[..., 1])
