"""BVH files: the skeleton and its motion, for tools of motion capture.

Y is up, lengths are metres, angles degrees in the order Z, X, Y. With all angles at zero the
character stands straight with its arms hanging, facing +x.
"""

from __future__ import annotations

from os import PathLike

import numpy as np

from surefoot.animation.animation import Animation
from surefoot.arrays import Floats
from surefoot.character import Skeleton
from surefoot.files import write_atomic
from surefoot.gltf import axes
from surefoot.math import rotations

_TURNS = "Zrotation Xrotation Yrotation"
_END = np.array([0.0, 0.0, -0.02])


def save_bvh(path: str | PathLike[str], animation: Animation, *, root_motion: bool = True) -> None:
    """Writes the canonical skeleton's motion; see `Animation.save`."""
    skeleton = animation.character.skeleton
    root, turned = animation.local_poses(root_motion)
    lines = ["HIERARCHY", *_joint(skeleton, 0, ""), "MOTION"]
    lines += [f"Frames: {len(root)}", f"Frame Time: {1.0 / animation.rate:.8f}"]
    angles = np.degrees(zxy_angles(axes.y_up_rotations(turned)))
    # Channels come in the order of the hierarchy, depth first.
    order = _depth_first(skeleton, 0)
    rows = np.concatenate(
        [axes.y_up(root), angles[:, order].reshape(len(root), 3 * len(order))], axis=1
    )
    lines += [" ".join(f"{value:.6f}" for value in row) for row in rows]
    write_atomic(path, ("\n".join(lines) + "\n").encode())


def zxy_angles(quaternions: Floats) -> Floats:
    """Turns `(..., 3)` [rad] about z, x and y, in this order of writing: q = z x y."""
    m = rotations.to_matrix(quaternions)
    x = np.arcsin(np.clip(m[..., 2, 1], -1.0, 1.0))
    z = np.arctan2(-m[..., 0, 1], m[..., 1, 1])
    y = np.arctan2(-m[..., 2, 0], m[..., 2, 2])
    return np.stack([z, x, y], axis=-1)


def _children(skeleton: Skeleton, joint: int) -> list[int]:
    return [child for child, parent in enumerate(skeleton.parents) if parent == joint]


def _depth_first(skeleton: Skeleton, joint: int) -> list[int]:
    order = [joint]
    for child in _children(skeleton, joint):
        order += _depth_first(skeleton, child)
    return order


def _joint(skeleton: Skeleton, joint: int, indent: str) -> list[str]:
    """The lines of a joint and all below it."""
    name, inner = skeleton.joints[joint], indent + "  "
    root = joint == 0
    offset = np.zeros(3) if root else axes.y_up(skeleton.offsets[joint])
    moves = "6 Xposition Yposition Zposition " if root else "3 "
    lines = [
        f"{indent}{'ROOT' if root else 'JOINT'} {name}",
        f"{indent}{{",
        f"{inner}{_offset(offset)}",
        f"{inner}CHANNELS {moves}{_TURNS}",
    ]
    children = _children(skeleton, joint)
    for child in children:
        lines += _joint(skeleton, child, inner)
    if not children:
        tips = [tip.offset for tip in skeleton.tips if tip.joint == name]
        end = axes.y_up(tips[0] if tips else _END)
        lines += [f"{inner}End Site", f"{inner}{{", f"{inner}  {_offset(end)}", f"{inner}}}"]
    return [*lines, f"{indent}}}"]


def _offset(values: Floats) -> str:
    return "OFFSET " + " ".join(f"{value:.6f}" for value in values)
