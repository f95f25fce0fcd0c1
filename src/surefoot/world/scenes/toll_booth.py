"""Two toll booths: the same but for how fast and how often cars come (levine2011, section 7.1).

Six lanes lead between booths with barriers. The way leads across five of them, between cars that
brake, stop and go on; up a ramp to a loading stage; from there onto the bed of a truck; and off it
again onto a dock that nothing else leads to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from surefoot.world.body import Body
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.primitives import box, placed, ramp, slab
from surefoot.world.scenes import traffic
from surefoot.world.scenes.building import STEEL, STONE, WALL, Box, fixed, of_boxes
from surefoot.world.scenes.registry import scene
from surefoot.world.scenes.traffic import Stop
from surefoot.world.world import World

HORIZON = 60.0
"""[s] Until then traffic goes on."""

LANE, ISLAND = 3.0, 0.8
"""[m] How wide a lane is, and the island between two of them."""

LANES = (*((LANE + ISLAND) * i for i in range(5)), 23.0)
"""[m] y of the lanes' middles; the last one is for trucks."""

STAGE, DOCK, BED = 0.95, 1.15, 1.05
"""[m] How high the loading stage, the dock and the beds of trucks are."""

STAGE_X, DOCK_X = (-10.0, -2.5), (2.2, 14.2)
"""[m] From where to where the stage and the dock reach along the road."""

RAMP = 2.85
"""[m] How long the ramp up to the stage is."""

LENGTH, FAR = 44.0, 150.0
"""[m] How long the part of the road is where anybody goes, and how far it can be seen."""

BARRIER_X = 2.4
ASPHALT = (0.23, 0.23, 0.24)
WHITE = (0.82, 0.82, 0.80)
GRASS = (0.34, 0.42, 0.24)
CURB = (0.66, 0.65, 0.62)
CANOPY = (0.20, 0.36, 0.52)
GLASS = (0.20, 0.26, 0.30)


@dataclass(frozen=True)
class Lane:
    """How cars come in a lane.

    Attributes:
        speed: [m/s].
        first: [s] when the first car stops at the booth.
        every: [s] from car to car.
        cars: how many.
    """

    speed: float
    first: float
    every: float
    cars: int = 6


DWELL, LOADING, BRAKE = 2.4, 4.0, 2.6
"""[s] How long cars and trucks stop, and brake."""

FIRST = (Lane(4.0, -10.3, 11.0), Lane(5.0, -4.1, 10.0), Lane(3.5, -10.4, 12.0),
         Lane(4.5, -4.1, 10.5), Lane(4.0, -4.3, 11.5), Lane(1.9, -2.2, 12.0))  # fmt: skip
SECOND = (Lane(5.5, -8.7, 9.5), Lane(3.5, -4.2, 12.0), Lane(6.0, -6.1, 9.5),
         Lane(4.0, -0.9, 11.0), Lane(5.0, -3.9, 10.5), Lane(1.7, -2.4, 12.5))  # fmt: skip


@scene(
    "toll booth 1",
    "six lanes of cars between booths, and trucks that alone lead up to a dock",
    horizon=HORIZON,
)
def first() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    return _made("toll booth 1", FIRST)


@scene(
    "toll booth 2",
    "the first toll booth with cars at other speeds",
    horizon=HORIZON,
)
def second() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    return _made("toll booth 2", SECOND)


def _made(name: str, lanes: tuple[Lane, ...]) -> tuple[World, Mapping[str, Place]]:
    world = World([*_ground(), *_islands(), *_stages(), *_canopy(), *_traffic(lanes)], name=name)
    points = {"start": (-8.5, -2.4, 0.5), "goal": (5.5, 25.4, DOCK + 0.3)}
    return world, {name: world.place(point) for name, point in points.items()}


def _ground() -> list[Body]:
    south, north = LANES[0] - LANE / 2, LANES[-1] + LANE / 2
    middle, width = (south + north) / 2, north - south
    near: list[Box] = []
    beyond: list[Box] = []
    between = [LANES[i] + (LANE + ISLAND) / 2 for i in range(4)]
    rims = [south + 0.1, LANES[4] + LANE / 2 - 0.1, LANES[5] - LANE / 2 + 0.1, north - 0.1]
    for y in [*between, *rims]:
        dashed = LANES[0] < y < LANES[4]
        for x in np.arange(-FAR + 2.0, FAR, 4.5 if dashed else 10.0).tolist():
            if abs(x) > 8.0 or not dashed:
                marks = near if abs(x) < LENGTH / 2 else beyond
                marks.append(((2.0 if dashed else 10.0, 0.1, 0.004), (x, y, 0.002)))
    walk = south - 3.0
    bodies = [
        fixed("road", slab((LENGTH, width, 0.3), (0.0, middle, 0.0)), ASPHALT, road=True),
        fixed("lane marks", of_boxes(near), WHITE, road=True),
        fixed("lane marks beyond", of_boxes(beyond), WHITE, road=True, forbidden=True),
        fixed("south walk", slab((LENGTH, 6.0, 0.4), (0.0, walk, 0.12)), CURB),
        fixed("verge", slab((2 * FAR, 16.0, 0.3), (0.0, north + 8.0, 0.0)), GRASS, forbidden=True),
    ]
    # Where nobody goes.
    far, x = FAR - LENGTH / 2, (FAR + LENGTH / 2) / 2
    roads = [slab((far, width, 0.3), (side * x, middle, 0.0)) for side in (-1, 1)]
    walks = [slab((far, 6.0, 0.4), (side * x, walk, 0.12)) for side in (-1, 1)]
    bodies.append(fixed("road beyond", merge(roads), ASPHALT, road=True, forbidden=True))
    bodies.append(fixed("south walk beyond", merge(walks), CURB, forbidden=True))
    return bodies


def _islands() -> list[Body]:
    curbs: list[Mesh] = []
    booths: list[Mesh] = []
    panes: list[Mesh] = []
    for i in range(5):
        y = LANES[i] + (LANE + ISLAND) / 2 if i < 4 else LANES[4] + LANE / 2 + 0.4
        curbs.append(slab((13.0, ISLAND, 0.3), (-0.5, y, 0.15)))
        booths.append(_booth(y))
        panes.append(_windows(y))
    posts = [box((0.26, 0.26, 1.05), (BARRIER_X, y - LANE / 2 - 0.15, 0.525)) for y in LANES]
    return [
        fixed("islands", merge(curbs), CURB),
        fixed("booths", merge(booths), WALL, forbidden=True),
        fixed("booth windows", merge(panes), GLASS, forbidden=True),
        fixed("barrier posts", merge(posts), (0.80, 0.62, 0.10), forbidden=True),
    ]


def _booth(y: float) -> Mesh:
    return of_boxes([
        ((2.0, 0.72, 1.05), (0.0, y, 0.15 + 0.525)),
        ((2.0, 0.72, 0.35), (0.0, y, 2.35)),
        ((0.16, 0.72, 1.0), (-0.92, y, 1.68)),
        ((0.16, 0.72, 1.0), (0.92, y, 1.68)),
        ((2.3, 1.0, 0.1), (0.0, y, 2.58)),
        ((0.3, 0.3, 0.8), (-5.6, y, 0.55)),
    ])  # fmt: skip


def _windows(y: float) -> Mesh:
    return box((1.7, 0.6, 1.0), (0.0, y, 1.68))


def _stages() -> list[Body]:
    """The loading stage with its ramp, between the fifth and the sixth lane, and the dock."""
    west, east = STAGE_X
    edge = LANES[5] - 1.2 - 0.35
    width = 2.0
    y = edge - width / 2
    foot = edge - width - RAMP
    up = placed(ramp(RAMP, 3.0, STAGE), west + 1.5, foot, 0.0, np.pi / 2)
    deck = slab((east - west, width, STAGE), ((west + east) / 2, y, STAGE))
    back = edge - width + 0.05
    begin = west + 3.0  # where the ramp ends
    rails: list[Box] = [((east - begin, 0.05, 0.05), ((begin + east) / 2, back, STAGE + h))
                        for h in (0.5, 0.95)]  # fmt: skip
    rails += [((0.05, 0.05, 0.95), (x, back, STAGE + 0.475))
              for x in np.linspace(begin + 0.1, east - 0.1, 4).tolist()]  # fmt: skip
    far = LANES[5] + 1.2 + 0.35
    begins, ends = DOCK_X
    length, x = ends - begins, (begins + ends) / 2
    dock = slab((length, 5.0, DOCK + 0.2), (x, far + 2.5, DOCK))
    line = slab((length, 0.12, 0.004), (x, far + 0.4, DOCK + 0.002))
    house = [box((5.0, 1.8, 2.6), (ends - 3.0, far + 4.0, DOCK + 1.3)),
             box((5.6, 2.6, 0.15), (ends - 3.0, far + 3.8, DOCK + 2.68))]  # fmt: skip
    crates = [box((0.9, 0.9, 0.8), (begins + 1.2, far + 4.2, DOCK + 0.4)),
              box((0.7, 0.7, 0.6), (begins + 2.2, far + 4.4, DOCK + 0.3))]  # fmt: skip
    return [
        fixed("stage", deck, STONE),
        fixed("ramp", up, STONE),
        fixed("stage rail", of_boxes(rails), STEEL, forbidden=True),
        fixed("dock", dock, STONE),
        fixed("dock line", line, (0.86, 0.65, 0.10)),
        fixed("dock house", merge(house), (0.60, 0.36, 0.27), forbidden=True),
        fixed("dock crates", merge(crates), (0.48, 0.34, 0.19), forbidden=True),
    ]


def _canopy() -> list[Body]:
    """A roof over the booths on columns that stand on the islands."""
    south, north = LANES[0] - LANE / 2 - 1.0, LANES[4] + LANE / 2 + 1.2
    middle, width = (south + north) / 2, north - south
    roof: list[Box] = [((8.0, width, 0.25), (0.0, middle, 5.3)),
                       ((0.2, width + 0.2, 0.7), (-4.0, middle, 5.4)),
                       ((0.2, width + 0.2, 0.7), (4.0, middle, 5.4))]  # fmt: skip
    columns: list[Box] = []
    for i in range(5):
        y = LANES[i] + (LANE + ISLAND) / 2 if i < 4 else LANES[4] + LANE / 2 + 0.4
        columns += [((0.3, 0.3, 5.1), (x, y, 2.6)) for x in (-3.2, 3.2)]
    signs: list[Box] = [((0.06, 1.6, 0.55), (-4.15, y, 5.35)) for y in LANES[:5]]
    return [
        fixed("canopy", of_boxes(roof), CANOPY, forbidden=True),
        fixed("columns", of_boxes(columns), STEEL, forbidden=True),
        fixed("signs", of_boxes(signs), (0.15, 0.55, 0.22), forbidden=True),
    ]


def _traffic(lanes: tuple[Lane, ...]) -> list[Body]:
    bodies: list[Body] = []
    for number, (y, lane) in enumerate(zip(LANES, lanes, strict=True), 1):
        trucks = number == len(LANES)
        # The front stops short of the barrier: so far ahead of the middle it is.
        stop = BARRIER_X - 0.7 - (5.4 if trucks else 2.15)
        dwell = LOADING if trucks else DWELL
        for k in range(lane.cars):
            halt = Stop(x=stop, arrives=lane.first + lane.every * k, lasts=dwell)
            trajectory = traffic.stopping(y, lane.speed, halt, until=HORIZON, brake=BRAKE)
            if trucks:
                bodies += traffic.truck(f"truck {k + 1}", trajectory, k, BED)
            else:
                bodies += traffic.car(f"car {number}.{k + 1}", trajectory, number + 2 * k)
        up = lane.first + dwell
        # It stays up until the whole vehicle is past.
        past = up + (11.0 if trucks else 6.5) / lane.speed + 1.8
        keys = [up - 1.0, up, past, past + 1.0, up - 1.0 + lane.every]
        pivot = (BARRIER_X, y - LANE / 2 - 0.15, 1.0)
        bodies += traffic.barrier(f"barrier {number}", pivot, LANE - 0.1, keys)
    return bodies
