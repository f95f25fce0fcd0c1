"""From the legs of a search to rollouts: the runs of controllers that a plan is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.control import Configuration, Controller, Rollout
from surefoot.errors import SurefootError
from surefoot.planning.frames import to_frame
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Run
from surefoot.planning.spacetime.outcome import Leg, Outcome
from surefoot.planning.spacetime.search import Search
from surefoot.world import Place

SHORTEST = 1e-6
"""[s] A run that is shorter is none."""

FAR = 10.0
"""[m] Straight ahead: where one looks who only waits."""


@dataclass(frozen=True, eq=False)
class Played:
    """One run of a controller.

    Attributes:
        run: as plans say it.
        rollout: what it does.
        capability: whose cylinder it fills.
        waits: whether it goes nowhere.
        cost: of all of it.
    """

    run: Run
    rollout: Rollout
    capability: str
    waits: bool
    cost: float


class OtherwiseError(SurefootError):
    """A run does not do again what the search saw.

    Attributes:
        time: [s] when it begins.
    """

    def __init__(self, message: str, time: float) -> None:
        super().__init__(message)
        self.time = time


class Player:
    """Makes the rollouts of a search again, one after the other."""

    def __init__(self, problem: Problem, search: Search) -> None:
        self._problem, self._search = problem, search
        self._now, self._at = problem.start_time, search.start
        self._capability = search.skills[0].go.task.capability
        self._played: list[Played] = []

    def play(self, outcome: Outcome) -> tuple[Played, ...]:
        """All of them, to the goal."""
        legs = outcome.legs
        for i, leg in enumerate(legs):
            # Whoever waits stops, and so does everybody at the end.
            stays = i + 1 == len(legs) or legs[i + 1].departs > legs[i + 1].arrived
            self._wait_for(leg)
            if not stays or leg.halt != "instead":
                self._go(leg)
            if stays and leg.halt != "straight":
                self._halt(leg)
        if legs:
            self._settle(outcome.settling)
        if outcome.end == "reached":
            self._stand(outcome.arrives)
        return tuple(self._played)

    def _go(self, leg: Leg) -> None:
        problem, go = self._problem, leg.skill.go
        settings = self._search.settings
        adapted = go.adapt(
            problem.world, problem.character, self._at, leg.target, t=self._now,
            arrival=leg.arrival, longest=leg.least + settings.spread, attempts=settings.attempts,
            boards=leg.boards,
        )  # fmt: skip
        if not adapted or abs(adapted.rollout.end - leg.arrives) > SHORTEST:
            raise self._otherwise(go)
        obstacle = adapted.obstacle
        about = () if obstacle is None else (*obstacle[:3], *obstacle.constants)
        self._capability = go.task.capability
        waited = float(self._search.table.constant[0]) * (self._now - leg.arrived)
        cost = max(leg.cost - waited, 0.0)
        self._add(go, adapted.rollout, leg.target, leg.arrival, about, None, cost, leg.boards)

    def _halt(self, leg: Leg) -> None:
        """Comes to a stand at the landmark."""
        problem, halt = self._problem, leg.skill.halt
        assert halt is not None
        rollout = halt.rollout(
            self._at, leg.at, t=self._now, arrival=leg.stands, world=problem.world,
            character=problem.character,
        )  # fmt: skip
        if not rollout:
            raise self._otherwise(halt)
        self._capability = halt.task.capability
        self._add(halt, rollout, leg.at, leg.stands, (), None, leg.halted)

    def _otherwise(self, who: Controller) -> OtherwiseError:
        return OtherwiseError(
            f"controller {who.name!r} does not do again at {self._now:.2f} s what was seen",
            self._now,
        )

    def _wait_for(self, leg: Leg) -> None:
        """Comes to a stand, stands, and gets ready."""
        if leg.departs <= leg.arrived + 1e-9:
            return
        self._settle(leg.settling)
        # From where the search looked, too: to stand may shift what is stood on.
        seen = self._seen(leg)
        waited = leg.departs - self._now
        readying = self._search.settings.readying
        if waited > readying + SHORTEST:
            self._stand(leg.departs - readying)
        lead = leg.departs - self._now
        if lead > SHORTEST:
            near = self._search.settings.arrival or leg.skill.go.task.arrival
            self._wait(leg.skill.wait, seen, near, lead)

    def _seen(self, leg: Leg) -> Place:
        """Where the target will be seen at the departure, on what carries the character now."""
        world, here = self._problem.world, self._at.place
        if leg.target.body == here.body:
            return leg.target

        def at(t: float) -> Floats:
            return to_frame(world, here.body, world.position(leg.target, t)[None], [t])[0]

        shift = at(leg.departs) - here.position
        away = float(np.hypot(shift[0], shift[1]))
        return Place(here.body, at(leg.departs + away / leg.skill.go.bounds.speed))

    def _settle(self, settling: float) -> None:
        if settling > 0:
            skill = self._search.skills[0]
            self._wait(skill.wait, straight_ahead(self._at), skill.go.task.arrival, settling)

    def _stand(self, until: float) -> None:
        if until > self._now + SHORTEST:
            wait = self._search.skills[0].wait
            self._wait(wait, straight_ahead(self._at), wait.task.arrival, until - self._now)

    def _wait(self, who: Controller, target: Place, arrival: float, lasting: float) -> None:
        problem = self._problem
        rollout = who.rollout(
            self._at, target, t=self._now, arrival=arrival, wait=lasting, world=problem.world,
            character=problem.character,
        )  # fmt: skip
        if not rollout:
            raise OtherwiseError(
                f"a wait at {self._now:.2f} s {rollout.ending}, which the search did not see",
                self._now,
            )
        cost = float(self._search.table.constant[0]) * (rollout.end - self._now)
        self._add(who, rollout, target, arrival, (), lasting, cost)

    def _add(
        self, who: Controller, rollout: Rollout, target: Place, arrival: float,
        obstacle: tuple[float, ...], wait: float | None, cost: float, boards: bool = False,
    ) -> None:  # fmt: skip
        if rollout.end > self._now + SHORTEST:
            run = Run(
                controller=who.name, start=self._at, begin=self._now, end=rollout.end,
                target=target, arrival=arrival, obstacle=obstacle, wait=wait, boards=boards,
            )  # fmt: skip
            waits = wait is not None
            self._played.append(Played(run, rollout, self._capability, waits, cost))
        self._now, self._at = rollout.end, rollout.last


def told_to(played: Sequence[Played], until: float) -> int:
    """How many runs have to be told to know what is done to `until` [s].

    Where a jump lands, and when a step from body to body has ended, only the next run says.
    """
    count = sum(one.run.begin < until for one in played)
    while 0 < count < len(played) and between(played[count - 1]):
        count += 1
    return count


def between(one: Played) -> bool:
    """Whether a run jumps, or leads from one body to another."""
    pieces, move = one.rollout.pieces, one.rollout.repertoire.move
    bodies = {piece.place.body for piece in pieces}
    return len(bodies) > 1 or any(move(piece.action).mode == "jump" for piece in pieces)


def straight_ahead(start: Configuration) -> Place:
    """Where one looks who only waits."""
    x, y, z = start.place.position
    c, s = np.cos(start.heading), np.sin(start.heading)
    ahead = np.array([x + FAR * c, y + FAR * s, z], dtype=np.float64)
    return Place(start.place.body, ahead)
