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

from surefoot import arrays
from surefoot.agents.budget import TimeManager
from surefoot.agents.courtesy import Courtesy
from surefoot.agents.detail import Detail, levels
from surefoot.agents.events import PRESSING, Event
from surefoot.agents.member import Member
from surefoot.agents.monitor import EventsMonitor
from surefoot.agents.settings import MAX_STEP, CrowdSettings
from surefoot.agents.whereabouts import Whereabouts
from surefoot.arrays import Floats, number
from surefoot.character import Character
from surefoot.errors import InputError, ProblemError, one_of
from surefoot.planning import wording
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
        longest: [frames] that the one waited who waited longest.
        standing: how many of them stood meanwhile, though they have somewhere to go.
        horizon: [actions] that plans looked ahead; 0 where nobody was planned for.
        asked: ids of those who were planned for, in order.
        taken: ids of those who took up a new plan, in order.
        refused: ids of those whose new plan was not clear of plans taken up before it.
        reacted: ids of those whose new plan is out of the ordinary: something is about to strike.
    """

    number: int
    t: float
    dt: float
    allowance: int
    nodes: int
    waiting: int
    longest: int
    standing: int
    horizon: int
    asked: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    reacted: tuple[int, ...] = ()


_TURNS = (Event.COLLISION, Event.GOAL, Event.COURTESY)
"""What makes the old plan worth less than a stand."""

_LONG = 4
"""Times `patience`: who has waited longer than that comes before all but who is about to be struck.
"""

_FARTHER = 2
"""Times as far looks ahead who gets nowhere."""

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
        self.t = arrays.time(start, "start")
        self.frame = 0
        self.monitor = EventsMonitor(world, planner, settings)
        self.courtesy = Courtesy(world, self.monitor, settings)
        self.times = TimeManager(settings)
        self.viewers: Floats = np.empty((0, 3))
        """`(k, 3)` [m]: those who watch; everybody is near where nobody does."""
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
        near = self._whereabouts.beside(plan, self._published)
        if near and not clear(agent, plan, near, t):
            for other, known in near.items():
                # An action that has begun is finished; what comes after it can still be changed.
                until = self._members[other].takeover(t)
                if not clear(agent, plan, {other: known}, t, until):
                    here = wording.place(place, self.world, t)
                    raise ProblemError(f"{here} is taken: agent {other} is there, or about to be")
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
            dt: > 0 and at most `MAX_STEP`.
            nodes: that the frame may take; as the settings say when not given.
        """
        dt = arrays.time(dt, "dt", above=0.0, at_most=MAX_STEP)
        members = list(self._members.values())
        self.monitor.watch(members, self.t, self.frame)
        self.courtesy.watch(members, self.t, self.frame)
        waiting = self._waiting(members)
        longest = max((self.frame - member.since for member in waiting), default=0)
        standing = sum(m.plan.end <= self.t and not m.reaches for m in waiting)
        allowance = self.times.allowance(self.frame) if nodes is None else nodes
        horizon = self.times.horizon(len(waiting), allowance)
        asked, answers = self._answers(waiting, allowance, horizon)
        taken, refused = self._take_up(asked, answers)
        frame = Frame(
            number=self.frame,
            t=self.t,
            dt=dt,
            allowance=allowance,
            nodes=self._taken(answers),
            waiting=len(waiting),
            longest=longest,
            standing=standing,
            horizon=horizon,
            asked=tuple(question.agent for question in asked),
            taken=taken,
            refused=refused,
            reacted=tuple(a.agent for a in answers if a.reaction and a.agent in taken),
        )
        self.frame += 1
        self.t += dt
        return frame

    def _waiting(self, members: list[Member]) -> list[Member]:
        """Those who wait for a new plan, in the order in which they are served.

        The most pressing reason first, then the longest wait, then the lowest id; who has waited
        very long comes before those whose goal has changed, however many they are.
        """
        long = _LONG * self.settings.patience

        def place(member: Member) -> tuple[int, int, int]:
            pressing = member.pressing
            if self.frame - member.since > long:
                pressing = min(pressing, PRESSING[Event.GOAL])
            return pressing, member.since, member.id

        return sorted((m for m in members if m.events and m.waits(self.t)), key=place)

    def _question(self, member: Member, horizon: int, nodes: int) -> Asked:
        goal = member.aside or member.goal
        if goal is None:
            # Who wants nothing but is about to be struck wants to be about where it is.
            spot, _ = member.plan.spots([self.t])
            goal = Goal(Place(None, spot[0]), tolerance=2.0)
        urgent = member.urgent and self.settings.reactive
        return Asked(
            agent=member.id,
            plan=member.plan,
            begin=member.plan.soonest(self.t) if urgent else member.takeover(self.t),
            goal=goal,
            horizon=horizon,
            nodes=nodes,
            urgent=urgent,
        )

    def _answers(
        self, waiting: list[Member], allowance: int, horizon: int
    ) -> tuple[list[Asked], list[Answer]]:
        """Asks the planner for as many as the frame's nodes are enough for."""
        asked: list[Asked] = []
        answers: list[Answer] = []
        rations = self.times.rations(len(waiting), allowance)
        before = perf_counter()
        while len(asked) < len(waiting):
            count, nodes = rations.next(len(waiting) - len(asked), self.times.usual * horizon)
            if count == 0:
                break
            served = waiting[len(asked) : len(asked) + count]
            questions = [
                self._question(member, reach, max(1, nodes * reach // horizon))
                for member, reach in zip(served, self._reaches(served, horizon), strict=True)
            ]
            found = self.planner.plan(
                questions, self.published, self.t, threads=self.settings.threads
            )
            spent = sum(answer.nodes for answer in found)
            rations.take(count, spent)
            self.times.planned(count, spent, horizon)
            asked += questions
            answers += found
        if answers:
            self.times.spent(self._taken(answers), perf_counter() - before)
        self.times.settle(allowance, self._taken(answers))
        return asked, answers

    def _reaches(self, served: list[Member], horizon: int) -> list[int]:
        """[actions] How far each plan looks ahead.

        Less for those who are far from all viewers; farther for who gets nowhere: it may have to
        take some steps away from its goal first, and within few of them standing seems cheaper.
        """
        reaches = [horizon] * len(served)
        if len(self.viewers):
            spots, _ = self.planner.spots([member.plan for member in served], self.t)
            far = min(horizon, self.settings.far_horizon)
            near = levels(spots, self.viewers, self.settings) == Detail.NEAR
            reaches = [horizon if one else far for one in near.tolist()]
        lingers = self.courtesy.lingers
        return [
            _FARTHER * reach if lingers(member, self.t) else reach
            for member, reach in zip(served, reaches, strict=True)
        ]

    def _taken(self, answers: list[Answer]) -> int:
        """The nodes that some answers count for."""
        return sum(answer.nodes for answer in answers) + len(answers) * self.settings.asking

    def _take_up(
        self, asked: list[Asked], answers: list[Answer]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Publishes what can be, in the order of the ids; ids of those taken up and refused."""
        fresh: dict[int, Moving] = {}
        leading = Whereabouts()
        refused: list[int] = []
        for question, answer in sorted(
            zip(asked, answers, strict=True), key=lambda pair: pair[0].agent
        ):
            member, plan = self._members[question.agent], answer.plan
            member.why, member.hopeless = answer.why, answer.hopeless
            if plan is None or _gives_up(question, plan, member):
                member.keep(self.t, self.frame, self.settings)
            elif not self._joins(member.id, plan, leading.beside(plan, fresh)):
                refused.append(member.id)
                # Who came second is first in the next frame: it has waited longer.
            else:
                fresh[member.id] = plan
                leading.came(member.id, plan)
                member.take(plan, question.begin, self.t, self.settings, question.horizon)
        if fresh:
            self._published.update(fresh)
            self._whereabouts.changed()
        return tuple(fresh), tuple(refused)

    def _joins(self, agent: int, plan: Moving, near: Mapping[int, Moving]) -> bool:
        """Whether a plan keeps clear of those near it that were taken up before it."""
        return not near or self.planner.clear(agent, plan, near, self.t)


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
