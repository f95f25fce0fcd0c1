"""Fitted value iteration (coros2009 4.3, Algorithm 2; levine2011 4.1), in native sweeps.

The value of a state for a task is the best, over actions, of what acting is worth at once and of
the discounted value of where it leads: a mix of the nearest sampled states, each between the
points of the task grid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from surefoot import _native, arrays
from surefoot.arrays import ArrayLike, Bools, Floats, floats, number
from surefoot.errors import InputError
from surefoot.learning.tasks import TaskSpace
from surefoot.learning.transitions import TransitionTable

_RELATIONS = {None: 0, "plane": 1, "polar": 2, "line": 3}
_RULES = {"turn": 0, "shift": 1, "along": 2}
_NO_INTS = np.zeros(0, dtype=np.int32)
_NO_NUMBERS = np.zeros(0, dtype=np.float32)


class Early(NamedTuple):
    """Tasks that actions end before their own end, and what that saves.

    Attributes:
        first: `(actions + 1,)`: where those of each action begin in the others.
        tasks: `(n,)`: increasing, for each action.
        saved: `(n,)`: what is added to what the action is worth there; nothing comes after it.
    """

    first: npt.NDArray[np.int32]
    tasks: npt.NDArray[np.int32]
    saved: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Report:
    """How a solution came about.

    Attributes:
        changes: the largest change of any value, sweep by sweep.
        converged: whether the last one is within the tolerance.
        bound: how far any value is from the fixed point at most; it can be inf where an action
            takes no time and so is not discounted.
    """

    changes: tuple[float, ...]
    converged: bool
    bound: float

    @property
    def sweeps(self) -> int:
        """How many were made."""
        return len(self.changes)

    def __str__(self) -> str:
        how = "converged" if self.converged else "not converged"
        last = f", last change {self.changes[-1]:.3g}" if self.changes else ""
        return f"{how} after {self.sweeps} sweeps{last}, within {self.bound:.3g} of the answer"


@dataclass(frozen=True, eq=False)
class Solution:
    """Values and best actions of every state and task.

    Attributes:
        space: the tasks.
        values: `(states, *space.shape)`.
        policy: `(states, *space.shape)`: the best action, -1 where nothing can be done.
        report: how they came about.
        mirror: `(tasks,)`: as `solve` was given it.
    """

    space: TaskSpace
    values: npt.NDArray[np.float32]
    policy: npt.NDArray[np.int32]
    report: Report
    native: _native.ValueIteration
    """What a native controller looks ahead with."""
    mirror: npt.NDArray[np.int32] | None = None

    def value(self, state: int, task: ArrayLike) -> float:
        """The value of a state for any task."""
        return self.native.value(self._flat, state, self._task(task))

    def many(self, state: int, tasks: Floats) -> Floats:
        """`(n,)`: the values of a state for many tasks `(n, axes)`."""
        return self.native.values(self._flat, state, np.ascontiguousarray(tasks, dtype=np.float64))

    def worth(self, state: int, task: ArrayLike) -> Floats:
        """`(actions,)`: what each action is worth for any task; -inf where it is not viable."""
        return self.native.look_ahead(seen(self._flat, self.mirror), state, self._task(task))

    def best(self, state: int, task: ArrayLike) -> int:
        """The best action for any task, looking one action ahead; -1 where there is none."""
        worth = self.worth(state, task)
        best = int(np.argmax(worth))
        return best if worth[best] > -np.inf else -1

    @property
    def _flat(self) -> npt.NDArray[np.float32]:
        return self.values.reshape(len(self.values), -1)

    def _task(self, task: ArrayLike) -> Floats:
        numbers = floats(task, "task")
        if numbers.shape != (len(self.space.axes),):
            raise InputError(
                f"a task has {len(self.space.axes)} numbers"
                f" ({', '.join(axis.name for axis in self.space.axes)}), got {numbers.shape}"
            )
        return numbers


def solve(
    table: TransitionTable,
    space: TaskSpace,
    *,
    here: ArrayLike | None = None,
    there: ArrayLike | None = None,
    acting: ArrayLike | None = None,
    ends: ArrayLike | None = None,
    columns: ArrayLike | None = None,
    early: Early | None = None,
    known: ArrayLike | None = None,
    stuck: float = 0.0,
    discount: float = 0.9,
    rate: float = 1.0,
    tolerance: float = 1e-4,
    sweeps: int = 1000,
    in_place: bool = False,
    start: ArrayLike | None = None,
    mirror: ArrayLike | None = None,
    threads: int = 1,
    progress: Callable[[str, float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Solution:
    """The values that no sweep changes any more, and the actions that are best by them.

    Args:
        table: what actions do.
        space: the tasks.
        here: `(tasks,)`, or `(states, tasks)`: reward for every action that begins at a task (in a
            state); none when not given.
        there: `(tasks,)`: reward for what a task becomes by an action; none when not given.
        acting: `(actions, tasks)`: reward for an action where a task is so; none when not given.
        ends: `(actions, tasks)`, bool: where an action ends the task: nothing comes after it, not
            even `there`; nowhere when not given.
        columns: `(tasks,)`: of `acting` and `ends`, which are then `(actions, columns)`, each
            task's, where they differ by some axes only; its own when not given.
        early: tasks that an action ends on its way; none when not given.
        known: `(tasks,)`, bool: tasks whose values are known: they stay as they start.
        stuck: the value of a state in which nothing can be done.
        discount: per second, in 0..1: an action of dT seconds discounts by discount^dT.
        rate: the share of a change that a sweep makes, in 0..1 (the learning rate).
        tolerance: > 0: done when no value changes by more.
        sweeps: at most this many.
        in_place: later states see what earlier ones have become: fewer sweeps, one thread.
        start: `(states, tasks)` values to begin with; 0 when not given.
        mirror: `(tasks,)`: the mirror image of each task, for bodies whose left steps are the
            mirror images of right ones: every state stands on the left foot, and successors are
            mirrored. The value of where an action leads is then that of the mirrored task.
        threads: to use; the result has the same bits at any number.
        progress: told the stage and how much is done, 0 to 1.
        cancel: asked after every sweep; what was found so far is returned once it says true.
    """
    if early is not None and acting is None:
        raise InputError("early is about what actions are worth: it goes with acting")
    flipped = _mirrored(mirror, space, in_place or known is not None)
    native = _made(
        table,
        space,
        (here, there),
        (*_acting(acting, ends, columns, table, space), _known(known, space)),
        _columns(columns, space),
        early or Early(_NO_INTS, _NO_INTS, _NO_NUMBERS),
        stuck,
        number(discount, "discount", at_least=0.0, at_most=1.0),
    )
    rate = number(rate, "rate", above=0.0, at_most=1.0)
    tolerance = number(tolerance, "tolerance", above=0.0)
    most = arrays.count(sweeps, "sweeps")
    shape = (table.states, space.size)
    values = np.zeros(shape, dtype=np.float32)
    if start is not None:
        values[:] = floats(start, "start").reshape(shape)
    other = values if in_place else np.empty_like(values)
    changes: list[float] = []
    while len(changes) < most and not (cancel is not None and cancel()):
        if flipped is None:
            changes.append(float(native.sweep(values, other, rate, threads)))
        else:
            native.sweep(seen(values, flipped), other, 1.0, threads)
            other -= values
            other *= np.float32(rate)
            changes.append(float(np.abs(other).max(initial=0.0)))
            other += values
        values, other = other, values
        if changes[-1] <= tolerance:
            break
        if progress is not None:
            progress("value iteration", _done(changes, tolerance))
    policy = native.greedy(seen(values, flipped), threads)
    report = Report(
        changes=tuple(changes),
        converged=bool(changes) and changes[-1] <= tolerance,
        bound=_bound(changes, table, discount, rate),
    )
    full = (table.states, *space.shape)
    return Solution(space, values.reshape(full), policy.reshape(full), report, native, flipped)


def seen(
    values: npt.NDArray[np.float32], mirror: npt.NDArray[np.int32] | None
) -> npt.NDArray[np.float32]:
    """`(states, tasks)` values as an action finds them: of mirrored tasks, where there are such."""
    return values if mirror is None else np.ascontiguousarray(values[:, mirror])


def _mirrored(
    mirror: ArrayLike | None, space: TaskSpace, refused: bool
) -> npt.NDArray[np.int32] | None:
    if mirror is None:
        return None
    if refused:
        raise InputError("mirror goes neither with in_place nor with known")
    flipped = np.ascontiguousarray(mirror, dtype=np.int32)
    everyone = np.arange(space.size)
    if flipped.shape != everyone.shape or not np.array_equal(np.sort(flipped), everyone):
        raise InputError(f"mirror must name every one of the {space.size} tasks once")
    return flipped


def _made(
    table: TransitionTable,
    space: TaskSpace,
    places: tuple[ArrayLike | None, ArrayLike | None],
    acting: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], Bools],
    columns: npt.NDArray[np.int32],
    early: Early,
    stuck: float,
    discount: float,
) -> _native.ValueIteration:
    if table.shifts.shape[-1] != space.shifts:
        shifted = [axis.name for axis in space.free if axis.change == "shift"]
        raise InputError(
            f"the table has {table.shifts.shape[-1]} shifts, the tasks need {space.shifts}"
            f" ({', '.join(shifted) or 'none'})"
        )
    discounts = np.where(table.viable, discount**table.durations, 0.0)

    def single(array: Floats) -> npt.NDArray[np.float32]:
        return np.ascontiguousarray(array, dtype=np.float32).reshape(-1)

    return _native.ValueIteration(
        axes=[axis.points.tolist() for axis in space.axes],
        periods=[axis.period or 0.0 for axis in space.axes],
        relation=_RELATIONS[space.place],
        rules=[_RULES[axis.change] for axis in space.free],
        shape=table.successors.shape,
        successors=table.successors.reshape(-1),
        weights=single(table.weights),
        rewards=single(table.rewards),
        discounts=single(discounts),
        motions=table.motion.reshape(-1),
        shifts=table.shifts.reshape(-1),
        viable=table.viable.reshape(-1),
        here=single(_here(places[0], table, space)),
        there=single(_per_task(places[1], space, "there")),
        stuck=number(stuck, "stuck"),
        acting=acting[0],
        going=acting[1],
        known=acting[2],
        columns=columns,
        early_first=early.first,
        early=early.tasks,
        saved=early.saved,
    )


def _known(known: ArrayLike | None, space: TaskSpace) -> Bools:
    if known is None:
        return np.zeros(0, dtype=np.bool_)
    flags = np.array(known, dtype=np.bool_).reshape(-1)
    if len(flags) != space.size:
        raise InputError(f"known must be ({space.size},) or {space.shape}, got {np.shape(known)}")
    return flags


def _columns(columns: ArrayLike | None, space: TaskSpace) -> npt.NDArray[np.int32]:
    if columns is None:
        return _NO_INTS
    found = np.ascontiguousarray(columns, dtype=np.int32).reshape(-1)
    if len(found) != space.size or found.min(initial=0) < 0:
        raise InputError(f"columns must be ({space.size},) numbers of columns, got {found.shape}")
    return found


def _acting(
    acting: ArrayLike | None, ends: ArrayLike | None, columns: ArrayLike | None,
    table: TransitionTable, space: TaskSpace,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:  # fmt: skip
    """What each action is worth at each task, and whether the task goes on: flat, or nothing."""
    if acting is None and ends is None:
        return _NO_NUMBERS, _NO_NUMBERS
    column = None if columns is None else np.asarray(columns).reshape(-1)
    shape = (table.actions, space.size if column is None else int(column.max(initial=-1)) + 1)
    worth = np.zeros(shape) if acting is None else np.asarray(acting, dtype=np.float64)
    over = np.zeros(shape, dtype=np.bool_) if ends is None else np.asarray(ends, dtype=np.bool_)
    for name, array in (("acting", worth), ("ends", over)):
        if array.shape != shape:
            raise InputError(f"{name} must be {shape}, got {array.shape}")
    bad = np.argwhere(~np.isfinite(worth))
    if len(bad):
        action, own = bad[0].tolist()
        task = own if column is None else int(np.flatnonzero(column == own)[0])
        told = space.told(space.points()[task])
        raise InputError(f"the reward of action {action} is {worth[action, own]} {told}")
    return worth.astype(np.float32).reshape(-1), (~over).astype(np.float32).reshape(-1)


def _here(rewards: ArrayLike | None, table: TransitionTable, space: TaskSpace) -> Floats:
    given = np.asarray(0.0 if rewards is None else rewards, dtype=np.float64)
    if given.size != table.states * space.size or given.size == space.size:
        return _per_task(rewards, space, "here")
    return floats(given, "here")


def _per_task(rewards: ArrayLike | None, space: TaskSpace, name: str) -> Floats:
    if rewards is None:
        return np.zeros(space.size)
    given = np.asarray(rewards, dtype=np.float64)
    if given.size != space.size:
        raise InputError(f"{name} must be ({space.size},) or {space.shape}, got {given.shape}")
    return space.rewards(lambda _: given.reshape(-1))


def _done(changes: list[float], tolerance: float) -> float:
    """The share of the way to the tolerance, on a logarithmic scale."""
    first, last = max(changes[0], tolerance), max(changes[-1], tolerance)
    return 1.0 if first == tolerance else float(np.log(first / last) / np.log(first / tolerance))


def _bound(changes: list[float], table: TransitionTable, discount: float, rate: float) -> float:
    """A sweep shrinks distances at least by this factor, so the last change bounds what is left."""
    if not changes:
        return float("inf")
    used = table.durations[table.viable]
    factor = 1.0 - rate * (1.0 - float(discount ** used.min())) if len(used) else 1.0 - rate
    return float("inf") if factor >= 1.0 else changes[-1] * factor / (1.0 - factor)
