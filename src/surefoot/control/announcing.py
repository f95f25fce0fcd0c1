"""Training is announced: one line when it begins, with what it takes, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from surefoot import console, quantities
from surefoot.caches import folder
from surefoot.control import keeping
from surefoot.control.repertoire import Repertoire
from surefoot.control.task import Task
from surefoot.motion.default import CLIP_SECONDS

CONTROLLER_SECONDS = 0.15
"""[s] that training a controller takes besides what grows with its table."""

ENTRY_SECONDS = 6e-9
"""[s] for each state, action and task of a controller's table.

Both were fitted to the 21 s of one core that the 19 controllers of an adult took. On a machine
twice as fast the line promises twice the time that it takes; nothing else depends on them.
"""

CHOICES = 1900
"""States times actions of an adult's controllers, on average over their entries: stands for those
of a character whose clips are not made yet."""


class Announcement:
    """Says once that somebody learns to move, when there is anything to learn.

    Args:
        name: of the character; none where clips of a library are learned from.
        tasks: that are wanted.
        progress: called with the stage and how much of it is done, 0 to 1. It shows how far the
            work is, so that no bar is drawn.
    """

    def __init__(
        self,
        name: str | None,
        tasks: Sequence[Task],
        progress: Callable[[str, float], None] | None = None,
    ) -> None:
        self._name, self._tasks, self._progress = name, tasks, progress
        self._bar = console.Bar()
        self._before = 0.0  # [s] expected of what comes before the controllers
        self._expected: dict[str, float] = {}
        self._done: dict[str, float] = {}
        self._share = 0.0

    def __enter__(self) -> Announcement:
        self._bar.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(None, None, None)

    def clips(self, done: int, count: int) -> None:
        """Clips are made: `done` of `count`."""
        self._before = count * CLIP_SECONDS
        self._expected = {task.name: seconds(task) for task in self._tasks}
        self._show(done * CLIP_SECONDS)

    def untrained(self, repertoire: Repertoire) -> None:
        """Finds out how much there is to train over a repertoire."""
        missing = [task for task in self._tasks if not _is_kept(task, repertoire)]
        self._expected = {task.name: seconds(task, repertoire) for task in missing}
        if self._before:
            self._show(self._before)

    def controller(self, name: str, share: float) -> None:
        """A controller is trained: so much of it is done, 0 to 1."""
        expected = self._expected.setdefault(name, CONTROLLER_SECONDS)
        # Rounds of value iteration come nearer to their end and farther again.
        self._done[name] = max(self._done.get(name, 0.0), share * expected)
        self._show(self._before + sum(self._done.values()))

    def _show(self, spent: float) -> None:
        whole = self._before + sum(self._expected.values())
        self._bar.begin(self._text(whole), bar=self._progress is None)
        # What is expected of controllers changes when the clips are there; no share goes back.
        self._share = max(self._share, min(spent / whole, 1.0))
        self._bar.show(self._share)
        if self._progress is not None:
            self._progress("training", self._share)

    def _text(self, whole: float) -> str:
        who = "" if self._name is None else f" as {self._name!r}"
        kept = "" if folder() is None else ", kept for next time"
        return f"learning to move{who} ({quantities.estimate(whole)}{kept})"


def seconds(task: Task, repertoire: Repertoire | None = None) -> float:
    """[s] that training for a task most likely takes, from the size of its table."""
    choices = CHOICES
    if repertoire is not None:
        choices = len(repertoire.states) * int(np.count_nonzero(task.usable(repertoire)))
    return CONTROLLER_SECONDS + ENTRY_SECONDS * choices * task.space.size


def _is_kept(task: Task, repertoire: Repertoire) -> bool:
    path = keeping.path_of(task, repertoire)
    return path is not None and path.is_file()
