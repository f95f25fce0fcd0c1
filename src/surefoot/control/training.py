"""Training: value iteration over a repertoire for a task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from surefoot.arrays import ArrayLike, Bools, Floats, Ints
from surefoot.control.repertoire import ALIKE, Repertoire
from surefoot.control.task import Actions, Task, Worth
from surefoot.errors import InputError
from surefoot.learning import Solution, TransitionTable, solve

TURNED = 0.12
"""[s] What it costs to turn the whole character by a radian: nobody weaves without a reason."""

STUCK = -60.0
"""[s] What a state is worth in which nothing of a task can be done."""


@dataclass(frozen=True, eq=False)
class Learned:
    """What training gives.

    Attributes:
        actions: `(a,)`: what its table calls actions, as the repertoire numbers them.
        solution: values and policy.
        depth: see `Worth`.
    """

    actions: Ints
    solution: Solution
    depth: npt.NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class Prepared:
    """All that value iteration needs.

    Attributes:
        actions: see `Learned`.
        table: what actions do.
        worth: what they are worth at each task.
    """

    actions: Ints
    table: TransitionTable
    worth: Worth


def prepare(task: Task, repertoire: Repertoire, worth: Worth | None = None) -> Prepared:
    """The transitions and rewards of a task.

    Args:
        task: what for.
        repertoire: what with.
        worth: what actions are worth, where that was worked out before.

    Raises:
        InputError: clips are missing, or a reward is no number; the message says which.
    """
    task.check(repertoire)
    usable = task.usable(repertoire)
    viable = possible(repertoire, usable, task.wanted(repertoire))
    chosen = np.flatnonzero(viable.any(axis=0)).astype(np.int32)
    viable = viable[:, chosen]
    moves = repertoire.action_moves[chosen]
    shape = (len(repertoire.states), len(chosen))
    ends = repertoire.paths(2)[chosen, -1]
    motion = np.broadcast_to(ends[:, [0, 1, 3]], (*shape, 3))
    # What is alike goes over into each other for nothing, as steps of a steady walk do.
    unlike = np.clip(repertoire.costs[:, moves] - ALIKE, 0.0, None)
    costs = (unlike / max(repertoire.farthest - ALIKE, 1e-6)) ** 2
    shifts = shift_of(task, repertoire.durations[chosen])
    table = TransitionTable(
        successors=np.broadcast_to(repertoire.ends[moves], shape)[..., None],
        weights=np.ones((*shape, 1)),
        motion=motion,
        rewards=-task.smoothness * costs - TURNED * np.abs(repertoire.turns[chosen]),
        durations=np.broadcast_to(repertoire.durations[chosen], shape),
        viable=viable,
        shifts=np.broadcast_to(shifts, (*shape, shifts.shape[-1])),
    )
    if worth is None:
        actions = Actions(repertoire, chosen.tolist(), task.discount, ~usable[chosen])
        worth = task.reward(actions, task.space.points())
    count = task.space.size if worth.columns is None else int(worth.columns.max()) + 1
    expected = (len(chosen), count)
    if np.shape(worth.reward) != expected:
        raise InputError(
            f"the reward of controller {task.name!r} must be {expected}, got"
            f" {np.shape(worth.reward)}"
        )
    places = int(np.prod(task.space.shape[:2]))
    if worth.depth is not None and np.shape(worth.depth) != (len(chosen), places):
        raise InputError(
            f"the depth of controller {task.name!r} must be {(len(chosen), places)}, got"
            f" {np.shape(worth.depth)}"
        )
    return Prepared(chosen, table, worth)


def shift_of(task: Task, durations: Floats) -> Floats:
    """`(a, axes that shift)`: clocks run down while an action lasts, constants stay."""
    clocks = [source == "clock" for source, axis in zip(task.sources, task.space.free, strict=True)
              if axis.change == "shift"]  # fmt: skip
    return -durations[:, None] * np.array(clocks, dtype=np.float64)


def possible(repertoire: Repertoire, allowed: Bools, wanted: Bools | None = None) -> Bools:
    """`(s, a)`: which actions can follow each state.

    Allowed ones; and, where none of those that are wanted can be come by with them, any that lead
    soonest to where one can: a runner who is to walk slows down first.

    Args:
        repertoire: what there is.
        allowed: `(a,)`: what may be done.
        wanted: `(a,)`: what must be come by; all that is allowed when not given.
    """
    follows = repertoire.viable[:, repertoire.action_moves]
    viable = follows & allowed
    leads = repertoire.ends[repertoire.action_moves]
    ready: Bools = np.asarray((viable if wanted is None else viable & wanted).any(axis=1))
    while True:
        more: Bools = ready | np.asarray((viable & ready[leads]).any(axis=1))
        if (more == ready).all():
            break
        ready = more
    while not ready.all():
        bridges: Bools = follows & ready[leads]
        bridges[ready] = False
        found: Bools = np.asarray(bridges.any(axis=1))
        if not found.any():
            break
        viable = viable | bridges
        ready = ready | found
    return viable


def learn(
    task: Task,
    repertoire: Repertoire,
    *,
    ready: Prepared | None = None,
    threads: int = 1,
    start: ArrayLike | None = None,
    known: Bools | None = None,
    sweeps: int = 1000,
    progress: Callable[[str, float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Learned:
    """Trains a controller for a task.

    Args:
        task: what for.
        repertoire: what with.
        ready: what `prepare` gives for them, where that is there already.
        threads: to use; the result has the same bits at any number.
        start: values to begin with, such as were learned before.
        known: `(tasks,)`: for which of them values are known and stay.
        sweeps: at most so many.
        progress: told the stage and how much is done, 0 to 1.
        cancel: asked after every sweep; training stops once it says true.
    """
    ready = ready or prepare(task, repertoire)
    solution = solve(
        ready.table,
        task.space,
        acting=ready.worth.acting,
        ends=ready.worth.ends,
        columns=ready.worth.columns,
        early=ready.worth.early,
        stuck=STUCK,
        discount=task.discount,
        tolerance=3e-3,
        sweeps=sweeps,
        start=start,
        known=known,
        threads=threads,
        progress=None if progress is None else lambda _, share: progress(task.name, share),
        cancel=cancel,
    )
    depth = ready.worth.depth
    return Learned(
        ready.actions, solution, None if depth is None else depth.astype(np.float32, copy=False)
    )
