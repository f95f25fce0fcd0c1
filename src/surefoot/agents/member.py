"""One agent of a crowd, as the loop sees it."""

from __future__ import annotations

from math import inf

import numpy as np

from surefoot.agents.events import PRESSING, Event
from surefoot.agents.settings import CrowdSettings
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.planning.goals import Goal
from surefoot.planning.live import Moving

_ROUNDING = 1e-6
"""[s]"""


class Member:
    """What the loop keeps about an agent; changed by the loop alone, between frames.

    Attributes:
        id: never used twice.
        character: whose body it has.
        goal: where to; None for nowhere.
        aside: where to step aside first, to make room for others.
        aside_until: [s] until when.
        plan: the one that is published.
        aimed: whether that one was made for the goal that it has now.
        events: what happened since its plan was made.
        since: frame from which on it waits for a new plan; -1 when it does not.
        free: [s]: before it, nothing but pressing events makes a new plan.
        expires: [s] when its plan is too old.
        played: [s] when the last action that may be played of its plan begins.
        aim: `(3,)` [m]: where its goal was when it was last planned for.
        agents_near: ids of those in view when it last looked.
        bodies_near: names of moving bodies in view.
        failures: answers in a row that were no use.
        why: a sentence when its plan does not reach its goal.
        hopeless: there is no way in the world as it is.
    """

    def __init__(self, id_: int, character: Character, plan: Moving) -> None:
        self.id, self.character, self.plan = id_, character, plan
        self.goal: Goal | None = None
        self.aside: Goal | None = None
        self.aside_until = -inf
        self.aimed = False
        self.events: set[Event] = set()
        self.since, self.free = -1, -inf
        self.expires = self.played = inf
        self.aim: Floats | None = None
        self.agents_near: frozenset[int] = frozenset()
        self.bodies_near: frozenset[str] = frozenset()
        self.failures, self.why, self.hopeless = 0, "", False

    def notice(self, event: Event, frame: int) -> None:
        """Something happened; it waits for a new plan from this frame on, if it did not."""
        self.events.add(event)
        if self.since < 0:
            self.since = frame

    @property
    def urgent(self) -> bool:
        """Whether something is about to strike."""
        return Event.COLLISION in self.events

    @property
    def pressing(self) -> int:
        """How pressing the most pressing of its events is; the lower, the more."""
        return min(PRESSING[event] for event in self.events)

    @property
    def reaches(self) -> bool:
        """Whether its plan ends at its goal, or there is none."""
        return self.goal is None or (self.aimed and self.plan.reached)

    def waits(self, t: float) -> bool:
        """Whether it should be given a new plan at `t` [s]."""
        if not self.events:
            return False
        return t >= self.free or self.pressing <= PRESSING[Event.COURTESY]

    def takeover(self, t: float) -> float:
        """[s], >= t: the first moment at which another plan can take over.

        An action that begins right now has begun: its first pose may have been shown.
        """
        if t >= self.plan.end:
            return t
        actions = self.plan.actions
        later = int(np.searchsorted(actions, t, side="right"))
        return float(actions[later]) if later < len(actions) else self.plan.end

    def take(
        self, plan: Moving, begin: float, t: float, settings: CrowdSettings, horizon: int
    ) -> None:
        """Its new plan takes over at `begin` [s]; says when that one is to be made anew.

        Args:
            plan: the new one.
            begin: [s].
            t: [s] now.
            settings: how many actions of it may be played.
            horizon: [actions] that it looks ahead; what comes after them is the stop.
        """
        self.plan, self.aimed = plan, self.aside is None
        self.failures = 0 if plan.end > begin or plan.reached else self.failures + 1
        self.events.clear()
        # Made anew before the next action ends, it would be made for the same moment again.
        self.since, self.free = -1, begin
        self.expires = self.played = inf
        if plan.reached and plan.end <= t:
            return
        self.expires = t + settings.expiry
        if plan.end > begin:
            # Planned while the last of those actions is played, the next plan takes over in time.
            # Planners add up durations: what begins at `begin` may begin a rounding error before.
            begins = plan.actions[plan.actions >= begin - _ROUNDING]
            # A plan that looks less far ahead than that is made anew before it comes to its stop.
            count = min(settings.actions, horizon, len(begins))
            self.played = float(begins[count - 1]) if count else begin
            if plan.reached and count == len(begins):
                self.played = inf
        elif not plan.reached:
            self.expires = t + self._patience(settings)
        if plan.reached and plan.end <= self.expires:
            self.expires = inf

    def keep(self, t: float, frame: int, settings: CrowdSettings) -> None:
        """No better plan was found; it keeps the one it has, and tries again later."""
        self.failures += 1
        self.free = t + self._patience(settings)
        if self.events <= {Event.AGENT, Event.BODY}:
            # Who merely saw somebody come has a plan that is as good as it was.
            self.events.clear()
            self.since = -1
        elif self.events:
            self.events = {Event.EXPIRED}
            self.since = frame

    def _patience(self, settings: CrowdSettings) -> float:
        """[s] until it tries again; longer the more often it tried, and where there is no way."""
        most = 5 if self.hopeless else 2
        return settings.retry * 2.0 ** min(max(self.failures - 1, 0), most)
