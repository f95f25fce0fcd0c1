"""One leg: the way from where one stands to a goal, agreed to by the exact queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import ProblemError
from surefoot.planning.goals import Goal
from surefoot.planning.grid.errands import Leaf
from surefoot.planning.grid.footway import Refuted
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.paths import CellPath, Ends
from surefoot.planning.grid.postures import Prices
from surefoot.planning.grid.prices import MetrePrices
from surefoot.planning.grid.realise import Realiser
from surefoot.planning.grid.targets import ends_of, reached
from surefoot.planning.grid.way import Way
from surefoot.planning.plan import Outcome
from surefoot.planning.problem import Problem
from surefoot.world import Place


@dataclass(frozen=True, eq=False)
class Leg:
    """The way to a goal, or as near to it as there is one.

    Attributes:
        start: `(3,)` [m] where it begins.
        way: from the start on; nothing where one stays.
        end: `(3,)` [m] where it ends.
        goal: which of the goals it reaches; None for none.
        outcome: how the search ended.
        free: whether anybody can stand at any of the goals at all.
        narrow: whether it goes through border cells, for lack of another way.
        goals: the cells that were looked for.
        refused: whether the exact queries had the last word.
    """

    start: Floats
    way: Way
    end: Floats
    goal: Leaf | None
    outcome: Outcome
    free: bool
    narrow: bool
    goals: Ends
    refused: bool = False


@dataclass(frozen=True, eq=False)
class Found:
    """What a search has found.

    Attributes:
        way: from one of the starts on.
        path: its cells; none where the exact queries refused too often.
        outcome: how the search ended.
    """

    way: Way
    path: CellPath
    outcome: Outcome

    @property
    def reached(self) -> bool:
        """Whether the way ends at one of the goals."""
        return self.outcome is Outcome.REACHED


class Legs:
    """Finds legs of one problem.

    Args:
        problem: whose world, cost and limits count.
        grid: the map of its world.
        speed: [m/s] of walking.
        cancelled: asked now and then.
        count: told what was done.
    """

    def __init__(
        self,
        problem: Problem,
        grid: GridMap,
        speed: float,
        cancelled: Callable[[], bool],
        count: Callable[[str, int], None],
    ) -> None:
        self._problem, self._grid, self._speed = problem, grid, speed
        self._cancelled, self._count = cancelled, count
        self.metres = MetrePrices(problem, grid, speed)
        self._prices: dict[bool, Prices] = {}
        self._left = problem.limits.nodes

    def prices(self, *, narrow: bool = False) -> Prices:
        """What a metre costs in each cell."""
        if narrow not in self._prices:
            self._prices[narrow] = self.metres.cells(self._grid.postures(narrow=narrow))
        return self._prices[narrow]

    def starts(self, point: Floats, *, narrow: bool) -> Ends:
        """The cells that one gets to from a point `(3,)` [m]."""
        points = self._grid.postures(narrow=narrow).points
        return self._grid.near(point, self.prices(narrow=narrow), points)

    def goals(self, leaves: Sequence[Leaf], *, narrow: bool) -> Ends:
        """The cells where one has reached any of some places and regions."""
        grid, world, now = self._grid, self._problem.world, self._problem.start_time
        prices, points = self.prices(narrow=narrow), grid.postures(narrow=narrow).points
        return Ends.joined([ends_of(leaf, grid, world, now, prices, points) for leaf in leaves])

    def find(self, start: Floats, leaves: Sequence[Leaf]) -> Leg:
        """The way from a point to the best of some places and regions."""
        resorts = (False, True) if self._grid.settings.borders == "last resort" else (False,)
        best: Leg | None = None
        free = False
        for narrow in resorts:
            starts = self.starts(start, narrow=narrow)
            if len(starts) == 0:
                continue
            goals = self.goals(leaves, narrow=narrow)
            free |= len(goals) > 0
            found = self.between(starts, goals, narrow=narrow, aims=leaves)
            leg = self._leg(start, found, goals, leaves, narrow)
            if leg.goal is not None or self._cancelled() or self._left <= 0:
                return leg
            if best is None or self._away(leg.end, leaves) < self._away(best.end, leaves) - 1e-9:
                best = leg
        if best is None:
            raise ProblemError(self._astray(start))
        return replace(best, free=free)

    def _leg(
        self, start: Floats, found: Found, goals: Ends, leaves: Sequence[Leaf], narrow: bool
    ) -> Leg:
        last = found.way.line.points[-1] if found.way.pieces else start
        goal = self._goal_at(last, leaves) if found.reached else None
        refused = len(found.path.cells) == 0 and self._left > 0
        return Leg(start, found.way, last, goal, found.outcome, True, narrow, goals, refused)

    def between(
        self, starts: Ends, goals: Ends, *, narrow: bool, aims: Sequence[Leaf] = ()
    ) -> Found:
        """Searches until the exact queries agree, each time without what they have refused.

        Args:
            starts: where the way may begin.
            goals: where it may end.
            narrow: whether border cells are open.
            aims: what to come near to where there are no goals.
        """
        grid, prices = self._grid, self.prices(narrow=narrow)
        postures = grid.postures(narrow=narrow)
        banned: list[tuple[int, int]] = []
        for _ in range(grid.settings.tries):
            targets = goals if len(goals) else self._nearest(aims, prices, postures.points)
            if len(starts) == 0 or len(targets) == 0 or self._left <= 0:
                break
            most = self._problem.limits.nodes
            path = grid.search(starts, targets, prices, banned, limit=self._left, front_limit=most)
            self._left -= path.expanded
            self._count("nodes_expanded", path.expanded)
            self._count("searches", 1)
            arrived = path.reached and len(goals) > 0
            realiser = Realiser(grid, postures, prices, self.metres.points, self._speed)
            start = starts.points[starts.at(int(path.cells[0]))]
            end = goals.points[goals.at(int(path.cells[-1]))] if arrived else None
            try:
                return Found(realiser.way(path, start, end), path, self._ended(path, arrived))
            except Refuted as refused:
                self._count("moves_refused", len(refused.moves) + len(refused.cells))
                banned += refused.moves
                prices = prices.copy()
                prices[refused.cells] = np.inf
                starts, goals = starts.without(refused.cells), goals.without(refused.cells)
        return Found(Way([]), CellPath.nowhere(), Outcome.EXHAUSTED)

    def _ended(self, path: CellPath, reached: bool) -> Outcome:
        if reached:
            return Outcome.REACHED
        if self._cancelled():
            return Outcome.CANCELLED
        return Outcome.EXHAUSTED if path.exhausted else Outcome.UNREACHABLE

    def _nearest(self, leaves: Sequence[Leaf], prices: Prices, points: Floats) -> Ends:
        """The open cells nearest to goals that nobody can stand at."""
        open_ = np.flatnonzero(np.isfinite(prices))
        cells: list[int] = []
        for point in self._points(leaves):
            away = np.linalg.norm(points[open_] - point, axis=1)
            cells += [int(open_[np.argmin(away)])] if len(open_) else []
        found = np.array(cells, dtype=np.int32)
        return Ends.standing(found, points[found])

    def _points(self, leaves: Sequence[Leaf]) -> list[Floats]:
        """A point for each goal."""
        world, now = self._problem.world, self._problem.start_time
        points: list[Floats] = []
        for leaf in leaves:
            if isinstance(leaf, Goal):
                points.append(world.position(leaf.place, now))
                continue
            for body in leaf.bodies(world):
                bounds = np.zeros((2, 3)) if body is None else world[body].mesh.bounds
                low = np.where(np.isfinite(leaf.low), leaf.low, bounds[0])
                high = np.where(np.isfinite(leaf.high), leaf.high, bounds[1])
                points.append(world.position(Place(body, (low + high) / 2), now))
        return points

    def _away(self, end: Floats, leaves: Sequence[Leaf]) -> float:
        """[m] from a point to the nearest goal."""
        return min(float(np.linalg.norm(point - end)) for point in self._points(leaves))

    def _goal_at(self, point: Floats, leaves: Sequence[Leaf]) -> Leaf:
        """Which of the goals a point is at."""
        world, now = self._problem.world, self._problem.start_time
        there = (leaf for leaf in leaves if reached(leaf, world, point[None], now)[0])
        return next(there, leaves[0])

    def _astray(self, start: Floats) -> str:
        """Why there is no way from a start, and from where there would be."""
        where = f"({start[0]:.2f}, {start[1]:.2f}, {start[2]:.2f})"
        name = self._grid.actions.walk.name
        prices = self.prices(narrow=self._grid.settings.borders == "last resort")
        open_ = np.flatnonzero(np.isfinite(prices))
        if len(open_) == 0:
            skill = self._grid.actions.walk
            return (
                f"nowhere to stand: no surface of this world has room for {name!r}"
                f" (radius {skill.radius:g} m, height {skill.height:g} m)"
            )
        points = self._grid.positions[open_]
        x, y, z = points[np.argmin(np.linalg.norm(points - start, axis=1))]
        return (
            f"the start {where} is not next to ground that {name!r} can walk; the nearest is"
            f" ({x:.2f}, {y:.2f}, {z:.2f})"
        )
