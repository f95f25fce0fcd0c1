"""Beats: the rows that the native core turns into poses; fields as in native/motion/playing.hpp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from surefoot import _native
from surefoot.arrays import Bools, Floats
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.world import World

if TYPE_CHECKING:
    from surefoot.motion.playing.footage import Footage

OFFSET = 10
"""Numbers of a foot's offset: ankle (3) [m], turn of the foot (3) [rad], toes [rad]; and where that
takes the body (3) [m]."""

DROPS = 12
"""Samples of how far the pelvis is lowered, from one before the beat to one after it."""

LEVEL_FRAME = np.dtype([("body", "f8"), ("position", "f8", 3), ("yaw", "f8")])
PLAYBACK = np.dtype(
    [
        ("first", "f8"), ("frames", "f8"), ("rate", "f8"), ("from", "f8"), ("speed", "f8"),
        ("start", "f8"), ("end", "f8"), ("halts", "f8"), ("begin", LEVEL_FRAME),
        ("finish", LEVEL_FRAME), ("frame_start", "f8"), ("frame_end", "f8"),
    ]
)  # fmt: skip
EASE = np.dtype(
    [("start", "f8"), ("duration", "f8"), ("value", "f8", OFFSET), ("rate", "f8", OFFSET)]
)
FOOT = np.dtype(
    [
        ("stands", "f8"), ("body", "f8"), ("position", "f8", 3), ("rotation", "f8", 4),
        ("flat_in", "f8"), ("flat_out", "f8"), ("anchor_in", "f8", 3), ("anchor_out", "f8", 3),
        ("leave", EASE), ("land", EASE),
        ("arch_start", "f8"), ("arch_duration", "f8"), ("arch_height", "f8"), ("arch_rise", "f8"),
        ("arch_fall", "f8"), ("held_back", "f8", 2),
    ]
)  # fmt: skip
BEAT = np.dtype(
    [
        ("start", "f8"), ("end", "f8"), ("in", PLAYBACK), ("out", PLAYBACK),
        ("blend_start", "f8"), ("blend_duration", "f8"), ("slack", "f8"), ("follow", "f8"),
        ("feet", FOOT, 2), ("drops", "f8", DROPS),
    ]
)  # fmt: skip

Beats = npt.NDArray[np.void]
"""`(n,)` of `BEAT`."""

assert BEAT.itemsize == 8 * _native.BEAT_COLUMNS


def joined(rows: Sequence[Beats], kind: np.dtype[np.void] = BEAT) -> Beats:
    """Single records as one array; numpy's own ways compare every field's type each time."""
    result = np.empty(len(rows), dtype=kind)
    for index, row in enumerate(rows):
        result[index] = row
    return result


@dataclass(frozen=True, eq=False)
class Poses:
    """A body at `n` moments.

    Attributes:
        root: `(n, 3)` [m].
        rotations: `(n, joints, 4)`, local.
        contacts: `(n, 2, 2)`: left and right foot; heel and toes.
        offsets: `(n, 2, 10)`: where the feet are beyond what the clips say; see `OFFSET`.
        needed: `(n,)` [m], how far the pelvis would have to be lowered for the legs to reach.
    """

    root: Floats
    rotations: Floats
    contacts: Bools
    offsets: Floats
    needed: Floats


def perform(
    footage: Footage, beats: Beats, times: Floats, world: World | None, *, threads: int = 1
) -> Poses:
    """The poses of beats `(n,)` at `times` `(n,)` [s], each inside its beat.

    Args:
        footage: whose clips the beats play.
        beats: one for each pose.
        times: one for each pose.
        world: whose bodies carry frames and feet; none where nothing moves.
        threads: how many to use; the result has the same bits at any number.
    """
    if threads < 1:
        raise InputError(f"threads must be at least 1, got {threads}")
    rows = np.ascontiguousarray(beats).view(np.float64).reshape(len(beats), -1)
    bodies = carriers(beats, times, world)
    root, local, contacts, offsets, needed = _native.play(
        *footage.frames, footage.shape, rows, np.ascontiguousarray(times), bodies, threads
    )
    return Poses(root, local, contacts, offsets, needed)


_STILL = np.concatenate([np.zeros(3), rotations.IDENTITY])


def carriers(beats: Beats, times: Floats, world: World | None) -> Floats:
    """Poses `(n, 6, 7)` of what carries the clips' frames and the feet."""
    playing, before, feet = beats["in"], beats["out"], beats["feet"]
    ids = np.stack(
        [
            playing["begin"]["body"], playing["finish"]["body"],
            before["begin"]["body"], before["finish"]["body"],
            feet["body"][:, 0], feet["body"][:, 1],
        ],
        axis=1,
    )  # fmt: skip
    poses = np.empty((*ids.shape, 7))
    poses[:] = _STILL
    if world is None or not (ids >= 0).any():
        return poses
    for body in np.unique(ids[ids >= 0]):
        carried = ids == body
        rows = np.flatnonzero(carried.any(axis=1))
        # Characters are mostly asked at the same moment: a moment costs once.
        moments, which = np.unique(times[rows], return_inverse=True)
        origins, turns = world[world.names[int(body)]].trajectory.poses(moments)
        posed = np.concatenate([origins, turns], axis=1)[which]
        poses[rows] = np.where(carried[rows][..., None], posed[:, None], poses[rows])
    return poses
