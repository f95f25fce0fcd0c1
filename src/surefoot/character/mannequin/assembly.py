"""Putting parts together into one skin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from surefoot.arrays import ArrayLike, Floats, Ints
from surefoot.character import kinematics
from surefoot.character.mannequin.surfaces import Surface
from surefoot.character.skeleton import Skeleton
from surefoot.character.skin import Color, Part, Skin, vertex_normals
from surefoot.math import rotations

Weights = Mapping[str, ArrayLike]
"""Shares of joints by name: one number, or one for each vertex `(v,)`."""


def blend(values: Floats, start: float, end: float) -> Floats:
    """A smooth step `(v,)` from 0 at `start` to 1 at `end`."""
    t = np.clip((values - start) / (end - start), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


@dataclass
class Assembly:
    """Parts gathered in the pose where all joints are at the identity, then made a skin."""

    skeleton: Skeleton
    vertices: list[Floats] = field(default_factory=list[Floats])
    normals: list[Floats] = field(default_factory=list[Floats])
    weights: list[Floats] = field(default_factory=list[Floats])
    faces: dict[str, list[Ints]] = field(default_factory=dict[str, list[Ints]])
    count: int = 0

    def add(self, part: str, surface: Surface, weights: Weights) -> None:
        """Add a surface in the colour of `part`, following the named joints."""
        table = np.zeros((len(surface.vertices), len(self.skeleton)))
        for joint, share in weights.items():
            table[:, self.skeleton.index(joint)] += np.asarray(share)
        self.vertices.append(surface.vertices)
        self.normals.append(vertex_normals(surface.vertices, surface.faces))
        self.weights.append(table)
        self.faces.setdefault(part, []).append(surface.faces + np.int32(self.count))
        self.count += len(surface.vertices)

    def add_both(self, part: str, surface: Surface, weights: Weights) -> None:
        """Add a surface of the left side, and its mirror image on the right."""
        self.add(part, surface, weights)
        right = {joint.replace("left_", "right_"): share for joint, share in weights.items()}
        self.add(part, surface.mirrored(), right)

    def skin(self, colors: Mapping[str, Color]) -> Skin:
        """All parts as one skin in the skeleton's rest pose."""
        table = np.concatenate(self.weights)
        joints = np.argsort(-table, axis=1, kind="stable")[:, :4]
        weights = np.take_along_axis(table, joints, axis=1)
        joints = np.where(weights > 0, joints, joints[:, :1])
        straight = np.tile(rotations.IDENTITY, (len(self.skeleton), 1))
        built = self.skeleton.forward(self.skeleton.offsets[0], straight)
        rest = kinematics.matrices(*self.skeleton.rest_pose())
        parts = tuple(
            Part(name, colors[name], np.concatenate(faces)) for name, faces in self.faces.items()
        )
        draft = Skin(
            vertices=np.concatenate(self.vertices),
            normals=np.concatenate(self.normals),
            joints=joints.astype(np.int32),
            weights=weights,
            binds=kinematics.inverses(kinematics.matrices(*built)),
            parts=parts,
        )
        vertices, normals = draft.posed(rest)
        return Skin(
            vertices=vertices,
            normals=normals,
            joints=draft.joints,
            weights=draft.weights,
            binds=kinematics.inverses(rest),
            parts=parts,
        )
