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


BED, BED_WIDTH = 6.0, 2.4
"""[m] How long and how wide the bed of a truck is."""


def truck(height: float) -> tuple[Mesh, Mesh, Mesh]:
    """A flat-bed truck of 8.6 m facing +x: its cab, its bed at `height` [m], frame and wheels.

    The origin is on the road below the bed's middle.
    """
    outline = [(3.2, 0.5), (5.2, 0.5), (5.3, 0.75), (5.25, 1.45), (5.0, 2.45), (4.85, 2.55),
               (3.2, 2.55)]  # fmt: skip
    cab = merge([
        prism(outline, 2.3, 2.15),
        boxes([[0.12, 2.3, 0.9]], [[3.02, 0.0, height + 0.45]]),
    ])  # fmt: skip
    planks = [[BED, BED_WIDTH / 6 - 0.02, 0.08] for _ in range(6)]
    rows = [[0.0, y, height - 0.04] for y in (np.arange(6) - 2.5) * BED_WIDTH / 6]
    # The joints are a finger deep: no foot stands in them.
    bed = boxes([*planks, [BED, BED_WIDTH - 0.04, 0.13]], [*rows, [0.0, 0.0, height - 0.075]])
    wheels = [
        rod((x, y - 0.14, 0.42), (x, y + 0.14, 0.42), 0.42, 16)
        for x in (-2.1, -1.1, 4.2)
        for y in (-0.95, 0.95)
    ]
    rest = height - 0.14
    gear = boxes(
        [[8.0, 0.9, 0.22], [0.12, 2.3, 0.22], [0.12, 2.2, 0.2], [1.1, 0.5, 0.4],
         [0.05, 1.9, 0.62], [0.9, 0.04, 0.5], [0.9, 0.04, 0.5], [0.3, 1.8, rest - 0.6]],
        [[1.0, 0.0, 0.6], [5.32, 0.0, 0.55], [-3.0, 0.0, rest - 0.2], [0.8, 0.85, 0.6],
         [5.13, 0.0, 1.95], [4.35, 1.13, 1.9], [4.35, -1.13, 1.9],
         [-1.6, 0.0, 0.6 + (rest - 0.6) / 2]],
    )  # fmt: skip
    return cab, bed, merge([gear, *wheels])


def barrier_arm(length: float) -> tuple[Mesh, Mesh]:
    """An arm along +y from the origin: what of it is white, and what red."""
    count = max(2, round(length / 0.45))
    each = length / count
    parts = [boxes([[0.07, each, 0.11]], [[0.0, each * (i + 0.5), 0.0]]) for i in range(count)]
    weight = boxes([[0.16, 0.4, 0.24]], [[0.0, -0.25, 0.0]])
    return merge([weight, *parts[::2]]), merge(parts[1::2])
