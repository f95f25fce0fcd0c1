"""The footstep planner: every foot of a way, in time (beacco2013)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import atan2, nan

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import ProblemError
from surefoot.motion.library import Library
from surefoot.planning.assumptions import assume
from surefoot.planning.footsteps.assembly import segments_of
from surefoot.planning.footsteps.footpath import Footpath, state, staying
from surefoot.planning.footsteps.keeping import repertoire_of
from surefoot.planning.footsteps.search import Errand, Found, find
from surefoot.planning.footsteps.settings import FootstepSettings
from surefoot.planning.footsteps.terrain import Terrains
from surefoot.planning.footsteps.waypoints import Way, WayFinder
from surefoot.planning.frames import headings_to_world, to_world
from surefoot.planning.goals import Goal, leaves
from surefoot.planning.plan import Outcome, Plan, Status
from surefoot.planning.problem import Problem


@dataclass(frozen=True)
class Footsteps:
    """Finds the steps of least effort to a goal; see `FootstepSettings`.

    Attributes:
        settings: what it may do, and how hard it looks.
        library: whose steps it takes; the character's default library when not given.
    """

    settings: FootstepSettings = field(default_factory=FootstepSettings)
    library: Library | None = None

    name = "footsteps"

    def plan(
        self,
        problem: Problem,
        *,
        progress: Callable[[str, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Plan:
        """The steps that solve the problem, or why there are none and those as far as they go."""
        return _Run(problem, self, progress, cancel).plan()


class _Run:
    """One run of the planner."""

    def __init__(
        self,
        problem: Problem,
        planner: Footsteps,
        progress: Callable[[str, float], None] | None,
        cancel: Callable[[], bool] | None,
    ) -> None:
        self.problem, self.settings = problem, planner.settings
        self._progress = progress
        self._cancelled = cancel or (lambda: False)
        self._clock = time.perf_counter()
        self.statistics: dict[str, int | float] = {}
        if "walk" not in problem.skills:
            raise ProblemError("the footstep planner needs the capability 'walk'")
        self.goals = [goal for goal in leaves(problem.goal) if isinstance(goal, Goal)]
        if len(self.goals) != len(list(leaves(problem.goal))):
            raise ProblemError("the footstep planner goes to places, not to regions")
        # What the character may not do is no action either.
        modes = tuple(
            mode
            for mode in planner.settings.modes
            if mode not in ("jump", "crouch") or mode in problem.skills
        )
        settings = replace(planner.settings, modes=modes)
        self.repertoire = repertoire_of(problem.character, settings, planner.library)
        self._done("steps", 0.3)

    def plan(self) -> Plan:
        """The plan."""
        problem, now = self.problem, self.problem.start_time
        start = problem.world.position(problem.start, now)
        best: tuple[Found, Footpath, Goal] | None = None
        why = ""
        for goal in self._by_distance(start):
            if self._cancelled():
                return self._plan(None, Status(Outcome.CANCELLED, "cancelled before the search"))
            target = to_world(
                problem.world, goal.place.body, goal.place.position[None], np.array([now])
            )
            way = WayFinder(problem.world, problem.character, problem.capabilities).way(
                start, target[0]
            )
            self._done("way", 0.5)
            if way is None:
                why = f"no way over bodies at rest joins the start and {goal}"
                continue
            found, path = self._search(start, way, goal)
            self._done("search", 0.9)
            if best is None or (found.reached, -found.left) > (best[0].reached, -best[0].left):
                best = (found, path, goal)
            if found.reached:
                break
        if best is None:
            return self._plan(None, Status(Outcome.UNREACHABLE, why))
        found, path, goal = best
        return self._plan(path, self._status(found, path, goal))

    def _by_distance(self, start: Floats) -> list[Goal]:
        return sorted(
            self.goals, key=lambda goal: float(np.linalg.norm(goal.place.position - start))
        )

    def _search(self, start: Floats, way: Way, goal: Goal) -> tuple[Found, Footpath]:
        problem, now = self.problem, np.array([self.problem.start_time])
        first = way.points[0]
        facing = atan2(first[1] - start[1], first[0] - start[0])
        if problem.start_heading is not None:
            heading = np.array([problem.start_heading])
            facing = float(headings_to_world(problem.world, problem.start.body, heading, now)[0])
        wanted = nan
        if goal.heading is not None:
            heading = np.array([goal.heading])
            wanted = float(headings_to_world(problem.world, goal.place.body, heading, now)[0])
        terrains = Terrains(problem.world, self.settings)
        at = terrains.standing(self.repertoire, state(start, facing, problem.start_time))
        errand = Errand(
            repertoire=self.repertoire,
            state=at,
            action=self.repertoire.stand,
            way=way.tolled,
            rough=way.rough,
            tolerance=goal.tolerance,
            heading=wanted,
            heading_tolerance=goal.heading_tolerance,
            arrive=(goal.arrive[0], min(goal.arrive[1], problem.end_time)),
            horizon=self.settings.horizon,
            nodes=min(self.settings.nodes, problem.limits.nodes),
        )
        found = find(
            [errand],
            self.settings,
            terrain=terrains,
            doubts=terrains.doubts(problem.start_time),
        )[0]
        self.statistics |= {
            "nodes": found.expanded, "generated": found.generated, "refused": found.refused
        }  # fmt: skip
        ids, ends = found.ids, found.ends
        if len(ids) == 0:
            ids = np.array([self.repertoire.stand], dtype=np.int32)
            ends = staying(at)[None]
            ends[0, 4] += float(self.repertoire.durations[self.repertoire.stand])
        path = Footpath(self.repertoire, at, ids, ends, problem.world, found.reached)
        return found, path

    def _status(self, found: Found, path: Footpath, goal: Goal) -> Status:
        if found.reached:
            return Status(Outcome.REACHED, f"reaches {goal} at {path.end:.1f} s")
        if found.exhausted:
            return Status(
                Outcome.EXHAUSTED,
                f"stopped after {found.expanded} nodes on the way to {goal}; raise the settings'"
                " nodes, their weight, or limits.nodes",
            )
        if self.settings.horizon:
            return Status(
                Outcome.EXHAUSTED,
                f"{self.settings.horizon} steps do not lead to {goal}; raise the horizon",
            )
        return Status(
            Outcome.OUT_OF_TIME,
            f"no steps reach {goal} within the horizon of {self.problem.horizon:g} s",
        )

    def _plan(self, path: Footpath | None, status: Status) -> Plan:
        problem = self.problem
        segments = () if path is None else segments_of(path, problem)
        used = {segment.capability for segment in segments} | {"walk"}
        end = segments[-1].end if segments else problem.start_time
        self._done("plan", 1.0)
        return Plan(
            character=problem.character.name,
            capabilities={name: problem.skills[name] for name in problem.skills if name in used},
            origin=problem.start,
            start=problem.start_time,
            goal=problem.goal,
            segments=segments,
            status=status,
            footsteps=() if path is None else path.footsteps,
            cost=sum(segment.cost for segment in segments),
            statistics=self.statistics,
            assumes=assume(problem.world, problem.start_time, end),
            planner="footsteps",
        )

    def _done(self, stage: str, share: float) -> None:
        now = time.perf_counter()
        name = f"{stage} milliseconds"
        self.statistics[name] = round(self.statistics.get(name, 0.0) + (now - self._clock) * 1e3, 2)
        self._clock = now
        if self._progress is not None:
            self._progress(stage, share)
