from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures.colors import from_hex
from surefoot.studio.surfaces import batch_color, creased, screen_color
from surefoot.world import Mesh
from surefoot.world.primitives import box, cylinder


def unit_normals(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """As a browser makes them: of the faces around each vertex."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    across = np.cross(b - a, c - a)
    total = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(total, faces[:, corner], across)
    return total / np.linalg.norm(total, axis=1, keepdims=True)


def test_a_box_has_sharp_edges() -> None:
    vertices, faces = creased(box((1.0, 2.0, 3.0)))
    assert len(vertices) == 24
    normals = unit_normals(vertices, faces)
    assert np.allclose(np.sort(np.abs(normals), axis=1), [0.0, 0.0, 1.0])


def test_a_cylinder_is_round_with_flat_ends() -> None:
    vertices, faces = creased(cylinder(1.0, 2.0, 32))
    normals = unit_normals(vertices, faces)
    side = np.abs(normals[:, 2]) < 0.5
    assert side.any()
    # On the side, normals point away from the axis.
    outward = vertices[side] * [1.0, 1.0, 0.0]
    assert np.allclose(normals[side], outward / np.linalg.norm(outward, axis=1)[:, None], atol=0.1)
    assert np.allclose(np.abs(normals[~side]), [0.0, 0.0, 1.0])


def test_triangles_that_share_nothing_are_joined() -> None:
    whole = box((1.0, 1.0, 1.0))
    apart = Mesh(whole.vertices[whole.faces].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    assert len(creased(apart)[0]) == 24


@pytest.mark.parametrize("crease", [0.0, 0.6, 4.0])
def test_every_corner_stays_where_it_is(crease: float) -> None:
    mesh = cylinder(0.5, 1.0, 24)
    vertices, faces = creased(mesh, crease)
    assert np.array_equal(vertices[faces], mesh.vertices[mesh.faces])


def test_colours_are_those_of_the_screen() -> None:
    assert screen_color((0.0, 0.0, 0.0)) == (0, 0, 0)
    assert screen_color((1.0, 1.0, 1.0)) == (255, 255, 255)
    assert screen_color(from_hex("#3a7ca5")) == (0x3A, 0x7C, 0xA5)
    assert batch_color((0.0, 0.5, 1.0)) == (0, 128, 255)
