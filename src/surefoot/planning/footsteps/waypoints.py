"""The high-level path: way-points of the grid planner, visible ones skipped (beacco2013, 5.1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.errors import ProblemError
from surefoot.planning.grid.keeping import map_of
from surefoot.planning.grid.settings import GridSettings
from surefoot.planning.grid.walkable import Walkable
from surefoot.world import World

_CLEARANCE = 0.2
"""[m] more room than a body needs that ways keep where they can: arms and feet swing."""


class Sight:
    """Sees which goals one can go straight to over the bodies of a world that rest.

    Where most goals are in sight, most ways need neither a map nor a search: what they cost then
    grows with their length, not with the world.

    Args:
        world: where; what rests in it now.
        character: who goes.
    """

    def __init__(self, world: World, character: Character) -> None:
        walk = character.capability("walk")
        still = World(body for body in world if not body.trajectory.moving)
        self._walkable = Walkable(still, replace(walk, radius=walk.radius + _CLEARANCE))

    def straight(self, start: Floats, goal: Floats) -> bool:
        """Whether one can walk straight between two points `(3,)` [m] on the ground."""
        return self._walkable.line(np.stack([start, goal])) is not None


class WayFinder:
    """Finds ways over the bodies of a world that rest.

    Args:
        world: where.
        character: who goes.
        capabilities: those it may use; None for all.
    """

    def __init__(
        self, world: World, character: Character, capabilities: Collection[str] | None = None
    ) -> None:
        settings = GridSettings(actions=("walk",), clearance=_CLEARANCE)
        self._map = map_of(world, character, settings, capabilities)
        self.looked = 0
        """How many cells were looked at for the last way."""

    def way(self, start: Floats, goal: Floats) -> Floats | None:
        """Points `(k, 3)` [m] to come by, the last one is the goal; None where there is no way.

        Args:
            start: `(3,)` [m] on the ground.
            goal: `(3,)` [m] on the ground.
        """
        self.looked = 0
        for narrow in (False, True):
            try:
                path = self._map.path(start, goal, narrow=narrow)
            except ProblemError:
                continue
            self.looked += path.expanded
            if not path.reached:
                continue
            prices = self._map.prices(narrow=narrow)
            points = self._map.postures(narrow=narrow).points[path.cells]
            corners = self._map.corners(path, prices)[1:-1]
            return np.concatenate([points[corners], goal[None]])
        return None
