"""BVH files read by upc-pymotion and by bvhio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bvhio
import numpy as np
from pymotion.io.bvh import BVH
from pymotion.ops.skeleton import fk_quat

from surefoot.arrays import Floats
from surefoot.math import rotations


def pymotion_file(path: Path) -> BVH:
    """Names, offsets, and angles in degrees; no quaternions yet."""
    bvh = BVH()
    bvh.load(str(path))
    return bvh


def pymotion_positions(bvh: BVH) -> Floats:
    """World positions `(frames, joints, 3)`, in the file's axes and unit."""
    turns, places, parents, offsets, *_ = bvh.get_data()
    return np.asarray(fk_quat(turns, places[:, 0], offsets, parents)[0])


def pymotion_forward(
    local: Floats, root: Floats, offsets: Floats, parents: tuple[int, ...]
) -> Floats:
    """World positions of poses, as its own quaternion kinematics has them."""
    above = np.array([0, *parents[1:]])
    return np.asarray(fk_quat(local, root, offsets, above)[0])


def bvhio_file(path: Path) -> Any:
    """Joints with positions and rotations for every frame."""
    return bvhio.readAsBvh(str(path))


def bvhio_positions(file: Any, frames: list[int]) -> Floats:
    """World positions `(k, joints, 3)` in some frames, in the order of the file."""
    found: list[list[Floats]] = [[] for _ in frames]

    def visit(joint: Any, at: list[Floats], turned: list[Floats]) -> None:
        places: list[Floats] = []
        turns: list[Floats] = []
        for k, frame in enumerate(frames):
            pose = joint.Keyframes[frame]
            q = pose.Rotation
            places.append(at[k] + rotations.rotate(turned[k], np.array(pose.Position)))
            turns.append(rotations.multiply(turned[k], np.array([q.w, q.x, q.y, q.z])))
            found[k].append(places[k])
        for child in joint.Children:
            visit(child, places, turns)

    start = [np.zeros(3) for _ in frames]
    visit(file.Root, start, [rotations.IDENTITY for _ in frames])
    return np.array(found)
