"""Tasks: a few continuous numbers on a grid, and how they change when the character moves."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import pi, prod
from typing import Literal, get_args

import numpy as np

from surefoot import arrays
from surefoot.arrays import ArrayLike, Floats, Ints, floats, frozen, number
from surefoot.errors import InputError, one_of

Place = Literal["plane", "polar", "line"]
Change = Literal["turn", "shift", "along"]

_MOST = 10  # axes: as native/learning/task_space.hpp has it


@dataclass(frozen=True, kw_only=True, eq=False)
class Axis:
    """One task parameter: where values are kept, linear in between.

    Attributes:
        name: such as "distance".
        points: `(n,)`, increasing; denser where values change faster, as near the goal.
        period: of a parameter that goes round, such as 2 pi for a heading: the points lie within
            one period, and the last is joined to the first. Otherwise values beyond the ends are
            those at the ends.
        change: what an action does to it: "turn": the character's own turn is taken off, as from
            the heading of a goal that it sees; "shift": the action's shift is added; "along": the
            way along the line that the place is, to the left of its normal, is taken off. The axes
            of a place (see `TaskSpace`) change with the place instead.
    """

    name: str
    points: Floats
    period: float | None = None
    change: Change = "shift"

    def __post_init__(self) -> None:
        points = floats(self.points, f"axis {self.name!r}: points")
        if points.ndim != 1 or len(points) == 0 or not (np.diff(points) > 0).all():
            raise InputError(f"axis {self.name!r}: points must be (n,), n >= 1, and increase")
        if self.period is not None:
            period = number(self.period, f"axis {self.name!r}: period", above=0.0)
            if points[-1] - points[0] >= period:
                raise InputError(
                    f"axis {self.name!r}: points from {points[0]:g} to {points[-1]:g} do not fit "
                    f"into one period of {period:g}; leave out the last, which is the first again"
                )
        if self.change not in get_args(Change):
            raise InputError(one_of("change of an axis", self.change, get_args(Change)))
        object.__setattr__(self, "points", frozen(points))

    def mirror(self) -> Ints:
        """`(n,)`: which point is the negative of each."""
        apart = self.points[:, None] + self.points[None, :]
        if self.period is not None:
            apart = np.remainder(apart + self.period / 2, self.period) - self.period / 2
        found = np.abs(apart).argmin(axis=1)
        if (np.abs(apart).min(axis=1) > 1e-9).any():
            raise InputError(f"axis {self.name!r}: points must lie alike on both sides of zero")
        return found.astype(np.int32)

    @classmethod
    def circle(cls, name: str, count: int, *, change: Change = "turn") -> Axis:
        """All directions: `count` even points from -pi on."""
        points = -pi + 2 * pi * np.arange(arrays.count(count, "count", at_least=1)) / count
        return cls(name=name, points=points, period=2 * pi, change=change)


@dataclass(frozen=True, kw_only=True)
class TaskSpace:
    """The grid of task parameters.

    Attributes:
        axes: one or more; the last varies fastest in arrays of tasks.
        place: what the first two axes are together, if anything: "plane": how far ahead and how
            far to the left something is [m]; "polar": how far away and in which direction
            [m, rad]; "line": how far away a line is, and the direction of its normal [m, rad].
    """

    axes: tuple[Axis, ...]
    place: Place | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "axes", tuple(self.axes))
        names = [axis.name for axis in self.axes]
        if not names or len(set(names)) < len(names):
            raise InputError(f"a task space needs axes with different names, got {names}")
        if len(names) > _MOST:
            raise InputError(f"a task space has at most {_MOST} axes, got {len(names)}: {names}")
        if self.place is not None and self.place not in get_args(Place):
            raise InputError(one_of("place of a task space", self.place, get_args(Place)))
        if self.place is not None and len(names) < 2:
            raise InputError(f"a place {self.place!r} needs two axes, got {names}")
        for k, axis in enumerate(self.free):
            if axis.change == "along" and (self.place != "line" or k > 0):
                raise InputError(
                    f"axis {axis.name!r}: 'along' is along a line: it comes right after the two"
                    " axes of a place 'line'"
                )

    @property
    def shape(self) -> tuple[int, ...]:
        """Points along each axis."""
        return tuple(len(axis.points) for axis in self.axes)

    @property
    def size(self) -> int:
        """How many task points there are."""
        return prod(self.shape)

    @property
    def free(self) -> tuple[Axis, ...]:
        """The axes that are no part of a place."""
        return self.axes[0 if self.place is None else 2 :]

    @property
    def shifts(self) -> int:
        """How many axes an action shifts."""
        return sum(axis.change == "shift" for axis in self.free)

    def points(self) -> Floats:
        """`(tasks, axes)`: every task of the grid."""
        grids = np.meshgrid(*(axis.points for axis in self.axes), indexing="ij")
        return np.stack([grid.ravel() for grid in grids], axis=-1)

    def mirror(self, names: Collection[str]) -> Ints:
        """`(tasks,)`: the task that each becomes when the axes of these names change sign."""
        index = np.arange(self.size).reshape(self.shape)
        for column, axis in enumerate(self.axes):
            if axis.name in names:
                index = np.take(index, axis.mirror(), axis=column)
        return index.reshape(-1).astype(np.int32)

    def rewards(self, reward: Callable[[Floats], ArrayLike]) -> Floats:
        """`(tasks,)`: what a function of tasks `(tasks, axes)` gives on the grid.

        Raises:
            InputError: it gives something else than a finite number for a task, which is named.
        """
        points = self.points()
        given = np.asarray(reward(points), dtype=np.float64)
        if given.shape != (len(points),):
            raise InputError(f"a reward must give ({len(points)},) numbers, got {given.shape}")
        bad = np.flatnonzero(~np.isfinite(given))
        if len(bad):
            raise InputError(f"the reward is {given[bad[0]]} {self.told(points[bad[0]])}")
        return given

    def told(self, task: Floats) -> str:
        """A task in words."""
        named = zip(self.axes, task, strict=True)
        return "at " + ", ".join(f"{axis.name} = {value:g}" for axis, value in named)
