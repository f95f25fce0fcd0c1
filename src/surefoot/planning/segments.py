"""The pieces of a plan: what is done from when to when, on which body, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Literal, TypeVar

import numpy as np

from surefoot import arrays, schema
from surefoot.arrays import Floats, floats, frozen, number
from surefoot.control import Configuration
from surefoot.errors import InputError, one_of
from surefoot.limits import MAX_COORDINATE, MAX_NUMBER
from surefoot.motion.flight import Flight
from surefoot.planning.frames import turn_between
from surefoot.world import Place

E = TypeVar("E", bound=Enum)


class Kind(StrEnum):
    """What a segment does.

    `ride` is a wait on something that moves. `board` goes from one carrier to another, in the
    frame of either; while it lasts, both may carry. `bend` is a walk under something low. A
    `jump` has flights; in the air nothing carries, so its frame is best the world's own.
    """

    WALK = "walk"
    RUN = "run"
    CROUCH = "crouch"
    BEND = "bend"
    TURN = "turn"
    WAIT = "wait"
    RIDE = "ride"
    BOARD = "board"
    STEP_OVER = "step over"
    STEP_UP = "step up"
    STEP_DOWN = "step down"
    CLIMB = "climb"
    JUMP = "jump"

    @property
    def waits(self) -> bool:
        """Whether the character stays where it is, on whatever carries it."""
        return self in (Kind.WAIT, Kind.RIDE)

    @property
    def bridges(self) -> bool:
        """Whether one foot may be on the far side of a gap, so that nothing is in between."""
        return self in (Kind.BOARD, Kind.STEP_OVER, Kind.STEP_UP, Kind.STEP_DOWN, Kind.CLIMB)


class Timing(StrEnum):
    """How firm the times of a segment are."""

    FIXED = "fixed"
    """They must be kept: the world is only known to be free then."""
    ESTIMATED = "estimated"
    """They are the best guess; a little earlier or later is as good."""
    OPEN = "open"
    """The end is an event, such as a lift's arrival; the end time is a guess at it."""


class Execution:
    """How a segment is turned into motion."""


@schema.record("path")
@dataclass(frozen=True)
class Path(Execution):
    """Follow the segment's path, in the gait of its capability."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One rollout of a controller, said so exactly that it can be made again to the same bits.

    Attributes:
        controller: its name.
        start: the configuration that it begins with, and what is under way there.
        begin: [s].
        end: [s].
        target: where to.
        arrival: [m], > 0: how near to the target it ends.
        obstacle: the controller's idea of what is in the way, in the frame of what carries the
            character at the start: x, y [m] and direction [rad], then the constants of the task;
            empty where nothing is.
        wait: [s]: it ends after this time and not at the target; None where it goes there.
        broken_off: whether something else was done from `end` on, before it was done.
        boards: whether it ends wherever on what carries the target the first move ends that leads
            there.
    """

    controller: str
    start: Configuration
    begin: float
    end: float
    target: Place
    arrival: float
    obstacle: tuple[float, ...] = ()
    wait: float | None = None
    broken_off: bool = False
    boards: bool = False

    def __post_init__(self) -> None:
        begin = arrays.time(self.begin, "run: begin")
        arrays.time(self.end, "run: end", above=begin)
        arrays.time(self.arrival, "run: arrival", above=0.0)
        if self.wait is not None:
            arrays.time(self.wait, "run: wait", above=0.0)
        if 0 < len(self.obstacle) < 3:
            raise InputError(f"run: an obstacle has three numbers or more, got {self.obstacle}")


@schema.record("controller")
@dataclass(frozen=True)
class Controller(Execution):
    """Run a learned controller.

    Attributes:
        name: of the controller.
        parameters: of its task, by name.
        run: the rollout, where it is known. Segments in a row that have the same one are parts of
            it: on one body, in the air, on the next.
        then: rollouts that begin before the segment ends, as when a step from body to body is not
            over yet.
    """

    name: str
    parameters: Mapping[str, float] = field(default_factory=dict[str, float])
    run: Run | None = None
    then: tuple[Run, ...] = ()


@schema.record("steps")
@dataclass(frozen=True)
class Steps(Execution):
    """Play annotated steps of the character's library.

    Attributes:
        names: of the steps, in order.
        speeds: playing speed of each over the recorded one, > 0; all 1 when empty.
    """

    names: tuple[str, ...]
    speeds: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.speeds and len(self.speeds) != len(self.names):
            raise InputError(
                f"steps need a speed for each name: {len(self.names)} names,"
                f" {len(self.speeds)} speeds"
            )
        for speed in self.speeds:
            number(speed, "a step's playing speed", above=0.0)


@schema.record("policy")
@dataclass(frozen=True)
class Policy(Execution):
    """Give a simulated body's policy this task."""

    task: str
    parameters: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, kw_only=True)
class Footstep:
    """One foot on the ground.

    Attributes:
        foot: "left" or "right".
        place: the middle of the sole, on the surface that carries it.
        heading: [rad] in the frame of the place's body.
        start: [s] first contact.
        end: [s] last contact, > start; inf when it stays.
    """

    foot: Literal["left", "right"]
    place: Place
    heading: float
    start: float
    end: float

    def __post_init__(self) -> None:
        if self.foot not in ("left", "right"):
            raise InputError(one_of("foot", self.foot, ("left", "right")))
        number(self.heading, "footstep heading")
        start = arrays.time(self.start, "footstep start")
        end = arrays.time(self.end, "footstep end", infinite=True)
        if not end > start:
            raise InputError(f"a footstep must end after it starts, got {start:g} s to {end:g} s")


@dataclass(frozen=True)
class Alternative:
    """What a planner looked at and left: for `plan.explain()`.

    Attributes:
        what: the other choice, as in "jump to 'train 2' at 3.1 s".
        why_not: as in "it would arrive 4.2 s later".
        cost: of the whole plan that way; inf where it cannot be done.
    """

    what: str
    why_not: str
    cost: float = float("inf")


@dataclass(frozen=True, kw_only=True, eq=False)
class Segment:
    """One thing that is done, as a timed path of the feet in the frame of one body.

    Attributes:
        kind: what is done.
        capability: name of the character's capability that does it, and whose cylinder it fills.
        times: `(n,)` [s], n >= 2, increasing.
        positions: `(n, 3)` [m] in the frame, linear in between; the point between the feet.
        headings: `(n,)` [rad] in the frame.
        frame: the body that carries the character, None for the world's own frame.
        timing: how firm the times are.
        execution: how it is turned into motion.
        flights: times in the air, in order, inside start..end.
        cost: of this segment.
        because: why this was chosen, as a clause: "'train 1' is level only from 5.3 s".
        instead: what else was looked at.
    """

    kind: Kind
    capability: str
    times: Floats
    positions: Floats
    headings: Floats
    frame: str | None = None
    timing: Timing = Timing.FIXED
    execution: Execution = Path()
    flights: tuple[Flight, ...] = ()
    cost: float = 0.0
    because: str = ""
    instead: tuple[Alternative, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "kind", _member(Kind, self.kind, "segment kind"))
        put(self, "timing", _member(Timing, self.timing, "timing"))
        name = f"{self.kind} segment"
        times = arrays.times(self.times, f"{name}: times")
        if times.ndim != 1 or len(times) < 2:
            raise InputError(f"{name}: times must have shape (n,) with n >= 2, got {times.shape}")
        if not (np.diff(times) > 0).all():
            at = int(np.argmax(np.diff(times) <= 0))
            raise InputError(
                f"{name}: times must increase, but times[{at}] = {times[at]:g} is followed by"
                f" {times[at + 1]:g}"
            )
        for field_name, shape in (("positions", (len(times), 3)), ("headings", times.shape)):
            limit, unit = (MAX_COORDINATE, "m") if field_name == "positions" else (MAX_NUMBER, "")
            given = getattr(self, field_name)
            array = floats(given, f"{name}: {field_name}", limit=limit, unit=unit)
            if array.shape != shape:
                raise InputError(f"{name}: {field_name} must have shape {shape}, got {array.shape}")
            put(self, field_name, frozen(array))
        put(self, "times", frozen(times))
        put(self, "flights", arrays.several(self.flights, Flight, f"{name}: flights"))
        put(self, "instead", arrays.several(self.instead, Alternative, f"{name}: instead"))
        put(self, "cost", number(self.cost, f"{name}: cost", at_least=0.0, infinite=True))
        self._check_flights(name)

    def _check_flights(self, name: str) -> None:
        last = self.start
        for flight in self.flights:
            if flight.start < last or flight.end > self.end:
                raise InputError(
                    f"{name}: flights must lie in order inside {self.start:g}..{self.end:g} s,"
                    f" got {flight.start:g}..{flight.end:g} s"
                )
            last = flight.end

    @property
    def start(self) -> float:
        """When it begins [s]."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """When it ends [s]."""
        return float(self.times[-1])

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return self.end - self.start

    @property
    def length(self) -> float:
        """[m] along the path, in the frame."""
        return float(np.linalg.norm(np.diff(self.positions, axis=0), axis=1).sum())

    @property
    def mode(self) -> str:
        """What a cost charges: "wait", or the capability."""
        return "wait" if self.kind.waits else self.capability

    def sample(self, times: Floats) -> tuple[Floats, Floats]:
        """Positions `(n, 3)` [m] and headings `(n,)` [rad] in the frame; the ends hold outside."""
        times = np.asarray(times, dtype=np.float64)
        columns = [interpolated(times, self.times, self.positions[:, axis]) for axis in range(3)]
        # The shorter way round between neighbours, so that 3.1 and -3.1 are close.
        steps = turn_between(self.headings[:-1], self.headings[1:])
        unrolled = self.headings[0] + np.concatenate([[0.0], np.cumsum(steps)])
        return np.stack(columns, axis=-1), interpolated(times, self.times, unrolled)

    def place(self, t: float) -> Place:
        """Where the character is at `t` [s]."""
        positions, _ = self.sample(np.array([t]))
        return Place(self.frame, positions[0])


def interpolated(times: Floats, keys: Floats, values: Floats) -> Floats:
    """`(n,)`: linear between keys, held outside."""
    return np.asarray(np.interp(times, keys, values), dtype=np.float64)


def _member(kind: type[E], value: Any, name: str) -> E:
    try:
        return kind(value)
    except ValueError:
        choices = [str(member.value) for member in kind]
        raise InputError(one_of(name, value, choices)) from None
