"""From a path of cells to a way: typed pieces that the exact queries agree to."""

from __future__ import annotations

from itertools import groupby, pairwise
from math import ceil

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character import Capability
from surefoot.planning.grid.actions import Action
from surefoot.planning.grid.footway import Footway, Line, Refuted, Walked
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.paths import CellPath
from surefoot.planning.grid.postures import Posture, Postures, Prices
from surefoot.planning.grid.smoothing import PointPrices, rounded
from surefoot.planning.grid.way import Piece, Way
from surefoot.planning.segments import Kind

LEDGE = 0.1
"""[m] A step over a gap that leads higher or lower than this is a step up or down."""

STOOPING = 0.5
"""[m] over which one bends before it is low, and straightens after."""

ALIKE = 1.2
"""[m] Jumps that begin and end this near to one that cannot be are looked at with it."""

_MOST_ALIKE = 256


class Realiser:
    """Makes ways of paths.

    Args:
        grid: whose cells the paths are of.
        postures: how one is in the cells.
        prices: of the cells, as the search had them.
        point_prices: of points; None where they are the same everywhere.
        speed: [m/s] of walking.
    """

    def __init__(
        self,
        grid: GridMap,
        postures: Postures,
        prices: Prices,
        point_prices: PointPrices | None,
        speed: float,
    ) -> None:
        self._grid, self._postures, self._prices = grid, postures, prices
        self._point_prices, self._speed = point_prices, speed
        self._span = max(a.span for a in grid.actions.each if a.kind is not Kind.JUMP)
        self._footway = Footway(grid, postures.points, prices, point_prices, self._span)

    def way(self, path: CellPath, start: Floats, end: Floats | None) -> Way:
        """The way along a path of cells, from one exact point to another `(3,)` [m].

        Without an end it stops in the last cell. Raises `Refuted` where there is no such way.
        """
        if self._grid.settings.smoothing == "junctions":
            path = self._grid.straightened(path, self._prices)
        cells: list[int] = path.cells.tolist()
        actions: list[int] = path.actions.tolist()
        goal: Floats = self._postures.points[cells[-1]] if end is None else end
        each = self._grid.actions.each
        far = [i for i, action in enumerate(actions) if each[action].span > 0.0]
        leaps = [self._far(cells[i], cells[i + 1], each[actions[i]]) for i in far]
        pieces: list[Piece] = []
        for k in range(len(far) + 1):
            first = far[k - 1] + 1 if k > 0 else 0
            last = far[k] if k < len(far) else len(cells) - 1
            section = Walked(
                path.cells[first : last + 1],
                path.actions[first:last],
                leaps[k - 1].points[-1] if k > 0 else start,
                leaps[k].points[0] if k < len(far) else goal,
                self._grid.actions.walk,
                (
                    (cells[first - 1], cells[first]) if k > 0 else None,
                    (cells[last], cells[last + 1]) if k < len(far) else None,
                ),
            )
            pieces += self._section(section)
            if k < len(far):
                pieces.append(leaps[k])
        return Way(pieces)

    # --- over gaps -------------------------------------------------------------------------------

    def _far(self, a: int, b: int, action: Action) -> Piece:
        """The step or the jump from one cell to another one."""
        start, end = self._postures.points[a], self._postures.points[b]
        if action.kind is Kind.JUMP:
            leap = self._grid.leaps.find(start, end)
            if leap is not None:
                return Piece.jump(action.skill, leap)
        else:
            walkable = self._grid.walkable(action.skill)
            points = walkable.line(np.stack([start, end]))
            if points is not None:
                return Piece(Kind.WALK, action.skill, points, self._speed)
            points = walkable.line(np.stack([start, end]), gap=action.span)
            if points is not None:
                return self._step(points, action.skill)
        raise Refuted(self._alike(a, b, action))

    def _step(self, points: Floats, skill: Capability) -> Piece:
        rise = float(points[-1, 2] - points[0, 2])
        kind = Kind.STEP_UP if rise > LEDGE else Kind.STEP_DOWN
        kind = kind if abs(rise) > LEDGE else Kind.STEP_OVER
        upright = skill == self._grid.actions.walk
        return Piece(kind, skill, points, self._speed if upright else skill.speed)

    def _alike(self, a: int, b: int, action: Action) -> list[tuple[int, int]]:
        """A move that cannot be, and those beside it that cannot be either."""
        far, positions = self._grid.far, self._postures.points
        same = np.array([other.name == action.name for other in self._grid.actions.each])
        far = far[same[far[:, 2]]]
        away = np.linalg.norm(positions[far[:, 0]] - positions[a], axis=1)
        away = np.maximum(away, np.linalg.norm(positions[far[:, 1]] - positions[b], axis=1))
        near = np.flatnonzero(away < ALIKE)
        near = near[np.argsort(away[near], kind="stable")][:_MOST_ALIKE]
        starts, ends = positions[far[near, 0]], positions[far[near, 1]]
        if action.kind is Kind.JUMP:
            possible: Bools = self._grid.leaps.likely(starts, ends)
        else:
            pairs = list(np.stack([starts, ends], axis=1))
            lines = self._grid.walkable(action.skill).lines(pairs, gap=action.span)
            possible = np.array([line is not None for line in lines], dtype=np.bool_)
        moves: list[list[int]] = far[near[~possible], :2].tolist()
        return [(a, b), *((start, end) for start, end in moves)]

    # --- on the ground ---------------------------------------------------------------------------

    def _section(self, section: Walked) -> list[Piece]:
        """What is walked and what is gone bent, between two steps or jumps."""
        bent = self._bent(section)
        if not bent.any():
            return self._pieces(section, Kind.WALK)
        # It takes half a metre to get down, and as much to get up again, if there is room for it.
        for before in (ceil(STOOPING / self._grid.cell), 1):
            try:
                return self._stooping(section, _wider(bent, before))
            except Refuted:
                if before == 1:
                    raise
        return []

    def _stooping(self, section: Walked, bent: Bools) -> list[Piece]:
        """A section that is gone bent in some cells."""
        low = self._grid.actions.bend or section.skill
        points = self._postures.points[section.cells]
        count = len(bent)
        edges = [0, *(np.flatnonzero(np.diff(bent)) + 1).tolist(), count]
        pieces: list[Piece] = []
        for first, after in pairwise(edges):
            bends = bool(bent[first])
            # A walk reaches into the first and last cell of the bends around it.
            wider = 0 if bends else 1
            begin, last = max(first - wider, 0), min(after - 1 + wider, count - 1)
            part = Walked(
                section.cells[begin : last + 1],
                section.actions[begin:last],
                section.begin if begin == 0 else points[begin],
                section.end if last == count - 1 else points[last],
                low if bends else section.skill,
                (
                    section.blamed[0] if begin == 0 else None,
                    section.blamed[1] if last == count - 1 else None,
                ),
            )
            pieces += self._pieces(part, Kind.BEND if bends else Kind.WALK)
        return pieces

    def _bent(self, section: Walked) -> Bools:
        """`(k,)`: in which cells of a section one is bent."""
        bent = self._postures.bent[section.cells]
        if self._grid.actions.bend is None:
            return bent
        # Who starts or ends where nobody can stand upright is bent as far as where one can.
        ends = np.stack([section.begin, section.end])
        upright = self._grid.walkable(section.skill).room(ends)
        walked = np.flatnonzero(self._postures.each[section.cells] == Posture.WALK)
        if not upright[0]:
            bent[: int(walked[0]) + 1 if len(walked) else len(bent)] = True
        if not upright[1]:
            bent[int(walked[-1]) if len(walked) else 0 :] = True
        return bent

    def _pieces(self, part: Walked, kind: Kind) -> list[Piece]:
        """A part on foot, its corners rounded, with steps over gaps in between."""
        speed = self._speed if kind is Kind.WALK else part.skill.speed
        walkable, radius = self._grid.walkable(part.skill), self._grid.settings.rounding
        pieces: list[Piece] = []
        for step, group in groupby(self._footway.lines(part), _is_step):
            lines = [line.points for line in group]
            if step:
                pieces += [self._step(points, part.skill) for points in lines]
            else:
                points = rounded(lines, walkable, radius, self._point_prices)
                pieces.append(Piece(kind, part.skill, points, speed))
        return pieces


def _wider(bent: Bools, cells: int) -> Bools:
    """Some cells of a path with so many before and after them."""
    wide = bent.copy()
    for k in range(1, min(cells, len(bent) - 1) + 1):
        wide[:-k] |= bent[k:]
        wide[k:] |= bent[:-k]
    return wide


def _is_step(line: Line) -> bool:
    return line.step
