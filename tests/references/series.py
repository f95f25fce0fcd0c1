"""Series over time the simple way, in numpy: what native/motion/series must agree with."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def smooth(values: Array, rate: float, sigma: float) -> Array:
    """Along the first axis by a Gaussian of `sigma` [s]; ends are mirrored through themselves."""
    reach = min(int(np.ceil(4 * sigma * rate)), len(values) - 1)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (rate * sigma)) ** 2)
    before = 2 * values[:1] - values[reach:0:-1]
    after = 2 * values[-1:] - values[-2 : -reach - 2 : -1] if reach else values[:0]
    padded = np.concatenate([before, values, after])
    total = sum(weight * padded[i : i + len(values)] for i, weight in enumerate(weights))
    return np.asarray(total) / weights.sum()


def velocity(values: Array, rate: float) -> Array:
    """By central differences, one-sided at the ends."""
    return np.gradient(values, axis=0) * rate if len(values) > 1 else np.zeros_like(values)


def highest_around(values: Array, reach: int) -> Array:
    """The highest value within `reach` frames of each."""
    padded = np.pad(values, reach, mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=1)
