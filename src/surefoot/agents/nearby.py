"""Who is near whom: squares over the ground, so that looking around does not cost more in a crowd.

At the same density, twice as many people cost twice as much, not four times.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Floats

Rows = npt.NDArray[np.int64]

_STRIDE = 1 << 31


class Nearby:
    """Points over the ground, by squares.

    Args:
        points: `(n, 3)` [m].
        side: [m], > 0: of a square; looking is quickest about that far.
    """

    def __init__(self, points: Floats, side: float) -> None:
        self._flat, self._side = points[:, :2], side
        cells = self._cells(self._flat)
        keys = cells[:, 0] * _STRIDE + cells[:, 1]
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def pairs(self, rows: Rows, radius: float) -> tuple[Rows, Rows]:
        """Who is within a radius [m] of some of them: indices into `rows`, and rows of points.

        Sorted by both; a point is near itself.
        """
        around = self._flat[rows]
        index, found = self._around(around, radius)
        away = self._flat[found] - around[index]
        close = np.hypot(away[:, 0], away[:, 1]) <= radius
        index, found = index[close], found[close]
        order = np.lexsort((found, index))
        return index[order], found[order]

    def near(self, point: Floats, radius: float) -> Rows:
        """Rows of the points within a radius [m] of a point, in order."""
        _, found = self._around(point[None, :2], radius)
        away = self._flat[found] - point[:2]
        return np.sort(found[np.hypot(away[:, 0], away[:, 1]) <= radius])

    def _cells(self, flat: Floats) -> Rows:
        return np.floor(flat / self._side).astype(np.int64)

    def _around(self, points: Floats, radius: float) -> tuple[Rows, Rows]:
        """All in the squares around points `(m, 2)`: indices of those points, and rows."""
        low, high = self._cells(points - radius), self._cells(points + radius)
        wide = int((high - low).max()) + 1 if len(points) else 0
        index: list[Rows] = []
        found: list[Rows] = []
        for column in range(wide):
            x = low[:, 0] + column
            first = np.searchsorted(self._keys, x * _STRIDE + low[:, 1])
            last = np.searchsorted(self._keys, x * _STRIDE + high[:, 1], side="right")
            counts = np.where(x <= high[:, 0], last - first, 0)
            starts = np.repeat(first - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
            index.append(np.repeat(np.arange(len(points)), counts))
            found.append(self._order[starts + np.arange(len(starts))])
        if not index:
            none = np.zeros(0, dtype=np.int64)
            return none, none
        return np.concatenate(index), np.concatenate(found)
