"""Making clips: a body is sent along a path by the gait model, and a part of that is cut out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from surefoot.arrays import ArrayLike, Floats
from surefoot.character import Character, kinematics
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.clip import Clip
from surefoot.motion.families.family import BLENDING, Made
from surefoot.motion.footholds import Foothold, Holds, Side
from surefoot.motion.gait.runs import FASTEST_TURN, Gait, Stretch
from surefoot.motion.gait.stance import other
from surefoot.motion.gait.stepping import place_footsteps
from surefoot.motion.gait.track import Track
from surefoot.motion.gait.walker import Walker
from surefoot.world import Body, World
from surefoot.world.primitives import slab

RATE = 60.0
"""[1/s] frames of the clips."""


def level_ground() -> World:
    """Ground as far as any clip goes."""
    return World([Body(name="ground", mesh=slab((200.0, 200.0, 0.2)))])


def sent(
    character: Character, world: World, stretches: Sequence[Stretch], *, lead: Side = "right",
    linger: float = 1.0,
) -> Walker:  # fmt: skip
    """The character on its way."""
    track = Track(world, stretches, linger=linger)
    reach = character.capability("walk").step_height
    holds = place_footsteps(track, character.measures, step_height=reach, lead=lead)
    return Walker(track, holds, character.skeleton, character.measures)


def path_of(
    times: Floats, forward: Floats, sideways: Floats, headings: Floats, *, gait: Gait = "auto",
    crouch: ArrayLike = 0.0, turning: float = FASTEST_TURN,
) -> Stretch:  # fmt: skip
    """The timed path of a body with given speeds along and across its heading.

    Args:
        times: `(n,)` [s], even.
        forward: `(n,)` [m/s] along the heading.
        sideways: `(n,)` [m/s] to the left.
        headings: `(n,)` [rad].
        gait: see `Stretch`.
        crouch: `(n,)` or one number, likewise.
        turning: [rad/s], likewise.
    """
    cosine, sine = np.cos(headings), np.sin(headings)
    velocity = np.stack(
        [cosine * forward - sine * sideways, sine * forward + cosine * sideways], axis=1
    )
    steps = np.diff(times)[:, None] * (velocity[1:] + velocity[:-1]) / 2
    flat = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    positions = np.column_stack([flat, np.zeros(len(times))])
    return Stretch(
        times=times, positions=positions, headings=headings, gait=gait,
        crouch=np.asarray(crouch), turning=turning,
    )  # fmt: skip


def contacts(walker: Walker, foot: Side) -> Floats:
    """When a foot comes down [s], in order; not where it stood at first."""
    return np.array(
        [
            hold.start
            for hold in walker.footholds
            if hold.foot == foot and hold.start > walker.track.start
        ]
    )


def contact_near(walker: Walker, foot: Side, t: float) -> float:
    """The contact of a foot nearest to `t` [s]."""
    found = contacts(walker, foot)
    if len(found) == 0:
        raise InputError(f"the {foot} foot never comes down")
    return float(found[np.argmin(np.abs(found - t))])


def cut(walker: Walker, start: float, end: float, *, blending: float = BLENDING) -> Made:
    """What a body does from `start` to `end` [s], and for its blending phase after that.

    It is laid to the origin: there it starts, facing +x.
    """
    count = int(np.floor((end + blending - start) * RATE + 1e-6)) + 1
    times = start + np.arange(count) / RATE
    motion = walker.at(times)
    path, headings = walker.path(times)
    origin, turn = path[0].copy(), rotations.from_yaw(-headings[0])
    local = motion.rotations.copy()
    local[:, 0] = rotations.multiply(turn, local[:, 0])
    clip = Clip(
        name="made",
        skeleton=walker.skeleton,
        rate=RATE,
        root=rotations.rotate(turn, motion.root - origin),
        rotations=local,
    )
    return Made(
        clip=clip,
        footholds=_within(walker, motion.footholds, start, float(times[-1]), origin, turn),
        contacts=motion.contacts,
        path=rotations.rotate(turn, path - origin),
        headings=headings - headings[0],
        blending=end - start,
    )


def _within(
    walker: Walker, footholds: Sequence[Foothold], start: float, end: float, origin: Floats,
    turn: Floats,
) -> tuple[Foothold, ...]:  # fmt: skip
    """The footholds of a part, in its own space and time."""
    found: list[Foothold] = []
    for hold in footholds:
        if hold.end <= start or hold.start > end:
            continue
        holds = Holds(walker.track.world, [hold])
        positions, turned = holds.frames(np.zeros(1, dtype=np.intp), np.array([start]))
        found.append(
            replace(
                hold,
                body=None,
                position=rotations.rotate(turn, positions[0] - origin),
                rotation=rotations.multiply(turn, turned[0]),
                start=hold.start - start,
                end=hold.end - start,
            )
        )
    return tuple(found)


def mirrored(made: Made) -> Made:
    """The same motion in a mirror: left and right change places."""
    flip = np.array([1.0, -1.0, 1.0])
    root, local = kinematics.mirror(made.clip.skeleton.joints, made.clip.root, made.clip.rotations)
    return replace(
        made,
        clip=replace(made.clip, root=root, rotations=local),
        footholds=tuple(
            replace(
                hold,
                foot=other(hold.foot),
                position=hold.position * flip,
                rotation=hold.rotation * np.array([1.0, -1.0, 1.0, -1.0]),
            )
            for hold in made.footholds
        ),
        contacts=made.contacts[:, ::-1],
        path=made.path * flip,
        headings=-made.headings,
    )
