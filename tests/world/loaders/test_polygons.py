from __future__ import annotations

import numpy as np
import pytest

from surefoot.world.loaders.polygons import CORNER_LIMIT, PolygonError, triangulate

L_SHAPE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
ARROW = [(0, 0), (2, -1), (0.5, 0), (2, 1)]
COMB = [(0, 0), (7, 0), (7, 3), (6, 3), (6, 1), (5, 1), (5, 3), (4, 3), (4, 1), (3, 1), (3, 3)]
COMB += [(2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
IN_LINE = [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)]
# A square with a square hole, joined to the rim by an edge there and back.
HOLED = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]
SPIRAL = [(0, 0), (5, 0), (5, 5), (1, 5), (1, 2), (3, 2), (3, 3), (2, 3), (2, 4), (4, 4), (4, 1)]
SPIRAL += [(0, 1)]


def area(corners):
    x, y = np.asarray(corners, float).T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def cut(points):
    points = np.asarray(points, float)
    sizes = np.array([len(points)], np.int32)
    return triangulate(points, sizes, np.arange(len(points), dtype=np.int32))


def lifted(corners, seed):
    """The polygon somewhere in space, and its normal."""
    random = np.random.default_rng(seed)
    frame = np.linalg.qr(random.normal(size=(3, 3)))[0]
    frame *= np.sign(np.linalg.det(frame))
    flat = np.asarray(corners, float)
    return np.c_[flat, np.zeros(len(flat))] @ frame.T * 10 + random.normal(size=3), frame[:, 2]


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("shape", [L_SHAPE, ARROW, COMB, IN_LINE, HOLED, SPIRAL])
def test_triangles_fill_the_polygon_and_face_as_it_does(shape, reverse, start):
    corners = shape[start:] + shape[:start]
    if shape is HOLED:
        corners = shape  # its repeated corners stay where they are
    corners = corners[::-1] if reverse else corners
    points, normal = lifted(corners, seed=start)
    faces = cut(points)
    assert faces.shape == (len(corners) - 2, 3)
    a, b, c = (points[faces[:, k]] for k in range(3))
    areas = np.cross(b - a, c - a) @ normal / 2 * (-1 if reverse else 1)
    assert (areas > 1e-9).all()  # none is flat, and none is turned round
    assert areas.sum() == pytest.approx(abs(area(corners)) * 100)


@pytest.mark.parametrize("seed", range(30))
def test_random_star_shaped_polygons(seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(4, 60))
    angle = (np.arange(count) + random.uniform(0, 0.9, count)) / count * 2 * np.pi
    radius = random.uniform(0.1, 1, count)
    corners = np.c_[radius * np.cos(angle), radius * np.sin(angle)]
    points, normal = lifted(corners, seed)
    faces = cut(points)
    a, b, c = (points[faces[:, k]] for k in range(3))
    areas = np.cross(b - a, c - a) @ normal / 2
    assert (areas > 0).all()
    assert areas.sum() == pytest.approx(area(corners) * 100)


def test_every_edge_of_the_polygon_stays_an_edge():
    # A corner in the middle of an edge must not be cut off by a flat triangle: its neighbours
    # would then have an edge that nothing else has.
    faces = cut(np.c_[np.array(IN_LINE, float), np.zeros(6)])
    edges = {(int(f[k]), int(f[(k + 1) % 3])) for f in faces for k in range(3)}
    assert all((k, (k + 1) % 6) in edges for k in range(6))


def test_many_polygons_of_several_sizes_keep_their_order():
    shapes = [
        L_SHAPE,
        ARROW,
        [(0, 0), (1, 0), (0, 1)],
        COMB,
        [(0, 0), (1, 0), (1, 1), (0, 1)],
        ARROW,
    ]
    points = np.concatenate([lifted(shape, seed)[0] for seed, shape in enumerate(shapes)])
    sizes = np.array([len(shape) for shape in shapes], np.int32)
    faces = triangulate(points, sizes, np.arange(len(points), dtype=np.int32))
    owner = np.repeat(np.arange(len(shapes)), sizes)[faces]
    assert (owner == owner[:, :1]).all()
    assert (np.diff(owner[:, 0]) >= 0).all()
    assert np.bincount(owner[:, 0]).tolist() == [len(shape) - 2 for shape in shapes]


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (1, 1), (1, 0), (0, 1)],  # crosses itself
        [(0, 0), (1, 0), (2, 0), (3, 0)],  # has no area
        [(0, 0)] * 5,
        [(0, 0), (1e200, 0), (1e200, 1e200), (0, 1e200), (1e199, 1e199)],
    ],
)
def test_what_is_no_proper_polygon_still_gives_triangles(corners):
    faces = cut(np.c_[np.array(corners, float), np.zeros(len(corners))])
    assert faces.shape == (len(corners) - 2, 3)
    assert set(faces.reshape(-1).tolist()) <= set(range(len(corners)))


def test_size_limit_for_polygons_that_are_not_convex():
    count = CORNER_LIMIT + 2
    angle = np.arange(count) / count * 2 * np.pi
    circle = np.c_[np.cos(angle), np.sin(angle), np.zeros(count)]
    assert len(cut(circle)) == count - 2
    star = circle * np.where(np.arange(count) % 2, 1.0, 0.5)[:, None]
    with pytest.raises(PolygonError, match=f"has {count} corners and is not convex"):
        cut(star)
