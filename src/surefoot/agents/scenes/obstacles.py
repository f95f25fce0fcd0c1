"""People among bodies that move, foreseen or not."""

from __future__ import annotations

import numpy as np

from surefoot.agents.scenes.scene import Cast, CrowdScene, Walker, block, floor, mover
from surefoot.world import Keyframed, World, primitives


def two_moving_obstacles(seed: int = 0, agents: int = 1) -> CrowdScene:
    """Two obstacles on known ways cross the way of whoever comes (beacco2013, figure 7)."""
    cast = Cast(seed)
    shift = float(cast.random.uniform(-0.5, 0.5))
    box = primitives.box((0.8, 0.8, 1.6), (0.0, 0.0, 0.8))
    ways = [
        Keyframed(
            np.array([0.0, 8.0]),
            np.array([[x, side * 4.0 + shift, 0.0], [x, -side * 4.0 + shift, 0.0]]),
            repeat="ping-pong",
        )
        for x, side in ((-1.0, 1.0), (1.5, -1.0))
    ]
    bodies = [mover(f"obstacle {i}", box, way) for i, way in enumerate(ways)]
    starts, wide = _rows(agents), 14.0 + 2.0 * (agents // 8)
    return CrowdScene(
        name="two moving obstacles",
        description="two obstacles on known ways cross the way",
        world=World([floor(wide, 11.0), *bodies], name="two moving obstacles"),
        walkers=tuple(cast.walker((x, y), (-x, y)) for x, y in starts),
        area=wide * 11.0,
    )


def dragged_wall(seed: int = 0, agents: int = 1) -> CrowdScene:
    """A wall is dragged into the way by somebody whom nobody can foresee (beacco2013, figure 8)."""
    cast = Cast(seed)
    wall = mover("wall", primitives.box((0.3, 3.0, 2.0), (0.0, 0.0, 1.0)))
    # Slower than people get out of the way: it is to be gone round, not to run anybody down.
    stops = cast.random.uniform(-2.0, 2.0, 6)
    xs = cast.random.uniform(-0.3, 0.3, 6)
    keys = np.array([[0.0, 5.0, 0.0], *([x, y, 0.0] for x, y in zip(xs, stops, strict=True))])
    lengths = np.linalg.norm(np.diff(keys, axis=0), axis=1)
    times = np.concatenate([[0.0], np.cumsum(lengths / 0.7 + 1.0)])
    starts, wide = _rows(agents), 14.0 + 2.0 * (agents // 8)
    return CrowdScene(
        name="dragged wall",
        description="a wall is dragged into the way, and nobody can foresee it",
        world=World([floor(wide, 14.0), wall], name="dragged wall"),
        walkers=tuple(cast.walker((x, y), (-x, y)) for x, y in starts),
        area=wide * 14.0,
        live={"wall": Keyframed(times, keys)},
    )


def station_platform(seed: int = 0, agents: int = 30) -> CrowdScene:
    """Both ways along a platform to its ends, past pillars and benches, while a train goes by.

    Who is at the end leaves.
    """
    cast = Cast(seed)
    length, width = max(24.0, 0.8 * agents), 6.0
    half = length / 2
    bodies = [floor(length, width)]
    for i, x in enumerate(np.arange(-half + 4.0, half - 3.9, 4.0).tolist()):
        bodies.append(block(f"pillar {i}", (x - 0.25, -0.25), (x + 0.25, 0.25), 3.0))
        bodies.append(block(f"bench {i}", (x + 1.2, -2.9), (x + 2.8, -2.5), 0.9))
    train = primitives.box((20.0, 2.6, 3.2), (0.0, 0.0, 0.6))
    far = half + 25.0
    way = Keyframed(
        np.array([0.0, 6.0, 10.0, 16.0]),
        np.array([[-far, 4.5, 0.0], [0.0, 4.5, 0.0], [0.0, 4.5, 0.0], [far, 4.5, 0.0]]),
        repeat="once",
    )
    bodies.append(mover("train", train, way))
    walkers: list[Walker] = []
    for side, count in ((-1, agents // 2), (1, agents - agents // 2)):
        starts = cast.spread((1.0, 0.8), (half - 1.0, 2.4), count, 1.0)
        walkers += [
            cast.walker(
                (side * x, y), (-side * (half - 0.8), float(cast.random.uniform(-2.2, 2.2)))
            )
            for x, y in starts
        ]
    return CrowdScene(
        name="station platform",
        description="both ways along a platform to its ends, past pillars, while a train goes by",
        world=World(bodies, name="station platform"),
        walkers=tuple(walkers),
        duration=120.0,
        area=length * width,
        leave=True,
    )


def _rows(agents: int) -> list[tuple[float, float]]:
    """Starts of people who come abreast, eight in a row at most."""
    abreast = min(agents, 8)
    return [(-5.0 - i // 8, 1.0 * (i % 8 - (abreast - 1) / 2)) for i in range(agents)]
