"""Rigs: the user's own skeleton as its file has it, with its surface and its bone mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from surefoot.arrays import ArrayLike, Bools, Floats
from surefoot.character.rig.mapping import BoneMapping
from surefoot.character.skin import Skin
from surefoot.math import rotations


@dataclass(frozen=True, eq=False)
class RigPose:
    """Poses of a rig, ready to be written into its file.

    Attributes:
        rotations: `(..., n, 4)` local rotations of the rig's nodes, wxyz, in the file's axes.
        translations: `(..., n, 3)` local translations, in the file's axes and units; they differ
            from the rest pose only for the nodes of `Rig.moved`.
        reached: `(..., 2)`, whether the left and the right foot are where they should be.
    """

    rotations: Floats
    translations: Floats
    reached: Bools


@dataclass(frozen=True, eq=False, kw_only=True)
class Rig:
    """The nodes of a character's file in their bind pose.

    To show an animated rig in another file or scene, put its root nodes under a node with the
    matrix `frame` (Z up; turn it for Y up) and give the nodes the local rotations and
    translations of a `RigPose` as they are.

    Attributes:
        path: the file.
        names: `n` node names, unique; parents come before children.
        nodes: `n` indices of the nodes in the file.
        parents: `n` indices into these lists; -1 for roots.
        translations: `(n, 3)`, local, in the file's axes and units, of the bind pose.
        rotations: `(n, 4)`, local, wxyz, of the bind pose.
        scales: `(n, 3)`, local.
        frame: `(4, 4)`: the similarity from the file's axes and units into surefoot's, where the
            character faces +x, its left is +y, up is z, and it stands on the origin; metres.
        bones: canonical joint to node index in these lists.
        mapping: the same by names, to show and save.
        skin: the surface, in surefoot's axes, bound to the nodes.
        notes: what was assumed about the file, in sentences.
    """

    path: Path
    names: tuple[str, ...]
    nodes: tuple[int, ...]
    parents: tuple[int, ...]
    translations: Floats
    rotations: Floats
    scales: Floats
    frame: Floats
    bones: Mapping[str, int]
    mapping: BoneMapping
    skin: Skin
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    @property
    def moved(self) -> tuple[int, ...]:
        """The nodes whose translation a `RigPose` sets: the pelvis, and feet that hang apart."""
        return (self.bones["pelvis"], *self.apart)

    @property
    def apart(self) -> tuple[int, ...]:
        """The feet that are not below their shins in the tree, as in rigs with control bones."""
        feet: list[int] = []
        for side in ("left", "right"):
            foot, shin = self.bones[f"{side}_foot"], self.bones[f"{side}_shin"]
            at = foot
            while at >= 0 and at != shin:
                at = self.parents[at]
            if at < 0:
                feet.append(foot)
        return tuple(feet)

    def matrices(
        self, local_rotations: ArrayLike | None = None, translations: ArrayLike | None = None
    ) -> Floats:
        """Frames `(..., n, 4, 4)` of all nodes in surefoot's world; at rest when not given.

        Args:
            local_rotations: `(..., n, 4)`.
            translations: `(..., n, 3)`, in the file's units.
        """
        turned = self.rotations if local_rotations is None else np.asarray(local_rotations)
        moved = self.translations if translations is None else np.asarray(translations)
        frames = np.broadcast_shapes(turned.shape[:-2], moved.shape[:-2])
        local = np.zeros((*frames, len(self), 4, 4))
        local[..., :3, :3] = rotations.to_matrix(turned) * self.scales[:, None, :]
        local[..., :3, 3] = moved
        local[..., 3, 3] = 1.0
        world = np.empty_like(local)
        for node, parent in enumerate(self.parents):
            around = self.frame if parent < 0 else world[..., parent, :, :]
            world[..., node, :, :] = around @ local[..., node, :, :]
        return world
