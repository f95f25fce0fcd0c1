"""Between the axes of glTF (Y up) and those of surefoot (Z up): a quarter turn about x.

Both are right-handed, so shapes are never mirrored. The turn only swaps numbers and changes
signs: there and back gives the same bits.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import ArrayLike, Floats


def z_up(vectors: ArrayLike) -> Floats:
    """Y-up vectors `(..., 3)` as Z-up ones: (x, y, z) becomes (x, -z, y)."""
    v = np.asarray(vectors, dtype=np.float64)
    return np.stack([v[..., 0], -v[..., 2], v[..., 1]], axis=-1)


def y_up(vectors: ArrayLike) -> Floats:
    """Z-up vectors `(..., 3)` as Y-up ones: (x, y, z) becomes (x, z, -y)."""
    v = np.asarray(vectors, dtype=np.float64)
    return np.stack([v[..., 0], v[..., 2], -v[..., 1]], axis=-1)


def z_up_rotations(quaternions: ArrayLike) -> Floats:
    """Rotations `(..., 4)` wxyz between Y-up frames, as those between the Z-up ones."""
    q = np.asarray(quaternions, dtype=np.float64)
    return np.concatenate([q[..., :1], z_up(q[..., 1:])], axis=-1)


def y_up_rotations(quaternions: ArrayLike) -> Floats:
    """Rotations `(..., 4)` wxyz between Z-up frames, as those between the Y-up ones."""
    q = np.asarray(quaternions, dtype=np.float64)
    return np.concatenate([q[..., :1], y_up(q[..., 1:])], axis=-1)


def swapped_scales(scales: ArrayLike) -> Floats:
    """Scales `(..., 3)` along the axes of one kind, along those of the other."""
    s = np.asarray(scales, dtype=np.float64)
    return np.stack([s[..., 0], s[..., 2], s[..., 1]], axis=-1)
