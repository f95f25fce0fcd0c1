"""Unit quaternions `(..., 4)` in wxyz order, vectorised over leading axes."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import ArrayLike, Floats

IDENTITY: Floats = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.flags.writeable = False


def normalize(quaternions: ArrayLike) -> Floats:
    """Unit quaternions of the same directions."""
    quaternions = np.asarray(quaternions, dtype=np.float64)
    return quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True)


def multiply(first: ArrayLike, second: ArrayLike) -> Floats:
    """The rotation that does `second`, then `first`."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def inverse(quaternions: ArrayLike) -> Floats:
    """The opposite rotation."""
    return np.asarray(quaternions, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(quaternions: ArrayLike, points: ArrayLike) -> Floats:
    """`points` turned by `quaternions`; leading axes broadcast."""
    q, p = np.asarray(quaternions, dtype=np.float64), np.asarray(points, dtype=np.float64)
    # Written out: numpy's cross costs several times this for a few points.
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    px, py, pz = p[..., 0], p[..., 1], p[..., 2]
    tx, ty, tz = 2.0 * (y * pz - z * py), 2.0 * (z * px - x * pz), 2.0 * (x * py - y * px)
    turned = np.empty((*tx.shape, 3))
    turned[..., 0] = px + w * tx + (y * tz - z * ty)
    turned[..., 1] = py + w * ty + (z * tx - x * tz)
    turned[..., 2] = pz + w * tz + (x * ty - y * tx)
    return turned


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Floats:
    """The turn by `angle` [rad] about `axis` (any length but zero)."""
    axis = np.asarray(axis, dtype=np.float64)
    half = np.asarray(angle, dtype=np.float64)[..., None] / 2
    unit = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    shape = np.broadcast_shapes(half.shape[:-1], unit.shape[:-1])
    cos = np.broadcast_to(np.cos(half), (*shape, 1))
    return np.concatenate([cos, np.broadcast_to(np.sin(half) * unit, (*shape, 3))], axis=-1)


def from_yaw(angle: ArrayLike) -> Floats:
    """The turn by `angle` [rad] about the vertical; zero faces +x."""
    half = np.asarray(angle, dtype=np.float64) / 2
    zero = np.zeros_like(half)
    return np.stack([np.cos(half), zero, zero, np.sin(half)], axis=-1)


def from_rotation_vector(vectors: ArrayLike) -> Floats:
    """The turn about each vector by its length [rad]."""
    vectors = np.asarray(vectors, dtype=np.float64)
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
    # sinc keeps tiny turns exact; numpy's sinc is sin(pi x) / (pi x).
    return np.concatenate([np.cos(angle / 2), vectors * np.sinc(angle / (2 * np.pi)) / 2], axis=-1)


def to_rotation_vector(quaternions: ArrayLike) -> Floats:
    """The shortest turn, as axis times angle [rad]."""
    q = np.asarray(quaternions, dtype=np.float64)
    q = np.where(q[..., :1] < 0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., :1])
    scale = np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 2.0)
    return q[..., 1:] * scale


def to_matrix(quaternions: ArrayLike) -> Floats:
    """Rotation matrices `(..., 3, 3)`."""
    w, x, y, z = np.moveaxis(np.asarray(quaternions, dtype=np.float64), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(matrices: ArrayLike) -> Floats:
    """Unit quaternions of proper rotation matrices `(..., 3, 3)`."""
    m = np.asarray(matrices, dtype=np.float64)
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    # Each candidate is exact where its leading term is large; take the largest.
    scaled = np.stack(
        [
            np.stack(
                [
                    1 + trace,
                    m[..., 2, 1] - m[..., 1, 2],
                    m[..., 0, 2] - m[..., 2, 0],
                    m[..., 1, 0] - m[..., 0, 1],
                ],
                axis=-1,
            ),
            np.stack(
                [
                    m[..., 2, 1] - m[..., 1, 2],
                    1 + 2 * m[..., 0, 0] - trace,
                    m[..., 0, 1] + m[..., 1, 0],
                    m[..., 0, 2] + m[..., 2, 0],
                ],
                axis=-1,
            ),
            np.stack(
                [
                    m[..., 0, 2] - m[..., 2, 0],
                    m[..., 0, 1] + m[..., 1, 0],
                    1 + 2 * m[..., 1, 1] - trace,
                    m[..., 1, 2] + m[..., 2, 1],
                ],
                axis=-1,
            ),
            np.stack(
                [
                    m[..., 1, 0] - m[..., 0, 1],
                    m[..., 0, 2] + m[..., 2, 0],
                    m[..., 1, 2] + m[..., 2, 1],
                    1 + 2 * m[..., 2, 2] - trace,
                ],
                axis=-1,
            ),
        ],
        axis=-2,
    )
    leading = np.diagonal(scaled, axis1=-2, axis2=-1)
    best = np.argmax(leading, axis=-1)
    chosen = np.take_along_axis(scaled, best[..., None, None], axis=-2)[..., 0, :]
    return normalize(chosen)


def between(start: ArrayLike, end: ArrayLike) -> Floats:
    """The shortest rotation that turns direction `start` into direction `end`."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    w = 1 + (a * b).sum(axis=-1, keepdims=True)
    # Opposite directions: any axis across will do.
    across = np.cross(a, np.where(np.abs(a[..., :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
    opposite = w < 1e-9
    q = np.concatenate(
        [np.where(opposite, 0.0, w), np.where(opposite, across, np.cross(a, b))], axis=-1
    )
    return normalize(q)


def slerp(start: ArrayLike, end: ArrayLike, fraction: ArrayLike) -> Floats:
    """The shortest way from `start` (0) to `end` (1), at constant rate."""
    start = np.asarray(start, dtype=np.float64)
    step = to_rotation_vector(multiply(end, inverse(start)))
    fraction = np.asarray(fraction, dtype=np.float64)[..., None]
    return multiply(from_rotation_vector(step * fraction), start)


def yaw(quaternions: ArrayLike) -> Floats:
    """The heading [rad] of each rotation's forward (+x) direction."""
    forward = rotate(quaternions, np.array([1.0, 0.0, 0.0]))
    return np.arctan2(forward[..., 1], forward[..., 0])
