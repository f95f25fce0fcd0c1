"""Polygons to triangles: fans where they fit, ear clipping where a polygon is not convex."""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.arrays import Bools, Floats, Ints

CORNER_LIMIT: Final = 4096
"""The most corners of a polygon that is not convex."""

# Triangles thinner than this, beside the polygon's own size, count as having no area.
_FLAT: Final = 1e-12


class PolygonError(ValueError):
    """A polygon that cannot be cut into triangles; `polygon` is its number."""

    def __init__(self, polygon: int, message: str) -> None:
        super().__init__(message)
        self.polygon = polygon


def triangulate(points: Floats, sizes: Ints, corners: Ints) -> Ints:
    """Cut polygons into triangles without adding vertices.

    A polygon of n corners gives n - 2 triangles that face as it does. No triangle is flat where
    that can be avoided, also with corners in line, so that closed surfaces stay closed.

    Args:
        points: `(n, 3)` vertices.
        sizes: `(k,)` corners of each polygon, 3 or more.
        corners: `(sum of sizes,)` vertex indices, polygon after polygon.

    Returns:
        `(m, 3)` vertex indices, polygon after polygon.
    """
    if (sizes == 3).all():
        return corners.reshape(-1, 3)
    first_corner = np.cumsum(sizes) - sizes
    first_triangle = np.cumsum(sizes - 2) - (sizes - 2)
    result = np.empty((int((sizes - 2).sum()), 3), np.int32)
    for size in np.unique(sizes).tolist():
        which = np.flatnonzero(sizes == size)
        polygons = corners[first_corner[which, None] + np.arange(size)]
        triangles = np.stack(
            [np.repeat(polygons[:, :1], size - 2, axis=1), polygons[:, 1:-1], polygons[:, 2:]],
            axis=2,
        )
        if size > 3:
            for row in np.flatnonzero(~_fans(points[polygons])).tolist():
                if size > CORNER_LIMIT:
                    raise PolygonError(
                        int(which[row]),
                        f"has {size} corners and is not convex; the limit is {CORNER_LIMIT}",
                    )
                order = _clip_ears(_flattened(points[polygons[row]]))
                triangles[row] = polygons[row][order]
        result[first_triangle[which, None] + np.arange(size - 2)] = triangles
    return result


def _normals(polygons: Floats) -> Floats:
    """Twice the area vector `(k, 3)` of each polygon `(k, n, 3)` (Newell's method)."""
    from_first = polygons - polygons[:, :1]
    return np.cross(from_first, np.roll(from_first, -1, axis=1)).sum(axis=1)


def _fans(polygons: Floats) -> Bools:
    """Which polygons `(k, n, 3)` the fan from the first corner cuts into proper triangles."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        normals = _normals(polygons)
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        spokes = polygons[:, 1:] - polygons[:, :1]
        areas = np.cross(spokes[:, :-1], spokes[:, 1:])
        along = np.einsum("kni,ki->kn", areas, normals / length)
        # Beside the square of the polygon's extent, rounding is far below this.
        flat = _FLAT * (spokes**2).sum(axis=2).max(axis=1, keepdims=True)
        return (along > flat).all(axis=1)


def _flattened(polygon: Floats) -> Floats:
    """The polygon `(n, 3)` seen along its normal, `(n, 2)`, counter-clockwise, of extent one."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        normal = _normals(polygon[None])[0]
        drop = int(np.argmax(np.abs(normal)))
        flat = np.delete(polygon - polygon[0], drop, axis=1)
        # Dropping y mirrors; so does looking at it from behind.
        if (normal[drop] < 0) != (drop == 1):
            flat = flat[:, ::-1]
        return flat / np.abs(flat).max()


def _clip_ears(points: Floats) -> Ints:
    """Triangles `(n - 2, 3)` of a counter-clockwise polygon `(n, 2)`, as corner numbers.

    A polygon that crosses itself also gives n - 2 triangles; which ones is then arbitrary.
    """
    left = list(range(len(points)))
    ears = [_is_ear(points, left, place) for place in range(len(left))]
    result: list[tuple[int, int, int]] = []
    while len(left) > 3:
        if True not in ears:
            ears = [_is_ear(points, left, place) for place in range(len(left))]
        place = ears.index(True) if True in ears else _least_bad(points, left)
        count = len(left)
        result.append((left[place - 1], left[place], left[(place + 1) % count]))
        del left[place], ears[place]
        # Only the corners beside the one that went can have become, or ceased to be, ears.
        for beside in ((place - 1) % len(left), place % len(left)):
            ears[beside] = _is_ear(points, left, beside)
    result.append((left[0], left[1], left[2]))
    return np.array(result, np.int32)


def _is_ear(points: Floats, left: list[int], place: int) -> bool:
    """Whether the triangle at a corner can be cut off: not flat, and nothing else inside."""
    a, b, c = (points[left[(place + step) % len(left)]] for step in (-1, 0, 1))
    if not _cross(b - a, c - b) > _FLAT:
        return False
    others = points[left]
    inside = np.ones(len(left), bool)
    for start, end in ((a, b), (b, c), (c, a)):
        inside &= _cross(end - start, others - start) >= -_FLAT
        # A hole is joined to the rim by an edge there and back, whose corners come twice.
        inside &= (others != start).any(axis=1)
    return not inside.any()


def _least_bad(points: Floats, left: list[int]) -> int:
    """The corner to cut where no ear is left, as when a polygon crosses itself."""
    ring = points[left]
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    area = np.nan_to_num(_cross(before, after), nan=-1.0)
    # The thinnest proper corner does the least harm; failing that, the flattest.
    return int(np.argmin(np.where(area > _FLAT, area, np.abs(area) + area.max() + 1.0)))


def _cross(a: Floats, b: Floats) -> Floats:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
