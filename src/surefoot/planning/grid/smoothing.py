"""From corners to a curve a body can follow, checked with the exact queries (bandi2000, 7.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning.grid.walkable import SPACING, Walkable
from surefoot.planning.grid.way import Route

PointPrices = Callable[[Floats], Floats]
"""How many times the cheapest metre a metre costs at points `(n, 3)`."""


def straight(part: Floats) -> Floats:
    """The straight line between the ends of a way, at the heights that the way in between has."""
    first, last = part[0], part[-1]
    across = (last - first)[:2]
    length = float(np.hypot(*across))
    if len(part) < 3 or length < 1e-9:
        return np.stack([first, last])
    # Each point of the way stands for the one of the line that is beside it.
    share = np.clip((part[:, :2] - first[:2]) @ across / length**2, 0.0, 1.0)
    share[0], share[-1] = 0.0, 1.0
    share = np.maximum.accumulate(share)
    keep = np.concatenate([[True], np.diff(share) > 1e-6])
    keep[-1] = True
    line = first + (last - first) * share[keep, None]
    line[:, 2] = part[keep, 2]
    return line


def rounded(
    stretches: Sequence[Floats],
    walkable: Walkable,
    radius: float,
    prices: PointPrices | None,
    gap: float = 0.0,
) -> Floats:
    """One line of points, its corners cut by curves that can be walked for no more.

    Args:
        stretches: lines of points `(n, 3)` on the ground, each from the end of the last one.
        walkable: for whom.
        radius: [m] how far from a corner curves may begin.
        prices: of metres; None where they are the same everywhere.
        gap: [m] without ground that is bridged.
    """
    routes = [Route.through(stretch) for stretch in stretches]
    routes = [route for route in routes if len(route.points) > 1]
    if not routes:
        return stretches[0][:1]
    cuts = [min(radius, first.length / 2, second.length / 2) for first, second in pairwise(routes)]
    curves: list[Floats | None] = [None] * len(cuts)
    pending = [i for i, cut in enumerate(cuts) if cut > SPACING]
    while pending:
        tried = [_curve(routes[i], routes[i + 1], cuts[i]) for i in pending]
        found = walkable.lines(tried, gap=gap)
        failed: list[int] = []
        for i, walked in zip(pending, found, strict=True):
            if walked is not None and _cheap(walked, routes[i], routes[i + 1], cuts[i], prices):
                curves[i] = walked
                continue
            cuts[i] /= 2
            if cuts[i] > SPACING:
                failed.append(i)
        pending = failed
    return _joined(routes, cuts, curves)


def cost(points: Floats, prices: PointPrices) -> float:
    """What a line of points `(n, 3)` costs, in cheapest metres."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return float((steps * prices((points[1:] + points[:-1]) / 2)).sum())


def _curve(first: Route, second: Route, cut: float) -> Floats:
    start = first.at(np.array([first.length - cut]))[0]
    end = second.at(np.array([cut]))[0]
    corner = second.points[0]
    s = np.linspace(0.0, 1.0, 2 + int(np.ceil(2 * cut / SPACING)))[:, None]
    return (1 - s) ** 2 * start + 2 * s * (1 - s) * corner + s**2 * end


def _cheap(
    walked: Floats, first: Route, second: Route, cut: float, prices: PointPrices | None
) -> bool:
    """Whether a curve costs no more than the corner."""
    if prices is None:
        return True
    ends = first.at(np.array([first.length - cut]))[0], second.at(np.array([cut]))[0]
    sharp = np.stack([ends[0], second.points[0], ends[1]])
    return cost(walked, prices) <= cost(sharp, prices) + 1e-9


def _joined(routes: list[Route], cuts: list[float], curves: list[Floats | None]) -> Floats:
    parts: list[Floats] = []
    for i, route in enumerate(routes):
        start = cuts[i - 1] if i > 0 and curves[i - 1] is not None else 0.0
        end = route.length - (cuts[i] if i < len(cuts) and curves[i] is not None else 0.0)
        inside = (route.lengths >= start - 1e-9) & (route.lengths <= end + 1e-9)
        parts.append(route.points[inside])
        if i < len(cuts):
            curve = curves[i]
            if curve is not None:
                parts.append(curve)
    return Route.through(np.concatenate(parts)).points
