"""The sampled states nearest to a state between them (coros2009 4.3)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from surefoot.arrays import ArrayLike, Floats, floats, number
from surefoot.errors import InputError


def nearest(distances: ArrayLike, k: int) -> tuple[npt.NDArray[np.int32], Floats]:
    """The k nearest samples of each query and their weights, 1 / d^2 over their sum: `(q, k)`.

    A query on a sample is that sample and nothing else. Ties go to the earlier sample.

    Args:
        distances: `(q, n)`, >= 0, from queries to samples.
        k: how many, in 1..n.
    """
    away = floats(distances, "distances")
    if away.ndim != 2 or away.shape[1] == 0 or (away < 0).any():
        raise InputError(f"distances must be (q, n), n >= 1, and >= 0, got {away.shape}")
    k = int(number(k, "k", at_least=1, at_most=away.shape[1]))
    order = np.argsort(away, axis=1, kind="stable")[:, :k]
    near = np.take_along_axis(away, order, axis=1)
    return order.astype(np.int32), weights_of(near)


def weights_of(near: Floats) -> Floats:
    """`(q, k)`: 1 / d^2 over their sum, of distances that increase along the rows."""
    # Over the nearest, so that tiny and huge distances neither overflow nor vanish.
    first = near[:, :1]
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(first > 0, (first / near) ** 2, near == 0)
    exact = (near == 0).any(axis=1)
    relative[exact] = 0.0
    relative[exact, 0] = 1.0
    return relative / relative.sum(axis=1, keepdims=True)
