"""Where plans lead, roughly: so that who comes is held against those alone who may come by."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning.live import Moving

_REACH = 2.5
"""[m] Of two bodies that touch, how far apart their places over the ground are at most."""


class Whereabouts:
    """Discs over the ground that published plans do not leave."""

    def __init__(self) -> None:
        self._ids: list[int] = []
        self._discs: Floats = np.empty((0, 3))
        self._stale = False

    def changed(self) -> None:
        """Plans were taken up or went: what was known is not so any more."""
        self._stale = True

    def came(self, agent: int, plan: Moving) -> None:
        """Somebody came who stands."""
        if not self._stale:
            self._ids.append(agent)
            self._discs = np.concatenate([self._discs, [_disc(plan)]])

    def near(self, point: Floats, published: Mapping[int, Moving]) -> dict[int, Moving]:
        """The plans that come near a point `(3,)`, in the order of ids."""
        if self._stale or len(self._ids) != len(published):
            self._ids = list(published)
            discs = [_disc(plan) for plan in published.values()]
            self._discs = np.array(discs).reshape(-1, 3)
            self._stale = False
        away = np.hypot(self._discs[:, 0] - point[0], self._discs[:, 1] - point[1])
        close = np.flatnonzero(away <= self._discs[:, 2] + _REACH)
        return {self._ids[i]: published[self._ids[i]] for i in close.tolist()}


def _disc(plan: Moving) -> tuple[float, float, float]:
    """Centre and radius [m] of a disc that a plan does not leave, up to what bodies sway."""
    times = np.concatenate([[plan.start], plan.actions, [plan.end]])
    spots, _ = plan.spots(times)
    low, high = spots[:, :2].min(axis=0), spots[:, :2].max(axis=0)
    x, y = ((low + high) / 2.0).tolist()
    return x, y, float(np.hypot(*(high - low))) / 2.0
