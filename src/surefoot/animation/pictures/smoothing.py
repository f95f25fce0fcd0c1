"""A filter that evens out the grain of few rays, without smearing light across edges."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats32 = npt.NDArray[np.float32]

REACH = 2
"""How many pixels away the filter looks."""

# As wide as the 4 x 4 blocks in which pixels share a pattern, and symmetric: it averages every
# kind of pixel with the same weight.
_TENT = {-2: 0.5, -1: 1.0, 0: 1.0, 1: 1.0, 2: 0.5}
SAME_NORMAL = 0.9
"""Cosine of the angle beyond which neighbours are other surfaces, about 25 degrees."""


def smoothed(
    values: Floats32,
    normals: Floats32,
    positions: Floats32,
    bodies: npt.NDArray[np.int32],
    tolerance: Floats32,
) -> Floats32:
    """Averages of `values` over neighbours on the same surface.

    All arrays have `REACH` more rows and columns on each side than the result.

    Args:
        values: `(c, h, w)`.
        normals: `(3, h, w)` unit.
        positions: `(3, h, w)` [m].
        bodies: `(h, w)`, -1 where there is nothing.
        tolerance: `(h, w)` [m]: how far out of a pixel's plane its neighbours may lie.
    """
    height, width = bodies.shape[0] - 2 * REACH, bodies.shape[1] - 2 * REACH
    middle = (slice(REACH, REACH + height), slice(REACH, REACH + width))
    normal, position = normals[:, *middle], positions[:, *middle]
    body, near = bodies[middle], tolerance[middle]
    total = np.zeros((len(values), height, width), dtype=np.float32)
    weight = np.zeros((height, width), dtype=np.float32)
    for down, vertical in _TENT.items():
        for right, horizontal in _TENT.items():
            there = (
                slice(REACH + down, REACH + down + height),
                slice(REACH + right, REACH + right + width),
            )
            other = normals[:, *there]
            same = normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2]
            away = positions[:, *there] - position
            off = normal[0] * away[0] + normal[1] * away[1] + normal[2] * away[2]
            share = (bodies[there] == body) & (same > SAME_NORMAL) & (np.abs(off) < near)
            tap = share * np.float32(vertical * horizontal)
            weight += tap
            total += tap * values[:, *there]
    # A pixel always agrees with itself, so only empty ones have no weight.
    return (total / np.maximum(weight, 1e-6)).astype(np.float32, copy=False)
