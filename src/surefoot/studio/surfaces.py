"""Surfaces as a browser shades them: round where they are smooth, sharp at their edges."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from surefoot.animation.pictures.colors import Color, to_srgb
from surefoot.arrays import Floats, Ints
from surefoot.world import Mesh

CREASE = math.radians(35.0)
"""Faces that meet at a larger angle have an edge between them [rad]."""

Rgb = tuple[int, int, int]
"""Red, green, blue of a screen, 0 to 255."""

_Indices = npt.NDArray[np.intp]


def screen_color(color: Color) -> Rgb:
    """The screen's colour of a linear one."""
    red, green, blue = (round(255 * float(v)) for v in to_srgb(np.array(color)))
    return (red, green, blue)


def batch_color(color: Color) -> Rgb:
    """The same for batches, whose colours browsers take as linear light."""
    red, green, blue = (round(255 * value) for value in color)
    return (red, green, blue)


def creased(mesh: Mesh, crease: float = CREASE) -> tuple[Floats, Ints]:
    """The mesh with vertices shared across smooth edges only: `(n, 3)` [m] and `(m, 3)`.

    A browser averages normals over the faces that share a vertex. So corners at one point are one
    vertex where their faces go on smoothly into each other, and several where there is an edge.
    """
    _, weld = np.unique(mesh.vertices.round(6), axis=0, return_inverse=True)
    points = weld.reshape(-1)[mesh.faces]
    left, right = _smooth_neighbours(mesh, points, crease)
    group = _connected(mesh.faces.size, left, right)
    _, first, faces = np.unique(group, return_index=True, return_inverse=True)
    vertices = mesh.vertices[mesh.faces.reshape(-1)[first]]
    return vertices, faces.reshape(-1, 3).astype(np.int32)


def _smooth_neighbours(mesh: Mesh, points: _Indices, crease: float) -> tuple[_Indices, _Indices]:
    """Pairs of corners (face * 3 + corner) that are the same point of two smooth neighbours."""
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    face = np.repeat(np.arange(len(points)), 3)
    here = np.arange(points.size)
    there = face * 3 + (here - face * 3 + 1) % 3
    ends = np.stack([points.reshape(-1)[here], points.reshape(-1)[there]], axis=1)
    # The two sides of an edge run in opposite directions where the faces look the same way out.
    swapped = ends[:, 0] > ends[:, 1]
    low, high = np.where(swapped, there, here), np.where(swapped, here, there)
    key = np.sort(ends, axis=1)
    order = np.lexsort((key[:, 1], key[:, 0]))
    key, face, low, high = key[order], face[order], low[order], high[order]
    same = (key[1:] == key[:-1]).all(axis=1)
    smooth = np.einsum("ec,ec->e", normals[face[1:]], normals[face[:-1]]) > math.cos(crease)
    pairs = np.flatnonzero(same & smooth)
    left = np.concatenate([low[pairs], high[pairs]])
    right = np.concatenate([low[pairs + 1], high[pairs + 1]])
    return left, right


def _connected(count: int, left: _Indices, right: _Indices) -> _Indices:
    """The lowest index of the group that each of `count` things is in, joined by pairs."""
    label = np.arange(count)
    while True:
        lowest = label.copy()
        both = np.minimum(label[left], label[right])
        np.minimum.at(lowest, left, both)
        np.minimum.at(lowest, right, both)
        # Follow the labels themselves, which halves the way that is left.
        lowest = lowest[lowest]
        if np.array_equal(lowest, label):
            return label
        label = lowest
