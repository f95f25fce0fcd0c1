"""Triangle meshes: the surfaces of bodies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surefoot import _native, arrays, schema
from surefoot.arrays import ArrayLike, Bools, Floats, Ints, floats, frozen, shortened
from surefoot.errors import MeshError
from surefoot.math import Pose


@schema.record("mesh")
@dataclass(frozen=True, eq=False, repr=False)
class Mesh:
    """Triangles in a frame of their own; immutable, so that many bodies can share one.

    Triangles without area are no surface and are dropped. Open meshes and edges with more than
    two triangles are fine. Counter-clockwise order faces outward; closed parts that face outward
    are solid, closed parts that face inward are rooms.

    Attributes:
        vertices: `(n, 3)` [m].
        faces: `(m, 3)` vertex indices.
        name: what errors call it.
    """

    vertices: Floats
    faces: Ints
    name: str = ""

    def __post_init__(self) -> None:
        label = f"mesh {self.name!r}" if self.name else "mesh"
        vertices = arrays.positions(self.vertices, f"{label}: vertices", error=MeshError)
        if vertices.ndim != 2:
            raise MeshError(f"{label}: vertices must have shape (n, 3), got {vertices.shape}")
        faces = _checked_faces(self.faces, len(vertices), label)
        a, b, c = (vertices[faces[:, corner]] for corner in range(3))
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        if not area.any():
            raise MeshError(f"{label}: all {len(faces)} triangles have zero area")
        if not area.all():
            faces = np.ascontiguousarray(faces[area > 0])
        faces.flags.writeable = False
        object.__setattr__(self, "vertices", frozen(vertices))
        object.__setattr__(self, "faces", faces)

    @cached_property
    def native(self) -> _native.Mesh:
        """The native twin with its bounding-volume tree, made when first asked for."""
        return _native.Mesh(self.vertices, self.faces)

    @property
    def bounds(self) -> Floats:
        """`(2, 3)`: the lowest and highest coordinates that triangles reach [m]."""
        used = self.vertices[self.faces.reshape(-1)]
        return np.stack([used.min(axis=0), used.max(axis=0)])

    @property
    def closed(self) -> Bools:
        """`(m,)`: which triangles belong to closed parts."""
        return self.native.closed()

    def transformed(self, pose: Pose | None = None, scale: ArrayLike = 1.0) -> Mesh:
        """The mesh scaled (by one number or three), then placed; mirroring keeps it outward."""
        factors = floats(scale, "scale", error=MeshError)
        if factors.shape not in ((), (3,)):
            raise MeshError(f"scale must be one number or three, got {shortened(scale)}")
        factors = np.broadcast_to(factors, 3)
        if not factors.all():
            raise MeshError(f"scale must be finite and not zero, got {scale}")
        faces = self.faces[:, ::-1] if np.prod(factors) < 0 else self.faces
        vertices = self.vertices * factors
        return Mesh(vertices if pose is None else pose.apply(vertices), faces, self.name)

    def __repr__(self) -> str:
        return f"Mesh({len(self.faces)} triangles{f', {self.name!r}' if self.name else ''})"


def merge(meshes: list[Mesh], name: str = "") -> Mesh:
    """One mesh with the triangles of all."""
    if not meshes:
        raise MeshError("nothing to merge: the list of meshes is empty")
    starts = np.cumsum([0] + [len(mesh.vertices) for mesh in meshes[:-1]])
    return Mesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.faces + start for mesh, start in zip(meshes, starts, strict=True)]),
        name,
    )


def _checked_faces(value: ArrayLike, vertex_count: int, label: str) -> Ints:
    faces = np.asarray(value)
    if faces.ndim != 2 or faces.shape[1] != 3:
        raise MeshError(f"{label}: faces must have shape (m, 3), got {faces.shape}")
    if len(faces) == 0:
        raise MeshError(f"{label}: has no triangles")
    if not np.issubdtype(faces.dtype, np.integer):
        raise MeshError(f"{label}: faces must be integers, got {faces.dtype}")
    low, high = int(faces.min()), int(faces.max())
    if low < 0 or high >= vertex_count:
        bad = low if low < 0 else high
        raise MeshError(f"{label}: faces use vertex {bad}, valid are 0 to {vertex_count - 1}")
    return faces.astype(np.int32, order="C", copy=True)
