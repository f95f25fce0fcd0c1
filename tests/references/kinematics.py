"""Forward kinematics joint by joint, in numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from surefoot.arrays import Floats
from surefoot.math import rotations


def forward(
    parents: Sequence[int],
    offsets: Floats,
    root: Floats,
    local: Floats,
    shifts: Mapping[int, Floats] | None = None,
) -> tuple[Floats, Floats]:
    """World positions `(..., n, 3)` and rotations `(..., n, 4)`."""
    frames = np.broadcast_shapes(root.shape[:-1], local.shape[:-2])
    positions = np.empty((*frames, len(parents), 3))
    world = np.empty((*frames, len(parents), 4))
    positions[..., 0, :], world[..., 0, :] = root, local[..., 0, :]
    for joint, parent in enumerate(parents):
        if parent < 0:
            continue
        place = (shifts or {}).get(joint, offsets[joint])
        turned = rotations.rotate(world[..., parent, :], place)
        positions[..., joint, :] = positions[..., parent, :] + turned
        world[..., joint, :] = rotations.multiply(world[..., parent, :], local[..., joint, :])
    return positions, world
