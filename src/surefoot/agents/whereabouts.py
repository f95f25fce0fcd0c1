"""Where plans lead, roughly: so that who comes is held against those alone who may come by."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning.live import Moving

_REACH = 2.5
"""[m] Of two bodies that touch, how far apart their places over the ground are at most."""

_ANYWHERE = 1e9
"""[m] Who is carried may come anywhere."""


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
        """Somebody has come, or a plan was taken up."""
        if not self._stale:
            self._ids.append(agent)
            self._put(len(self._ids) - 1, _disc(plan))

    def beside(self, plan: Moving, published: Mapping[int, Moving]) -> dict[int, Moving]:
        """Of published plans those that may come near another plan, in the order of ids."""
        if self._stale or len(self._ids) != len(published):
            self._ids = list(published)
            for row, known in enumerate(published.values()):
                self._put(row, _disc(known))
            self._stale = False
        if not published:
            return {}
        x, y, radius = _disc(plan)
        discs = self._discs[: len(self._ids)]
        away = np.hypot(discs[:, 0] - x, discs[:, 1] - y)
        close = np.flatnonzero(away <= discs[:, 2] + (radius + _REACH))
        return {self._ids[i]: published[self._ids[i]] for i in close.tolist()}

    def _put(self, row: int, disc: tuple[float, float, float]) -> None:
        if row >= len(self._discs):
            more = np.empty((max(2 * len(self._discs), 64), 3))
            more[: len(self._discs)] = self._discs
            self._discs = more
        self._discs[row] = disc


def _disc(plan: Moving) -> tuple[float, float, float]:
    """Centre and radius [m] of a disc that a plan does not leave, up to what bodies sway."""
    if plan.rides:
        return 0.0, 0.0, _ANYWHERE
    times = np.concatenate([[plan.start], plan.actions, [plan.end]])
    spots, _ = plan.spots(times)
    low, high = spots[:, :2].min(axis=0), spots[:, :2].max(axis=0)
    x, y = ((low + high) / 2.0).tolist()
    return x, y, float(np.hypot(*(high - low))) / 2.0
