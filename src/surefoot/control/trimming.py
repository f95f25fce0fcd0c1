"""Trimming: from when to when a clip is worth playing between others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.control.moves import moving_poses
from surefoot.motion.families import Made
from surefoot.motion.playing.footage import Footage
from surefoot.motion.transitions import clip_features, transition_costs

QUIET = 0.03
"""[m]: a pose this near to standing (see `transition_costs`) is one."""

PRELUDE, SETTLED = 0.1, 0.1
"""[s] of standing before the first foot leaves the ground, and after the last one is down."""

ALIKE = 0.08
"""[m]: what leads to another clip is like its beginning where the transition costs no more."""

ARRIVED = (0.01, 0.01)
"""[m, rad] that are left to go and to turn where a clip has come to a stand."""


def going_over(
    footage: Footage, clip: str, leads: Sequence[str], downs: Sequence[float], alike: float = ALIKE
) -> float:
    """[s]: the first of a clip's contacts at which it is like the beginning of what it leads to.

    Where none is, the one that is most alike.

    Args:
        footage: the clips.
        clip: the name of the one that ends.
        leads: the names of those that may follow, either foot first.
        downs: [s]: contacts at which it may end.
        alike: [m]: how little the transition then costs.
    """
    entries = [moving_poses(footage, footage.take(name, mirrored=mirrored), (0.0,))[0]
               for name in leads for mirrored in (False, True)]  # fmt: skip
    exits = moving_poses(footage, footage.take(clip), downs)
    costs = transition_costs(np.array(exits), np.array(entries)).min(axis=1)
    good = np.flatnonzero(costs <= alike)
    return downs[int(good[0]) if len(good) else int(np.argmin(costs))]


def trimmed(made: Made, stand: Floats) -> tuple[float, float]:
    """[s] from when to when something happens: not while a clip only stands.

    Args:
        made: the clip.
        stand: `(1, k)`: features of standing.
    """
    times, rate = made.clip.times, made.clip.rate
    quiet: Bools = transition_costs(clip_features(made.clip), stand)[:, 0] <= QUIET
    start, end = 0.0, made.blending
    lifted = min(hold.end for hold in made.footholds)
    if quiet[0]:
        stirred = times[int(np.argmin(quiet))] if not quiet.all() else lifted
        start = max(min(lifted - PRELUDE, float(stirred)), 0.0)
    if quiet[min(round(end * rate), len(quiet) - 1)]:
        down = max(hold.start for hold in made.footholds)
        left = np.linalg.norm(made.path - made.path[-1], axis=1)
        moving = ~quiet | (left > ARRIVED[0])
        moving |= np.abs(made.headings - made.headings[-1]) > ARRIVED[1]
        still = float(times[min(int(np.flatnonzero(moving)[-1]) + 1, len(times) - 1)])
        end = min(max(down + SETTLED, still), end)
    return start, end
