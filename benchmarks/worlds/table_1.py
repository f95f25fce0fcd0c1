"""The scenes of bandi2000's Table 1, and questions about ways through them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from benchmarks.worlds.cells import CellWorld

from surefoot.arrays import Floats, Ints


@dataclass(frozen=True, kw_only=True)
class Size:
    """How a scene is cut into cells.

    Attributes:
        cells: along x, y and z; the paper's x, z and y.
        cell: [m], the distance between the feet.
        rise: [m].
    """

    cells: tuple[int, int, int]
    cell: float
    rise: float

    @property
    def count(self) -> int:
        """Cells in the box around the scene."""
        return int(np.prod(self.cells))


TABLE_1: Mapping[str, Size] = {
    "labyrinth": Size(cells=(72, 93, 23), cell=0.25, rise=0.10),
    "staircase": Size(cells=(53, 91, 102), cell=0.25, rise=0.05),
    "factory": Size(cells=(69, 69, 95), cell=0.25, rise=0.06),
    "supermarket": Size(cells=(162, 236, 90), cell=0.25, rise=0.06),
}


def walkable(world: CellWorld, start: Floats) -> Ints:
    """The cells, borders left out, that can be reached from a point: its region."""
    (cell,) = world.cells(start[None])
    regions = np.asarray(world.moves.regions())
    inside = world.inside
    # Regions are joined across borders too; keep those that a front reaches without them.
    near = np.flatnonzero(inside & (regions == regions[cell]))
    reached = np.isfinite(world.field(int(cell)).costs())
    return near[reached[near]].astype(np.int32)


def pairs(cells: Ints, count: int, seed: int) -> tuple[Ints, Ints]:
    """Starts and goals among cells, at random."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(cells), size=(2, count))
    return cells[chosen[0]], cells[chosen[1]]
