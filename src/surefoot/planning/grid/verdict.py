"""How a plan ended, in a sentence: why not, and what to try."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning import wording
from surefoot.planning.goals import AnyGoal
from surefoot.planning.grid.errands import Leaf
from surefoot.planning.grid.legs import Leg
from surefoot.planning.grid.map import GridMap
from surefoot.planning.plan import Outcome, Status
from surefoot.planning.problem import Problem
from surefoot.world import Contact


class Verdicts:
    """Says how plans of one problem ended.

    Args:
        problem: what was asked.
        grid: the map it was looked for in.
    """

    def __init__(self, problem: Problem, grid: GridMap) -> None:
        self._problem, self._grid = problem, grid

    def reached(self, t: float) -> Status:
        """All is done at `t` [s]."""
        return Status(Outcome.REACHED, f"reaches {self._goal(self._problem.goal, t)} at {t:.2f} s")

    def out_of_time(self, blocked: Contact | None) -> Status:
        """It takes too long, or something is in the way for too long."""
        body = blocked.body if blocked is not None else ""
        what = f"{body!r} does not let it pass" if body else "the way takes longer"
        return Status(
            Outcome.OUT_OF_TIME,
            f"{self._goal(self._problem.goal)} is not reached in time (horizon"
            f" {self._problem.horizon:g} s): {what}; try a longer horizon or a later arrival",
        )

    def failed(self, leg: Leg, options: Sequence[Leaf]) -> Status:
        """There is no way, or none was found."""
        goal = " or ".join(map(self._goal, options))
        if leg.outcome is Outcome.CANCELLED:
            return Status(leg.outcome, "cancelled; the way found so far is kept")
        if leg.outcome is Outcome.EXHAUSTED:
            return Status(leg.outcome, self._exhausted(leg))
        if not leg.free:
            x, y, z = leg.end
            return Status(
                leg.outcome,
                f"nobody can stand at {goal}: there is no room or no ground; the plan goes to the"
                f" nearest place that can be reached, ({x:.2f}, {y:.2f}, {z:.2f})",
            )
        actions = dict.fromkeys(action.name for action in self._grid.actions.each)
        walk = self._grid.actions.walk
        return Status(
            leg.outcome,
            f"no way over bodies at rest joins the start and {goal}{self._regions(leg)}; the plan"
            f" goes as near as it can ({', '.join(actions)}; steps of {walk.step_height:.2f} m,"
            f" a body of radius {walk.radius:.2f} m)",
        )

    def _goal(self, goal: AnyGoal, t: float | None = None) -> str:
        """A goal in the coordinates of the world, at the start when no time [s] is given."""
        t = self._problem.start_time if t is None else t
        return wording.goal(goal, self._problem.world, t)

    def _exhausted(self, leg: Leg) -> str:
        if leg.refused:
            return (
                f"the exact queries refused the way {self._grid.settings.tries} times; try smaller"
                " cells or more tries"
            )
        return f"stopped after {self._problem.limits.nodes} cells; raise limits.nodes"

    def _regions(self, leg: Leg) -> str:
        """How large the regions are that are not joined."""
        regions = self._grid.regions
        here = self._region(leg.start, regions)
        there = {int(regions[cell]) for cell in leg.goals.cells} - {-1, here}
        if here < 0 or not there:
            return ""
        area = self._grid.cell**2
        sizes = np.bincount(regions[regions >= 0])
        other = max(there, key=lambda region: int(sizes[region]))
        return (
            f": they are in regions of {sizes[here] * area:.1f} and"
            f" {sizes[other] * area:.1f} m^2 that nothing connects"
        )

    def _region(self, point: Floats, regions: np.ndarray) -> int:
        near = self._grid.cells.around(point, 1, self._grid.actions.walk.step_height)
        inside = [int(region) for region in regions[near] if region >= 0]
        return inside[0] if inside else -1
