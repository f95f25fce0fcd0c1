"""Crowds: many characters, live, in one world that moves.

crowd = sf.Crowd(world, [sf.Entrant(sf.people.adult(), (0.0, 0.0, 0.0), goal=(8.0, 0.0, 0.0))])
while not crowd.done:
    crowd.step(1 / 60)
    poses = crowd.poses()
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from surefoot import arrays
from surefoot.agents.budget import Conversion
from surefoot.agents.detail import Detail, Poser, levels
from surefoot.agents.events import Event
from surefoot.agents.inputs import Added, Input, Removed, Sent, Viewed, body_changes
from surefoot.agents.loop import Frame, Loop
from surefoot.agents.recording import PlannerMaker, Recording
from surefoot.agents.report import CrowdReport
from surefoot.agents.settings import CrowdSettings
from surefoot.arrays import ArrayLike, Floats, expect
from surefoot.character import Character
from surefoot.errors import InputError, PlaceError, ProblemError
from surefoot.planning import wording
from surefoot.planning.footsteps import LiveFootsteps
from surefoot.planning.goals import Goal, read_goal
from surefoot.planning.live import LivePlanner, LivePoses, Moving
from surefoot.planning.places import PlaceLike, resolve_place
from surefoot.planning.segments import Footstep
from surefoot.world import Body, Place, World

GoalLike = Goal | PlaceLike | None
"""A goal; a place, a point over the ground [m] or a name, to stand within 0.25 m of; None for
nowhere."""


_PERSON = "such as sf.people.adult()"


@dataclass(frozen=True, eq=False, repr=False)
class Entrant:
    """Somebody to come into a crowd.

    Attributes:
        character: whose body.
        place: on the surface to stand on; or a point or a name, see `PlaceLike`.
        heading: [rad], in the frame of the place's body.
        goal: where to.
    """

    character: Character
    place: PlaceLike
    heading: float = field(default=0.0, kw_only=True)
    goal: GoalLike = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        expect(self.character, Character, "character", _PERSON)

    def __repr__(self) -> str:
        to = "" if self.goal is None else f", goal={self.goal}"
        return f"Entrant({self.character.name!r}, {self.place}{to})"


class Crowd:
    """Many characters that live in one world.

    Args:
        world: where; bodies may be added, moved, observed and removed between steps.
        characters: who is there at first; `add` lets more come.
        planner: gives the planner for a world; the planner of footsteps when not given.
        settings: how it is run.
        start: [s].
    """

    def __init__(
        self,
        world: World,
        characters: Iterable[Entrant] = (),
        *,
        planner: PlannerMaker | None = None,
        settings: CrowdSettings | None = None,
        start: float = 0.0,
    ) -> None:
        expect(world, World, "world")
        self.world, self.settings = world, settings or CrowdSettings()
        expect(self.settings, CrowdSettings, "settings")
        entrants = arrays.several(characters, Entrant, "characters")
        self.planner: LivePlanner = (planner or LiveFootsteps)(world)
        self._loop = Loop(world, self.planner, self.settings, start=start)
        self._poser = Poser(self.planner, self.settings)
        self._beginning = world.copy()
        self._bodies: dict[str, Body] = dict(world.bodies)
        self._characters: dict[int, tuple[int, Character]] = {}
        self._inputs: list[Input] = []
        self._digests: list[str] = []
        self.frames: list[Frame] = []
        """What each frame did."""
        for number, entrant in enumerate(entrants):
            try:
                agent = self.add(entrant.character, entrant.place, heading=entrant.heading)
                self.goal(agent, entrant.goal)
            except (PlaceError, ProblemError) as reason:
                raise type(reason)(f"entrant {number}: {reason}") from reason

    # --- who is there, and where to --------------------------------------------------------------

    def add(
        self,
        character: Character,
        place: PlaceLike,
        *,
        heading: float = 0.0,
        goal: GoalLike = None,
    ) -> int:
        """Lets somebody come; returns the agent's id. See `Entrant`.

        Raises:
            ProblemError: nobody can stand there, or somebody does.
        """
        expect(character, Character, "character", _PERSON)
        self._note_bodies()
        where = self._place(place, character, "place")
        agent = self._loop.add(character, where, heading)
        index, _ = self._characters.setdefault(id(character), (len(self._characters), character))
        self._inputs.append(
            Added(
                frame=self._loop.frame,
                agent=agent,
                character=index,
                place=where,
                heading=float(heading),
            )
        )
        if goal is not None:
            self.goal(agent, goal)
        return agent

    def remove(self, agent: int) -> None:
        """Takes somebody out; others go on as they planned, and plan without it from now on."""
        self._loop.remove(agent)
        self._poser.forget(agent)
        self._inputs.append(Removed(frame=self._loop.frame, agent=agent))

    def goal(self, agent: int, goal: GoalLike) -> None:
        """Sends somebody somewhere; None to stop where its plan ends.

        Raises:
            ProblemError: there is no floor at the goal.
        """
        self._note_bodies()
        aim = None if goal is None else self._goal(goal, self._loop.member(agent).character)
        self._loop.send(agent, aim)
        self._inputs.append(Sent(frame=self._loop.frame, agent=agent, goal=aim))

    def view_from(self, viewers: ArrayLike) -> None:
        """Says where those are who watch: who is far from all of them is done with less work.

        See `near`, `far`, `sparse` and `far_horizon` of the settings.

        Args:
            viewers: `(k, 3)` [m], such as where cameras are; none: everybody is near.
        """
        spots = arrays.positions(viewers, "viewers").reshape(-1, 3).copy()
        self._loop.viewers = spots
        self._inputs.append(Viewed(frame=self._loop.frame, viewers=spots))

    @property
    def viewers(self) -> Floats:
        """`(k, 3)` [m]: where those are who watch."""
        return self._loop.viewers.copy()

    @property
    def agents(self) -> tuple[int, ...]:
        """The ids of all who are there, in order."""
        return tuple(self._loop.members)

    def character(self, agent: int) -> Character:
        """Whose body an agent has."""
        return self._loop.member(agent).character

    # --- time ------------------------------------------------------------------------------------

    @property
    def t(self) -> float:
        """[s] now."""
        return self._loop.t

    def step(self, dt: float, *, nodes: int | None = None) -> Frame:
        """Goes on by `dt` [s], > 0 and at most 10; plans for those who need it.

        Args:
            dt: such as 1/60.
            nodes: that all plans of this frame may take; as the settings say when not given.
        """
        self._note_bodies()
        frame = self._loop.step(dt, nodes=nodes)
        self.frames.append(frame)
        self._digests.append(self._digested(frame))
        return frame

    @property
    def done(self) -> bool:
        """Whether everybody who has a goal stands at it."""
        return all(self.arrived(agent) for agent in self._loop.members)

    def arrived(self, agent: int) -> bool:
        """Whether an agent stands at its goal, or has none and stands."""
        member = self._loop.member(agent)
        return self.t >= member.plan.end and member.reaches

    def why(self, agent: int) -> str:
        """A sentence about why an agent's plan does not reach its goal; empty when it does."""
        return self._loop.member(agent).why

    # --- what comes of it ------------------------------------------------------------------------

    def plans(self) -> Mapping[int, Moving]:
        """The published plans by agent; each is for ever, until another takes its place."""
        return dict(self._loop.published)

    def footsteps(self, agent: int) -> tuple[Footstep, ...]:
        """Where and when an agent's feet are on the ground, as far as it has planned."""
        return self._loop.member(agent).plan.footsteps

    def spots(self) -> tuple[Floats, Floats]:
        """Where all agents are now: `(n, 3)` [m] and headings `(n,)` [rad]; in order of ids."""
        return self.planner.spots(list(self._loop.published.values()), self.t)

    def details(self) -> tuple[Detail, ...]:
        """How much is done for each agent now, by how far it is from those who watch."""
        found = levels(self.spots()[0], self._loop.viewers, self.settings)
        return tuple(Detail(one) for one in found.tolist())

    def poses(self, agents: Sequence[int] | None = None) -> LivePoses:
        """The skeletal poses of all agents now, or of some; see `view_from` for far ones."""
        plans = self._loop.published
        if agents is not None:
            given: Any = agents
            if isinstance(given, str | bytes) or not isinstance(given, Iterable):
                raise InputError(f"agents must be a list of ids of agents, got {given!r}")
            plans = {agent: self._loop.member(agent).plan for agent in agents}
        if not len(self._loop.viewers):
            return self.planner.poses(plans, self.t, threads=self.settings.threads)
        characters = [self._loop.member(agent).character for agent in plans]
        return self._poser.poses(plans, characters, self._loop.viewers, self.t, self._loop.frame)

    @property
    def events(self) -> Mapping[Event, int]:
        """How often each event was noticed."""
        return self._loop.monitor.counts

    @property
    def budgets(self) -> Sequence[Conversion]:
        """How each frame's nodes came about."""
        return tuple(self._loop.times.log)

    def report(self, last: int | None = None) -> CrowdReport:
        """How the crowd holds its budget.

        Args:
            last: > 0: frames that are looked at; all when not given.
        """
        if last is not None and last < 1:
            raise InputError(f"a report looks at one frame or more, got last={last!r}")
        frames = self.frames if last is None else self.frames[-last:]
        return CrowdReport.of(frames, len(self.agents), self.settings)

    @property
    def digest(self) -> str:
        """A hash of all that was planned until now: the same for the same run."""
        return self._digests[-1] if self._digests else ""

    def recording(self) -> Recording:
        """All that came in until now: with it the run can be repeated to the same bits."""
        return Recording(
            planner=self.planner.name,
            identity=dict(self.planner.identity),
            settings=self.settings,
            start=self.frames[0].t if self.frames else self.t,
            world=self._beginning,
            characters=tuple(character for _, character in self._characters.values()),
            inputs=tuple(self._inputs),
            steps=np.array([frame.dt for frame in self.frames]),
            nodes=np.array([frame.allowance for frame in self.frames], dtype=np.int64),
            digests=tuple(self._digests),
        )

    def __repr__(self) -> str:
        return f"Crowd({len(self.agents)} agents at {self.t:g} s in {self.world!r})"

    def _note_bodies(self) -> None:
        """What others did to the world's bodies is part of the run."""
        changes = body_changes(self._bodies, self.world, self._loop.frame)
        if changes:
            self._inputs += changes
            self._bodies = dict(self.world.bodies)

    def _digested(self, frame: Frame) -> str:
        total = hashlib.sha256((self.digest + repr(frame)).encode())
        total.update(np.ascontiguousarray(self._loop.monitor.spots).tobytes())
        for agent in frame.taken:
            plan = self._loop.published[agent]
            times = np.append(plan.actions, [plan.start, plan.end])
            for array in (times, *plan.spots(times)):
                total.update(np.ascontiguousarray(array).tobytes())
        return total.hexdigest()[:16]

    def _place(self, place: PlaceLike, character: Character, name: str) -> Place:
        skills = character.capabilities.values()
        return resolve_place(place, self.world, [self.t], skills, name)

    def _goal(self, goal: Goal | PlaceLike, character: Character) -> Goal:
        given = read_goal(goal)
        if not isinstance(given, Goal):
            raise ProblemError(f"a crowd's goals are places, got {given}")
        aim = replace(given, place=self._place(given.place, character, "goal"))
        point = self.world.position(aim.place, self.t)
        if not bool(self.world.support(point, self.t, up=0.5, down=0.5).hit):
            there = wording.goal(aim, self.world, self.t)
            instead = wording.instead(self.world, point, self.t, character.capabilities.values())
            raise ProblemError(f"goal {there} has no floor{instead}")
        return aim
