"""Distance fields: what it costs to get from any goal to any other (bandi2000, 5.1)."""

from __future__ import annotations

from math import inf

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning.grid.errands import Leaf
from surefoot.planning.grid.legs import Legs
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.paths import Ends


class Fields:
    """Costs between places, one distance field for each.

    Args:
        legs: which know what cells goals mean and what metres cost.
        grid: whose fields are used, and kept for others with the same goals.
        start: `(3,)` [m] where one is at first.
        narrow: whether border cells are open.
    """

    def __init__(self, legs: Legs, grid: GridMap, start: Floats, *, narrow: bool) -> None:
        self._legs, self._grid, self._narrow = legs, grid, narrow
        self._prices = legs.prices(narrow=narrow)
        self._start = legs.starts(start, narrow=narrow)
        self._ends: dict[Leaf, Ends] = {}
        self._fields: dict[Leaf, Floats] = {}

    def cost(self, here: Leaf | None, there: Leaf) -> float:
        """[m] of walking from one place to another, or from the start; infinite for no way."""
        ends = self._start if here is None else self._of(here)
        if len(ends) == 0:
            return inf
        return float((self._field(there)[ends.cells] + ends.costs).min())

    def _of(self, leaf: Leaf) -> Ends:
        if leaf not in self._ends:
            self._ends[leaf] = self._legs.goals([leaf], narrow=self._narrow)
        return self._ends[leaf]

    def _field(self, leaf: Leaf) -> Floats:
        if leaf not in self._fields:
            ends = self._of(leaf)
            nowhere = np.full(len(self._prices), inf)
            field = self._grid.spread(ends, self._prices).costs() if len(ends) else nowhere
            self._fields[leaf] = field
        return self._fields[leaf]
