"""Worlds of many kinds to plan in: floors with gaps, boxes, beams, stairs, slopes and storeys."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from surefoot.math import Pose, rotations
from surefoot.world import Body, Static, World
from surefoot.world.primitives import box, ramp, slab, stairs


def random_world(rng: np.random.Generator) -> World:
    """A world about 10 m by 10 m, mostly connected; the same for the same generator."""
    bodies = [*_floor(rng), *_boxes(rng), *_beams(rng)]
    if rng.random() < 0.6:
        bodies += _storey(rng)
    return World(bodies, name="random")


def _floor(rng: np.random.Generator) -> list[Body]:
    """A floor in one piece, or in tiles with gaps and steps between them."""
    if rng.random() < 0.4:
        return [Body(name="floor", mesh=slab((10, 10, 0.3)))]
    cuts = np.sort(rng.uniform(-3.5, 3.5, rng.integers(1, 3)))
    edges = [-5.0, *cuts.tolist(), 5.0]
    tiles: list[Body] = []
    height = 0.0
    for i, (low, high) in enumerate(pairwise(edges)):
        gap = float(rng.choice([0.0, 0.1, 0.3, 0.6, 1.0, 1.6]))
        width = max(high - low - gap, 0.6)
        mesh = slab((width, 10, 0.3), ((low + high) / 2, 0, height))
        tiles.append(Body(name=f"tile {i}", mesh=mesh))
        height += float(rng.choice([0.0, 0.0, 0.15, -0.2, 0.4, -0.6]))
    return tiles


def _boxes(rng: np.random.Generator) -> list[Body]:
    found: list[Body] = []
    for i in range(int(rng.integers(3, 16))):
        x, y = rng.uniform(-4.5, 4.5, 2)
        wide, deep = rng.uniform(0.05, 2.0, 2)
        high = float(rng.choice([0.1, 0.2, 0.3, 0.42, 0.5, 0.8, 2.5]))
        tags = {"forbidden": True} if rng.random() < 0.2 else {}
        turn = rotations.from_yaw(float(rng.uniform(0, np.pi)))
        found.append(
            Body(
                name=f"box {i}",
                mesh=box((wide, deep, high + 0.5), (0, 0, (high - 0.5) / 2)),
                trajectory=Static(Pose(np.array([x, y, 0.0]), turn)),
                tags=tags,
                solid=bool(rng.random() < 0.8),
            )
        )
    return found


def _beams(rng: np.random.Generator) -> list[Body]:
    return [
        Body(
            name=f"beam {i}",
            mesh=box((rng.uniform(0.2, 1.5), rng.uniform(1.0, 6.0), 0.2)),
            trajectory=Static(
                Pose(
                    np.array([*rng.uniform(-4, 4, 2), rng.uniform(1.2, 2.6)]),
                    rotations.from_yaw(float(rng.uniform(0, np.pi))),
                )
            ),
        )
        for i in range(int(rng.integers(0, 4)))
    ]


def _storey(rng: np.random.Generator) -> list[Body]:
    """A deck above part of the floor, with stairs or a ramp up to it."""
    if rng.random() < 0.5:
        up = stairs(int(rng.integers(8, 14)), 1.6, 0.18, 0.28)
    else:
        up = ramp(4.0, 1.6, float(rng.uniform(1.0, 2.4)))
    low, high = up.bounds
    way = Body(name="way up", mesh=up, trajectory=Static(Pose(np.array([-2.0, 3.6, 0.0]))))
    centre = (-2.0 + high[0] + 1.2, 2.8 + (low[1] + high[1]) / 2, high[2])
    deck = Body(name="deck", mesh=slab((2.6, 3.2, 0.15), centre))
    return [way, deck]
