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


def smootherstep(x: ArrayLike) -> Floats:
    """0 below 0, 1 above 1, and a quintic with level and straight ends in between."""
    x = np.clip(np.asarray(x, dtype=np.float64), 0.0, 1.0)
    return x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)


def hermite(x: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
    """The cubic Hermite weights of start, start slope, end and end slope at `x` in 0..1."""
    x = np.asarray(x, dtype=np.float64)
    squared, cubed = x * x, x * x * x
    end = 3 * squared - 2 * cubed
    return 1 - end, cubed - 2 * squared + x, end, cubed - squared


def quintic(x: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """The quintic Hermite weights of value, slope and curvature at 0; all three are 0 at 1."""
    x = np.asarray(x, dtype=np.float64)
    left = (1 - x) ** 3
    return left * (1 + 3 * x + 6 * x * x), left * x * (1 + 3 * x), left * x * x / 2


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


def over(values: Floats, step: ArrayLike, *, peaks: float, valleys: float) -> Floats:
    """A curve on or above `values` `(n, ...)` that bends gently, and no higher than that asks for.

    It is what is left when parabolas of a given width roll over the values from above: its second
    derivative stays within `-peaks` and `valleys` (the double envelope of Lasry and Lions).

    Args:
        values: at even times.
        step: `(...)` [s] between them, > 0.
        peaks: how hard it may turn down, per second squared, > 0.
        valleys: how hard it may turn up, > 0.
    """
    square = np.asarray(step, dtype=np.float64) ** 2
    # Filling the valleys first; that takes some of what peaks may bend, in this proportion.
    inner = square * peaks * valleys / (peaks + valleys)
    filled = _dilated(-_dilated(-_dilated(values, inner), inner), peaks * square)
    return np.maximum(filled, values)


def _dilated(values: Floats, bend: Floats) -> Floats:
    """The upper envelope of parabolas that stand on every value, opening downward."""
    high = float((2 * np.ptp(values, axis=0) / bend).max())
    result = values.copy()
    for shift in range(1, min(int(np.ceil(np.sqrt(high))), len(values) - 1) + 1):
        drop = 0.5 * bend * shift**2
        np.maximum(result[shift:], values[:-shift] - drop, out=result[shift:])
        np.maximum(result[:-shift], values[shift:] - drop, out=result[:-shift])
    return result


def sampled(times: Floats, start: float, step: float, values: Floats) -> Floats:
    """Values `(n,)` kept at even times from `start` [s] on, at any `times`; smooth in between.

    Outside, the first and the last value go on.
    """
    at = np.clip((times - start) / step, 0.0, len(values) - 1.0)
    index = np.minimum(at.astype(np.intp), len(values) - 2)
    padded = np.concatenate([values[:1], values, values[-1:]])
    before, here, there, after = (padded[index + shift] for shift in range(4))
    first, first_slope, second, second_slope = hermite(at - index)
    slopes = first_slope * (there - before) + second_slope * (after - here)
    return first * here + second * there + 0.5 * slopes


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
