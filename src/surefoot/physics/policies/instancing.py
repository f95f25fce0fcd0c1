"""Explored dynamics in the space of a task, and the best actions there (coros2009 4.2, 4.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.learning import Solution, TaskSpace, TransitionTable, solve
from surefoot.learning.neighbours import weights_of
from surefoot.physics.policies.exploring import Explored
from surefoot.physics.policies.metric import Metric
from surefoot.physics.policies.mirroring import Mirror, turned
from surefoot.physics.policies.tasks import Seen, Task
from surefoot.physics.policies.trusted import cycle
from surefoot.physics.stage import Stage
from surefoot.physics.states import States

NEAREST = 6
"""k in coros2009 4.3."""

STRANGE = 0.003
"""What a step costs, for the squared distance of where it leads from trusted states."""

RATE = 0.8
"""alpha, the learning rate."""


@dataclass(frozen=True, kw_only=True)
class Sweeping:
    """How values are found.

    Attributes:
        discount: gamma, per second, in 0..1.
        tolerance: done when no value changes by more; a step at the goal is worth 1.
        sweeps: at most this many.
        threads: to use.
    """

    discount: float = 0.85
    tolerance: float = 0.01
    sweeps: int = 400
    threads: int = 1


def sight(stage: Stage, gait: str) -> Callable[[States], Seen]:
    """Gives what tasks know of canonical states; the gait is what counts as the steady walk."""
    strikes = cycle(stage, gait)
    if strikes is None:
        raise InputError(f"{stage.body.name} has no steady {gait}")
    canonical, _ = Mirror(stage).canonical(strikes)
    pace = canonical.velocities[:, :2].mean(axis=0)
    step = float(stage.step(strikes, gait).of("duration").mean())

    def seen(states: States) -> Seen:
        return Seen(states.velocities[:, :2], pace, step)

    return seen


def instanced(explored: Explored, space: TaskSpace, *, strange: float = STRANGE) -> TransitionTable:
    """What actions do, for the value-iteration engine: each outcome among its nearest states.

    Args:
        explored: the dynamics.
        space: of the task.
        strange: what a step costs, for the squared distance of where it leads from trusted states.
    """
    metric = Metric(Stage(explored.body), explored.weights)
    samples = metric.samples()
    samples.add(explored.features)
    viable = explored.viable
    n, a = viable.shape
    k = min(NEAREST, n)
    who, away = samples.nearest(np.ascontiguousarray(explored.outcomes[viable]), k)
    successors = np.zeros((n, a, k), dtype=np.int32)
    weights = np.full((n, a, k), 1.0 / k)
    successors[viable], weights[viable] = who, weights_of(away)
    return TransitionTable(
        successors=successors,
        weights=weights,
        motion=explored.motion,
        rewards=-strange * explored.away**2,
        durations=explored.durations,
        viable=viable,
        shifts=np.zeros((n, a, space.shifts)),
    )


def solved(
    explored: Explored,
    task: Task,
    seen: Seen,
    sweeping: Sweeping,
    *,
    table: TransitionTable | None = None,
    start: npt.NDArray[np.float32] | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> Solution:
    """Values and best actions of every explored state and task.

    Args:
        explored: the dynamics.
        task: what is wanted.
        seen: what the task knows of the explored states.
        sweeping: how values are found.
        table: `instanced(explored, task.space)`, where it is at hand.
        start: `(states, tasks)` values to begin with, as of a reward before it was edited.
        progress: told how much is done, 0 to 1.
    """
    table = table or instanced(explored, task.space)
    points = task.space.points()
    rewards = task.reward(seen, points)
    if rewards.shape != (table.states, len(points)) or not np.isfinite(rewards).all():
        raise InputError(f"{task.name}: rewards must be finite, for each state and task")
    return solve(
        table,
        task.space,
        here=rewards,
        acting=task.acting(np.abs(explored.motion), table.viable),
        stuck=lost(table, sweeping.discount),
        discount=sweeping.discount,
        rate=RATE,
        tolerance=sweeping.tolerance,
        sweeps=sweeping.sweeps,
        start=start,
        mirror=task.space.mirror(task.sided),
        threads=sweeping.threads,
        progress=progress,
    )


def lost(table: TransitionTable, discount: float) -> float:
    """What a state is worth that no action leads on from: -1 for ever."""
    step = float(np.median(table.durations[table.viable])) if table.viable.any() else 1.0
    return -1.0 / (1.0 - discount**step)


def moved(space: TaskSpace, tasks: Floats, motion: Floats) -> Floats:
    """`(n, axes)`: what tasks become when bodies move `(n, 3)` ahead, to the left and turn."""
    out = tasks.copy()
    first = 0
    if space.place == "plane":
        out[:, :2] = turned(tasks[:, :2] - motion[:, :2], -motion[:, 2])
        first = 2
    elif space.place is not None:
        raise InputError(f"tasks of bodies are on a plane or on none, not on a {space.place}")
    for column, axis in enumerate(space.axes[first:], start=first):
        if axis.change == "turn":
            out[:, column] -= motion[:, 2]
        if axis.period is not None:
            low = -axis.period / 2
            out[:, column] = np.remainder(out[:, column] - low, axis.period) + low
    return out
