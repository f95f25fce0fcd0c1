"""Recordings of islands and shuttles whose stops are never quite as long as the last time."""

from __future__ import annotations

import numpy as np

from surefoot.world import Body, Keyframed, Place, World
from surefoot.world.primitives import slab

LENGTH = 240.0
"""[s]"""


def recorded(seed: int, jitter: float) -> tuple[World, Place, Place]:
    """Four islands in a row and shuttles between them, for an adult.

    Args:
        seed: of speeds, stops and phases.
        jitter: by how much a stop may be longer or shorter, as a share of it.

    Returns:
        the world, where to start and where to go.
    """
    rng = np.random.default_rng(seed)
    bodies = [Body(name=f"island {k}", mesh=slab((6.0, 6.0, 0.4), (17.0 * k, 0.0, 0.0)))
              for k in range(3)]  # fmt: skip
    for k in range(2):
        first, last = np.array([17.0 * k + 4.3, 0.0, 0.0]), np.array([17.0 * k + 12.7, 0.0, 0.0])
        way = _to_and_fro(rng, first, last, rng.uniform(1.0, 1.4), rng.uniform(2.0, 3.0), jitter)
        mesh = slab((2.2, 2.2, 0.24))
        bodies.append(Body(name=f"shuttle {k}", mesh=mesh, trajectory=way))
    world = World(bodies, name="shuttles")
    ends = (np.array([-1.0, 0.0, 0.0]), np.array([35.0, 0.0, 0.0]))
    return world, Place("island 0", ends[0]), Place("island 2", ends[1])


def _to_and_fro(
    rng: np.random.Generator, first: np.ndarray, last: np.ndarray, speed: float, stop: float,
    jitter: float,
) -> Keyframed:  # fmt: skip
    lasts = 1.5 * float(np.linalg.norm(last - first)) / speed
    t, keys, spots = -rng.uniform(0.0, 2 * (lasts + stop)), [], []
    ends = [first, last]
    k = 0
    while t < LENGTH:
        waits = stop * (1 + jitter * rng.uniform(-1, 1))
        keys += [t, t + waits]
        spots += [ends[k % 2]] * 2
        t += waits + lasts
        k += 1
    still = np.zeros((len(keys), 3))
    return Keyframed(
        np.array(keys), np.array(spots), interpolation="cubic", tangents=(still, still)
    )
