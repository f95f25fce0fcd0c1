from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import ball, footprint, outline, path, ring
from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.world import Mesh, primitives


def _volume(mesh: Mesh) -> float:
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return float(np.einsum("fc,fc->f", a, np.cross(b, c)).sum() / 6)


def test_a_path_is_a_closed_tube_of_its_radius_facing_outward():
    line = np.array([[0, 0, 0], [2, 0, 0], [2, 3, 1]], dtype=float)
    tube = path(line, radius=0.1)
    assert tube.mesh.closed.all()
    length = 2 + np.sqrt(10)
    assert _volume(tube.mesh) == pytest.approx(np.pi * 0.01 * length, rel=0.15)
    ends = tube.mesh.vertices[np.linalg.norm(tube.mesh.vertices - line[0], axis=1) < 0.11]
    np.testing.assert_allclose(ends[:, 0], 0.0, atol=1e-12)


@pytest.mark.parametrize(
    "line",
    [
        [[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0]],
        [[0, 0, 0], [0, 0, 1], [0, 0, 2]],
        [[0, 0, 0], [1, 0, 0], [0, 0, 0]],
    ],
    ids=["points twice", "straight up", "there and back"],
)
def test_awkward_paths_are_drawn(line):
    tube = path(line)
    assert np.isfinite(tube.mesh.vertices).all()
    assert np.isfinite(tube.normals).all()


def test_a_closed_path_has_no_ends():
    loop = path([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]], closed=True, radius=0.02)
    assert loop.mesh.closed.all()
    assert len(loop.mesh.vertices) == 4 * 10
    assert _volume(loop.mesh) > 0


def test_a_ball_is_round_and_closed():
    mark = ball((1, 2, 3), 0.5)
    distance = np.linalg.norm(mark.points - [1, 2, 3], axis=1)
    np.testing.assert_allclose(distance, 0.5)
    assert _volume(Mesh(mark.mesh.vertices - [1, 2, 3], mark.mesh.faces)) == pytest.approx(
        4 / 3 * np.pi * 0.125, rel=0.05
    )


def test_footprints_lie_on_the_floor_and_point_ahead():
    mark = footprint((1.0, 2.0, 0.5), np.pi / 2, "left", length=0.3, width=0.12)
    low, high = mark.points.min(axis=0), mark.points.max(axis=0)
    assert high[1] - low[1] == pytest.approx(0.3)
    assert 0.08 < high[0] - low[0] < 0.12
    assert (low[1] + high[1]) / 2 == pytest.approx(2.0)
    assert 0.5 < low[2] == high[2] < 0.51


def test_left_and_right_footprints_mirror_each_other():
    left = footprint((0, 0, 0), 0.0, "left").points
    right = footprint((0, 0, 0), 0.0, "right").points * [1, -1, 1]
    order = [points[np.lexsort(points.T.round(9))] for points in (left, right)]
    np.testing.assert_allclose(*order, atol=1e-12)
    # The big toe is on the inner side: the forefoot of a left foot reaches further to the right.
    front = left[left[:, 0] > 0.08]
    assert -front[:, 1].min() > front[:, 1].max()


def test_flat_marks_follow_the_slope():
    normal = np.array([0.0, -0.6, 0.8])
    for mark in (footprint((0, 0, 0), 0.4, "right", normal=normal), ring((0, 0, 0), normal=normal)):
        height = mark.points @ normal
        np.testing.assert_allclose(height, height[0], atol=1e-12)
        assert height[0] > 0


def test_the_outline_of_a_box_is_its_twelve_edges():
    rods = outline(primitives.box((1, 2, 3)), Pose.at(1, 0, 0), color=(0, 0, 0), radius=0.01)
    assert rods is not None
    # Twelve rods of six sides: two rings and two ends each.
    assert len(rods.mesh.vertices) == 12 * (2 * 6 + 2)
    np.testing.assert_allclose(rods.points.min(axis=0), [0.49, -1.01, -1.51], atol=0.005)


def test_the_outline_of_an_open_sheet_is_its_border():
    rods = outline(primitives.ground(1, 1), color=(0, 0, 0))
    assert rods is not None
    assert len(rods.mesh.vertices) == 4 * (2 * 6 + 2)


def test_round_things_have_no_outline():
    assert outline(ball((0, 0, 0), 1.0).mesh, color=(0, 0, 0)) is None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: path([[0, 0, 0], [0, 0, 0]]), "points that differ"),
        (lambda: path([[0, 0, 0], [1, 0, 0]], closed=True), "points that differ"),
        (lambda: path([[0, 0, 0], [1, 0, 0]], radius=0), "path radius"),
        (lambda: ring((0, 0, 0), 0.1, width=0.2), "ring width must be at most 0.1"),
        (lambda: ring((0, 0, 0), normal=(0, 0, 0)), "normal must not be zero"),
        (lambda: ball((0, 0, 0), -1), "ball radius"),
        (lambda: footprint((0, 0, 0), 0, "both"), "unknown side 'both'; there are: left, right"),
        (lambda: footprint((0, 0, 0), np.nan, "left"), "heading must be finite"),
    ],
)
def test_bad_marks_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()
