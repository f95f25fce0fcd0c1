"""Meshes along lines: tubes, spheres, and the sharp edges of other meshes."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.math import rotations
from surefoot.world import Mesh


def sharp_edges(mesh: Mesh, sharp: float) -> Floats:
    """`(e, 2, 3)`: ends of edges whose faces meet at an angle, or that have one face only."""
    _, weld = np.unique(mesh.vertices.round(6), axis=0, return_inverse=True)
    faces = weld.reshape(-1)[mesh.faces]
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    pairs = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    owner = np.tile(np.arange(len(faces)), 3)
    points = np.concatenate(
        [mesh.vertices[mesh.faces[:, pair]] for pair in ([0, 1], [1, 2], [2, 0])]
    )
    order = np.lexsort(np.sort(pairs, axis=1).T)
    keys, owner, points = np.sort(pairs, axis=1)[order], owner[order], points[order]
    first = np.concatenate([[True], (np.diff(keys, axis=0) != 0).any(axis=1)])
    starts = np.flatnonzero(first)
    counts = np.diff(np.append(starts, len(keys)))
    other = owner[np.minimum(starts + 1, len(owner) - 1)]
    bend = np.einsum("ec,ec->e", normals[owner[starts]], normals[other])
    return points[starts[(counts != 2) | (bend < np.cos(sharp))]]


def tube(line: Floats, radius: float, sides: int, closed: bool) -> tuple[Floats, Ints]:
    """Vertices and faces around a polyline, mitred at its corners; open ends have flat caps."""
    into = line - np.roll(line, 1, axis=0)
    if not closed:
        into[0] = into[1]
    into /= np.linalg.norm(into, axis=1, keepdims=True)
    onward = np.roll(into, -1, axis=0)
    if not closed:
        onward[-1] = into[-1]
    # Each corner is a plane halfway between the two directions; where a path turns back on itself
    # there is none, and the end of the way there will do.
    middle: Floats = into + onward
    back = np.linalg.norm(middle, axis=1) < 1e-6
    middle[back] = into[back]
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    across = np.empty_like(line)
    start = np.cross(into[0], [0.0, 0.0, 1.0] if abs(into[0, 2]) < 0.9 else [1.0, 0.0, 0.0])
    across[0] = start / np.linalg.norm(start)
    for i in range(1, len(line)):
        # Carried along without twist.
        carried = rotations.rotate(rotations.between(into[i - 1], into[i]), across[i - 1])
        carried -= (carried @ into[i]) * into[i]
        across[i] = carried / np.linalg.norm(carried)
    angle = np.arange(sides) * (2 * np.pi / sides)
    circle = (
        np.cos(angle)[None, :, None] * across[:, None]
        + np.sin(angle)[None, :, None] * np.cross(into, across)[:, None]
    )
    # Slid along the tube into the corner's plane; sharp corners are cut short of their spike.
    slope = np.maximum(np.einsum("nc,nc->n", into, middle), 0.35)[:, None, None]
    circle -= np.einsum("nsc,nc->ns", circle, middle)[..., None] / slope * into[:, None]
    vertices = (line[:, None] + radius * circle).reshape(-1, 3)
    faces = _wrap(len(line), sides, closed)
    if closed:
        return vertices, faces
    j, k = np.arange(sides), (np.arange(sides) + 1) % sides
    tail, last = len(vertices), (len(line) - 1) * sides
    caps = [
        np.stack([np.full(sides, tail), k, j], axis=1),
        np.stack([np.full(sides, tail + 1), last + j, last + k], axis=1),
    ]
    vertices = np.concatenate([vertices, line[:1], line[-1:]])
    return vertices, np.concatenate([faces, *caps]).astype(np.int32)


def lathe(line: Floats, radii: Floats, sides: int) -> tuple[Floats, Ints]:
    """Vertices and faces of circles about points on the z axis."""
    angle = np.arange(sides) * (2 * np.pi / sides)
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(sides)], axis=1)
    vertices = (line[:, None] + radii[:, None, None] * circle).reshape(-1, 3)
    return vertices, _wrap(len(line), sides, False)


def _wrap(rings: int, sides: int, closed: bool) -> Ints:
    """Faces between consecutive rings of `sides` vertices, outward."""
    i, j = np.meshgrid(np.arange(rings if closed else rings - 1), np.arange(sides), indexing="ij")
    this, following = i * sides, (i + 1) % rings * sides
    k = (j + 1) % sides
    a, b, c, d = this + j, this + k, following + k, following + j
    quads = [np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)]
    return np.concatenate([quad.reshape(-1, 3) for quad in quads]).astype(np.int32)
