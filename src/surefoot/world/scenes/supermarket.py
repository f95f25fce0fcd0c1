"""A supermarket and the car park it is entered from (bandi2000, Fig. 18, left).

From the car park over the crossing, in at the left door and through the gate, along an aisle to
the chillers at the back. The lanes at the tills are narrow but for one. At A somebody has left
pallets that leave no room beside a trolley; B is the aisle next to it.

Cells of 0.25 m and rises of 0.06 m make 162 x 236 cells, 90 high, as in the paper's Table 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from surefoot.world.body import Body
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.primitives import placed
from surefoot.world.scenes import shop
from surefoot.world.scenes.building import WOOD, Color, furniture, of_boxes
from surefoot.world.scenes.machinery import pallet
from surefoot.world.scenes.registry import scene
from surefoot.world.scenes.supermarket_grounds import BACK, FLOOR_HEIGHT, FRONT, HALF_X, outdoors
from surefoot.world.world import World

AISLE = 2.75  # from the middle of one row of shelves to the next
ROWS_X = [-5.1 + AISLE * i for i in range(8)]
BLOCKS = ((8.2, 8.4), (18.2, 8.0))  # middles and lengths of the two blocks of rows, along y
TILLS_Y = -0.6
GAP = AISLE - shop.SHELF_WIDTH - 1.2  # beside the pallets at A: 0.61 m
GOODS: tuple[Color, ...] = (
    (0.72, 0.14, 0.10), (0.88, 0.62, 0.10), (0.16, 0.38, 0.60), (0.24, 0.46, 0.20),
    (0.82, 0.80, 0.74), (0.48, 0.24, 0.44), (0.80, 0.40, 0.12), (0.14, 0.50, 0.50),
)  # fmt: skip
SHELF = (0.80, 0.80, 0.79)
CHILLER = (0.70, 0.76, 0.80)
TILL = (0.30, 0.34, 0.38)
WIRE = (0.55, 0.57, 0.60)


@scene("supermarket", "a car park, doors, tills, aisles of shelves; entered from outside")
def make() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    bodies = [*outdoors(), *_entrance(), *_tills(), *_rows(), *_fresh(), *_back(), *_in_the_way()]
    world = World(bodies, name="supermarket")
    points = {
        "start": (-14.2, -27.0, 0.5),
        "goal": (5.9, BACK - 1.7, 0.8),
        "entrance": (-6.5, FRONT, 0.8),
        "tills": (3.2, TILLS_Y + 3.0, 0.8),
        "fruit": (-9.9, 2.3, 0.8),
        "A": (ROWS_X[3] - shop.SHELF_WIDTH / 2 - GAP / 2, BLOCKS[1][0] + 0.65, 0.8),
        "B": (ROWS_X[1] + AISLE / 2, BLOCKS[1][0], 0.8),
    }
    return world, {name: world.place(point) for name, point in points.items()}


def _fitting(name: str, mesh: Mesh, color: Color) -> Body:
    """Furniture that stands on the shop's floor."""
    return furniture(name, placed(mesh, z=FLOOR_HEIGHT), color)


def _entrance() -> list[Body]:
    """Trolleys and baskets by the door, and the gate that lets people in."""
    rows = [placed(shop.trolley_row(7), -16.4, y) for y in (-5.9, -5.2, -4.5)]
    rails = [((7.6, 0.06, 0.06), (-13.4, TILLS_Y - 1.3, z)) for z in (0.5, 0.95)]
    rails += [((2.4, 0.06, 0.06), (-3.9, TILLS_Y - 1.3, z)) for z in (0.5, 0.95)]
    posts = [(x, TILLS_Y - 1.3) for x in (-17.1, -15.3, -13.4, -11.5, -9.6, -5.1, -3.9, -2.7)]
    rails += [((0.06, 0.06, 1.0), (x, y, 0.5)) for x, y in posts]
    gate = [((0.12, 0.9, 1.1), (x, TILLS_Y - 0.9, 0.55)) for x in (-9.2, -5.5)]
    return [
        _fitting("trolleys", merge(rows), WIRE),
        _fitting(
            "baskets",
            merge([placed(shop.basket_stack(9), x, -6.3) for x in (-10.6, -10.1)]),
            GOODS[0],
        ),
        _fitting("rails", of_boxes(rails), WIRE),
        _fitting("gate", of_boxes(gate), TILL),
    ]


def _tills() -> list[Body]:
    # Seven tills, a narrow lane beside each; the fourth lane is wide enough for a wheelchair.
    at = [-2.0, 0.05, 2.1, 4.85, 6.9, 8.95, 11.0]
    lines = [placed(shop.checkout(), x, TILLS_Y) for x in at]
    rail = of_boxes(
        [((4.6, 0.06, 0.06), (14.85, TILLS_Y, z)) for z in (0.5, 0.95)]
        + [((0.06, 0.06, 1.0), (x, TILLS_Y, 0.5)) for x in (12.6, 14.85, 17.1)]
    )
    return [_fitting("tills", merge(lines), TILL), _fitting("till rail", rail, WIRE)]


def _rows() -> list[Body]:
    bodies: list[Body] = []
    for block, (y, length) in enumerate(BLOCKS):
        for row, x in enumerate(ROWS_X):
            name = f"{row + 1}{'ab'[block]}"
            colors = [GOODS[(3 * row + 5 * block + k) % len(GOODS)] for k in range(2)]
            bodies.append(_fitting(f"shelf {name}", placed(shop.gondola(length), x, y), SHELF))
            packets = shop.goods(length, len(colors), seed=10 * row + block)
            for kind, (mesh, color) in enumerate(zip(packets, colors, strict=True), 1):
                bodies.append(_fitting(f"goods {name} {kind}", placed(mesh, x, y), color))
    return bodies


def _fresh() -> list[Body]:
    """Fruit and vegetables to the left, freezers behind them."""
    stands = [(x, y) for x in (-14.6, -11.6) for y in (4.6, 8.0, 11.4)]
    fruits: list[tuple[str, Color, list[tuple[int, int]]]] = [
        ("apples", (0.62, 0.10, 0.08), [(1, 0), (-1, 2)]),
        ("oranges", (0.86, 0.42, 0.05), [(1, 1), (-1, 3)]),
        ("lettuce", (0.28, 0.52, 0.16), [(1, 2), (-1, 0)]),
        ("lemons", (0.88, 0.76, 0.14), [(1, 3), (-1, 1)]),
    ]
    bodies = [
        _fitting("fruit stands", merge([placed(shop.fruit_stand(), *at) for at in stands]), WOOD)
    ]
    for name, color, spots in fruits:
        heaps = [placed(shop.fruit(side, [place]), *at) for at in stands for side, place in spots]
        bodies.append(_fitting(name, merge(heaps), color))
    chests = [(x, y) for x in (-15.0, -11.8) for y in (15.6, 17.9, 20.2)]
    bodies.append(
        _fitting("freezers", merge([placed(shop.freezer(), *at) for at in chests]), CHILLER)
    )
    return bodies


def _back() -> list[Body]:
    """Chillers along the back wall, drinks along the right one, counters in the corner."""
    inside = HALF_X - 0.2
    chillers = placed(shop.wall_shelf(22.0), inside - 11.6, BACK - 0.55)
    milk = placed(shop.wall_goods(21.8, seed=77), inside - 11.6, BACK - 0.55)
    drinks = placed(shop.wall_shelf(24.0), inside - 0.35, 14.0, 0.0, -math.pi / 2)
    bottles = placed(shop.wall_goods(23.8, seed=78), inside - 0.35, 14.0, 0.0, -math.pi / 2)
    counters = [
        placed(shop.counter(5.0), -12.6, 24.6),
        placed(shop.counter(2.4), -9.2, 25.9, 0.0, -math.pi / 2),
    ]
    loaves = [
        placed(shop.pallet_stack(0.9, 0.35, 1), x, 24.75, 0.93)
        for x in (-14.4, -13.2, -12.0, -10.8)
    ]
    return [
        _fitting("chillers", chillers, CHILLER),
        _fitting("milk", milk, (0.84, 0.84, 0.80)),
        _fitting("drinks shelf", drinks, SHELF),
        _fitting("drinks", bottles, GOODS[2]),
        _fitting("counters", merge(counters), (0.62, 0.60, 0.55)),
        _fitting("bread", merge(loaves), (0.66, 0.42, 0.18)),
    ]


def _in_the_way() -> list[Body]:
    """Trolleys left in aisles, pallets on offer, and what makes A too narrow."""
    offers = [(-8.0, 6.4), (-8.0, 15.9), (16.2 - 1.5, 2.6)]
    stacks = [placed(shop.pallet_stack(1.16, 0.76, 4), x, y, 0.144) for x, y in offers]
    bases = [placed(pallet(), x, y) for x, y in offers]
    x, y = ROWS_X[2] + shop.SHELF_WIDTH / 2 + 0.6, BLOCKS[1][0]
    bases += [placed(pallet(), x, y + s * 0.65) for s in (-1, 1)]
    stacks += [placed(shop.pallet_stack(1.16, 0.76, 3), x, y + s * 0.65, 0.144) for s in (-1, 1)]
    left = [
        (ROWS_X[3] + 1.0, 6.2, 1.5),
        (ROWS_X[5] + 1.7, 20.4, -1.7),
        (-9.6, 12.6, 0.4),
        (4.1, 3.0, 0.2),
    ]
    return [
        _fitting("pallets", merge(bases), WOOD),
        _fitting("offers", merge(stacks), (0.68, 0.52, 0.32)),
        *[
            _fitting(f"trolley {i}", placed(shop.trolley(), x, at, 0.0, yaw), WIRE)
            for i, (x, at, yaw) in enumerate(left, 1)
        ],
    ]
