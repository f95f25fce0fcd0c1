"""The choice of a planner where the caller makes none.

The rule: the grid planner, which is cheap and needs no training; where it does not reach the goal
and a body moves whose future is known, the space-time planner. The grid planner waits for what
crosses its way, so it fails where the way itself must be timed: where only a moving body leads to
the goal, or what is in the way never leaves it for long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from surefoot.errors import InputError, ProblemError
from surefoot.planning.grid import Grid, GridSettings
from surefoot.planning.plan import Outcome, Plan
from surefoot.planning.problem import Problem
from surefoot.planning.spacetime import SpaceTime


@dataclass(frozen=True)
class Automatic:
    """Plans with the grid planner, and with the space-time planner where that does not reach.

    `plan.planner` names the one that made the plan, `plan.choice` says why.

    Attributes:
        settings: of the grid planner.
    """

    settings: GridSettings = field(default_factory=GridSettings)

    name = "automatic"

    def __post_init__(self) -> None:
        given: Any = self.settings
        if not isinstance(given, GridSettings):
            raise ProblemError(f"the automatic planner takes GridSettings(...), got {given!r}")

    def plan(
        self,
        problem: Problem,
        *,
        progress: Callable[[str, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Plan:
        """The plan of the planner that is chosen; see `Planner.plan`."""
        is_timed = any(_is_moving_as_known(problem, name) for name in problem.world.bodies)
        try:
            plan = Grid(self.settings).plan(problem, progress=progress, cancel=cancel)
        except ProblemError as reason:
            # Such as a start or a goal on something that moves.
            if not is_timed:
                raise
            timed = SpaceTime().plan(problem, progress=progress, cancel=cancel)
            return replace(timed, choice=f"the grid planner refuses: {reason}")
        if plan:
            return replace(plan, choice="the grid planner reaches the goal")
        # What comes after the reason is about the grid planner's own plan.
        reason, *_ = plan.status.message.split(";")
        why = f"the grid planner does not reach the goal: {reason}"
        if plan.status.outcome is Outcome.CANCELLED:
            return replace(plan, choice=why)
        if not is_timed:
            return replace(plan, choice=f"{why}; nothing moves whose future is known")
        try:
            timed = SpaceTime().plan(problem, progress=progress, cancel=cancel)
        except InputError as reason:
            # Such as a goal or a character that the space-time planner does not take.
            return replace(plan, choice=f"{why}; the space-time planner refuses: {reason}")
        return replace(timed, choice=why)


def _is_moving_as_known(problem: Problem, name: str) -> bool:
    trajectory = problem.world[name].trajectory
    return trajectory.moving and trajectory.horizon > problem.start_time
