"""Timed boardings through a world that was only watched: the union of lopez2012 and levine2011.

Motions that repeat themselves are expected to go on; the space-time planner plans through what is
expected. While the plan is carried out it is held against what happens, and made anew from where
it stands when something it relies on is elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.errors import ProblemError
from surefoot.planning.goals import Goal
from surefoot.planning.plan import Plan
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Kind, Segment
from surefoot.planning.spacetime import SpaceTime
from surefoot.planning.topology.atlas import Atlas
from surefoot.planning.topology.foreseeing import Expectation, History, foreseen
from surefoot.planning.topology.settings import TopologySettings
from surefoot.planning.topology.traveller import Traveller
from surefoot.planning.topology.travelling import Source
from surefoot.world import Place, World

OFF = 0.08
"""[m] By which what carries may be elsewhere than expected before a plan is made anew."""

PATIENCE = 10.0
"""[s] After which somebody who goes on without foresight looks whether there is some by now."""

MISSED = 0.15
"""[m] By which a landing may be elsewhere than planned; feet make up for less."""


@dataclass
class Foresight:
    """What came of it.

    Attributes:
        reached: whether the goal was reached.
        time: [s] from the start until then, or until it was given up.
        plans: how many were made.
        repairs: how many of them because something was elsewhere than expected.
        unforeseen: stretches that were gone without a plan, for lack of foresight.
        missed: landings on what was not there.
        segments: what was carried out, in order.
        expected: what was expected of each body when the last plan was made.
    """

    reached: bool = False
    time: float = 0.0
    plans: int = 0
    repairs: int = 0
    unforeseen: int = 0
    missed: int = 0
    segments: list[Segment] = field(default_factory=list[Segment])
    expected: dict[str, Expectation] = field(default_factory=dict[str, Expectation])
    why: str = ""


def travel_with_foresight(
    source: Source, character: Character, start: Place, goal: Goal, *,
    controllers: Controllers | None = None, settings: TopologySettings | None = None,
    seconds: float = 120.0,
) -> Foresight:  # fmt: skip
    """Watches, plans through what is expected, and goes; plans anew when surprised."""
    settings = settings or TopologySettings()
    world = source.world
    atlas = Atlas(world, character.capabilities, settings)
    history = History(world, [body.name for body in world if body.trajectory.moving])
    out = Foresight()

    def look_on(until: float) -> None:
        while source.time < until - 1e-9:
            source.step(1.0 / settings.rate)
            atlas.update(source.time)
            history.add(source.time)

    atlas.update(source.time)
    look_on(source.time + settings.watch)
    begun = source.time
    place, end = start, begun + seconds
    while source.time < end:
        plan, ahead = _plan(source, atlas, history, character, place, goal, controllers, out, end)
        if not plan:
            out.why = plan.status.message if plan is not None else out.why
            # What cannot be foreseen is crossed as those do who foresee nothing.
            there = _without(atlas, history, source, character, place, goal, out, end)
            if there is None:
                break
            place = there
            continue
        done = _carry_out(plan, ahead, source, look_on, out)
        if done is None:
            out.reached = True
            break
        place = done
        out.repairs += 1
    out.time = source.time - begun
    return out


def _without(
    atlas: Atlas, history: History, source: Source, character: Character, place: Place, goal: Goal,
    out: Foresight, end: float,
) -> Place | None:  # fmt: skip
    """As a traveller that only watches, to the next surface; None where the journey ends."""
    traveller = Traveller(atlas, character, place, goal, t=source.time)
    until = min(end, source.time + PATIENCE)
    while source.time < until:
        source.step(1.0 / atlas.settings.rate)
        atlas.update(source.time)
        history.add(source.time)
        traveller.step(source.time)
        if traveller.done:
            break
        if not traveller.figure.busy and traveller.figure.place.body != place.body:
            break
    while traveller.figure.busy and not traveller.done:
        source.step(1.0 / atlas.settings.rate)
        atlas.update(source.time)
        history.add(source.time)
        traveller.step(source.time)
    out.segments += traveller.plan().segments
    out.unforeseen += 1
    out.missed += traveller.figure.counts.falls
    if traveller.done:
        out.reached = traveller.arrived
        return None
    return traveller.figure.place


def _plan(
    source: Source, atlas: Atlas, history: History, character: Character, place: Place, goal: Goal,
    controllers: Controllers | None, out: Foresight, end: float,
) -> tuple[Plan | None, World]:  # fmt: skip
    ahead, out.expected = foreseen(source.world, history, atlas)
    out.plans += 1
    # A moment to think: the plan begins a frame after what was seen last.
    try:
        problem = Problem(
            world=ahead, character=character, start=place, goal=goal,
            start_time=source.time, horizon=max(end - source.time, 1.0),
        )  # fmt: skip
    except ProblemError as reason:
        out.why = str(reason)
        return None, ahead
    return SpaceTime(controllers=controllers).plan(problem), ahead


def _carry_out(
    plan: Plan, ahead: World, source: Source, look_on: Callable[[float], None], out: Foresight
) -> Place | None:
    """Carries a plan out while it holds; where it was left, or None at its end."""
    for index, segment in enumerate(plan.segments):
        look_on(segment.end)
        out.segments.append(segment)
        landing = segment.place(segment.end)
        if index + 1 < len(plan.segments):
            landing = plan.segments[index + 1].place(segment.end)
        if _off(landing, segment.end, ahead, source.world) > MISSED and segment.kind in (
            Kind.JUMP, Kind.BOARD,
        ):  # fmt: skip
            out.missed += 1
        stands = segment.kind not in (Kind.JUMP, Kind.BOARD)
        if index + 1 < len(plan.segments) and stands and _surprised(plan, index, ahead, source):
            body = landing.body
            return landing if body is None or body in source.world else None
    return None


def _surprised(plan: Plan, index: int, ahead: World, source: Source) -> bool:
    """Whether something that the rest of a plan relies on is elsewhere than expected."""
    frames = {segment.frame for segment in plan.segments[index + 1 :]} - {None}
    now = source.time
    for name in frames:
        assert name is not None
        if name not in source.world:
            return True
        expected = ahead[name].trajectory.pose(now).position
        if np.linalg.norm(expected - source.world[name].trajectory.pose(now).position) > OFF:
            return True
    return False


def _off(place: Place, t: float, ahead: World, world: World) -> float:
    if place.body is None or place.body not in world:
        return 0.0
    return float(np.linalg.norm(ahead.position(place, t) - world.position(place, t)))
