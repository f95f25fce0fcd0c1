"""Travellers: one character that plans again and again while it goes (levine2011, section 7.3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter, process_time

from surefoot._native import RunMemory
from surefoot.character import Character
from surefoot.control import Configuration, Controllers, Rollout
from surefoot.errors import ProblemError
from surefoot.planning import costs
from surefoot.planning.cost import Cost
from surefoot.planning.goals import AnyGoal, Goal
from surefoot.planning.limits import Limits
from surefoot.planning.plan import Plan, Status
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Run
from surefoot.planning.spacetime.course import TICK, Course
from surefoot.planning.spacetime.landmarks import Landmarks, landmarks_of
from surefoot.planning.spacetime.ongoing import Ongoing
from surefoot.planning.spacetime.outcome import Hint, Leg
from surefoot.planning.spacetime.planner import ON_ITS_WAY, Solved, SpaceTime, solve
from surefoot.planning.spacetime.playing import Played, straight_ahead, told_to
from surefoot.planning.spacetime.search import Search, least_able
from surefoot.planning.trained import controllers_of
from surefoot.world import Place, World

_MOMENT = 1e-6

GROUND = 0.3
"""[m] above or below somebody in which there is ground."""

ROOM, MORE = 1.4, 8.0
"""[s/s], [s]: a horizon gives room for a way that takes so much longer than the likeliest."""

STAYS = (6.0, 3.0, 1.0)
"""[s] that a plan ends with standing where it led to, if that can be: the first that can."""


@dataclass(frozen=True, eq=False)
class Attempt:
    """A plan that is to begin at a moment of a course.

    Attributes:
        starts: [s].
        solved: what was found; None where nothing could be asked.
        milliseconds: [ms] that all of it took.
        core: [ms] of one core that it took.
        why: a sentence where it leads nowhere.
        everywhere: whether all landmarks were looked at.
        horizon: [s] that it may last.
    """

    starts: float
    solved: Solved | None
    milliseconds: float
    core: float
    why: str = ""
    everywhere: bool = True
    horizon: float = 0.0

    @property
    def found(self) -> bool:
        """Whether it reaches what was asked for, and all it claims holds."""
        return self.solved is not None and self.solved.reached

    @property
    def arrives(self) -> float:
        """[s] when it gets there; infinite where it does not."""
        return self.solved.outcome.arrives if self.solved and self.found else math.inf

    @property
    def leads(self) -> bool:
        """Whether it leads anywhere."""
        return self.solved is not None and bool(self.solved.played) and self.solved.sound

    @property
    def evaluations(self) -> int:
        """Trajectories that were tried."""
        return 0 if self.solved is None else self.solved.evaluations


class Traveller:
    """One character, its course and its planner.

    Args:
        world: as it knows it.
        character: who.
        start: where it stands.
        planner: of its plans.
        t: [s] when it begins.
        until: [s] until when plans may be asked for; landmarks are of use by then.
        heading: [rad] at the start.
        cost: what counts.
        capabilities: that it may use; all when not given.
    """

    def __init__(
        self,
        world: World,
        character: Character,
        start: Place,
        planner: SpaceTime,
        *,
        t: float,
        until: float,
        heading: float = 0.0,
        cost: Cost | None = None,
        capabilities: tuple[str, ...] | None = None,
    ) -> None:
        self.world, self.character = world, character
        self.controllers: Controllers = planner.controllers or controllers_of(character)
        self.planner = SpaceTime(planner.settings, self.controllers)
        self.cost = cost or costs.time()
        self.capabilities = capabilities
        # Says what is wrong with the start before anything else.
        asked = self._problem(start, Goal(start), t, until - t, Limits(), heading)
        self.skills = asked.skills
        self.until = until
        carried = _carried(world, start, t)
        self.course = Course(
            Configuration.standing(self.controllers.repertoire, carried, heading), t
        )
        self._landmarks: Landmarks | None = None
        self._legs: tuple[Leg, ...] = ()  # of the course, over all landmarks
        self.verified = math.inf
        """[s]: to where every claim of the course is known to hold."""

    @property
    def landmarks(self) -> Landmarks:
        """Of the world, for all plans."""
        if self._landmarks is None:
            self._landmarks = landmarks_of(
                self.world, least_able(self.skills.values()), self.planner.settings,
                self.course.begins, self.until,
            )  # fmt: skip
        return self._landmarks

    def forget_landmarks(self) -> None:
        """Finds them anew: there are bodies that were not known before."""
        self._landmarks = None
        self._legs = ()

    def seam(self, t: float) -> float:
        """[s]: the first seam of the course from `t` on with ground below, to plan from."""
        course = self.course
        starts = course.seam(t)
        while starts < course.end:
            point = self.world.position(course.place(starts), starts)
            if self.world.support(point, starts, up=GROUND, down=GROUND).hit:
                break
            starts = course.seam(min(starts + TICK, course.end))
        return starts

    def attempt(
        self,
        goal: AnyGoal,
        starts: float,
        *,
        budget: int,
        horizon: float,
        landmarks: Landmarks | None = None,
        cancel: Callable[[], bool] | None = None,
        ahead: float = math.inf,
        longest: float = 0.0,
    ) -> Attempt:
        """Plans from a moment of the course on, a seam; changes nothing.

        Args:
            goal: where to.
            starts: [s].
            budget: evaluations that the search may take.
            horizon: [s] that the plan may last.
            landmarks: of the part of the world that it leads through; all when not given.
            cancel: asked now and then.
            ahead: [s] for which it is verified at once; `verify` does the rest in time.
            longest: [s]: where the goal is not likely reached well within the horizon, that is
                longer, to this at most.
        """
        begun, busy = perf_counter(), process_time()
        limits = Limits(evaluations=budget)
        try:
            problem, search = self._asked(goal, starts, limits, horizon, longest, landmarks)
        except ProblemError as wrong:
            took, core = 1e3 * (perf_counter() - begun), 1e3 * (process_time() - busy)
            return Attempt(starts, None, took, core, str(wrong))
        horizon = problem.horizon
        solved = solve(problem, search, cancel=cancel, until=starts + ahead)
        took, core = 1e3 * (perf_counter() - begun), 1e3 * (process_time() - busy)
        why = "" if solved.outcome.end == "reached" else solved.plan.status.message
        if not solved.sound:
            why = str(solved.plan.check(self.world))
        return Attempt(starts, solved, took, core, why, landmarks is None, horizon)

    def search(
        self, goal: AnyGoal, starts: float, *, horizon: float, longest: float = 0.0,
        memory: RunMemory | None = None, haste: float = 1.0,
    ) -> Ongoing:  # fmt: skip
        """A search from a moment of the course on, a seam, to be gone on with.

        Args:
            goal: where to.
            starts: [s].
            horizon: [s] that the plan may last.
            longest: [s]: where the goal is not likely reached well within the horizon, that is
                longer, to this at most.
            memory: of searches before from the same moment of the same course.
            haste: >= 1: how many times as hastily as the planner's settings say.
        """
        problem, search = self._asked(goal, starts, Limits(), horizon, longest, None, haste)
        return Ongoing(problem, search, memory)

    def _asked(
        self, goal: AnyGoal, starts: float, limits: Limits, horizon: float, longest: float,
        landmarks: Landmarks | None, haste: float = 1.0,
    ) -> tuple[Problem, Search]:  # fmt: skip
        at = self.course.configuration(starts)
        marks = self.landmarks if landmarks is None else landmarks
        hints = self._hints(starts) if landmarks is None else []
        settings = replace(self.planner.settings, haste=haste * self.planner.settings.haste)
        planner = replace(self.planner, settings=settings)
        while True:
            problem = self._problem(at.place, goal, starts, horizon, limits, at.heading)
            search = planner.search(problem, at, marks, hints=hints)
            needed = ROOM * search.lasting + MORE
            if horizon >= longest or needed <= horizon:
                return problem, search
            horizon = min(needed if math.isfinite(needed) else 2.0 * horizon, longest)

    def _hints(self, starts: float) -> list[Hint]:
        """The ways of the course from a moment on, but to goals: those may be others now."""
        ahead = [leg for leg in self._legs if leg.arrives > starts + _MOMENT]
        known = [leg.way[1] < len(self.landmarks) for leg in ahead]
        return [leg.hint for leg in ahead[: [*known, False].index(False)]]

    def take(self, attempt: Attempt) -> bool:
        """Goes on with a plan instead of what was to be done, and stays where that leads.

        Only as far as a place where one can stay: the next plan may come late. Whether there is
        one; what was to be done stays as it is where there is none.
        """
        if not attempt.leads:
            return False
        assert attempt.solved is not None
        return self.go_on(attempt.starts, attempt.solved, attempt.everywhere)

    def go_on(self, starts: float, solved: Solved, everywhere: bool = True) -> bool:
        """Likewise, with runs that lead somewhere from `starts` [s] on.

        Args:
            starts: [s], a seam.
            solved: what was found.
            everywhere: whether all landmarks were looked at.
        """
        played = solved.played
        for count in range(len(played), 0, -1):
            last = played[count - 1]
            for span in STAYS:
                stand = self._stand(last.rollout.last, last.run.end, span)
                if stand is not None:
                    self.course.cut(starts)
                    self.course.go_on([*played[:count], stand])
                    self.verified = solved.verified
                    self._legs = solved.outcome.legs if everywhere else ()
                    return True
        return False

    def verify(self, until: float) -> bool:
        """Checks the course on, to `until` [s]; it ends before what does not hold.

        Whether all of it holds so far.
        """
        runs = self.course.played
        first = next((i for i, one in enumerate(runs) if one.run.end > self.verified), len(runs))
        if self.verified >= until or first == len(runs):
            return True
        last = max(told_to(runs, until), first + 1)
        part = Course(runs[first].run.start, runs[first].run.begin)
        part.go_on(runs[first:last])
        told = part.plan(
            self.world, character=self.character.name, skills=self.skills,
            goal=Goal(part.last.place), status=ON_ITS_WAY, statistics={}, planner=self.planner.name,
        )  # fmt: skip
        if told.check(self.world):
            self.verified = part.end
            return True
        for count in range(first, 0, -1):
            self.course.played = runs[:count]
            if self.stay():
                self.verified = math.inf
                return False
        self.course.played = runs
        return False

    def arrive(self, attempt: Attempt) -> None:
        """Goes on with a plan, and does nothing more."""
        assert attempt.solved is not None
        self.course.cut(attempt.starts)
        self.course.go_on(attempt.solved.played)
        self.verified = attempt.solved.verified

    def stay(self, lasting: float = STAYS[0]) -> bool:
        """Adds a stand at the end of the course; whether one can stand there."""
        stand = self._stand(self.course.last, self.course.end, lasting)
        if stand is not None:
            self.course.go_on([stand])
        return stand is not None

    def _stand(self, at: Configuration, t: float, lasting: float) -> Played | None:
        wait = self.controllers.waiting_for("walk")
        target = straight_ahead(at)
        rollout: Rollout = wait.rollout(
            at, target, t=t, wait=lasting, world=self.world, character=self.character
        )
        if not rollout:
            return None
        run = Run(
            controller=wait.name, start=at, begin=t, end=rollout.end, target=target,
            arrival=wait.task.arrival, wait=lasting,
        )  # fmt: skip
        table = self.cost.table(self.world, self.character, tuple(self.skills))
        capability = wait.task.capability
        return Played(run, rollout, capability, True, float(table.constant[0]) * rollout.duration)

    def plan(self, goal: AnyGoal, status: Status, statistics: dict[str, int | float]) -> Plan:
        """All that was done, as one plan."""
        return self.course.plan(
            self.world, character=self.character.name, skills=self.skills, goal=goal,
            status=status, statistics=statistics, planner=self.planner.name,
        )  # fmt: skip

    def _problem(
        self, start: Place, goal: AnyGoal, t: float, horizon: float, limits: Limits, heading: float
    ) -> Problem:
        return Problem(
            world=self.world, character=self.character, start=start, goal=goal, start_time=t,
            start_heading=heading, cost=self.cost, horizon=horizon, limits=limits,
            capabilities=self.capabilities,
        )  # fmt: skip


def _carried(world: World, place: Place, t: float) -> Place:
    """A place in the frame of what moves below it, or of the world."""
    point = world.position(place, t)
    body = place.body
    if body is None:
        below = world.support(point, t, up=GROUND, down=GROUND)
        body = world.names[int(below.body)] if below.hit else None
    moving = body is not None and world[body].trajectory.moving
    return world.attach(point, body, t) if moving else Place(None, point)
