"""Going on with a plan in a world that has changed (bandi2000, 8.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats
from surefoot.errors import ProblemError
from surefoot.planning import standing
from surefoot.planning.goals import AllOf, AnyGoal, first_reached
from surefoot.planning.grid.assembly import Assembly
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.pacing import paced
from surefoot.planning.grid.run import Run, kept_map
from surefoot.planning.grid.settings import GridSettings
from surefoot.planning.grid.timing import Schedule
from surefoot.planning.grid.way import Piece, Way
from surefoot.planning.plan import Plan
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Kind, Segment
from surefoot.world import Place

Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]

_LOOK = 0.1
"""[s] between the moments at which an old plan is asked what it has done."""


def repaired(
    plan: Plan,
    problem: Problem,
    t: float,
    settings: GridSettings,
    progress: Progress | None,
    cancel: Cancel | None,
) -> Plan:
    """See `Grid.repair`."""
    now = _landed(plan, arrays.time(t, "t", error=ProblemError))
    world = problem.world
    points, headings = plan.track([now], world)
    point, heading = points[0], float(headings[0])
    rest = _rest(plan, now)
    goal = _left(plan, problem, now)
    covered = all(standing.why_not(world, point, now, skill) for skill in problem.skills.values())
    if not covered:
        going = _from(problem, plan.place(now), now, goal, heading)
        onward = Run(going, settings, progress, cancel).plan(rest)
        begun = _begun_at(point, onward.segments)
        return replace(onward, origin=plan.place(now), segments=begun)
    grid = kept_map(problem, settings)
    out, end = _step_out(problem, grid, point, now)
    free = Place(None, end)
    # Who comes out of something may be late for what was to be done by then.
    going = _from(problem, free, out[-1].end, goal, float(out[-1].headings[-1]))
    onward = Run(going, settings, progress, cancel).plan(rest)
    segments = (*out, *onward.segments)
    return replace(
        onward,
        origin=plan.place(now),
        start=now,
        segments=segments,
        cost=sum(segment.cost for segment in segments),
    )


def _begun_at(point: Floats, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """Segments that begin at the height of a point `(3,)` [m] where somebody is.

    Between two stairs, or where something low has come under the feet, that is not the ground's:
    one gets there with the first step.
    """
    begun: list[Segment] = []
    for k, segment in enumerate(segments):
        away = np.hypot(*(segment.positions - point)[:, :2].T)
        here = np.logical_and.accumulate(away < 1e-6)
        positions = segment.positions.copy()
        positions[here, 2] = point[2]
        begun.append(replace(segment, positions=positions))
        if not here.all():
            return (*begun, *segments[k + 1 :])
    # Nobody goes anywhere: what is under the feet is what they stand on.
    return segments


def _landed(plan: Plan, t: float) -> float:
    """`t`, or the end of the jump that it is in: nobody turns round in the air."""
    segment = plan.segment_at(t)
    return segment.end if segment is not None and segment.flights else t


def _rest(plan: Plan, t: float) -> Plan:
    """What of a plan is still to come at `t` [s]."""
    segments: list[Segment] = []
    for segment in plan.segments:
        if segment.end <= t + 1e-6:
            continue
        if segment.start < t:
            times = np.concatenate([[t], segment.times[segment.times > t + 1e-6]])
            positions, headings = segment.sample(times)
            segment = replace(segment, times=times, positions=positions, headings=headings)
        segments.append(segment)
    return replace(plan, segments=tuple(segments), start=t, origin=plan.place(t))


def _left(plan: Plan, problem: Problem, t: float) -> AnyGoal:
    """What of a goal is still to be done at `t` [s]: of all of several, those not visited yet."""
    goal = problem.goal
    if not isinstance(goal, AllOf) or t <= plan.start:
        return goal
    times = np.arange(plan.start, t + _LOOK, _LOOK).clip(max=t)
    points, headings = plan.track(times, problem.world)
    left: list[AnyGoal] = []
    begin = 0
    for part in goal.goals:
        at = first_reached(part, problem.world, points, times, headings, begin)
        # In order, nothing counts before what comes first is done.
        if at is None or (goal.ordered and left):
            left.append(part)
        elif goal.ordered:
            begin = at
    return replace(goal, goals=tuple(left) or goal.goals[-1:])


def _from(
    problem: Problem, start: Place, t: float, goal: AnyGoal, heading: float | None = None
) -> Problem:
    """A problem that begins somewhere else, later, and ends no later than before."""
    horizon = max(problem.end_time - t, 1e-3)
    return replace(
        problem, start=start, start_time=t, start_heading=heading, goal=goal, horizon=horizon
    )


def _step_out(
    problem: Problem, grid: GridMap, point: Floats, t: float
) -> tuple[list[Segment], Floats]:
    """The shortest way out of whatever covers a person, and where it ends."""
    walk = grid.actions.walk
    postures = grid.postures(narrow=True)
    open_ = np.flatnonzero(postures.each > 0)
    away = np.linalg.norm(postures.points[open_] - point, axis=1)
    near = open_[np.argsort(away, kind="stable")[:64]]
    free = near[grid.walkable(walk).free(postures.points[near])]
    free = free[np.hypot(*(postures.points[free] - point)[:, :2].T) > 0.01]
    if len(free) == 0:
        raise ProblemError(
            f"something covers the person at ({point[0]:.2f}, {point[1]:.2f}, {point[2]:.2f}), and"
            " there is no free place nearby to step out to"
        )
    end: Floats = postures.points[free[0]].copy()
    step = walk.step_height
    end[2] = problem.world.support(end, t, up=step, down=step).height
    way = Way([Piece(Kind.WALK, walk, np.stack([point, end]), walk.speed)])
    assembly = Assembly(problem, walk)
    stretch = paced(way, 0.0, way.length).later(t)
    segments = assembly.parts(way, Schedule([stretch], None))
    because = "something has come over where the person is"
    return [replace(segment, because=because) for segment in segments], end
