"""Cars for streets and car parks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot.world.mesh import Mesh, merge
from surefoot.world.primitives import boxes, rod

RUBBER = (0.07, 0.07, 0.08)
GLASS = (0.16, 0.20, 0.24)


def prism(outline: Sequence[tuple[float, float]], width: float, top: float | None = None) -> Mesh:
    """A convex outline (x, z), counter-clockwise seen from -y, as a solid of a width along y.

    Args:
        outline: corners [m].
        width: [m].
        top: width at the highest corners, when they are nearer to each other [m].
    """
    points = np.array(outline)
    high = points[:, 1] >= points[:, 1].max() - 1e-9
    half = np.where(high, (width if top is None else top) / 2, width / 2)
    count = len(points)
    near = np.stack([points[:, 0], -half, points[:, 1]], axis=1)
    far = np.stack([points[:, 0], half, points[:, 1]], axis=1)
    faces: list[tuple[int, int, int]] = []
    for i in range(1, count - 1):
        faces += [(0, i, i + 1), (count, count + i + 1, count + i)]
    for i in range(count):
        j = (i + 1) % count
        faces += [(i, count + i, j), (j, count + i, count + j)]
    return Mesh(np.concatenate([near, far]), np.array(faces, dtype=np.int32))


def car() -> tuple[Mesh, Mesh, Mesh]:
    """A hatchback of 4.2 m facing +x: its paint, its glass, its wheels and trim."""
    hull = [(-2.08, 0.28), (2.0, 0.26), (2.1, 0.45), (2.04, 0.66), (1.05, 0.88), (-2.0, 0.92),
            (-2.1, 0.7)]  # fmt: skip
    cabin = [(-1.95, 0.9), (1.1, 0.87), (0.35, 1.4), (-1.35, 1.44)]
    roof = [(-1.36, 1.425), (0.3, 1.39), (0.2, 1.47), (-1.25, 1.47)]
    wheels = [
        rod((x, y - 0.1, 0.31), (x, y + 0.1, 0.31), 0.31, 14)
        for x in (-1.3, 1.3)
        for y in (-0.78, 0.78)
    ]
    trim = boxes(
        [[0.08, 1.5, 0.1], [0.08, 1.5, 0.1], [0.1, 0.2, 0.1], [0.1, 0.2, 0.1]],
        [[2.08, 0.0, 0.36], [-2.1, 0.0, 0.4], [0.75, 0.98, 0.95], [0.75, -0.98, 0.95]],
    )
    return (
        merge([prism(hull, 1.78, 1.6), prism(roof, 1.3, 1.2)]),
        prism(cabin, 1.55, 1.2),
        merge([*wheels, trim]),
    )
