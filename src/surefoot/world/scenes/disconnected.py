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
from surefoot.world.scenes.building import enlarged, fixed
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


@scene("disconnected", "platforms for somebody small that never connect all together",
       horizon=HORIZON)  # fmt: skip
def disconnected() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    return made(0)


def made(seed: int, scale: float = 1.0) -> tuple[World, Mapping[str, Place]]:
    """The world with speeds, stops and phases drawn from a seed.

    Args:
        seed: of the draw.
        scale: > 0: as much larger, for somebody who is not small.
    """
    rng = np.random.default_rng(seed)
    spots = {(i, j): np.array([COLUMN * i, ROW * j, 0.1 * ((i + j) % 2)])
             for i in range(3) for j in range(3)}  # fmt: skip
    bodies = [
        fixed(f"island {i + 3 * j + 1}", slab((ISLAND, ISLAND, THICK), tuple(at)), STONE)
        for (i, j), at in spots.items()
    ]
    edge = 0.5 * (ISLAND + SHUTTLE) + GAP
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
            half = np.array([0.0, 0.5 * (SHUTTLE + GAP), 0.0])
            shuttles.append((at + along, middle - half))
            shuttles.append((middle + half, other - along))
    for number, (first, last) in enumerate(shuttles, 1):
        way = slide(first, last, rng.uniform(0.45, 0.8), rng.uniform(0.8, 1.6), rng.uniform())
        mesh = slab((SHUTTLE, SHUTTLE, 0.16))
        color = SHUTTLES[number % len(SHUTTLES)]
        bodies.append(Body(name=f"shuttle {number}", mesh=mesh, trajectory=way, color=color))
    corner = spots[2, 2]
    up = np.array([0.0, 0.0, 1.4])
    lookout = corner + 2 * across + up
    bodies.append(fixed("lookout", slab((ISLAND, ISLAND, THICK), tuple(lookout)), STONE))
    way = slide(corner + across, corner + across + up, 0.45, 1.5, rng.uniform())
    mesh = slab((SHUTTLE, SHUTTLE, 0.16))
    bodies.append(Body(name="lift", mesh=mesh, trajectory=way, color=LIFT))
    for number in range(1, 5):
        way = wander(rng, np.array([-3.0, -3.0, -1.2]), np.array([13.0, 16.0, -0.5]))
        mesh = slab((0.9, 0.9, 0.12))
        bodies.append(Body(name=f"wanderer {number}", mesh=mesh, trajectory=way, color=WANDERER))
    world = World([enlarged(body, scale) for body in bodies], name="disconnected")
    islands = {f"island {i + 3 * j + 1}": Place(f"island {i + 3 * j + 1}", at)
               for (i, j), at in spots.items()}  # fmt: skip
    places = {"start": islands["island 1"], "goal": islands["island 9"]}
    places |= islands | {"lookout": Place("lookout", lookout)}
    return world, {name: Place(at.body, scale * at.position) for name, at in places.items()}


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


def wander(rng: np.random.Generator, low: Floats, high: Floats) -> Trajectory:
    """From one random place of a box to the next, for ever, 12 of them in a round."""
    spots = rng.uniform(low, high, (12, 3))
    spots = np.concatenate([spots, spots[:1]])
    runs = np.linalg.norm(np.diff(spots, axis=0), axis=1)
    keys = np.concatenate([[0.0], np.cumsum(1.5 * runs / rng.uniform(0.5, 0.9) + 0.5)])
    still = np.zeros_like(spots)
    return Keyframed(
        keys, spots, interpolation="cubic", tangents=(still, still), repeat="loop",
    )  # fmt: skip
