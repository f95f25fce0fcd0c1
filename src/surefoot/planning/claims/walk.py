"""A plan in a world at closely spaced moments, and what can be found wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character import Capability
from surefoot.errors import InputError
from surefoot.limits import MAX_SAMPLES
from surefoot.planning.frames import headings_to_world, to_world
from surefoot.planning.segments import Segment
from surefoot.world import Place, World

if TYPE_CHECKING:
    from surefoot.planning.plan import Plan

STRIDE, BEAT = 0.05, 0.1
"""[m], [s] The farthest apart that two moments of standing are looked at."""


class Fault(StrEnum):
    """Which kind of claim fails."""

    MISSING = "missing body"
    JOINT = "joint"
    COLLISION = "collision"
    SUPPORT = "support"
    SPEED = "speed"
    FLIGHT = "flight"
    FOOTSTEP = "footstep"
    HORIZON = "horizon"
    GOAL = "goal"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that does not hold, and the bodies that have to do with it.

    Attributes:
        fault: which kind of claim.
        time: [s].
        place: where.
        message: a sentence.
        bodies: those that it depends on.
        point: `(3,)` [m] where something is not that should be, in world coordinates.
        margin: [m] how near to `point` it would have counted.
    """

    fault: Fault
    time: float
    place: Place
    message: str
    bodies: tuple[str, ...] = ()
    point: Floats | None = None
    margin: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Part:
    """A segment at closely spaced moments.

    Attributes:
        segment: the segment.
        capability: that it uses.
        frames: that may carry the character: its own, and while boarding those before and after.
        times: `(m,)` [s].
        points: `(m, 3)` [m] in world coordinates.
        headings: `(m,)` [rad] in the world.
        grounded: `(m,)` whether not in flight.
    """

    segment: Segment
    capability: Capability
    frames: tuple[str | None, ...]
    times: Floats
    points: Floats
    headings: Floats
    grounded: Bools

    def place(self, i: int) -> Place:
        """Where the character is at the i-th moment."""
        return self.segment.place(float(self.times[i]))


@dataclass(frozen=True)
class Walk:
    """A plan in a world, in parts that can be looked at; segments on missing bodies are not."""

    plan: Plan
    world: World
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, plan: Plan, world: World) -> Walk:
        """The moments of a plan.

        Raises:
            InputError: it is so long that there are more than `MAX_SAMPLES`.
        """
        if sum(float(_counts(segment).sum()) for segment in plan.segments) > MAX_SAMPLES:
            length = sum(segment.length for segment in plan.segments)
            raise InputError(
                f"plan: {length:,.0f} m in {plan.duration:,.0f} s are too much to verify, at most"
                f" {MAX_SAMPLES * STRIDE:,.0f} m and {MAX_SAMPLES * BEAT:,.0f} s"
            )
        parts = [
            _part(plan, world, i)
            for i, segment in enumerate(plan.segments)
            if segment.frame is None or segment.frame in world
        ]
        return cls(plan, world, tuple(parts))


def _part(plan: Plan, world: World, index: int) -> Part:
    segment = plan.segments[index]
    around = plan.segments[max(index - 1, 0) : index + 2] if segment.kind.bridges else (segment,)
    frames = dict.fromkeys([segment.frame, *(near.frame for near in around)])
    times = _moments(segment)
    local, turned = segment.sample(times)
    return Part(
        segment=segment,
        capability=plan.capabilities[segment.capability],
        frames=tuple(frame for frame in frames if frame is None or frame in world),
        times=times,
        points=to_world(world, segment.frame, local, times),
        headings=headings_to_world(world, segment.frame, turned, times),
        grounded=~in_flight(segment, times),
    )


def _moments(segment: Segment) -> Floats:
    spans, counts = np.diff(segment.times), _counts(segment).astype(int)
    # Each span in so many even parts.
    first = np.repeat(np.cumsum(counts) - counts, counts)
    within = np.arange(len(first)) - first
    inside = np.repeat(segment.times[:-1], counts) + within * np.repeat(spans / counts, counts)
    times = np.append(inside, segment.times[-1])
    # Just inside: bodies may change their motion exactly where a segment begins or ends.
    inset = min(1e-6, segment.duration / 4)
    times[0] += inset
    times[-1] -= inset
    return times


def _counts(segment: Segment) -> Floats:
    """How many parts each span of a segment is looked at in."""
    lengths = np.linalg.norm(np.diff(segment.positions, axis=0), axis=1)
    return np.ceil(np.maximum(lengths / STRIDE, np.diff(segment.times) / BEAT))


def in_flight(segment: Segment, times: Floats) -> Bools:
    """`(n,)`: which of the times [s] lie inside a flight."""
    airborne = np.zeros(len(times), dtype=np.bool_)
    for flight in segment.flights:
        airborne |= (times > flight.start) & (times < flight.end)
    return airborne


def names(*bodies: str | None) -> tuple[str, ...]:
    """Those that are bodies, once each."""
    return tuple(dict.fromkeys(body for body in bodies if body is not None))
