"""A living room with a gallery, and books that fly between the two floors (lopez2012, section 5).

Furniture for grown-ups, to somebody half a metre tall: tables to walk under, a bench and shelves
that leave only a crouch, cushions to climb, and books that rise and sink.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.arrays import Floats
from surefoot.math import rotations
from surefoot.math.transforms import Pose
from surefoot.world.body import Body
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.primitives import box, cylinder, placed, slab, turned
from surefoot.world.scenes.building import enlarged, fixed
from surefoot.world.scenes.disconnected import slide, wander
from surefoot.world.scenes.registry import scene
from surefoot.world.trajectory import Static, Trajectory
from surefoot.world.world import World

HORIZON = 180.0
"""[s] How long a way may take; books never stop."""

UP = 2.0
"""[m] Height of the gallery."""

WOOD, CLOTH, LEAF = (0.58, 0.38, 0.20), (0.36, 0.50, 0.42), (0.16, 0.42, 0.14)
WALL, PARQUET, POT = (0.84, 0.82, 0.78), (0.66, 0.52, 0.36), (0.60, 0.30, 0.18)
BOOKS = ((0.70, 0.16, 0.16), (0.16, 0.30, 0.62), (0.16, 0.48, 0.30), (0.80, 0.58, 0.14))


@scene("living room", "furniture, a gallery, and books that fly between two floors, for somebody "
       "small",
       horizon=HORIZON)  # fmt: skip
def living_room() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    return made(0)


def made(seed: int, scale: float = 1.0) -> tuple[World, Mapping[str, Place]]:
    """The world with the flights of its books drawn from a seed.

    Args:
        seed: of the draw.
        scale: > 0: as much larger, for somebody who is not small.
    """
    rng = np.random.default_rng(seed)
    bodies = [*_room(), *_furniture(), *_books(rng)]
    world = World([enlarged(body, scale) for body in bodies], name="living room")
    places = {
        "start": Place("floor", np.array([-3.4, -2.4, 0.0])),
        "goal": Place("gallery", np.array([-3.0, 2.4, UP])),
        "gallery": Place("gallery", np.array([2.9, 2.4, UP])),
        "window": Place("floor", np.array([3.4, -2.4, 0.0])),
        "sofa": Place("sofa", np.array([-1.0, -2.35, 0.42])),
        "corner": Place("floor", np.array([3.4, 2.5, 0.0])),
    }
    return world, {name: Place(at.body, scale * at.position) for name, at in places.items()}


def _room() -> list[Body]:
    walls = [
        box((8.4, 0.2, 3.4), (0, -3.1, 1.7)), box((8.4, 0.2, 3.4), (0, 3.1, 1.7)),
        box((0.2, 6.4, 3.4), (-4.1, 0, 1.7)), box((0.2, 6.4, 3.4), (4.1, 0, 1.7)),
    ]  # fmt: skip
    posts = [box((0.15, 0.15, UP - 0.2), (x, 1.75, 0.5 * (UP - 0.2))) for x in (-3.9, 0.0, 3.9)]
    rails = [box((8.0, 0.05, 0.05), (0, 1.62, UP + 0.75))]
    rails += [box((0.04, 0.04, 0.75), (x, 1.62, UP + 0.375)) for x in np.arange(-3.9, 4.0, 1.3)]
    return [
        fixed("floor", slab((8.0, 6.0, 0.2)), PARQUET),
        fixed("walls", merge(walls), WALL, forbidden=True),
        fixed("gallery", slab((8.0, 1.4, 0.2), (0, 2.3, UP)), WOOD),
        fixed("gallery posts", merge(posts), WOOD, forbidden=True),
        fixed("gallery rail", merge(rails), WOOD, forbidden=True),
        fixed("rug", slab((2.6, 1.6, 0.015), (-0.8, -0.9, 0.015)), (0.55, 0.2, 0.2)),
    ]


def _furniture() -> list[Body]:
    low = [box((0.5, 3.4, 0.06), (1.3, -1.3, 0.33))]
    low += [box((0.4, 0.06, 0.3), (1.3, y, 0.15)) for y in (-2.9, -1.3, 0.35)]
    tv = [box((1.6, 0.45, 0.06), (3.4, -0.6, 0.45)), box((1.6, 0.04, 0.8), (3.4, -0.5, 0.9))]
    tv += [box((0.06, 0.4, 0.42), (x, -0.6, 0.21)) for x in (2.64, 4.0)]
    shelf = [box((2.2, 0.32, 0.04), (-1.6, 1.9, z)) for z in (0.28, 0.7, 1.1, 1.5)]
    shelf += [box((0.04, 0.32, 1.52), (x, 1.9, 0.76)) for x in (-2.7, -0.5)]
    shelf += [box((0.05, 0.22, 0.24), (-2.5 + 0.07 * k, 1.9, 0.84)) for k in range(18)]
    return [
        fixed("sofa", merge(_sofa(-1.0, -2.5)), CLOTH),
        fixed("armchair", merge(_sofa(-3.3, -0.9, long=0.9)), CLOTH),
        fixed("bench", merge(low), WOOD),
        fixed("television", merge(tv), (0.2, 0.2, 0.22)),
        fixed("bookshelf", merge(shelf), WOOD),
        fixed("table", merge(_table(2.5, 1.0, 1.5, 0.9, 0.75)), WOOD),
        fixed("coffee table", merge(_table(-0.8, -0.45, 1.1, 0.6, 0.42)), WOOD),
        *(fixed(f"chair {k}", merge(_chair(x, y, turn)), WOOD) for k, (x, y, turn) in enumerate(
            [(2.0, 0.35, 0.0), (3.0, 0.35, 0.0), (2.0, 1.62, np.pi), (3.0, 1.62, np.pi)], 1)),
        *(fixed(f"plant {k}", merge(_plant(x, y)), LEAF, forbidden=True)
          for k, (x, y) in enumerate([(-3.6, 0.6), (3.6, -1.9), (0.4, 2.7), (-0.2, 1.2)], 1)),
        fixed("lamp", merge(_lamp(-2.5, -2.7)), (0.8, 0.75, 0.6), forbidden=True),
        # Cushions and boxes to climb the sofa by.
        fixed("cushion", slab((0.6, 0.55, 0.14), (-1.0, -1.33, 0.14)), (0.7, 0.4, 0.3)),
        fixed("stool", slab((0.6, 0.45, 0.29), (-1.0, -1.84, 0.29)), WOOD),
        *(fixed(f"toy {k}", slab((0.2, 0.16, 0.12), (x, y, 0.12)), BOOKS[k % 4])
          for k, (x, y) in enumerate([(-2.2, 0.2), (-1.7, 0.7), (2.3, -2.2), (0.6, 0.9)], 1)),
    ]  # fmt: skip


def _sofa(x: float, y: float, long: float = 2.0) -> list[Mesh]:
    return [
        box((long, 0.85, 0.32), (x, y, 0.26)),
        box((long, 0.22, 0.5), (x, y - 0.31, 0.6)),
        *(box((0.2, 0.85, 0.5), (x + s * (0.5 * long + 0.1), y, 0.35)) for s in (-1, 1)),
        *(box((0.08, 0.08, 0.1), (x + sx * 0.45 * long, y + sy * 0.35, 0.05))
          for sx in (-1, 1) for sy in (-1, 1)),
    ]  # fmt: skip


def _table(x: float, y: float, long: float, wide: float, high: float) -> list[Mesh]:
    far, side, tall = 0.5 * long - 0.1, 0.5 * wide - 0.1, high - 0.05
    legs = [box((0.07, 0.07, tall), (x + sx * far, y + sy * side, 0.5 * tall))
            for sx in (-1, 1) for sy in (-1, 1)]  # fmt: skip
    return [slab((long, wide, 0.05), (x, y, high)), *legs]


def _chair(x: float, y: float, turn: float) -> list[Mesh]:
    parts = [box((0.42, 0.42, 0.05), (0, 0, 0.45)), box((0.42, 0.04, 0.5), (0, -0.2, 0.72))]
    parts += [box((0.04, 0.04, 0.43), (sx * 0.18, sy * 0.18, 0.215))
              for sx in (-1, 1) for sy in (-1, 1)]  # fmt: skip
    pose = Pose(np.array([x, y, 0.0]), rotations.from_yaw(turn))
    return [part.transformed(pose) for part in parts]


def _plant(x: float, y: float) -> list[Mesh]:
    crown = turned([(0.0, 0.35), (0.3, 0.55), (0.34, 0.8), (0.18, 1.05), (0.0, 1.15)], 18)
    return [placed(cylinder(0.16, 0.32, 18), x, y, 0.0), placed(crown, x, y, 0.0)]


def _lamp(x: float, y: float) -> list[Mesh]:
    shade = turned([(0.0, 1.4), (0.24, 1.4), (0.14, 1.7), (0.0, 1.7)], 18)
    foot = [placed(cylinder(0.16, 0.04, 18), x, y, 0.0), placed(cylinder(0.02, 1.4, 8), x, y, 0.0)]
    return [*foot, placed(shade, x, y, 0.0)]


def _books(rng: np.random.Generator) -> list[Body]:
    """Flying books: pairs that pass somebody on half-way up, and some that roam about."""
    out: list[Body] = []
    for k, (x, y) in enumerate([(-3.3, 1.0), (0.9, 1.0)]):
        low, half = np.array([x, y - 0.35, 0.16]), np.array([x, y - 0.35, 1.02])
        out.append(_book(2 * k + 1, slide(low, half, *_pace(rng))))
        low, high = np.array([x + 0.05, y + 0.38, 1.05]), np.array([x + 0.05, y + 0.38, UP])
        out.append(_book(2 * k + 2, slide(low, high, *_pace(rng))))
    for k in range(5, 9):
        way = wander(rng, np.array([-3.4, -2.4, 2.5]), np.array([3.4, 0.6, 3.1]))
        out.append(_book(k, way))
    # Scattered on the floor, where nobody picked them up.
    for k, (x, y) in enumerate([(-2.6, -1.6), (1.9, -0.2), (0.5, -0.4), (-1.2, 0.4)], 9):
        turn = rotations.from_yaw(float(rng.uniform(0, np.pi)))
        out.append(_book(k, Static(Pose(np.array([x, y, 0.03]), turn)), thick=0.03))
    return out


def _pace(rng: np.random.Generator) -> tuple[float, float, float]:
    return float(rng.uniform(0.35, 0.55)), float(rng.uniform(1.2, 2.0)), float(rng.uniform())


def _book(number: int, way: Trajectory, thick: float = 0.07) -> Body:
    size: Floats = np.array([0.62, 0.46, thick])
    return Body(name=f"book {number}", mesh=slab(tuple(size)), trajectory=way,
                color=BOOKS[number % len(BOOKS)])  # fmt: skip
