"""A world cut into cells, and kept so while bodies come, move and go (bandi2000, 3.2 and 8.3)."""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np

from surefoot import _native
from surefoot.arrays import Bools, Floats, Ints
from surefoot.errors import ProblemError
from surefoot.world import Body, World

THREADS = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2, 8)
"""Used to cut worlds into cells; any number gives the same cells."""

_SLICES = 1024
"""Slices between the altitudes about which heights are counted."""


class Cells:
    """The surface cells of the bodies of a world that stay where they are.

    Args:
        cell: side of a cell seen from above [m].
        rise: height of a slice [m].
        max_slope: [rad] the steepest ground that anybody stands on.
        relief: [m] unevenness inside one cell that still is ground.
        memory: [bytes] that the cells may take.
        altitude: [m] about which heights are counted.
    """

    def __init__(
        self,
        *,
        cell: float,
        rise: float,
        max_slope: float,
        relief: float,
        memory: float,
        altitude: float = 0.0,
    ) -> None:
        self.voxels = _native.GridVoxels(
            cell=cell,
            rise=rise,
            origin=(0.0, 0.0, altitude),
            max_slope=max_slope,
            relief=relief,
            memory_limit=memory,
        )
        self.still = World()
        """What never moves: the cells are cut out of it, the exact queries ask it."""
        self.moving = World()
        """What does."""
        self._known: dict[str, Body] = {}

    def update(self, world: World) -> bool:
        """Follows the world: cuts anew only what came, moved or went; tells whether it did."""
        gone = [name for name, body in self._known.items() if not _same(world, body)]
        come = [body for body in world if body.name not in self._known or body.name in gone]
        if not gone and not come:
            return False
        ids = [self.still.id(name) for name in gone if name in self.still]
        if ids:
            self.voxels.remove(np.array(ids, dtype=np.int32), threads=THREADS)
        for name in gone:
            (self.still if name in self.still else self.moving).remove(name)
            del self._known[name]
        resting = [body for body in come if not body.trajectory.moving]
        self._put(resting)
        for body in come:
            (self.moving if body.trajectory.moving else self.still).add(body)
            self._known[body.name] = body
        return bool(ids or resting)

    def _put(self, bodies: Iterable[Body]) -> None:
        bodies = list(bodies)
        if not bodies:
            return
        # An id of the world at rest is never used twice, and the next ones are known.
        first = len(self.still.names)
        poses = [body.trajectory.pose(0.0) for body in bodies]
        self.voxels.put(
            np.arange(first, first + len(bodies), dtype=np.int32),
            [body.mesh.native for body in bodies],
            np.array([pose.position for pose in poses]),
            np.array([pose.rotation for pose in poses]),
            np.array([body.solid for body in bodies], dtype=np.bool_),
            np.array([body.has("forbidden") for body in bodies], dtype=np.bool_),
            threads=THREADS,
        )

    def check_not_empty(self) -> None:
        """Raises when there is nothing to stand on."""
        if len(self.still) == 0:
            why = "every body of this world moves" if len(self.moving) else "this world is empty"
            raise ProblemError(f"nowhere to stand: {why}")

    @property
    def version(self) -> int:
        """Counts the changes of the cells."""
        return self.voxels.version

    @property
    def live(self) -> Bools:
        """`(n,)`: rows that hold a cell; the other arrays mean nothing where they do not."""
        return self.voxels.live()

    @property
    def positions(self) -> Floats:
        """`(n, 3)` [m]: the cells' centres on the ground."""
        return self.voxels.positions()

    @property
    def bodies(self) -> Ints:
        """`(n,)`: ids in the world at rest of the bodies whose ground it is."""
        return self.voxels.bodies()

    def around(self, point: Floats, reach: int, height: float) -> Ints:
        """Cells in the columns up to `reach` columns from a point's, at most `height` [m] away.

        Of several in one column the nearest in height; the nearest to the point come first.
        """
        steps = np.arange(-reach, reach + 1) * self.voxels.cell
        across = np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).reshape(-1, 2)
        points = np.tile(np.asarray(point, dtype=np.float64), (len(across), 1))
        points[:, :2] += across
        found = self.voxels.locate(points, height, height)
        order = np.argsort((across**2).sum(axis=1), kind="stable")
        found = found[order]
        return found[found >= 0]


def altitude_of(world: World, rise: float) -> float:
    """[m] A height that most of what rests in a world is near to, in whole steps of many slices.

    Cells keep their heights in few digits: in a world high above its origin those are for what is
    above and below this height.
    """
    heights = [
        body.trajectory.pose(0.0).apply(body.mesh.bounds.mean(axis=0))[2]
        for body in world
        if not body.trajectory.moving
    ]
    step = rise * _SLICES
    return step * round(float(np.median(heights)) / step) if heights else 0.0


def _same(world: World, body: Body) -> bool:
    return body.name in world and world[body.name] is body
