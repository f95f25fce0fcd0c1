"""From a plan to an animation: `animate(plan, world, character)`."""

from __future__ import annotations

from math import floor

import numpy as np

from surefoot import arrays
from surefoot.animation.animation import Animation, footsteps
from surefoot.animation.running import engine_of_runs
from surefoot.animation.stepping import engine_of_steps
from surefoot.arrays import Floats, number, samples, shortened
from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Foothold, Stretch, Track, Walker, place_footsteps
from surefoot.motion.gait import crouch
from surefoot.motion.gait.soles import rest
from surefoot.motion.library import Library
from surefoot.planning.plan import Plan
from surefoot.planning.segments import Controller, Footstep, Kind, Path, Segment, Steps
from surefoot.world import World

WALKED = (Kind.WALK, Kind.CROUCH, Kind.BEND, Kind.BOARD, Kind.STEP_UP, Kind.STEP_DOWN,
          Kind.STEP_OVER)  # fmt: skip
"""Kinds of segments that are walked, or run where they are too fast for that; as low as their
capability is."""

_FINEST = 60.0
"""[1/s] At which steps are looked for, at whatever rate they are animated."""

EXECUTABLE = (*WALKED, Kind.RUN, Kind.JUMP, Kind.TURN, Kind.WAIT, Kind.RIDE)
"""Kinds of segments that can be animated."""


def animate(
    plan: Plan,
    world: World,
    character: Character,
    *,
    rate: float = 30.0,
    linger: float = 1.0,
    library: Library | None = None,
) -> Animation:
    """The poses of a character that does what a plan says.

    Footholds come first (the plan's own where it has them), then the body that walks on them with
    its feet locked. The body follows the plan's path and times closely; it rounds corners, and
    starts and ends at rest. Flights are kept exactly: feet leave and meet the ground in their
    places, at their times, and in between the body flies.

    Args:
        plan: with segments that are walked, run, jumped, waited, turned or ridden along paths; or
            with steps throughout; or with runs of controllers throughout.
        world: the one it was planned in.
        character: the one it was planned for.
        rate: moments per second, > 0.
        linger: [s], >= 0: how long to stand at the end, so that the feet can come to rest.
        library: whose steps a plan of steps is played with; the character's default library when
            not given.

    Raises:
        InputError: the plan is for somebody else, is empty, or has segments that cannot be
            animated yet.
    """
    for given, kind, name in (
        (plan, Plan, "plan"), (world, World, "world"), (character, Character, "character")
    ):  # fmt: skip
        if not isinstance(given, kind):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(
                f"animate: {name} must be a {kind.__name__}, got {shortened(given)}; the order is"
                " animate(plan, world, character)"
            )
    rate = number(rate, "rate", above=0.0)
    linger = arrays.time(linger, "linger", at_least=0.0)
    samples(plan.duration + linger, max(rate, _FINEST), "the animation")
    _check_character(plan, character)
    kinds = {type(segment.execution) for segment in plan.segments}
    if kinds & {Steps, Controller}:
        engine = (
            engine_of_steps(plan, world, character, library)
            if Steps in kinds
            else engine_of_runs(plan, world, character)
        )
        times = _moments(plan.start, plan.end + linger, rate)
        motion, (path, headings) = engine.at(times), plan.track(times, world)
    else:
        track = _track(plan, world, character, linger)
        footholds = _footholds(plan, track, character)
        walker = Walker(track, footholds, character.skeleton, character.measures)
        times = _moments(track.start, track.until, rate)
        motion, (path, headings) = walker.at(times), walker.path(times)
    return Animation(
        plan=plan,
        world=world,
        character=character,
        motion=motion,
        path=path,
        headings=headings,
        rate=rate,
    )


def _moments(start: float, end: float, rate: float) -> Floats:
    """[s] from `start` on, until `end` at most."""
    samples(end - start, rate, "the animation")
    return start + np.arange(floor((end - start) * rate + 1e-9) + 1) / rate


def plan_footsteps(plan: Plan, world: World, character: Character) -> tuple[Footstep, ...]:
    """Where a character puts its feet to follow a plan, for `plan.footsteps`."""
    _check_character(plan, character)
    track = _track(plan, world, character, 1.0)
    return footsteps(place_footsteps(track, character.measures, step_height=_reach(plan)))


def _check_character(plan: Plan, character: Character) -> None:
    if plan.character != character.name:
        raise InputError(f"the plan is for {plan.character!r}, not for {character.name!r}")


def _track(plan: Plan, world: World, character: Character, linger: float) -> Track:
    if not plan.segments:
        if not plan:
            raise InputError(f"there is nothing to animate: {plan.status.message}")
        return Track(world, [_stand(plan)], linger=linger)
    for index, segment in enumerate(plan.segments):
        _check(index, segment)
    stretches = [
        Stretch(
            times=segment.times,
            positions=segment.positions,
            headings=segment.headings,
            frame=segment.frame,
            gait="run" if segment.kind is Kind.RUN else "auto",
            crouch=np.array(_crouch(plan, segment, character)),
            flights=segment.flights,
        )
        for segment in plan.segments
    ]
    return Track(world, stretches, linger=linger)


def _stand(plan: Plan) -> Stretch:
    """A plan that starts at its goal: a moment of standing there."""
    return Stretch(
        times=np.array([plan.start, plan.start + 1.0]),
        positions=np.stack([plan.origin.position] * 2),
        headings=np.zeros(2),
        frame=plan.origin.body,
    )


def _crouch(plan: Plan, segment: Segment, character: Character) -> float:
    """How deep, 0..1, the character crouches to fit into its capability's cylinder."""
    return crouch.depth(plan.capabilities[segment.capability].height / character.measures.height)


def _check(index: int, segment: Segment) -> None:
    where = f"plan segment {index} ({segment.kind}, {segment.start:.2f} to {segment.end:.2f} s)"
    if segment.kind not in EXECUTABLE:
        raise InputError(f"{where} cannot be animated yet; kinds that can: {', '.join(EXECUTABLE)}")
    if not isinstance(segment.execution, Path):
        name = type(segment.execution).__name__.lower()
        raise InputError(
            f"{where} is to be executed by a {name}, which cannot be animated yet; what can: path"
        )


def _reach(plan: Plan) -> float:
    """How high [m] the plan's highest step may be."""
    steps = [plan.capabilities[segment.capability].step_height for segment in plan.segments]
    return max([*steps, 0.2])


def _footholds(plan: Plan, track: Track, character: Character) -> tuple[Foothold, ...]:
    if not plan.footsteps:
        return place_footsteps(track, character.measures, step_height=_reach(plan))
    return tuple(_foothold(step, track.world, character) for step in plan.footsteps)


def _foothold(step: Footstep, world: World, character: Character) -> Foothold:
    """A planned footstep with the tilt of the ground below it."""
    point = world.position(step.place, step.start)
    body = step.place.body
    turn = rotations.IDENTITY if body is None else world[body].trajectory.pose(step.start).rotation
    facing = rotations.yaw(rotations.multiply(turn, rotations.from_yaw(step.heading)))
    sole = rest(
        world, character.measures, point[None], facing[None], np.array([step.start]), reach=0.05
    )
    return Foothold(
        foot=step.foot,
        body=body,
        position=step.place.position,
        rotation=rotations.multiply(rotations.inverse(turn), sole.rotation[0]),
        start=step.start,
        end=step.end,
    )
