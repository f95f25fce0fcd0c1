"""What a picture shows besides the world's bodies: people, and anything else with a surface."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from surefoot import arrays
from surefoot.animation.pictures.colors import Color, checked_color
from surefoot.arrays import ArrayLike, Floats, frozen, number, vectors
from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.world import Mesh

if TYPE_CHECKING:
    from surefoot.character.character import Character

PERSON_COLOR: Color = (0.03, 0.30, 0.38)
"""Of figures without colours of their own."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Extra:
    """A surface in one picture.

    Attributes:
        mesh: in its own frame.
        pose: where that frame is.
        color: linear red, green, blue, 0 to 1.
        face_colors: `(m, 3)` linear, one for each face of the mesh; in place of `color`.
        normals: `(n, 3)`, one for each vertex, to look round; none: every face looks flat.
        gloss: strength of the highlight, 0 (clay) to 1 (lacquer).
        solid: whether closed parts are shown as solid where a cutaway cuts them.
        ground: whether it gets the lines of the ground.
        mark: drawn onto the picture rather than into it: casts no shadow and takes the light of
            what it lies on.
        opacity: > 0 to 1; below 1 it is drawn as a mark.
        through: of a mark, share of the opacity left where something hides it, 0 to 1.
        rim: of a mark, 1 fades faces seen head-on and keeps the outline; 0 does not.
    """

    mesh: Mesh
    pose: Pose = field(default_factory=Pose)
    color: Color = PERSON_COLOR
    face_colors: Floats | None = None
    normals: Floats | None = None
    gloss: float = 0.0
    solid: bool = True
    ground: bool = False
    mark: bool = False
    opacity: float = 1.0
    through: float = 0.0
    rim: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "color", checked_color(self.color, "color"))
        for name in ("gloss", "through", "rim"):
            number(getattr(self, name), name, at_least=0.0, at_most=1.0)
        number(self.opacity, "opacity", above=0.0, at_most=1.0)
        wanted = (("face_colors", len(self.mesh.faces)), ("normals", len(self.mesh.vertices)))
        for name, rows in wanted:
            if getattr(self, name) is None:
                continue
            table = vectors(getattr(self, name), name)
            if table.shape != (rows, 3):
                raise InputError(f"{name} must have shape ({rows}, 3), got {table.shape}")
            object.__setattr__(self, name, frozen(table))

    @property
    def drawn_over(self) -> bool:
        """Whether it is drawn as a mark."""
        return self.mark or self.opacity < 1.0

    @property
    def corners(self) -> Floats:
        """`(m, 3, 3)` [m]: the corners of its faces in the world."""
        return self.pose.apply(self.mesh.vertices)[self.mesh.faces]

    @property
    def points(self) -> Floats:
        """`(k, 3)` [m]: the vertices that its faces use, in the world."""
        return self.pose.apply(self.mesh.vertices[np.unique(self.mesh.faces)])

    def tinted(self, color: ArrayLike, share: float) -> Extra:
        """The same surface with its colours mixed with `color`; a share of 1 is all `color`."""
        other = np.array(checked_color(color, "color"))
        number(share, "share", at_least=0.0, at_most=1.0)
        mixed = np.array(self.color) * (1 - share) + other * share
        faces = self.face_colors
        if faces is not None:
            faces = faces * (1 - share) + other * share
        return replace(self, color=_color(mixed), face_colors=faces)

    def placed(self, pose: Pose) -> Extra:
        """The same surface somewhere else."""
        return replace(self, pose=pose)

    def ghostly(self, opacity: float = 0.45) -> Extra:
        """The same surface as a faint outline that casts no shadow."""
        return replace(self, mark=True, opacity=opacity, rim=0.75)


def figure(
    vertices: ArrayLike,
    faces: ArrayLike,
    *,
    normals: ArrayLike | None = None,
    color: Color = PERSON_COLOR,
    face_colors: ArrayLike | None = None,
    gloss: float = 0.25,
) -> Extra:
    """A surface such as a skinned character in a pose.

    Args:
        vertices: `(n, 3)` [m], in the world.
        faces: `(m, 3)` vertex indices, counter-clockwise seen from outside.
        normals: `(n, 3)`; none: every face looks flat.
        color: linear red, green, blue, 0 to 1.
        face_colors: `(m, 3)` linear; in place of `color`.
        gloss: strength of the highlight, 0 to 1.
    """
    points = arrays.positions(vertices, "vertices")
    mesh = Mesh(points, np.asarray(faces))
    colors = None if face_colors is None else vectors(face_colors, "face_colors")
    if colors is not None and len(colors) == len(np.asarray(faces)) != len(mesh.faces):
        # The mesh has dropped faces without area; so must the table of colours.
        a, b, c = np.moveaxis(points[np.asarray(faces)], 1, 0)
        colors = colors[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 0]
    smooth = None if normals is None else vectors(normals, "normals")
    return Extra(mesh=mesh, color=color, face_colors=colors, normals=smooth, gloss=gloss)


def person(character: Character, root: ArrayLike, local_rotations: ArrayLike) -> Extra:
    """A character in a pose.

    Args:
        character: who.
        root: `(3,)` [m], the pelvis in the world.
        local_rotations: `(n, 4)` of the canonical joints.
    """
    vertices, normals = character.posed(root, local_rotations)
    skin = character.skin
    return figure(vertices, skin.faces, normals=normals, face_colors=skin.face_colors)


def _color(values: Floats) -> Color:
    return (float(values[0]), float(values[1]), float(values[2]))
