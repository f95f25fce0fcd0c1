"""From a path of cells to a way: typed pieces that the exact queries agree to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.character import Capability
from surefoot.planning.grid.map import CellPath, GridMap
from surefoot.planning.grid.postures import Postures, Prices
from surefoot.planning.grid.smoothing import PointPrices, cost, rounded, straight
from surefoot.planning.grid.walkable import Walkable
from surefoot.planning.grid.way import Piece, Way
from surefoot.planning.segments import Kind

LEDGE = 0.1
"""[m] A step over a gap that leads higher or lower than this is a step up or down."""

_RANGE, _SPREAD = 30, 3
"""Cells before and after a jump to which one may go straight: so many, every so many."""


class Refuted(Exception):  # noqa: N818 - never leaves the planner: the search goes on without
    """The exact queries do not agree to some moves.

    Attributes:
        moves: pairs of cells.
        cells: where nobody can stand after all.
    """

    def __init__(self, moves: Sequence[tuple[int, int]] = (), cells: Sequence[int] = ()) -> None:
        super().__init__("the exact queries refuse a way")
        self.moves, self.cells = list(moves), list(cells)


@dataclass(frozen=True, eq=False)
class _Ground:
    """Part of a path on the ground, gone in one capability.

    Attributes:
        cells: `(k,)`, k >= 1.
        actions: `(k - 1,)`.
        begin: `(3,)` [m] where it starts exactly.
        end: `(3,)` [m] where it ends exactly.
        skill: in which it is gone.
        blamed: the moves before and after it, to which `begin` and `end` belong; None where they
            are the start and the goal.
    """

    cells: Ints
    actions: Ints
    begin: Floats
    end: Floats
    skill: Capability
    blamed: tuple[tuple[int, int] | None, tuple[int, int] | None] = (None, None)


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

    def way(self, path: CellPath, start: Floats, end: Floats | None) -> Way:
        """The way along a path of cells, from one exact point to another `(3,)` [m].

        Without an end it stops in the last cell. Raises `Refuted` where there is no such way.
        """
        if self._grid.settings.smoothing == "junctions":
            path = self._grid.straightened(path, self._prices)
        cells: list[int] = path.cells.tolist()
        actions: list[int] = path.actions.tolist()
        goal: Floats = self._grid.positions[cells[-1]] if end is None else end
        each = self._grid.actions.each
        far = [i for i, action in enumerate(actions) if each[action].span > 0.0]
        leaps = [self._far(cells[i], cells[i + 1], actions[i]) for i in far]
        pieces: list[Piece] = []
        for k in range(len(far) + 1):
            first = far[k - 1] + 1 if k > 0 else 0
            last = far[k] if k < len(far) else len(cells) - 1
            blamed = (
                (cells[first - 1], cells[first]) if k > 0 else None,
                (cells[last], cells[last + 1]) if k < len(far) else None,
            )
            section = _Ground(
                path.cells[first : last + 1],
                path.actions[first:last],
                leaps[k - 1].points[-1] if k > 0 else start,
                leaps[k].points[0] if k < len(far) else goal,
                self._grid.actions.walk,
                blamed,
            )
            pieces += self._section(section)
            if k < len(far):
                pieces.append(leaps[k])
        return Way(pieces)

    # --- over gaps -------------------------------------------------------------------------------

    def _far(self, a: int, b: int, action: int) -> Piece:
        """The step or the jump from one cell to another one."""
        what = self._grid.actions.each[action]
        start, end = self._grid.positions[a], self._grid.positions[b]
        if what.kind is Kind.JUMP:
            leap = self._grid.leaps.find(start, end)
            if leap is None:
                raise Refuted([(a, b)])
            return Piece.jump(what.skill, leap)
        walkable = self._grid.walkable(what.skill)
        line = np.stack([start, end])
        points = walkable.line(line)
        if points is not None:
            return Piece(Kind.WALK, what.skill, points, self._speed)
        points = walkable.line(line, gap=what.span)
        if points is None:
            raise Refuted([(a, b)])
        rise = float(end[2] - start[2])
        kind = Kind.STEP_UP if rise > LEDGE else Kind.STEP_DOWN
        kind = kind if abs(rise) > LEDGE else Kind.STEP_OVER
        return Piece(kind, what.skill, points, self._speed)

    # --- on the ground ---------------------------------------------------------------------------

    def _section(self, section: _Ground) -> list[Piece]:
        """What is walked and what is gone bent, between two steps or jumps."""
        bent = self._postures.bent[section.cells]
        low = self._grid.actions.bend
        if low is None or not bent.any():
            return [self._piece(section, Kind.WALK)]
        points = self._grid.positions[section.cells]
        # One bends before the first low cell and gets up after the last one.
        count = len(bent)
        stoop = bent.copy()
        stoop[:-1] |= bent[1:]
        stoop[1:] |= bent[:-1]
        edges = [0, *(np.flatnonzero(np.diff(stoop)) + 1).tolist(), count]
        pieces: list[Piece] = []
        for first, after in pairwise(edges):
            low_part = bool(stoop[first])
            # A walk reaches into the first and last cell of the bends around it.
            wider = 0 if low_part else 1
            begin, last = max(first - wider, 0), min(after - 1 + wider, count - 1)
            part = _Ground(
                section.cells[begin : last + 1],
                section.actions[begin:last],
                section.begin if begin == 0 else points[begin],
                section.end if last == count - 1 else points[last],
                low if low_part else section.skill,
                (
                    section.blamed[0] if begin == 0 else None,
                    section.blamed[1] if last == count - 1 else None,
                ),
            )
            pieces.append(self._piece(part, Kind.BEND if low_part else Kind.WALK))
        return pieces

    def _piece(self, part: _Ground, kind: Kind) -> Piece:
        speed = self._speed if kind is Kind.WALK else part.skill.speed
        walkable = self._grid.walkable(part.skill)
        stretches = self._stretches(part, walkable)
        radius = self._grid.settings.rounding
        points = rounded(stretches, walkable, radius, self._point_prices)
        return Piece(kind, part.skill, points, speed)

    def _stretches(self, part: _Ground, walkable: Walkable) -> list[Floats]:
        """Straight lines on the ground, one after the other, from end to end."""
        points = self._grid.positions[part.cells]
        corners = self._corners(part)
        if len(corners) <= 2:
            whole = np.concatenate([[part.begin], points, [part.end]])
            direct = self._cheaper(walkable.line(straight(whole)), whole)
            if direct is not None:
                return [direct]
        first, opening = self._joint(part, points, corners, walkable, ahead=True)
        rest = [c for c in corners if c >= first]
        last, closing = self._joint(part, points, rest, walkable, ahead=False, least=first)
        inner = [c for c in corners if first < c < last]
        stretches = [opening]
        bounds = [first, *inner, last] if last > first else [first]
        lines = walkable.lines([straight(points[a : b + 1]) for a, b in pairwise(bounds)])
        for (a, b), line in zip(pairwise(bounds), lines, strict=True):
            line = line if b == a + 1 else self._cheaper(line, points[a : b + 1])
            stretches += [line] if line is not None else self._by_cells(part, a, b, walkable)
        return [*stretches, closing]

    def _corners(self, part: _Ground) -> list[int]:
        """Positions between which one sees straight ahead over cells, with both ends."""
        if len(part.cells) < 3:
            return sorted({0, len(part.cells) - 1})
        if self._grid.settings.smoothing == "junctions":
            steps = np.diff(self._grid.positions[part.cells][:, :2], axis=0).round(6)
            turns = np.flatnonzero((np.diff(steps, axis=0) != 0).any(axis=1)) + 1
            return [0, *turns.tolist(), len(part.cells) - 1]
        return self._grid.moves.corners(part.cells, part.actions, self._prices).tolist()

    def _joint(
        self,
        part: _Ground,
        points: Floats,
        corners: Sequence[int],
        walkable: Walkable,
        *,
        ahead: bool,
        least: int = 0,
    ) -> tuple[int, Floats]:
        """Which cell one goes to from the exact begin, or comes from to the exact end; and how."""
        count = len(points)
        exact = part.begin if ahead else part.end
        near = 0 if ahead else count - 1
        tried = {near, *(corners[1:3] if ahead else corners[-3:-1])}
        if part.blamed[0 if ahead else 1] is not None:
            # A jump ends a little off its cell, and its run-up begins well before.
            reach = range(0, min(_RANGE, count), _SPREAD)
            tried |= {i if ahead else count - 1 - i for i in reach}
        tried = {i for i in tried if i >= least}
        gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        left = gone[-1] - gone if ahead else gone
        away = np.linalg.norm(points - exact, axis=1)
        order = sorted(tried, key=lambda i: (away[i] + left[i], i))
        parts = [
            np.concatenate([[exact], points[: i + 1]])
            if ahead
            else np.concatenate([points[i:], [exact]])
            for i in order
        ]
        lines = walkable.lines([straight(one) for one in parts])
        for i, line, one in zip(order, lines, parts, strict=True):
            line = self._cheaper(line, one)
            if line is not None:
                return i, line
        move = part.blamed[0 if ahead else 1]
        if move is not None:
            raise Refuted([move])
        raise Refuted(cells=[int(part.cells[near])])

    def _by_cells(self, part: _Ground, first: int, last: int, walkable: Walkable) -> list[Floats]:
        """Stretches where the straight line is not free: as far as it goes, again and again."""
        points = self._grid.positions[part.cells]
        stretches: list[Floats] = []
        at = first
        while at < last:
            best, best_line = at, None
            jump = 1
            # Gallop ahead, then close in: the farthest end that a line reaches.
            while at + jump <= last:
                line = self._shortcut(points, at, at + jump, walkable)
                if line is None:
                    break
                best, best_line, jump = at + jump, line, jump * 2
            reach = min(at + jump, last + 1)
            while reach - best > 1:
                middle = (best + reach) // 2
                line = self._shortcut(points, at, middle, walkable)
                if line is None:
                    reach = middle
                else:
                    best, best_line = middle, line
            if best_line is None:
                self._refute(part, at, walkable)
            else:
                stretches.append(best_line)
            at = best
        return stretches

    def _shortcut(self, points: Floats, a: int, b: int, walkable: Walkable) -> Floats | None:
        part = points[a : b + 1]
        line = walkable.line(straight(part))
        return line if b == a + 1 else self._cheaper(line, part)

    def _cheaper(self, line: Floats | None, part: Floats) -> Floats | None:
        """A line that costs no more than the way it replaces."""
        if line is None or self._point_prices is None:
            return line
        if cost(line, self._point_prices) > cost(part, self._point_prices) + 1e-9:
            return None
        return line

    def _refute(self, part: _Ground, at: int, walkable: Walkable) -> None:
        """Blames the cells of a part where nobody can stand, or else a move."""
        shut = part.cells[~walkable.free(self._grid.positions[part.cells])]
        move = int(part.cells[at]), int(part.cells[at + 1])
        raise Refuted([] if np.isin(move, shut).any() else [move], shut.tolist())
