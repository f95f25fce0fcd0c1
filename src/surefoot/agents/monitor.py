"""The events monitor: watches a crowd for what makes plans worth making anew (beacco2013, 3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from surefoot.agents.events import Event
from surefoot.agents.member import Member
from surefoot.agents.nearby import Nearby
from surefoot.agents.settings import CrowdSettings
from surefoot.arrays import Floats
from surefoot.planning.live import LivePlanner
from surefoot.world import Body, Mesh, Observed, World

_FORESIGHT = 5.0
"""[s] that is looked ahead for those who are carried."""


class EventsMonitor:
    """Watches a crowd, and tells its members what happened to them.

    Args:
        world: where they are.
        planner: knows where plans lead, and what they would strike.
        settings: when plans expire, and how far members see.
    """

    def __init__(self, world: World, planner: LivePlanner, settings: CrowdSettings) -> None:
        self._world, self._planner, self._settings = world, planner, settings
        self.spots: Floats = np.empty((0, 3))
        """`(n, 3)` [m]: where the members were when they were last watched."""
        self._bodies: dict[str, Body] = dict(world.bodies)
        self._went = False
        self._moving = self._movers()
        self._nearby: Nearby | None = None
        self._counts: Counter[Event] = Counter()
        self._spheres: dict[str, tuple[Mesh, Floats, float]] = {}

    @property
    def counts(self) -> Mapping[Event, int]:
        """How often each event was noticed."""
        return {event: self._counts[event] for event in Event}

    @property
    def nearby(self) -> Nearby:
        """Who is near whom, of those who were last watched."""
        if self._nearby is None:
            self._nearby = Nearby(self.spots, self._settings.view)
        return self._nearby

    def tell(self, member: Member, event: Event, frame: int) -> None:
        """Something happened to a member; it waits for a new plan from now on."""
        self._counts[event] += 1
        member.notice(event, frame)

    def watch(self, members: Sequence[Member], t: float, frame: int) -> None:
        """Notices all there is to notice at `t` [s]; members are in the order of their ids."""
        changed = self._changed()
        self._nearby = None
        if not members:
            self.spots = np.empty((0, 3))
            return
        self.spots, _ = self._planner.spots([member.plan for member in members], t)
        if changed or self._went:
            self._collisions(members, changed, t, frame)
        self._goals(members, t, frame)
        self._expiries(members, t, frame)
        self._arrivals(members, self.spots, t, frame)
        self._rides(members, t, frame)

    def _rides(self, members: Sequence[Member], t: float, frame: int) -> None:
        """Who is carried on after a plan may be carried to where others are, in a while."""
        for index, member in enumerate(members):
            if not member.plan.rides or (member.id + frame) % self._settings.look:
                continue
            _, found = self.nearby.pairs(np.array([index]), self._settings.view)
            near: list[int] = found.tolist()
            others = {members[i].id: members[i].plan for i in near}
            if not self._planner.clear(member.id, member.plan, others, t, t + _FORESIGHT):
                self.tell(member, Event.COLLISION, frame)

    def _changed(self) -> list[str]:
        """Bodies that came or were put on another trajectory since the last look."""
        now = self._world.bodies
        changed = [name for name, body in now.items() if self._bodies.get(name) is not body]
        self._went = any(name not in now for name in self._bodies)
        if changed or len(now) != len(self._bodies):
            self._bodies = dict(now)
            self._moving = self._movers()
        return changed

    def _movers(self) -> dict[str, Body]:
        return {name: body for name, body in self._bodies.items() if body.trajectory.moving}

    def _collisions(
        self, members: Sequence[Member], changed: list[str], t: float, frame: int
    ) -> None:
        plans = {member.id: member.plan for member in members}
        struck = self._planner.threats(plans, changed, t)
        for index in np.flatnonzero(np.isfinite(struck)).tolist():
            # It is told once for a sight of the body: the next sight may say otherwise.
            self.tell(members[index], Event.COLLISION, frame)

    def _goals(self, members: Sequence[Member], t: float, frame: int) -> None:
        """Goals ride on bodies: one that has gone from where it was planned for is another goal."""
        if not self._moving:
            return
        for member in members:
            goal = member.goal
            if goal is None or member.aim is None or goal.place.body not in self._moving:
                continue
            if member.plan.rides and member.reaches:
                continue  # it goes along
            now = self._world.position(goal.place, t)
            if float(np.linalg.norm(now - member.aim)) > goal.tolerance:
                member.aim = now
                self.tell(member, Event.GOAL, frame)

    def _expiries(self, members: Sequence[Member], t: float, frame: int) -> None:
        for member in members:
            if t >= member.expires or t >= member.played:
                event = Event.EXPIRED if t >= member.expires else Event.PLAYED
                self.tell(member, event, frame)
                member.expires = member.played = np.inf

    def _arrivals(self, members: Sequence[Member], spots: Floats, t: float, frame: int) -> None:
        """Those who look around in this frame notice who and what came into view."""
        period = self._settings.look
        looking = [i for i, member in enumerate(members) if member.id % period == frame % period]
        if not looking:
            return
        rows, found = self.nearby.pairs(np.array(looking), self._settings.view)
        ids = np.array([member.id for member in members])[found]
        ends = np.searchsorted(rows, np.arange(len(looking) + 1)).tolist()
        bodies = list(self._moving.values())
        centres, radii = self._positions(bodies, t)
        away = np.linalg.norm(spots[looking, None] - centres[None], axis=2)
        around = away <= self._settings.view + radii
        for row, index in enumerate(looking):
            member = members[index]
            seen = frozenset(ids[ends[row] : ends[row + 1]].tolist()) - {member.id}
            known = frozenset(bodies[i].name for i in np.flatnonzero(around[row]).tolist())
            news = known - member.bodies_near
            if member.goal is not None:
                if not seen <= member.agents_near:
                    self.tell(member, Event.AGENT, frame)
                if any(not isinstance(self._bodies[name].trajectory, Observed) for name in news):
                    self.tell(member, Event.BODY, frame)
            member.agents_near, member.bodies_near = seen, known

    def _positions(self, bodies: Sequence[Body], t: float) -> tuple[Floats, Floats]:
        """Spheres around moving bodies: centres `(n, 3)` and radii `(n,)` [m]."""
        centres, radii = np.empty((len(bodies), 3)), np.empty(len(bodies))
        for i, body in enumerate(bodies):
            known = self._spheres.get(body.name)
            if known is None or known[0] is not body.mesh:
                corners = body.mesh.vertices
                middle = (corners.min(axis=0) + corners.max(axis=0)) / 2.0
                radius = float(np.linalg.norm(corners - middle, axis=1).max())
                known = self._spheres[body.name] = (body.mesh, middle, radius)
            _, middle, radii[i] = known
            centres[i] = body.trajectory.pose(t).apply(middle)
        return centres, radii
