"""Worlds cut into cells by the native core, with nothing of a planner around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from surefoot import _native
from surefoot.arrays import Bools, Floats, Ints
from surefoot.character import Capability
from surefoot.world import Body


@dataclass(frozen=True, eq=False)
class Resting:
    """Bodies as the native core takes them; made before any clock runs."""

    ids: Ints
    meshes: Sequence[_native.Mesh]
    positions: Floats
    rotations: Floats
    solid: Bools
    forbidden: Bools

    @classmethod
    def of(cls, bodies: Iterable[Body], first: int = 0) -> Resting:
        """Where they lie at time 0, numbered from `first`."""
        still = list(bodies)
        poses = [body.trajectory.pose(0.0) for body in still]
        return cls(
            np.arange(first, first + len(still), dtype=np.int32),
            [body.mesh.native for body in still],
            np.array([pose.position for pose in poses]),
            np.array([pose.rotation for pose in poses]),
            np.array([body.solid for body in still]),
            np.array([body.has("forbidden") for body in still]),
        )

    def moved(self, by: Floats) -> Resting:
        """The same bodies somewhere else."""
        return Resting(
            self.ids, self.meshes, self.positions + by, self.rotations, self.solid, self.forbidden
        )

    def put(self, voxels: _native.GridVoxels, threads: int = 1) -> None:
        """Into the voxels, or to where they are now."""
        voxels.put(
            self.ids, self.meshes, self.positions, self.rotations, self.solid, self.forbidden,
            threads,
        )  # fmt: skip


def walking(skill: Capability) -> _native.GridAction:
    """Steps to the cells around, as high as the skill's."""
    return _native.GridAction(
        up=skill.step_height,
        down=skill.step_height,
        height=skill.height,
        max_slope=skill.max_slope,
        gaps=False,
    )


class CellWorld:
    """Surface cells, the moves between them and their borders.

    Args:
        bodies: at rest.
        skill: who walks.
        cell: side of a cell [m].
        rise: height of a slice [m].
        layers: of border cells.
        threads: to work on.
    """

    def __init__(
        self,
        bodies: Resting,
        skill: Capability,
        cell: float,
        rise: float,
        *,
        layers: int = 1,
        threads: int = 1,
    ) -> None:
        self.voxels = _native.GridVoxels(cell, rise, max_slope=skill.max_slope, memory_limit=2e10)
        bodies.put(self.voxels, threads)
        self.moves = _native.GridMoves(self.voxels, [walking(skill)], threads=threads)
        self.borders = _native.GridBorders(self.moves, layers, threads=threads)
        self._search: _native.GridSearch | None = None
        self._prices: np.ndarray | None = None
        self.positions: Floats = np.zeros((0, 3))

    def follow(self, bodies: Resting) -> int:
        """Takes up what moved; tells how many cells were looked at."""
        bodies.put(self.voxels)
        return self.moves.update() + self.borders.update()

    @property
    def inside(self) -> Bools:
        """`(n,)` cells that one can be in, borders left out."""
        return self.voxels.live() & (self.borders.layers() == 0)

    @property
    def bytes(self) -> int:
        """Memory taken, about."""
        return self.voxels.bytes + self.moves.bytes

    def ready(self) -> CellWorld:
        """Closes borders and makes what searches need."""
        self._search = _native.GridSearch(self.moves)
        self._prices = np.where(self.inside, 1.0, np.inf).astype(np.float32)
        self.positions = self.voxels.positions()
        return self

    def cells(self, points: Floats) -> Ints:
        """`(n,)` the cell under each point, -1 for none."""
        return self.voxels.locate(np.ascontiguousarray(points), 0.4, 0.4)

    def path(self, start: int, goal: int) -> Floats | None:
        """Corners `(k, 3)` of the straightened way between two cells, None for none."""
        assert self._search is not None
        one, other = np.array([start], dtype=np.int32), np.array([goal], dtype=np.int32)
        cells, actions, _, reached, _, _ = self._search.path(one, other, prices=self._prices)
        return self._straight(cells, actions) if reached else None

    def field(self, goal: int) -> _native.GridFront:
        """The distance of every cell to the goal."""
        assert self._search is not None
        sources = np.array([goal], dtype=np.int32)
        return self._search.front(sources, backward=True, prices=self._prices)

    def sights(self, field: _native.GridFront) -> _native.GridSights:
        """The same with straight ways."""
        return _native.GridSights(field, self._prices)

    def ways(self, sights: _native.GridSights, starts: Ints) -> list[Floats]:
        """Corners `(k, 3)` of the straight way from each cell; none at all where there is none."""
        corners, bounds = sights.corners(starts)
        return np.split(self.positions[corners], bounds[1:-1])

    def _straight(self, cells: Ints, actions: Ints) -> Floats:
        corners = self.moves.corners(cells, actions, self._prices)
        return self.positions[cells[corners]]


def length(points: Floats | None) -> float:
    """Of the way through points [m]; infinite without one."""
    if points is None:
        return np.inf
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
