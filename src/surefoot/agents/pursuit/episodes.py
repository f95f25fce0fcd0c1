"""Episodes: one plan after the other, and how they held their time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.world import Place


@dataclass(frozen=True, kw_only=True, eq=False)
class Episode:
    """One plan towards where the target was seen.

    Attributes:
        begins: [s] when the target is seen and planning begins.
        starts: [s] where in the course the plan starts.
        node: [s] when the next node is reached, the end of a way to a landmark.
        edge: [s] how long the way under way takes from node to node.
        target: where to; None where nothing carries the target.
        budget: evaluations that it may take.
        rate: [evaluations/ms] that turns them into time.
        evaluations: that it took.
        milliseconds: [ms] on the clock of this machine: the search, and all around it.
        core: [ms] of one core, however busy the machine is.
        found: whether the search reached the target within the budget.
        taken: whether the plan was taken up.
        distance: [m] from the start of the plan to the target.
        why: a sentence where no plan was taken up.
    """

    begins: float
    starts: float
    node: float
    edge: float
    target: Place | None
    budget: int
    rate: float
    evaluations: int
    milliseconds: float
    core: float
    found: bool
    taken: bool
    distance: float
    why: str = ""

    @property
    def allotted(self) -> float:
        """[s] that it may take."""
        return self.budget / self.rate / 1e3

    @property
    def spent(self) -> float:
        """[s] that it took, by the pursuit's clock."""
        return self.evaluations / self.rate / 1e3

    @property
    def ready(self) -> bool:
        """Whether the plan was due before the next node: as early as it could be put to use."""
        return self.begins + self.allotted <= self.node + 1e-9

    @property
    def late(self) -> bool:
        """Whether it was due too late, but took no longer than the way to the next node."""
        return not self.ready and self.spent <= self.edge


@dataclass(frozen=True)
class Report:
    """How the episodes of a pursuit, or of several, held their time.

    Attributes:
        episodes: how many.
        found: share that found a way within the budget.
        ready: share due before the next node.
        late: share that took no longer than an edge but was due later.
        over_a_second: share that took longer than 1 s by the pursuit's clock.
        within_50_ms: share that took no more than 50 ms of one core.
        median: [ms] of one core, of an episode.
        near: [ms], median of those within a few metres of the target.
        evaluations: median.
    """

    episodes: int
    found: float
    ready: float
    late: float
    over_a_second: float
    within_50_ms: float
    median: float
    near: float
    evaluations: float

    NEAR = 6.0
    """[m] that count as near: a few landmarks away."""

    @classmethod
    def of(cls, episodes: Sequence[Episode]) -> Report:
        """Of some episodes, one or more."""
        took = np.array([each.core for each in episodes])
        close = [each.core for each in episodes if each.distance <= cls.NEAR]
        return cls(
            episodes=len(episodes),
            found=_share(each.found for each in episodes),
            ready=_share(each.ready for each in episodes),
            late=_share(each.late for each in episodes),
            over_a_second=_share(each.spent > 1.0 for each in episodes),
            within_50_ms=float((took <= 50.0).mean()),
            median=float(np.median(took)),
            near=float(np.median(close)) if close else float("nan"),
            evaluations=float(np.median([each.evaluations for each in episodes])),
        )

    def __str__(self) -> str:
        near = "" if np.isnan(self.near) else f", {self.near:.0f} ms near the target"
        return (
            f"{self.episodes} episodes: {self.found:.0%} found in budget (levine2011: 93%),"
            f" {self.ready:.0%} ready before the next node (68%), {self.late:.0%} within an edge"
            f" but late (12%), {self.over_a_second:.0%} over 1 s (16%);"
            f" {self.within_50_ms:.0%} within 50 ms, median {self.median:.0f} ms{near} (50 ms)"
        )


def _share(flags: Iterable[bool]) -> float:
    return float(np.mean(list(flags)))
