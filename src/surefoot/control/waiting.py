"""Waiting as a transition controller (levine2011, section 4.3).

Whoever waits gets ready for what comes next: the reward is the next controller's, and the time that
is left is one more task parameter. While some is left, only waiting is worth anything: standing,
turning, coming to a stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.control.going import Go
from surefoot.control.repertoire import Repertoire
from surefoot.control.task import TOO_BAD, Actions, Source, Subject, Task, Worth
from surefoot.control.training import Learned
from surefoot.learning import Axis, Solution, TaskSpace
from surefoot.motion.steps.step import MODES, Mode

LEFT = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.5)
"""[s] that may be left; who has more stands meanwhile."""

MOVING = 0.02
"""[s] What it costs to do something while waiting: nobody turns to and fro for nothing."""

_FINEST = 18
"""Points of an axis of the next task; of longer ones every other is taken, or fewer."""


@dataclass(frozen=True, kw_only=True)
class Wait(Task):
    """Wait, and get ready for another task.

    Task parameters: those of the next task, and the time that is left.

    Attributes:
        next: what is waited for.
    """

    next: Task = field(default_factory=Go)
    name: str = ""

    def __post_init__(self) -> None:
        put, then = object.__setattr__, self.next
        modes = {*then.modes, "stand", "turn"}
        put(self, "name", self.name or f"wait to {then.name}")
        put(self, "capability", then.capability)
        put(self, "modes", tuple(mode for mode in MODES if mode in modes))
        required: tuple[Mode, ...] = (*then.required, "stand")
        put(self, "required", required)
        put(self, "discount", then.discount)
        put(self, "arrival", then.arrival)
        put(self, "size", then.size)
        super().__post_init__()

    @property
    def subject(self) -> Subject:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The next task's."""
        return self.next.subject

    @property
    def sources(self) -> tuple[Source, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The next task's, and the clock."""
        return (*self.next.sources, "clock")

    @property
    def space(self) -> TaskSpace:
        """The next task's axes, and the time that is left."""
        space = self.next.space
        axes = [_coarser(axis) for axis in space.axes]
        for k, source in enumerate(self.next.sources, len(axes) - len(space.free)):
            if source == "behind":
                # Nobody gets ready in another way for what is farther behind.
                middle = axes[k].points[[len(axes[k].points) // 2]]
                axes[k] = replace(axes[k], points=middle)
        left = Axis(name="left", points=np.array(LEFT), change="shift")
        return TaskSpace(axes=(*axes, left), place=space.place)

    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """Nothing, but for what lasts longer than there is time; see `known`."""
        left = tasks[:, -1]
        waits, still = _waiting(actions)
        late = np.clip(actions.durations[:, None] - left, 0.0, None)
        reward = np.where(still[:, None], 0.0, -late - MOVING)
        return Worth(np.where(waits[:, None], reward, TOO_BAD))

    def usable(self, repertoire: Repertoire) -> Bools:
        """What stands, turns, or comes to a stand."""
        every = Actions(repertoire, range(repertoire.actions), self.discount)
        return _waiting(every)[0]

    def wanted(self, repertoire: Repertoire) -> Bools:
        """All of that."""
        return self.usable(repertoire)

    @property
    def known_from(self) -> Task:
        """The next task."""
        return self.next

    def known(self, solution: Solution) -> tuple[Floats, Bools]:
        """What is known where no time is left: what was learned for the next task."""
        fine, coarse = self.next.space, self.space
        values = solution.values
        for k, axis in enumerate(fine.axes):
            kept = np.searchsorted(axis.points, coarse.axes[k].points)
            values = np.take(values, kept, axis=k + 1)
        # Before that, as if it were waited for without doing anything.
        ahead = values[..., None] * self.discount ** np.array(LEFT)
        now = np.zeros(coarse.shape, dtype=np.bool_)
        now[..., 0] = True
        return ahead.reshape(len(values), -1).astype(np.float64), now.reshape(-1)


def _coarser(axis: Axis) -> Axis:
    if len(axis.points) <= _FINEST:
        return axis
    points = axis.points[::2]
    if axis.period is None:
        each = max(2, len(axis.points) // _FINEST)
        points = np.append(axis.points[:-1:each], axis.points[-1])
    return replace(axis, points=points)


def _waiting(actions: Actions) -> tuple[Bools, Bools]:
    """`(a,)`: which actions are waiting: they stand, turn, or come to a stand; and which stand."""
    repertoire = actions.repertoire
    moves = repertoire.action_moves[list(actions.chosen)]
    still = np.array([repertoire.move(a).still for a in actions.chosen], dtype=np.bool_)
    modes = np.array([mode in ("stand", "turn") for mode in actions.modes])
    # Out of motion into a stand, and no jump.
    stops = repertoire.stands[repertoire.ends[moves]]
    starts = repertoire.viable[repertoire.stands][:, moves].any(axis=0)
    return modes | (stops & ~starts), still


@dataclass(frozen=True, eq=False)
class Preparation:
    """How much it helps to wait before a task, measured over states and tasks.

    Attributes:
        times: `(n,)` [s] that are waited.
        losses: `(samples, n)` [s]: what the next task costs after each of them, less what it costs
            after the longest.
    """

    times: Floats
    losses: Floats

    def time(self, *, loss: float = 0.2, share: float = 0.99) -> float:
        """[s], t_min of levine2011: after how long one is as good as ready.

        From then on the next task costs no more than `loss` [s] more than after the longest wait,
        for a `share` of states and tasks.
        """
        bad = np.flatnonzero((self.losses <= loss).mean(axis=0) < share)
        return float(self.times[int(bad[-1]) + 1]) if len(bad) else 0.0

    @property
    def mean(self) -> Floats:
        """`(n,)` [s]: the mean loss after each time."""
        return self.losses.mean(axis=0)


def preparation(task: Wait, learned: Learned, *, samples: int = 4000, seed: int = 0) -> Preparation:
    """How long it takes to be ready for what a controller waits for.

    Args:
        task: the waiting.
        learned: what was learned for it.
        samples: of states in which moves end and of tasks, to measure it on.
        seed: of those.
    """
    values = learned.solution.values.reshape(len(learned.solution.values), -1, len(LEFT))
    rng = np.random.default_rng(seed)
    states = rng.integers(0, len(values), samples)
    tasks = rng.integers(0, values.shape[1], samples)
    # What it costs from the departure on.
    later = values[states, tasks] / task.discount ** np.array(LEFT)
    return Preparation(np.array(LEFT), np.maximum(later[:, -1:] - later, 0.0))
