"""Paths over cells, and where they begin and end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from surefoot.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class CellPath:
    """A way from cell to cell.

    Attributes:
        cells: `(k,)` rows of the map.
        actions: `(k - 1,)` which of the map's actions leads from each cell to the next.
        cost: [m] of walking that would cost as much, or steps.
        reached: whether it ends at a goal; if not, it leads to the cell nearest to one.
        exhausted: whether the limit on cells ended the search.
        expanded: how many cells the search looked at.
    """

    cells: Ints
    actions: Ints
    cost: float
    reached: bool
    exhausted: bool
    expanded: int

    @classmethod
    def nowhere(cls) -> CellPath:
        """No way at all."""
        none = np.zeros(0, dtype=np.int32)
        return cls(none, none, inf, False, False, 0)


@dataclass(frozen=True, eq=False)
class Ends:
    """Cells where a way may begin or end.

    Attributes:
        cells: `(k,)` rows of the map.
        costs: `(k,)` [m] between each cell and the point that it stands for.
        points: `(k, 3)` [m]: that point, on the ground.
    """

    cells: Ints
    costs: Floats
    points: Floats

    def __len__(self) -> int:
        return len(self.cells)

    @classmethod
    def standing(cls, cells: Ints, points: Floats, cost: float = 0.0) -> Ends:
        """Cells that stand for points, all at the same cost."""
        return cls(cells, np.full(len(cells), cost), points)

    @classmethod
    def joined(cls, each: Collection[Ends]) -> Ends:
        """All of several."""
        if not each:
            return cls(np.zeros(0, dtype=np.int32), np.zeros(0), np.zeros((0, 3)))
        return cls(
            np.concatenate([ends.cells for ends in each]),
            np.concatenate([ends.costs for ends in each]),
            np.concatenate([ends.points for ends in each]),
        )

    def without(self, cells: Sequence[int]) -> Ends:
        """Those that are in other cells."""
        keep = ~np.isin(self.cells, np.asarray(cells, dtype=np.int32))
        return Ends(self.cells[keep], self.costs[keep], self.points[keep])

    def at(self, cell: int) -> int:
        """Which of them is the nearest one in a cell."""
        here = np.flatnonzero(self.cells == cell)
        return int(here[np.argmin(self.costs[here])])
