"""What stands in shops: shelves, goods, freezers, counters, checkouts, trolleys, fruit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot.world.mesh import Mesh, merge
from surefoot.world.primitives import boxes, placed, rod, turned
from surefoot.world.scenes.building import Box, of_boxes

SHELVES = (0.18, 0.60, 1.02, 1.44)
"""[m] Where goods stand on a gondola."""
SHELF_HEIGHT = 1.85
SHELF_WIDTH = 0.94


def gondola(length: float) -> Mesh:
    """Shelves on both sides of a panel, along y."""
    half = SHELF_WIDTH / 2
    parts: list[Box] = [
        ((0.06, length, SHELF_HEIGHT), (0.0, 0.0, SHELF_HEIGHT / 2)),
        ((SHELF_WIDTH, length, 0.14), (0.0, 0.0, 0.07)),
        ((0.3, length, 0.04), (0.0, 0.0, SHELF_HEIGHT + 0.02)),
    ]
    for z in SHELVES:
        deep = half - 0.03 - (0.0 if z < 0.3 else 0.06)
        parts += [((deep, length, 0.03), (s * (0.03 + deep / 2), 0.0, z - 0.015)) for s in (-1, 1)]
    parts += [
        ((SHELF_WIDTH, 0.04, SHELF_HEIGHT), (0.0, s * length / 2, SHELF_HEIGHT / 2))
        for s in (-1, 1)
    ]
    return of_boxes(parts)  # fmt: skip


def goods(length: float, kinds: int, seed: int) -> list[Mesh]:
    """Packets on a gondola's shelves, along y; one mesh for each kind."""
    chance = np.random.RandomState(seed)  # a stream that never changes
    found: list[list[Box]] = [[] for _ in range(kinds)]
    for side in (-1, 1):
        for z in SHELVES:
            at = -length / 2 + 0.06
            while at < length / 2 - 0.6:
                wide = 0.42 + 0.30 * chance.rand()
                tall = 0.22 + 0.15 * chance.rand()
                deep = 0.30 + 0.04 * chance.rand()
                kind = int(kinds * chance.rand())
                if chance.rand() > 0.06:  # some places are sold out
                    middle = (side * (0.04 + deep / 2), at + wide / 2, z + tall / 2)
                    found[kind].append(((deep, wide - 0.025, tall), middle))
                at += wide
    return [of_boxes(parts) for parts in found]


def wall_shelf(length: float, height: float = 2.1, depth: float = 0.6) -> Mesh:
    """Shelves or a chiller against a wall, along x, its front facing -y."""
    parts: list[Box] = [
        ((length, 0.06, height), (0.0, depth / 2 - 0.03, height / 2)),
        ((length, depth, 0.25), (0.0, 0.0, 0.125)),
        ((length, 0.8 * depth, 0.12), (0.0, 0.1 * depth, height - 0.06)),
    ]
    parts += [((length, 0.7 * depth, 0.03), (0.0, 0.15 * depth, z)) for z in (0.7, 1.1, 1.5)]
    parts += [
        ((0.05, depth, height), (x, 0.0, height / 2))
        for x in np.linspace(
            -length / 2 + 0.025, length / 2 - 0.025, max(2, round(length / 2.5) + 1)
        )
    ]
    return of_boxes(parts)


def wall_goods(length: float, seed: int, depth: float = 0.6) -> Mesh:
    """Bottles and cartons on a wall shelf."""
    chance = np.random.RandomState(seed)
    parts: list[Box] = []
    for z in (0.25, 0.715, 1.115, 1.515):
        at = -length / 2 + 0.08
        while at < length / 2 - 0.5:
            wide, tall = 0.35 + 0.2 * chance.rand(), 0.2 + 0.12 * chance.rand()
            if chance.rand() > 0.08:
                parts.append(
                    ((wide - 0.03, 0.3, tall), (at + wide / 2, 0.08 * depth, z + tall / 2))
                )
            at += wide
    return of_boxes(parts)


def freezer(length: float = 2.2) -> Mesh:
    """A chest with a rim, along y."""
    return of_boxes(
        [
            ((1.0, length, 0.1), (0.0, 0.0, 0.05)),
            ((1.06, length, 0.72), (0.0, 0.0, 0.46)),
            ((1.14, length + 0.06, 0.06), (0.0, 0.0, 0.84)),
            ((0.05, length, 0.1), (0.0, 0.0, 0.91)),
        ]
    )


def checkout() -> Mesh:
    """A counter of 2.8 m along y: belt, till, packing end, the cashier's seat at +x."""
    return merge(
        [
            of_boxes(
                [
                    ((0.55, 1.5, 0.78), (0.0, -0.65, 0.39)),
                    ((0.50, 1.45, 0.05), (0.0, -0.65, 0.815)),
                    ((0.62, 0.55, 0.86), (0.02, 0.38, 0.43)),
                    ((0.60, 0.75, 0.66), (0.0, 1.02, 0.33)),
                    ((0.28, 0.30, 0.25), (0.12, 0.42, 0.99)),
                    ((0.30, 0.06, 0.30), (0.1, 0.30, 1.22)),
                    ((0.80, 0.05, 0.95), (0.66, 1.36, 0.475)),
                    ((0.80, 0.05, 0.95), (0.66, -1.36, 0.475)),
                    ((0.06, 0.06, 2.2), (0.24, 1.32, 1.1)),
                    ((0.30, 0.10, 0.36), (0.24, 1.32, 2.2)),
                ]
            ),
            placed(
                turned(
                    [(0.22, 0.0), (0.22, 0.04), (0.04, 0.08), (0.04, 0.5), (0.2, 0.52), (0.2, 0.6)],
                    10,
                ),
                0.72,
                0.3,
            ),
        ]
    )


def trolley() -> Mesh:
    """A wire trolley facing +x, 0.95 m long; its basket of bars."""
    bars: list[Mesh] = []
    for s in (-1, 1):
        sides = (0.42, 0.67, 0.92)
        bars += [rod((-0.38, s * 0.27, z), (0.46, s * 0.2, z + 0.02), 0.010, 4) for z in sides]
        bars.append(rod((-0.42, s * 0.24, 0.14), (-0.38, s * 0.27, 0.98), 0.018, 4))
        bars.append(rod((-0.42, s * 0.24, 0.16), (0.42, s * 0.17, 0.18), 0.018, 4))
        bars.append(rod((0.42, s * 0.17, 0.18), (0.3, s * 0.2, 0.42), 0.018, 4))
        for x, y in ((-0.4, 0.24), (0.4, 0.17)):
            bars.append(rod((x, s * y - 0.02, 0.07), (x, s * y + 0.02, 0.07), 0.07, 8))
        bars += [
            rod((x, s * y, 0.42), (x, s * y, 0.93), 0.010, 4)
            for x, y in ((-0.1, 0.25), (0.18, 0.225), (0.46, 0.2))
        ]
    for x, y in ((-0.1, 0.25), (0.18, 0.225), (0.46, 0.2)):
        bars.append(rod((x, -y, 0.42), (x, y, 0.42), 0.010, 4))
    bars.append(rod((0.46, -0.2, 0.93), (0.46, 0.2, 0.93), 0.010, 4))
    bars.append(rod((-0.46, -0.27, 1.0), (-0.46, 0.27, 1.0), 0.022, 6))
    return merge(bars)


def trolley_row(count: int) -> Mesh:
    """Trolleys pushed into each other, along x."""
    one = trolley()
    return merge([placed(one, 0.28 * i) for i in range(count)])


def fruit_stand() -> Mesh:
    """A table that slopes to both sides, along y, 2.4 m x 1.5 m."""
    legs = [((0.08, 0.08, 0.7), (x, y, 0.35)) for x in (-0.6, 0.6) for y in (-1.05, 1.05)]
    tops = [((0.75, 2.4, 0.06), (s * 0.375, 0.0, 0.75)) for s in (-1, 1)]
    crates = [
        ((0.66, 0.03, 0.16), (s * 0.38, y, 0.85))
        for s in (-1, 1)
        for y in np.linspace(-1.185, 1.185, 5)
    ]
    crates += [((0.03, 2.4, 0.16), (x, 0.0, 0.85)) for x in (-0.73, -0.03, 0.03, 0.73)]
    return of_boxes([*legs, *tops, *crates])


def fruit(stand_side: int, places: Sequence[int]) -> Mesh:
    """Heaps in some of the four crates on one side of a stand."""
    heap = turned([(0.26, 0.0), (0.25, 0.09), (0.17, 0.17), (0.08, 0.21), (0.0, 0.22)], 9)
    wide = heap.transformed(scale=(1.15, 1.0, 1.0))
    y = np.linspace(-1.185, 1.185, 5)
    return merge([placed(wide, stand_side * 0.38, (y[i] + y[i + 1]) / 2, 0.79) for i in places])


def counter(length: float) -> Mesh:
    """A serving counter with a glass front, along x, the customers at -y."""
    return boxes(
        [[length, 0.7, 0.85], [length, 0.5, 0.04], [length, 0.04, 0.45], [length, 0.45, 0.03]],
        [[0.0, 0.1, 0.425], [0.0, 0.15, 0.9], [0.0, -0.23, 1.07], [0.0, 0.0, 1.3]],
    )


def pallet_stack(width: float, depth: float, layers: int) -> Mesh:
    """Cartons on offer, piled up."""
    parts: list[Box] = []
    for layer in range(layers):
        turn = layer % 2
        across, along = (2, 3) if turn else (3, 2)
        for i in range(across):
            for j in range(along):
                size = (width / across - 0.02, depth / along - 0.02, 0.26)
                spot = (
                    (i + 0.5) * width / across - width / 2,
                    (j + 0.5) * depth / along - depth / 2,
                )
                parts.append((size, (*spot, 0.13 + 0.27 * layer)))
    return of_boxes(parts)


def letters(text: str, pixel: float) -> Mesh:
    """Words of little blocks on a wall, along x from the origin, facing -y."""
    glyphs = {
        "A": "01110100011000111111100011000110001",
        "E": "11111100001000011110100001000011111",
        "K": "10001100101010011000101001001010001",
        "M": "10001110111010110001100011000110001",
        "P": "11110100011000111110100001000010000",
        "R": "11110100011000111110101001001010001",
        "S": "01111100001000001110000010000111110",
        "T": "11111001000010000100001000010000100",
        "U": "10001100011000110001100011000101110",
    }
    parts: list[Box] = []
    for place, letter in enumerate(text):
        for i, lit in enumerate(glyphs.get(letter, "")):
            if lit == "1":
                row, column = divmod(i, 5)
                spot = ((place * 6 + column + 0.5) * pixel, 0.0, (6.5 - row) * pixel)
                parts.append(((pixel, 0.12, pixel), spot))
    return of_boxes(parts)


def basket_stack(count: int) -> Mesh:
    """Hand baskets in each other."""
    return of_boxes(
        [((0.30 + 0.012 * (i % 2), 0.45, 0.05), (0.0, 0.0, 0.14 + 0.07 * i)) for i in range(count)]
        + [((0.28, 0.42, 0.12), (0.0, 0.0, 0.06))]
    )
