"""Runners: somebody who goes from place to place and changes its mind, for pursuits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats, number
from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.planning import Goal, Plan, Status
from surefoot.planning.plan import Outcome
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.planning.spacetime.traveller import Traveller
from surefoot.world import Place, World

WALKS = ("walk", "avoid", "corner", "jump")
"""Controllers of somebody who does not run."""

WORK = 60_000
"""Evaluations that one of its plans may take."""


class Runner:
    """Goes to one of some places at random, stays for a while, and on to another.

    Now and then it changes its mind on the way. What it does is decided by its seed alone; whoever
    pursues it sees only where it is.

    Args:
        world: where.
        character: who.
        start: where it stands.
        places: that it goes to, two or more.
        seed: of all that is random.
        t: [s] when it begins.
        until: [s] when it has done enough, and stays.
        stays: [s]: at least and at most, between two ways.
        whims: how many times a minute it changes its mind on the way, >= 0.
        planner: of its ways; somebody who walks and jumps when not given.
    """

    def __init__(
        self,
        world: World,
        character: Character,
        start: Place,
        places: Sequence[Place],
        *,
        seed: int = 0,
        t: float = 0.0,
        until: float = 60.0,
        stays: tuple[float, float] = (0.5, 2.0),
        whims: float = 4.0,
        planner: SpaceTime | None = None,
    ) -> None:
        if len(places) < 2:
            raise InputError(f"a runner needs two places or more to go to, got {len(places)}")
        low, high = (arrays.time(span, "stays", at_least=0.0) for span in stays)
        if low > high:
            raise InputError(f"stays must be (least, most), got {low:g}, {high:g}")
        self.world, self.character = world, character
        self.places, self.stays = tuple(places), (low, high)
        self.whims = number(whims, "whims", at_least=0.0)
        self.until = arrays.time(until, "until", above=t)
        self._random = np.random.default_rng(seed)
        walks = SpaceTime(SpaceTimeSettings(controllers=WALKS))
        self._traveller = Traveller(
            world, character, start, planner or walks, t=t, until=until + 60.0
        )
        self._traveller.stay(1.0)
        self._goal: Place | None = None

    def point(self, t: float) -> Floats:
        """`(3,)` [m]: where it is at `t` [s]."""
        self._decide(t)
        return self.world.position(self._traveller.course.place(t), t)

    def plan(self, until: float) -> Plan:
        """What it did until a moment [s], or a little later where that is in the air."""
        self._decide(until)
        course = self._traveller.course
        if until < course.end:
            course.cut(course.seam(until))
        end = course.last.place
        status = Status(Outcome.REACHED, f"is at {end} at {course.end:.2f} s")
        return self._traveller.plan(Goal(end, tolerance=0.5), status, {})

    def _decide(self, t: float) -> None:
        """Knows what it does until a moment [s], and no farther than it has decided."""
        course = self._traveller.course
        while course.end <= t:
            self._go_on()

    def _go_on(self) -> None:
        traveller, random = self._traveller, self._random
        course = traveller.course
        starts = course.end
        if starts >= self.until:
            self._rest(6.0)
            return
        order = [self.places[int(i)] for i in random.permutation(len(self.places)).tolist()]
        for place in order:
            if place == self._goal:
                continue
            attempt = traveller.attempt(
                Goal(place, tolerance=0.6), starts, budget=WORK, horizon=45.0
            )
            if traveller.take(attempt):
                self._goal = place
                break
        else:
            self._rest(6.0)
            return
        self._change_mind(starts)

    def _rest(self, lasting: float) -> None:
        if not self._traveller.stay(lasting):
            raise InputError(f"the runner cannot stay at {self._traveller.course.end:.1f} s")

    def _change_mind(self, starts: float) -> None:
        """Breaks a way off at a random moment, or stays at its end for a random while."""
        course, random = self._traveller.course, self._random
        arrives = [one.run.end for one in course.played if not one.waits][-1]
        minutes = (arrives - starts) / 60.0
        later = float(random.uniform(*self.stays))
        at = arrives + later
        if random.uniform() < self.whims * minutes:
            at = float(random.uniform(starts + 0.2 * (arrives - starts), arrives))
        at = course.seam(at)
        if at < course.end:
            course.cut(at)
