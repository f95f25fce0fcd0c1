"""Searches that go on: a little at a time, from one start, while time goes on.

What a search has run it recalls, so that only what is new takes time: after some goes it has found
what one search finds that may try as much at once. This is the replanning that levine2011
(section 8) asks for, for who plans from a moment that is still to come.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from surefoot._native import RunMemory
from surefoot.planning.problem import Problem
from surefoot.planning.spacetime.outcome import Outcome
from surefoot.planning.spacetime.planner import Solved, assembled, leg_at
from surefoot.planning.spacetime.playing import OtherwiseError
from surefoot.planning.spacetime.rounds import Progress
from surefoot.planning.spacetime.search import Search

MOST = 100_000
"""Trajectories, recalled ones counted, that one search may try in all its goes."""

SLACK = 16
"""Trajectories fewer than allowed at which a search is told to stop: it asks every 64 steps."""


class Ongoing:
    """A search that is gone on with.

    Args:
        problem: what is asked.
        search: for it, not run yet.
        memory: of searches before, from the same start and over the same landmarks.
    """

    def __init__(self, problem: Problem, search: Search, memory: RunMemory | None = None) -> None:
        self.problem, self.search = problem, search
        self.memory = RunMemory() if memory is None else memory
        self.outcome: Outcome | None = None
        """What was found so far; None before the first go."""
        self.ran = 0
        """Trajectories that were run, in all goes."""
        self._progress = Progress()

    @property
    def reached(self) -> bool:
        """Whether a way was found, as far as is known."""
        return self.outcome is not None and self.outcome.end == "reached"

    def go_on(
        self, most: int, cancel: Callable[[], bool] | None = None, *, polish: int = MOST
    ) -> Outcome:
        """Searches on.

        Args:
            most: trajectories that may be run, not recalled; some more are where that cannot be
                told in time.
            polish: likewise where there is a way already, for a cheaper one.
            cancel: asked now and then.
        """
        known, ran = len(self.memory), self.memory.ran

        def enough() -> bool:
            allowed = min(most, polish) if self._progress.reached else most
            return self.memory.ran - ran >= allowed - SLACK or (cancel is not None and cancel())

        before = self._progress.ran
        self._progress.allowed = known + most
        self.outcome = self.search.run(
            enough, memory=self.memory, most=MOST, progress=self._progress
        )
        self.ran += self._progress.ran - before
        return self.outcome

    def told(self, until: float) -> Solved | None:
        """What was found as a plan, checked as far as `until` [s].

        None where it does not hold: the search has to go on without the way that does not.
        """
        assert self.outcome is not None
        try:
            solved = assembled(self.problem, self.search, self.outcome, self.ran, until)
        except OtherwiseError as otherwise:
            self._refuse(otherwise.time)
            return None
        if self.outcome.legs:
            wrong = solved.plan.check(self.problem.world).violations
            if wrong:
                self._refuse(wrong[0].time)
                return None
        return replace(solved, sound=True)

    def _refuse(self, t: float) -> None:
        assert self.outcome is not None
        self.search.refuse(leg_at(self.outcome, t))
        self.outcome, self._progress = None, Progress()
