"""Forward kinematics, joint angles and mirrored poses, vectorised over frames.

A pose is the root's world position `(..., 3)` [m] and local rotations `(..., n, 4)`, wxyz: each
joint's orientation in its parent's frame, the root's in the world. Leading axes are frames.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from surefoot import _native
from surefoot.arrays import ArrayLike, Floats
from surefoot.errors import CharacterError
from surefoot.math import rotations


def forward(
    parents: Sequence[int],
    offsets: Floats,
    root: ArrayLike,
    local_rotations: ArrayLike,
    shifts: Mapping[int, Floats] | None = None,
) -> tuple[Floats, Floats]:
    """World positions `(..., n, 3)` [m] and rotations `(..., n, 4)` of all joints.

    Args:
        parents: `n` indices in topological order, -1 for the root.
        offsets: `(n, 3)` [m] in the parent's frame; the root's is not used.
        root: `(..., 3)` [m], the root's world position.
        local_rotations: `(..., n, 4)`.
        shifts: joints that are at `(..., 3)` [m] in the parent's frame, not at their offset.
    """
    local = np.asarray(local_rotations, dtype=np.float64)
    start = np.asarray(root, dtype=np.float64)
    count = len(parents)
    if local.ndim < 2 or local.shape[-2:] != (count, 4):
        raise CharacterError(
            f"local rotations must have shape (..., {count}, 4), got {local.shape}"
        )
    frames = np.broadcast_shapes(start.shape[:-1], local.shape[:-2])
    moved = dict[int, Floats]() if shifts is None else shifts
    places = [np.broadcast_to(place, (*frames, 3)).reshape(-1, 3) for place in moved.values()]
    poses = math.prod(frames)
    positions, world = _native.forward(
        np.array(parents, dtype=np.int32),
        np.ascontiguousarray(offsets, dtype=np.float64),
        np.ascontiguousarray(np.broadcast_to(start, (*frames, 3)).reshape(poses, 3)),
        np.ascontiguousarray(np.broadcast_to(local, (*frames, count, 4)).reshape(poses, count, 4)),
        np.array(list(moved), dtype=np.int32),
        np.stack(places) if places else np.empty((0, poses, 3)),
    )
    return positions.reshape(*frames, count, 3), world.reshape(*frames, count, 4)


def to_local(parents: Sequence[int], world_rotations: ArrayLike) -> Floats:
    """Local rotations `(..., n, 4)` from world rotations `(..., n, 4)`."""
    world = np.asarray(world_rotations, dtype=np.float64)
    local = world.copy()
    above = np.array(parents[1:], dtype=np.intp)
    around = rotations.inverse(world[..., above, :])
    local[..., 1:, :] = rotations.multiply(around, world[..., 1:, :])
    return local


def matrices(positions: Floats, world_rotations: Floats) -> Floats:
    """Rigid matrices `(..., 4, 4)` of world positions `(..., 3)` and rotations `(..., 4)`."""
    result = np.zeros((*positions.shape[:-1], 4, 4))
    result[..., :3, :3] = rotations.to_matrix(world_rotations)
    result[..., :3, 3] = positions
    result[..., 3, 3] = 1.0
    return result


def inverses(frames: Floats) -> Floats:
    """The matrices `(..., 4, 4)` that undo others."""
    return np.asarray(np.linalg.inv(frames), dtype=np.float64)


def joint_angles(local_rotations: ArrayLike, twist_axes: Sequence[int]) -> Floats:
    """Turns `(..., n, 3)` [rad] about the local x, y and z axes, by swing and twist.

    The twist is the turn about the bone's own axis; the swing that follows it is a rotation
    vector across that axis. Unlike Euler angles this has no singular pose short of half a turn.
    """
    q = np.asarray(local_rotations, dtype=np.float64)
    q = np.where(q[..., :1] < 0, -q, q)
    axes = np.asarray(twist_axes, dtype=np.intp)[:, None]
    along = np.take_along_axis(q[..., 1:], np.broadcast_to(axes, (*q.shape[:-1], 1)), axis=-1)
    angle = 2 * np.arctan2(along, q[..., :1])
    angle = np.where(angle > np.pi, angle - 2 * np.pi, angle)
    unit = np.eye(3)[axes[:, 0]]
    twist = rotations.from_axis_angle(unit, angle[..., 0])
    swing = rotations.to_rotation_vector(rotations.multiply(q, rotations.inverse(twist)))
    return np.where(unit > 0, angle, swing)


def from_joint_angles(angles: ArrayLike, twist_axes: Sequence[int]) -> Floats:
    """Local rotations `(..., n, 4)` of the turns `(..., n, 3)` that `joint_angles` measures."""
    angles = np.asarray(angles, dtype=np.float64)
    unit = np.eye(3)[np.asarray(twist_axes, dtype=np.intp)]
    swing = rotations.from_rotation_vector(np.where(unit > 0, 0.0, angles))
    twist = rotations.from_rotation_vector(np.where(unit > 0, angles, 0.0))
    return rotations.multiply(swing, twist)


def mirror(joints: Sequence[str], root: Floats, local_rotations: Floats) -> tuple[Floats, Floats]:
    """The pose seen in a mirror across the x-z plane: left and right change places.

    Args:
        joints: `n` names; `left_...` and `right_...` come in pairs.
        root: `(..., 3)` [m].
        local_rotations: `(..., n, 4)`, of a skeleton whose two sides mirror each other.
    """
    order = list(joints)
    swapped = [
        name.replace("left_", "right_", 1)
        if name.startswith("left_")
        else name.replace("right_", "left_", 1)
        for name in order
    ]
    other = [order.index(name) for name in swapped]
    return (
        root * np.array([1.0, -1.0, 1.0]),
        local_rotations[..., other, :] * np.array([1.0, -1.0, 1.0, -1.0]),
    )
