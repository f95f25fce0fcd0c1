"""Convex pieces of meshes: what a physics engine collides with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.world import Mesh


@dataclass(frozen=True)
class Piece:
    """One convex part of a body, in the body's frame.

    Attributes:
        centre: `(3,)` [m].
        half: `(3,)` [m] half sizes of a box; None for another shape.
        vertices: `(n, 3)` [m] about the centre.
        faces: `(m, 3)`.
    """

    centre: Floats
    half: Floats | None
    vertices: Floats
    faces: Ints


def pieces_of(mesh: Mesh) -> list[Piece]:
    """The connected parts of a mesh, each taken to be convex; boxes are known as such."""
    parent = np.arange(len(mesh.vertices))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = int(parent[i])
        return i

    for a, b, c in mesh.faces.tolist():
        parent[root(a)] = root(b)
        parent[root(b)] = root(c)
    label = np.array([root(i) for i in range(len(mesh.vertices))])
    out: list[Piece] = []
    for part in dict.fromkeys(label[mesh.faces[:, 0]].tolist()):
        used = np.flatnonzero(label == part)
        renumbered = np.full(len(mesh.vertices), -1, dtype=np.int32)
        renumbered[used] = np.arange(len(used), dtype=np.int32)
        faces = renumbered[mesh.faces[label[mesh.faces[:, 0]] == part]]
        points = mesh.vertices[used]
        centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
        out.append(Piece(centre, _box(points - centre, faces), points - centre, faces))
    return out


def _box(points: Floats, faces: Ints) -> Floats | None:
    """Half sizes of a box along the axes; None for another shape."""
    half = points.max(axis=0)
    is_box = len(points) == 8 and len(faces) == 12 and (half > 0).all()
    return half if is_box and np.allclose(np.abs(points), half, atol=1e-9) else None
