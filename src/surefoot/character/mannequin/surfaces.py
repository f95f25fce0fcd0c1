"""Closed surfaces lofted through rings: what the mannequin's parts are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import ArrayLike, Floats, Ints


@dataclass(frozen=True, eq=False)
class Surface:
    """A closed surface: vertices `(v, 3)` [m] and faces `(m, 3)` that face outward."""

    vertices: Floats
    faces: Ints

    def mirrored(self) -> Surface:
        """The same surface on the other side of the x-z plane."""
        return Surface(self.vertices * [1.0, -1.0, 1.0], self.faces[:, ::-1].copy())

    def moved(self, offset: ArrayLike) -> Surface:
        """The same surface, shifted by `offset` `(3,)` [m]."""
        return Surface(self.vertices + np.asarray(offset), self.faces)


@dataclass(frozen=True, kw_only=True)
class End:
    """How a loft closes: rounded over `depth` [m] by up to `inset` [m], or to a pole if None.

    `steps` counts the pieces of the rounding to a pole.
    """

    depth: float
    inset: float | None = None
    steps: int = 4


def through(stations: ArrayLike, where: ArrayLike) -> Floats:
    """Curves through stations, without overshoot (monotone cubic), sampled.

    Args:
        stations: `(k, 1 + c)`: a rising coordinate, then `c` values.
        where: `(m,)`: coordinates to sample at; clamped to the stations.

    Returns:
        `(m, c)` values.
    """
    table = np.asarray(stations, dtype=np.float64)
    x, y = table[:, 0], table[:, 1:]
    step = np.diff(x)[:, None]
    slope = np.diff(y, axis=0) / step
    # Fritsch and Carlson: the harmonic mean of the slopes where they agree in sign, else flat.
    before, after = slope[:-1], slope[1:]
    first, second = 2 * step[1:] + step[:-1], step[1:] + 2 * step[:-1]
    agree = before * after > 0
    safe_before, safe_after = np.where(agree, before, 1.0), np.where(agree, after, 1.0)
    inner = np.where(agree, (first + second) / (first / safe_before + second / safe_after), 0.0)
    tangent = np.concatenate([slope[:1], inner, slope[-1:]])
    at = np.clip(np.asarray(where, dtype=np.float64), x[0], x[-1])
    k = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    h = step[k]
    t = (at[:, None] - x[k, None]) / h
    return (
        (2 * t**3 - 3 * t**2 + 1) * y[k]
        + (t**3 - 2 * t**2 + t) * h * tangent[k]
        + (3 * t**2 - 2 * t**3) * y[k + 1]
        + (t**3 - t**2) * h * tangent[k + 1]
    )


def loft(
    stations: Sequence[Sequence[float]],
    *,
    low: End,
    high: End,
    rings: int,
    segments: int = 20,
    power: float = 2.0,
    tilt_low: float = 0.0,
    tilt_high: float = 0.0,
) -> Surface:
    """A closed surface along z through cross-sections that may differ front, back and sideways.

    Args:
        stations: rows `(z, front, back, left, right, x, y)` [m], z rising: the extents of the
            cross-section from its centre (x, y); the last two may be left out (zero).
        low: how the lowest end closes.
        high: how the highest end closes.
        rings: between the two closings.
        segments: vertices around.
        power: 2 gives ellipses; larger is boxier.
        tilt_low: slope of the lowest ring's plane along x.
        tilt_high: slope of the highest ring's plane along x.
    """
    table = np.array([[*row, 0.0, 0.0][:7] for row in stations], dtype=np.float64)
    bottom, top = table[0, 0], table[-1, 0]
    heights, shrink, inset = _closings(bottom, top, low, high, rings)
    values = through(table, heights)
    radii, centres = values[:, :4], values[:, 4:]
    radii = np.maximum(radii * shrink[:, None] - inset[:, None], 1e-4)
    angle = 2 * np.pi * np.arange(segments) / segments
    cos, sin = _super(np.cos(angle), power), _super(np.sin(angle), power)
    x = np.where(cos > 0, radii[:, :1] * cos, radii[:, 1:2] * cos) + centres[:, :1]
    y = np.where(sin > 0, radii[:, 2:3] * sin, radii[:, 3:] * sin) + centres[:, 1:]
    share = ((heights - bottom) / (top - bottom))[:, None]
    tilt = tilt_low * (1 - share) ** 2 + tilt_high * share**2
    points = np.stack([x, y, heights[:, None] + tilt * x], axis=-1)
    # The fans' centres lie at the very ends, on the planes of the tilted rings.
    poles = np.stack([points[0].mean(axis=0), points[-1].mean(axis=0)])
    poles[:, 2] = [bottom, top] + np.array([tilt_low, tilt_high]) * poles[:, 0]
    return _closed(points, poles)


def sphere(radius: ArrayLike, *, rings: int = 9, segments: int = 16) -> Surface:
    """A ball or ellipsoid about the origin, `radius` [m] for each axis or for all."""
    latitude = np.linspace(-np.pi / 2, np.pi / 2, rings + 2)[1:-1, None]
    angle = 2 * np.pi * np.arange(segments) / segments
    points = np.stack(
        [
            np.cos(latitude) * np.cos(angle),
            np.cos(latitude) * np.sin(angle),
            np.broadcast_to(np.sin(latitude), (rings, segments)),
        ],
        axis=-1,
    )
    surface = _closed(points, np.array([[0, 0, -1.0], [0, 0, 1.0]]))
    return Surface(surface.vertices * np.asarray(radius), surface.faces)


def patch(outer: Floats, inner: Floats) -> Surface:
    """A closed plate between two grids `(r, c, 3)` [m] of points that share their layout.

    Seen from outside, the grids' first axis runs up and the second to the right.
    """
    rows, columns = outer.shape[:2]
    count = rows * columns
    index: Ints = np.arange(count, dtype=np.int32).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    front = np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    )
    back = front[:, ::-1] + count
    # The rim, counter-clockwise seen from outside.
    rim = np.concatenate([index[0], index[1:, -1], index[-1, -2::-1], index[-2:0:-1, 0]])
    after = np.roll(rim, -1)
    sides = np.concatenate(
        [np.stack([after, rim, rim + count], -1), np.stack([after, rim + count, after + count], -1)]
    )
    vertices = np.concatenate([outer.reshape(-1, 3), inner.reshape(-1, 3)])
    return Surface(vertices, np.concatenate([front, back, sides]).astype(np.int32))


def _closings(
    bottom: float, top: float, low: End, high: End, rings: int
) -> tuple[Floats, Floats, Floats]:
    """Heights of all rings, and by what factor and by how much [m] each is drawn in."""
    middle = np.linspace(bottom + low.depth, top - high.depth, rings)
    low_depth, low_factor, low_inset = _quarter(low)
    high_depth, high_factor, high_inset = _quarter(high)
    return (
        np.concatenate([bottom + low_depth, middle, (top - high_depth)[::-1]]),
        np.concatenate([low_factor, np.ones(rings), high_factor[::-1]]),
        np.concatenate([low_inset, np.zeros(rings), high_inset[::-1]]),
    )


def _quarter(end: End) -> tuple[Floats, Floats, Floats]:
    """A quarter of an ellipse, from the end inward: depth, factor and inset of each ring."""
    if end.inset is None:
        # The pole itself is a vertex of its own.
        angle = np.linspace(0.0, np.pi / 2, end.steps + 1)[1:-1]
        return end.depth * (1 - np.cos(angle)), np.sin(angle), np.zeros(len(angle))
    angle = np.array([0.15, 0.55]) * np.pi / 2
    return end.depth * (1 - np.cos(angle)), np.ones(len(angle)), end.inset * (1 - np.sin(angle))


def _super(values: Floats, power: float) -> Floats:
    return np.sign(values) * np.abs(values) ** (2.0 / power)


def _closed(points: Floats, poles: Floats) -> Surface:
    """The surface through rings `(r, s, 3)`, lowest first, with fans to `poles` `(2, 3)`."""
    rings, segments = points.shape[:2]
    index: Ints = np.arange(rings * segments, dtype=np.int32).reshape(rings, segments)
    beside: Ints = np.roll(index, -1, axis=1)
    a, b, c, d = index[:-1], beside[:-1], beside[1:], index[1:]
    south, north = rings * segments, rings * segments + 1
    faces = [
        np.stack([a, b, c], -1).reshape(-1, 3),
        np.stack([a, c, d], -1).reshape(-1, 3),
        np.stack([beside[0], index[0], np.full(segments, south)], -1),
        np.stack([index[-1], beside[-1], np.full(segments, north)], -1),
    ]
    vertices = np.concatenate([points.reshape(-1, 3), poles])
    return Surface(vertices, np.concatenate(faces).astype(np.int32))
