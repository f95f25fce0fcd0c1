"""Pace: from a walk to a run, by speed.

Between the two every number of the gait is a blend, so that a body that speeds up goes over from
one into the other without a moment at which it changes.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from surefoot.arrays import ArrayLike, Floats
from surefoot.character.capability import GRAVITY
from surefoot.motion.curves import smoothstep
from surefoot.motion.gait import run, walk

BREAKS_INTO_RUN = (0.62, 0.80)
"""v* between which a walk becomes a run, where nobody says which it should be."""

RUNS_AT_ALL = (0.10, 0.45)
"""v* between which a stand becomes a run, where it should be one."""

FORESIGHT = 0.4
"""[s for a leg of 0.93 m] that somebody knows in advance how fast they will go."""

SOON = 0.92
"""Of the speed that they will have: it counts as if they were that fast already."""


def run_share(ratio: ArrayLike, gait: ArrayLike) -> Floats:
    """How much of a run it is, 0..1, at v* `ratio` `(...)` and a wished `gait` of -1..1."""
    ratio, gait = np.asarray(ratio, dtype=np.float64), np.asarray(gait, dtype=np.float64)
    slow, fast = BREAKS_INTO_RUN
    auto = smoothstep((ratio - slow) / (fast - slow))
    slow, fast = RUNS_AT_ALL
    wished = smoothstep((ratio - slow) / (fast - slow))
    return (1 - np.abs(gait)) * auto + np.maximum(gait, 0.0) * wished


def stride_time(ratio: ArrayLike, share: ArrayLike, leg: float) -> Floats:
    """[s] from one contact of a foot to its next."""
    share = np.asarray(share, dtype=np.float64)
    return (
        walk.stride_time(ratio, leg) ** (1 - share)
        * (run.stride_time(ratio) * sqrt(leg / GRAVITY)) ** share
    )


def duty(ratio: ArrayLike, share: ArrayLike) -> Floats:
    """The share of a stride that a foot is on the ground."""
    return blended(share, walk.duty(ratio), run.duty(ratio))


def trail(ratio: ArrayLike, share: ArrayLike) -> Floats:
    """How far [L] the ankle is behind the hips in mid-stance."""
    return blended(share, walk.trail(ratio), run.trail(ratio))


def width(ratio: ArrayLike, share: ArrayLike) -> Floats:
    """How far apart [L] the ankles are across the way."""
    going = walk.going(ratio)
    walked = walk.STANDING_WIDTH + (walk.STEP_WIDTH - walk.STANDING_WIDTH) * going
    return blended(share, walked, run.STEP_WIDTH)


def blended(share: ArrayLike, walked: ArrayLike, ran: ArrayLike) -> Floats:
    """What is `walked` in a walk and `ran` in a run, in between."""
    share = np.asarray(share, dtype=np.float64)
    return (1 - share) * np.asarray(walked) + share * np.asarray(ran)


def curve(name: str, phase: Floats, ratio: Floats, share: Floats) -> Floats:
    """A body curve that both gaits have, at phases and v* `(n,)`."""
    total = np.zeros(len(phase))
    for gait, part in ((walk, 1 - share), (run, share)):
        at = np.flatnonzero(part > 0)
        if len(at):
            total[at] += part[at] * getattr(gait, name).at(phase[at], ratio[at])
    return total
