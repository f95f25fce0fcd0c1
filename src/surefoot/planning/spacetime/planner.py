"""The space-time planner: when to go and when to wait, in a world whose future is known.

Landmarks ride on whatever can carry a character. Controllers go from one to another, adapted to
what is there then; the search chooses among them, and among moments to depart (levine2011).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from surefoot._native import RunMemory
from surefoot.control import Configuration, Controllers
from surefoot.errors import ProblemError
from surefoot.planning import wording
from surefoot.planning.assumptions import assume
from surefoot.planning.plan import Outcome as Ended
from surefoot.planning.plan import Plan, Status
from surefoot.planning.problem import Problem
from surefoot.planning.spacetime.assembly import segments_of
from surefoot.planning.spacetime.landmarks import Landmarks
from surefoot.planning.spacetime.outcome import Hint, Leg, Outcome
from surefoot.planning.spacetime.playing import OtherwiseError, Played, Player, told_to
from surefoot.planning.spacetime.search import Search
from surefoot.planning.spacetime.settings import SpaceTimeSettings
from surefoot.planning.spacetime.timeline import Timeline
from surefoot.planning.statistics import Account
from surefoot.planning.trained import controllers_of

REPAIRS = 8
"""Times that a plan is searched for again, without a way whose claims did not hold."""


ON_ITS_WAY = Status(Ended.CANCELLED, "on its way")
"""Of a plan that is told only as far as it matters now."""


@dataclass(frozen=True)
class SpaceTime:
    """Finds the best sequence of controllers through time; see `SpaceTimeSettings`.

    Attributes:
        settings: how it looks.
        controllers: what it may run; the character's own, trained when first needed, when not
            given.
    """

    settings: SpaceTimeSettings = field(default_factory=SpaceTimeSettings)
    controllers: Controllers | None = None

    name = "space-time"

    def __post_init__(self) -> None:
        given: Any = self.settings
        if not isinstance(given, SpaceTimeSettings):
            raise ProblemError(
                f"the space-time planner takes SpaceTimeSettings(...), got {given!r}"
            )

    def plan(
        self,
        problem: Problem,
        *,
        progress: Callable[[str, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Plan:
        """The plan that solves the problem, or why there is none and the best way towards it."""
        _check_cost(problem)
        account = Account(progress)
        controllers = self.controllers or controllers_of(problem.character, account, cancel)
        if self.controllers is None and not controllers.complete:
            return _stopped(problem, account)
        ready = replace(self, controllers=controllers)
        if self.settings.milestones is not None:
            from surefoot.planning.spacetime.milestones import by_milestones

            plan = by_milestones(problem, ready, progress=account.rest, cancel=cancel)
        else:
            search = ready.search(problem)
            account.rest("landmarks", 0.3)
            plan = solve(problem, search, cancel=cancel).plan
            account.rest("search", 1.0)
        return replace(plan, statistics={**account.statistics, **plan.statistics})

    def search(
        self,
        problem: Problem,
        start: Configuration | None = None,
        landmarks: Landmarks | None = None,
        memory: RunMemory | None = None,
        hints: Sequence[Hint] = (),
    ) -> Search:
        """The search for a problem, with its landmarks, before it is run.

        Args:
            problem: what is asked.
            start: what the character is doing at the start; it stands there when not given.
            landmarks: of the world, where they are known.
            memory: of searches before from the same start; see `Replanner`.
            hints: ways to go along first; see `Leg.hint`.
        """
        _check_cost(problem)
        trained = self.controllers or controllers_of(problem.character)
        return Search(problem, trained, self.settings, start, landmarks, memory, hints)


def _check_cost(problem: Problem) -> None:
    verdict = problem.cost.waits_are_cheapest(problem.character, tuple(problem.skills))
    if not verdict:
        raise ProblemError(f"cost: {verdict.message}")


def _stopped(problem: Problem, account: Account) -> Plan:
    """Where controllers were not trained to the end."""
    return Plan(
        character=problem.character.name, capabilities=dict(problem.skills), origin=problem.start,
        start=problem.start_time, goal=problem.goal, segments=(),
        status=Status(
            Ended.CANCELLED, "stopped while controllers were trained; those that were are kept"
        ),
        statistics=account.statistics, planner=SpaceTime.name,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Solved:
    """What came of a search.

    Attributes:
        plan: what it found.
        played: the runs that the plan is made of.
        outcome: of the last search.
        evaluations: trajectories that were evaluated, repairs included.
        sound: whether every claim of the plan holds.
        verified: [s] to where the plan is told and checked; the runs may lead on.
    """

    plan: Plan
    played: tuple[Played, ...]
    outcome: Outcome
    evaluations: int
    sound: bool = True
    verified: float = math.inf

    @property
    def reached(self) -> bool:
        """Whether the runs lead to the goal, and all that is told holds."""
        return self.sound and self.outcome.end == "reached"


def solve(
    problem: Problem,
    search: Search,
    *,
    cancel: Callable[[], bool] | None = None,
    repairs: int = REPAIRS,
    until: float = math.inf,
) -> Solved:
    """Searches, and searches again without what the exact queries refuse.

    Args:
        problem: what is asked.
        search: for it, not run yet.
        cancel: asked now and then.
        repairs: how many times it is searched again at most.
        until: [s]: for who plans again before: what comes later is neither told nor checked.
    """
    tried = 0
    memory = RunMemory() if search.memory is None else search.memory
    while True:
        most = max(problem.limits.evaluations - tried, 1)
        outcome = search.run(cancel, memory=memory, most=most)
        tried += int(outcome.statistics["trajectories_evaluated"])
        try:
            solved = assembled(problem, search, outcome, tried, until)
        except OtherwiseError as otherwise:
            if repairs == 0:
                raise
            search.refuse(leg_at(outcome, otherwise.time))
            repairs -= 1
            continue
        if not outcome.legs:
            return solved
        wrong = solved.plan.check(problem.world).violations
        if not wrong or repairs == 0:
            return replace(solved, sound=not wrong)
        search.refuse(leg_at(outcome, wrong[0].time))
        repairs -= 1


def assembled(
    problem: Problem, search: Search, outcome: Outcome, tried: int, until: float
) -> Solved:
    """What a search found as a plan, told as far as `until` [s], not checked.

    Raises:
        OtherwiseError: where a run does not do again what the search saw.
    """
    begun = time.perf_counter()
    played = Player(problem, search).play(outcome)
    told = played[: told_to(played, until)]
    whole = len(told) == len(played)
    segments = ()
    if told:
        timeline = Timeline(told, problem.world, played[0].rollout.repertoire)
        segments = segments_of(told, timeline, problem.world, problem.skills)
    end = segments[-1].end if segments else problem.start_time
    assembling = time.perf_counter() - begun
    plan = Plan(
        character=problem.character.name,
        capabilities={skill: problem.skills[skill] for skill in problem.skills},
        origin=problem.start,
        start=problem.start_time,
        goal=problem.goal,
        segments=segments,
        status=_status(outcome, problem, end) if whole else ON_ITS_WAY,
        cost=sum(segment.cost for segment in segments),
        statistics=outcome.statistics | {"assembly_ms": round(1e3 * assembling, 3)},
        assumes=assume(problem.world, problem.start_time, end, segments=segments),
        planner=SpaceTime.name,
    )
    return Solved(plan, played, outcome, tried, verified=math.inf if whole else end)


def leg_at(outcome: Outcome, t: float) -> Leg:
    """The leg under way at a time, or the one that led to the wait then."""
    begun = [leg for leg in outcome.legs if leg.departs <= t + 1e-6]
    return begun[-1] if begun else outcome.legs[0]


def _status(outcome: Outcome, problem: Problem, end: float) -> Status:
    counts = outcome.statistics
    reached = outcome.end == "reached"
    goal = wording.goal(
        problem.goal, problem.world, end if reached else problem.start_time, at=not reached
    )
    tried = f"{counts['trajectories_evaluated']} trajectories"
    if reached:
        return Status(Ended.REACHED, f"reaches {goal} at {end:.2f} s")
    moves = any(body.trajectory.moving for body in problem.world)
    if outcome.end == "unreachable" and moves and counts["trajectories_evaluated"] == 0:
        return Status(
            Ended.OUT_OF_TIME,
            f"nothing that moves joins the start to {goal} by {problem.end_time:g} s, whatever the"
            " departures; a longer horizon may help",
        )
    if outcome.end == "unreachable":
        return Status(
            Ended.UNREACHABLE,
            f"no way leads to {goal}, whatever the time"
            if counts["trajectories_evaluated"] == 0
            else f"no sequence of controllers leads to {goal} after {tried}; more landmarks"
            " (spacing), more reach (across) or more controllers may help",
        )
    if outcome.end == "late":
        return Status(
            Ended.OUT_OF_TIME,
            f"no way leads to {goal} by {problem.end_time:g} s; a longer horizon may help",
        )
    if outcome.end == "stopped":
        return Status(Ended.CANCELLED, f"stopped after {tried}")
    return Status(
        Ended.EXHAUSTED,
        f"the limit on {outcome.end} was met after {tried}; the best way found leaves a cost of at"
        f" least {outcome.left:.2f}; a higher limit may help",
    )
