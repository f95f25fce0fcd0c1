"""Railway cars, locomotives and tracks.

Cars lie along x about the origin, which is on the rails' top below their middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from surefoot.world.mesh import Mesh, merge
from surefoot.world.primitives import box, cylinder, placed, rod, slab
from surefoot.world.scenes.building import Box, of_boxes
from surefoot.world.scenes.machinery import lying_tank, saddle

CAR = 6.4
"""[m] How long a car's deck is."""

WIDTH = 2.6
"""[m] How wide a deck is."""

COUPLING = 0.05
"""[m] From deck to deck: one walks from car to car."""

PITCH = CAR + COUPLING
"""[m] From car to car."""

WHEEL, GAUGE = 0.34, 1.435

Kind = Literal["flat", "crates", "pipes", "tank", "box", "engine"]


def deck(height: float) -> Mesh:
    """A deck of planks in a steel frame, its top at `height` [m]; nothing lies on it."""
    planks = [
        ((CAR, (WIDTH - 0.12) / 6 - 0.02, 0.08), (0.0, y, height - 0.04))
        for y in (np.arange(6) - 2.5) * (WIDTH - 0.12) / 6
    ]
    frame: list[Box] = [((CAR, 0.06, 0.16), (0.0, s * (WIDTH / 2 - 0.03), height - 0.08))
                        for s in (-1, 1)]  # fmt: skip
    # The joints are a finger deep: no foot stands in them.
    under = [((CAR - 0.02, WIDTH - 0.14, 0.14), (0.0, 0.0, height - 0.08))]
    return of_boxes([*planks, *frame, *under])


def running_gear(height: float) -> Mesh:
    """Sills, two bogies with wheels, buffers and couplings, below a deck at `height` [m]."""
    top = height - 0.16
    sills: list[Box] = [((CAR - 0.3, 0.14, 0.2), (0.0, s * 0.45, top - 0.1)) for s in (-1, 1)]
    sills += [((0.12, WIDTH - 0.3, 0.2), (s * (CAR / 2 - 0.12), 0.0, top - 0.1)) for s in (-1, 1)]
    sills += [((CAR - 4.4, 0.05, 0.05), (0.0, s * 1.0, top - 0.34)) for s in (-1, 1)]
    sills += [((COUPLING, 0.12, 0.14), (CAR / 2 + COUPLING / 2, 0.0, 0.62))]
    wheels: list[Mesh] = []
    for middle in (-1.95, 1.95):
        sills += [((1.7, 0.08, 0.2), (middle, s * 0.98, WHEEL + 0.04)) for s in (-1, 1)]
        sills += [((0.4, 1.9, 0.24), (middle, 0.0, WHEEL + 0.16))]
        for axle in (middle - 0.55, middle + 0.55):
            wheels.append(rod((axle, -0.72, WHEEL), (axle, 0.72, WHEEL), 0.06, 8))
            for side in (-1, 1):
                inner, outer = side * (GAUGE / 2 + 0.05), side * (GAUGE / 2 + 0.16)
                wheels.append(rod((axle, inner, WHEEL), (axle, outer, WHEEL), WHEEL, 16))
    posts = max(top - 0.55, 0.05)
    sills += [((0.2, 0.2, posts), (s * 1.95, 0.0, 0.5 + posts / 2)) for s in (-1, 1)]
    return merge([of_boxes(sills), *wheels])


def load(kind: Kind, height: float, seed: int) -> Mesh | None:
    """What stands on a deck at `height` [m]; None on an empty one."""
    if kind == "crates":
        return _crates(height, seed)
    if kind == "pipes":
        return _pipes(height, seed)
    if kind == "tank":
        half = 2.0
        shell = lying_tank(0.95, 2 * half, height + 1.15)
        rests = [placed(saddle(0.95, 1.15), x, 0.0, height) for x in (-1.4, 1.4)]
        return merge([shell, *rests])
    if kind == "box":
        return _box(height)
    return _engine(height) if kind == "engine" else None


def _crates(height: float, seed: int) -> Mesh:
    """Crates at one end and along one side, so that one can pass."""
    end, side = (-1, 1)[seed % 2], (-1, 1)[(seed // 2) % 2]
    at, tall = end * (CAR / 2 - 0.6), 0.8 + 0.13 * (seed % 4)
    crates: list[Box] = [
        ((0.9, 1.0, tall), (at, side * 0.7, height + tall / 2)),
        ((0.9, 1.0, 0.95), (at - end, side * 0.7, height + 0.475)),
        ((0.7, 0.8, 0.6), (at, side * 0.7, height + tall + 0.3)),
    ]
    slats: list[Box] = [
        ((0.06, 0.04, size[2]), (x + s * 0.28, y - side * (size[1] / 2 + 0.02), z))
        for size, (x, y, z) in crates
        for s in (-1, 1)
    ]
    return of_boxes([*crates, *slats])


def _pipes(height: float, seed: int) -> Mesh:
    """A stack of pipes along one side, between stakes."""
    side = (-1, 1)[seed % 2]
    rows = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)]
    pieces = [
        rod(
            (-2.6, side * (0.95 - 0.29 * i - 0.145 * j), height + 0.15 + 0.25 * j),
            (2.6, side * (0.95 - 0.29 * i - 0.145 * j), height + 0.15 + 0.25 * j),
            0.14, 12,
        )
        for i, j in rows
    ]  # fmt: skip
    stakes = [box((0.08, 0.06, 0.9), (x, side * 1.14, height + 0.45)) for x in (-2.2, 0.0, 2.2)]
    return merge([*pieces, *stakes])


def _box(height: float) -> Mesh:
    """A covered car: walls with ribs, sliding doors, a low arched roof."""
    tall, half = 2.3, WIDTH / 2
    parts: list[Box] = [((CAR, WIDTH, tall), (0.0, 0.0, height + tall / 2))]
    parts += [
        ((0.07, 0.05, tall), (x, s * (half + 0.02), height + tall / 2))
        for x in np.linspace(-CAR / 2 + 0.1, CAR / 2 - 0.1, 9)
        if abs(x) > 0.9
        for s in (-1, 1)
    ]
    parts += [((1.5, 0.06, tall - 0.25), (0.1, s * (half + 0.03), height + tall / 2 - 0.05))
              for s in (-1, 1)]  # fmt: skip
    parts += [((3.2, 0.08, 0.06), (0.5, s * (half + 0.04), height + tall - 0.12)) for s in (-1, 1)]
    roof = [((CAR + 0.1, WIDTH - 0.45 * k, 0.1), (0.0, 0.0, height + tall + 0.05 + 0.1 * k))
            for k in range(4)]  # fmt: skip
    return of_boxes([*parts, *roof])


def _engine(height: float) -> Mesh:
    """A shunting locomotive: cab, hood, chimney, railings, steps."""
    parts: list[Box] = [
        ((3.6, 1.9, 1.35), (-1.2, 0.0, height + 0.675)),
        ((2.0, WIDTH - 0.2, 2.0), (1.9, 0.0, height + 1.0)),
        ((2.3, WIDTH, 0.1), (1.9, 0.0, height + 2.05)),
        ((0.3, 0.9, 0.5), (-3.05, 0.0, height + 0.35)),
    ]
    parts += [((0.05, 0.05, 0.95), (x, s * 1.22, height + 0.475))
              for x in (-3.1, -2.1, -1.1, -0.1, 0.7) for s in (-1, 1)]  # fmt: skip
    parts += [((3.9, 0.04, 0.04), (-1.2, s * 1.22, height + 0.95)) for s in (-1, 1)]
    chimney = placed(cylinder(0.16, 0.5, 14), -1.9, 0.0, height + 1.35)
    lamp = rod((-3.0, 0.0, height + 1.15), (-3.08, 0.0, height + 1.15), 0.14, 12)
    return merge([of_boxes(parts), chimney, lamp])


def engine_windows(height: float) -> Mesh:
    """The dark panes of a locomotive's cab."""
    z = height + 1.5
    parts: list[Box] = [((1.3, 0.03, 0.6), (1.9, s * (WIDTH / 2 - 0.09), z)) for s in (-1, 1)]
    parts += [((0.03, 0.75, 0.55), (1.9 + e * 1.005, s * 0.6, z)) for e in (-1, 1) for s in (-1, 1)]
    return of_boxes(parts)


def track(length: float, y: float) -> tuple[Mesh, Mesh, Mesh]:
    """A track along x: its rails, its sleepers, its bed of stones; the rails' top is at z = 0."""
    rails = of_boxes(
        [((length, 0.07, 0.14), (0.0, y + s * (GAUGE / 2 + 0.035), -0.07)) for s in (-1, 1)]
    )
    spots: Sequence[float] = np.arange(-length / 2 + 0.4, length / 2, 0.75).tolist()
    sleepers = of_boxes([((0.24, 2.3, 0.12), (x, y, -0.19)) for x in spots])
    bed = slab((length, 2.8, 0.15), (0.0, y, -0.2))
    return rails, sleepers, bed
