"""Reels: a repertoire's clips and steps as the native performers play them."""

from __future__ import annotations

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats, Ints
from surefoot.motion.playing.footage import Footage, Take
from surefoot.motion.steps import Steps
from surefoot.planning.footsteps.playing import FOLLOW


def reel(
    footage: Footage, steps: Steps, step: Ints, speed: Floats, blends: Floats, stand: int
) -> _native.Reel:
    """What a repertoire plays.

    Args:
        footage: the clips.
        steps: those of the repertoire.
        step: `(n,)`: of each action.
        speed: `(n,)`: likewise.
        blends: `(n,)` [s]: of the crossfades that they begin with.
        stand: the stand-still action.
    """
    takes: dict[str, int] = {}
    made: list[Take] = []
    pieces: list[tuple[float, ...]] = []
    for action, index in enumerate(step.tolist()):
        one = steps[index]
        take = footage.take(one.clip, mirrored=one.mirrored)
        if take.name not in takes:
            takes[take.name] = len(made)
            made.append(take)
        number = float(takes[take.name])
        stands = float(action == stand)
        pieces.append(
            (number, one.start, one.end, float(speed[action]), stands, float(blends[action]))
        )
    # After all takes are there: mirrored ones are made when they are first asked for.
    root, local = footage.frames
    offsets = np.zeros(len(made) + 1, dtype=np.int32)
    np.cumsum([len(take.travel.heading) for take in made], out=offsets[1:])
    travel = [np.column_stack([take.travel.position, take.travel.heading]) for take in made]
    falls = [
        (number, foot, fall.start, fall.end, *fall.position, *fall.rotation, fall.flat)
        for number, take in enumerate(made)
        for foot, own in enumerate(take.footfalls)
        for fall in own
    ]
    return _native.Reel(
        root=np.ascontiguousarray(root),
        local=np.ascontiguousarray(local),
        shape=footage.shape,
        leg=footage.measures.leg_length,
        follow=FOLLOW,
        takes=np.array([(take.first, take.frames, take.rate, take.duration) for take in made]),
        offsets=offsets,
        travel=np.ascontiguousarray(np.concatenate(travel)),
        falls=np.array(falls, dtype=np.float64).reshape(-1, 12),
        pieces=np.array(pieces),
        bones=np.ascontiguousarray(footage.skeleton.offsets),
        hand=footage.measures.hand,
        heel=tuple(footage.measures.heel),
    )
