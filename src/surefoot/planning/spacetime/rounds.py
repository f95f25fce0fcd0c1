"""Rounds: the searches of different temper that one plan takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot import _native
from surefoot.planning.spacetime.outcome import ENDS

REACHED = ENDS.index("reached")

Settled = tuple[float, float, int, float]
"""Of a landmark on the way: see `Leg.settling`, `least`, `halt` and `halted`."""


@dataclass(frozen=True)
class Round:
    """One search of several for the same thing.

    Attributes:
        haste: how many times as hastily as the settings say.
        doubt: [s]: by how much worse a way is for each failure about that time.
        preparation: [s]: who has waited so long is ready for anything; the settings' when not
            given.
        most: trajectories, while nothing is found.
    """

    haste: float = 1.0
    doubt: float = 3.0
    preparation: float | None = None
    most: int = 500


ROUNDS = (
    Round(most=200), Round(haste=1.3, doubt=6.0, most=250), Round(haste=1.6, doubt=10.0, most=400),
    Round(haste=2.5, doubt=10.0, most=400), Round(doubt=1.0), Round(most=1500),
    Round(preparation=2.0), Round(haste=1.4), Round(doubt=1.0, preparation=2.0, most=1000),
    Round(haste=0.85, doubt=1.0, most=2000), Round(haste=2.0, most=4000),
)  # fmt: skip
"""How it is searched in turn. How soon a way is found, and how good it is, is partly luck: who has
looked for long in vain looks otherwise, and so does who has a way and the time for a better one.
What was run before is known then."""

POLISH = Round(doubt=1.0, preparation=3.0)
"""How it is looked for a cheaper way than one that is known: what has failed once or is nearly the
same as something else is worth another try then."""


@dataclass
class Progress:
    """How far the rounds of a search have come, for who goes on with it later.

    Attributes:
        at: which round is next, or was stopped.
        tried: trajectories, with those that were recalled.
        recalled: of these.
        repeated: of these, what the same plan has asked for before.
        best: what was found so far.
        below: what the next round's way must cost less than, or the stopped one's.
        done: whether another round would find nothing more.
        stopped: trajectories that were tried in the round that was stopped; they come again.
        stopped_anew: of these, what the same plan had not asked for before.
        allowed: trajectories, with recalled ones, that a round may try before it is stopped.
        begun: whether any of it was searched.
    """

    at: int = 0
    tried: int = 0
    recalled: int = 0
    repeated: int = 0
    best: tuple[_native.Found, list[Settled]] | None = None
    below: float = np.inf
    done: bool = False
    stopped: int = 0
    stopped_anew: int = 0
    allowed: float = np.inf
    begun: bool = False
    _looked: bool = False

    @property
    def reached(self) -> bool:
        """Whether a way was found."""
        return self.best is not None and self.best[0].end == REACHED

    @property
    def polishes(self) -> bool:
        """Whether the next round is the first that looks for a cheaper way."""
        return self.reached and not self._looked

    @property
    def ran(self) -> int:
        """Trajectories that were run, not recalled."""
        return self.tried - self.recalled

    @property
    def tried_before(self) -> int:
        """Trajectories in rounds that came to their end."""
        return self.tried - self.stopped

    @property
    def anew_before(self) -> int:
        """Of these, what the plan had not asked for before."""
        return self.tried - self.repeated - self.stopped_anew

    def note(
        self, found: tuple[_native.Found, list[Settled]], memory: _native.RunMemory, short: bool
    ) -> bool:
        """What came of a round; whether it came to its end.

        Args:
            found: that.
            memory: of what it ran.
            short: whether it was allowed less than its share.
        """
        tried, end, limit = found[0].counts[1], ENDS[found[0].end], ENDS[found[0].limit]
        self.tried += tried
        self.recalled += memory.recalled
        self.repeated += memory.repeated
        looks = self.reached
        if end == "reached" or not looks:
            self.best = found
        stopped = limit == "stopped" or (limit == "evaluations" and short)
        self.stopped = tried if stopped else 0
        self.stopped_anew = tried - memory.repeated if stopped else 0
        if stopped:
            return False
        self.at += 1
        self.below = self.best[0].cost if self.best is not None and self.reached else np.inf
        self._looked |= looks
        # Another one for a cheaper way would begin as this one did.
        self.done = limit == "evaluations" if looks else end not in ("evaluations", "reached")
        return True
