"""The grid planner: any mesh, as it is at rest, past what moves by waiting (bandi2000).

The search sees the bodies that never move, cut into cells. The exact queries agree to every piece
of the way that it finds, or it searches again without what they refuse. Along the way, times are
fitted to the bodies that do move: where one comes in the way, the plan waits before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from surefoot.errors import ProblemError
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.repair import repaired
from surefoot.planning.grid.run import Run, kept_map
from surefoot.planning.grid.settings import GridSettings
from surefoot.planning.plan import Plan
from surefoot.planning.problem import Problem


@dataclass(frozen=True)
class Grid:
    """Finds a way over surface cells; see `GridSettings`."""

    settings: GridSettings = field(default_factory=GridSettings)

    name = "grid"

    def __post_init__(self) -> None:
        given: Any = self.settings
        if not isinstance(given, GridSettings):
            raise ProblemError(f"the grid planner takes GridSettings(...), got {given!r}")

    def plan(
        self,
        problem: Problem,
        *,
        progress: Callable[[str, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Plan:
        """The way that solves the problem, or why there is none and the way as far as it goes."""
        return Run(problem, self.settings, progress, cancel).plan()

    def repair(
        self,
        plan: Plan,
        problem: Problem,
        t: float,
        *,
        progress: Callable[[str, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Plan:
        """A plan that goes on from where an old one is at `t`, in the world as it is now (8.3).

        What is sound of the old way is kept: it is left before the first break and joined again
        behind the last one, or, for a goal that has moved, left where the new end is best joined.

        Args:
            plan: the old one.
            problem: with the world as it is now, and the goal; its start does not matter.
            t: now [s]. In a jump the new plan begins where the jump ends.
            progress: told the stage and how much is done, 0 to 1.
            cancel: asked now and then.

        Returns:
            a plan from `t` on. Where something now covers the person it begins by stepping out to
            the nearest free place, through what is there: `check` says so of that first segment.
        """
        return repaired(plan, problem, t, self.settings, progress, cancel)

    def map(self, problem: Problem) -> GridMap:
        """The map that plans of a problem are made with; kept as long as its world."""
        return kept_map(problem, self.settings)
