"""What stands in factories and stores: tanks, pipes, presses, conveyors, racks, pallets, drums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from surefoot.arrays import Vector
from surefoot.math import Pose, rotations
from surefoot.world.mesh import Mesh, merge
from surefoot.world.primitives import ball, cylinder, placed, rod, turned
from surefoot.world.scenes.building import Box, of_boxes


def lying_tank(radius: float, length: float, axis: float) -> Mesh:
    """A tank with domed ends along x, its axis at height `axis`, with a manhole on top."""
    half = length / 2
    dome = 0.35 * radius
    profile = [(0.0, -half - dome), (0.6 * radius, -half - 0.75 * dome),
               (0.9 * radius, -half - 0.35 * dome), (radius, -half)]  # fmt: skip
    ring = ((1.0, -0.03), (1.02, -0.03), (1.02, 0.03), (1.0, 0.03))
    rings = [
        (radius * grow, x + dx) for x in np.linspace(-half, half, 6)[1:-1] for grow, dx in ring
    ]
    ends = [*profile, *rings, *[(r, -x) for r, x in reversed(profile)]]
    shell = turned(ends, 24)
    along_x = rotations.between(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))
    body = shell.transformed(Pose(np.array([0.0, 0.0, axis]), along_x))
    manhole = placed(cylinder(0.3, 0.22, 16), -0.25 * length, 0.0, axis + 0.96 * radius)
    lid = placed(cylinder(0.36, 0.05, 16), -0.25 * length, 0.0, axis + 0.96 * radius + 0.22)
    return merge([body, manhole, lid])


def saddle(radius: float, axis: float, width: float = 0.3) -> Mesh:
    """What a lying tank rests on: two legs and a cross bar, across y."""
    reach = 0.86 * radius
    return of_boxes(
        [
            ((width, 0.22, axis - 0.45 * radius), (0.0, -reach, (axis - 0.45 * radius) / 2)),
            ((width, 0.22, axis - 0.45 * radius), (0.0, reach, (axis - 0.45 * radius) / 2)),
            ((width, 2 * reach, 0.24), (0.0, 0.0, axis - radius - 0.05)),
            ((width + 0.2, 0.42, 0.05), (0.0, -reach, 0.025)),
            ((width + 0.2, 0.42, 0.05), (0.0, reach, 0.025)),
        ]
    )


def pipe(points: Sequence[Vector], radius: float, sides: int = 10) -> Mesh:
    """A pipe through points, round at its corners, with flanges on long stretches."""
    pieces: list[Mesh] = []
    for start, end in pairwise(points):
        pieces.append(rod(start, end, radius, sides))
        first, last = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        length = float(np.linalg.norm(last - first))
        for share in np.arange(1, int(length / 2.5) + 1) / (int(length / 2.5) + 1):
            at, along = first + share * (last - first), (last - first) / length
            pieces.append(rod(at - 0.03 * along, at + 0.03 * along, 1.5 * radius, sides))
    pieces += [ball(1.08 * radius, at, sides) for at in points[1:-1]]
    return merge(pieces)


def press(height: float = 2.4) -> Mesh:
    """A machine press, its table facing +x."""
    return of_boxes(
        [
            ((1.3, 1.5, 0.25), (0.0, 0.0, 0.125)),
            ((0.9, 1.1, 0.55), (0.1, 0.0, 0.52)),
            ((0.5, 1.3, height - 0.25), (-0.35, 0.0, (height + 0.25) / 2)),
            ((0.95, 1.0, 0.55), (0.05, 0.0, height - 0.28)),
            ((0.3, 0.5, 0.5), (0.2, 0.0, height - 0.8)),
            ((0.18, 0.45, 0.7), (0.45, 0.85, 1.25)),
            ((0.08, 0.08, 0.95), (0.45, 0.85, 0.47)),
        ]
    )


def conveyor(length: float, height: float = 0.75) -> Mesh:
    """Rollers in a frame on legs, along x."""
    sides = [((length, 0.05, 0.14), (0.0, s * 0.37, height - 0.07)) for s in (-1, 1)]
    legs = [
        ((0.07, 0.07, height - 0.1), (x, s * 0.34, (height - 0.1) / 2))
        for x in np.linspace(-length / 2 + 0.2, length / 2 - 0.2, max(2, round(length / 1.4)))
        for s in (-1, 1)
    ]
    rollers = [
        rod((x, -0.35, height - 0.06), (x, 0.35, height - 0.06), 0.045, 6)
        for x in np.arange(-length / 2 + 0.1, length / 2, 0.22)
    ]
    return merge([of_boxes([*sides, *legs]), *rollers])


def rack(length: float, height: float, shelves: int, depth: float = 0.9) -> Mesh:
    """A pallet rack along x."""
    uprights = [
        ((0.09, 0.09, height), (x, s * (depth / 2 - 0.045), height / 2))
        for x in np.linspace(-length / 2 + 0.05, length / 2 - 0.05, max(2, round(length / 2.2) + 1))
        for s in (-1, 1)
    ]
    levels = [0.12 + i * (height - 0.3) / shelves for i in range(shelves + 1)]
    beams = [
        ((length, 0.06, 0.11), (0.0, s * (depth / 2 - 0.03), z - 0.055))
        for z in levels
        for s in (-1, 1)
    ]
    boards = [((length - 0.1, depth - 0.14, 0.03), (0.0, 0.0, z - 0.015)) for z in levels]
    return of_boxes([*uprights, *beams, *boards])


def cartons(length: float, levels: Sequence[float], depth: float, seed: float) -> Mesh:
    """Boxes in a row along x on each level, of sizes that `seed` decides."""
    parts: list[Box] = []
    for row, z in enumerate(levels):
        at = -length / 2 + 0.1
        while at < length / 2 - 0.5:
            wave = 0.5 + 0.5 * math.sin(12.9 * at + 78.2 * row + seed)
            wide, tall = 0.4 + 0.35 * wave, 0.25 + 0.4 * (1.0 - wave) ** 2
            if math.sin(3.7 * at + 5.1 * row + 2.0 * seed) > -0.75:
                parts.append(
                    ((wide - 0.05, 0.75 * depth, tall), (at + wide / 2, 0.0, z + tall / 2))
                )
            at += wide
    return of_boxes(parts)


def pallet() -> Mesh:
    """1.2 m x 0.8 m x 0.144 m, of boards and blocks."""
    top = [((1.2, 0.1, 0.022), (0.0, y, 0.133)) for y in np.linspace(-0.35, 0.35, 6)]
    bearers = [((0.1, 0.8, 0.022), (x, 0.0, 0.111)) for x in (-0.55, 0.0, 0.55)]
    blocks = [
        ((0.1, 0.1, 0.078), (x, y, 0.061)) for x in (-0.55, 0.0, 0.55) for y in (-0.35, 0.0, 0.35)
    ]
    skids = [((1.2, 0.1, 0.022), (0.0, y, 0.011)) for y in (-0.35, 0.0, 0.35)]
    return of_boxes([*top, *bearers, *blocks, *skids])


def sacks(layers: int) -> Mesh:
    """Sacks on a pallet, five a layer, turned layer by layer."""
    sack = turned(
        [(0.12, 0.0), (0.24, 0.03), (0.26, 0.075), (0.24, 0.12), (0.12, 0.15)], 10
    ).transformed(scale=(1.15, 0.72, 1.0))
    spots = [(-0.33, -0.2, 0.0), (-0.33, 0.2, 0.0), (0.16, -0.24, 1.57), (0.42, 0.08, 1.57),
             (0.06, 0.22, 0.0)]  # fmt: skip
    return merge(
        [
            placed(sack, x * (-1) ** layer, y, 0.144 + 0.14 * layer, yaw)
            for layer in range(layers)
            for x, y, yaw in spots
        ]
    )


def drum() -> Mesh:
    """A steel drum, 0.88 m high."""
    profile = [(0.29, 0.0), (0.29, 0.28), (0.305, 0.3), (0.29, 0.32), (0.29, 0.57), (0.305, 0.59),
               (0.29, 0.61), (0.29, 0.86), (0.3, 0.88)]  # fmt: skip
    return turned(profile, 16)


def forklift() -> tuple[Mesh, Mesh]:
    """Facing +x: the painted body, and mast, forks and wheels."""
    body = of_boxes(
        [
            ((1.5, 1.05, 0.45), (-0.2, 0.0, 0.45)),
            ((0.65, 1.0, 0.45), (-0.65, 0.0, 0.85)),
            ((0.5, 0.5, 0.12), (-0.25, 0.0, 0.74)),
            ((0.12, 0.5, 0.5), (-0.48, 0.0, 1.05)),
            ((1.15, 0.95, 0.06), (-0.15, 0.0, 2.05)),
        ]
    )
    posts = [((0.06, 0.06, 1.4), (x, y, 1.36)) for x in (-0.65, 0.35) for y in (-0.42, 0.42)]
    mast = [((0.12, 0.1, 2.1), (0.66, y, 1.08)) for y in (-0.3, 0.3)]
    bars = [((0.08, 0.7, 0.08), (0.64, 0.0, z)) for z in (0.25, 1.2, 2.05)]
    forks = [((1.1, 0.12, 0.05), (1.25, y, 0.16)) for y in (-0.25, 0.25)]
    wheels = [
        rod((x, y - 0.1, 0.26), (x, y + 0.1, 0.26), 0.26, 14)
        for x in (-0.65, 0.3)
        for y in (-0.48, 0.48)
    ]
    return body, merge([of_boxes([*posts, *mast, *bars, *forks]), *wheels])


def truss(length: float, depth: float = 0.55) -> Mesh:
    """A roof truss along x, its top at z = 0."""
    chords = [
        ((length, 0.09, 0.09), (0.0, 0.0, -0.045)),
        ((length, 0.09, 0.09), (0.0, 0.0, 0.045 - depth)),
    ]
    count = max(2, round(length / (1.6 * depth)))
    knots = np.linspace(-length / 2 + 0.1, length / 2 - 0.1, 2 * count + 1)
    webs = [
        rod(
            (a, 0.0, -0.05 if i % 2 else 0.05 - depth),
            (b, 0.0, 0.05 - depth if i % 2 else -0.05),
            0.03,
            6,
        )
        for i, (a, b) in enumerate(pairwise(knots))
    ]
    return merge([of_boxes(chords), *webs])
