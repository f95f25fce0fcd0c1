"""Three levels of a platform game: islands in the air and what moves between them.

For pursuits (levine2011, section 7.3): somebody runs from place to place, and somebody else follows
over platforms that slide, rise and sink, and circle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.world.body import Body
from surefoot.world.keyframes import Keyframed
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.primitives import ball, box, cylinder, placed, rod, slab, turned
from surefoot.world.scenes.building import fixed
from surefoot.world.scenes.registry import scene
from surefoot.world.trajectory import Trajectory
from surefoot.world.world import World

HORIZON = 60.0
"""[s] How long a way may take; platforms never stop."""

GRASS = (0.30, 0.55, 0.18)
SOIL = (0.45, 0.28, 0.15)
BRICK = (0.70, 0.36, 0.20)
PIPE = (0.12, 0.52, 0.20)
COIN = (0.92, 0.72, 0.10)
POLE = (0.75, 0.77, 0.80)
FLAG = (0.10, 0.45, 0.20)
CLOUD = (0.93, 0.95, 0.98)
MOVERS = ((0.16, 0.45, 0.75), (0.72, 0.26, 0.22), (0.50, 0.30, 0.62), (0.86, 0.55, 0.14))

At = tuple[float, float, float]


@dataclass(frozen=True)
class Island:
    """A block in the air: the middle of its top [m], its sides along x and y [m], its shape."""

    at: At
    size: tuple[float, float]
    round: bool = False


@scene("platform game 1", "islands in the air, and platforms that slide between them",
       horizon=HORIZON)  # fmt: skip
def first() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    islands = [
        Island((0.0, 0.0, 0.0), (7.0, 6.0)),
        Island((17.0, 0.0, 0.0), (7.0, 6.0)),
        Island((17.0, 15.0, 0.2), (7.0, 6.0)),
        Island((0.0, 15.0, 0.1), (7.0, 6.0)),
    ]
    # Two on every way, against each other: one is never far.
    movers = [
        _slide((4.85, -1.6, 0.0), (12.15, -1.6, 0.0), 1.2),
        _slide((12.15, 1.6, 0.0), (4.85, 1.6, 0.0), 1.2),
        _slide((15.4, 4.35, 0.05), (15.4, 10.65, 0.15), 1.1),
        _slide((18.6, 10.65, 0.15), (18.6, 4.35, 0.05), 1.1),
        _slide((12.15, 16.6, 0.15), (4.85, 16.6, 0.1), 1.3),
        _slide((4.85, 13.4, 0.1), (12.15, 13.4, 0.15), 1.3),
        _slide((-1.6, 10.65, 0.1), (-1.6, 4.35, 0.0), 1.0),
        _slide((1.6, 4.35, 0.0), (1.6, 10.65, 0.1), 1.0),
    ]
    return _made("platform game 1", islands, movers, (0, 2))


@scene("platform game 2", "islands on three levels, with platforms that slide, rise and sink",
       horizon=HORIZON)  # fmt: skip
def second() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    islands = [
        Island((0.0, 0.0, 0.0), (7.0, 7.0)),
        Island((9.7, 0.0, 2.2), (7.0, 7.0)),
        Island((9.7, 16.0, 2.2), (7.0, 7.0)),
        Island((-5.0, 16.0, 4.2), (7.0, 7.0)),
        Island((-5.0, 32.0, 4.2), (7.0, 7.0)),
    ]
    movers = [
        _slide((4.85, 0.0, 0.0), (4.85, 0.0, 2.2), 0.6),
        _slide((9.7, 4.85, 2.2), (9.7, 11.15, 2.2), 1.2),
        _slide((4.85, 16.0, 2.2), (-0.15, 16.0, 4.2), 1.1),
        _slide((-5.0, 20.85, 4.2), (-5.0, 27.15, 4.2), 1.3),
    ]
    return _made("platform game 2", islands, movers, (0, 4))


@scene("platform game 3", "islands about a pit, with platforms that circle over it",
       horizon=HORIZON)  # fmt: skip
def third() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    ring = 12.0
    islands = [
        Island((ring, 0.0, 0.0), (6.0, 8.0)),
        Island((0.0, ring, 0.15), (8.0, 6.0)),
        Island((-ring, 0.0, 0.0), (6.0, 8.0)),
        Island((0.0, -ring, 0.15), (8.0, 6.0)),
        Island((0.0, 0.0, 0.1), (11.8, 11.8), round=True),
    ]
    movers = [_circle(7.6, 40.0, k / 6, 0.05) for k in range(6)]
    return _made("platform game 3", islands, movers, (0, 2))


def _made(
    name: str, islands: Sequence[Island], movers: Sequence[Trajectory],
    ends: tuple[int, int],
) -> tuple[World, Mapping[str, Place]]:  # fmt: skip
    bodies: list[Body] = []
    for number, island in enumerate(islands, 1):
        bodies += _island(f"island {number}", island)
    for number, trajectory in enumerate(movers, 1):
        color = MOVERS[number % len(MOVERS)]
        bodies += _platform(f"platform {number}", trajectory, color)
    scenery = [*_coins(islands), *_bricks(islands), *_flag(islands[ends[1]]), *_clouds(islands)]
    world = World([*bodies, *scenery], name=name)
    places = {"start": _middle(islands[ends[0]]), "goal": _middle(islands[ends[1]])}
    places |= {f"island {i}": _middle(island) for i, island in enumerate(islands, 1)}
    return world, {title: world.place(point) for title, point in places.items()}


def _middle(island: Island) -> At:
    x, y, z = island.at
    return x, y, z + 0.4


def _island(name: str, island: Island) -> list[Body]:
    """Grass on soil that narrows downward, with a pipe in a corner."""
    (x, y, z), (long, wide) = island.at, island.size
    layers = [_layer(island, 0.0, 0.35, 0.0)]
    layers += [_layer(island, 0.5 + 1.1 * k, 0.8, 0.35 + 0.8 * k) for k in range(3)]
    share = 0.3 if island.round else 0.5
    corner = (x - share * long + 0.7, y + share * wide - 0.7)
    pipe = [
        placed(cylinder(0.42, 0.75, 20), *corner, z),
        placed(cylinder(0.52, 0.25, 20), *corner, z + 0.75),
    ]
    return [
        fixed(name, layers[0], GRASS),
        fixed(f"{name} soil", merge(layers[1:]), SOIL),
        fixed(f"{name} pipe", merge(pipe), PIPE, furniture=True, forbidden=True),
    ]


def _layer(island: Island, narrower: float, thick: float, below: float) -> Mesh:
    (x, y, z), (long, wide) = island.at, island.size
    if island.round:
        return placed(cylinder((long - narrower) / 2, thick, 40), x, y, z - below - thick)
    return slab((long - narrower, wide - narrower, thick), (x, y, z - below))


def _platform(name: str, trajectory: Trajectory, color: tuple[float, float, float]) -> list[Body]:
    """A square of 2 m with a rim of bolts below."""
    under: list[Mesh] = [box((1.6, 1.6, 0.2), (0.0, 0.0, -0.34))]
    under += [turned([(0.0, -0.75), (0.16, -0.6), (0.2, -0.44)], 12)]
    return [
        Body(name=name, mesh=slab((2.0, 2.0, 0.24)), trajectory=trajectory, color=color),
        Body(name=f"{name} motor", mesh=merge(under), trajectory=trajectory, color=BRICK,
             tags={"forbidden": True}),
    ]  # fmt: skip


def _coins(islands: Sequence[Island]) -> list[Body]:
    """Upright, over the heads: nobody bumps into them."""
    coins = [
        rod((x + dx, y - 0.04, z + 2.7), (x + dx, y + 0.04, z + 2.7), 0.26, 20)
        for x, y, z in (island.at for island in islands)
        for dx in (-1.0, 0.0, 1.0)
    ]
    return [fixed("coins", merge(coins), COIN, forbidden=True)]


def _bricks(islands: Sequence[Island]) -> list[Body]:
    """Rows of blocks in the air over every other island."""
    blocks = [
        box((0.56, 0.56, 0.56), (x + 0.6 * k, y - 1.8, z + 3.1))
        for x, y, z in (island.at for island in islands[::2])
        for k in range(-2, 3)
    ]
    return [fixed("bricks", merge(blocks), BRICK, forbidden=True)]


def _flag(island: Island) -> list[Body]:
    """Where the level ends: a pole with a ball and a flag, in a corner."""
    (x, y, z), (long, wide) = island.at, island.size
    at = (x + 0.5 * long - 0.7, y + 0.5 * wide - 0.7)
    pole = [rod((*at, z), (*at, z + 4.0), 0.06), ball(0.14, (*at, z + 4.1))]
    cloth = box((0.04, 0.9, 0.6), (at[0], at[1] - 0.48, z + 3.6))
    return [
        fixed("flag pole", merge(pole), POLE, furniture=True, forbidden=True),
        fixed("flag", cloth, FLAG, forbidden=True),
    ]


def _clouds(islands: Sequence[Island]) -> list[Body]:
    """Behind and below it all."""
    middle = np.mean([island.at for island in islands], axis=0)
    round_about = ((17.0, 0.4), (20.0, 1.7), (22.0, 2.6), (18.0, 3.9), (21.0, 5.2))
    puffs = [
        ball(size, (middle[0] + far * np.cos(a) + dx, middle[1] + far * np.sin(a), -3.0 + dz), 16)
        for k, (far, a) in enumerate(round_about)
        for dx, dz, size in ((-1.5, 0.0, 1.1), (0.0, 0.5 + 0.1 * k, 1.6), (1.6, 0.1, 1.2))
    ]
    return [fixed("clouds", merge(puffs), CLOUD, forbidden=True)]


def _slide(one: At, other: At, speed: float) -> Trajectory:
    """To and fro between two places, at most at `speed` [m/s], with a stop of 2 s at each."""
    first, last = np.array(one), np.array(other)
    lasts = 1.5 * float(np.linalg.norm(last - first)) / speed
    keys = np.array([0.0, 2.0, 2.0 + lasts, 4.0 + lasts, 4.0 + 2 * lasts])
    still = np.zeros((5, 3))
    return Keyframed(
        keys, np.array([first, first, last, last, first]), interpolation="cubic",
        tangents=(still, still), repeat="loop",
    )  # fmt: skip


def _circle(radius: float, lasts: float, share: float, z: float) -> Trajectory:
    """Round the origin once in `lasts` [s], from a share of the way on, without turning."""
    count = 32
    angles = 2 * np.pi * (share + np.arange(count + 1) / count)
    spots = np.stack([radius * np.cos(angles), radius * np.sin(angles), 0 * angles + z], axis=1)
    rate = 2 * np.pi / lasts
    tangents = rate * np.stack([-spots[:, 1], spots[:, 0], 0 * angles], axis=1)
    return Keyframed(
        np.linspace(0.0, lasts, count + 1), spots, interpolation="cubic",
        tangents=(tangents, tangents), repeat="loop",
    )  # fmt: skip
