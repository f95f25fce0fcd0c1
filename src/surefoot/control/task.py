"""Tasks: what a controller is trained for, as a short class.

A new controller is a subclass of `Task` that says what its task parameters are (`space`), which
moves it may use, what they are worth (`reward`), and how its own idea of an obstacle is fitted to
samples of where it failed (`fit`); see examples/04_crouch_controller.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Bools, Floats, Ints, number
from surefoot.control.repertoire import Repertoire
from surefoot.errors import InputError
from surefoot.learning import Early, Solution, TaskSpace
from surefoot.motion.steps.step import Mode

Subject = Literal["target", "obstacle"]
Source = Literal["constant", "clock", "aside", "behind", "bearing", "apart"]
Handover = Literal["never", "clear", "beyond", "near"]

SAMPLES = 13
"""At how many even moments the way of an action is known to rewards."""

TOO_BAD = -30.0
"""[s] What an action is worth that must not be."""


NEVER = 600.0
"""[s] What takes longer is never done."""


def elapsed(times: Floats, discount: float) -> Floats:
    """What times [s] from now on count as when later ones count less."""
    rate = -np.log(discount)
    return times if rate == 0.0 else (1.0 - np.exp(-rate * times)) / rate


def time_of(counted: Floats, discount: float) -> Floats:
    """[s] Which time counts as that; see `elapsed`."""
    rate = -np.log(discount)
    if rate == 0.0:
        return counted
    return -np.log(np.clip(1.0 - rate * counted, np.exp(-rate * NEVER), None)) / rate


class Obstacle(NamedTuple):
    """A controller's idea of what is in its way.

    Attributes:
        x: [m] of a point of it.
        y: [m].
        direction: [rad], of a line's normal.
        constants: the other task parameters that do not change, in the order of their axes.
    """

    x: float
    y: float
    direction: float = 0.0
    constants: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Actions:
    """What rewards know about the actions of a task; each in the frame of its beginning.

    Attributes:
        repertoire: whose they are.
        chosen: `(a,)`: their numbers there.
        discount: per second; see `elapsed`.
        others: `(a,)`: which of them are not the task's own, and only lead to those; none when
            not given.
    """

    repertoire: Repertoire
    chosen: Sequence[int]
    discount: float
    others: Bools | None = None

    def __len__(self) -> int:
        return len(self.chosen)

    @cached_property
    def paths(self) -> Floats:
        """`(a, SAMPLES, 4)`: x, y, z [m] and heading [rad] at even times."""
        return self.repertoire.paths(SAMPLES)[list(self.chosen)]

    @cached_property
    def durations(self) -> Floats:
        """`(a,)` [s]."""
        return self.repertoire.durations[list(self.chosen)]

    @cached_property
    def times(self) -> Floats:
        """`(a, SAMPLES)` [s] of the paths."""
        return self.durations[:, None] * np.linspace(0.0, 1.0, SAMPLES)

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """`(a,)`."""
        return tuple(self.repertoire.move(action).mode for action in self.chosen)

    @cached_property
    def top_speed(self) -> float:
        """[m/s] of the task's own fastest action on average."""
        ends = self.paths[:, -1]
        speeds: Floats = np.hypot(ends[:, 0], ends[:, 1]) / self.durations
        own = speeds if self.others is None else speeds[~self.others]
        return max(float(own.max(initial=0.0)), 0.1)

    def standing(self, index: int) -> Bools:
        """`(SAMPLES,)`: when a foot stands on the ground."""
        feet = self.feet(index)
        # At its end an action stands on what it stood on before.
        times = np.minimum(self.times[index], self.durations[index] - 1e-6)[:, None]
        return ((feet[:, 1] <= times + 1e-9) & (times < feet[:, 2] - 1e-9)).any(axis=1)

    def feet(self, index: int) -> Floats:
        """`(k, 7)`: foot, when it lands and leaves [s], and x, y, z, heading where it stands."""
        return self.repertoire.native.feet(int(self.chosen[index]))

    def elapsed(self, times: Floats) -> Floats:
        """What times [s] from now on count as when later ones count less, as rewards do."""
        return elapsed(times, self.discount)


class Worth(NamedTuple):
    """What actions are worth.

    Attributes:
        reward: `(a, tasks)` [s]: negative where it costs time.
        ends: `(a, tasks)`: where the task is done with this action; None where it never is.
        depth: `(a, places)`: how deep an action gets into what must not be, by the place of the
            task (its first two axes): from 0 on it costs, from 1 on as much as `TOO_BAD`. It may
            be told in `reward` alone; told here, it is known between the points of the grid too,
            where rewards that fall steeply are not. None where nothing is forbidden so.
        columns: `(tasks,)`: of `reward` and `ends`, each task's, where they differ by the place and
            some other axes only; see `columns_of`. None where every task has its own.
        early: tasks that actions come to the end of on their way; None where that does not matter.
    """

    reward: Floats | npt.NDArray[np.float32]
    ends: Bools | None = None
    depth: Floats | npt.NDArray[np.float32] | None = None
    columns: Ints | None = None
    early: Early | None = None

    @property
    def acting(self) -> Floats | npt.NDArray[np.float32]:
        """`(a, tasks)` [s]: reward and what is forbidden, in the precision that is kept."""
        if self.depth is None:
            return self.reward
        forbidden = np.float32(TOO_BAD) * np.clip(self.depth.astype(np.float32), 0.0, 1.0)
        each = self.reward.shape[1] // self.depth.shape[1]
        return self.reward.astype(np.float32) + np.repeat(forbidden, each, axis=1)


def columns_of(space: TaskSpace, names: Sequence[str]) -> Ints:
    """`(tasks,)`: which point each task is of the grid of some axes only, in their order."""
    index = np.zeros(space.shape, dtype=np.int32)
    for k, axis in enumerate(space.axes):
        if axis.name in names:
            along = [1] * len(space.axes)
            along[k] = -1
            index = index * len(axis.points) + np.arange(len(axis.points)).reshape(along)
    return index.reshape(-1).astype(np.int32)


@dataclass(frozen=True, kw_only=True)
class Task(ABC):
    """What a controller is trained for. Subclass it; the fields are its parameters.

    Attributes:
        name: of the controller.
        capability: whose bounding cylinder, slopes and speed hold for it.
        modes: of the moves it may use.
        required: modes that it cannot do without.
        discount: of rewards, per second, in 0..1.
        smoothness: [s], >= 0: what the dearest transition costs; cheaper ones as the square, and
            those between poses that are alike nothing.
        arrival: [m], > 0: how near to the target it ends.
        size: of its idea of an obstacle: a radius, a width, a clearance [m].
    """

    name: str
    capability: str = "walk"
    modes: tuple[Mode, ...] = ("stand", "turn", "walk")
    required: tuple[Mode, ...] = ("walk",)
    discount: float = 0.95
    smoothness: float = 0.6
    arrival: float = 0.5
    size: float = 1.0

    subject: ClassVar[Subject] = "target"
    """What the place of the task space is about: "target" or "obstacle"."""
    sources: ClassVar[tuple[Source, ...]] = ()
    """Of the axes after the place: a "constant" that the fit gives, a "clock" that runs down; or,
    where the place is a line, how far the target is "aside" along it and how far "behind" an
    obstacle of `size` that begins there; or, where it is polar, the target's "bearing" from the
    obstacle and how far "apart" they are. Constants and clocks come last."""
    handover: ClassVar[Handover] = "never"
    """When the task's `then` goes on: the straight way is "clear" of a cylinder of `size`, a ditch
    of that width is "beyond", the end of a line is "near"."""
    rays: ClassVar[bool] = True
    """Whether adaptation begins with samples along rays to the target."""
    sides: ClassVar[bool] = False
    """Whether the fit has a second choice."""
    standing: ClassVar[bool] = False
    """Whether it is done only by who stands near the target, and not by who passes it."""

    def __post_init__(self) -> None:
        number(self.discount, f"{self.name}: discount", above=0.0, at_most=1.0)
        number(self.smoothness, f"{self.name}: smoothness", at_least=0.0)
        number(self.arrival, f"{self.name}: arrival", above=0.0)
        number(self.size, f"{self.name}: size", above=0.0)

    @property
    def then(self) -> Task | None:
        """The task that goes on once the obstacle is behind.

        With nothing but a direction to go in, one can walk round and round a near target.
        """
        return None

    @property
    @abstractmethod
    def space(self) -> TaskSpace:
        """The task parameters."""

    @abstractmethod
    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """What each action is worth for each of `tasks` `(t, axes)`."""

    def fit(self, samples: Floats, start: Floats, target: Floats, side: int) -> Obstacle | None:
        """The idea of an obstacle that fits where the controller failed; None where none does.

        Args:
            samples: `(n, 3)` [m], in the frame of what carries the character at the start.
            start: `(4,)`: x, y, z [m] and heading [rad], in that frame.
            target: `(3,)` [m], in that frame, at the time of the last failure.
            side: 1, or -1 for a second choice.
        """
        del start, target, side
        return Obstacle(1e3, 1e3) if len(samples) == 0 else None

    @property
    def known_from(self) -> Task | None:
        """The task that says what some of this one's are worth; see `known`."""
        return None

    def known(self, solution: Solution) -> tuple[Floats, Bools]:
        """Values `(states, tasks)` to begin with, and for which tasks `(tasks,)` they stay.

        Args:
            solution: what was learned for `known_from`.
        """
        raise NotImplementedError

    native_fit: ClassVar[int | None] = None
    """Which native fit stands for `fit`, where there is one."""

    def usable(self, repertoire: Repertoire) -> Bools:
        """`(a,)`: the actions that it may use: those of its modes."""
        return repertoire.of_modes(self.modes)

    def wanted(self, repertoire: Repertoire) -> Bools:
        """`(a,)`: those without which it gets nowhere; what is not its own may lead to them."""
        return self.usable(repertoire) & repertoire.of_modes(self.required)

    def check(self, repertoire: Repertoire) -> None:
        """Raises an `InputError` that names the clips that are missing."""
        missing = [mode for mode in self.required if mode not in repertoire.modes]
        if missing:
            raise InputError(
                f"controller {self.name!r} needs clips that {' and '.join(missing)}; these clips"
                f" only {', '.join(repertoire.modes)}"
            )

    @property
    def key(self) -> str:
        """What training depends on, as text."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        axes = [(axis.name, axis.points.tolist(), axis.period) for axis in self.space.axes]
        return repr(
            (type(self).__qualname__, values, axes, self.space.place, self.sources, self.standing)
        )
