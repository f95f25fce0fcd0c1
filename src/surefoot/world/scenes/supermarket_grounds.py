"""The supermarket's shell and its car park."""

from __future__ import annotations

import math

import numpy as np

from surefoot.world.body import Body
from surefoot.world.mesh import Mesh, merge
from surefoot.world.primitives import cylinder, placed, rod, slab
from surefoot.world.scenes import garden, shop, vehicles
from surefoot.world.scenes.building import STEEL, STONE, WARNING, Box, fixed, of_boxes
from surefoot.world.scenes.machinery import truss

SIZE_X, SIZE_Y, TOP = 40.5, 59.0, 5.2  # the land's sides, and its highest lamps
HALF_X = 17.5  # of the building
FRONT, BACK = -7.0, 28.0  # its front and back walls, along y
FLOOR_HEIGHT = 0.12  # the kerb
WALL_HEIGHT = 3.9
DOORS = ((-8.0, -5.0), (5.0, 8.0))  # in and out, along x

ASPHALT = (0.27, 0.28, 0.29)
PAVING = (0.62, 0.61, 0.58)
TILES = (0.78, 0.77, 0.73)
RENDER = (0.80, 0.78, 0.72)
PAINT = (0.85, 0.85, 0.82)
CARS = (
    (0.55, 0.08, 0.07),
    (0.75, 0.76, 0.78),
    (0.10, 0.20, 0.40),
    (0.07, 0.07, 0.08),
    (0.80, 0.79, 0.75),
)


def outdoors() -> list[Body]:
    """All that is not sold or used for selling."""
    return [*_grounds(), *_shell(), *_ceiling(), *_street(), *_cars()]


def _grounds() -> list[Body]:
    west, east, south, north = -19.2, 19.2, -11.0, 28.7
    inside = slab((2 * HALF_X, BACK - FRONT, FLOOR_HEIGHT), (0.0, (FRONT + BACK) / 2, FLOOR_HEIGHT))
    around = [
        ((east - west, FRONT - south, FLOOR_HEIGHT), (0.0, (FRONT + south) / 2, FLOOR_HEIGHT / 2)),
        ((east - west, north - BACK, FLOOR_HEIGHT), (0.0, (north + BACK) / 2, FLOOR_HEIGHT / 2)),
    ]
    around += [
        (
            (east - HALF_X, BACK - FRONT, FLOOR_HEIGHT),
            (s * (east + HALF_X) / 2, (FRONT + BACK) / 2, FLOOR_HEIGHT / 2),
        )
        for s in (-1, 1)
    ]
    mats = [((2.6, 1.2, 0.006), ((a + b) / 2, FRONT + 1.2, FLOOR_HEIGHT + 0.003)) for a, b in DOORS]
    return [
        fixed("asphalt", slab((SIZE_X, SIZE_Y, 0.2)), ASPHALT),
        fixed("pavement", of_boxes(around), PAVING),
        fixed("shop floor", inside, TILES),
        fixed("mats", of_boxes(mats), (0.20, 0.20, 0.22)),
    ]


def _shell() -> list[Body]:
    thick, tall = 0.2, WALL_HEIGHT
    base = FLOOR_HEIGHT
    plain: list[Box] = [
        ((2 * HALF_X, thick, tall), (0.0, BACK - thick / 2, base + tall / 2)),
        (
            (thick, BACK - FRONT - thick, tall),
            (-HALF_X + thick / 2, (FRONT + BACK - thick) / 2, base + tall / 2),
        ),
        (
            (thick, BACK - FRONT - thick, tall),
            (HALF_X - thick / 2, (FRONT + BACK - thick) / 2, base + tall / 2),
        ),
        (
            (2 * HALF_X - 2 * thick, thick, tall - 2.6),
            (0.0, FRONT + thick / 2, base + (tall + 2.6) / 2),
        ),
    ]
    frames: list[Box] = []
    inner = HALF_X - thick
    panes = [(-inner, DOORS[0][0]), (DOORS[0][1], DOORS[1][0]), (DOORS[1][1], inner)]
    for a, b in panes:
        plain.append(((b - a, thick, 0.5), ((a + b) / 2, FRONT + thick / 2, base + 0.25)))
        posts = np.linspace(a + 0.06, b - 0.06, max(2, round((b - a) / 1.6) + 1))
        frames += [((0.12, 0.12, 2.1), (x, FRONT + thick / 2, base + 1.55)) for x in posts]
        frames.append(((b - a, 0.08, 0.06), ((a + b) / 2, FRONT + thick / 2, base + 1.9)))
    # The leaves of the way in stand open, before the panes; those of the way out are shut.
    for x in (DOORS[0][0] - 0.7, DOORS[0][1] + 0.7, DOORS[1][0] + 0.75, DOORS[1][1] - 0.75):
        frames.append(((1.5, 0.05, 2.3), (x, FRONT + 0.28, base + 1.15)))
    canopy = [((30.0, 2.6, 0.22), (0.0, FRONT - 1.3, base + 2.95))]
    props = [
        ((0.16, 0.16, 2.84), (x, FRONT - 2.3, base + 1.42))
        for x in (-14.5, -10.0, -3.0, 3.0, 10.0, 14.5)
    ]
    sign = shop.letters("SUPERMARKET", 0.11)
    return [
        fixed("outer walls", of_boxes(plain), RENDER),
        fixed("shop front", of_boxes(frames), STEEL),
        fixed("canopy", of_boxes([*canopy, *props]), WARNING),
        fixed("sign", placed(sign, -3.6, FRONT - 0.05, base + 3.1), (0.62, 0.06, 0.05)),
    ]


def _ceiling() -> list[Body]:
    """Columns, trusses and lamps; there is no roof, so that one sees what happens."""
    spots = [(x, y) for x in (-9.2, 0.4, 16.6 - 8.1) for y in (3.2, 13.5, 23.6)]
    columns = [((0.36, 0.36, 4.4), (x, y, FLOOR_HEIGHT + 2.2)) for x, y in spots]
    trusses = [placed(truss(2 * HALF_X - 0.5, 0.6), 0.0, y, TOP) for y in (3.2, 13.5, 23.6)]
    hung = [(x, y) for x in (-13.1, -3.7, 1.8, 7.3, 12.8) for y in (8.3, 18.4)]
    lamps = [((0.16, 6.0, 0.1), (x, y, 4.2)) for x, y in hung]
    wires = [
        rod((x, y + s * 2.4, 4.2), (x, y + s * 2.4, TOP - 0.7), 0.012, 5)
        for x, y in hung
        for s in (-1, 1)
    ]
    signs = [((1.5, 0.05, 0.4), (-3.7 + 2.75 * i, 3.6, 3.1)) for i in range(7)]
    return [
        fixed("columns", of_boxes(columns), (0.70, 0.70, 0.68)),
        fixed("trusses", merge([*trusses, *wires]), STEEL),
        fixed("lamps", of_boxes(lamps), (0.95, 0.95, 0.90)),
        fixed("aisle signs", of_boxes(signs), (0.14, 0.36, 0.24)),
    ]


def _street() -> list[Body]:
    """Lines, the crossing, lamps, bollards, trees, the trolley shelter."""
    marks: list[Box] = [
        ((0.1, 4.8, 0.004), (x, y, 0.002))
        for y in (-26.6, -15.8)
        for x in np.arange(-13.5, 18.0, 2.7)
        if y < -20.0 or not -8.5 < x < -4.0  # the crossing is there
    ]
    marks += [((0.5, 3.0, 0.004), (x, -12.6 - 0.4, 0.002)) for x in np.arange(-8.4, -4.4, 0.95)]
    posts = [(-15.9, -21.2), (0.0, -21.2), (15.9, -21.2)]
    tall = TOP
    stems = [placed(cylinder(0.09, tall - 0.1, 10), x, y) for x, y in posts]
    stems += [placed(cylinder(0.35, 0.5, 14), x, y) for x, y in posts]
    arms = [of_boxes([((0.1, 2.2, 0.08), (x, y, tall - 0.14))]) for x, y in posts]
    heads = [((0.22, 0.5, 0.1), (x, y + s * 1.2, tall - 0.05)) for x, y in posts for s in (-1, 1)]
    guards = [(x, -10.6) for x in (-10.6, -9.5, -3.4, -2.3, 2.6, 4.2, 8.8, 10.4)]
    trees = [(-18.6, -9.2), (18.4, -9.2), (12.6, -9.8), (-13.2, -9.8)]
    boxes_at = [(-12.2, -7.6), (0.0, -7.6), (12.2, -7.6)]
    shelter = of_boxes(
        [((2.4, 3.4, 0.06), (17.6, -15.2, 2.2))]
        + [
            ((0.06, 0.06, 2.2), (17.6 + i * 1.1, -15.2 + j * 1.6, 1.1))
            for i in (-1, 1)
            for j in (-1, 1)
        ]
        + [((0.04, 3.4, 0.9), (18.75, -15.2, 0.75))]
    )
    rows = [placed(shop.trolley_row(6), x, -16.4, 0.0, math.pi / 2) for x in (17.1, 18.0)]
    ground = FLOOR_HEIGHT
    troughs = [placed(garden.planter(2.4, 0.7, 0.5), x, y, ground) for x, y in boxes_at]
    greens = [placed(garden.hedge(2.1, 0.55, 0.5), x, y, ground + 0.45) for x, y in boxes_at]
    greens += [placed(garden.tree_crown(1.05, 3.3), x, y, ground, x) for x, y in trees]
    return [
        fixed("paint", of_boxes(marks), PAINT),
        fixed("street lamps", merge([*stems, *arms, of_boxes(heads)]), STEEL, forbidden=True),
        fixed(
            "bollards",
            merge([placed(cylinder(0.1, 0.9, 10), x, y, ground) for x, y in guards]),
            garden.IRON,
            forbidden=True,
        ),
        fixed("shelter", shelter, STEEL, forbidden=True),
        fixed("trolleys outside", merge(rows), (0.55, 0.57, 0.60), furniture=True, forbidden=True),
        fixed("troughs", merge(troughs), STONE, forbidden=True),
        fixed(
            "trunks",
            merge([placed(garden.trunk(2.8), x, y, ground) for x, y in trees]),
            garden.BARK,
            forbidden=True,
        ),
        fixed("leaves", merge(greens), garden.LEAF, forbidden=True),
    ]


def _cars() -> list[Body]:
    paint, glass, wheels = vehicles.car()
    spots = [
        (-12.15, -26.6, 1),
        (-6.75, -26.6, 1),
        (-4.05, -26.6, -1),
        (1.35, -26.6, 1),
        (6.75, -26.6, -1),
        (9.45, -26.6, 1),
        (14.85, -26.6, 1),
        (-12.15, -15.8, -1),
        (-9.45, -15.8, 1),
        (-1.35, -15.8, 1),
        (1.35, -15.8, -1),
        (4.05, -15.8, 1),
        (9.45, -15.8, -1),
        (12.15, -15.8, 1),
    ]
    bodies: list[Body] = []
    panes: list[Mesh] = []
    trims: list[Mesh] = []
    for i, (x, y, way) in enumerate(spots, 1):
        yaw = way * (math.pi / 2 + 0.03 * math.sin(5.0 * i))
        bodies.append(
            fixed(f"car {i}", placed(paint, x, y, 0.0, yaw), CARS[i % len(CARS)], forbidden=True)
        )
        panes.append(placed(glass, x, y, 0.0, yaw))
        trims.append(placed(wheels, x, y, 0.0, yaw))
    return [
        *bodies,
        fixed("car glass", merge(panes), vehicles.GLASS, forbidden=True),
        fixed("car wheels", merge(trims), vehicles.RUBBER, forbidden=True),
    ]
