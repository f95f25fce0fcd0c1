"""On foot from cell to cell: straight lines that the exact queries agree to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.character import Capability
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.postures import Prices
from surefoot.planning.grid.smoothing import PointPrices, cost, straight
from surefoot.planning.grid.walkable import Walkable

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
class Walked:
    """Part of a path of cells, gone on foot in one capability.

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


@dataclass(frozen=True, eq=False)
class Line:
    """A straight line on the ground.

    Attributes:
        points: `(n, 3)` [m].
        step: whether there is no ground on part of it: a step over a gap.
    """

    points: Floats
    step: bool = False


class Footway:
    """Finds lines over cells.

    Args:
        grid: whose cells they are.
        points: `(n, 3)` [m] where one stands in the cells.
        prices: of the cells, as the search had them.
        point_prices: of points; None where they are the same everywhere.
        span: [m] how far a step over a gap reaches; 0 where one may not.
    """

    def __init__(
        self,
        grid: GridMap,
        points: Floats,
        prices: Prices,
        point_prices: PointPrices | None,
        span: float,
    ) -> None:
        self._grid, self._points, self._prices = grid, points, prices
        self._point_prices, self._span = point_prices, span

    def lines(self, part: Walked) -> list[Line]:
        """Lines one after the other, from end to end; raises `Refuted` where there are none."""
        walkable = self._grid.walkable(part.skill)
        points = self._points[part.cells]
        corners = self._corners(part)
        if len(corners) <= 2:
            whole = np.concatenate([[part.begin], points, [part.end]])
            direct = self._cheaper(walkable.line(straight(whole)), whole)
            if direct is not None:
                return [Line(direct)]
        first, opening = self._joint(part, points, corners, walkable, ahead=True)
        rest = [c for c in corners if c >= first]
        last, closing = self._joint(part, points, rest, walkable, ahead=False, least=first)
        found = [Line(opening)]
        bounds = [first, *(c for c in corners if first < c < last), last]
        pairs = [(a, b) for a, b in pairwise(bounds) if b > a]
        lines = walkable.lines([straight(points[a : b + 1]) for a, b in pairs])
        for (a, b), line in zip(pairs, lines, strict=True):
            good = line if b == a + 1 else self._cheaper(line, points[a : b + 1])
            found += [Line(good)] if good is not None else self._by_cells(part, a, b, walkable)
        return [*found, Line(closing)]

    def _corners(self, part: Walked) -> list[int]:
        """Positions between which one sees straight ahead over cells, with both ends."""
        if len(part.cells) < 3:
            return sorted({0, len(part.cells) - 1})
        if self._grid.settings.smoothing == "junctions":
            steps = np.diff(self._points[part.cells][:, :2], axis=0).round(6)
            turns = np.flatnonzero((np.diff(steps, axis=0) != 0).any(axis=1)) + 1
            return [0, *turns.tolist(), len(part.cells) - 1]
        return self._grid.moves.corners(part.cells, part.actions, self._prices).tolist()

    def _joint(
        self,
        part: Walked,
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
            good = self._cheaper(line, one)
            if good is not None:
                return i, good
        move = part.blamed[0 if ahead else 1]
        if move is not None:
            raise Refuted([move])
        raise Refuted(cells=[int(part.cells[near])])

    def _by_cells(self, part: Walked, first: int, last: int, walkable: Walkable) -> list[Line]:
        """Lines where the straight one is not free: as far as it goes, again and again."""
        points = self._points[part.cells]
        found: list[Line] = []
        at = first
        while at < last:
            best, line = self._farthest(points, at, last, walkable)
            if line is None:
                best, line = self._step(points, at, last, walkable)
                if line is None:
                    self._refute(part, at, walkable)
                    break
                found.append(Line(line, step=True))
            else:
                found.append(Line(line))
            at = best
        return found

    def _farthest(
        self, points: Floats, at: int, last: int, walkable: Walkable
    ) -> tuple[int, Floats | None]:
        """The farthest cell that a straight line leads to: gallop ahead, then close in."""
        best, best_line = at, None
        jump = 1
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
        return best, best_line

    def _shortcut(self, points: Floats, a: int, b: int, walkable: Walkable) -> Floats | None:
        part = points[a : b + 1]
        line = walkable.line(straight(part))
        return line if b == a + 1 else self._cheaper(line, part)

    def _step(
        self, points: Floats, at: int, last: int, walkable: Walkable
    ) -> tuple[int, Floats | None]:
        """A step over a gap too narrow for the cells to see."""
        reach = [
            i
            for i in range(at + 1, last + 1)
            if np.hypot(*(points[i] - points[at])[:2]) <= self._span
        ]
        ends = [np.stack([points[at], points[i]]) for i in reach]
        for i, line in zip(reach, walkable.lines(ends, gap=self._span), strict=True):
            if line is not None:
                return i, line
        return at, None

    def _cheaper(self, line: Floats | None, part: Floats) -> Floats | None:
        """A line that costs no more than the way it replaces."""
        if line is None or self._point_prices is None:
            return line
        if cost(line, self._point_prices) > cost(part, self._point_prices) + 1e-9:
            return None
        return line

    def _refute(self, part: Walked, at: int, walkable: Walkable) -> None:
        """Blames the cells of a part where nobody can stand, or else a move."""
        shut = part.cells[~walkable.free(self._points[part.cells])]
        move = int(part.cells[at]), int(part.cells[at + 1])
        raise Refuted([] if np.isin(move, shut).any() else [move], shut.tolist())
