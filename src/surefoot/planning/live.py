"""The seam between the live loop and what plans for it.

A live loop (`surefoot.agents`) keeps one published plan for everybody, notices what happens, and
asks a `LivePlanner` for new plans. It knows nothing of feet, discs or muscles: a plan is a
`Moving`, made of actions, and can be exchanged for another where one of its actions ends.

What makes many characters safe together, and what each side does for it:

- A published plan is never changed, only replaced as a whole. Whoever plans reads frozen plans.
- A published plan ends standing, and is meant for ever: the body stays where it ends, on what
  carries it. So everybody has something safe to do when no new plan is found, and everybody may
  rely on it.
- All published plans are clear of each other. A planner gives plans that are clear of what was
  published when it was asked; the loop takes them up in the order of their ids, and only those
  that `clear` of what was taken up before them in the same round.
- Budgets are counts of nodes, so that the same run has the same bits on any machine and at any
  number of threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

from surefoot.arrays import ArrayLike, Bools, Floats
from surefoot.character import Character
from surefoot.planning.goals import Goal
from surefoot.planning.segments import Footstep
from surefoot.world import Place


class Moving(Protocol):
    """A published plan; immutable.

    A plan that replaces another one is the same as that one before it takes over, so at any time
    from `start` on the newest plan alone says where its body is.
    """

    @property
    def start(self) -> float:
        """[s] from when on it tells where the body is."""
        ...

    @property
    def end(self) -> float:
        """[s] when its last action ends; from then on the body stands, for ever."""
        ...

    @property
    def actions(self) -> Floats:
        """`(k,)` [s], increasing: when each action begins; each ends where the next begins.

        None where the body only stands. Another plan can take over at these times, and at any
        time after the end.
        """
        ...

    def soonest(self, t: float) -> float:
        """[s], >= t: when another plan can take over at the soonest without a jump in pose.

        Earlier than where an action ends where a body can break off what it does, such as standing
        still.
        """
        ...

    @property
    def rides(self) -> bool:
        """Whether it ends on something that moves, and is carried on.

        Such a plan is clear of others for a while only: the loop looks again.
        """
        ...

    @property
    def footsteps(self) -> tuple[Footstep, ...]:
        """Where feet are on the ground, in order of contact; none where feet are not planned."""
        ...

    @property
    def reached(self) -> bool:
        """Whether its end is at the goal that it was asked for."""
        ...

    def spots(self, times: ArrayLike) -> tuple[Floats, Floats]:
        """Where the body is over the ground: `(n, 3)` [m] and headings `(n,)` [rad], in the world.

        Args:
            times: `(n,)` [s], from `start` on.
        """
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Asked:
    """A question to a planner: what should this agent do from `begin` on?

    Attributes:
        agent: its id.
        plan: what it does now.
        begin: [s], >= now: when the new plan takes over: one of the times in `plan.actions`, or a
            time from `plan.end` on; of who is about to be struck maybe `plan.soonest`.
        goal: where to, with tolerance, heading and arrival window where they matter.
        horizon: > 0: how many actions the plan may have at most; it then stands, also where the
            goal is further.
        nodes: > 0: how many nodes may be expanded.
        urgent: whether something is about to strike: a reaction may be unusual.
    """

    agent: int
    plan: Moving
    begin: float
    goal: Goal
    horizon: int
    nodes: int
    urgent: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """What a planner found.

    Attributes:
        agent: its id.
        plan: the best that was found within the budget, at least a stand from `begin` on; None
            where even that would strike something: the agent keeps the plan that it has.
        nodes: how many were expanded.
        why: a sentence about a plan that does not reach its goal: why not. Empty when it does.
        hopeless: no larger budget or horizon will help: there is no way in the world as it is.
        reaction: whether it is out of the ordinary, because something is about to strike.
    """

    agent: int
    plan: Moving | None
    nodes: int
    why: str = ""
    hopeless: bool = False
    reaction: bool = False


@dataclass(frozen=True, eq=False)
class LivePoses:
    """Skeletal poses of `n` characters, all on the canonical joints.

    Attributes:
        root: `(n, 3)` [m]: the pelvis, in the world.
        rotations: `(n, joints, 4)`: local rotations.
        contacts: `(n, 2, 2)`: whether left and right foot are on the ground with heel and toes.
    """

    root: Floats
    rotations: Floats
    contacts: Bools


class LivePlanner(Protocol):
    """Plans for many agents in one world that goes on; it was made for that world.

    The loop never changes the world while one of these methods runs. All methods give the same
    bits at any number of threads, and for the same calls in the same order.
    """

    @property
    def name(self) -> str:
        """Which planner this is, for recordings."""
        ...

    @property
    def identity(self) -> Mapping[str, str]:
        """What its plans depend on beside the questions, for recordings: settings, libraries.

        Planners that differ in the value of a name give different plans. Names may come with those
        who are admitted.
        """
        ...

    def admit(
        self, agent: int, character: Character, place: Place, heading: float, t: float
    ) -> Moving:
        """A new agent's first plan: standing at a place from `t` [s] on.

        Args:
            agent: its id, not in use.
            character: whose body and abilities it has.
            place: on the surface that carries it.
            heading: [rad] in the frame of the place's body.
            t: [s].

        Raises:
            ProblemError: nobody can stand there; says why.
        """
        ...

    def dismiss(self, agent: int) -> None:
        """An agent is gone; its id is not used again."""
        ...

    def plan(
        self,
        asked: Sequence[Asked],
        published: Mapping[int, Moving],
        t: float,
        *,
        threads: int = 1,
    ) -> list[Answer]:
        """Answers to all questions, in their order, each for itself.

        Args:
            asked: at most one for each agent.
            published: the plans of all agents, by id; frozen meanwhile. An answer is clear of all
                of them but its own agent's, of the world, and of what the world's bodies that are
                only `Observed` may do.
            t: [s] now.
            threads: how many to use.
        """
        ...

    def clear(
        self,
        agent: int,
        plan: Moving,
        others: Mapping[int, Moving],
        start: float,
        end: float = inf,
    ) -> bool:
        """Whether an agent's plan keeps clear of other agents' plans from `start` to `end` [s].

        A plan of the agent itself among the others does not count.
        """
        ...

    def threats(self, plans: Mapping[int, Moving], bodies: Sequence[str], t: float) -> Floats:
        """`(n,)` [s]: when each plan is struck by one of some bodies as they are now seen to move.

        Infinite where it is not. Only what is at most a few seconds ahead counts: how far is the
        planner's to say, as is how much room unpredictable bodies get.

        Args:
            plans: of some agents, by id.
            bodies: names of bodies of the world whose futures were not known when those plans
                were made; none where only some have gone, which may have been to carry somebody.
            t: [s] now.
        """
        ...

    def spots(self, plans: Sequence[Moving], t: float) -> tuple[Floats, Floats]:
        """Where bodies are at `t` [s]: `(n, 3)` [m] and headings `(n,)` [rad], in the world."""
        ...

    def poses(self, plans: Mapping[int, Moving], t: float, *, threads: int = 1) -> LivePoses:
        """The skeletal poses of some agents at `t` [s], rows in the order of `plans`."""
        ...
