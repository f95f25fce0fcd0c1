"""From a way and its schedule to the segments of a plan."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Capability
from surefoot.planning import Flight
from surefoot.planning.frames import headings_to_world, turn_between
from surefoot.planning.goals import Goal, Region
from surefoot.planning.grid.pacing import Stretch, Timed
from surefoot.planning.grid.timing import Pause, Schedule
from surefoot.planning.grid.way import Way
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Kind, Segment, Timing
from surefoot.world import Place

LEAST_TURN = 0.2
"""[rad] Smaller turns are part of the walk."""


class Assembly:
    """Makes segments of one problem, each with its cost.

    Args:
        problem: whose world, cost and start count.
        skill: in which one stands and turns.
    """

    def __init__(self, problem: Problem, skill: Capability) -> None:
        self._problem, self._skill = problem, skill
        self._costs = problem.cost.table(problem.world, problem.character, tuple(problem.skills))

    def facing(self) -> float | None:
        """[rad] How one stands at the start, in the world; None where it does not matter."""
        problem = self._problem
        if problem.start_heading is None:
            return None
        heading, now = np.array([problem.start_heading]), np.array([problem.start_time])
        return float(headings_to_world(problem.world, problem.start.body, heading, now)[0])

    def first_turn(self, way: Way, facing: float | None, t: float) -> Segment | None:
        """The turn from the way one stands to the way one will go."""
        if facing is None or way.length == 0:
            return None
        ahead = float(way.line.headings(np.zeros(1))[0])
        return self.turn(way.line.points[0], facing, ahead, t, way.pieces[0].skill)

    def parts(self, way: Way, schedule: Schedule) -> list[Segment]:
        """What is done, and waits."""
        segments: list[Segment] = []
        for part in schedule.parts:
            if isinstance(part, Stretch):
                segments += [self._done(timed) for timed in part.parts]
            else:
                segments.append(self._wait(way, part))
        return segments

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
            turn = self.turn(point, heading, float(wanted), t, self._skill)
            if turn is not None:
                segments.append(turn)
                heading, t = float(wanted), turn.end
        if goal.arrive[0] > t:
            segments.append(
                self._segment(
                    Kind.WAIT,
                    self._skill,
                    np.array([t, goal.arrive[0]]),
                    np.stack([point, point]),
                    np.array([heading, heading]),
                    because=f"arriving counts from {goal.arrive[0]:g} s on",
                )
            )
        return segments

    def turn(
        self, point: Floats, start: float, end: float, t: float, skill: Capability
    ) -> Segment | None:
        """A turn on the spot, at half the fastest rate; None where it is not worth one."""
        angle = float(turn_between(start, end))
        if abs(angle) < LEAST_TURN:
            return None
        duration = abs(angle) / (0.5 * skill.turn_rate)
        steps = max(2, int(np.ceil(abs(angle) / 0.2)) + 1)
        return self._segment(
            Kind.TURN,
            skill,
            np.linspace(t, t + duration, steps),
            np.tile(point, (steps, 1)),
            np.linspace(start, start + angle, steps),
        )

    def _done(self, timed: Timed) -> Segment:
        flights = () if timed.flight is None else (self._flight(timed, *timed.flight),)
        return self._segment(
            timed.piece.kind,
            timed.piece.skill,
            timed.times,
            timed.positions,
            timed.headings,
            flights=flights,
        )

    def _flight(self, timed: Timed, start: float, end: float) -> Flight:
        leap = timed.piece.leap
        assert leap is not None
        return Flight(
            take_off=self._place(leap.take_off, start),
            landing=self._place(leap.landing, end),
            start=start,
            end=end,
        )

    def _place(self, point: Floats, t: float) -> Place:
        """A spot on the ground, as a place on what carries it."""
        world = self._problem.world
        ground = world.support(point, t, up=0.01, down=0.01)
        return world.attach(point, world.names[int(ground.body)] if ground.hit else None, t)

    def _wait(self, way: Way, part: Pause) -> Segment:
        at = np.array([part.at, part.at])
        return self._segment(
            Kind.WAIT,
            part.skill,
            np.array([part.start, part.end]),
            way.line.at(at),
            way.line.headings(at),
            because=f"{part.body!r} is in the way until then",
        )

    def _segment(
        self,
        kind: Kind,
        skill: Capability,
        times: Floats,
        positions: Floats,
        headings: Floats,
        *,
        because: str = "",
        flights: tuple[Flight, ...] = (),
    ) -> Segment:
        return Segment(
            kind=kind,
            capability=skill.name,
            times=times,
            positions=positions,
            headings=headings,
            timing=Timing.FIXED,
            because=because,
            flights=flights,
            cost=self._cost(kind, skill, times, positions),
        )

    def _cost(self, kind: Kind, skill: Capability, times: Floats, positions: Floats) -> float:
        steps = np.diff(times)
        middles = (positions[1:] + positions[:-1]) / 2
        velocities = np.diff(positions, axis=0) / steps[:, None]
        when = (times[1:] + times[:-1]) / 2
        reach = skill.step_height
        ground = self._problem.world.support(middles, when, up=reach, down=reach)
        mode = "wait" if kind.waits else skill.name
        return float(
            (self._costs.rates(mode, middles, when, velocities, ground.body) * steps).sum()
        )
