"""Platforms in the air that never connect all together (lopez2012, section 5).

Nine islands, shuttles between them, some of which meet another shuttle half-way, a lift to a
lookout, and platforms that wander about at random. Made for somebody half a metre tall.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.arrays import Floats
from surefoot.world.body import Body
from surefoot.world.keyframes import Keyframed
from surefoot.world.place import Place
from surefoot.world.primitives import slab
from surefoot.world.scenes.building import fixed
from surefoot.world.scenes.registry import scene
from surefoot.world.trajectory import Trajectory
from surefoot.world.world import World

HORIZON = 180.0
"""[s] How long a way may take; platforms never stop."""

ISLAND, SHUTTLE, THICK = 1.8, 1.1, 0.2
"""[m] Sides of islands and shuttles, and how thick they are."""

GAP = 0.3
"""[m] Between a shuttle and an island where it stops."""

COLUMN, ROW = 5.2, 6.6
"""[m] Between islands: the width of one shuttle's way, and of two that meet."""

STONE = (0.42, 0.44, 0.48)
SHUTTLES = ((0.16, 0.45, 0.75), (0.80, 0.42, 0.12), (0.50, 0.30, 0.62))
LIFT = (0.72, 0.20, 0.22)
WANDERER = (0.25, 0.55, 0.35)


@scene("disconnected", "platforms for somebody small that never connect all together", timed=True,
       horizon=HORIZON)  # fmt: skip
def disconnected() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    return made(0)


def made(seed: int, scale: float = 1.0) -> tuple[World, Mapping[str, Place]]:
    """The world with speeds, stops and phases drawn from a seed.

    Args:
        seed: of the draw.
        scale: > 0: as much larger, for somebody who is not small; what moves is then faster by
            its square root, as walkers are.
    """
    rng = np.random.default_rng(seed)
    quick = np.sqrt(scale)
    spots = {(i, j): scale * np.array([COLUMN * i, ROW * j, 0.1 * ((i + j) % 2)])
             for i in range(3) for j in range(3)}  # fmt: skip
    side = scale * ISLAND
    bodies = [
        fixed(f"island {i + 3 * j + 1}", slab((side, side, scale * THICK), tuple(at)), STONE)
        for (i, j), at in spots.items()
    ]
    edge = scale * (0.5 * (ISLAND + SHUTTLE) + GAP)
    across, along = np.array([edge, 0.0, 0.0]), np.array([0.0, edge, 0.0])
    shuttles: list[tuple[Floats, Floats]] = []
    for (i, j), at in spots.items():
        if i < 2:
            other = spots[i + 1, j]
            shuttles.append((at + across, other - across))
        if j < 2:
            # Two that meet half-way, now and then.
            other = spots[i, j + 1]
            middle = 0.5 * (at + other)
            half = np.array([0.0, 0.5 * scale * (SHUTTLE + GAP), 0.0])
            shuttles.append((at + along, middle - half))
            shuttles.append((middle + half, other - along))
    mesh = slab((scale * SHUTTLE, scale * SHUTTLE, scale * 0.16))
    for number, (first, last) in enumerate(shuttles, 1):
        speed, stop = quick * rng.uniform(0.45, 0.8), quick * rng.uniform(0.8, 1.6)
        way = slide(first, last, speed, stop, rng.uniform())
        color = SHUTTLES[number % len(SHUTTLES)]
        bodies.append(Body(name=f"shuttle {number}", mesh=mesh, trajectory=way, color=color))
    corner = spots[2, 2]
    up = scale * np.array([0.0, 0.0, 1.4])
    lookout = corner + 2 * across + up
    bodies.append(fixed("lookout", slab((side, side, scale * THICK), tuple(lookout)), STONE))
    way = slide(corner + across, corner + across + up, quick * 0.45, quick * 1.5, rng.uniform())
    bodies.append(Body(name="lift", mesh=mesh, trajectory=way, color=LIFT))
    for number in range(1, 5):
        low, high = scale * np.array([[-3.0, -3.0, -1.2], [13.0, 16.0, -0.5]])
        way = wander(rng, low, high, quick)
        mesh = slab((scale * 0.9, scale * 0.9, scale * 0.12))
        bodies.append(Body(name=f"wanderer {number}", mesh=mesh, trajectory=way, color=WANDERER))
    world = World(bodies, name="disconnected")
    islands = {f"island {i + 3 * j + 1}": Place(f"island {i + 3 * j + 1}", at)
               for (i, j), at in spots.items()}  # fmt: skip
    places = {"start": islands["island 1"], "goal": islands["island 9"]}
    places |= islands | {"lookout": Place("lookout", lookout)}
    return world, places


def slide(first: Floats, last: Floats, speed: float, stop: float, phase: float) -> Trajectory:
    """To and fro between two places.

    Args:
        first: `(3,)` [m].
        last: `(3,)` [m].
        speed: [m/s] at most.
        stop: [s] at each end.
        phase: 0 to 1: where it is in its round at time 0.
    """
    lasts = 1.5 * float(np.linalg.norm(last - first)) / speed
    keys = np.array([0.0, stop, stop + lasts, 2 * stop + lasts, 2 * (stop + lasts)])
    still = np.zeros((5, 3))
    return Keyframed(
        keys - phase * keys[-1], np.array([first, first, last, last, first]),
        interpolation="cubic", tangents=(still, still), repeat="loop",
    )  # fmt: skip


def wander(rng: np.random.Generator, low: Floats, high: Floats, quick: float = 1.0) -> Trajectory:
    """From one random place of a box to the next, for ever, 12 of them in a round.

    Args:
        rng: draws places and pace.
        low: `(3,)` [m].
        high: `(3,)` [m].
        quick: by which it is faster than for somebody small.
    """
    spots = rng.uniform(low, high, (12, 3))
    spots = np.concatenate([spots, spots[:1]])
    runs = np.linalg.norm(np.diff(spots, axis=0), axis=1)
    spans = 1.5 * runs / (quick * rng.uniform(0.5, 0.9)) + quick * 0.5
    keys = np.concatenate([[0.0], np.cumsum(spans)])
    still = np.zeros_like(spots)
    return Keyframed(
        keys, spots, interpolation="cubic", tangents=(still, still), repeat="loop",
    )  # fmt: skip
