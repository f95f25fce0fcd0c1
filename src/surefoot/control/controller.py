"""Controllers: policies over a repertoire for one task each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from surefoot import _native, arrays
from surefoot.arrays import ArrayLike, Floats, Ints, floats, number
from surefoot.character import Capability, Character
from surefoot.control.bounds import Bounds, bounds_of
from surefoot.control.configuration import Configuration, framed
from surefoot.control.repertoire import Repertoire
from surefoot.control.rollout import Adapted, Rollout
from surefoot.control.task import TOO_BAD, Obstacle, Task
from surefoot.control.training import Learned
from surefoot.errors import InputError
from surefoot.world import Place, World

ATTEMPTS = 5
"""To adapt to what is there, for each choice that a fit has (levine2011, section 4.2)."""

LONGEST = 25.0
"""[s] that a rollout takes at most."""

WITHIN = 0.4
"""By how much a constant may lie beyond the ends of its axis, where it counts as the end: feet find
ground that is a step higher or lower."""

TOLERANCE = 0.005
"""[s] to which contacts are told."""

_SUBJECTS = {"target": 0, "obstacle": 1}
_SOURCES = {"constant": 0, "clock": 1, "aside": 2, "behind": 3, "bearing": 4, "apart": 5}
_HANDOVERS = {"never": 0, "clear": 1, "beyond": 2, "near": 3}
_NOWHERE = Obstacle(1e3, 1e3)
_NO_DEPTH = np.zeros(0, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Controller:
    """A policy for one task: what to do next, whatever the character has just done.

    Attributes:
        task: what it was trained for.
        repertoire: what it can do.
        learned: values and policy.
        then: who goes on once the obstacle is behind; see `Task.handover`.
    """

    task: Task
    repertoire: Repertoire
    learned: Learned
    then: Controller | None = None

    @property
    def name(self) -> str:
        """Its task's."""
        return self.task.name

    @cached_property
    def bounds(self) -> Bounds:
        """What it can do at best."""
        usable = self.task.usable(self.repertoire)
        if self.then is not None:
            usable = usable | self.then.task.usable(self.repertoire)
        return bounds_of(self.repertoire, self.learned.actions, usable)

    @cached_property
    def native(self) -> _native.Controller:
        """As rollouts take it."""
        solution = self.learned.solution
        return _native.Controller(
            moves=self.repertoire.native,
            learned=solution.native,
            values=solution.values.reshape(-1),
            policy=solution.policy.reshape(-1),
            actions=self.learned.actions,
            subject=_SUBJECTS[self.task.subject],
            sources=[_SOURCES[source] for source in self.task.sources],
            then=None if self.then is None else self.then.native,
            when=0 if self.then is None else _HANDOVERS[self.task.handover],
            size=self.task.size,
            depths=_NO_DEPTH if self.learned.depth is None else self.learned.depth.reshape(-1),
            too_bad=TOO_BAD,
            discount=self.task.discount,
            arrival=self.task.arrival,
            standing=self.task.standing,
        )

    def choose(self, action: int, task: ArrayLike) -> int:
        """What to do after an action for a task; -1 where nothing can be done."""
        if not 0 <= action < self.repertoire.actions:
            raise InputError(f"there is no action {action}; there are {self.repertoire.actions}")
        state = int(self.repertoire.ends[self.repertoire.action_moves[action]])
        numbers = floats(task, "task")
        if numbers.shape != (len(self.task.space.axes),):
            names = ", ".join(axis.name for axis in self.task.space.axes)
            raise InputError(f"a task of {self.name!r} has {names}, got {numbers.shape} numbers")
        return self.native.choose(state, numbers, self.task.arrival)

    def rollout(
        self,
        start: Configuration,
        target: Place | ArrayLike = (0.0, 0.0, 0.0),
        *,
        obstacle: Obstacle | None = None,
        t: float = 0.0,
        arrival: float | None = None,
        longest: float = LONGEST,
        wait: float | None = None,
        boards: bool = False,
        world: World | None = None,
        character: Character | None = None,
    ) -> Rollout:
        """What it does from a configuration, with given task parameters.

        Args:
            start: where it begins, and what is under way there, which goes on to its end first.
            target: where to go.
            obstacle: the controller's idea of what is in the way, in the frame of what carries the
                character at the start; none when not given.
            t: [s] when it begins.
            arrival: [m]: how near to the target it ends; the task's when not given.
            longest: [s] after which no new move is made.
            wait: [s]: it ends after this time and not at the target.
            boards: it ends wherever on what carries the target the first move ends that leads
                there; `arrival` still says what it goes for.
            world: where: ends where the body collides or a foot finds no ground; endless level
                ground when not given.
            character: who, in a world.
        """
        about = _NOWHERE if obstacle is None else obstacle
        place = floats([about.x, about.y, 0.0, about.direction], "obstacle")
        lasts = -1.0 if wait is None else arrays.time(wait, "wait", at_least=0.0)
        if (world is None) != (character is None):
            raise InputError("a rollout in a world needs both a world and a character")
        native = self.native.roll(
            None if world is None else world.native,
            start.packed(world, t),
            arrays.time(t, "t"),
            self._target(target, arrival, world, t, boards),
            place,
            self._constants(about, wait),
            _needs(self.task, character),
            np.array([arrays.time(longest, "longest", at_least=0.0), lasts, TOLERANCE]),
        )
        return Rollout(native, world, self.repertoire, t, self.native)

    def adapt(
        self,
        world: World,
        character: Character,
        start: Configuration,
        target: Place,
        *,
        t: float = 0.0,
        arrival: float | None = None,
        longest: float = LONGEST,
        attempts: int = ATTEMPTS,
        boards: bool = False,
    ) -> Adapted:
        """Finds task parameters that lead to the target through what is there (levine2011, 4.2).

        Rays to the target give the first samples of where the character cannot be; the task's
        obstacle is fitted to them, the controller rolled out, and where that fails is one more
        sample. Exact queries decide: what succeeds touches nothing, and all its feet find ground.

        Args:
            world: samples are at their times, so what moves is where it will be.
            character: whose capability is needed.
            start: see `rollout`.
            target: see `rollout`; what carries it must carry the character in the end.
            t: [s] when it begins.
            arrival: [m]; the task's when not given.
            longest: [s] after which no new move is made.
            attempts: rollouts to try, >= 1, for each choice that the fit has.
            boards: see `rollout`.
        """
        native = self.native.adapt(
            world.native,
            start.packed(world, t),
            arrays.time(t, "t"),
            self._target(target, arrival, world, t, boards),
            *self.how(attempts),
            _needs(self.task, character),
            np.array([arrays.time(longest, "longest", at_least=0.0), -1.0, TOLERANCE]),
        )
        rollout = Rollout(native.rollout, world, self.repertoire, t, self.native)
        obstacle = None
        if native.fitted:
            x, y, _, direction = native.obstacle.tolist()
            obstacle = Obstacle(x, y, direction, tuple(native.constants[self._others :].tolist()))
        return Adapted(rollout, obstacle, native.samples, native.attempts)

    def adapt_many(
        self,
        world: World,
        character: Character,
        starts: Floats,
        targets: Floats,
        times: Floats,
        *,
        longest: float = LONGEST,
        attempts: int = ATTEMPTS,
        threads: int = 1,
    ) -> tuple[Ints, Floats, Floats, Ints]:
        """Adapts to many targets at once, without Python in between; for planners.

        Args:
            world: see `adapt`.
            character: see `adapt`.
            starts: `(n, 7)`: `Configuration.packed`.
            targets: `(n, 7)`: `packed_target`.
            times: `(n,)` [s] when each begins.
            longest: see `adapt`.
            attempts: see `adapt`.
            threads: to use; the result has the same bits at any number.

        Returns:
            for each how it ends (an index of `ENDINGS`), when [s], the packed configuration there
            `(n, 7)`, and how many rollouts were tried.
        """
        return self.native.adapt_many(
            world.native, starts, times, targets, *self.how(attempts),
            _needs(self.task, character), np.array([longest, -1.0, TOLERANCE]), threads,
        )  # fmt: skip

    def packed_target(
        self, target: Place, world: World, t: float, arrival: float | None = None
    ) -> Floats:
        """`(7,)`: a target as `adapt_many` takes it."""
        return self._target(target, arrival, world, t)

    @property
    def _others(self) -> int:
        """How many axes after the place are no constants."""
        return sum(source != "constant" for source in self.task.sources)

    def needs(self, character: Character | None) -> Floats:
        """`(5,)`: radius, height, step, steepest slope and length of a foot, for rollouts."""
        return _needs(self.task, character)

    def how(self, attempts: int = ATTEMPTS) -> tuple[Any, float, bool, bool, int, int]:
        """How it adapts, as native adaptation takes it.

        Fit, size, sides, rays, attempts, and how many axes after the place are no constants.
        """
        fit = self.task.native_fit
        tries = arrays.count(attempts, "attempts", at_least=1)
        own = self._python_fit if fit is None else fit
        return own, self.task.size, self.task.sides, self.task.rays, tries, self._others

    def _python_fit(
        self, samples: Floats, start: Sequence[float], target: Sequence[float], side: int
    ) -> list[float] | None:
        found = self.task.fit(samples, np.array(start), np.array(target), side)
        return None if found is None else [found.x, found.y, 0.0, found.direction, *found.constants]

    def _target(
        self, target: Place | ArrayLike, arrival: float | None, world: World | None, t: float,
        boards: bool = False,
    ) -> Floats:  # fmt: skip
        place = (
            target if isinstance(target, Place) else Place(None, arrays.position(target, "target"))
        )
        frame, position, _ = framed(world, place, t)
        radius = number(self.task.arrival if arrival is None else arrival, "arrival", above=0.0)
        return np.array([frame, *position, radius, self.bounds.speed, boards])

    def _constants(self, obstacle: Obstacle, wait: float | None) -> Floats:
        wanted = sum(source == "constant" for source in self.task.sources)
        given = list(obstacle.constants) or [0.0] * wanted
        if len(given) != wanted:
            raise InputError(
                f"controller {self.name!r} has {wanted} constant parameters, got {len(given)}"
            )
        free = zip(self.task.sources, self.task.space.free, strict=True)
        constants = [axis for source, axis in free if source == "constant"]
        for axis, value in zip(constants, given, strict=True):
            if not axis.points[0] - WITHIN <= value <= axis.points[-1] + WITHIN:
                raise InputError(
                    f"controller {self.name!r}: {axis.name} must be within"
                    f" {axis.points[0]:g} to {axis.points[-1]:g}, got {value:g}"
                )
        values = [given.pop(0) if source == "constant" else (wait or 0.0) * (source == "clock")
                  for source in self.task.sources]  # fmt: skip
        return np.array(values, dtype=np.float64)


def _needs(task: Task, character: Character | None) -> Floats:
    """As native rollouts take it: radius, height, step, steepest slope, length of a foot."""
    if character is None:
        return np.array([0.3, 1.8, 0.3, 0.5, 0.25])
    skill: Capability = character.capability(task.capability)
    return np.array(
        [skill.radius, skill.height, skill.step_height, skill.max_slope,
         character.measures.foot_length]
    )  # fmt: skip
