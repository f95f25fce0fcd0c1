"""Which steps may follow which, and how steps lead to a stand (beacco2013 5.4)."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.planning.footsteps.playing import POSTURE

BOTH = 2
"""As in `motion.steps.FEET`."""


@dataclass(frozen=True, eq=False)
class Ends:
    """Bodies where actions begin, or where they end, in the frames that they travel in.

    Attributes:
        figures: `(n, 6, 3)` [m], the `SAMPLED` points.
        velocities: `(n, 3)` [m/s], of the roots.
    """

    figures: Floats
    velocities: Floats


@dataclass(frozen=True, eq=False)
class Successors:
    """What may follow each of `n` actions.

    Attributes:
        offsets: `(n + 1,)`: action `a` is followed by `actions[offsets[a] : offsets[a + 1]]`.
        usual: `(n,)`: of those, the ones before `usual[a]` are usual ones, the others platform
            actions.
        actions: `(m,)`.
        costs: `(m,)` [J/kg] of each change.
    """

    offsets: Ints
    usual: Ints
    actions: Ints
    costs: Floats


def allowed(
    begins: Ends, ends: Ends, support: Ints, swing: Ints, *, feet_apart: float, speed_change: float
) -> tuple[Bools, Floats]:
    """Which action may follow which `(n, n)`, and how far feet are apart there `(n, n)` [m].

    The foot that has landed supports what follows; who stands on both may begin with either, and
    may stand after either (the stand-still action is exempt from the rule of the opposite foot).
    """
    count = len(support)
    feet = np.zeros((count, count))
    for foot in (4, 5):
        away = ends.figures[:, None, foot] - begins.figures[None, :, foot]
        feet = np.maximum(feet, np.sqrt((away * away).sum(axis=-1)))
    change = ends.velocities[:, None] - begins.velocities[None]
    change = np.sqrt((change * change).sum(axis=-1))
    either = (swing[:, None] == BOTH) | (support[None] == BOTH)
    alternate = either | (swing[:, None] == support[None])
    return alternate & (feet <= feet_apart) & (change <= speed_change), feet


def postured(begins: Ends, ends: Ends, platform: Bools, leg: float) -> Bools:
    """Which action may follow which `(n, n)` as far as the height of the root goes.

    Usual steps are all upright; where one of two is a platform action they must be about as high.
    """
    height = ends.figures[:, None, 0, 2] - begins.figures[None, :, 0, 2]
    either = platform[:, None] | platform[None]
    return ~either | (np.abs(height) <= POSTURE * leg)


def listed(allowed: Bools, costs: Floats, platform: Bools) -> Successors:
    """A table of what may follow as lists; platform actions come last in each."""
    order = np.argsort(platform, kind="stable")
    rows, columns = np.nonzero(allowed[:, order])
    columns = order[columns]
    offsets = np.zeros(len(allowed) + 1, dtype=np.int32)
    np.cumsum(allowed.sum(axis=1), out=offsets[1:])
    usual = offsets[:-1] + (allowed & ~platform).sum(axis=1)
    return Successors(
        offsets, usual.astype(np.int32), columns.astype(np.int32), costs[rows, columns]
    )


def ways_to_stand(allowed: Bools, price: Floats, stand: int) -> tuple[Floats, Ints]:
    """The least total `price` from each action to a stand `(n,)`, and the first action of the way.

    Args:
        allowed: `(n, n)`, which may follow which.
        price: `(n, n)`, >= 0, of doing the second after the first.
        stand: the action that stands; it costs nothing more.
    """
    count = len(allowed)
    best, first = np.full(count, np.inf), np.full(count, -1, dtype=np.int32)
    best[stand], first[stand] = 0.0, stand
    queue, done = [(0.0, stand)], np.zeros(count, dtype=np.bool_)
    while queue:
        _, action = heappop(queue)
        if done[action]:
            continue
        done[action] = True
        for before in np.flatnonzero(allowed[:, action]).tolist():
            total = float(best[action] + price[before, action])
            if total < best[before]:
                best[before], first[before] = total, action
                heappush(queue, (total, before))
    return best, first


def usable(allowed: Bools, level: Bools, stand: int, usual: Bools) -> Bools:
    """`(n,)`: actions that a stand leads to, and that lead to a stand on level ground.

    Args:
        allowed: `(n, n)`, which may follow which.
        level: `(n, n)`, likewise on level ground.
        stand: the action that stands.
        usual: `(n,)`: those that must do without the others.
    """

    def reach(edges: Bools) -> Bools:
        found = np.zeros(len(edges), dtype=np.bool_)
        found[stand] = True
        while True:
            more = found | edges[found].any(axis=0)
            if (more == found).all():
                return found
            found = more

    good = reach(level & usual[:, None] & usual[None])
    good &= reach((level & usual[:, None] & usual[None]).T)
    among = good | ~usual
    while True:
        inside = among[:, None] & among[None]
        fewer = among & reach(allowed & inside) & reach((level & inside).T)
        if (fewer == among).all():
            return among
        among = fewer
