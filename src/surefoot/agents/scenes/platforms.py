"""People whom moving floors carry."""

from __future__ import annotations

import numpy as np

from surefoot.agents.scenes.scene import MOVER_COLOR, Cast, CrowdScene, Walker, floor
from surefoot.math import Pose
from surefoot.world import Body, Keyframed, Static, World, primitives

_GAP = 0.06
"""[m] between floors that move along each other."""


def moving_walkways(seed: int = 0, agents: int = 8) -> CrowdScene:
    """Across two walkways that move to either side, from one bank to the other; both ways."""
    cast = Cast(seed)
    wide, bank, speed = 2.4, 3.0, 0.4
    length = max(12.0, 3.0 + 1.2 * (agents // 2))
    edge = wide + 1.5 * _GAP
    bodies = [
        _slab(f"bank {i}", length, bank, (0.0, side * (edge + bank / 2)))
        for i, side in enumerate((-1.0, 1.0))
    ]
    for i, side in enumerate((-1.0, 1.0)):
        # Long enough to be there all the time.
        y, far = side * (wide + _GAP) / 2, 12.0
        way = Keyframed(
            np.array([0.0, 2 * far / speed]),
            np.array([[-side * far, y, 0.0], [side * far, y, 0.0]]),
            repeat="ping-pong",
        )
        mesh = primitives.slab((length + 2 * far + 8.0, wide, 0.2))
        bodies.append(Body(name=f"walkway {i}", mesh=mesh, trajectory=way, color=MOVER_COLOR))
    walkers: list[Walker] = []
    for side, count in ((-1.0, agents // 2), (1.0, agents - agents // 2)):
        starts = cast.spread((-length / 2 + 1.0, 0.5), (length / 2 - 1.0, 2.2), count, 1.2)
        walkers += [
            cast.walker((x, side * (edge + y)), (x, -side * (edge + 1.6))) for x, y in starts
        ]
    return CrowdScene(
        name="moving walkways",
        description="across two walkways that move to either side, from bank to bank",
        world=World(bodies, name="moving walkways"),
        walkers=tuple(walkers),
        duration=90.0,
        area=length * 2 * (edge + bank),
        leave=True,
    )


def ferry(seed: int = 0, agents: int = 6) -> CrowdScene:
    """Over the water on a ferry that stops on either side; who is there goes ashore."""
    cast = Cast(seed)
    wide, long, water = 6.0, 4.0, 10.0
    rows = max(1, -(-agents // 4))
    quay = 4.0 + 1.2 * rows
    half = water / 2
    bodies = [
        _slab(f"quay {i}", quay, wide + 2.0, (side * (half + quay / 2), 0.0))
        for i, side in enumerate((-1.0, 1.0))
    ]
    reach = half - long / 2 - _GAP
    stop, sail = 7.0, 2 * reach / 0.6
    times = np.cumsum([0.0, stop, sail, stop, sail])
    xs = np.array([-reach, -reach, reach, reach, -reach])
    wait = float(cast.random.uniform(0.0, stop))
    way = Keyframed(times - wait, np.column_stack([xs, np.zeros(5), np.zeros(5)]), repeat="loop")
    mesh = primitives.slab((long, wide, 0.2))
    bodies.append(Body(name="ferry", mesh=mesh, trajectory=way, color=MOVER_COLOR))
    starts = cast.spread((half + 1.2, -2.4), (half + quay - 0.8, 2.4), agents, 1.1)
    walkers = tuple(
        cast.walker((-x, y), (half + quay - 1.0, float(np.clip(y, -2.2, 2.2)))) for x, y in starts
    )
    return CrowdScene(
        name="ferry",
        description="over the water on a ferry that stops on either side",
        world=World(bodies, name="ferry"),
        walkers=walkers,
        duration=120.0,
        area=2 * quay * (wide + 2.0) + long * wide,
        leave=True,
    )


def _slab(name: str, x: float, y: float, centre: tuple[float, float]) -> Body:
    """A floor that rests, with its top at height 0."""
    base = floor(x, y)
    return Body(
        name=name,
        mesh=base.mesh,
        trajectory=Static(Pose(np.array([*centre, 0.0]))),
        color=base.color,
    )
