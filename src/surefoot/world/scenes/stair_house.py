"""A house of two floors: rooms, doors, furniture, a flight of stairs, a door that slides."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from surefoot.world.body import Body
from surefoot.world.keyframes import Keyframed
from surefoot.world.mesh import merge
from surefoot.world.place import Place
from surefoot.world.primitives import box, placed, slab, stairs
from surefoot.world.scenes.building import CLOTH, FLOOR, MOVER, WALL, WOOD, fixed, sofa, table, wall
from surefoot.world.scenes.registry import scene
from surefoot.world.world import World

STOREY = 2.72  # floor to floor: 16 steps of 17 cm
RISE, GOING, STEPS = 0.17, 0.28, 16


@scene("stair house", "two floors joined by a flight of stairs, with furniture and a sliding door")
def make() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    world = World([*_ground_floor(), *_upper_floor(), *_furniture(), _door()], name="stair house")
    points = {
        "start": (-3.6, -2.6, 0.5),
        "goal": (3.5, 2.6, STOREY + 0.5),
        "kitchen": (3.4, -2.0, 0.5),
        "balcony": (-3.8, 2.8, STOREY + 0.5),
        "garden": (0.0, -6.0, 0.5),
    }
    return world, {name: world.place(point) for name, point in points.items()}


def _ground_floor() -> list[Body]:
    height = 2.5
    outer = [
        wall((-5.0, -4.0), (5.0, -4.0), height, openings=[(1.0, 2.2)], lintel=2.1),
        wall((-5.0, 4.0), (5.0, 4.0), height),
        wall((-5.0, -3.94), (-5.0, 3.94), height),
        wall((5.0, -3.94), (5.0, 3.94), height),
    ]
    inner = [
        wall((0.6, -3.94), (0.6, 0.9), height, openings=[(2.6, 3.7)], lintel=2.1),
        wall((-4.94, 0.9), (4.94, 0.9), height, openings=[(2.4, 3.5), (7.2, 8.3)], lintel=2.1),
    ]
    return [
        fixed("garden", slab((24.0, 20.0, 0.3), (0.0, 0.0, 0.0)), (0.55, 0.62, 0.42)),
        fixed("floor", slab((10.2, 8.2, 0.05), (0.0, 0.0, 0.05)), FLOOR),
        fixed("outer walls", merge(outer), WALL),
        fixed("inner walls", merge(inner), WALL),
    ]


def _upper_floor() -> list[Body]:
    # The flight rises along +x against the north wall; the floor above leaves its well open.
    flight = placed(stairs(STEPS - 1, 1.1, RISE, GOING), -2.6, 3.35, 0.05)
    top = STOREY + 0.05
    thickness = 0.18
    well_from, well_to = -2.6, -2.6 + GOING * (STEPS - 1)
    floor = [
        slab((10.2, 6.8, thickness), (0.0, -0.7, top)),
        slab((well_from + 5.1, 1.4, thickness), ((well_from - 5.1) / 2, 3.4, top)),
        slab((5.1 - well_to, 1.4, thickness), ((well_to + 5.1) / 2, 3.4, top)),
    ]
    guard = [
        box((well_to - well_from, 0.06, 1.0), ((well_from + well_to) / 2, 2.66, top + 0.5)),
        box((0.06, 1.3, 1.0), (well_from - 0.05, 3.35, top + 0.5)),
    ]
    edge = [
        box((10.2, 0.08, 1.0), (0.0, -4.06, top + 0.5)),
        box((10.2, 0.08, 1.0), (0.0, 4.06, top + 0.5)),
        box((0.08, 8.0, 1.0), (-5.06, 0.0, top + 0.5)),
        box((0.08, 8.0, 1.0), (5.06, 0.0, top + 0.5)),
    ]
    return [
        fixed("stairs", flight, WOOD),
        fixed("upper floor", merge(floor), FLOOR),
        fixed("stair guard", merge(guard), WOOD),
        fixed("parapet", merge(edge), WALL),
    ]


def _furniture() -> list[Body]:
    top = STOREY + 0.05
    pieces = {
        "sofa": (placed(sofa(2.0), -3.2, -0.2, 0.05, math.pi), CLOTH),
        "low table": (placed(table(1.1, 0.6, 0.42), -3.2, -1.5, 0.05), WOOD),
        "dining table": (placed(table(1.8, 0.9), 3.0, -0.6, 0.05), WOOD),
        "kitchen counter": (placed(box((3.6, 0.6, 0.9), (0, 0, 0.45)), 3.0, -3.5, 0.05), WALL),
        "shelf": (placed(box((0.35, 1.6, 1.9), (0, 0, 0.95)), -0.1 + 0.35, -2.9, 0.05), WOOD),
        "bed": (placed(box((2.0, 1.6, 0.5), (0, 0, 0.25)), 3.6, -2.6, top), CLOTH),
        "desk": (placed(table(1.4, 0.7), -3.8, -3.2, top), WOOD),
    }
    return [
        fixed(name, mesh, color, furniture=True, forbidden=True)
        for name, (mesh, color) in pieces.items()
    ]


def _door() -> Body:
    # Slides aside along the inner wall: shut for 7 s, open for 6 s.
    shut, aside = (-1.99, 0.9, 0.05), (-0.85, 0.9, 0.05)
    motion = Keyframed(
        np.array([0.0, 7.0, 8.0, 14.0, 15.0]),
        np.array([shut, shut, aside, aside, shut]),
        repeat="loop",
    )
    leaf = box((1.1, 0.05, 2.05), (0.0, 0.0, 1.025))
    return Body(name="sliding door", mesh=leaf, trajectory=motion, color=MOVER)
