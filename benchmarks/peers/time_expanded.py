"""Time-expanded search, as space-time planners without controllers do it.

A disc on a grid that turns, starts and stops at will: cells of 0.5 m, ticks of 0.05 s, eight
neighbours and waiting. All cells of a tick are expanded at once by numpy, which finds the earliest
arrival like a search node by node does, without its queue.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from surefoot.character import Capability
from surefoot.planning.standing import can_stand
from surefoot.world import World

CELL, TICK = 0.5, 0.05
"""[m], [s]"""

Free = npt.NDArray[np.bool_]


def free_cells(
    world: World, skill: Capability, low: tuple[float, float], high: tuple[float, float], z: float,
    lasts: float,
) -> Free:  # fmt: skip
    """`(ticks, nx, ny)`: where one can stand, by exact queries.

    Args:
        world: with ground at one height.
        skill: whose cylinder is asked about.
        low: [m], a corner of the grid.
        high: [m], the opposite one.
        z: [m], the ground's height.
        lasts: [s].
    """
    x, y = (np.arange(a + 0.5 * CELL, b, CELL) for a, b in zip(low, high, strict=True))
    ticks = round(lasts / TICK) + 1
    points = np.array([(a, b, z) for a in x for b in y])
    free = np.empty((ticks, len(points)), dtype=np.bool_)
    for k in range(ticks):
        free[k] = can_stand(world, points, np.full(len(points), k * TICK), skill)
    return free.reshape(ticks, len(x), len(y))


def earliest(
    free: Free, start: tuple[int, int], goal: tuple[int, int], speed: float
) -> tuple[float, int]:
    """[s] when the goal's cell is reached first, infinity for never; and the nodes expanded."""
    ticks = len(free)
    # How many ticks in a row a cell has been free for, up to each.
    alone = np.zeros(free.shape, dtype=np.int32)
    for k in range(ticks):
        alone[k] = np.where(free[k], (alone[k - 1] if k else 0) + 1, 0)
    reached = np.zeros_like(free)
    reached[0][start] = free[0][start]
    moves = [
        (dx, dy, max(int(np.ceil(np.hypot(dx, dy) * CELL / speed / TICK)), 1))
        for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy
    ]  # fmt: skip
    for k in range(1, ticks):
        reached[k] = reached[k - 1] & free[k]
        for dx, dy, lasts in moves:
            begun = k - lasts
            if begun < 0:
                continue
            half = begun + lasts // 2
            leaving = reached[begun] & (alone[half] > half - begun)
            arriving = alone[k] > k - half
            reached[k] |= _shifted(leaving, dx, dy) & arriving
        if reached[k][goal]:
            return k * TICK, int(reached[: k + 1].sum())
    return float("inf"), int(reached.sum())


def _shifted(cells: npt.NDArray[np.bool_], dx: int, dy: int) -> npt.NDArray[np.bool_]:
    moved = np.zeros_like(cells)
    nx, ny = cells.shape
    moved[max(dx, 0) : nx + min(dx, 0), max(dy, 0) : ny + min(dy, 0)] = cells[
        max(-dx, 0) : nx + min(-dx, 0), max(-dy, 0) : ny + min(-dy, 0)
    ]
    return moved
