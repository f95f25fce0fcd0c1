"""The footstep planner: every foot of a way, in time (beacco2013)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import atan2, nan

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import ProblemError
from surefoot.motion.library import Library
from surefoot.planning import wording
from surefoot.planning.assumptions import assume
from surefoot.planning.footsteps.assembly import segments_of
from surefoot.planning.footsteps.footpath import (
    END,
    STATE,
    Footpath,
    carrier,
    carrier_id,
    state,
    staying,
)
from surefoot.planning.footsteps.keeping import repertoire_of
from surefoot.planning.footsteps.legs import SET_OUT, WAITING, Leg, facing_at
from surefoot.planning.footsteps.search import Errand, Found, find
from surefoot.planning.footsteps.settings import FootstepSettings
from surefoot.planning.footsteps.terrain import Terrains
from surefoot.planning.footsteps.ways import Ways
from surefoot.planning.frames import headings_to_world, to_frame, to_world
from surefoot.planning.goals import Goal, leaves
from surefoot.planning.plan import Outcome, Plan, Status
from surefoot.planning.problem import Problem
from surefoot.planning.statistics import Account


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
        self._account = Account(progress)
        self._cancelled = cancel or (lambda: False)
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
        self._account.stage("steps", 0.3)

    def plan(self) -> Plan:
        """The plan."""
        problem = self.problem
        terrains = Terrains(problem.world, self.settings)
        best: tuple[Found, Footpath, Goal] | None = None
        why = ""
        for goal in self._by_distance():
            if self._cancelled():
                return self._plan(None, Status(Outcome.CANCELLED, "cancelled before the search"))
            walked = self._walked(terrains, goal)
            self._account.stage("search", 0.9)
            if walked is None:
                why = (
                    f"no way joins the start and {self._said(goal)}, over bodies at rest or over"
                    " those whose motion is known"
                )
                continue
            found, path = walked
            if best is None or (found.reached, -found.left) > (best[0].reached, -best[0].left):
                best = (found, path, goal)
            if found.reached:
                break
        if best is None:
            return self._plan(None, Status(Outcome.UNREACHABLE, why))
        found, path, goal = best
        return self._plan(path, self._status(found, path, goal))

    def _by_distance(self) -> list[Goal]:
        world, now = self.problem.world, self.problem.start_time
        start = world.position(self.problem.start, now)
        return sorted(
            self.goals,
            key=lambda goal: float(np.linalg.norm(world.position(goal.place, now) - start)),
        )

    def _walked(self, terrains: Terrains, goal: Goal) -> tuple[Found, Footpath] | None:
        """Leg after leg to a goal: where something is waited for, one ends."""
        problem, own = self.problem, self.repertoire
        ways = Ways(problem.world, self.settings, problem.capabilities)
        at = self._start(terrains, ways, goal)
        if at is None:
            return None
        first, ids, ends = at, [np.zeros(0, np.int32)], [np.zeros((0, len(END)))]
        action, nodes = own.stand, 0
        while True:
            leg = ways.way(0, problem.character, at, goal)
            self._account.stage("route", 0.5)
            if leg is None:
                return None
            found = self._search(terrains, at, action, leg, goal, nodes)
            nodes += found.expanded
            ids.append(found.ids)
            ends.append(found.ends)
            if leg.final or not found.reached or len(found.ids) == 0:
                break
            action, at = int(found.ids[-1]), found.ends[-1, : len(STATE)]
        if sum(len(part) for part in ids) == 0:
            ids, ends = [np.array([own.stand], dtype=np.int32)], [staying(first)[None]]
            ends[0][0, 4] += float(own.durations[own.stand])
        reached = found.reached and leg.final
        path = Footpath(
            own, first, np.concatenate(ids), np.concatenate(ends), problem.world, reached
        )
        return replace(found, reached=reached), path

    def _start(self, terrains: Terrains, ways: Ways, goal: Goal) -> Floats | None:
        """Where it stands at first, on what carries it; None where there is no way from there."""
        problem, world = self.problem, self.problem.world
        now = np.array([problem.start_time])
        start = world.position(problem.start, problem.start_time)
        body = carrier_id(world, problem.start.body)
        place = problem.start.position if body >= 0 else start
        facing = problem.start_heading
        if facing is not None and body < 0:
            facing = float(headings_to_world(world, problem.start.body, np.array([facing]), now)[0])
        at = state(place, facing or 0.0, problem.start_time, body=body)
        if facing is None:
            leg = ways.way(0, problem.character, at, goal)
            if leg is None:
                return None
            # Towards the first point: in its frame, seen from the start's.
            frame = carrier(world, body)
            ahead = to_world(world, carrier(world, leg.way[0, 4]), leg.way[:1, :3], now)
            there = to_frame(world, frame, ahead, now)[0]
            at[3] = atan2(there[1] - place[1], there[0] - place[0])
        return terrains.standing(self.repertoire, at)

    def _search(
        self, terrains: Terrains, at: Floats, action: int, leg: Leg, goal: Goal, spent: int
    ) -> Found:
        problem = self.problem
        latest = problem.end_time
        if leg.until is None:
            arrive = (goal.arrive[0], min(goal.arrive[1], latest))
        else:
            arrive = (leg.until - SET_OUT, latest)
        errand = Errand(
            repertoire=self.repertoire,
            state=at,
            action=action,
            way=leg.way,
            rough=leg.rough,
            tolerance=goal.tolerance if leg.final else WAITING,
            heading=facing_at(problem.world, goal, problem.start_time) if leg.final else nan,
            heading_tolerance=goal.heading_tolerance,
            arrive=arrive,
            horizon=self.settings.horizon,
            nodes=max(min(self.settings.nodes, problem.limits.nodes) - spent, 1),
        )
        found = find(
            [errand],
            self.settings,
            terrain=terrains,
            doubts=terrains.doubts(problem.start_time),
        )[0]
        for name, count in (
            ("nodes_expanded", found.expanded),
            ("steps_generated", found.generated),
            ("steps_refused", found.refused),
        ):
            self._account.count(name, count)
        return found

    def _status(self, found: Found, path: Footpath, goal: Goal) -> Status:
        if found.reached:
            return Status(
                Outcome.REACHED, f"reaches {self._said(goal, path.end)} at {path.end:.2f} s"
            )
        if found.exhausted:
            return Status(
                Outcome.EXHAUSTED,
                f"stopped after {found.expanded:,} nodes on the way to {self._said(goal)}; raise"
                " the settings' nodes, their weight, or limits.nodes",
            )
        if self.settings.horizon:
            return Status(
                Outcome.EXHAUSTED,
                f"{self.settings.horizon} steps do not lead to {self._said(goal)}; raise the"
                " settings' horizon",
            )
        return Status(
            Outcome.OUT_OF_TIME,
            f"no steps reach {self._said(goal)} within the horizon of {self.problem.horizon:g} s",
        )

    def _said(self, goal: Goal, t: float | None = None) -> str:
        """A goal in world coordinates: when it is reached [s]; where it moves, at the start."""
        if t is not None:
            return wording.goal(goal, self.problem.world, t)
        return wording.goal(goal, self.problem.world, self.problem.start_time, at=True)

    def _plan(self, path: Footpath | None, status: Status) -> Plan:
        problem = self.problem
        segments = () if path is None else segments_of(path, problem)
        used = {segment.capability for segment in segments} | {"walk"}
        end = segments[-1].end if segments else problem.start_time
        self._account.stage("assembly", 1.0)
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
            statistics=self._account.statistics,
            assumes=assume(problem.world, problem.start_time, end, segments=segments),
            planner="footsteps",
        )
