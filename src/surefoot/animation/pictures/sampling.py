"""Where the rays of a pixel go: fixed, evenly spread patterns, so that pictures repeat exactly.

Pixels are of sixteen kinds, laid out so that any 4 x 4 block has one of each. Each kind takes its
own share of one well-spread pattern: a single pixel gets few rays, a block gets them all, and a
filter of the block's size leaves no grain.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Floats

KINDS = 16
"""How many kinds of pixels there are."""

_LAYOUT = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]])
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
# Steps of the two-dimensional sequence that spreads best (the plastic number's powers).
_PLASTIC = 1.32471795724474602596
_STEPS = np.array([1.0 / _PLASTIC, 1.0 / _PLASTIC**2])


def pixel_kinds(columns: npt.NDArray[np.intp], rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """The kind, 0 to 15, of each pixel."""
    return _LAYOUT[rows % 4, columns % 4]


def sample_kinds(kinds: npt.NDArray[np.intp], sample: int) -> npt.NDArray[np.intp]:
    """The kinds to use for one of several samples inside pixels of these kinds."""
    return (kinds + 7 * sample) % KINDS


def inside_pixel(count: int) -> Floats:
    """`(count, 2)` in 0 to 1: points in a pixel, all in different rows and columns."""
    index = np.arange(count)
    along = (index + 0.5) / count
    # Ranks of golden-ratio steps: spread like them, and exactly one for each row.
    ranks = np.argsort(np.argsort((index * _GOLDEN) % 1.0, kind="stable"), kind="stable")
    return np.stack([along, (ranks + 0.5) / count], axis=1)


def disc(rays: int) -> Floats:
    """`(16, rays, 2)`: points in the unit disc for each kind of pixel."""
    spread = _spread(rays)
    radius = np.sqrt(spread[..., 0])
    angle = 2 * np.pi * spread[..., 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)


def hemisphere(rays: int) -> Floats:
    """`(16, rays, 3)`: unit vectors about +z, denser near it as the cosine, for each kind."""
    flat = disc(rays)
    up = np.sqrt(np.maximum(1.0 - (flat**2).sum(axis=-1, keepdims=True), 0.0))
    return np.concatenate([flat, up], axis=-1)


def across(normals: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors `(..., 3)` that make right-handed axes with unit `normals`.

    They change smoothly with the normal, except where it points straight down.
    """
    x, y, z = normals[..., 0], normals[..., 1], normals[..., 2]
    sign = np.where(z >= 0, 1.0, -1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    first = np.stack([1.0 + sign * x * x * a, sign * b, -sign * x], axis=-1)
    second = np.stack([b, sign + y * y * a, -y], axis=-1)
    return first, second


def _spread(rays: int) -> Floats:
    index = np.arange(KINDS * rays, dtype=np.float64)
    return ((0.5 + index[:, None] * _STEPS) % 1.0).reshape(KINDS, rays, 2)
