"""Curves that motion is made of: smooth steps, kernels, monotone curves and Fourier series."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from surefoot.arrays import ArrayLike, Floats

Indices: TypeAlias = npt.NDArray[np.intp]


def smoothstep(x: ArrayLike) -> Floats:
    """0 below 0, 1 above 1, and a cubic with level ends in between."""
    x = np.clip(np.asarray(x, dtype=np.float64), 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)


def hermite(x: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
    """The cubic Hermite weights of start, start slope, end and end slope at `x` in 0..1."""
    x = np.asarray(x, dtype=np.float64)
    squared, cubed = x * x, x * x * x
    end = 3 * squared - 2 * cubed
    return 1 - end, cubed - 2 * squared + x, end, cubed - squared


def smoothed(values: Floats, half_width: int) -> Floats:
    """`values` `(n, ...)` averaged with a raised cosine over `half_width` samples either way.

    The ends go on as they are. Straight lines stay as they are.
    """
    if half_width < 1:
        return values
    offsets = np.arange(-half_width, half_width + 1)
    kernel = 1.0 + np.cos(np.pi * offsets / (half_width + 1))
    kernel /= kernel.sum()
    columns = values.reshape(len(values), -1)
    padded = np.pad(columns, ((half_width, half_width), (0, 0)), mode="edge")
    result = np.empty_like(columns)
    for column in range(columns.shape[1]):
        result[:, column] = np.convolve(padded[:, column], kernel, mode="valid")
    return result.reshape(values.shape)


def covering(values: Floats, half_width: int) -> Floats:
    """A smooth curve that lies on or above `values` `(n, ...)` everywhere."""
    margin = [(half_width, half_width)] + [(0, 0)] * (values.ndim - 1)
    padded = np.pad(values, margin, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half_width + 1, axis=0)
    return smoothed(windows.max(axis=-1), half_width)


def monotone(x: ArrayLike, knots: ArrayLike, values: ArrayLike) -> Floats:
    """A smooth curve through rising `knots` that rises wherever `values` do (Fritsch-Carlson).

    Outside the knots it goes on at the first and last value.
    """
    knots, values = np.asarray(knots, dtype=np.float64), np.asarray(values, dtype=np.float64)
    x = np.asarray(x, dtype=np.float64)
    if len(knots) == 1:
        return np.full(x.shape, values[0])
    gaps = np.diff(knots)
    slopes = np.diff(values) / gaps
    tangents = np.zeros_like(values)
    before, after = slopes[:-1], slopes[1:]
    left, right = 2 * gaps[1:] + gaps[:-1], gaps[1:] + 2 * gaps[:-1]
    same = before * after > 0
    # The weighted harmonic mean never overshoots; where the slope changes sign it is level.
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (left + right) / (left / before + right / after)
    tangents[1:-1] = np.where(same, mean, 0.0)
    at = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(gaps) - 1)
    fraction = np.clip((x - knots[at]) / gaps[at], 0.0, 1.0)
    start, start_slope, end, end_slope = hermite(fraction)
    return (
        start * values[at]
        + end * values[at + 1]
        + gaps[at] * (start_slope * tangents[at] + end_slope * tangents[at + 1])
    )


def fourier(
    phase: Floats, harmonics: Sequence[int], cosines: Sequence[Floats], sines: Sequence[Floats]
) -> Floats:
    """The series at `phase` (1 is a whole cycle); coefficients broadcast against it."""
    total = np.zeros_like(phase)
    for order, cosine, sine in zip(harmonics, cosines, sines, strict=True):
        angle = 2 * np.pi * order * phase
        total = total + cosine * np.cos(angle) + sine * np.sin(angle)
    return total


def wrapped(angle: ArrayLike) -> Floats:
    """The same turn [rad] within -pi..pi."""
    angle = np.asarray(angle, dtype=np.float64)
    return np.arctan2(np.sin(angle), np.cos(angle))
