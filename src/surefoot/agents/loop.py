"""The live loop: notices, plans, takes up (beacco2013, 3 and 7). It knows nothing of feet.

A frame reads the frozen present and writes the next: events are noticed, those who wait the
longest for the most pressing reasons are planned for, all against the plans that are published
now, and what comes of it is taken up in the order of the ids, each plan verified against those
taken up before it. So the published plans are clear of each other after every frame, and a run has
the same bits at any number of threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from time import perf_counter
from types import MappingProxyType

import numpy as np

from surefoot.agents.budget import Shares, TimeManager, shares
from surefoot.agents.courtesy import Courtesy
from surefoot.agents.events import Event
from surefoot.agents.member import Member
from surefoot.agents.monitor import EventsMonitor
from surefoot.agents.settings import CrowdSettings
from surefoot.agents.whereabouts import Whereabouts
from surefoot.arrays import number
from surefoot.character import Character
from surefoot.errors import InputError, ProblemError, one_of
from surefoot.planning.goals import Goal
from surefoot.planning.live import Answer, Asked, LivePlanner, Moving
from surefoot.world import Place, World


@dataclass(frozen=True)
class Frame:
    """What a frame did.

    Attributes:
        number: 0 for the first.
        t: [s] when it began.
        dt: [s] how long it lasts.
        allowance: nodes that it might take.
        nodes: that it took.
        waiting: how many waited for a new plan.
        horizon: [actions] that plans looked ahead; 0 where nobody was planned for.
        asked: ids of those who were planned for, in order.
        taken: ids of those who took up a new plan, in order.
        refused: ids of those whose new plan was not clear of plans taken up before it.
    """

    number: int
    t: float
    dt: float
    allowance: int
    nodes: int
    waiting: int
    horizon: int
    asked: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()


_TURNS = (Event.COLLISION, Event.GOAL, Event.COURTESY)
"""What makes the old plan worth less than a stand."""

_STILL = 0.05
"""[m] Who goes no farther than this stands."""


class Loop:
    """Runs the agents of one world.

    Args:
        world: where they are; others may change it between frames.
        planner: made for that world.
        settings: how it is run.
        start: [s] now.
    """

    def __init__(
        self, world: World, planner: LivePlanner, settings: CrowdSettings, *, start: float = 0.0
    ) -> None:
        self.world, self.planner, self.settings = world, planner, settings
        self.t = number(start, "start")
        self.frame = 0
        self.monitor = EventsMonitor(world, planner, settings)
        self.courtesy = Courtesy(world, self.monitor, settings)
        self.times = TimeManager(settings)
        self._members: dict[int, Member] = {}
        self._published: dict[int, Moving] = {}
        self._whereabouts = Whereabouts()
        self._next = 0

    # --- who is there ----------------------------------------------------------------------------

    @property
    def members(self) -> Mapping[int, Member]:
        """All agents by id, in the order of their ids."""
        return MappingProxyType(self._members)

    @property
    def published(self) -> Mapping[int, Moving]:
        """All plans by id."""
        return MappingProxyType(self._published)

    def member(self, agent: int) -> Member:
        """The agent with this id."""
        if agent not in self._members:
            raise InputError(one_of("agent", agent, map(str, self._members)))
        return self._members[agent]

    def add(self, character: Character, place: Place, heading: float = 0.0) -> int:
        """Takes in an agent that stands at a place; returns its id.

        Raises:
            ProblemError: nobody can stand there, or somebody does.
        """
        agent, t, clear = self._next, self.t, self.planner.clear
        plan = self.planner.admit(agent, character, place, number(heading, "heading"), t)
        told: list[int] = []
        near = self._whereabouts.near(plan.spots([t])[0][0], self._published)
        if near and not clear(agent, plan, near, t):
            for other, known in near.items():
                # An action that has begun is finished; what comes after it can still be changed.
                until = self._members[other].takeover(t)
                if not clear(agent, plan, {other: known}, t, until):
                    raise ProblemError(f"{place} is taken: agent {other} is there, or about to be")
                if not clear(agent, plan, {other: known}, t):
                    told.append(other)
        self._next += 1
        self._members[agent], self._published[agent] = Member(agent, character, plan), plan
        self._whereabouts.came(agent, plan)
        for other in told:
            self.monitor.tell(self._members[other], Event.COLLISION, self.frame)
        return agent

    def remove(self, agent: int) -> None:
        """Takes an agent out; its id is not used again."""
        self.member(agent)
        del self._members[agent], self._published[agent]
        self._whereabouts.changed()
        self.planner.dismiss(agent)

    def send(self, agent: int, goal: Goal | None) -> None:
        """Gives an agent a goal; None lets it finish what it does and stand."""
        member = self.member(agent)
        member.aimed, member.aside = False, None
        member.goal, member.why, member.hopeless, member.failures = goal, "", False, 0
        if goal is None:
            member.events.clear()
            member.since, member.expires, member.played = -1, inf, inf
        else:
            member.aim = self.world.position(goal.place, self.t)
            self.monitor.tell(member, Event.GOAL, self.frame)

    # --- frames ----------------------------------------------------------------------------------

    def step(self, dt: float, *, nodes: int | None = None) -> Frame:
        """Goes on by `dt` [s].

        Args:
            dt: > 0.
            nodes: that the frame may take; as the settings say when not given.
        """
        dt = number(dt, "dt", above=0.0)
        members = list(self._members.values())
        self.monitor.watch(members, self.t, self.frame)
        self.courtesy.watch(members, self.t, self.frame)
        waiting = sorted(
            (member for member in members if member.waits(self.t)),
            key=lambda member: (member.pressing, member.since, member.id),
        )
        allowance = self.times.allowance(self.frame) if nodes is None else nodes
        given = shares(len(waiting), allowance, self.settings)
        asked = [self._question(member, given) for member in waiting[: given.served]]
        answers = self._answers(asked)
        taken, refused = self._take_up(asked, answers)
        frame = Frame(
            number=self.frame,
            t=self.t,
            dt=dt,
            allowance=allowance,
            nodes=sum(answer.nodes for answer in answers),
            waiting=len(waiting),
            horizon=given.horizon,
            asked=tuple(question.agent for question in asked),
            taken=taken,
            refused=refused,
        )
        self.frame += 1
        self.t += dt
        return frame

    def _question(self, member: Member, given: Shares) -> Asked:
        goal = member.aside or member.goal
        if goal is None:
            # Who wants nothing but is about to be struck wants to be about where it is.
            spot, _ = member.plan.spots([self.t])
            goal = Goal(Place(None, spot[0]), tolerance=2.0)
        return Asked(
            agent=member.id,
            plan=member.plan,
            begin=member.takeover(self.t),
            goal=goal,
            horizon=given.horizon,
            nodes=given.nodes,
            urgent=member.urgent,
        )

    def _answers(self, asked: list[Asked]) -> list[Answer]:
        if not asked:
            return []
        before = perf_counter()
        answers = self.planner.plan(asked, self.published, self.t, threads=self.settings.threads)
        self.times.spent(sum(answer.nodes for answer in answers), perf_counter() - before)
        return answers

    def _take_up(
        self, asked: list[Asked], answers: list[Answer]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Publishes what can be, in the order of the ids; ids of those taken up and refused."""
        fresh: dict[int, Moving] = {}
        refused: list[int] = []
        for question, answer in sorted(
            zip(asked, answers, strict=True), key=lambda pair: pair[0].agent
        ):
            member, plan = self._members[question.agent], answer.plan
            member.why, member.hopeless = answer.why, answer.hopeless
            if plan is None or _gives_up(question, plan, member):
                member.keep(self.t, self.settings)
            elif fresh and not self.planner.clear(member.id, plan, fresh, self.t):
                refused.append(member.id)
                # Who came second is first in the next frame: it has waited longer.
            else:
                fresh[member.id] = plan
                member.take(plan, question.begin, self.t, self.settings)
        if fresh:
            self._published.update(fresh)
            self._whereabouts.changed()
        return tuple(fresh), tuple(refused)


def _gives_up(question: Asked, plan: Moving, member: Member) -> bool:
    """Whether a plan only stands where the one it would replace still goes on, safely."""
    if plan.reached or not member.events.isdisjoint(_TURNS):
        return False
    return _way(question.plan, question.begin) > _STILL >= _way(plan, question.begin)


def _way(plan: Moving, begin: float) -> float:
    """[m] How far a plan leads from where it is at `begin` [s]."""
    if plan.end <= begin:
        return 0.0
    spots, _ = plan.spots([begin, plan.end])
    return float(np.hypot(*(spots[1] - spots[0])[:2]))
