"""Large worlds: milestones from the grid planner, and a short plan in time from each to the next.

levine2011 names this in section 8: space-time planning with a short horizon, a static planner
selecting milestones. Only landmarks of the part that a stage leads through are looked at, so what a
plan costs grows with its length and not with the world.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning import wording
from surefoot.planning.goals import AnyGoal, Goal
from surefoot.planning.grid import Grid
from surefoot.planning.plan import Outcome, Plan, Status
from surefoot.planning.problem import Problem
from surefoot.planning.spacetime.landmarks import Box, landmarks_in
from surefoot.planning.spacetime.planner import SpaceTime
from surefoot.planning.spacetime.search import least_able
from surefoot.planning.spacetime.traveller import Attempt, Traveller
from surefoot.planning.standing import can_stand
from surefoot.world import Place

AROUND = np.array([12.0, 12.0, 6.0])
"""[m] about the way of a stage in which landmarks are looked at."""

NEAR = 0.8
"""[m] How near to a milestone is there."""

SKIPPED = 2
"""Milestones that may be left out where one cannot be reached."""

WORK = 4000
"""Trajectories of one attempt at a stage: who looks in vain for so long begins it otherwise."""

WAITED = 3
"""Times that one waits and tries again."""

PATIENCE = 2.0
"""[s] that one waits for."""

ROOM = (0.1, 0.5, 0.9, 1.3)
"""[m] around a milestone where one can stay as well: one comes near it at a run."""

BACK = (0.0, 1.5, 3.0)
"""[s] before a milestone is reached from where the next stage may begin instead: not from every
place that is near it one can go on."""

LOOK = 0.1
"""[s] between moments at which a milestone must be free of all that moves."""


def by_milestones(
    problem: Problem,
    planner: SpaceTime,
    *,
    progress: Callable[[str, float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Plan:
    """One plan after the other, joined; see `SpaceTimeSettings.milestones`."""
    settings = planner.settings
    spacing = settings.milestones
    assert spacing is not None
    inner = SpaceTime(replace(settings, milestones=None), planner.controllers)
    points = milestones(problem, spacing, settings.stage)
    if progress is not None:
        progress("milestones", 0.1)
    traveller = Traveller(
        problem.world, problem.character, problem.start, inner, t=problem.start_time,
        until=problem.end_time, heading=problem.start_heading or 0.0, cost=problem.cost,
        capabilities=problem.capabilities,
    )  # fmt: skip
    goals: list[AnyGoal] = [Goal(Place(None, point), tolerance=NEAR) for point in points]
    goals.append(problem.goal)
    trip = _Trip(problem, traveller, goals, settings.stage)
    while not trip.over and not (cancel is not None and cancel()):
        trip.stage(cancel)
        if progress is not None:
            progress("stages", 0.1 + 0.9 * trip.next / len(goals))
    return trip.plan()


def milestones(problem: Problem, spacing: float, stage: float) -> list[Floats]:
    """Places `(3,)` [m] on the grid planner's way over what rests, where nothing passes.

    As far as that leads: what only moves joins is left to the last stage.
    """
    world = problem.world
    still = world.copy(body for body in world if not body.trajectory.moving)
    start = Place(None, world.position(problem.start, problem.start_time))
    goals = problem.goal
    if isinstance(goals, Goal) and goals.place.body is not None:
        goals = Goal(Place(None, world.position(goals.place, problem.start_time)))
    asked = replace(problem, world=still, start=start, goal=goals)
    plan = Grid().plan(asked)
    if not plan.segments:
        return []
    way = np.concatenate([segment.positions for segment in plan.segments])
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
    found: list[Floats] = []
    last = 0.0
    while last + 2.0 * spacing < gone[-1]:
        ahead = np.arange(last + spacing, min(last + 2.0 * spacing, gone[-1]), 1.0)
        points = [np.array([np.interp(at, gone, way[:, axis]) for axis in range(3)])
                  for at in ahead.tolist()]  # fmt: skip
        room = [_room(problem, point, stage) for point in points]
        best = int(np.argmax(room))
        last = float(ahead[best])
        if room[best] > 0.0:
            found.append(points[best])
    return found


def _room(problem: Problem, point: Floats, stage: float) -> float:
    """[m] around a point in which one can stay, whatever passes; 0 where one cannot."""
    times = np.arange(problem.start_time, problem.start_time + 2.0 * stage, LOOK)
    skill = least_able(problem.skills.values())
    room = 0.0
    for radius in ROOM:
        around = point + radius * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
        points = np.tile(around, (len(times), 1))
        if not can_stand(problem.world, points, np.repeat(times, 4), skill).all():
            break
        room = radius
    return room


class _Trip:
    """The stages of a plan, as they are made."""

    def __init__(
        self, problem: Problem, traveller: Traveller, goals: Sequence[AnyGoal], stage: float
    ) -> None:
        self.problem, self.traveller, self.goals, self._lasts = problem, traveller, goals, stage
        self.next = 0
        self.stuck = ""
        self._waited = self._tried = self._stages = 0
        self._took = 0.0
        self._starts = self._before = problem.start_time

    @property
    def over(self) -> bool:
        """Whether the goal is reached, or cannot be."""
        return self.next >= len(self.goals) or bool(self.stuck)

    def stage(self, cancel: Callable[[], bool] | None) -> None:
        """Plans to the next milestone that can be reached, and goes on from there."""
        last = len(self.goals) - 1
        ways = [
            (self._earlier(back), index)
            for back in BACK
            for index in range(self.next, min(self.next + 1 + SKIPPED, last + 1))
        ]
        for starts, index in dict.fromkeys(ways):
            attempt = self._attempt(self.goals[index], starts, cancel)
            if not attempt.found:
                self.stuck = attempt.why
                continue
            if index == last:
                self.traveller.arrive(attempt)
            elif not self.traveller.take(attempt):
                continue
            self.stuck, self._waited = "", 0
            self._before, self._starts = starts, self._arrived()
            self.next = index + 1
            return
        self._wait()

    def _earlier(self, back: float) -> float:
        """[s]: a seam of the course so long before the stage would begin, within the last one."""
        return self.traveller.course.seam(max(self._starts - back, self._before))

    def _arrived(self) -> float:
        """[s] when the last way of the course ends; one stays there from then on."""
        course = self.traveller.course
        going = [one.run.end for one in course.played if not one.waits]
        return max(going, default=course.begins)

    def _attempt(self, goal: AnyGoal, starts: float, cancel: Callable[[], bool] | None) -> Attempt:
        problem, traveller = self.problem, self.traveller
        end = min(starts + self._lasts, problem.end_time)
        if end <= starts:
            return Attempt(starts, None, 0.0, 0.0, "the horizon is over")
        left = min(max(problem.limits.evaluations - self._tried, 1), WORK)
        box = self._box(goal, starts)
        marks = None
        if box is not None:
            marks = landmarks_in(
                box, problem.world, least_able(problem.skills.values()),
                traveller.planner.settings, starts, end,
            )  # fmt: skip
        attempt = traveller.attempt(
            goal, starts, budget=left, horizon=end - starts, landmarks=marks,
            cancel=cancel,
        )  # fmt: skip
        self._tried += attempt.evaluations
        self._took += attempt.milliseconds
        self._stages += 1
        return attempt

    def _box(self, goal: AnyGoal, t: float) -> Box | None:
        """What to look at: around where one is and where one goes."""
        if not isinstance(goal, Goal):
            return None
        world = self.problem.world
        here = world.position(self.traveller.course.place(t), t)
        there = world.position(goal.place, t)
        return np.stack([np.minimum(here, there) - AROUND, np.maximum(here, there) + AROUND])

    def _wait(self) -> None:
        """Stays a while and tries again, a few times."""
        course, why = self.traveller.course, self.stuck
        self._waited += 1
        if self._waited > WAITED:
            return
        later = self._starts + PATIENCE
        if course.end < later and not self.traveller.stay(later - course.end):
            self.stuck = why or "one cannot stay there"
            return
        self.stuck = ""
        self._starts = self._before = course.seam(later)

    def plan(self) -> Plan:
        """All stages as one plan."""
        problem, course = self.problem, self.traveller.course
        if self.next >= len(self.goals):
            goal = wording.goal(problem.goal, problem.world, course.end)
            status = Status(Outcome.REACHED, f"reaches {goal} at {course.end:.2f} s")
        else:
            why = self.stuck or "it was stopped"
            status = Status(
                Outcome.UNREACHABLE if self.stuck else Outcome.CANCELLED,
                f"milestone {self.next + 1} of {len(self.goals)} was not reached: {why}",
            )
        statistics: dict[str, int | float] = {
            "milestones": len(self.goals) - 1,
            "stages": self._stages,
            "trajectories_evaluated": self._tried,
            "search_ms": round(self._took, 3),
        }
        return self.traveller.plan(problem.goal, status, statistics)
