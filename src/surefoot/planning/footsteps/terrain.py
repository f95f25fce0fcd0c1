"""Terrains: worlds as the native footstep search sees them (beacco2013, 5.5.1, 5.5.2)."""

from __future__ import annotations

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.errors import ProblemError
from surefoot.planning.footsteps.repertoire import Repertoire
from surefoot.planning.footsteps.settings import FootstepSettings
from surefoot.world import Observed, World


class Terrains:
    """A world under the feet of characters of different sizes.

    Args:
        world: it may change between searches.
        settings: of the planner.
    """

    def __init__(self, world: World, settings: FootstepSettings) -> None:
        self.world, self.settings = world, settings
        self._made: dict[int, tuple[Repertoire, _native.FootstepTerrain]] = {}

    def __call__(self, repertoire: Repertoire) -> _native.FootstepTerrain:
        """The world as bodies with a repertoire see it."""
        key = id(repertoire)
        if key not in self._made:
            measures = repertoire.footage.measures
            terrain = _native.FootstepTerrain(
                self.world.native,
                height=measures.height,
                rise=self.settings.rise or repertoire.step_height,
                max_slope=repertoire.max_slope,
                clearance=float(repertoire.girths[~repertoire.special].max()) + self.settings.room,
                radius=repertoire.radius,
                foot_length=measures.foot_length,
                foot_width=measures.foot_width,
            )
            self._made[key] = (repertoire, terrain)
        return self._made[key][1]

    def standing(self, repertoire: Repertoire, at: Floats) -> Floats:
        """A state `(10,)` with both feet on the ground where a body stands.

        Raises:
            ProblemError: the ground does not hold a foot.
        """
        found = _native.footstep_stand(self(repertoire), repertoire.native, repertoire.stand, at)
        if not len(found):
            x, y, z = at[:3].tolist()
            raise ProblemError(f"({x:.2f}, {y:.2f}, {z:.2f}) has no ground under a foot")
        return found[0]

    def doubts(self, t: float) -> Floats:
        """`(k, 4)`: what is only observed, and the room that it gets from `t` [s] on (5.5.3)."""
        rows = [
            (self.world.id(body.name), self.settings.doubt, self.settings.most_doubt, t)
            for body in self.world
            if isinstance(body.trajectory, Observed)
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 4)
