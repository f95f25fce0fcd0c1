"""A highway: two carriageways to cross, on foot or above them (levine2011, section 7.1).

Straight across is the quickest, between cars and trucks; a footbridge leads over the first
carriageway, and a platform that hangs from a beam carries people over the second, without a step
on the road and with little to do.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.world.body import Body, Tag
from surefoot.world.keyframes import Keyframed
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.primitives import placed, ramp, slab
from surefoot.world.scenes import traffic
from surefoot.world.scenes.building import MOVER, STEEL, STONE, Box, Color, fixed, of_boxes
from surefoot.world.scenes.registry import scene
from surefoot.world.world import World

HORIZON = 60.0
"""[s] Until then traffic goes on."""

WIDTH = 3.5
"""[m] How wide a lane is."""

EASTWARD = (1.75, 5.25, 8.75)
WESTWARD = (14.75, 18.25, 21.75)
"""[m] y of the lanes' middles."""

MEDIAN = (10.5, 13.0)
NORTH = 23.5
DECK = 3.1
"""[m] How high the bridge is."""

BRIDGE = (7.0, 10.0)
"""[m] From where to where the bridge reaches along the road."""

REACH = (-16.0, 16.0)
"""[m] From where to where along the road anybody goes."""

FAR = 240.0
"""[m] How far the road can be seen both ways."""

RAMP = 8.6
"""[m] How long a ramp up to the bridge is."""

ASPHALT = (0.22, 0.22, 0.23)
WHITE = (0.82, 0.82, 0.80)
GRASS = (0.33, 0.42, 0.23)
CURB = (0.66, 0.65, 0.62)
SIGN = (0.10, 0.28, 0.52)

SPEEDS = {1.75: 2.5, 5.25: 6.0, 8.75: 8.0, 14.75: 8.5, 18.25: 6.5, 21.75: 2.5}
"""[m/s] in each lane; the slow ones are for trucks."""

FIRST = {1.75: -17.5, 5.25: -43.2, 8.75: -76.1, 14.75: -63.0, 18.25: -44.9, 21.75: -13.9}
"""[m] in the direction of travel: where the third vehicle of each lane is at t = 0."""

APART = 6.0
"""[s] from car to car: so far apart that one can pass between two of them on foot."""


@scene(
    "highway",
    "two carriageways: across them between cars, or over a bridge and on a hanging platform",
    horizon=HORIZON,
)
def make() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    bodies = [*_ground(), *_bridge(), *_gantries(), *_traffic(), *_carrier()]
    world = World(bodies, name="highway")
    points = {"start": (-2.5, -1.4, 0.5), "goal": (-2.5, 25.0, 0.5), "bridge": (8.5, 6.0, 4.0)}
    return world, {name: world.place(point) for name, point in points.items()}


def _ground() -> list[Body]:
    west, east = REACH
    near_lines: list[Box] = []
    far_lines: list[Box] = []
    for x in np.arange(-FAR + 2.0, FAR, 5.0).tolist():
        dashes = near_lines if west < x < east else far_lines
        dashes += [((2.0, 0.12, 0.004), (x, y, 0.002)) for y in (3.5, 7.0, 16.5, 20.0)]
    for y in (0.15, MEDIAN[0] - 0.15, MEDIAN[1] + 0.15, NORTH - 0.15):
        for rims, begin, end in (
            (far_lines, -FAR, west), (near_lines, west, east), (far_lines, east, FAR)
        ):  # fmt: skip
            rims.append(((end - begin, 0.12, 0.004), ((begin + end) / 2, y, 0.002)))
    strips: list[tuple[str, float, float, float, Color]] = [
        ("eastward road", 0.0, MEDIAN[0], 0.0, ASPHALT),
        ("westward road", MEDIAN[1], NORTH, 0.0, ASPHALT),
        ("median", *MEDIAN, 0.12, GRASS),
        ("south walk", -5.5, 0.0, 0.12, CURB),
        ("north walk", NORTH, NORTH + 5.5, 0.12, CURB),
    ]
    bodies: list[Body] = []
    for name, low, high, top, color in strips:
        tags: dict[str, Tag] = {"road": True} if name.endswith("road") else {}
        near, beyond = _along(low, high, top)
        bodies.append(fixed(name, near, color, **tags))
        bodies.append(fixed(f"{name} beyond", beyond, color, **tags, forbidden=True))
    far_marks = of_boxes(far_lines)
    return [
        *bodies,
        fixed("lane marks", of_boxes(near_lines), WHITE, road=True),
        fixed("lane marks beyond", far_marks, WHITE, road=True, forbidden=True),
    ]


def _along(low: float, high: float, top: float) -> tuple[Mesh, Mesh]:
    """A strip along the road from y to y [m]: where one may go, and what lies farther off."""
    west, east = REACH
    y, width, deep = (low + high) / 2, high - low, 0.3 + top

    def piece(begin: float, end: float) -> Mesh:
        return slab((end - begin, width, deep), ((begin + end) / 2, y, top))

    return piece(west, east), merge([piece(-FAR, west), piece(east, FAR)])


def _bridge() -> list[Body]:
    """Ramps on both sides, a bridge to the median, a landing on the far side; rails and columns."""
    west, east = BRIDGE
    x, wide = (west + east) / 2, east - west
    decks: list[Box] = [
        ((wide, 16.4, 0.25), (x, 3.4, DECK - 0.125)),  # from -4.8 m to the median
        ((wide, 4.2, 0.25), (x, NORTH + 2.4, DECK - 0.125)),
    ]
    rails: list[Box] = []
    for low, high in ((-1.9, 11.6), (NORTH + 0.3, NORTH + 1.4)):
        for side in (west + 0.05, east - 0.05):
            rails += [((0.06, high - low, 0.06), (side, (low + high) / 2, DECK + h))
                      for h in (0.5, 1.0)]  # fmt: skip
            rails += [((0.06, 0.06, 1.0), (side, float(y), DECK + 0.5))
                      for y in np.arange(low, high + 0.1, 1.5)]  # fmt: skip
    columns: list[Box] = [((0.5, 0.5, DECK - 0.25), (cx, y, (DECK - 0.25) / 2))
                          for cx in (west + 0.4, east - 0.4)
                          for y in (-0.6, 11.2, NORTH + 0.8)]  # fmt: skip
    ramps = [placed(ramp(RAMP, 2.6, DECK - 0.12), west - RAMP, y, 0.12)
             for y in (-3.4, NORTH + 3.1)]  # fmt: skip
    return [
        fixed("bridge", of_boxes(decks), STONE),
        fixed("bridge rails", of_boxes(rails), STEEL, forbidden=True),
        fixed("bridge columns", of_boxes(columns), STONE, forbidden=True),
        fixed("south ramp", ramps[0], STONE),
        fixed("north ramp", ramps[1], STONE),
    ]


def _carrier() -> list[Body]:
    """A platform that hangs from a beam over the westward carriageway and goes to and fro."""
    near, far = 11.6 + 0.35 + 1.3, NORTH + 0.3 - 0.35 - 1.3
    pause, crossing = 2.0, 5.0
    keys = np.array([0.0, pause, pause + crossing, 2 * pause + crossing, 2 * (pause + crossing)])
    x = sum(BRIDGE) / 2
    spots = np.array([[x, y, DECK] for y in (near, near, far, far, near)])
    still = np.zeros_like(spots)
    sway = Keyframed(keys, spots, interpolation="cubic", tangents=(still, still), repeat="loop")
    hangers: list[Box] = [((0.06, 0.06, 2.6), (sx * 1.35, sy * 1.2, 1.3))
                          for sx in (-1, 1) for sy in (-1, 1)]  # fmt: skip
    hangers += [((2.9, 0.3, 0.2), (0.0, sy * 1.2, 2.7)) for sy in (-1, 1)]
    hangers += [((0.06, 2.5, 0.06), (sx * 1.35, 0.0, 1.0)) for sx in (-1, 1)]
    beam: list[Box] = [((0.4, NORTH - 8.0, 0.5), (x, (NORTH + 8.0) / 2 + 1.2, DECK + 3.1))]
    beam += [((0.3, 0.3, 3.0), (x + side * 1.8, y, DECK + 1.3))
             for y in (9.6, NORTH + 3.6) for side in (-1, 1)]  # fmt: skip
    beam += [((4.0, 0.3, 0.3), (x, y, DECK + 2.9)) for y in (9.6, NORTH + 3.6)]
    return [
        Body(name="carrier", mesh=slab((2.8, 2.6, 0.2)), trajectory=sway, color=MOVER),
        Body(name="carrier hangers", mesh=of_boxes(hangers), trajectory=sway, color=STEEL,
             tags={"forbidden": True}),
        fixed("carrier beam", of_boxes(beam), (0.80, 0.62, 0.10), forbidden=True),
    ]  # fmt: skip


def _gantries() -> list[Body]:
    frames: list[Box] = []
    signs: list[Box] = []
    for x in (-32.0, 44.0):
        span = NORTH + 2.0
        frames += [((0.35, 0.35, 6.2), (x, y, 3.1)) for y in (-1.0, sum(MEDIAN) / 2, NORTH + 1.0)]
        frames += [((0.3, span, 0.3), (x, NORTH / 2, z)) for z in (5.6, 6.4)]
        signs += [((0.08, 2.6, 1.4), (x + (-0.25 if y < MEDIAN[0] else 0.25), y, 6.0))
                  for y in (3.5, 7.4, 16.0, 20.0)]  # fmt: skip
    return [
        fixed("gantries", of_boxes(frames), STEEL, forbidden=True),
        fixed("gantry signs", of_boxes(signs), SIGN, forbidden=True),
    ]


def _traffic() -> list[Body]:
    bodies: list[Body] = []
    for number, y in enumerate((*EASTWARD, *WESTWARD), 1):
        speed, eastward = SPEEDS[y], y in EASTWARD
        slow = speed < 3.0
        apart = 24.0 if slow else APART * speed
        for k in range(6 if slow else 8):
            at = FIRST[y] + apart * (2 - k)
            trajectory = traffic.driving(
                y, speed, at if eastward else -at, eastward=eastward, until=HORIZON
            )
            if slow:
                bodies += traffic.truck(f"truck {number}.{k + 1}", trajectory, number + k, 1.05)
            else:
                bodies += traffic.car(f"car {number}.{k + 1}", trajectory, number + 3 * k)
    return bodies
