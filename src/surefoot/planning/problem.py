"""Problems: who is to go where, from where and when, and what counts as a good way."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from surefoot import arrays, schema
from surefoot.arrays import expect, number
from surefoot.character import Capability, Character
from surefoot.errors import ProblemError, one_of
from surefoot.planning import costs, standing, wording
from surefoot.planning.cost import Cost
from surefoot.planning.goals import (
    AnyGoal,
    Goal,
    GoalLike,
    Region,
    leaves,
    read_goal,
    resolve_goal,
)
from surefoot.planning.limits import Limits
from surefoot.planning.places import PlaceLike, resolve_place
from surefoot.world import Place, World

VERSION = 1
"""Of the problem files that this surefoot writes and reads."""

_LOOKS = 61
"""Moments at which a goal in a moving world is looked at for ground."""


@schema.record("problem")
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Problem:
    """What a planner is asked. It is well posed once it exists: bad ones raise `ProblemError`.

    Attributes:
        world: what surrounds the character.
        character: who is to go.
        start: where it stands, on the surface that carries it. It may be given as a point or a
            name, see `PlaceLike`, and is then the place that this means at the start time.
        goal: where to. A place, a point or a name stands for a `Goal` there.
        start_time: [s].
        start_heading: [rad] in the frame of the start's body; None where it does not matter.
        cost: what counts; time by default.
        horizon: [s], > 0: how long after the start a plan may end.
        limits: how much work is allowed.
        capabilities: those it may use, None for all that the character has.
    """

    world: World
    character: Character
    start: Place
    goal: AnyGoal
    start_time: float = 0.0
    start_heading: float | None = None
    cost: Cost = field(default_factory=costs.time)
    horizon: float = 60.0
    limits: Limits = field(default_factory=Limits)
    capabilities: tuple[str, ...] | None = None

    if TYPE_CHECKING:  # takes more than the attributes hold in the end

        def __init__(
            self,
            *,
            world: World,
            character: Character,
            start: PlaceLike,
            goal: GoalLike,
            start_time: float = 0.0,
            start_heading: float | None = None,
            cost: Cost = ...,
            horizon: float = 60.0,
            limits: Limits = ...,
            capabilities: Iterable[str] | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        expect(self.world, World, "world", error=ProblemError)
        expect(self.character, Character, "character", error=ProblemError)
        expect(self.cost, Cost, "cost", "such as sf.costs.time()", error=ProblemError)
        expect(self.limits, Limits, "limits", error=ProblemError)
        put(self, "start_time", arrays.time(self.start_time, "start_time", error=ProblemError))
        put(self, "horizon", arrays.time(self.horizon, "horizon", above=0.0, error=ProblemError))
        if self.start_heading is not None:
            number(self.start_heading, "start_heading", error=ProblemError)
        if self.capabilities is not None:
            put(self, "capabilities", tuple(self.capabilities))
        self._check_skills()
        skills = self.skills.values()
        start = resolve_place(self.start, self.world, [self.start_time], skills, "start")
        put(self, "start", start)
        put(self, "goal", resolve_goal(read_goal(self.goal), self._place_of))
        for leaf in leaves(self.goal):
            _check_goal(self, leaf)
        _check_start(self)

    @property
    def end_time(self) -> float:
        """The last moment a plan may end [s]."""
        return self.start_time + self.horizon

    @property
    def skills(self) -> dict[str, Capability]:
        """The capabilities it may use, by name, in the character's order."""
        known = self.character.capabilities
        allowed = known if self.capabilities is None else self.capabilities
        return {name: known[name] for name in known if name in allowed}

    def __repr__(self) -> str:
        start = wording.place(self.start, self.world, self.start_time)
        goal = wording.goal(self.goal, self.world, self.start_time)
        return f"Problem({self.character.name!r}, {start} to {goal} in {self.world!r})"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the problem, its world and its character as JSON."""
        schema.write(path, self, kind="problem", version=VERSION)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Problem:
        """The problem in a file, to the same bits."""
        return schema.read(path, cls, kind="problem", version=VERSION)

    def _place_of(self, goal: Goal) -> Place:
        """The place of a goal that was given as a point or a name."""
        times = _moments(self, goal) if _anything_moves(self.world) else [self.start_time]
        skills = self.skills.values()
        return resolve_place(goal.place, self.world, [self.start_time, *times], skills, "goal")

    def _check_skills(self) -> None:
        known = self.character.capabilities
        for name in self.capabilities or ():
            if name not in known:
                raise ProblemError(
                    f"character {self.character.name!r}: {one_of('capability', name, known)}"
                )
        if self.capabilities == ():
            raise ProblemError(f"no capability allowed; there are: {', '.join(known)}")
        # Asking for the bounds finds capabilities that the cost names and nobody has.
        for name in self.skills:
            self.cost.lower(name, self.character)


def _check_start(problem: Problem) -> None:
    world, place, t = problem.world, problem.start, problem.start_time
    point = world.position(place, t)
    skills = problem.skills.values()
    reasons = [standing.why_not(world, point, t, skill) for skill in skills]
    if all(reasons):
        here = wording.place(place, world, t)
        raise ProblemError(f"start {here} {reasons[0]}{wording.instead(world, point, t, skills)}")


def _check_goal(problem: Problem, goal: Goal | Region) -> None:
    earliest, latest = goal.arrive
    if latest < problem.start_time or earliest > problem.end_time:
        raise ProblemError(
            f"goal {goal} is to be reached between {earliest:g} s and {latest:g} s, outside the"
            f" plan's {problem.start_time:g} s to {problem.end_time:g} s"
        )
    world = problem.world
    if isinstance(goal, Region):
        goal.bodies(world)
        return
    body = goal.place.body
    if body is not None and body not in world:
        raise ProblemError(f"goal: {one_of('body', body, world.bodies)}")
    # What lies under a goal may come and go: one moment with ground is enough.
    moments = _moments(problem, goal)
    times = np.array(moments if _anything_moves(world) else moments[:1])
    points = world.positions([goal.place] * len(times), times)
    reach = max(skill.step_height for skill in problem.skills.values())
    if not world.support(points, times, up=reach, down=reach).hit.any():
        point, t = points[0], float(times[0])
        here = wording.goal(goal, world, t)
        raise ProblemError(
            f"goal {here} has no floor{wording.instead(world, point, t, problem.skills.values())}"
        )


def _moments(problem: Problem, goal: Goal) -> list[float]:
    """Moments of the time in which a goal may be reached [s]."""
    earliest, latest = goal.arrive
    span = max(earliest, problem.start_time), min(latest, problem.end_time)
    return np.linspace(*span, _LOOKS).tolist()


def _anything_moves(world: World) -> bool:
    return any(body.trajectory.moving for body in world)
