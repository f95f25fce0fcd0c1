"""Plans: the one output of every planner."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from surefoot import arrays, schema
from surefoot.arrays import ArrayLike, Floats, expect, number
from surefoot.character import Capability, Character
from surefoot.errors import InputError, one_of
from surefoot.planning import explain
from surefoot.planning.assumptions import Assumption
from surefoot.planning.check import Check, check
from surefoot.planning.frames import headings_to_world, to_world
from surefoot.planning.goals import AnyGoal
from surefoot.planning.segments import Footstep, Segment
from surefoot.planning.stand_in import stand_in
from surefoot.world import Body, Place, World

VERSION = 1
"""Of the plan files that this surefoot writes and reads."""


class Outcome(StrEnum):
    """How a search ended."""

    REACHED = "reached"
    """The plan reaches the goal."""
    UNREACHABLE = "unreachable"
    """No way exists, as far as this planner can see."""
    OUT_OF_TIME = "out of time"
    """No way ends within the horizon or the arrival window."""
    EXHAUSTED = "exhausted"
    """A limit on nodes, evaluations or memory was met first."""
    CANCELLED = "cancelled"
    """The caller asked to stop."""


@dataclass(frozen=True)
class Status:
    """How a search ended, and a sentence that says it: why not, and what to try."""

    outcome: Outcome
    message: str

    def __bool__(self) -> bool:
        return self.outcome is Outcome.REACHED

    def __str__(self) -> str:
        return self.message


@schema.record("plan")
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Plan:
    """What to do from when to when. Truthy when it reaches the goal.

    A falsy plan says why in `status.message` and holds the best way towards the goal that was
    found, maybe no way at all.

    Attributes:
        character: name of the character.
        capabilities: those that the segments use, by name.
        origin: where it starts.
        start: [s] when it starts.
        goal: what it is for.
        segments: what is done, each from where and when the last one ended.
        status: how the search ended.
        footsteps: in order of contact, where the planner knows them.
        cost: of all segments.
        statistics: counts and times by name; names of times end in `_ms`, and "total_ms" is all
            that planning took, with training where there was any. See `planning.statistics`.
        assumes: where it took the bodies of its world to be.
        planner: which made it.
        choice: why this planner; empty where the caller named one.
    """

    character: str
    capabilities: Mapping[str, Capability]
    origin: Place
    start: float
    goal: AnyGoal
    segments: tuple[Segment, ...]
    status: Status
    footsteps: tuple[Footstep, ...] = ()
    cost: float = 0.0
    statistics: Mapping[str, int | float] = field(default_factory=dict[str, int | float])
    assumes: tuple[Assumption, ...] = ()
    planner: str = ""
    choice: str = ""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "start", arrays.time(self.start, "plan: start"))
        put(self, "cost", number(self.cost, "plan: cost", at_least=0.0, infinite=True))
        for name, kind in (("segments", Segment), ("footsteps", Footstep), ("assumes", Assumption)):
            put(self, name, arrays.several(getattr(self, name), kind, f"plan: {name}"))
        for i, segment in enumerate(self.segments):
            if segment.capability not in self.capabilities:
                why = one_of("capability", segment.capability, self.capabilities)
                raise InputError(f"plan: segments[{i}]: {why}")

    def __bool__(self) -> bool:
        return bool(self.status)

    @property
    def end(self) -> float:
        """[s] when it ends."""
        return self.segments[-1].end if self.segments else self.start

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return self.end - self.start

    def segment_at(self, t: float) -> Segment | None:
        """The segment at `t` [s]: the later one where two meet; None before and after."""
        inside = [s for s in self.segments if s.start <= t <= s.end]
        return inside[-1] if inside else None

    def place(self, t: float) -> Place:
        """Where the character is at `t` [s]; before and after, where it starts and ends."""
        if not self.segments or t < self.start:
            return self.origin
        return self.segments[int(self._index(np.array([t]))[0])].place(t)

    def position(self, t: float, world: World) -> Floats:
        """`(3,)` [m]: the feet at `t` [s], in world coordinates."""
        return self.track([t], world)[0][0]

    def heading(self, t: float, world: World) -> float:
        """[rad] at `t` [s], in the world's frame."""
        return float(self.track([t], world)[1][0])

    def track(self, times: ArrayLike, world: World) -> tuple[Floats, Floats]:
        """Positions `(n, 3)` [m] and headings `(n,)` [rad] in the world at `times` `(n,)` [s].

        Before the start and after the end the character stays on what carries it.
        """
        times = arrays.times(times, "times").reshape(-1)
        if not self.segments:
            points = np.tile(self.origin.position, (len(times), 1))
            return to_world(world, self.origin.body, points, times), np.zeros(len(times))
        points, headings = np.empty((len(times), 3)), np.empty(len(times))
        index = self._index(times)
        for i, segment in enumerate(self.segments):
            at = index == i
            if not at.any():
                continue
            local, turned = segment.sample(times[at])
            points[at] = to_world(world, segment.frame, local, times[at])
            headings[at] = headings_to_world(world, segment.frame, turned, times[at])
        return points, headings

    def _index(self, times: Floats) -> npt.NDArray[np.intp]:
        """Which segment holds at each time; the first and last before and after."""
        starts = [segment.start for segment in self.segments]
        index = np.searchsorted(starts, times, side="right") - 1
        return np.clip(index, 0, len(self.segments) - 1)

    def check(self, world: World) -> Check:
        """Verifies every claim of the plan against `world`, without the planner that made it."""
        expect(world, World, "world", "such as problem.world or scene.world")
        return check(self, world)

    def explain(self) -> str:
        """The plan in words: what, and why this and not something else."""
        return explain.in_words(self)

    def __str__(self) -> str:
        return explain.table(self)

    def __repr__(self) -> str:
        what = ", ".join(f"{segment.kind} to {segment.end:.1f} s" for segment in self.segments)
        return f"Plan({self.character!r}, {self.status.outcome}: {what or 'stays'})"

    def as_body(
        self, character: Character, world: World, *, name: str = "", until: float | None = None
    ) -> Body:
        """A body that moves as the character will, for others to plan around.

        Args:
            character: whose size it has.
            world: the one that the plan is for.
            name: of the body; the character's when not given.
            until: [s] to go on riding whatever carries it in the end; 60 s after the end when
                not given. Then it stops.
        """
        return stand_in(self, character, world, name=name, until=until)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the plan as JSON."""
        schema.write(path, self, kind="plan", version=VERSION)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Plan:
        """The plan in a file, to the same bits."""
        return schema.read(path, cls, kind="plan", version=VERSION)

    def digest(self) -> str:
        """The same for plans that do the same.

        Statistics, which may be timings, and the choice of the planner do not count.
        """
        text = schema.dumps(replace(self, statistics={}, choice=""), kind="plan", version=VERSION)
        return hashlib.sha256(text.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return self.digest() == other.digest() if isinstance(other, Plan) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest())
