"""Two train yards: the same but for when the trains come (levine2011, section 7.1).

Four tracks lie between two platforms. Trains and cuts of cars roll side by side at different speeds
and heights. At no moment do they join one platform to the other: those on the first and on the
third track keep so far apart that no cut of cars on the second reaches both at once, even by the
longest jump. Who rides from one to the other gets across.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from surefoot.arrays import Floats
from surefoot.world.body import Body
from surefoot.world.keyframes import Keyframed
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.primitives import box, cylinder, placed, slab
from surefoot.world.scenes import rolling_stock
from surefoot.world.scenes.building import (
    STEEL,
    STONE,
    WARNING,
    WOOD,
    Box,
    Color,
    fixed,
    of_boxes,
)  # fmt: skip
from surefoot.world.scenes.registry import scene
from surefoot.world.scenes.rolling_stock import CAR, PITCH, WIDTH, Kind
from surefoot.world.world import World

HORIZON = 60.0
"""[s] Until then trains roll; then they have come to a stand."""

SPACING = 3.0
"""[m] From track to track: 0.4 m between decks."""

PLATFORM = 1.1
"""[m] How high platforms are."""

DECKS = (1.05, 1.2, 1.1, 1.25)
"""[m] How high the decks on each track are."""

SPEEDS = (0.6, 2.6, 0.6, 0.2)
"""[m/s] eastward, of the trains on each track."""

SOUTH, NORTH = (-26.0, -6.0), (10.0, 48.0)
"""[m] From where to where the platforms reach."""

LATE = 5.5
"""[s] By how much they come later in the second yard."""

CUTS = (-12.25, -29.1, -44.45, -59.8, -75.15)
"""[m] Where the cuts of cars on the second track begin at t = 0 in the first yard: just too far
apart to jump from one to the next."""

LENGTH = 340.0
"""[m] Of the tracks: no train rolls off them before it stands."""

COLORS = ((0.50, 0.16, 0.11), (0.14, 0.26, 0.42), (0.20, 0.33, 0.18), (0.55, 0.36, 0.12))
GRAVEL = (0.33, 0.31, 0.29)
SLEEPER = (0.22, 0.15, 0.10)
IRON = (0.13, 0.13, 0.14)
GLASS = (0.16, 0.20, 0.24)
YELLOW = (0.86, 0.65, 0.10)
LOADS = {"crates": (0.48, 0.34, 0.19), "pipes": STEEL, "tank": (0.62, 0.64, 0.66),
         "engine": WARNING}  # fmt: skip


@dataclass(frozen=True)
class Train:
    """A train.

    Attributes:
        track: from 0, the southernmost.
        west: [m] where its western end is at t = 0.
        cars: from the west.
    """

    track: int
    west: float
    cars: tuple[Kind, ...]


def _trains(late: float) -> list[Train]:
    """All trains; `late` [s] is by how much the cuts on the second track are behind."""
    back = late * (SPEEDS[1] - SPEEDS[0])
    cuts = [Train(1, west - back, ("flat", "flat")) for west in CUTS]
    return [
        Train(0, -35.8, ("engine", "crates", "flat", "flat")),
        *cuts,
        Train(2, 7.85, ("flat", "flat", "pipes", "engine")),
        Train(2, -90.0, ("flat", "tank", "engine")),
        Train(3, -19.9, ("engine", "flat", "tank")),
        Train(3, 4.1, ("flat", "flat", "flat", "crates", "engine")),
        Train(3, 46.1, ("engine", "flat", "flat", "box")),
    ]


@scene(
    "train yard 1",
    "four tracks between two platforms: no moment joins them, trains that roll by do",
    horizon=HORIZON,
)
def first() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    return _made("train yard 1", _trains(0.0))


@scene(
    "train yard 2",
    "the first train yard with cars on the second track that come later",
    horizon=HORIZON,
)
def second() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    return _made("train yard 2", _trains(LATE))


def _made(name: str, trains: Sequence[Train]) -> tuple[World, Mapping[str, Place]]:
    bodies = [*_tracks(), *_platforms(), *_furniture()]
    for number, train in enumerate(trains, 1):
        bodies += _train(f"train {number}", train)
    world = World(bodies, name=name)
    points = {
        "start": (-15.4, _edge(-1) - 3.0, PLATFORM + 0.2),
        "goal": (20.5, _edge(1) + 1.8, PLATFORM + 0.2),
    }
    return world, {name: world.place(point) for name, point in points.items()}


def _edge(side: int) -> float:
    """[m] y of a platform's edge: 0.4 m from the decks beside it."""
    outer = WIDTH / 2 + 0.4
    return -outer if side < 0 else SPACING * (len(DECKS) - 1) + outer


def _tracks() -> list[Body]:
    rails: list[Mesh] = []
    sleepers: list[Mesh] = []
    beds: list[Mesh] = []
    for track in range(len(DECKS)):
        rail, sleeper, bed = rolling_stock.track(LENGTH, SPACING * track)
        rails.append(rail)
        sleepers.append(sleeper)
        beds.append(bed)
    middle = SPACING * (len(DECKS) - 1) / 2
    ground = slab((LENGTH, 60.0, 0.3), (0.0, middle, -0.32))
    return [
        fixed("ground", ground, (0.42, 0.41, 0.33), forbidden=True),
        fixed("ballast", merge(beds), GRAVEL, forbidden=True),
        fixed("sleepers", merge(sleepers), SLEEPER, forbidden=True),
        fixed("rails", merge(rails), STEEL, forbidden=True),
    ]


def _platforms() -> list[Body]:
    bodies: list[Body] = []
    for name, side, (west, east) in (("south", -1, SOUTH), ("north", 1, NORTH)):
        edge, depth = _edge(side), 5.0
        length, x, y = east - west, (west + east) / 2, edge + side * depth / 2
        top = slab((length, depth, PLATFORM + 0.3), (x, y, PLATFORM))
        line = slab((length, 0.12, 0.004), (x, edge + side * 0.5, PLATFORM + 0.002))
        bodies.append(fixed(f"{name} platform", top, STONE))
        bodies.append(fixed(f"{name} line", line, YELLOW))
    return bodies


def _furniture() -> list[Body]:
    """Roofs on posts, benches, lamps and signals, all out of the way of trains."""
    posts: list[Mesh] = []
    roofs: list[Mesh] = []
    benches: list[Mesh] = []
    for side, (west, east) in ((-1, SOUTH), (1, NORTH)):
        y = _edge(side) + side * 3.9
        spots: Floats = np.linspace(west + 1.5, east - 1.5, 3)
        posts += [placed(cylinder(0.09, 2.9, 12), x, y, PLATFORM) for x in spots.tolist()]
        length, middle = east - west - 1.0, (west + east) / 2
        roofs.append(box((length, 2.2, 0.1), (middle, y, PLATFORM + 2.95)))
        roofs.append(box((length, 0.1, 0.25), (middle, y - side * 1.1, PLATFORM + 2.9)))
        seat: list[Box] = [
            ((1.6, 0.4, 0.06), (middle + 2.2, y, PLATFORM + 0.45)),
            ((1.6, 0.05, 0.4), (middle + 2.2, y + side * 0.2, PLATFORM + 0.75)),
            ((0.08, 0.36, 0.42), (middle + 1.6, y, PLATFORM + 0.21)),
            ((0.08, 0.36, 0.42), (middle + 2.8, y, PLATFORM + 0.21)),
        ]
        benches.append(of_boxes(seat))
    masts: list[Mesh] = []
    lamps: list[Mesh] = []
    for x, side in ((-32.0, -1), (-5.0, -1), (26.0, -1), (-28.0, 1), (-6.0, 1), (27.0, 1)):
        y = _edge(side) + side * 0.9
        masts.append(placed(cylinder(0.08, 4.6, 10), x, y, -0.32))
        masts.append(box((0.12, 0.42, 0.95), (x, y, 4.5)))
        lamps.append(box((0.06, 0.2, 0.2), (x - 0.08, y, 4.75)))
    return [
        fixed("roof posts", merge(posts), STEEL, furniture=True, forbidden=True),
        fixed("roofs", merge(roofs), (0.30, 0.34, 0.36), forbidden=True),
        fixed("benches", merge(benches), WOOD, furniture=True, forbidden=True),
        fixed("signals", merge(masts), IRON, forbidden=True),
        fixed("signal lamps", merge(lamps), (0.85, 0.12, 0.08), forbidden=True),
    ]


def _train(name: str, train: Train) -> list[Body]:
    """The decks of its cars, their gear, and what is on them."""
    height, color = DECKS[train.track], COLORS[train.track]
    bodies: list[Body] = []
    for k, kind in enumerate(train.cars):
        trajectory = _rolling(train, CAR / 2 + PITCH * k)
        title = f"{name} engine" if kind == "engine" else f"{name} car {k + 1}"
        parts: list[tuple[str, Mesh | None, Color]] = [
            ("gear", _gear(height), IRON),
            ("load", _load(kind, height, train.track + 3 * k), LOADS.get(kind, color)),
            ("windows", _panes(height) if kind == "engine" else None, GLASS),
        ]
        wood = WOOD if kind in ("flat", "crates", "pipes") else color
        bodies.append(Body(name=title, mesh=_deck(height), trajectory=trajectory, color=wood))
        bodies += [
            Body(name=f"{title} {part}", mesh=mesh, trajectory=trajectory, color=paint,
                 tags={"forbidden": True})
            for part, mesh, paint in parts if mesh is not None
        ]  # fmt: skip
    return bodies


@cache
def _deck(height: float) -> Mesh:
    return rolling_stock.deck(height)


@cache
def _gear(height: float) -> Mesh:
    return rolling_stock.running_gear(height)


@cache
def _load(kind: Kind, height: float, seed: int) -> Mesh | None:
    return rolling_stock.load(kind, height, seed)


@cache
def _panes(height: float) -> Mesh:
    return rolling_stock.engine_windows(height)


def _rolling(train: Train, spot: float) -> Keyframed:
    """At an even speed, and from the horizon on gently to a stand."""
    speed, brake = SPEEDS[train.track], 8.0
    first = np.array([train.west + spot, SPACING * train.track, 0.0])
    east = np.array([1.0, 0.0, 0.0])
    keys = np.array([0.0, HORIZON, HORIZON + brake])
    ways = speed * np.array([0.0, HORIZON, HORIZON + brake / 2])
    tangents = speed * np.outer([1.0, 1.0, 0.0], east)
    return Keyframed(
        keys, first + np.outer(ways, east), interpolation="cubic", tangents=(tangents, tangents)
    )
