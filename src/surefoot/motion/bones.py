"""Which joints of a clip's skeleton are which of ours, as far as can be told."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Skeleton
from surefoot.character.humanoid import JOINTS, SIDES
from surefoot.character.rig.mapping import likely_bones
from surefoot.character.rig.tree import Tree

LEGS: tuple[str, ...] = tuple(
    f"{side}_{bone}" for side in SIDES for bone in ("thigh", "shin", "foot")
)
"""What a clip must have to be of any use for walking."""


def find(skeleton: Skeleton, up: Floats) -> dict[str, int]:
    """Canonical joints to the skeleton's, by name, or by shape where names say no legs.

    Args:
        skeleton: any.
        up: `(3,)` unit vector, upward in the skeleton's rest pose.
    """
    tree = tree_of(skeleton)
    found, _ = likely_bones(tree, {}, up, LEGS)
    thighs = [found[f"{side}_thigh"] for side in SIDES if f"{side}_thigh" in found]
    if len(thighs) == 2:
        found.setdefault("pelvis", tree.meeting(thighs))
    return {joint: found[joint] for joint in JOINTS if joint in found}


def tree_of(skeleton: Skeleton) -> Tree:
    """The skeleton at rest, in the form that bones are looked for in."""
    positions, _ = skeleton.rest_pose()
    matrices = np.tile(np.eye(4), (len(skeleton), 1, 1))
    matrices[:, :3, 3] = positions
    return Tree(
        names=skeleton.joints,
        indices=tuple(range(len(skeleton))),
        parents=skeleton.parents,
        joints=(True,) * len(skeleton),
        matrices=matrices,
    )
