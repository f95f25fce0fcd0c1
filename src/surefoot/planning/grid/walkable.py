"""Which lines of a world at rest can be walked: the exact queries have the last word on cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Bools, Floats, interpolate
from surefoot.character import Capability
from surefoot.world import Cylinder, TimedPath, World

SPACING = 0.1
"""[m] between the points of a line."""

CRACK = 0.1
"""[m] Gap in the ground that nobody notices; `Plan.check` allows as much."""

ROUNDING = 1e-6
"""[m] of heights, which high above the origin have fewer digits."""

BUMP, SHORT = 0.08, 0.3
"""[m] What is this much higher or lower than the ground before and behind, and shorter than a foot,
is no ground to walk on; it may be stepped over."""


def forbidden(world: World) -> Bools:
    """Per body id: nobody may stand on it. The last entry is for 'no body' (-1)."""
    flags = np.zeros(len(world.names) + 1, dtype=np.bool_)
    for body in world:
        flags[world.id(body.name)] = body.has("forbidden")
    return flags


class Walkable:
    """Tells whether lines of a world at rest can be walked.

    Args:
        world: in which nothing moves.
        skill: whose cylinder must fit and whose steps and slopes limit.
    """

    def __init__(self, world: World, skill: Capability) -> None:
        self.world, self.skill = world, skill
        self._forbidden = forbidden(world)
        self._shape = Cylinder(skill.radius, skill.height, skill.step_height)
        self.sweeps = 0

    def line(self, corners: Floats, *, gap: float = 0.0) -> Floats | None:
        """See `lines`."""
        return self.lines([corners], gap=gap)[0]

    def lines(self, each: Sequence[Floats], *, gap: float = 0.0) -> list[Floats | None]:
        """Points on the ground along the lines through corners, or None where one breaks off.

        Args:
            each: lines as corners `(m, 3)` [m], whose heights are a guess at the ground's.
            gap: [m], >= 0: the longest stretch without ground that is bridged.
        """
        sampled = [_sampled(corners) for corners in each]
        grounds = self._grounds([points for _, points in sampled], gap)
        found: list[Floats | None] = [None] * len(each)
        swept: list[tuple[int, Floats]] = []
        for i, ((at, points), heights) in enumerate(zip(sampled, grounds, strict=True)):
            if heights is None:
                continue
            # Every other point was only looked at.
            at, points = at[::2], np.column_stack([points[::2, :2], heights[::2]])
            if len(points) == 1:
                found[i] = points
            else:
                found[i] = points
                swept.append((i, at))
        blocked = self._contacts([TimedPath(at, _some(found[i])) for i, at in swept])
        for (i, _), hit in zip(swept, blocked, strict=True):
            if hit:
                found[i] = None
        return found

    def free(self, points: Floats) -> Bools:
        """`(n,)`: whether there is room and ground to stand at points `(n, 3)` [m]."""
        step = max(self.skill.step_height, 0.01)
        ground = self.world.support(points, up=step, down=step)
        good = ground.hit & ~(ground.slope > self.skill.max_slope) & ~self._forbidden[ground.body]
        return good & ~self.world.overlap(points, shape=self._shape)

    def room(self, points: Floats) -> Bools:
        """`(n,)`: whether nothing is in the way of somebody at points `(n, 3)` [m]."""
        return ~self.world.overlap(points, shape=self._shape)

    def _grounds(self, each: Sequence[Floats], gap: float) -> list[Floats | None]:
        """The ground's heights along points, bridged over gaps; None where it cannot be walked."""
        if not each:
            return []
        step = self.skill.step_height
        flat = np.concatenate(each)
        # Twice a step up: of two things on top of each other the upper one is the ground.
        ground = self.world.support(flat, up=2 * step + ROUNDING, down=step + ROUNDING)
        barred = ground.hit & self._forbidden[ground.body]
        usable = ground.hit & (ground.slope <= self.skill.max_slope)
        ends = np.cumsum([len(points) for points in each])
        found: list[Floats | None] = []
        for points, end in zip(each, ends.tolist(), strict=True):
            part = slice(end - len(points), end)
            if barred[part].any():
                found.append(None)
                continue
            firm = usable[part] & ~_bumps(points, ground.height[part], usable[part])
            if gap == 0.0 and (usable[part] & ~firm).any():
                found.append(None)
                continue
            heights = _bridged(points, ground.height[part], firm, gap)
            if heights is not None and (np.abs(np.diff(heights)) > step + ROUNDING).any():
                heights = None
            found.append(heights)
        return found

    def _contacts(self, paths: list[TimedPath]) -> list[bool]:
        self.sweeps += len(paths)
        return [contact is not None for contact in self.world.sweeps(paths, self._shape)]


def _some(points: Floats | None) -> Floats:
    assert points is not None
    return points


def _sampled(corners: Floats) -> tuple[Floats, Floats]:
    """Lengths and points along a line: those to keep, each followed by one half-way to the next."""
    steps = np.hypot(*np.diff(corners[:, :2], axis=0).T)
    lengths = np.concatenate([[0.0], np.cumsum(steps)])
    if lengths[-1] < 1e-9:
        return np.zeros(1), corners[:1].copy()
    count = max(2, int(np.ceil(lengths[-1] / SPACING)) + 1)
    even: Floats = np.linspace(0.0, float(lengths[-1]), count)
    keep = np.union1d(even, lengths)
    keep = keep[np.concatenate([[True], np.diff(keep) > 1e-6])]
    at = np.empty(2 * len(keep) - 1)
    at[::2] = keep
    at[1::2] = (keep[1:] + keep[:-1]) / 2
    return at, interpolate(at, lengths, corners)


def _bumps(points: Floats, heights: Floats, usable: Bools) -> Bools:
    """`(n,)`: short stretches of ground above, or below, what is before and behind them."""
    found = np.zeros(len(points), dtype=np.bool_)
    known = np.where(usable, heights, np.inf)
    with np.errstate(invalid="ignore"):
        edges = np.flatnonzero(np.abs(np.diff(known)) > BUMP) + 1
    if len(edges) < 2:
        return found
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points[:, :2], axis=0).T))])
    for first, after in pairwise(edges.tolist()):
        if lengths[after - 1] - lengths[first] >= SHORT or not usable[first:after].all():
            continue
        before, behind = known[first - 1], known[after]
        up = min(known[first] - before, known[after - 1] - behind)
        down = min(before - known[first], behind - known[after - 1])
        found[first:after] = max(up, down) > BUMP and np.isfinite(before + behind)
    return found


def _bridged(points: Floats, heights: Floats, usable: Bools, gap: float) -> Floats | None:
    """Heights, straight over stretches that are not usable; None where one is too long."""
    if usable.all():
        return heights
    if not (usable[0] and usable[-1]):
        return None
    good: npt.NDArray[np.intp] = np.flatnonzero(usable)
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points[:, :2], axis=0).T))])
    widest = float(np.diff(lengths[good])[np.diff(good) > 1].max())
    if widest > max(gap, CRACK):
        return None
    return np.interp(lengths, lengths[good], heights[good])
