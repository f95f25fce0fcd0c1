"""Which cells a goal means, and what can be said when it cannot be reached."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.planning.frames import to_frame, to_world
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
        if not there.any():
            return _beside(goal, grid, world, t, cells, points[cells])
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


def _beside(
    goal: Region, grid: GridMap, world: World, t: float, cells: Ints, points: Floats
) -> Ends:
    """The points of a region too small for a cell's centre that are nearest to cells' centres.

    Args:
        goal: the region.
        grid: whose cells.
        world: that it is in.
        t: [s] when.
        cells: `(n,)` open ones.
        points: `(n, 3)` [m] where one stands in them.
    """
    found: list[Ends] = []
    times, step = np.full(len(points), t), grid.actions.walk.step_height
    for body in goal.bodies(world):
        if body is not None and body not in grid.cells.still:
            continue
        bounds = np.array([goal.low, goal.high])
        if body is not None:
            bounds = np.where(np.isfinite(bounds), bounds, world[body].mesh.bounds)
        # Not on its very edge, where rounding decides what is inside.
        margin = np.minimum(0.01, np.diff(bounds, axis=0)[0] / 4)
        local = to_frame(world, body, points, times)
        inside = to_world(
            world, body, np.clip(local, bounds[0] + margin, bounds[1] - margin), times
        )
        near = np.flatnonzero(np.hypot(*(inside - points)[:, :2].T) <= grid.cell)
        spots = np.column_stack([inside[near, :2], points[near, 2]])
        ground = world.support(spots, times[near], up=step, down=step)
        spots[:, 2] = np.where(ground.hit, ground.height, spots[:, 2])
        good = ground.hit & reached(goal, world, spots, t)
        away = np.hypot(*(spots - points[near])[:, :2].T)
        found.append(Ends(cells[near[good]], away[good], spots[good]))
    return Ends.joined(found)


def reached(goal: Goal | Region, world: World, points: Floats, t: float) -> Bools:
    """`(n,)`: whether points `(n, 3)` are where a goal is, at whatever time and facing any way."""
    if len(points) == 0:
        return np.zeros(0, dtype=np.bool_)
    return anywhere(goal).reached(world, points, np.full(len(points), t))
