"""What stands in gardens and on squares: urns, bushes, trees, benches, lamps, balustrades."""

from __future__ import annotations

import math

import numpy as np

from surefoot import arrays
from surefoot.arrays import Vector
from surefoot.world.mesh import Mesh, merge
from surefoot.world.primitives import ball, boxes, cylinder, placed, rod, turned

LEAF = (0.20, 0.34, 0.13)
CLAY = (0.58, 0.30, 0.18)
BARK = (0.30, 0.20, 0.13)
IRON = (0.10, 0.11, 0.13)
LAMPLIGHT = (0.95, 0.85, 0.60)


def urn() -> Mesh:
    """A clay pot, 0.7 m high and 0.56 m wide."""
    profile = [(0.14, 0.0), (0.14, 0.06), (0.07, 0.10), (0.07, 0.16), (0.20, 0.32), (0.25, 0.52),
               (0.24, 0.62), (0.28, 0.66), (0.28, 0.70)]  # fmt: skip
    return turned(profile, 14)


def bush(radius: float, height: float, sides: int = 9) -> Mesh:
    """Clipped round, narrower above, from the origin up."""
    profile = [(0.6, 0.0), (0.9, 0.15), (1.0, 0.4), (0.85, 0.68), (0.5, 0.9), (0.0, 1.0)]
    return turned([(radius * r, height * z) for r, z in profile], sides)


def tree_crown(radius: float, height: float) -> Mesh:
    """Three balls of leaves about the top of a trunk of `height` [m]."""
    return merge(
        [
            ball(radius, (0.0, 0.0, height), 10),
            ball(0.75 * radius, (0.7 * radius, 0.3 * radius, height - 0.25 * radius), 9),
            ball(0.7 * radius, (-0.5 * radius, -0.6 * radius, height - 0.2 * radius), 9),
        ]
    )


def trunk(height: float, radius: float = 0.13) -> Mesh:
    """Wider at the root."""
    return turned([(1.7 * radius, 0.0), (radius, 0.35), (0.8 * radius, height)], 9)


def stone_bench() -> Mesh:
    """A seat of 1.1 m, across +x."""
    return boxes(
        [[0.42, 1.1, 0.09], [0.30, 0.16, 0.38], [0.30, 0.16, 0.38]],
        [[0.0, 0.0, 0.425], [0.0, -0.36, 0.19], [0.0, 0.36, 0.19]],
    )


def planter(length: float, width: float, height: float = 0.5) -> Mesh:
    """A trough with a rim, along x."""
    rim = 0.06
    return boxes(
        [[length - rim, width - rim, height], [length, width, 0.08], [length, width, 0.06]],
        [[0.0, 0.0, height / 2], [0.0, 0.0, height - 0.02], [0.0, 0.0, 0.03]],
    )


def hedge(length: float, width: float, height: float) -> Mesh:
    """Bushes in a row along x."""
    count = max(1, round(length / (1.2 * width)))
    spread = (np.arange(count) - (count - 1) / 2) * (length / count)
    tall = [height * (1.0 + 0.15 * math.sin(7.0 * i)) for i in range(count)]
    return merge(
        [
            placed(bush(width / 2, h), x, 0.0, 0.0, 0.7 * x)
            for x, h in zip(spread, tall, strict=True)
        ]
    )


def lamp_post(height: float) -> Mesh:
    """An iron post; `lamp_globes` go on it."""
    arms = [rod((0, 0, height - 0.5), (0, s * 0.32, height - 0.42), 0.02, 6) for s in (-1, 1)]
    post = turned(
        [(0.16, 0.0), (0.16, 0.08), (0.09, 0.16), (0.05, 0.8), (0.035, height - 0.35)], 10
    )
    return merge([post, *arms])


def lamp_globes(height: float) -> Mesh:
    """Three lamps, the highest point at `height`."""
    low = [ball(0.13, (0.0, s * 0.34, height - 0.3), 10) for s in (-1, 1)]
    return merge([ball(0.17, (0.0, 0.0, height - 0.17), 10), *low])


def fountain() -> tuple[Mesh, Mesh]:
    """A round basin of 1.9 m with a bowl on a column, and the water in it."""
    stone = boxes([[0.34, 0.2, 0.46]], [[0.0, 0.0, 0.23]])
    turns = np.arange(16) * (2 * np.pi / 16)
    rim = [placed(stone, 0.82 * math.cos(a), 0.82 * math.sin(a), 0.0, a + np.pi / 2) for a in turns]
    profile = [(0.24, 0.0), (0.24, 0.1), (0.1, 0.2), (0.1, 0.8), (0.16, 0.86), (0.5, 1.0),
               (0.54, 1.06), (0.1, 1.06), (0.1, 1.3)]  # fmt: skip
    finial = ball(0.17, (0.0, 0.0, 1.42))
    return (
        merge([*rim, cylinder(0.8, 0.12, 24), turned(profile, 18), finial]),
        placed(cylinder(0.76, 0.2, 24), z=0.12),
    )


def statue() -> Mesh:
    """Somebody on a pedestal of 0.9 m, 2.6 m in all."""
    base = boxes(
        [[0.9, 0.9, 0.16], [0.66, 0.66, 0.60], [0.8, 0.8, 0.12]],
        [[0.0, 0.0, 0.08], [0.0, 0.0, 0.46], [0.0, 0.0, 0.82]],
    )
    robe = [(0.26, 0.0), (0.22, 0.4), (0.16, 0.9), (0.20, 1.15), (0.21, 1.3), (0.07, 1.42),
            (0.07, 1.48)]  # fmt: skip
    body = placed(turned(robe, 12), z=0.88)
    arms = [
        rod((0.0, 0.2, 2.12), (0.16, 0.34, 1.82), 0.055, 8),
        rod((0.16, 0.34, 1.82), (0.36, 0.2, 1.98), 0.045, 8),
        rod((0.0, -0.2, 2.12), (-0.02, -0.27, 1.55), 0.055, 8),
    ]
    return merge([base, body, *arms, ball(0.125, (0.01, 0.0, 2.47), 10)])


def balustrade(start: Vector, end: Vector, height: float = 0.9) -> Mesh:
    """Turned balusters between a plinth and a rail, on the level or up a flight."""
    first, last = arrays.position(start, "balustrade start"), arrays.position(end, "balustrade end")
    run = last - first
    length = math.hypot(run[0], run[1])
    slope = run[2] / length
    yaw = math.atan2(run[1], run[0])
    count = max(2, int(length / 0.32))
    profile = [(0.055, 0.0), (0.055, 0.06), (0.03, 0.10), (0.075, 0.28), (0.045, 0.46),
               (0.03, 0.56), (0.055, 0.60), (0.055, 0.66)]  # fmt: skip
    baluster = turned([(r, z * (height - 0.24) / 0.66) for r, z in profile], 8)
    pieces = [
        sloped_bar(length, 0.26, 0.12, slope, 0.0),
        sloped_bar(length, 0.24, 0.12, slope, height - 0.12),
    ]
    for i in range(count):
        x = (i + 0.5) * length / count
        pieces.append(placed(baluster, x, 0.0, 0.12 + slope * x))
    return placed(merge(pieces), first[0], first[1], first[2], yaw)


def sloped_bar(length: float, width: float, height: float, slope: float, lift: float) -> Mesh:
    """A bar from the origin along +x that rises by `slope` for each metre, `lift` above it."""
    bar = boxes([[length, width, height]], [[length / 2, 0.0, lift + height / 2]])
    sheared = bar.vertices.copy()
    sheared[:, 2] += slope * sheared[:, 0]
    return Mesh(sheared, bar.faces)
