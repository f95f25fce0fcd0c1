"""Meshes made by code are closed, face outward and have the size they say."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import MeshError
from surefoot.world import Mesh
from surefoot.world.primitives import ball, boxes, cylinder, rod, turned


def volume(mesh: Mesh) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def test_boxes_are_the_boxes() -> None:
    mesh = boxes([[1, 2, 3], [2, 2, 2]], [[0, 0, 0], [10, 0, 1]])
    assert mesh.closed.all()
    assert volume(mesh) == pytest.approx(6 + 8)
    assert mesh.bounds.tolist() == [[-0.5, -1, -1.5], [11, 1, 2]]


def test_a_turned_solid_is_closed_with_or_without_flat_ends() -> None:
    disc = 0.5 * 24 * np.sin(2 * np.pi / 24)  # area of 24 sides in a unit circle
    tin = turned([(1.0, 0.0), (1.0, 2.0)], 24)
    cone = turned([(1.0, 0.0), (0.0, 3.0)], 24)
    top = turned([(0.0, 0.0), (1.0, 1.0), (0.0, 2.0)], 24)
    for mesh, expected in ((tin, 2 * disc), (cone, disc), (top, 2 * disc / 3)):
        assert mesh.closed.all()
        assert volume(mesh) == pytest.approx(expected)
    assert volume(tin) == pytest.approx(volume(cylinder(1.0, 2.0, 24)))


def test_a_ball_is_round() -> None:
    mesh = ball(0.5, (1, 2, 3), 24)
    assert mesh.closed.all()
    assert np.allclose(np.linalg.norm(mesh.vertices - [1, 2, 3], axis=1), 0.5)
    assert 0.95 < volume(mesh) / (np.pi / 6) < 1.0


def test_a_rod_joins_its_ends() -> None:
    start, end = np.array([1.0, 2.0, 3.0]), np.array([1.0, -2.0, 6.0])
    mesh = rod(start, end, 0.1, 12)
    along = (mesh.vertices - start) @ (end - start) / 5.0
    assert mesh.closed.all()
    assert along.min() == pytest.approx(0.0, abs=1e-12)
    assert along.max() == pytest.approx(5.0)
    assert volume(mesh) == pytest.approx(5 * 0.5 * 12 * 0.01 * np.sin(np.pi / 6))
    down = rod((0, 0, 1), (0, 0, 0), 0.1)
    assert down.bounds[:, 2].tolist() == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: boxes([[1, 1, 1]], [[0, 0, 0], [1, 1, 1]]), "as many box sizes as centres"),
        (lambda: boxes([[1, 0, 1]], [[0, 0, 0]]), "greater than 0"),
        (lambda: turned([(1, 0)]), "n at least 2"),
        (lambda: turned([(-1, 0), (1, 1)]), "at least 0"),
        (lambda: turned([(1, 1), (1, 0)]), "never go down"),
        (lambda: turned([(1, 0), (1, 1)], 2), "sides of a turned solid must be at least 3"),
        (lambda: rod((0, 0, 0), (0, 0, 0), 0.1), "rod length"),
    ],
)
def test_what_makes_no_solid_is_refused(make: object, words: str) -> None:
    with pytest.raises(MeshError, match=words):
        make()  # pyright: ignore[reportCallIssue]
