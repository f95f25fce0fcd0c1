"""One run of the grid planner: cells, search, times, plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import ProblemError
from surefoot.planning.assumptions import assume
from surefoot.planning.goals import Goal, leaves
from surefoot.planning.grid.assembly import Assembly
from surefoot.planning.grid.errands import Errand, Leaf, best_order, errands
from surefoot.planning.grid.fields import Fields
from surefoot.planning.grid.keeping import map_of
from surefoot.planning.grid.legs import Leg, Legs
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.rerouting import Rerouter
from surefoot.planning.grid.settings import GridSettings
from surefoot.planning.grid.timing import Scheduler
from surefoot.planning.grid.verdict import Verdicts
from surefoot.planning.plan import Plan, Status
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Segment
from surefoot.planning.statistics import Account
from surefoot.world import Place


def kept_map(problem: Problem, settings: GridSettings) -> GridMap:
    """The map of a problem's world."""
    if problem.limits.memory < settings.memory:
        settings = replace(settings, memory=problem.limits.memory)
    return map_of(problem.world, problem.character, settings, problem.capabilities)


class Run:
    """One run of the planner; keeps what the steps share.

    Args:
        problem: what is asked.
        settings: of the planner.
        progress: told the stage and how much is done, 0 to 1.
        cancel: asked now and then.
    """

    def __init__(
        self,
        problem: Problem,
        settings: GridSettings,
        progress: Callable[[str, float], None] | None,
        cancel: Callable[[], bool] | None,
    ) -> None:
        self.problem, self.settings = problem, settings
        self._account = account = Account(progress)
        self._cancelled = cancel or (lambda: False)
        self._refuse_what_it_cannot_do()
        self.grid = kept_map(problem, settings)
        walk = self.grid.actions.walk
        self.speed = min(settings.speed or walk.speed, walk.max_speed)
        self.assembly = Assembly(problem, walk)
        self.verdicts = Verdicts(problem, self.grid)
        self.legs = Legs(problem, self.grid, self.speed, self._cancelled, account.count)
        account.count("cells", self.grid.cells.voxels.count)
        account.stage("ground", 0.4)

    def plan(self, old: Plan | None = None) -> Plan:
        """The plan; `old` is one whose sound parts are to be kept."""
        problem, legs = self.problem, self.legs
        at = problem.world.position(problem.start, problem.start_time)
        stops = self._stops(at)
        self._account.stage("order", 0.5)
        segments: list[Segment] = []
        facing, now = self.assembly.facing(), problem.start_time
        status = self.verdicts.reached(now)
        for options in stops:
            leg = None
            if old is not None and len(stops) == 1:
                rerouter = Rerouter(problem, self.grid, legs, self.speed, self._account.count)
                leg = rerouter.leg(old, at, options)
            leg = leg or legs.find(at, options)
            self._account.stage("search", 0.8)
            self._account.count("metres", round(leg.way.length, 3))
            status = self._go(leg, options, segments, facing, now)
            self._account.stage("timing", 1.0)
            if not status:
                break
            if segments:
                at, now = segments[-1].positions[-1], segments[-1].end
                facing = float(segments[-1].headings[-1])
        return self._plan(segments, status)

    def _refuse_what_it_cannot_do(self) -> None:
        world = self.problem.world
        riding = [("start", self.problem.start.body)]
        for leaf in leaves(self.problem.goal):
            bodies = (leaf.place.body,) if isinstance(leaf, Goal) else leaf.bodies(world)
            # Of all with a tag one that rests is enough.
            if all(body is not None and world[body].trajectory.moving for body in bodies):
                riding.append(("goal", bodies[0]))
        for what, body in riding:
            if body is not None and world[body].trajectory.moving:
                raise ProblemError(
                    f"the {what} rides on {body!r}, which moves; the grid planner walks only on"
                    " bodies that stay where they are"
                )

    # --- which goals, and in which order ---------------------------------------------------------

    def _stops(self, start: Floats) -> list[tuple[Leaf, ...]]:
        """What to visit one after the other, each at any one of some places."""
        each = errands(self.problem.goal)
        if len(each) == 1 and len(each[0].tasks) == 1:
            return [each[0].tasks[0]]
        best: tuple[float, list[Leaf]] = inf, []
        for narrow in (False, True):
            fields = Fields(self.legs, self.grid, start, narrow=narrow)
            for errand in each:
                found = best_order(errand, fields.cost)
                if not best[1] or found[0] < best[0]:
                    best = found[0], self._whole(errand, found[1])
            if best[0] < inf or self.settings.borders == "closed":
                break
        return [(leaf,) for leaf in best[1]]

    @staticmethod
    def _whole(errand: Errand, order: list[Leaf]) -> list[Leaf]:
        """An order with what cannot be got to at its end, so that the plan says so."""
        left = [task for task in errand.tasks if not any(leaf in order for leaf in task)]
        return order + [task[0] for task in left]

    # --- times -----------------------------------------------------------------------------------

    def _go(
        self,
        leg: Leg,
        options: tuple[Leaf, ...],
        segments: list[Segment],
        facing: float | None,
        now: float,
    ) -> Status:
        """Adds a leg's segments: turn, go and wait on the way, do what the goal asks."""
        end = self.problem.end_time
        if leg.way.pieces:
            first = self.assembly.first_turn(leg.way, facing, now)
            if first is not None:
                segments.append(first)
                now = first.end
            world, moving = self.problem.world, self.grid.cells.moving
            scheduler = Scheduler(world, moving, leg.way, self.settings.wait_step)
            schedule = scheduler.schedule(now, end, self._stay(leg))
            self._account.count("sweeps", scheduler.sweeps)
            segments += self.assembly.parts(leg.way, schedule)
            if leg.goal is not None and schedule.blocked is not None:
                return self.verdicts.out_of_time(schedule.blocked)
        if leg.goal is None:
            return self.verdicts.failed(leg, options)
        last = segments[-1] if segments else None
        heading = facing or 0.0 if last is None else float(last.headings[-1])
        now = now if last is None else last.end
        segments += self.assembly.arrival(leg.goal, leg.end, heading, now)
        now = segments[-1].end if segments else now
        if now > min(leg.goal.arrive[1], end):
            return self.verdicts.out_of_time(None)
        return self.verdicts.reached(now)

    def _stay(self, leg: Leg) -> Callable[[float], float]:
        """Until when one stands where a leg ends, by the time of coming there [s]."""
        heading = float(leg.way.line.headings(np.array([leg.way.length]))[0])

        def until(t: float) -> float:
            if leg.goal is None:
                return t
            there = self.assembly.arrival(leg.goal, leg.end, heading, t)
            return there[-1].end if there else t

        return until

    def _plan(self, segments: list[Segment], status: Status) -> Plan:
        problem = self.problem
        end = segments[-1].end if segments else problem.start_time
        skills = self.grid.actions
        used = {segment.capability for segment in segments} | {skills.walk.name}
        return Plan(
            character=problem.character.name,
            capabilities={name: problem.skills[name] for name in problem.skills if name in used},
            origin=self._origin(segments),
            start=problem.start_time,
            goal=problem.goal,
            segments=tuple(segments),
            status=status,
            cost=sum(segment.cost for segment in segments),
            statistics=self._account.statistics,
            assumes=assume(problem.world, problem.start_time, end, segments=segments),
            planner="grid",
        )

    def _origin(self, segments: list[Segment]) -> Place:
        """The start, on the ground: one that was given a little above or below is meant so."""
        start, now, world = self.problem.start, self.problem.start_time, self.problem.world
        if not segments:
            return start
        on_ground, given = segments[0].positions[0], world.position(start, now)
        if np.linalg.norm(on_ground - given) < 1e-3:
            return start
        return world.attach(on_ground, start.body, now)
