"""Meshes made by code: boxes, floors, ramps, stairs, cylinders, turned solids, rods."""

from __future__ import annotations

import numpy as np

from surefoot import arrays, limits
from surefoot.arrays import ArrayLike, Vector, floats
from surefoot.errors import MeshError
from surefoot.math import Pose, rotations
from surefoot.world.mesh import Mesh, merge

_BOX_FACES = np.array(
    [
        [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
        [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5],
    ],
    dtype=np.int32,
)  # fmt: skip


_MOST_SIDES = 2_000
"""Of round solids: a ball has half as many rings, so two million triangles."""

_MOST_STEPS = 10_000
"""Of stairs; the tallest ones there are have 11,700."""


def box(size: Vector, centre: Vector = (0.0, 0.0, 0.0)) -> Mesh:
    """A solid box of `size` (x, y, z) [m] about `centre`."""
    half = arrays.position(size, "box size", error=MeshError) / 2
    if not (half > 0).all():
        raise MeshError(f"box size must be greater than 0, got {(2 * half).tolist()}")
    corners = [[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)]
    return Mesh(np.array(corners) * half + arrays.position(centre, "box centre"), _BOX_FACES)


def boxes(sizes: ArrayLike, centres: ArrayLike) -> Mesh:
    """Solid boxes of `sizes` `(n, 3)` about `centres` `(n, 3)` [m], as one mesh."""
    half = arrays.positions(sizes, "box sizes", error=MeshError).reshape(-1, 3) / 2
    middle = arrays.positions(centres, "box centres", error=MeshError).reshape(-1, 3)
    if len(half) != len(middle) or len(half) == 0:
        raise MeshError(f"as many box sizes as centres, at least one: {len(half)}, {len(middle)}")
    if not (half > 0).all():
        raise MeshError(f"box sizes must be greater than 0, got {(2 * half.min(axis=0)).tolist()}")
    unit = np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])
    corners = middle[:, None] + half[:, None] * unit
    faces = _BOX_FACES + 8 * np.arange(len(half), dtype=np.int32)[:, None, None]
    return Mesh(corners.reshape(-1, 3), faces.reshape(-1, 3))


def slab(size: Vector, top: Vector = (0.0, 0.0, 0.0)) -> Mesh:
    """A box given by the middle of its top, which is where people stand."""
    x, y, z = arrays.position(top, "slab top")
    size = arrays.position(size, "slab size", error=MeshError)
    return box(size, (x, y, z - size[2] / 2))


def ground(size_x: float, size_y: float, z: float = 0.0) -> Mesh:
    """A flat sheet about the origin, facing up."""
    x = arrays.length(size_x, "ground size_x", above=0, error=MeshError) / 2
    y = arrays.length(size_y, "ground size_y", above=0, error=MeshError) / 2
    z = arrays.length(z, "ground z", error=MeshError)
    corners = np.array([[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]])
    return Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32))


def ramp(length: float, width: float, height: float) -> Mesh:
    """A solid wedge from the origin along +x, rising from 0 to `height` over `length`."""
    for name, value in (("length", length), ("width", width), ("height", height)):
        arrays.length(value, f"ramp {name}", above=0, error=MeshError)
    y = width / 2
    corners = np.array(
        [[0, -y, 0], [0, y, 0], [length, -y, 0], [length, y, 0], [length, -y, height],
         [length, y, height]]
    )  # fmt: skip
    faces = [[0, 1, 2], [1, 3, 2], [0, 4, 1], [1, 4, 5], [2, 3, 4], [3, 5, 4], [0, 2, 4], [1, 5, 3]]
    return Mesh(corners.astype(float), np.array(faces, dtype=np.int32))


def stairs(steps: int, width: float, rise: float, going: float) -> Mesh:
    """A solid flight from the origin along +x; step i is `rise * (i + 1)` high."""
    steps = arrays.count(steps, "steps of stairs", at_least=1, at_most=_MOST_STEPS, error=MeshError)
    for name, value in (("width", width), ("rise", rise), ("going", going)):
        arrays.length(value, f"stairs {name}", above=0, error=MeshError)
    return merge(
        [
            slab((going, width, rise * (i + 1)), (going * (i + 0.5), 0.0, rise * (i + 1)))
            for i in range(steps)
        ],
        "stairs",
    )


def cylinder(radius: float, height: float, sides: int = 24) -> Mesh:
    """A solid upright prism from the origin up, its corners on the circle of `radius`."""
    arrays.length(radius, "cylinder radius", above=0, error=MeshError)
    arrays.length(height, "cylinder height", above=0, error=MeshError)
    sides = _sides(sides, "cylinder")
    angle = np.arange(sides) * (2 * np.pi / sides)
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(sides)], axis=1)
    corners = np.concatenate([ring, ring + np.array([0, 0, height]), [[0, 0, 0], [0, 0, height]]])
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    bottom, top = np.full(sides, 2 * sides), np.full(sides, 2 * sides + 1)
    faces = [[i, j, i + sides], [j, j + sides, i + sides], [bottom, j, i],
             [top, i + sides, j + sides]]  # fmt: skip
    return Mesh(corners, np.concatenate([np.stack(f, axis=1) for f in faces]).astype(np.int32))


def turned(profile: ArrayLike, sides: int = 16) -> Mesh:
    """A solid as a lathe makes it: `profile` `(n, 2)` radii and heights [m], from below upward."""
    line = floats(profile, "profile", limit=limits.MAX_COORDINATE, unit="m", error=MeshError)
    if line.ndim != 2 or line.shape[1] != 2 or len(line) < 2:
        raise MeshError(f"a profile has shape (n, 2), n at least 2, got {line.shape}")
    if (line[:, 0] < 0).any() or not (np.diff(line[:, 1]) >= 0).all():
        raise MeshError("a profile has radii of at least 0 and heights that never go down")
    sides = _sides(sides, "turned solid")
    # It starts and ends on the axis: rings without a radius are one point each.
    line = np.concatenate([[[0.0, line[0, 1]]], line, [[0.0, line[-1, 1]]]])
    line = line[np.concatenate([[True], (np.diff(line, axis=0) != 0).any(axis=1)])]
    angle = np.arange(sides) * (2 * np.pi / sides)
    rings: list[np.ndarray] = []
    first: list[int] = []
    for radius, height in line:
        first.append(sum(map(len, rings)))
        around = angle if radius > 0 else angle[:1]
        flat = [radius * np.cos(around), radius * np.sin(around), np.full(len(around), height)]
        rings.append(np.stack(flat, axis=1))
    faces: list[tuple[int, int, int]] = []
    for low in range(len(rings) - 1):
        a, b = first[low], first[low + 1]
        wide_below, wide_above = len(rings[low]) > 1, len(rings[low + 1]) > 1
        for i in range(sides):
            j = (i + 1) % sides
            if wide_below:
                faces.append((a + i, a + j, b + (i if wide_above else 0)))
            if wide_above:
                faces.append((a + (j if wide_below else 0), b + j, b + i))
    return Mesh(np.concatenate(rings), np.array(faces, dtype=np.int32))


def ball(radius: float, centre: Vector = (0.0, 0.0, 0.0), sides: int = 12) -> Mesh:
    """A solid sphere about `centre`, of flat faces with their corners on it."""
    arrays.length(radius, "ball radius", above=0, error=MeshError)
    sides = _sides(sides, "ball")
    angle = np.linspace(-np.pi / 2, np.pi / 2, max(3, sides // 2 + 1))
    profile = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    profile[[0, -1], 0] = 0.0
    return turned(profile, sides).transformed(Pose(arrays.position(centre, "ball centre")))


def rod(start: Vector, end: Vector, radius: float, sides: int = 10) -> Mesh:
    """A solid round bar between two points."""
    first, last = arrays.position(start, "rod start"), arrays.position(end, "rod end")
    length = float(np.linalg.norm(last - first))
    bar = cylinder(radius, arrays.length(length, "rod length", above=0, error=MeshError), sides)
    up = np.array([0.0, 0.0, 1.0])
    return bar.transformed(Pose(first, rotations.between(up, (last - first) / length)))


def _sides(sides: int, what: str) -> int:
    title = f"sides of a {what}"
    return arrays.count(sides, title, at_least=3, at_most=_MOST_SIDES, error=MeshError)


def placed(mesh: Mesh, x: float = 0.0, y: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Mesh:
    """The mesh moved to (x, y, z) and turned by `yaw` [rad]."""
    return mesh.transformed(Pose.at(x, y, z, yaw))
