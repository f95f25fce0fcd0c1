"""Giving way: who gets nowhere for a while makes room, or is made room for.

Plans that are clear of each other can still stand in each other's way for ever: two who meet in a
door, somebody at its goal in the middle of a corridor. Neither can plan the other's way. So
whoever makes no progress is noticed, and of those who are near one steps aside for a while: the
last by id of several who have somewhere to go, else somebody who is at its goal and in front, else
the stuck one itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf

import numpy as np

from surefoot.agents.events import Event
from surefoot.agents.member import Member
from surefoot.agents.monitor import EventsMonitor
from surefoot.agents.settings import CrowdSettings
from surefoot.arrays import Floats
from surefoot.planning import standing
from surefoot.planning.goals import Goal
from surefoot.world import Place, World

_NEAR = 1.4
"""[m] Who is nearer than this may be what is in the way."""
_APART = 0.9
"""[m] From everybody, where somebody steps aside to."""
_AHEAD = 0.3
"""[m] Nearer to the goal than ever by this much is progress."""

_RINGS = np.array([1.0, 1.6, 2.4, 3.2])
_ANGLES = np.arange(16) * (np.pi / 8)
_AROUND: Floats = np.concatenate(
    [r * np.stack([np.cos(_ANGLES), np.sin(_ANGLES), 0 * _ANGLES], axis=1) for r in _RINGS]
)


@dataclass
class _Progress:
    """How somebody gets on.

    Attributes:
        goal: to where.
        best: [m] how near it was at best.
        since: [s] when it was.
        times: how often it gave way.
    """

    goal: Goal
    best: float
    since: float
    times: int = 0


class Courtesy:
    """Watches a crowd for those who get nowhere.

    Args:
        world: where they are.
        monitor: whom to tell.
        settings: how long somebody waits.
    """

    def __init__(self, world: World, monitor: EventsMonitor, settings: CrowdSettings) -> None:
        self._world, self._monitor, self._settings = world, monitor, settings
        self._progress: dict[int, _Progress] = {}

    def watch(self, members: Sequence[Member], t: float, frame: int) -> None:
        """Lets those who gave way go on, and looks for those who get nowhere at `t` [s]."""
        for member in members:
            if member.aside is not None and t >= member.aside_until:
                member.aside = None
                known = self._progress.get(member.id)
                if known is not None:
                    # It went back to make room: what counts is how it gets on from here.
                    known.best, known.since = inf, t
                self._monitor.tell(member, Event.COURTESY, frame)
        spots, period = self._monitor.spots, self._settings.look
        stuck = [
            i for i, member in enumerate(members)
            if member.id % period == frame % period and self._is_stuck(member, spots[i], t)
        ]  # fmt: skip
        for index in stuck:
            self._make_room(members, spots, index, t, frame)
        if len(self._progress) > 2 * len(members) + 16:
            there = {member.id for member in members}
            self._progress = {k: v for k, v in self._progress.items() if k in there}

    def lingers(self, member: Member, t: float) -> bool:
        """Whether somebody has come no nearer to its goal for a while, and may soon be stuck."""
        known = self._progress.get(member.id)
        if known is None or known.goal is not member.goal or member.reaches:
            return False
        return t - known.since > 0.5 * self._settings.courtesy

    def _is_stuck(self, member: Member, spot: Floats, t: float) -> bool:
        goal = member.goal
        if goal is None or member.aside is not None or member.hopeless or member.reaches:
            known = self._progress.get(member.id)
            if known is not None:
                known.since = t
            return False
        aim = member.aim
        if aim is None:
            return False
        left = hypot(aim[0] - spot[0], aim[1] - spot[1])
        known = self._progress.get(member.id)
        if known is None or known.goal is not goal:
            self._progress[member.id] = _Progress(goal, left, t)
            return False
        if left < known.best - _AHEAD:
            known.best, known.since = left, t
        return t - known.since > self._settings.courtesy

    def _make_room(
        self,
        members: Sequence[Member],
        spots: Floats,
        index: int,
        t: float,
        frame: int,
    ) -> None:
        """Has one of those around a stuck member step aside."""
        me = members[index]
        progress = self._progress[me.id]
        if t - progress.since <= self._settings.courtesy:
            return
        near: list[int] = self._monitor.nearby.near(spots[index], _NEAR).tolist()
        for other in self._candidates(members, spots, index, near, t):
            member = members[other]
            if member.aside is not None:
                # It was asked before and that was not enough: somebody else as well.
                continue
            spot = self._room(members, spots, other, t)
            if spot is None:
                continue
            known = self._progress.get(member.id)
            # Longer each time, for a while: what was too short may have been just too short.
            count = 0 if known is None else known.times
            member.aside = Goal(Place(None, spot), tolerance=0.4)
            member.aside_until = t + self._settings.courtesy * (1.0 + 0.5 * (count % 4))
            if known is not None:
                known.times = count + 1
            self._monitor.tell(member, Event.COURTESY, frame)
            break
        for i in near:
            known = self._progress.get(members[i].id)
            if known is not None:
                known.since = t

    def _candidates(
        self, members: Sequence[Member], spots: Floats, index: int, near: list[int], t: float
    ) -> list[int]:
        """Who might step aside, in order.

        Always the last by id of those who have somewhere to go: were it now the one and now the
        other, they would meet again and again.
        """
        goal = members[index].goal
        assert goal is not None
        ahead = self._world.position(goal.place, t) - spots[index]
        going = [i for i in near if not members[i].reaches or members[i].aside is not None]
        resting = [
            i for i in near
            if members[i].reaches and members[i].aside is None and members[i].plan.end <= t
            and float((spots[i] - spots[index])[:2] @ ahead[:2]) > 0.0
        ]  # fmt: skip
        if len(going) > 1:
            return [*sorted(going, reverse=True), *resting]
        return [*resting, index]

    def _room(
        self, members: Sequence[Member], spots: Floats, index: int, t: float
    ) -> Floats | None:
        """The best spot around for a member to step aside to; None where there is none."""
        around = spots[index] + _AROUND
        skill = members[index].character.capability("walk")
        firm = standing.can_stand(self._world, around, t, skill)
        if not firm.any():
            return None
        close = self._monitor.nearby.near(spots[index], _RINGS[-1] + 2.0)
        close = spots[close[close != index]]
        if not len(close):
            return None
        away = np.hypot(*(around[:, None] - close[None])[..., :2].transpose(2, 0, 1)).min(axis=1)
        far = np.hypot(*_AROUND[:, :2].T)
        score = np.where(firm & (away >= _APART), np.minimum(away, 2.0) - 0.25 * far, -np.inf)
        best = int(np.argmax(score))
        return around[best] if np.isfinite(score[best]) else None
