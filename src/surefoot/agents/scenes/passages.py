"""People in narrow places."""

from __future__ import annotations

from surefoot.agents.scenes.scene import Cast, CrowdScene, Walker, block, floor
from surefoot.world import Body, World


def corridor(seed: int = 0, agents: int = 16) -> CrowdScene:
    """Two streams that meet in a corridor 4 m wide; who is through leaves."""
    cast, half = Cast(seed), agents // 2
    width, room = 4.0, max(4.0, -(-half // 4) * 1.1)
    middle = 4.0
    end = middle + room
    walls = [
        block(f"wall {i}", (-end - 1.5, y), (end + 1.5, y + 0.3))
        for i, y in enumerate((-width / 2 - 0.3, width / 2))
    ]
    walkers: list[Walker] = []
    for side, count in ((-1, half), (1, agents - half)):
        low, high = (middle, -1.45), (end, 1.45)
        starts = cast.spread(low, high, count, 0.95)
        walkers += [cast.walker((side * x, y), (-side * (end + 0.7), y)) for x, y in starts]
    length = 2.0 * end + 3.0
    return CrowdScene(
        name="corridor",
        description="two streams that meet in a corridor 4 m wide",
        world=World([floor(length, width + 0.6), *walls], name="corridor"),
        walkers=tuple(walkers),
        duration=90.0,
        area=length * width,
        leave=True,
    )


def bottleneck(seed: int = 0, agents: int = 16) -> CrowdScene:
    """All through one gap, 1.6 m wide; who is through leaves."""
    scene_world, half = _wall_with_gap("bottleneck", agents, 1.6)
    cast = Cast(seed)
    depth = half - 1.0
    starts = cast.spread((-depth, -depth / 2), (-1.6, depth / 2), agents, 1.0)
    goals = cast.spread((2.0, -depth), (depth, depth), agents, 1.1)
    return CrowdScene(
        name="bottleneck",
        description="all through one gap, 1.6 m wide",
        world=scene_world,
        walkers=tuple(cast.walker(s, g) for s, g in zip(starts, goals, strict=True)),
        duration=120.0,
        area=4.0 * half * half,
        leave=True,
    )


def door(seed: int = 0, agents: int = 6) -> CrowdScene:
    """Two ways through a door, 1.2 m wide: one lets the other pass."""
    scene_world, half = _wall_with_gap("door", agents, 1.2)
    cast = Cast(seed)
    depth, first = half - 1.0, agents // 2
    walkers: list[Walker] = []
    for side, count in ((-1, first), (1, agents - first)):
        starts = cast.spread((1.8, -depth / 3), (depth, depth / 3), count, 1.0)
        goals = cast.spread((2.0, 1.6), (depth, depth), count, 1.0)
        walkers += [
            cast.walker((side * sx, sy), (-side * gx, -side * gy))
            for (sx, sy), (gx, gy) in zip(starts, goals, strict=True)
        ]
    return CrowdScene(
        name="door",
        description="two ways through a door, 1.2 m wide",
        world=scene_world,
        walkers=tuple(walkers),
        duration=120.0,
        area=4.0 * half * half,
    )


def _wall_with_gap(name: str, agents: int, gap: float) -> tuple[World, float]:
    """A floor cut in two by a wall with a gap in the middle; half of the floor's side [m]."""
    half = max(5.0, 2.0 + 1.6 * agents**0.5)
    bodies: list[Body] = [floor(2.0 * half, 2.0 * half)]
    bodies.append(block("left wall", (-0.15, gap / 2), (0.15, half)))
    bodies.append(block("right wall", (-0.15, -half), (0.15, -gap / 2)))
    return World(bodies, name=name), half
