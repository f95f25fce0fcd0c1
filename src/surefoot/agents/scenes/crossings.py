"""People who cross each other's ways in the open."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin

from surefoot.agents.scenes.scene import Cast, CrowdScene, floor
from surefoot.agents.settings import CrowdSettings
from surefoot.world import World


def four_crossing(seed: int = 0, agents: int = 4) -> CrowdScene:
    """Four who reach goals in opposite directions (beacco2013, figure 1)."""
    return _ring("four crossing", four_crossing.__doc__, seed, agents, 4.0)


def reduced_search(seed: int = 0, agents: int = 4) -> CrowdScene:
    """Four crossing with next to no search (beacco2013, figure 10)."""
    scene = _ring("reduced search", reduced_search.__doc__, seed, agents, 4.0)
    return replace(scene, settings=CrowdSettings(nodes=8, least_nodes=8, frame_nodes=96))


def antipodal_circle(seed: int = 0, agents: int = 12) -> CrowdScene:
    """All on a circle, each to the opposite point of it."""
    radius = max(4.0, agents * 0.9 / (2.0 * pi))
    return _ring("antipodal circle", antipodal_circle.__doc__, seed, agents, radius)


def crossing_groups(seed: int = 0, agents: int = 16) -> CrowdScene:
    """Two groups whose ways cross at right angles."""
    cast, half = Cast(seed), agents // 2
    side = max(3.0, 1.2 * (half**0.5))
    far = 3.0 + side
    size = 2.0 * far + 4.0
    starts = cast.spread((-far, -side / 2), (-far + side, side / 2), half, 1.0)
    walkers = [cast.walker((x, y), (x + 2 * far - side, y)) for x, y in starts]
    starts = cast.spread((-side / 2, -far), (side / 2, -far + side), agents - half, 1.0)
    walkers += [cast.walker((x, y), (x, y + 2 * far - side)) for x, y in starts]
    return CrowdScene(
        name="crossing groups",
        description="two groups whose ways cross at right angles",
        world=World([floor(size, size)], name="crossing groups"),
        walkers=tuple(walkers),
        area=size * size,
    )


def square(seed: int = 0, agents: int = 100) -> CrowdScene:
    """Everybody crosses a wide square in some direction, at the same density for any number."""
    cast = Cast(seed)
    side = (agents * 9.0) ** 0.5
    corner = (side / 2, side / 2)
    low = (-corner[0], -corner[1])
    starts = cast.spread(low, corner, agents, 1.4)
    goals = cast.spread(low, corner, agents, 1.4)
    size = side + 4.0
    return CrowdScene(
        name="square",
        description="everybody crosses a square in some direction",
        world=World([floor(size, size)], name="square"),
        walkers=tuple(cast.walker(s, g) for s, g in zip(starts, goals, strict=True)),
        duration=max(60.0, 3.0 * side),
        area=size * size,
    )


def _ring(name: str, doc: str | None, seed: int, agents: int, radius: float) -> CrowdScene:
    cast = Cast(seed)
    size = 2.0 * radius + 4.0
    angles = [2.0 * pi * i / agents for i in range(agents)]
    spots = [(radius * cos(angle), radius * sin(angle)) for angle in angles]
    walkers = tuple(cast.walker((x, y), (-x, -y)) for x, y in spots)
    return CrowdScene(
        name=name,
        description=(doc or "").strip().rstrip(".").lower(),
        world=World([floor(size, size)], name=name),
        walkers=walkers,
        area=size * size,
    )
