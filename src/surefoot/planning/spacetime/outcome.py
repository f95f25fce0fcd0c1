"""What a search found: the legs of a way, and how it ended."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from surefoot import _native
from surefoot.planning.spacetime.skills import Skill
from surefoot.world import Place

ENDS = ("reached", "unreachable", "late", "nodes", "evaluations", "memory", "stopped")
"""How a search ends."""

COUNTS = (
    "nodes_expanded", "trajectories_evaluated", "trajectories_succeeded", "nodes_culled", "waits",
    "gap_markers", "nodes_queued", "memory_bytes", "failures_foreseen",
)  # fmt: skip
"""What the native search counts, in its order, as in `Plan.statistics`."""


Halt = Literal["straight", "instead", "after"]
"""How somebody comes to a stand who stays at a landmark: straight ahead; by a controller that
stands at its target, instead of the one that led there; or by such a one after it."""

HALTS: tuple[Halt, ...] = get_args(Halt)

Hint = tuple[float, float, float]
"""A way that was good before: the landmark it leads to, the skill, and when it departs [s]; minus
infinity: at once."""


@dataclass(frozen=True, eq=False)
class Leg:
    """From one landmark to the next.

    Attributes:
        skill: that goes there.
        arrived: [s] at the landmark that is left.
        departs: [s].
        arrives: [s].
        settling: [s] of the wait in which one comes to a stand there; 0 where one stands already.
        least: [s]: the bound of how long it takes.
        halt: how one comes to a stand who stays there.
        halted: what that costs, where a controller does it.
        stands: [m]: how near to the landmark one stands then.
        target: the landmark that is gone for.
        at: the landmark where one is then: another one where one boards elsewhere.
        boards: whether one is there wherever on what carries the target one comes to be.
        arrival: [m] how near to it.
        cost: of waiting and going.
        way: numbers of the landmarks it leads from and to, of the skill, and the departure [s].
    """

    skill: Skill
    arrived: float
    departs: float
    arrives: float
    settling: float
    least: float
    halt: Halt
    halted: float
    stands: float
    target: Place
    at: Place
    boards: bool
    arrival: float
    cost: float
    way: tuple[float, float, float, float]

    @property
    def hint(self) -> Hint:
        """For a search that comes by here again."""
        _, to, skill, departs = self.way
        return to, skill, departs if self.departs > self.arrived + 1e-9 else -math.inf


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a search found.

    Attributes:
        end: one of `ENDS`.
        legs: to the goal, or to where the least is left.
        settling: [s] at the end; negative where one cannot stop there.
        arrives: [s] when the goal is reached, after a wait there where that is needed.
        left: what is left at least from the end of the legs; 0 at a goal.
        statistics: counts and times.
        native: the native search's own account.
    """

    end: str
    legs: tuple[Leg, ...]
    settling: float
    arrives: float
    left: float
    statistics: dict[str, int | float]
    native: _native.Found
