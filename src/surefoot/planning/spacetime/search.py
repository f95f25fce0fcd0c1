"""One search: landmarks with start and goals, what is left at least, and the native search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np

from surefoot import _native
from surefoot.arrays import Bools, Floats
from surefoot.character import Capability
from surefoot.control import Configuration, Controllers
from surefoot.planning.cost import CostTable
from surefoot.planning.goals import Goal, Region
from surefoot.planning.problem import Problem
from surefoot.planning.spacetime.aims import aims_of
from surefoot.planning.spacetime.landmarks import Landmarks, landmarks_of
from surefoot.planning.spacetime.outcome import COUNTS, ENDS, HALTS, Hint, Leg, Outcome
from surefoot.planning.spacetime.rounds import POLISH, ROUNDS, Progress, Round, Settled
from surefoot.planning.spacetime.settings import SpaceTimeSettings
from surefoot.planning.spacetime.skills import FEET, Skill, cheapest_metre, native_skills, skills_of

WAITING = {"safe intervals": 0, "paper": 1, "no culling": 2}

LEAD = 2.5
"""[s] before bodies are near enough to each other one departs."""

BESIDE = 2.2
"""[m] farther apart than their bodies' edges landmarks may be to go from one to the other."""

LAG = 1.0
"""[s] after a departure to another body it counts how far apart the landmarks are."""

HALT = 0.5
"""[s] for which one can stand where a plan ends, at least."""

HALTING = 1.0
"""[s] that it takes longer to stand at a goal than to pass it, most likely."""

STANDS_AT = 0.5
"""[m]: how near to a landmark one stands who does not just end a stride."""

STOPPING = 1.5
"""[m] from where one arrives at a landmark one may stand who stays there, as bounds count on."""

LIKELY_SPEED, STARTING, CROSSING = 0.6, 0.5, 3.0
"""Which part of its fastest a controller goes, [s] that each way takes besides, and [s] of a way
from body to body: as runs in the built-in scenes take on average."""

EFFORT = 0.3
"""By how much a second under way is worse than one of waiting, where both cost the same."""

HINDERED, ROOM = 3.0, 0.1
"""[s] longer a way is likely to take where something stands on the straight line, and [m] of room
that one wants beside it: whoever walks sways."""

GAP, LATER = 0.8, 1.2
"""[m] between bodies that one goes from and to, most likely, and [s] after the departure."""

NEAREST = 3
"""Of the landmarks of another body so many are gone to at a time."""

SLOPE = 0.7
"""[m/m] of the way between two landmarks of one body."""


class Search:
    """One problem, ready to be searched.

    Args:
        problem: what is asked.
        controllers: that may be run.
        settings: how.
        start: the configuration to begin with; the character stands at the problem's start when
            not given.
        landmarks: of the world, for who plans in it again and again; found when not given.
        memory: of searches before from the same start; see `Replanner`.
        hints: ways to go along first, over the same landmarks.
    """

    def __init__(
        self,
        problem: Problem,
        controllers: Controllers,
        settings: SpaceTimeSettings,
        start: Configuration | None = None,
        landmarks: Landmarks | None = None,
        memory: _native.RunMemory | None = None,
        hints: Sequence[Hint] = (),
    ) -> None:
        self.problem, self.settings, self.memory = problem, settings, memory
        self.skills = skills_of(controllers, settings, problem)
        begun = time.perf_counter()
        self.landmarks, self._goals = self._with_goals(landmarks)
        self._first = len(self.landmarks) - 1
        self.start = start or self._standing(controllers)
        self.landmark_time = time.perf_counter() - begun
        self._refused: list[tuple[float, float, float, float]] = []
        self._hints = np.array(hints, dtype=np.float64).reshape(-1, 3)

    def refuse(self, leg: Leg) -> None:
        """Leaves a way out of searches from now on."""
        self._refused.append(leg.way)

    @cached_property
    def table(self) -> CostTable:
        """The cost as numbers."""
        problem = self.problem
        return problem.cost.table(problem.world, problem.character, tuple(problem.skills))

    def _standing(self, controllers: Controllers) -> Configuration:
        place = self.landmarks.place(self._first, self.problem.world)
        heading = self.problem.start_heading or 0.0
        return Configuration.standing(controllers.repertoire, place, heading)

    @property
    def latest(self) -> float:
        """[s] until when a plan may last."""
        return self.problem.end_time

    def _with_goals(self, marks: Landmarks | None) -> tuple[Landmarks, Bools]:
        """Landmarks with those of the goal and, last, the start; and which of them are goals."""
        problem, world = self.problem, self.problem.world
        if marks is None:
            lowest = least_able(problem.skills.values())
            marks = landmarks_of(world, lowest, self.settings, problem.start_time, self.latest)
        places, inside = aims_of(problem.goal, marks, problem)
        both = marks.with_places([*places, problem.start], world, problem.start_time)
        goals = np.zeros(len(both), dtype=np.bool_)
        goals[: len(marks)] = inside
        goals[len(marks) : len(marks) + len(places)] = True
        return both, goals

    @cached_property
    def radii(self) -> Floats:
        """`(n,)` [m]: how near to a landmark counts; negative for the controllers' own."""
        radii = np.full(len(self.landmarks), -1.0)
        leaf = self.problem.goal
        tolerance = leaf.tolerance if isinstance(leaf, Goal) else 0.4
        radii[self._goals] = tolerance
        return radii

    @property
    def _anywhere(self) -> bool:
        """Whether who boards is there anywhere; bounds count on who is near a landmark."""
        return self.settings.anywhere and self.settings.price == np.inf

    @cached_property
    def meetings(self) -> _native.Meetings:
        """When landmarks come within reach of each other."""
        settings, marks = self.settings, self.landmarks
        jumps = [skill.go.bounds for skill in self.skills]
        step = max(skill.step_height for skill in self.problem.skills.values())
        reach = np.array([
            settings.along, settings.across, max(b.rise for b in jumps),
            max(b.drop for b in jumps), SLOPE, step, max(b.reach for b in jumps) + FEET, LEAD,
            LAG, 2.0 * settings.inset + BESIDE, NEAREST, *self._room,
        ])  # fmt: skip
        return _native.Meetings(
            self.problem.world.native, marks.frames, marks.places, marks.bodies, reach,
            self.problem.start_time, self.latest,
        )  # fmt: skip

    @property
    def _room(self) -> tuple[float, float, float]:
        """Radius, height and step [m] that whoever gets past the most goes straight with."""
        able = [self.problem.skills[skill.go.task.capability] for skill in self.skills]
        return (
            min(one.radius for one in able) + ROOM, min(one.height for one in able),
            max(one.step_height for one in able),
        )  # fmt: skip

    @cached_property
    def ahead(self) -> Floats:
        """`(n,)`: what is left to a goal costs at least; infinite where nothing leads there."""
        near = max(self.settings.arrival or skill.go.task.arrival for skill in self.skills)
        near = max(near, self.settings.boarding)
        radii = np.where(self.radii < 0, near, self.radii)
        radii[self._first] = 0.0
        least = cheapest_metre(self.skills, self.table)
        return self.meetings.ahead(self._goals, radii, least)

    @cached_property
    def fastest(self) -> Floats:
        """`(4,)`: how fast anybody is; see native/spacetime/soonest.hpp."""
        near = max(self.settings.arrival or skill.go.task.arrival for skill in self.skills)
        speed = max(skill.go.bounds.speed for skill in self.skills)
        boarded = max(near, self.settings.boarding)
        return np.array([speed, 0.0, near + STOPPING, boarded + STOPPING])

    @cached_property
    def soonest(self) -> _native.Arrivals:
        """When a goal is reached at the earliest, from everywhere."""
        at_goal = np.array([float(self.radii.max()), *self._arrive])
        return _native.Arrivals(self.meetings, self._goals, at_goal, self.fastest)

    @cached_property
    def likely(self) -> _native.Likely:
        """What is left to a goal most likely costs, from everywhere."""
        speed = LIKELY_SPEED * self._cheapest.go.bounds.speed
        waiting = self.table.waiting_upper
        pace = np.array([
            speed, STARTING, CROSSING, GAP, LATER, waiting, HALTING, *self._arrive, HINDERED,
        ])  # fmt: skip
        dear = np.full(len(self.landmarks), self._dearer)
        bodies = self.landmarks.bodies
        dear[bodies >= 0] += self.table.on_body[bodies[bodies >= 0]]
        return _native.Likely(self.meetings, self._goals, self._first, self.fastest, dear, pace)

    @property
    def lasting(self) -> float:
        """[s] that it most likely takes to a goal; infinite where none is by the horizon's end."""
        left = self.likely.left(self._first, self.problem.start_time)
        return left / self.table.waiting_upper

    @property
    def _arrive(self) -> tuple[float, float]:
        goal = self.problem.goal
        return goal.arrive if isinstance(goal, Goal | Region) else (-np.inf, np.inf)

    @cached_property
    def _cheapest(self) -> Skill:
        """That goes a metre for the least."""
        return min(self.skills, key=self._metre)

    def _metre(self, skill: Skill) -> float:
        return self.table.cheapest_metre(skill.go.task.capability, skill.go.bounds.speed)

    def _least(self) -> float:
        """No plan costs less: nobody is at a goal before, and no second costs less than a wait."""
        goals = np.flatnonzero(self._goals).tolist()
        soonest = min((self.likely.soonest(goal) for goal in goals), default=np.inf)
        soonest = max(soonest, self._arrive[0])
        if not np.isfinite(soonest):
            return 0.0
        return self.table.waiting_upper * (soonest - self.problem.start_time)

    @property
    def _dearer(self) -> float:
        """[1/s]: what going costs beyond waiting, and a little for being under way at all."""
        waiting = self.table.waiting_upper
        going = self._metre(self._cheapest) * self._cheapest.go.bounds.speed
        return going - waiting + EFFORT * waiting

    def run(
        self,
        cancel: Callable[[], bool] | None = None,
        *,
        recorded: bool = False,
        memory: _native.RunMemory | None = None,
        most: int | None = None,
        progress: Progress | None = None,
    ) -> Outcome:
        """Searches.

        Args:
            cancel: asked now and then.
            recorded: keep what was expanded and evaluated, for a look at it.
            memory: what was run before; the search's own when not given.
            most: trajectories that may be evaluated; as the problem limits it when not given.
            progress: how far it has come before, to be gone on with; with the same memory.
        """
        most = self.problem.limits.evaluations if most is None else most
        begun = time.perf_counter()
        ahead = self.ahead
        soonest = self.soonest if self.settings.price < np.inf else None
        heuristic = time.perf_counter() - begun
        memory = self.memory if memory is None else memory
        memory = _native.RunMemory() if memory is None else memory
        progress = progress or Progress()
        if not progress.begun:
            memory.begin_plan()
            progress.begun = True
        rounds = self._rounds(most)
        while progress.at < len(rounds) and not progress.done:
            native = self._native_settings(recorded)
            style = POLISH if progress.polishes else rounds[progress.at]
            # What a stopped round has tried comes again, in this one.
            share = most - progress.tried_before
            if progress.reached:
                share = min(share, self.settings.polish - progress.anew_before)
                native.below = progress.below
            if share <= 0 or (progress.best is not None and cancel is not None and cancel()):
                break
            if not progress.reached:
                share = min(share, style.most)
            native.haste = max(self.settings.haste * style.haste, 1.0)
            native.preparation = style.preparation or self.settings.preparation
            native.most_evaluations = int(min(share, progress.allowed))
            memory.begin_round()
            one = self._searched(native, memory, soonest, cancel, style.doubt)
            if not progress.note(one, memory, native.most_evaluations < share):
                memory.take_back_round()
                break
        assert progress.best is not None
        found, settling = progress.best
        searched = time.perf_counter() - begun
        statistics: dict[str, int | float] = dict(zip(COUNTS, found.counts, strict=True))
        statistics |= {
            "trajectories_evaluated": progress.tried,
            "landmarks": len(self.landmarks),
            "landmarks_ms": round(1e3 * self.landmark_time, 3),
            "heuristic_ms": round(1e3 * heuristic, 3),
            "search_ms": round(1e3 * (searched - heuristic), 3),
            "least_cost": found.least,
            "trajectories_recalled": progress.recalled,
        }
        legs = self._legs(found, settling)
        last = int(found.labels[found.path[-1], 0])
        return Outcome(
            ENDS[found.end], legs, settling[-1][0], found.arrives, float(ahead[last]), statistics,
            found,
        )  # fmt: skip

    def _rounds(self, most: int) -> tuple[Round, ...]:
        """How it is searched in turn, the last one to the end of all that may be tried."""
        if self.settings.price < np.inf or self.settings.waiting != "safe intervals":
            return (Round(most=most),)
        return (*ROUNDS, Round(most=most))

    def _searched(
        self, settings: _native.SearchSettings, memory: _native.RunMemory,
        soonest: _native.Arrivals | None, cancel: Callable[[], bool] | None, doubt: float,
    ) -> tuple[_native.Found, list[Settled]]:  # fmt: skip
        problem = self.problem
        return _native.search_runs(
            world=problem.world.native,
            meetings=self.meetings,
            skills=native_skills(self.skills, problem, self.table, self.settings),
            waiting=float(self.table.constant[0]),
            per_speed_squared=self.table.per_speed_squared,
            on_body=self.table.on_body,
            jumping=self.skills[0].go.repertoire.of_modes(("jump",)),
            own=self._own if self.table.functions else None,
            radii=self.radii,
            ahead=self.ahead,
            soonest=soonest,
            likely=self.likely,
            second=self.table.waiting_upper,
            memory=memory,
            goals=self._goals,
            start=self.start.packed(problem.world, problem.start_time),
            landmark=self._first,
            refused=np.array(self._refused, dtype=np.float64).reshape(-1, 4),
            hints=self._hints,
            settings=settings,
            spread=self.settings.spread,
            readying=self.settings.readying,
            boarding=self.settings.boarding,
            anywhere=self._anywhere,
            stands_at=STANDS_AT,
            doubt=doubt,
            cancel=cancel,
        )

    def _legs(self, found: _native.Found, settling: list[Settled]) -> tuple[Leg, ...]:
        legs: list[Leg] = []
        labels = found.labels
        for i, (parent, label) in enumerate(zip(found.path[:-1], found.path[1:], strict=True)):
            before, row = labels[parent], labels[label]
            skill, here, aim = self.skills[int(row[4])], int(row[0]), int(row[8])
            near = self.settings.arrival or skill.go.task.arrival
            own = float(self.radii[aim])
            frames = self.landmarks.frames
            crosses = own < 0 and frames[aim] != frames[int(before[0])]
            if crosses:
                near = max(near, self.settings.boarding)
            legs.append(
                Leg(
                    skill=skill, arrived=float(before[1]), departs=float(row[5]),
                    arrives=float(row[1]), settling=settling[i][0], least=settling[i + 1][1],
                    halt=HALTS[settling[i + 1][2]], halted=settling[i + 1][3],
                    stands=STANDS_AT if own < 0 else own,
                    target=self.landmarks.place(aim, self.problem.world),
                    at=self.landmarks.place(here, self.problem.world),
                    boards=crosses and self._anywhere,
                    arrival=near if own < 0 else min(own, near), cost=float(row[2] - before[2]),
                    way=(float(before[0]), float(aim), float(row[4]), float(row[5])),
                )
            )  # fmt: skip
        return tuple(legs)

    def _native_settings(self, recorded: bool) -> _native.SearchSettings:
        problem, settings = self.problem, self.settings
        native = _native.SearchSettings()
        native.waiting = WAITING[settings.waiting]
        native.start, native.latest = problem.start_time, self.latest
        native.earliest_goal, native.latest_goal = self._arrive
        native.halt = HALT
        native.tick, native.wait = settings.tick, settings.wait
        native.preparation, native.closed = settings.preparation, settings.closed
        native.culled_heuristic = settings.culled_heuristic
        native.alike = settings.preparation
        native.waiting_cost = self.table.waiting_upper
        native.least = self._least()
        native.price, native.haste = settings.price, settings.haste
        limits = problem.limits
        native.most_nodes, native.most_evaluations = limits.nodes, limits.evaluations
        native.most_bytes, native.recorded = limits.memory, recorded
        return native

    def _own(self, skill: int, times: Floats, points: Floats, velocities: Floats) -> float:
        """What functions of the user's own charge for a way, whose moments are even."""
        mode = self.skills[skill].go.task.capability
        each = np.gradient(times) if len(times) > 1 else np.ones(1)
        rates = [
            sum(term.rate(x, float(t), mode, v) for term in self.table.functions)
            for x, t, v in zip(points, times, velocities, strict=True)
        ]
        return float(np.dot(rates, each))


def least_able(skills: Iterable[Capability]) -> Capability:
    """Where this one can stand, all can."""
    return min(skills, key=lambda skill: skill.max_slope)
