"""From a route and its schedule to the segments of a plan."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Capability
from surefoot.planning.frames import headings_to_world, turn_between
from surefoot.planning.goals import Goal, Region
from surefoot.planning.grid.route import Route
from surefoot.planning.grid.timing import Pause, Schedule, Stretch
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Kind, Segment, Timing

LEAST_TURN = 0.2
"""[rad] Smaller turns are part of the walk."""


class Assembly:
    """Makes segments of one problem, each with its cost."""

    def __init__(self, problem: Problem, skill: Capability) -> None:
        self._problem, self._skill = problem, skill
        self._costs = problem.cost.table(problem.world, problem.character, tuple(problem.skills))

    def first_turn(self, route: Route) -> Segment | None:
        """The turn from the way one stands to the way one will walk."""
        problem = self._problem
        if problem.start_heading is None or route.length == 0:
            return None
        now = np.array([problem.start_time])
        facing = headings_to_world(
            problem.world, problem.start.body, np.array([problem.start_heading]), now
        )[0]
        return self.turn(
            route.points[0], float(facing), float(route.headings(np.zeros(1))[0]), float(now[0])
        )

    def parts(self, route: Route, schedule: Schedule) -> list[Segment]:
        """Walks and waits."""
        return [
            self._walk(route, part) if isinstance(part, Stretch) else self._wait(route, part)
            for part in schedule.parts
        ]

    def arrival(
        self, goal: Goal | Region, point: Floats, heading: float, t: float
    ) -> list[Segment]:
        """What is left to do at the goal: turn as it asks, wait until it counts."""
        segments: list[Segment] = []
        if goal.heading is not None:
            body = goal.place.body if isinstance(goal, Goal) else goal.body
            wanted = headings_to_world(
                self._problem.world, body, np.array([goal.heading]), np.array([t])
            )[0]
            turn = self.turn(point, heading, float(wanted), t)
            if turn is not None:
                segments.append(turn)
                heading, t = float(wanted), turn.end
        if goal.arrive[0] > t:
            segments.append(
                self._segment(
                    Kind.WAIT,
                    np.array([t, goal.arrive[0]]),
                    np.stack([point, point]),
                    np.array([heading, heading]),
                    because=f"arriving counts from {goal.arrive[0]:g} s on",
                )
            )
        return segments

    def turn(self, point: Floats, start: float, end: float, t: float) -> Segment | None:
        """A turn on the spot, at half the fastest rate; None where it is not worth one."""
        angle = float(turn_between(start, end))
        if abs(angle) < LEAST_TURN:
            return None
        duration = abs(angle) / (0.5 * self._skill.turn_rate)
        steps = max(2, int(np.ceil(abs(angle) / 0.2)) + 1)
        return self._segment(
            Kind.TURN,
            np.linspace(t, t + duration, steps),
            np.tile(point, (steps, 1)),
            np.linspace(start, start + angle, steps),
        )

    def _walk(self, route: Route, part: Stretch) -> Segment:
        return self._segment(
            Kind.WALK, part.times, route.at(part.lengths), route.headings(part.lengths)
        )

    def _wait(self, route: Route, part: Pause) -> Segment:
        at = np.array([part.at, part.at])
        return self._segment(
            Kind.WAIT,
            np.array([part.start, part.end]),
            route.at(at),
            route.headings(at),
            because=f"{part.body!r} is in the way until then",
        )

    def _segment(
        self, kind: Kind, times: Floats, positions: Floats, headings: Floats, because: str = ""
    ) -> Segment:
        return Segment(
            kind=kind,
            capability=self._skill.name,
            times=times,
            positions=positions,
            headings=headings,
            timing=Timing.FIXED,
            because=because,
            cost=self._cost(kind, times, positions),
        )

    def _cost(self, kind: Kind, times: Floats, positions: Floats) -> float:
        steps = np.diff(times)
        middles = (positions[1:] + positions[:-1]) / 2
        velocities = np.diff(positions, axis=0) / steps[:, None]
        when = (times[1:] + times[:-1]) / 2
        reach = self._skill.step_height
        ground = self._problem.world.support(middles, when, up=reach, down=reach)
        mode = "wait" if kind.waits else self._skill.name
        return float(
            (self._costs.rates(mode, middles, when, velocities, ground.body) * steps).sum()
        )
