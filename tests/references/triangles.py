"""One triangle against one shape, by methods other than the native ones.

Rows are independent pairs: `corners` `(n, 3, 3)` holds one triangle a row, in world coordinates.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats

GOLDEN = (np.sqrt(5) - 1) / 2


def ray(corners: Floats, origins: Floats, directions: Floats) -> tuple[Floats, Floats]:
    """Distance to each triangle's plane, and how far inside the triangle the ray crosses it.

    Solves `origin + distance * direction = a + u (b - a) + v (c - a)`. The second result is the
    distance from the crossing to the nearest edge's line, negative outside [m]; both are NaN for
    a ray in the plane's direction.
    """
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    system = np.stack([-directions, b - a, c - a], axis=-1)
    volume = np.abs(np.linalg.det(system))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    level = volume <= 1e-12 * area
    system[level] = np.eye(3)
    solved = np.linalg.solve(system, (origins - a)[..., None])[..., 0]
    distance, u, v = solved.T
    # Barycentric coordinates times heights over the edges are distances to them.
    inside = np.minimum(
        np.minimum(v * area / _length(b - a), u * area / _length(c - a)),
        (1 - u - v) * area / _length(c - b),
    )
    distance[level] = np.nan
    inside[level] = np.nan
    return distance, inside


def _length(vectors: Floats) -> Floats:
    return np.linalg.norm(vectors, axis=-1)


def closest(corners: Floats, points: Floats) -> Floats:
    """The closest point of each triangle: least squares over the face, else over its edges."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    ab, ac = b - a, c - a
    gram = np.stack(
        [
            np.stack([(ab * ab).sum(1), (ab * ac).sum(1)], axis=-1),
            np.stack([(ab * ac).sum(1), (ac * ac).sum(1)], axis=-1),
        ],
        axis=-2,
    )
    right = np.stack([((points - a) * ab).sum(1), ((points - a) * ac).sum(1)], axis=-1)
    determinant = np.linalg.det(gram)
    sliver = determinant <= 0
    gram[sliver] = np.eye(2)
    u, v = np.linalg.solve(gram, right[..., None])[..., 0].T
    on_face = (u >= 0) & (v >= 0) & (u + v <= 1) & ~sliver
    best = a + ab * u[:, None] + ac * v[:, None]
    square = np.where(on_face, ((best - points) ** 2).sum(1), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        share = np.clip(((points - p) * (q - p)).sum(1) / ((q - p) ** 2).sum(1), 0, 1)
        candidate = p + (q - p) * share[:, None]
        gap = ((candidate - points) ** 2).sum(1)
        better = gap < square
        best = np.where(better[:, None], candidate, best)
        square = np.where(better, gap, square)
    return best


def capsule_distance(corners: Floats, starts: Floats, ends: Floats) -> Floats:
    """Distance between segments and triangles: convex along the segment, so it is searched."""

    def gap(share: Floats) -> Floats:
        points = starts + (ends - starts) * share[:, None]
        return _length(closest(corners, points) - points)

    return _golden(gap, np.zeros(len(corners)), np.ones(len(corners)))


def cylinder_distance(corners: Floats, axis: Floats, bottom: Floats, top: Floats) -> Floats:
    """Horizontal distance from a vertical axis to the part of a triangle between two heights.

    Infinite where no part of it lies strictly between. The distance from the axis to the slice
    of the triangle at a height is convex in the height, so it is searched, not computed.
    """
    # Heights over the lowest corner, so that almost level triangles keep all their digits.
    lowest = corners[:, :, 2].min(axis=1)
    corners = corners.copy()
    corners[:, :, 2] -= lowest[:, None]
    bottom, top = bottom - lowest, top - lowest
    heights = corners[:, :, 2]
    low = np.maximum(heights.min(axis=1), bottom)
    high = np.minimum(heights.max(axis=1), top)
    level = heights.min(axis=1) == heights.max(axis=1)
    between = (heights.max(axis=1) > bottom) & (heights.min(axis=1) < top)
    out = np.full(len(corners), np.inf)
    sliced = between & ~level
    if sliced.any():
        ordered = np.take_along_axis(
            corners[sliced], np.argsort(heights[sliced], axis=1)[..., None], axis=1
        )
        here = axis[sliced]
        out[sliced] = _golden(
            lambda height: _slice_distance(ordered, here, height), low[sliced], high[sliced]
        )
    flat = between & level
    if flat.any():
        points = np.concatenate([axis[flat], corners[flat][:, 0, 2:]], axis=1)
        out[flat] = _length(closest(corners[flat], points) - points)
    return out


def _slice_distance(ordered: Floats, axis: Floats, height: Floats) -> Floats:
    """Distance from the axis to the segment in which a level plane cuts the triangle."""
    low, middle, high = ordered[:, 0], ordered[:, 1], ordered[:, 2]
    lower = height < middle[:, 2]
    p = _at_height(low, high, height)
    from_ = np.where(lower[:, None], low, middle)
    to = np.where(lower[:, None], middle, high)
    q = _at_height(from_, to, height)
    along = q - p
    square = (along**2).sum(axis=1)
    share = ((axis - p) * along).sum(axis=1) / np.where(square > 0, square, 1.0)
    nearest = p + along * np.clip(share, 0, 1)[:, None]
    return _length(nearest - axis)


def _at_height(start: Floats, end: Floats, height: Floats) -> Floats:
    rise = end[:, 2] - start[:, 2]
    share = np.where(rise > 0, (height - start[:, 2]) / np.where(rise > 0, rise, 1.0), 0.0)
    share = np.clip(share, 0, 1)[:, None]
    return start[:, :2] * (1 - share) + end[:, :2] * share


def _golden(function, low: Floats, high: Floats) -> Floats:
    """The least value of a convex function of one variable between two bounds."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    best = np.minimum(function(low), function(high))
    at_left, at_right = function(left), function(right)
    for _ in range(48):
        best = np.minimum(best, np.minimum(at_left, at_right))
        keep_left = at_left < at_right
        high = np.where(keep_left, right, high)
        low = np.where(keep_left, low, left)
        probe = np.where(keep_left, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        left, right = np.where(keep_left, probe, right), np.where(keep_left, left, probe)
        value = function(probe)
        at_left, at_right = (
            np.where(keep_left, value, at_right),
            np.where(keep_left, at_left, value),
        )
    return np.minimum(best, np.minimum(at_left, at_right))


def heights_under(
    corners: Floats, centres: Floats, heading: Floats, length: float, width: float
) -> tuple[Floats, Floats]:
    """Lowest and highest point of each triangle over a rectangle; `inf` and `-inf` for none.

    The extremes of a linear function over the part of a triangle inside an upright prism are
    taken at its corners: triangle corners inside the prism, edges through its walls, and its
    vertical edges through the triangle.
    """
    forward = np.stack([np.cos(heading), np.sin(heading)], axis=-1)
    aside = np.stack([-forward[:, 1], forward[:, 0]], axis=-1)
    shifted = corners[:, :, :2] - centres[:, None]
    along = np.einsum("nkj,nj->nk", shifted, forward) / (length / 2)
    across = np.einsum("nkj,nj->nk", shifted, aside) / (width / 2)
    z = corners[:, :, 2]
    lowest, highest = np.full(len(corners), np.inf), np.full(len(corners), -np.inf)

    def take(height: Floats, valid: np.ndarray) -> None:
        np.minimum(lowest, np.where(valid, height, np.inf), out=lowest)
        np.maximum(highest, np.where(valid, height, -np.inf), out=highest)

    for k in range(3):
        take(z[:, k], (np.abs(along[:, k]) <= 1) & (np.abs(across[:, k]) <= 1))
        after = (k + 1) % 3
        for first, second in ((along, across), (across, along)):
            rise = first[:, after] - first[:, k]
            for wall in (-1.0, 1.0):
                share = (wall - first[:, k]) / np.where(rise == 0, 1.0, rise)
                other = second[:, k] + share * (second[:, after] - second[:, k])
                valid = (rise != 0) & (share >= 0) & (share <= 1) & (np.abs(other) <= 1)
                take(z[:, k] + share * (z[:, after] - z[:, k]), valid)
    doubled = (along[:, 1] - along[:, 0]) * (across[:, 2] - across[:, 0]) - (
        along[:, 2] - along[:, 0]
    ) * (across[:, 1] - across[:, 0])
    for corner_along in (-1.0, 1.0):
        for corner_across in (-1.0, 1.0):
            weights = []
            for k in range(3):
                p, q = (k + 1) % 3, (k + 2) % 3
                weights.append(
                    (along[:, p] - corner_along) * (across[:, q] - corner_across)
                    - (along[:, q] - corner_along) * (across[:, p] - corner_across)
                )
            share = np.stack(weights, axis=1) / np.where(doubled == 0, 1.0, doubled)[:, None]
            inside = (doubled != 0) & (share >= 0).all(axis=1)
            take((share * z).sum(axis=1), inside)
    return lowest, highest


def solid_angles(corners: Floats, points: Floats) -> Floats:
    """Signed solid angle of each triangle seen from a point (Van Oosterom and Strackee)."""
    a, b, c = (corners[:, k] - points for k in range(3))
    la, lb, lc = _length(a), _length(b), _length(c)
    volume = (a * np.cross(b, c)).sum(axis=1)
    denominator = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
    return 2 * np.arctan2(volume, denominator)
