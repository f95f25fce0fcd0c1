"""The topological planner: through a world that it has only watched.

It knows no future. Shown a world frame by frame, it learns which surfaces connect and how often,
goes where it can, and plans anew when surprised; the plan is what it did (lopez2012).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from surefoot.errors import ProblemError
from surefoot.planning.goals import Goal
from surefoot.planning.plan import Outcome, Plan, Status
from surefoot.planning.problem import Problem
from surefoot.planning.topology.atlas import Atlas
from surefoot.planning.topology.settings import TopologySettings
from surefoot.planning.topology.traveller import Traveller
from surefoot.world.live import Played, Watching


@dataclass(frozen=True)
class Topology:
    """Finds its way in worlds whose future nobody knows; see `TopologySettings`."""

    settings: TopologySettings = field(default_factory=TopologySettings)

    name = "topology"

    def __post_init__(self) -> None:
        given: Any = self.settings
        if not isinstance(given, TopologySettings):
            raise ProblemError(
                f"the topological planner takes TopologySettings(...), got {given!r}"
            )

    def plan(
        self,
        problem: Problem,
        *,
        progress: Callable[[str, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Plan:
        """What somebody does in the world who has watched it, and never sees ahead.

        The world is shown frame by frame from `settings.watch` seconds before the start on.
        """
        if not isinstance(problem.goal, Goal):
            raise ProblemError(f"the topology planner goes to a place, not to {problem.goal}")
        settings = self.settings
        shown = Played(
            problem.world,
            start=problem.start_time - settings.watch,
            watching=Watching(ahead=settings.ahead),
        )
        atlas = Atlas(shown.world, problem.skills, settings)
        frames = max(1, round(settings.watch * settings.rate))
        for i in range(frames):
            atlas.update(shown.time)
            shown.step(1.0 / settings.rate)
            if progress is not None and i % 60 == 0:
                progress("watching", 0.5 * i / frames)
            if cancel is not None and i % 30 == 0 and cancel():
                return _stopped(problem, "watching")
        atlas.update(shown.time)
        traveller = Traveller(
            atlas, problem.character, problem.start, problem.goal,
            heading=problem.start_heading or 0.0,
        )  # fmt: skip
        end = problem.end_time
        while not traveller.done and shown.time + 1.0 / settings.rate <= end:
            shown.step(1.0 / settings.rate)
            atlas.update(shown.time)
            traveller.step(shown.time)
            if progress is not None:
                done = (shown.time - problem.start_time) / problem.horizon
                progress("going", 0.5 + 0.5 * done)
            if cancel is not None and cancel():
                break
        plan = traveller.plan(problem.world)
        if cancel is not None and not plan and cancel():
            return replace(plan, status=Status(Outcome.CANCELLED, "stopped on the way"))
        return plan


def _stopped(problem: Problem, doing: str) -> Plan:
    return Plan(
        character=problem.character.name, capabilities=problem.skills, origin=problem.start,
        start=problem.start_time, goal=problem.goal, segments=(),
        status=Status(Outcome.CANCELLED, f"stopped while {doing}"), planner="topology",
    )  # fmt: skip
