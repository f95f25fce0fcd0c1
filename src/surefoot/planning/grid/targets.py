"""Which cells a goal means, and what can be said when it cannot be reached."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.planning.goals import ANY_TIME, Goal, Region
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.paths import Ends
from surefoot.planning.grid.postures import Prices
from surefoot.world import World


def anywhere(goal: Goal | Region) -> Goal | Region:
    """The same goal at any time, facing any way: where, not when."""
    return replace(goal, arrive=ANY_TIME, heading=None)


def ends_of(
    goal: Goal | Region, grid: GridMap, world: World, t: float, prices: Prices, points: Floats
) -> Ends:
    """The cells where one has reached a place or a region.

    Args:
        goal: the place or region.
        grid: whose cells.
        world: that it is in.
        t: [s] when.
        prices: of the cells; closed ones do not count.
        points: `(n, 3)` [m] where one stands in the cells.
    """
    if isinstance(goal, Region):
        cells = np.flatnonzero(np.isfinite(prices)).astype(np.int32)
        there = reached(goal, world, points[cells], t)
        return Ends.standing(cells[there], points[cells[there]])
    exact = world.position(goal.place, t)
    near = grid.near(exact, prices, points)
    # Within the tolerance is good enough, but the place itself is better.
    reach = int(np.ceil(goal.tolerance / grid.cell))
    around = grid.cells.around(exact, reach, 0.5)
    around = around[np.isfinite(prices[around])]
    around = around[reached(goal, world, points[around], t)]
    close = Ends.standing(around, points[around], 4 * goal.tolerance + grid.cell)
    return Ends.joined([near, close])


def reached(goal: Goal | Region, world: World, points: Floats, t: float) -> Bools:
    """`(n,)`: whether points `(n, 3)` are where a goal is, at whatever time and facing any way."""
    if len(points) == 0:
        return np.zeros(0, dtype=np.bool_)
    return anywhere(goal).reached(world, points, np.full(len(points), t))
