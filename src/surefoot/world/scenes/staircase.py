"""A grand flight of stairs with things in the way (bandi2000, Fig. 17).

From the square up to a landing, and by either side of a long planter up to the terrace. A is on
the nearer side, where something may come in the way later; B is on the other. An alley leads past
it all, so that copies side by side are joined.

Cells of 0.25 m and rises of 0.05 m make 53 x 91 cells, 102 high, as in the paper's Table 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

from surefoot.world.body import Body
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.primitives import box, cylinder, placed, ramp, slab, stairs, turned
from surefoot.world.scenes import garden
from surefoot.world.scenes.building import FLOOR, SAND, STONE, WATER, WOOD, Color, fixed, furniture
from surefoot.world.scenes.registry import scene
from surefoot.world.world import World

SIZE_X, SIZE_Y = 13.25, 22.75
WIDTH = 9.4  # of the flights
STEPS, RISE, GOING = 12, 0.15, 0.32
FLIGHT = STEPS * GOING
LANDING, TERRACE = STEPS * RISE, 2 * STEPS * RISE
FOOT_1 = -4.2  # where the first flight begins, along y
FOOT_2 = FOOT_1 + FLIGHT + 2.8
EDGE = FOOT_2 + FLIGHT  # where the terrace begins
TOP = 4.9  # of the highest lamp

PALE = (0.76, 0.73, 0.67)


@scene("staircase", "a square, two wide flights of stairs with things in the way, a terrace")
def make() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    bodies = [*_grounds(), *_balustrades(), *_planting(), *_things(), *_lamps()]
    world = World(bodies, name="staircase")
    points = {
        "start": (-4.6, -10.2, 0.5),
        "goal": (4.6, 10.2, TERRACE + 0.5),
        "landing": (2.6, FOOT_2 - 1.2, LANDING + 0.5),
        "A": (2.6, FOOT_2 + FLIGHT / 2, LANDING + FLIGHT / 2 * RISE / GOING + 0.5),
        "B": (-2.6, FOOT_2 + FLIGHT / 2, LANDING + FLIGHT / 2 * RISE / GOING + 0.5),
    }
    return world, {name: world.place(point) for name, point in points.items()}


def _up(mesh: Mesh, y: float, z: float = 0.0, x: float = 0.0) -> Mesh:
    """Turned from along +x to along +y."""
    return placed(mesh, x, y, z, math.pi / 2)


def _grounds() -> list[Body]:
    flight = stairs(STEPS, WIDTH, RISE, GOING)
    end = SIZE_Y / 2
    middle = FOOT_1 + FLIGHT
    upper = box((WIDTH, EDGE - FOOT_2, LANDING), (0.0, (EDGE + FOOT_2) / 2, LANDING / 2))
    side = (SIZE_X - WIDTH) / 2
    # A slope of earth beside the flights; planted, and not for walking.
    bank = ramp(EDGE - FOOT_1, side, TERRACE)
    terrace = slab((SIZE_X - side, end - EDGE, TERRACE), (side / 2, (end + EDGE) / 2, TERRACE))
    return [
        fixed("square", slab((SIZE_X, SIZE_Y, 0.2)), SAND),
        fixed("lower flight", _up(flight, FOOT_1), PALE),
        fixed("upper flight", merge([upper, _up(flight, FOOT_2, LANDING)]), PALE),
        fixed(
            "landing",
            slab((WIDTH, FOOT_2 - middle, LANDING), (0, (FOOT_2 + middle) / 2, LANDING)),
            FLOOR,
        ),
        fixed("terrace", terrace, FLOOR),
        fixed(
            "bank", _up(bank, FOOT_1, 0.0, (WIDTH + side) / 2), (0.33, 0.40, 0.20), forbidden=True
        ),
    ]


def _balustrades() -> list[Body]:
    x, back = WIDTH / 2 - 0.23, SIZE_Y / 2 - 0.23
    east = SIZE_X / 2 - 0.23
    turn = EDGE + 0.15
    runs: list[Mesh] = []
    for side in (-x, x):
        first = (side, FOOT_1, RISE), (side, FOOT_1 + FLIGHT, LANDING)
        level = (side, FOOT_1 + FLIGHT, LANDING), (side, FOOT_2, LANDING)
        second = (side, FOOT_2, LANDING + RISE), (side, EDGE, TERRACE)
        runs += [garden.balustrade(*ends) for ends in (first, level, second)]
    about = [(x, turn), (east, turn), (east, back), (-x, back), (-x, turn)]
    runs += [
        garden.balustrade((*start, TERRACE), (*end, TERRACE)) for start, end in pairwise(about)
    ]
    low = [(FOOT_1 - 0.2, 0.0), (FOOT_1 + FLIGHT, LANDING), (FOOT_2, LANDING)]
    piers = [placed(_pier(), side, y, z) for side in (-x, x) for y, z in low]
    piers += [placed(_pier(), *at, TERRACE) for at in about]
    return [
        fixed("balustrades", merge(runs), PALE, forbidden=True),
        fixed("piers", merge(piers), STONE, forbidden=True),
    ]


def _pier() -> Mesh:
    shaft = merge([box((0.40, 0.40, 0.95), (0, 0, 0.475)), box((0.46, 0.46, 0.08), (0, 0, 0.99))])
    knob = turned([(0.12, 0.0), (0.06, 0.04), (0.15, 0.16), (0.10, 0.26), (0.0, 0.27)], 10)
    return merge([shaft, placed(knob, z=1.03)])


def _planting() -> list[Body]:
    """The long planter up the middle of the upper flight, bushes on the banks, trees below."""
    gradient = RISE / GOING
    trough = garden.sloped_bar(FLIGHT + 0.6, 0.9, 0.55, gradient, 0.0)
    greens: list[Mesh] = []
    for i in range(7):
        along = 0.1 + i * 0.62
        spot = (0.0, FOOT_2 + along - 0.3, LANDING + along * gradient + 0.4)
        greens.append(placed(garden.bush(0.38, 0.75 + 0.1 * (i % 3)), *spot))
    for i in range(9):
        y = FOOT_1 + 0.9 + i * 1.1
        z = (y - FOOT_1) * TERRACE / (EDGE - FOOT_1) - 0.1
        x = WIDTH / 2 + 0.95 + 0.3 * math.sin(2.3 * i)
        greens.append(placed(garden.bush(0.45 + 0.12 * math.cos(i), 0.7), x, y, z, 0.4 * i))
    trees = [(-4.3, -6.4), (4.9, -5.9), (5.2, -10.1)]
    trunks = [placed(garden.trunk(2.6), x, y) for x, y in trees]
    crowns = [placed(garden.tree_crown(0.95, 3.1), x, y, 0.0, x + y) for x, y in trees]
    return [
        fixed("long planter", _up(trough, FOOT_2 - 0.3, LANDING), STONE, forbidden=True),
        fixed("bushes", merge(greens), garden.LEAF, forbidden=True),
        fixed("trunks", merge(trunks), garden.BARK),
        fixed("crowns", merge(crowns), garden.LEAF),
    ]


def _things() -> list[Body]:
    crate = box((0.8, 0.8, 0.8), (0, 0, 0.4))
    step = 3  # of the lower flight: things on it lean on no more than one tread
    stairs_y, stairs_z = FOOT_1 + (step + 0.5) * GOING, (step + 1) * RISE
    barrel = turned([(0.24, 0.0), (0.30, 0.25), (0.32, 0.45), (0.30, 0.65), (0.24, 0.9)], 14)
    basin, water = garden.fountain()
    trough = garden.planter(1.8, 0.7)
    green = garden.hedge(1.6, 0.55, 0.6)
    things: dict[str, tuple[Mesh, Color]] = {
        "fountain": (placed(basin, 0.6, -7.6), STONE),
        "water": (placed(water, 0.6, -7.6), WATER),
        "statue": (
            placed(garden.statue(), 0.0, FOOT_2 - 1.5, LANDING, -math.pi / 2),
            (0.45, 0.52, 0.44),
        ),
        "crate 1": (placed(crate, -1.2, stairs_y, stairs_z - 2 * RISE, 0.2), WOOD),
        "crate 2": (placed(crate, -0.2, stairs_y + 0.1, stairs_z - 2 * RISE, -0.3), WOOD),
        "crate 3": (placed(crate, -0.75, stairs_y, stairs_z - 2 * RISE + 0.8, 0.5), WOOD),
        "barrel 1": (placed(barrel, 2.9, FOOT_1 + 6.5 * GOING, 5 * RISE), (0.42, 0.26, 0.13)),
        "barrel 2": (placed(barrel, 2.3, FOOT_1 + 7.0 * GOING, 6 * RISE), (0.42, 0.26, 0.13)),
        "trough 1": (placed(trough, -3.4, FOOT_2 - 2.3, LANDING), STONE),
        "trough 2": (placed(trough, 0.0, 9.6, TERRACE), STONE),
        "hedge 1": (placed(green, -3.4, FOOT_2 - 2.3, LANDING + 0.45), garden.LEAF),
        "hedge 2": (placed(green, 0.0, 9.6, TERRACE + 0.45), garden.LEAF),
        "bench 1": (placed(garden.stone_bench(), -6.1, -8.2), STONE),
        "bench 2": (placed(garden.stone_bench(), 6.1, -8.2), STONE),
        "bench 3": (placed(garden.stone_bench(), -3.9, 9.4, TERRACE), STONE),
        "bollards": (
            merge([placed(cylinder(0.11, 0.9, 12), x, -5.0) for x in (-3.2, -1.6, 0.0, 1.6, 3.2)]),
            garden.IRON,
        ),
    }
    return [furniture(name, mesh, color) for name, (mesh, color) in things.items()]


def _lamps() -> list[Body]:
    spots = [(-6.0, -10.6, 0.0), (6.1, -4.6, 0.0), (-5.1, -4.6, 0.0)]
    high = [(-3.9, 7.6, TERRACE)]
    posts = [placed(garden.lamp_post(3.8), *at) for at in spots]
    globes = [placed(garden.lamp_globes(3.8), *at) for at in spots]
    posts += [placed(garden.lamp_post(TOP - TERRACE), *at) for at in high]
    globes += [placed(garden.lamp_globes(TOP - TERRACE), *at) for at in high]
    return [
        fixed("lamp posts", merge(posts), garden.IRON, forbidden=True),
        fixed("lamps", merge(globes), garden.LAMPLIGHT, forbidden=True),
    ]
