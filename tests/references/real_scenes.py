"""Real rooms made by others, with what one does not step on tagged forbidden by its name."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from surefoot.arrays import Floats
from surefoot.world import World
from surefoot.world.loaders import load_world

GROUND = ("Floor", "Ground", "Carpet")
"""What these words name is walked on."""
BUILDING = ("Wall", "Window", "Door")
"""What these words name is neither walked on nor furniture."""


def furnished(data: Path, name: str) -> World:
    """One of the worlds in scenes/aws_robomaker: "small_house" or "small_warehouse"."""
    world = load_world(data / "scenes" / "aws_robomaker" / f"{name}_collision.obj")
    bodies = []
    for body in world:
        if any(word in body.name for word in GROUND):
            bodies.append(body)
        elif any(word in body.name for word in BUILDING):
            bodies.append(body.tagged(forbidden=True))
        else:
            bodies.append(body.tagged(furniture=True, forbidden=True))
    return World(bodies, name=name)


def recast_queries(data: Path) -> tuple[Floats, Floats]:
    """Starts and ends `(n, 3)` of Recast's own path queries in nav_test, Z up [m]."""
    lines = (data / "scenes" / "recast" / "nav_mesh_test.txt").read_text().splitlines()
    numbers = [line.split()[1:7] for line in lines if line.startswith("pf ")]
    points = np.array(numbers, dtype=np.float64).reshape(-1, 2, 3)
    # Y up, z towards the viewer: our z is their y, our y goes against their z.
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    turned = np.stack([x, -z, y], axis=-1)
    return turned[:, 0], turned[:, 1]
