"""Every cell put against every triangle: the brute-force twin of cutting a world into cells."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from references.parts import solid_faces
from references.triangles import solid_angles
from surefoot import _native
from surefoot.arrays import Bools, Floats
from surefoot.math import Pose
from surefoot.world import Mesh

STILL = Pose()


@dataclass(frozen=True)
class Lattice:
    """How space is cut."""

    cell: float = 0.25
    rise: float = 0.25
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def size(self) -> Floats:
        return np.array([self.cell, self.cell, self.rise])

    def native(self, **settings: float) -> _native.GridVoxels:
        return _native.GridVoxels(self.cell, self.rise, self.origin, **settings)

    def around(self, points: Floats) -> np.ndarray:
        """`(n, 3)`: all cells of the box around points, and one more on each side."""
        low = np.floor((points.min(axis=0) - self.origin) / self.size).astype(int) - 1
        high = np.floor((points.max(axis=0) - self.origin) / self.size).astype(int) + 1
        ranges = [np.arange(a, b + 1) for a, b in zip(low, high, strict=True)]
        return np.stack(np.meshgrid(*ranges, indexing="ij"), axis=-1).reshape(-1, 3)

    def corners(self, cells: np.ndarray) -> tuple[Floats, Floats]:
        """Lowest and highest corner of cells `(n, 3)` [m]."""
        low = np.asarray(self.origin) + cells * self.size
        return low, low + self.size


def put(
    voxels: _native.GridVoxels,
    meshes: list[Mesh],
    poses: list[Pose] | None = None,
    *,
    ids: list[int] | None = None,
    solid: bool = True,
    forbidden: list[bool] | bool = False,
    threads: int = 1,
) -> None:
    """Puts meshes into a grid; ids count from 0 unless given."""
    count = len(meshes)
    poses = poses or [STILL] * count
    voxels.put(
        np.array(range(count) if ids is None else ids, dtype=np.int32),
        [mesh.native for mesh in meshes],
        np.array([pose.position for pose in poses]).reshape(-1, 3),
        np.array([pose.rotation for pose in poses]).reshape(-1, 4),
        np.full(count, solid),
        np.broadcast_to(forbidden, count).copy(),
        threads,
    )


def touches(triangles: Floats, low: Floats, high: Floats) -> Bools:
    """`(triangles, boxes)`: whether they have a point in common, by separating axes."""
    centre, half = (low + high) / 2, (high - low) / 2
    corners = triangles[:, None] - centre[None, :, None]  # (t, b, 3, 3)
    edges = np.roll(triangles, -1, axis=1) - triangles
    normal = np.cross(edges[:, 0], edges[:, 1])
    apart = np.zeros(corners.shape[:2], dtype=bool)
    axes = [np.tile(axis, (len(triangles), 1)) for axis in np.eye(3)] + [normal]
    axes += [np.cross(edges[:, k], axis) for k, axis in product(range(3), np.eye(3))]
    for axis in axes:
        along = np.einsum("tbkx,tx->tbk", corners, axis)
        radius = np.abs(axis) @ half.T
        apart |= (along.min(axis=2) > radius) | (along.max(axis=2) < -radius)
    return ~apart


def occupied(
    mesh: Mesh, pose: Pose, lattice: Lattice, solid: bool = True
) -> tuple[np.ndarray, Bools, Bools]:
    """Cells `(n, 3)`, which of them are surely occupied, and which may be."""
    triangles = pose.apply(mesh.vertices)[mesh.faces]
    cells = lattice.around(triangles.reshape(-1, 3))
    low, high = lattice.corners(cells)
    slack = 1e-5 * lattice.size
    surely = touches(triangles, low + slack, high - slack).any(axis=0)
    maybe = touches(triangles, low - slack, high + slack).any(axis=0)
    if solid:
        matter = triangles[solid_faces(mesh)]
        clear = np.flatnonzero(~maybe)
        inside = np.zeros(len(cells), dtype=bool)
        for chunk in np.array_split(clear, max(1, len(clear) // 400)):
            middles = (low[chunk] + high[chunk]) / 2
            pairs = np.repeat(middles, len(matter), axis=0)
            angles = solid_angles(np.tile(matter, (len(chunk), 1, 1)), pairs)
            inside[chunk] = angles.reshape(len(chunk), -1).sum(axis=1) > 2 * np.pi
        surely, maybe = surely | inside, maybe | inside
    return cells, surely, maybe


def column_heights(triangle: Floats, low: Floats, high: Floats) -> tuple[float, float] | None:
    """Lowest and highest point of a triangle over a square, from where they can be.

    Corners of the triangle in the square, corners of the square under or over the triangle, and
    the triangle's edges where they cross the square's sides.
    """
    a, b, c = triangle
    heights = [p[2] for p in triangle if (p[:2] >= low).all() and (p[:2] <= high).all()]
    normal = np.cross(b - a, c - a)
    if abs(normal[2]) > 1e-12:
        for x, y in product((low[0], high[0]), (low[1], high[1])):
            sides = [
                (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
                for p, q in ((a, b), (b, c), (c, a))
            ]
            if min(sides) >= 0 or max(sides) <= 0:
                heights.append(a[2] - (normal[0] * (x - a[0]) + normal[1] * (y - a[1])) / normal[2])
    for p, q in ((a, b), (b, c), (c, a)):
        for axis, side in product((0, 1), (low, high)):
            if (p[axis] - side[axis]) * (q[axis] - side[axis]) < 0:
                at = p + (q - p) * (side[axis] - p[axis]) / (q[axis] - p[axis])
                if low[1 - axis] <= at[1 - axis] <= high[1 - axis]:
                    heights.append(at[2])
    return (min(heights), max(heights)) if heights else None
