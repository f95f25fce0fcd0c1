"""What is asked about the building: looks, times, places and walks; all follow from seeds."""

from __future__ import annotations

import numpy as np
from benchmarks.worlds.building import Building

from surefoot.arrays import Floats
from surefoot.world import Place, TimedPath, World

SPAN = 10.0
"""Questions about moving bodies lie within so many seconds from 0."""


def up(height: float) -> Floats:
    """A step up [m]."""
    return np.array([0.0, 0.0, height])


def looks(house: Building, count: int, seed: int) -> tuple[Floats, Floats]:
    """Origins and directions of rays from eye height, all around and a little up or down."""
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(count, 3)) * [1.0, 1.0, 0.3]
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return house.standing(count, seed) + up(1.6), directions


def times(count: int, seed: int) -> Floats:
    """Moments, in no order [s]."""
    return np.random.default_rng(seed).uniform(0.0, SPAN, count)


def places(house: Building, world: World, count: int, seed: int) -> list[Place]:
    """Nine of ten on the house, the others on lifts."""
    rng = np.random.default_rng(seed)
    lifts = [body.name for body in world if body.name.startswith("lift")]
    found = [Place(None, point) for point in house.standing(count - count // 10, seed)]
    for _ in range(count // 10):
        x, y = rng.uniform(-0.9, 0.9, 2)
        found.append(Place(lifts[rng.integers(len(lifts))], np.array([x, y, 0.0])))
    return found


def walks(house: Building, count: int, seed: int) -> list[TimedPath]:
    """Five seconds of walking, one corner each second."""
    rng = np.random.default_rng(seed)
    found: list[TimedPath] = []
    for start in house.standing(count, seed):
        turns = rng.uniform(0, 2 * np.pi) + np.cumsum(rng.normal(scale=0.5, size=5))
        steps = 1.3 * np.stack([np.cos(turns), np.sin(turns), np.zeros(5)], axis=1)
        positions = start + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
        found.append(TimedPath(rng.uniform(0, SPAN - 5) + np.arange(6.0), positions))
    return found
