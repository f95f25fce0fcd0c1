"""Where the joints of a BVH file are in their parents: offsets, and position channels on any joint.

Tools disagree on what the position channels of a joint mean: most write where the joint is in
place of its offset, some what is added to it. The values tell: the former lie near the offset,
the latter near zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.kinematics import forward
from surefoot.character.skeleton import Skeleton
from surefoot.motion.formats.bvh.hierarchy import Hierarchy

# What moves less, over the size of the skeleton, is rounding and does not move.
_STILL = 1e-6


@dataclass(frozen=True, eq=False)
class Places:
    """The joints in their parents' frames, in the file's axes and unit.

    Attributes:
        root: `(n, 3)`: the root in the world.
        offsets: `(joints, 3)`: the file's own, or of joints that keep their place, where channels
            put them.
        shifts: joints that move against their parents, to `(n, 3)`.
        notes: what was assumed.
    """

    root: Floats
    offsets: Floats
    shifts: Mapping[int, Floats]
    notes: tuple[str, ...]

    def forward(self, skeleton: Skeleton, local: Floats, frames: np.ndarray) -> Floats:
        """Positions `(k, joints, 3)` of all joints in `k` frames, turned by `local` there."""
        shifts = {joint: moved[frames] for joint, moved in self.shifts.items()}
        return forward(skeleton.parents, self.offsets, self.root[frames], local, shifts)[0]


def places_of(hierarchy: Hierarchy, table: Floats) -> Places:
    """Where the channels of a file `(n, channels)` put its joints."""
    columns: dict[int, list[tuple[int, int]]] = {}
    for column, channel in enumerate(hierarchy.channels):
        if channel.kind == "position":
            columns.setdefault(channel.joint, []).append((channel.axis, column))
    offsets = hierarchy.offsets
    size = float(np.abs(offsets).sum(axis=1).max()) or 1.0
    added = _are_added(hierarchy, table, columns)
    notes: list[str] = []
    if added:
        notes.append("positions of joints are added to their offsets")
    shifts: dict[int, Floats] = {}
    root = np.tile(offsets[0], (len(table), 1))
    for joint, channels in columns.items():
        moved = np.tile(offsets[joint], (len(table), 1))
        for axis, column in channels:
            moved[:, axis] = table[:, column] + (offsets[joint, axis] if added else 0.0)
        if joint == 0:
            root = moved
        elif np.ptp(moved, axis=0).max() <= _STILL * size:
            if offsets is hierarchy.offsets:
                offsets = offsets.copy()
            offsets[joint] = moved[-1]
        else:
            shifts[joint] = moved
    return Places(root, offsets, shifts, tuple(notes))


def _are_added(
    hierarchy: Hierarchy, table: Floats, columns: Mapping[int, list[tuple[int, int]]]
) -> bool:
    """Whether positions are added to offsets: they are nearer to zero than to the offsets."""
    from_zero = from_offset = 0.0
    for joint, channels in columns.items():
        if joint == 0:
            continue
        for axis, column in channels:
            from_zero += float(np.abs(table[:, column]).mean())
            from_offset += float(np.abs(table[:, column] - hierarchy.offsets[joint, axis]).mean())
    return from_zero < from_offset
