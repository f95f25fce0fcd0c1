"""Skins: a surface bound to joints, and where it goes when they move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats, Ints, floats, frozen, vectors
from surefoot.errors import CharacterError, one_of

Color = tuple[float, float, float]
"""Linear red, green and blue, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Part:
    """The faces of a skin that share a colour.

    Attributes:
        name: of the material, such as "shell" or "shoes".
        color: linear red, green, blue, 0 to 1.
        faces: `(m, 3)` indices into the skin's vertices, counter-clockwise seen from outside.
    """

    name: str
    color: Color
    faces: Ints


@dataclass(frozen=True, eq=False, kw_only=True)
class Skin:
    """A surface whose vertices follow up to four joints each (linear blend skinning).

    Attributes:
        vertices: `(v, 3)` [m], in the rest pose.
        normals: `(v, 3)` unit vectors, in the rest pose.
        joints: `(v, 4)` joint indices.
        weights: `(v, 4)`, >= 0, each row sums to one.
        binds: `(n, 4, 4)`: from the rest pose into each joint's frame (inverse bind matrices).
        parts: the faces, by colour.
    """

    vertices: Floats
    normals: Floats
    joints: Ints
    weights: Floats
    binds: Floats
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        vertices = arrays.positions(self.vertices, "skin vertices", error=CharacterError)
        count = len(vertices)
        joints = np.asarray(self.joints)
        weights = floats(self.weights, "skin weights", error=CharacterError)
        binds = floats(self.binds, "skin binds", error=CharacterError)
        normals = vectors(self.normals, "skin normals", error=CharacterError)
        if normals.shape != (count, 3) or joints.shape != (count, 4) or weights.shape != (count, 4):
            raise CharacterError(
                f"a skin of {count} vertices needs normals ({count}, 3), joints ({count}, 4) and"
                f" weights ({count}, 4); got {normals.shape}, {joints.shape} and {weights.shape}"
            )
        if binds.ndim != 3 or binds.shape[1:] != (4, 4):
            raise CharacterError(f"skin binds must have shape (n, 4, 4), got {binds.shape}")
        if joints.size and (joints.min() < 0 or joints.max() >= len(binds)):
            raise CharacterError(f"skin joints must be in 0 to {len(binds) - 1}")
        total = weights.sum(axis=1, keepdims=True)
        if (weights < 0).any() or (total <= 1e-6).any():
            raise CharacterError("skin weights must not be negative, nor all zero at a vertex")
        for part in self.parts:
            if part.faces.size and (part.faces.min() < 0 or part.faces.max() >= count):
                raise CharacterError(f"skin part {part.name!r} has faces beyond its vertices")
        set_field = object.__setattr__
        set_field(self, "vertices", frozen(vertices))
        set_field(self, "normals", frozen(normals))
        set_field(self, "joints", _frozen_ints(joints))
        # Rows that sum to one stay as they are to the last bit, so that files round-trip exactly.
        scaled = np.where(np.abs(total - 1) > 1e-12, weights / total, weights)
        set_field(self, "weights", frozen(scaled))
        set_field(self, "binds", frozen(binds))

    @property
    def faces(self) -> Ints:
        """`(m, 3)`: the faces of all parts."""
        if not self.parts:
            return np.empty((0, 3), dtype=np.int32)
        return np.concatenate([part.faces for part in self.parts])

    @property
    def face_colors(self) -> Floats:
        """`(m, 3)`: the linear colour of each row of `faces`."""
        colors = [np.tile(np.array(part.color), (len(part.faces), 1)) for part in self.parts]
        return np.concatenate([np.empty((0, 3)), *colors])

    def posed(self, matrices: Floats) -> tuple[Floats, Floats]:
        """Vertices `(..., v, 3)` [m] and unit normals `(..., v, 3)` of a pose.

        Args:
            matrices: `(..., n, 4, 4)`, each joint's frame in the world.
        """
        if matrices.shape[-3:] != self.binds.shape:
            raise CharacterError(
                f"this skin follows {len(self.binds)} joints: matrices must have shape"
                f" (..., {len(self.binds)}, 4, 4), got {matrices.shape}"
            )
        moved = (matrices @ self.binds)[..., :3, :]
        blended = np.zeros((*moved.shape[:-3], len(self.vertices), 3, 4))
        for column in range(4):
            if self.weights[:, column].any():
                share = self.weights[:, column, None, None]
                blended += share * moved[..., self.joints[:, column], :, :]
        turned = blended[..., :3]
        vertices = np.einsum("...vij,vj->...vi", turned, self.vertices) + blended[..., 3]
        normals = np.einsum("...vij,vj->...vi", turned, self.normals)
        length = np.linalg.norm(normals, axis=-1, keepdims=True)
        return vertices, normals / np.maximum(length, 1e-12)

    def recolored(self, colors: Mapping[str, Sequence[float]]) -> Skin:
        """The same skin with other colours for some parts, by name."""
        names = [part.name for part in self.parts]
        for name, color in colors.items():
            if name not in names:
                raise CharacterError(one_of("skin part", name, names))
            if len(color) != 3 or not all(0 <= value <= 1 for value in color):
                raise CharacterError(f"colour of part {name!r} must be three numbers in 0 to 1")
        parts = tuple(
            replace(part, color=_color(colors[part.name])) if part.name in colors else part
            for part in self.parts
        )
        return replace(self, parts=parts)


def _color(values: Sequence[float]) -> Color:
    red, green, blue = (float(value) for value in values)
    return (red, green, blue)


def _frozen_ints(values: Ints) -> Ints:
    result = np.array(values, dtype=np.int32)
    result.flags.writeable = False
    return result


def vertex_normals(vertices: Floats, faces: Ints) -> Floats:
    """Unit normals `(v, 3)`: the mean of the faces around each vertex, weighted by area."""
    corners = vertices[faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(normals, faces[:, corner], across)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 1e-20, normals / np.maximum(length, 1e-20), [0.0, 0.0, 1.0])
