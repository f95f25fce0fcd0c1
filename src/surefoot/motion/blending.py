"""Blending: one clip into another, aligned, over a moment in which both play.

The second clip is turned and shifted across the ground until both bodies face and travel the same
way at the moment of transition; from there on it takes over, smoothly, and what feet stand on in
both stays where it is. What a clip's parameters change lies before that moment (levine2011,
section 4.1), so a transition is the same whatever they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from surefoot.arrays import ArrayLike, Floats, number, samples
from surefoot.character.measures import Measures
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.clip import Clip
from surefoot.motion.curves import smootherstep
from surefoot.motion.gait.walker import Motion
from surefoot.motion.locking import moved
from surefoot.motion.playing.footage import Footage, Footfall
from surefoot.motion.playing.frames import LevelFrame
from surefoot.motion.playing.legs import Cue, travel_frame
from surefoot.motion.playing.program import Manner, Program
from surefoot.world import World

BLEND = (0.1, 0.5)
"""[s] that crossfades take, at least and at most."""


def shares(times: ArrayLike, duration: float) -> Floats:
    """How much of the second clip there is `(...)`, at `times` `(...)` [s] into a crossfade.

    From 0 to 1, with level and unbent ends: neither speed nor acceleration jumps.
    """
    return smootherstep(np.asarray(times, dtype=np.float64) / duration)


def blend_poses(
    first_root: Floats, first_rotations: Floats, second_root: Floats, second_rotations: Floats,
    share: ArrayLike,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Poses between two, joint by joint the shorter way: `(n, 3)` [m] and `(n, joints, 4)`.

    Args:
        first_root: `(n, 3)` [m].
        first_rotations: `(n, joints, 4)`, local.
        second_root: likewise.
        second_rotations: likewise.
        share: `(n,)`, 0 for the first and 1 for the second.
    """
    part = np.broadcast_to(np.asarray(share, dtype=np.float64), first_root.shape[:-1])[..., None]
    root = (1 - part) * first_root + part * second_root
    joints = np.broadcast_to(part, first_rotations.shape[:-1])
    return root, rotations.slerp(first_rotations, second_rotations, joints)


def crossfade(
    first: Clip,
    second: Clip,
    measures: Measures,
    *,
    leave: float,
    enter: float,
    blend: float = 0.3,
    planted: tuple[Sequence[Footfall], Sequence[Footfall]] = ((), ()),
    world: World | None = None,
    rate: float | None = None,
) -> Motion:
    """One clip, then another, with no jump in between; where feet stand they stay.

    The first plays from its beginning to `leave`, the second from `enter` to its end. A foot that
    both have on the ground there stays locked; one that only the first has is let go of; one that
    only the second has comes down within the crossfade.

    Args:
        first: on the canonical skeleton.
        second: on the canonical skeleton.
        measures: of the body.
        leave: [s] in the first clip, see `transitions.best_transitions`.
        enter: [s] in the second clip.
        blend: [s], 0.1 to 0.5: how long the second takes to take over.
        planted: when and where feet are on the ground in both; see `locking.footfalls`.
        world: where feet find ground; the clips' own where not given.
        rate: [1/s] of the result; the first clip's where not given.
    """
    number(blend, "blend [s]", at_least=BLEND[0], at_most=BLEND[1])
    for clip, name, t in ((first, "leave", leave), (second, "enter", enter)):
        number(t, name, at_least=0.0)
        if t > clip.duration:
            raise InputError(
                f"{name} = {t:g} s is after the end of clip {clip.name!r}, {clip.duration:g} s"
            )
    if not (leave > 0 and enter < second.duration):
        raise InputError("a crossfade needs something of both clips")
    footage = Footage(first.skeleton, measures)
    before = footage.add(first, planted[0])
    if second.name == first.name:
        after = before if second is first else footage.add(_renamed(second), planted[1])
    else:
        after = footage.add(second, planted[1])
    here = travel_frame(LevelFrame(None, np.zeros(3), 0.0), before, 0.0)
    program = Program(footage, world, here, 0.0, Manner())
    program.append(Cue(before, 0.0, leave, 0.0, 1.0))
    program.append(Cue(after, enter, second.duration, leave, 1.0), blend=blend)
    frequency = number(first.rate if rate is None else rate, "rate", above=0.0)
    samples(program.end, frequency, "the blended clips")
    step = 1.0 / frequency
    count = int(np.floor(program.end / step + 1e-9)) + 1
    return moved(program, step * np.arange(count, dtype=np.float64))


def _renamed(clip: Clip) -> Clip:
    return replace(clip, name=f"{clip.name} (second)")
