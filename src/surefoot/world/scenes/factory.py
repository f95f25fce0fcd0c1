"""A factory hall with a tank under which one cannot stand (bandi2000, Fig. 18, right).

The straight way to the far corner leads under the tank, past A, where the floor is free and the
room above it is 1.36 m: enough to crouch, too little to walk. On foot the way leads past B.

Cells of 0.25 m and rises of 0.06 m make 69 x 69 cells, 95 high, as in the paper's Table 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from surefoot.world.body import Body
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.primitives import box, cylinder, placed, slab, stairs
from surefoot.world.scenes import machinery
from surefoot.world.scenes.building import STEEL, WARNING, WOOD, Box, fixed, furniture, of_boxes
from surefoot.world.scenes.registry import scene
from surefoot.world.world import World

SIZE, TOP = 17.25, 5.5  # the hall's sides, and where its roof trusses end
WALL_HEIGHT, WALL_WIDTH = 3.3, 0.25
GATE = 2.4  # width; one in the middle of each side, so that copies side by side are joined
TANK_RADIUS, TANK_AXIS, TANK_LENGTH = 1.15, 2.51, 6.4
TANK_X = -0.7  # its middle
DECK = 2.7  # height of the office's floor: 15 steps of 18 cm

CONCRETE = (0.60, 0.60, 0.59)
BRICK = (0.60, 0.36, 0.27)
GREEN = (0.22, 0.42, 0.34)
YELLOW = (0.86, 0.62, 0.08)
BLUE = (0.16, 0.30, 0.52)
CARTON = (0.62, 0.47, 0.29)


@scene("factory", "a hall with machines and a tank that is too low to walk under, on the short way")
def make() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    bodies = [*_hall(), *_overhead(), *_tank(), *_office(), *_machines(), *_stores()]
    world = World(bodies, name="factory")
    points = {
        "start": (-7.2, -7.2, 0.5),
        "goal": (7.3, 7.3, 0.5),
        "A": (0.0, 0.0, 0.5),
        "B": (4.3, -0.4, 0.5),
        "office": (-6.9, 7.4, DECK + 0.5),
    }
    return world, {name: world.place(point) for name, point in points.items()}


def _hall() -> list[Body]:
    edge = SIZE / 2 - WALL_WIDTH / 2
    # Windows are openings above 1.5 m: the wall below and above them, and piers between.
    pieces: list[Mesh] = []
    frames: list[Mesh] = []
    for yaw in np.arange(4) * (math.pi / 2):
        side = _side()
        pieces.append(placed(placed(side, 0.0, -edge), yaw=yaw))
        frames.append(placed(placed(_windows(), 0.0, -edge), yaw=yaw))
    lanes = of_boxes(
        [((0.1, SIZE - 1.0, 0.004), (x, 0.0, 0.002)) for x in (3.7, 5.3)]
        + [((2.7, 0.1, 0.004), (7.1, y, 0.002)) for y in (-0.9, 0.9)]
    )
    return [
        fixed("floor", slab((SIZE, SIZE, 0.2)), CONCRETE),
        fixed("walls", merge(pieces), BRICK),
        fixed("windows", merge(frames), STEEL),
        fixed("lane marks", lanes, YELLOW),
    ]


def _side() -> Mesh:
    """One wall along x about the origin, with a gate in its middle and windows beside it."""
    half = SIZE / 2
    parapet = 1.5
    left, right = -half, half - WALL_WIDTH  # the corner belongs to the next side
    low = [(left, -GATE / 2), (GATE / 2, right)]
    parts = [(((b - a), WALL_WIDTH, parapet), ((a + b) / 2, 0.0, parapet / 2)) for a, b in low]
    parts.append(((right - left, WALL_WIDTH, 0.6), ((left + right) / 2, 0.0, WALL_HEIGHT - 0.3)))
    piers = [-half + 0.25, -6.0, -3.6, -1.45, 1.45, 3.6, 6.0, half - WALL_WIDTH - 0.15]
    tall = WALL_HEIGHT - 0.6 - parapet
    parts += [((0.5, WALL_WIDTH, tall), (x, 0.0, parapet + tall / 2)) for x in piers]
    return of_boxes(parts)


def _windows() -> Mesh:
    bars: list[Box] = []
    for a, b in (
        (-7.97, -6.25),
        (-5.75, -3.85),
        (-3.35, -1.7),
        (1.7, 3.35),
        (3.85, 5.75),
        (6.25, 7.97),
    ):
        bars += [((0.04, 0.05, 1.2), (x, 0.0, 2.1)) for x in np.linspace(a, b, 5)[1:-1]]
        bars += [((b - a, 0.05, 0.04), ((a + b) / 2, 0.0, z)) for z in (1.9, 2.3)]
    return of_boxes(bars)


def _overhead() -> list[Body]:
    """Columns, trusses, the crane and pipes: all higher than a head."""
    spread = np.linspace(-SIZE / 2 + 0.4, SIZE / 2 - 0.4, 6)
    columns = [
        box((0.26, 0.26, TOP - 0.3), (x, y, (TOP - 0.3) / 2)) for x in spread for y in (-8.25, 8.25)
    ]
    trusses = [placed(machinery.truss(SIZE - 0.5), x, 0.0, TOP, math.pi / 2) for x in spread]
    purlins = of_boxes(
        [((SIZE - 0.6, 0.1, 0.08), (0.0, y, TOP - 0.09)) for y in (-6.0, -2.0, 2.0, 6.0)]
    )
    rails = [((SIZE - 0.6, 0.18, 0.3), (0.0, y, 4.62)) for y in (-7.7, 7.7)]
    bridge = [((0.3, 15.2, 0.42), (x, 0.0, 4.7)) for x in (2.2, 2.9)]
    trolley = [((0.9, 0.8, 0.3), (2.55, -4.4, 4.98)), ((0.24, 0.24, 0.4), (2.55, -4.4, 3.1))]
    rope = [_rope(2.55 + dx, -4.4, 3.2, 4.9) for dx in (-0.08, 0.08)]
    runs = [
        [(-8.3, -7.9, 3.7), (8.2, -7.9, 3.7), (8.2, 7.9, 3.7)],
        [(-8.3, -7.6, 3.5), (7.9, -7.6, 3.5), (7.9, 7.9, 3.5)],
        [(-3.0, 0.0, 3.6), (-3.0, 0.0, 4.1), (-3.0, 7.9, 4.1), (7.9, 7.9, 4.1)],
    ]
    pipes = [machinery.pipe(points, r) for points, r in zip(runs, (0.09, 0.06, 0.11), strict=True)]
    return [
        fixed("columns", merge(columns), STEEL),
        fixed("trusses", merge([*trusses, purlins]), STEEL),
        fixed("crane", merge([of_boxes([*rails, *bridge, *trolley]), *rope]), YELLOW),
        fixed("pipes", merge(pipes), (0.45, 0.55, 0.58)),
    ]


def _rope(x: float, y: float, low: float, high: float) -> Mesh:
    """From above, down to `low` [m]."""
    return placed(cylinder(0.02, high - low, 6), x, y, low)


def _tank() -> list[Body]:
    shell = placed(machinery.lying_tank(TANK_RADIUS, TANK_LENGTH, TANK_AXIS), TANK_X)
    saddles = [
        placed(machinery.saddle(TANK_RADIUS, TANK_AXIS), x) for x in (TANK_X - 2.9, TANK_X + 2.9)
    ]
    ladder = of_boxes(
        [((0.05, 0.05, 3.4), (x, 1.45, 1.7)) for x in (-1.9, -1.5)]
        + [((0.4, 0.035, 0.035), (-1.7, 1.45, z)) for z in np.arange(0.3, 3.4, 0.3)]
    )
    feed = machinery.pipe(
        [(1.2, 0.0, TANK_AXIS + TANK_RADIUS - 0.05), (1.2, 0.0, 4.1), (1.2, 7.9, 4.1)], 0.1
    )
    return [
        furniture("tank", shell, GREEN),
        furniture("tank saddles", merge(saddles), STEEL),
        furniture("ladder", ladder, YELLOW),
        fixed("feed pipe", feed, (0.45, 0.55, 0.58)),
    ]


def _office() -> list[Body]:
    """A deck in the north-west corner with a desk; its stairs come up along the wall."""
    low, high = -SIZE / 2 + WALL_WIDTH, -4.2
    deep = 5.6  # where the deck's edge is, along y
    middle_x, middle_y = (low + high) / 2, (deep + SIZE / 2 - WALL_WIDTH) / 2
    size = (high - low, SIZE / 2 - WALL_WIDTH - deep, 0.2)
    flight = placed(stairs(14, 1.5, 0.18, 0.27), low + 0.8, deep - 15 * 0.27, 0.0, math.pi / 2)
    top = placed(
        slab((0.27, 1.5, DECK), (0.0, 0.0, DECK)), low + 0.8, deep - 0.135, 0.0, math.pi / 2
    )
    posts = [
        box((0.18, 0.18, DECK - 0.2), (x, y, (DECK - 0.2) / 2))
        for x, y in ((high - 0.15, deep + 0.15), (high - 0.15, 8.1))
    ]
    rails: list[Box] = []
    for z in (0.5, 1.0):
        rails.append(
            ((high - low - 1.65, 0.05, 0.05), ((low + 1.65 + high) / 2, deep + 0.05, DECK + z))
        )
        rails.append(
            ((0.05, SIZE / 2 - WALL_WIDTH - deep, 0.05), (high - 0.05, middle_y, DECK + z))
        )
    ends = [(x, deep + 0.05) for x in np.linspace(low + 1.7, high - 0.05, 4)]
    ends += [(high - 0.05, y) for y in np.linspace(deep + 0.7, 8.2, 3)]
    rails += [((0.05, 0.05, 1.0), (x, y, DECK + 0.5)) for x, y in ends]
    desk = placed(
        of_boxes(
            [
                ((1.5, 0.7, 0.04), (0, 0, 0.72)),
                ((0.06, 0.66, 0.7), (-0.7, 0, 0.35)),
                ((0.4, 0.66, 0.7), (0.5, 0, 0.35)),
                ((0.5, 0.06, 0.35), (0.0, 0.15, 1.0)),
            ]
        ),
        -5.2,
        7.9,
        DECK,
    )
    return [
        fixed("office deck", slab(size, (middle_x, middle_y, DECK)), (0.50, 0.52, 0.54)),
        fixed("office stairs", merge([flight, top]), STEEL),
        fixed("office posts", merge(posts), STEEL),
        fixed("office rails", of_boxes(rails), YELLOW, forbidden=True),
        furniture("desk", desk, WOOD),
    ]


def _machines() -> list[Body]:
    bodies = [
        furniture(f"press {i}", placed(machinery.press(), x, y, 0.0, yaw), BLUE)
        for i, (x, y, yaw) in enumerate([(-6.4, -4.4, 0.0), (-6.4, -2.0, 0.0), (-5.7, 2.3, 0.0)], 1)
    ]
    lines = [
        placed(machinery.conveyor(6.0), 0.2, 4.2),
        placed(machinery.conveyor(4.2), -2.5, -4.6, 0.0, 0.0),
    ]
    goods = [
        placed(
            box((0.45, 0.45, 0.3 + 0.1 * (i % 3)), (0, 0, 0.15 + 0.05 * (i % 3))),
            x,
            y,
            0.75,
            0.2 * i,
        )
        for i, (x, y) in enumerate(
            [
                (-2.2, 4.2),
                (-0.9, 4.2),
                (0.6, 4.2),
                (2.4, 4.2),
                (-3.9, -4.6),
                (-2.4, -4.6),
                (-1.0, -4.6),
            ]
        )
    ]
    cabinet = of_boxes([((0.6, 1.2, 1.9), (0.0, 0.0, 0.95)), ((0.02, 0.5, 0.3), (0.31, -0.2, 1.3))])
    cabinets = [placed(cabinet, -8.0, y) for y in (-4.5, -5.8)]
    body, rest = machinery.forklift()
    return [
        *bodies,
        furniture("conveyors", merge(lines), STEEL),
        furniture("parts", merge(goods), CARTON),
        furniture("cabinets", merge(cabinets), (0.40, 0.46, 0.44)),
        furniture("forklift", placed(body, 2.9, -6.6, 0.0, 2.6), WARNING),
        furniture("forklift mast", placed(rest, 2.9, -6.6, 0.0, 2.6), (0.12, 0.12, 0.13)),
    ]


def _stores() -> list[Body]:
    racks = [(7.75, 3.5), (7.75, -3.3)]
    levels = [0.12, 1.0, 1.88]
    frames = [placed(machinery.rack(3.6, 3.0, 3), x, y, 0.0, math.pi / 2) for x, y in racks]
    boxes_on = [
        placed(machinery.cartons(3.5, levels, 0.8, y), x, y, 0.0, math.pi / 2) for x, y in racks
    ]
    pallets = [
        (-4.6, -7.0, 0.1),
        (-3.0, -7.2, 0.0),
        (1.6, 7.2, 1.6),
        (3.0, 6.9, 0.2),
        (6.9, -6.9, 0.8),
    ]
    sacks = [
        placed(machinery.sacks(layers), x, y, 0.0, yaw)
        for (x, y, yaw), layers in zip(pallets, (4, 2, 5, 3, 3), strict=True)
    ]
    drums = [
        (-1.4, -6.9),
        (-0.75, -7.1),
        (-1.1, -6.3),
        (5.0, 7.7),
        (4.4, 7.9),
        (-4.9, 3.3),
        (-4.3, 3.0),
    ]
    return [
        furniture("racks", merge(frames), (0.75, 0.35, 0.08)),
        furniture("cartons", merge(boxes_on), CARTON),
        furniture(
            "pallets",
            merge([placed(machinery.pallet(), x, y, 0.0, yaw) for x, y, yaw in pallets]),
            WOOD,
        ),
        furniture("sacks", merge(sacks), (0.78, 0.70, 0.55)),
        furniture(
            "drums", merge([placed(machinery.drum(), x, y) for x, y in drums]), (0.15, 0.36, 0.55)
        ),
    ]
