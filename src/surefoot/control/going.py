"""Going to a target: the simplest task (levine2011, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.control.task import Actions, Task, Worth
from surefoot.learning import Axis, TaskSpace

DISTANCES = (
    *(0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.5, 2.8, 3.2),
    *(3.7, 4.3, 5.0, 6.0, 7.5, 10.0, 13.0, 17.0),
)
"""[m] of targets; denser where a step makes a difference."""


@dataclass(frozen=True, kw_only=True)
class Go(Task):
    """Go to a place, in as little time as moves allow.

    Task parameters: how far away it is, and in which direction.
    """

    name: str = "walk"

    native_fit = 0
    rays = False

    @property
    def space(self) -> TaskSpace:
        """Distance and direction of the target."""
        distance = Axis(name="distance", points=np.array(DISTANCES))
        return TaskSpace(axes=(distance, Axis.circle("direction", 48)), place="polar")

    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """The time it takes; an action that passes the target ends there."""
        target = tasks[:, :1] * np.column_stack([np.cos(tasks[:, 1]), np.sin(tasks[:, 1])])
        reward = np.empty((len(actions), len(tasks)))
        ends = np.empty(reward.shape, dtype=np.bool_)
        for a, path in enumerate(actions.paths):
            away = np.hypot(*(target[:, None] - path[:, :2]).transpose(2, 0, 1))
            reached = away <= self.arrival
            ends[a] = reached.any(axis=1)
            times = actions.durations[a] * np.ones(len(tasks))
            times[ends[a]] = actions.times[a][np.argmax(reached[ends[a]], axis=1)]
            reward[a] = -actions.elapsed(times)
        return Worth(reward, ends)


@dataclass(frozen=True, kw_only=True)
class Arrive(Go):
    """Go to a place and stand there.

    Who goes to a place and is asked to wait there ends its stride first, and stands beyond it.
    """

    name: str = "arrive"
    arrival: float = 0.3

    standing = True

    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """The time it takes; an action after which one stands near the target ends there."""
        target = tasks[:, :1] * np.column_stack([np.cos(tasks[:, 1]), np.sin(tasks[:, 1])])
        repertoire = actions.repertoire
        stands = repertoire.stands[repertoire.ends[repertoire.action_moves[list(actions.chosen)]]]
        away = np.hypot(*(target - actions.paths[:, -1:, :2]).transpose(2, 0, 1))
        took = actions.elapsed(actions.durations)
        reward = np.repeat(-took[:, None], len(tasks), axis=1)
        return Worth(reward, stands[:, None] & (away <= self.arrival))


def running() -> Go:
    """Go to a place at a run."""
    return Go(
        name="run", capability="run", modes=("stand", "turn", "run"), required=("run",),
        arrival=0.8,
    )  # fmt: skip


def going_anyhow() -> Go:
    """Go to a place, walking or running, whichever is sooner there."""
    return Go(
        name="go", capability="run", modes=("stand", "turn", "walk", "run"),
        required=("walk", "run"), arrival=0.6,
    )  # fmt: skip


def arriving_at_a_run() -> Arrive:
    """Go to a place, running where that is sooner, and stand there."""
    return Arrive(
        name="arrive running", capability="run", modes=("stand", "turn", "walk", "run"),
        required=("walk", "run"),
    )  # fmt: skip
