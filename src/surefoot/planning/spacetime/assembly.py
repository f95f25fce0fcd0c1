"""From rollouts to the segments of a plan: walk, run, jump, board, wait and ride."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Capability
from surefoot.planning.frames import carries
from surefoot.planning.segments import Controller, Kind, Run, Segment
from surefoot.planning.spacetime.playing import Played
from surefoot.planning.spacetime.timeline import Timeline
from surefoot.world import World

RATE = 30.0
"""[1/s] of the points of paths."""

SHORTEST = 1e-4
"""[s] of a segment."""

Skills = Mapping[str, Capability]

RUNNING = ("run", "avoid running", "leap")
"""Controllers that run where they do not jump."""


def segments_of(
    played: Sequence[Played], timeline: Timeline, world: World, skills: Skills
) -> tuple[Segment, ...]:
    """The segments of rollouts in a row.

    Args:
        played: the rollouts.
        timeline: the same on one clock.
        world: where.
        skills: that may be used, by name.
    """
    if not played:
        return ()
    special = [(leap.flight.start, leap.flight.end, i) for i, leap in enumerate(timeline.leaps)]
    special += [(begin, end, -1) for begin, end in timeline.boardings()]
    special.sort()
    segments: list[Segment] = []
    now = played[0].run.begin
    for begin, end, leap in [*special, (played[-1].run.end, played[-1].run.end, -2)]:
        for one in played:
            first, last = max(now, one.run.begin), min(begin, one.run.end)
            if last - first > SHORTEST:
                segments += _on_ground(one, first, last, played, timeline, world, skills)
        if leap >= 0:
            segments.append(_leap(leap, played, timeline))
        elif leap == -1:
            segments.append(_board(begin, end, played, timeline, skills))
        now = max(end, now)
    return tuple(segments)


def _on_ground(
    one: Played, begin: float, end: float, played: Sequence[Played], timeline: Timeline,
    world: World, skills: Skills,
) -> list[Segment]:  # fmt: skip
    frame = timeline.carrier(0.5 * (begin + end))
    times = timeline.moments(begin, end, RATE)
    positions, headings = timeline.sample(times, frame)
    capability = _fast_enough(one.capability, times, positions, skills)
    kind = Kind.RUN if one.run.controller in RUNNING or capability == "run" else Kind.WALK
    if one.waits:
        kind = Kind.RIDE if carries(world, frame) else Kind.WAIT
    return [
        Segment(
            kind=kind, capability=capability, times=times, positions=positions,
            headings=headings, frame=frame, execution=_execution(begin, end, played),
            cost=_cost(begin, end, played),
        )
    ]  # fmt: skip


def _leap(index: int, played: Sequence[Played], timeline: Timeline) -> Segment:
    flight = timeline.leaps[index].flight
    times = np.linspace(flight.start, flight.end, 2 + int((flight.end - flight.start) * 2 * RATE))
    _, headings = timeline.sample(times, None)
    world = played[0].rollout.world
    assert world is not None
    positions = flight.positions(world, times)
    return Segment(
        kind=Kind.JUMP, capability=_at(flight.start, played).capability, times=times,
        positions=positions, headings=headings, flights=(flight,),
        execution=_execution(flight.start, flight.end, played),
        cost=_cost(flight.start, flight.end, played),
    )  # fmt: skip


def _board(
    begin: float, end: float, played: Sequence[Played], timeline: Timeline, skills: Skills
) -> Segment:
    frame = timeline.carrier(end - SHORTEST)
    times = timeline.moments(begin, end, RATE)
    positions, headings = timeline.sample(times, frame)
    return Segment(
        kind=Kind.BOARD,
        capability=_fast_enough(_at(begin, played).capability, times, positions, skills),
        times=times,
        positions=positions, headings=headings, frame=frame,
        execution=_execution(begin, end, played), cost=_cost(begin, end, played),
    )  # fmt: skip


def _fast_enough(name: str, times: Floats, positions: Floats, skills: Skills) -> str:
    """The capability that a path needs: who comes out of a run to walk is a runner at first."""
    speeds = np.linalg.norm(np.diff(positions[:, :2], axis=0), axis=1) / np.diff(times)
    fastest = float(speeds.max(initial=0.0))
    faster = [skill for skill in skills.values() if skill.max_speed >= fastest]
    if fastest <= skills[name].max_speed or not faster:
        return name
    return min(faster, key=lambda skill: skill.max_speed).name


def _at(t: float, played: Sequence[Played]) -> Played:
    begun = [one for one in played if one.run.begin <= t + SHORTEST]
    return begun[-1] if begun else played[0]


def _execution(begin: float, end: float, played: Sequence[Played]) -> Controller:
    one = _at(begin, played)
    later: tuple[Run, ...] = tuple(
        other.run for other in played if begin + SHORTEST < other.run.begin < end - SHORTEST
    )
    return Controller(one.run.controller, run=one.run, then=later)


def _cost(begin: float, end: float, played: Sequence[Played]) -> float:
    total = 0.0
    for one in played:
        inside = min(end, one.run.end) - max(begin, one.run.begin)
        if inside > 0.0:
            total += one.cost * inside / (one.run.end - one.run.begin)
    return total
