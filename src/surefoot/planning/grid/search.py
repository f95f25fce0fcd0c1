"""A* over surface cells."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.planning.grid.cells import Cells


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes:
        path: cells from start to goal, or to the cell nearest the goal when it was not reached.
        reached: whether the goal was.
        expanded: cells taken off the open list.
        exhausted: the node limit ended it.
    """

    path: list[int]
    reached: bool
    expanded: int
    exhausted: bool


def shortest(
    cells: Cells,
    starts: dict[int, float],
    goals: Bools,
    toward: Floats,
    prices: Floats,
    *,
    shyness: float,
    most: int,
    cancelled: Callable[[], bool],
) -> Found:
    """The cheapest way from any start to any goal cell.

    Args:
        cells: the graph.
        starts: cells to start from, each with the cost of getting there [m].
        goals: `(n,)` which cells are goals.
        toward: `(k, 3)` points that hold all goals; the distance to the nearest guides the search.
        prices: `(n,)` how many times the cheapest metre a metre costs at each cell, >= 1.
        shyness: extra cost per metre without room.
        most: cells expanded at most.
        cancelled: asked now and then.
    """
    # Ties go to the lower cell, so that the path is the same everywhere.
    bound = _nearest(cells.points, toward)
    best = dict(starts)
    parent: dict[int, int] = {}
    queue = [(cost + bound[cell], cell) for cell, cost in starts.items()]
    heapq.heapify(queue)
    done: set[int] = set()
    closest = min(starts, key=lambda cell: (bound[cell], cell))
    weights = cells.lengths * (prices + shyness * cells.cramped)[cells.targets]
    offsets, targets, bounds = cells.offsets.tolist(), cells.targets.tolist(), bound.tolist()
    costs, is_goal = weights.tolist(), goals.tolist()
    while queue:
        _, cell = heapq.heappop(queue)
        if cell in done:
            continue
        done.add(cell)
        if bounds[cell] < bounds[closest]:
            closest = cell
        if is_goal[cell]:
            return Found(_trace(parent, cell), True, len(done), False)
        if len(done) >= most or (len(done) % 4096 == 0 and cancelled()):
            return Found(_trace(parent, closest), False, len(done), True)
        so_far = best[cell]
        for edge in range(offsets[cell], offsets[cell + 1]):
            target = targets[edge]
            cost = so_far + costs[edge]
            if cost < best.get(target, np.inf):
                best[target] = cost
                parent[target] = cell
                heapq.heappush(queue, (cost + bounds[target], target))
    return Found(_trace(parent, closest), False, len(done), False)


def _nearest(points: Floats, toward: Floats) -> Floats:
    """Distance from each point to the nearest of a few."""
    best = np.full(len(points), np.inf)
    for goal in toward:
        np.minimum(best, np.linalg.norm(points - goal, axis=1), out=best)
    return best


def _trace(parent: dict[int, int], cell: int) -> list[int]:
    path = [cell]
    while path[-1] in parent:
        path.append(parent[path[-1]])
    return path[::-1]
