"""The high-level path: way-points of the grid planner, visible ones skipped (beacco2013, 5.1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.errors import ProblemError
from surefoot.planning.grid.keeping import map_of
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.settings import ACTIONS, GridSettings
from surefoot.planning.grid.walkable import Walkable
from surefoot.world import World

_CLEARANCE = 0.2
"""[m] more room than a body needs that ways keep where they can: arms and feet swing."""

_LEVEL = 0.05
"""[m] up and down on a way that is level all the same."""

_TOLLS = {"walk": 0.0, "step over": 0.0, "bend": 4.0, "jump": 14.0}
"""[J/kg]"""


@dataclass(frozen=True, eq=False)
class Way:
    """A way to a goal.

    Attributes:
        points: `(k, 3)` [m] to come by, k > 0; the last one is the goal.
        kinds: `k` of them: what leads to each point: "walk", "step over", "bend" or "jump".
        rough: whether its ground asks for platform actions: it is not level, or must be jumped,
            stepped over or bent under.
    """

    points: Floats
    kinds: tuple[str, ...]
    rough: bool

    @property
    def tolled(self) -> Floats:
        """`(k, 5)`: the points, what getting to each costs beyond the way [J/kg], about, and -1."""
        tolls = [_TOLLS[kind] for kind in self.kinds]
        return np.column_stack([self.points, tolls, np.full(len(self.points), -1.0)])


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

    def straight(self, start: Floats, goal: Floats) -> Way | None:
        """The straight way between two points `(3,)` [m] on the ground; None where it is not."""
        line = self._walkable.line(np.stack([start, goal]))
        if line is None:
            return None
        return Way(goal[None], ("walk",), bool(np.ptp(line[:, 2]) > _LEVEL))


class WayFinder:
    """Finds ways over the bodies of a world that rest.

    They are walks; where no walk leads there, steps over gaps, jumps and bends are used as well.

    Args:
        world: where.
        character: who goes.
        capabilities: those it may use; None for all.
    """

    def __init__(
        self, world: World, character: Character, capabilities: Collection[str] | None = None
    ) -> None:
        self._of = (world, character, capabilities)
        self.looked = 0
        """How many cells were looked at for the last way."""

    def way(self, start: Floats, goal: Floats) -> Way | None:
        """The way from a point to another; None where there is none.

        Args:
            start: `(3,)` [m] on the ground.
            goal: `(3,)` [m] on the ground.
        """
        self.looked = 0
        world, character, capabilities = self._of
        for actions in (("walk",), ACTIONS):
            settings = GridSettings(actions=actions, clearance=_CLEARANCE)
            cells = map_of(world, character, settings, capabilities)
            for narrow in (False, True):
                found = self._over(cells, start, goal, narrow)
                if found is not None:
                    return found
        return None

    def _over(self, cells: GridMap, start: Floats, goal: Floats, narrow: bool) -> Way | None:
        try:
            path = cells.path(start, goal, narrow=narrow)
        except ProblemError:
            return None
        self.looked += path.expanded
        if not path.reached:
            return None
        prices = cells.prices(narrow=narrow)
        points = cells.postures(narrow=narrow).points[path.cells]
        corners = cells.corners(path, prices)[1:]
        names = [cells.actions.each[int(action)].name for action in path.actions]
        kinds = tuple(names[int(corner) - 1] for corner in corners) or ("walk",)
        heights = np.concatenate([[start[2]], points[:, 2], [goal[2]]])
        rough = bool(np.ptp(heights) > _LEVEL) or any(kind != "walk" for kind in names)
        return Way(np.concatenate([points[corners[:-1]], goal[None]]), kinds, rough)
