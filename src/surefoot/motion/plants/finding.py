"""Finding foot plants in paths of feet.

A foot is planted while its slowest part is slow beside how fast the foot goes nearby, decelerating
before and accelerating after, and while it is no higher than what carries the body there. Speeds
are relative to the floor, which may be a treadmill's. The work is native: see native/motion/.
"""

from __future__ import annotations

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.motion.clip import Clip
from surefoot.motion.plants.clips import foot_paths
from surefoot.motion.plants.paths import FootPaths, check_rate
from surefoot.motion.plants.plants import Plants
from surefoot.motion.plants.settings import PlantSettings

# The ball moves before the tips of the toes leave the ground: where the tips are not seen, they
# are put on the line from heel to ball, this much farther, and lifting may be faster.
_TIP_BEYOND = 0.4
# Where they are seen, feet land and lift when their slowest part comes to rest or leaves it, which
# the speeds before and after tell; otherwise when it passes the limits.
_LIFTING_SEEN, _LIFTING_UNSEEN = 0.10, 0.135
# An ankle goes on over the heel as it lands, and rises long before the toes leave.
_ANKLE_LANDING, _ANKLE_ALONE_LIFTING = 1.8, 3.3


def find_plants(feet: FootPaths | Clip, settings: PlantSettings | None = None) -> Plants:
    """When and where each foot is on the ground.

    Args:
        feet: paths of parts of the feet; or a clip, whose feet must be known.
        settings: what counts as on the ground.
    """
    paths = foot_paths(feet) if isinstance(feet, Clip) else feet
    chosen = settings or PlantSettings()
    points, landing, lifting = _parts(paths, chosen)
    assert paths.leg_length is not None
    seen = "tip" in paths.parts
    return _found(points, paths.rate, paths.leg_length, landing, lifting, chosen, seen)


def plants_of_points(
    points: Floats, rate: float, leg_length: float, settings: PlantSettings
) -> Plants:
    """Plants of feet whose heels, balls and toe tips go through `points` `(n, 2, 3, 3)` [m]."""
    check_rate(rate)
    lifting = settings.lifting or _LIFTING_SEEN
    return _found(
        points, rate, leg_length, np.full(3, settings.landing), np.full(3, lifting), settings, True
    )


def _found(
    points: Floats,
    rate: float,
    leg_length: float,
    landing: Floats,
    lifting: Floats,
    chosen: PlantSettings,
    from_rest: bool,
) -> Plants:
    rows, floor = _native.foot_plants(
        points,
        rate,
        leg_length,
        landing,
        lifting,
        chosen.still,
        chosen.band,
        chosen.shortest_plant,
        chosen.shortest_swing,
        chosen.floor,
        from_rest,
    )
    return Plants(rows, len(points), rate, floor if len(floor) else None)


def _parts(paths: FootPaths, settings: PlantSettings) -> tuple[Floats, Floats, Floats]:
    """Points `(n, 2, k, 3)`, rear part first, and each part's shares for landing and lifting."""
    rear = "heel" if "heel" in paths.parts else "ankle"
    parts = (rear, *(part for part in ("toe", "tip") if part in paths.parts))
    points = paths.points(parts)
    seen = "tip" in parts
    lifting = settings.lifting or (_LIFTING_SEEN if seen else _LIFTING_UNSEEN)
    if "toe" in parts and not seen:
        beyond = points[:, :, 1] + _TIP_BEYOND * (points[:, :, 1] - points[:, :, 0])
        points = np.concatenate([points, beyond[:, :, None]], axis=2)
    count = points.shape[2]
    lands, lifts = np.full(count, settings.landing), np.full(count, lifting)
    if rear == "ankle":
        lands[0] *= _ANKLE_LANDING
        if count == 1:
            lifts[0] *= _ANKLE_ALONE_LIFTING
    return np.ascontiguousarray(points), lands, lifts
