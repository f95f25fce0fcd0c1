"""Bounds: what a controller can do at best, for planners that must not promise less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.control.repertoire import Repertoire

_MOMENTS = 31


@dataclass(frozen=True, eq=False)
class Bounds:
    """What no rollout of a controller exceeds.

    Attributes:
        speed: [m/s] over the ground, at any moment of its own moves.
        carry: [m]: how much farther than that a character gets that comes out of something faster,
            as a runner does who is to walk: nobody is farther than `carry + speed * t` after t.
        speeds: `(n,)` [m/s], increasing: the mean speeds of its actions.
        reach: [m]: the farthest from the last foothold before a flight to the first after it.
        rise: [m]: the highest landing above a take-off.
        drop: [m]: the deepest landing below a take-off.
    """

    speed: float
    carry: float
    speeds: Floats
    reach: float
    rise: float
    drop: float

    def cheapest(self, rate: Callable[[float], float]) -> float:
        """The least that a second costs, where it costs `rate(speed [m/s])`."""
        return min(rate(float(speed)) for speed in self.speeds)


def bounds_of(repertoire: Repertoire, actions: Ints, usable: Bools) -> Bounds:
    """The bounds of a controller.

    Args:
        repertoire: what it acts with.
        actions: all that it ever does.
        usable: `(a,)`: which of the repertoire's actions are its own; others lead to them.
    """
    others = actions[~usable[actions]]
    actions = actions[usable[actions]]
    paths = repertoire.paths(_MOMENTS)[actions]
    lasting = repertoire.durations[actions]
    ways = np.diff(paths[..., :2], axis=1)
    steps: Floats = np.sqrt((ways**2).sum(axis=-1))
    fastest = float((steps / (lasting / (_MOMENTS - 1))[:, None]).max())
    mean: Floats = steps.sum(axis=1) / lasting
    leaps: list[tuple[float, float]] = [(0.0, 0.0)]
    for action in actions.tolist():
        leaps += _flights(repertoire.native.feet(action))
    far, up = np.array(leaps).T
    ends = repertoire.paths(2)[others, -1]
    gained = np.sqrt(ends[:, 0] ** 2 + ends[:, 1] ** 2) - fastest * repertoire.durations[others]
    return Bounds(
        speed=fastest,
        # From one gait through another: two of them in a row.
        carry=2.0 * float(max(gained.max(initial=0.0), 0.0)),
        speeds=np.unique(np.round(mean, 9)),
        reach=float(far.max()),
        rise=float(max(up.max(), 0.0)),
        drop=float(max(-up.min(), 0.0)),
    )


def _flights(feet: Floats) -> list[tuple[float, float]]:
    """How far and how high feet go while none is on the ground."""
    found: list[tuple[float, float]] = []
    for foot in feet:
        down_before = feet[feet[:, 1] < foot[1] - 1e-9]
        if len(down_before) == 0 or (down_before[:, 2] > foot[1] + 1e-9).any():
            continue
        last = down_before[np.argmax(down_before[:, 2])]
        if last[2] < foot[1] - 1e-3:
            found.append((float(np.hypot(*(foot[3:5] - last[3:5]))), float(foot[5] - last[5])))
    return found
