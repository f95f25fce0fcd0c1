"""What a problem's cost makes of a metre, here and there, in one way of moving or another."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.character import Capability
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.postures import Postures, Prices
from surefoot.planning.grid.smoothing import PointPrices
from surefoot.planning.problem import Problem


class MetrePrices:
    """A problem's cost per metre, over that of the cheapest metre walked.

    Args:
        problem: whose cost counts.
        grid: whose cells are priced.
        speed: [m/s] of walking.
    """

    def __init__(self, problem: Problem, grid: GridMap, speed: float) -> None:
        self._problem, self._grid, self._speed = problem, grid, speed
        self._table = problem.cost.table(problem.world, problem.character, tuple(problem.skills))
        self._even = not self._table.functions and not self._table.on_body.any()
        walk = grid.actions.walk
        self._walk = walk
        self._least = self._cheapest(walk, speed)

    def _cheapest(self, skill: Capability, speed: float) -> float:
        """[1/s] The least that a second of going on at a speed costs."""
        table = self._table
        return float(table.lower[table.modes.index(skill.name)]) + (
            table.per_speed_squared * speed**2
        )

    @property
    def points(self) -> PointPrices | None:
        """What a metre costs at points; None where it costs the same everywhere."""
        return None if self._even else self._at_points

    def cells(self, postures: Postures) -> Prices:
        """What a metre costs in each cell; infinite where it is closed."""
        bend = self._grid.actions.bend
        prices = postures.prices(
            shyness=self._grid.settings.shyness,
            bending=1.0 if bend is None else self._bending(bend),
        )
        if self._even:
            return prices
        open_ = np.flatnonzero(np.isfinite(prices))
        names = self._grid.cells.still.names
        # Ids of the world at rest are not those of the world.
        ids = np.array([self._id(name) for name in names] or [-1], dtype=np.int32)
        bodies = ids[self._grid.cells.bodies[open_]]
        prices[open_] *= self._rates(self._grid.positions[open_], bodies).astype(np.float32)
        return prices

    def _id(self, name: str) -> int:
        world = self._problem.world
        return world.id(name) if name in world else -1

    def _bending(self, bend: Capability) -> float:
        """How many times as much a metre costs bent."""
        if self._least <= 0.0:
            return self._speed / max(bend.speed, 1e-3)
        metre = self._cheapest(bend, bend.speed) / max(bend.speed, 1e-3)
        return metre / (self._least / self._speed)

    def _at_points(self, points: Floats) -> Floats:
        reach = self._walk.step_height
        world, now = self._problem.world, self._problem.start_time
        ground = world.support(points, np.full(len(points), now), up=reach, down=reach)
        return self._rates(points, ground.body)

    def _rates(self, points: Floats, bodies: Ints) -> Floats:
        now = np.full(len(points), self._problem.start_time)
        velocities = np.tile([self._speed, 0.0, 0.0], (len(points), 1))
        rates = self._table.rates(self._walk.name, points, now, velocities, bodies)
        # A cost that is nowhere more than nothing leaves only the length to choose by.
        return np.maximum(rates / self._least, 1.0) if self._least > 0 else 1.0 + rates
