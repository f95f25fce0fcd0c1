"""From cells to a way a body can follow: straight where it can be, rounded at corners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, interpolate
from surefoot.character import Capability
from surefoot.planning.grid.cells import forbidden
from surefoot.world import Cylinder, TimedPath, World

SPACING = 0.1
"""[m] between the points of a route."""


SLOWER_BY_GRADIENT = 1.6
"""People climb a flight of stairs (gradient 0.6) at about half their walking speed."""


@dataclass(frozen=True, eq=False)
class Route:
    """A way on the ground.

    Attributes:
        points: `(n, 3)` on the surface [m].
        lengths: `(n,)` along the way from its start, seen from above [m].
    """

    points: Floats
    lengths: Floats

    @classmethod
    def through(cls, points: Floats) -> Route:
        """The way through points."""
        steps = np.hypot(*np.diff(points[:, :2], axis=0).T)
        # Two points above each other (a cell and the exact start on it) are one.
        keep = np.concatenate([[True], steps > 1e-9])
        lengths = np.concatenate([[0.0], np.cumsum(steps[keep[1:]])])
        return cls(points[keep], lengths)

    @property
    def length(self) -> float:
        """[m]."""
        return float(self.lengths[-1])

    def at(self, lengths: Floats) -> Floats:
        """Points `(k, 3)` at lengths `(k,)` along the way."""
        return interpolate(lengths, self.lengths, self.points)

    def slowness(self, lengths: Floats) -> Floats:
        """How much longer a metre takes than on the level `(k,)`: stairs and slopes are slow."""
        reach = min(0.3, self.length / 2)
        ahead = self.at(np.minimum(lengths + reach, self.length))
        behind = self.at(np.maximum(lengths - reach, 0.0))
        run = np.hypot(*(ahead - behind)[:, :2].T)
        gradient = np.abs(ahead[:, 2] - behind[:, 2]) / np.maximum(run, 1e-9)
        return 1.0 + SLOWER_BY_GRADIENT * np.minimum(gradient, 1.0)

    def headings(self, lengths: Floats) -> Floats:
        """Which way one walks `(k,)` [rad], over a step's length so that corners are turned."""
        reach = min(0.3, self.length / 2)
        ahead = self.at(np.minimum(lengths + reach, self.length))
        behind = self.at(np.maximum(lengths - reach, 0.0))
        forward = ahead - behind
        return np.arctan2(forward[:, 1], forward[:, 0])


class Walkable:
    """Tells whether straight lines of a world at rest can be walked."""

    def __init__(self, world: World, skill: Capability) -> None:
        self._world = world
        self._skill = skill
        self._forbidden = forbidden(world)
        self._shape = Cylinder(skill.radius, skill.height, skill.step_height)

    def line(self, corners: Floats) -> Floats | None:
        """Points on the ground along the line through `corners`, or None where it breaks off."""
        steps = np.hypot(*np.diff(corners[:, :2], axis=0).T)
        lengths = np.concatenate([[0.0], np.cumsum(steps)])
        if lengths[-1] < 1e-9:
            return corners[:1]
        count = max(2, int(np.ceil(lengths[-1] / SPACING)) + 1)
        even: Floats = np.linspace(0.0, float(lengths[-1]), count)
        at = np.union1d(even, lengths)
        at = at[np.concatenate([[True], np.diff(at) > 1e-6])]
        points = interpolate(at, lengths, corners)
        step = self._skill.step_height
        ground = self._world.support(points, up=step, down=step)
        usable = ground.hit & (ground.slope <= self._skill.max_slope)
        if not (usable & ~self._forbidden[ground.body]).all():
            return None
        points[:, 2] = ground.height
        if (np.abs(np.diff(points[:, 2])) > step).any():
            return None
        if len(points) < 2:
            return points
        path = TimedPath(at, points)
        return None if self._world.sweep(path, self._shape) else points


Prices = Callable[[Floats], Floats]
"""How many times the cheapest metre a metre costs at points `(n, 3)`."""


def straightened(corners: Floats, walkable: Walkable, prices: Prices) -> list[Floats]:
    """The stretches of the way, each as far as a straight line can be walked for no more."""
    stretches: list[Floats] = []
    at = 0
    while at < len(corners) - 1:
        best, best_line = at + 1, walkable.line(corners[at : at + 2])
        if best_line is None:
            best_line = corners[at : at + 2]
        jump = 2
        # Gallop ahead, then close in: the farthest end that a line reaches.
        while at + jump < len(corners):
            line = _shortcut(corners, at, at + jump, walkable, prices)
            if line is None:
                break
            best, best_line, jump = at + jump, line, jump * 2
        reach = min(at + jump, len(corners))
        while reach - best > 1:
            middle = (best + reach) // 2
            line = _shortcut(corners, at, middle, walkable, prices)
            if line is None:
                reach = middle
            else:
                best, best_line = middle, line
        stretches.append(best_line)
        at = best
    return stretches


def _shortcut(
    corners: Floats, first: int, last: int, walkable: Walkable, prices: Prices
) -> Floats | None:
    """The straight line between two corners, at the heights that the way in between has."""
    part = corners[first : last + 1]
    steps = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(part[:, :2], axis=0).T))])
    share = steps / steps[-1] if steps[-1] > 0 else steps
    line = part[0] + (part[-1] - part[0]) * share[:, None]
    line[:, 2] = part[:, 2]
    walked = walkable.line(line)
    if walked is None or _cost(walked, prices) > _cost(part, prices) + 1e-9:
        return None
    return walked


def _cost(points: Floats, prices: Prices) -> float:
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return float((steps * prices((points[1:] + points[:-1]) / 2)).sum())


def rounded(stretches: list[Floats], walkable: Walkable, prices: Prices, radius: float) -> Floats:
    """One line of points, its corners cut by curves that can be walked for no more."""
    points = stretches[0]
    for following in stretches[1:]:
        points = _join(points, following, walkable, prices, radius)
    return points


def _join(
    before: Floats, after: Floats, walkable: Walkable, prices: Prices, radius: float
) -> Floats:
    first, second = Route.through(before), Route.through(after)
    cut = min(radius, first.length / 2, second.length / 2)
    while cut > SPACING:
        start = first.at(np.array([first.length - cut]))[0]
        end = second.at(np.array([cut]))[0]
        corner = after[0]
        s = np.linspace(0.0, 1.0, 2 + int(np.ceil(2 * cut / SPACING)))[:, None]
        curve = (1 - s) ** 2 * start + 2 * s * (1 - s) * corner + s**2 * end
        walked = walkable.line(curve)
        sharp = np.stack([start, corner, end])
        if walked is not None and _cost(walked, prices) <= _cost(sharp, prices) + 1e-9:
            kept = first.points[first.lengths < first.length - cut]
            return np.concatenate([kept, walked, second.points[second.lengths > cut]])
        cut /= 2
    return np.concatenate([before, after[1:]])
