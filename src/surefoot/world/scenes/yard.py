"""A yard cut by a trench: a bridge behind a barrier, a sliding plank, a lift to a deck."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from surefoot.math import rotations
from surefoot.world.body import Body
from surefoot.world.keyframes import Keyframed
from surefoot.world.mesh import merge
from surefoot.world.place import Place
from surefoot.world.primitives import box, cylinder, placed, slab
from surefoot.world.scenes.building import FLOOR, MOVER, STEEL, STONE, WARNING, WOOD, fixed, wall
from surefoot.world.scenes.registry import scene
from surefoot.world.world import World


@scene("yard", "a yard with a trench, a barrier at its bridge, a sliding plank and a lift")
def make() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    world = World([*_grounds(), *_bridge(), *_clutter(), *_deck(), *_movers()], name="yard")
    points = {
        "start": (-9.0, -3.5, 0.5),
        "goal": (8.0, 3.5, 0.5),
        "plank side": (-3.0, -2.0, 0.5),
        "lift side": (4.0, -5.0, 0.5),
        "deck": (9.5, -5.0, 3.0),
    }
    return world, {name: world.place(point) for name, point in points.items()}


def _grounds() -> list[Body]:
    rim = [
        wall((-12.9, -8.9), (12.9, -8.9), 0.8, thickness=0.2),
        wall((-12.9, 8.9), (12.9, 8.9), 0.8, thickness=0.2),
        wall((-12.9, -8.8), (-12.9, 8.8), 0.8, thickness=0.2),
        wall((12.9, -8.8), (12.9, 8.8), 0.8, thickness=0.2),
    ]
    return [
        fixed("west ground", slab((12.0, 18.0, 2.0), (-7.0, 0.0, 0.0)), FLOOR),
        fixed("east ground", slab((11.5, 18.0, 2.0), (7.25, 0.0, 0.0)), FLOOR),
        fixed("trench", slab((2.5, 18.0, 0.2), (0.25, 0.0, -1.8)), STONE),
        fixed("rim", merge(rim), STONE),
    ]


def _bridge() -> list[Body]:
    rails = [box((3.2, 0.08, 0.95), (0.25, 5.0 + side * 0.9, 0.475)) for side in (-1, 1)]
    return [
        fixed("bridge", slab((3.3, 1.9, 0.2), (0.25, 5.0, 0.04)), WOOD),
        fixed("bridge rails", merge(rails), WOOD),
        fixed("barrier post", box((0.25, 0.25, 1.1), (-1.9, 3.7, 0.55)), STEEL),
    ]


def _clutter() -> list[Body]:
    crates = {
        "crate 1": ((1.2, 1.2, 1.2), (-6.0, -1.0), 0.3),
        "crate 2": ((1.0, 1.0, 1.0), (-5.1, 0.3), 0.9),
        "crate 3": ((1.6, 1.0, 1.4), (-4.2, 3.2), -0.2),
        "crate 4": ((1.2, 2.0, 1.0), (4.8, 4.6), 0.5),
        "crate 5": ((1.0, 1.0, 1.6), (6.2, 2.2), 0.1),
        "crate 6": ((1.4, 1.4, 0.9), (4.0, 0.5), 0.7),
    }
    boxes = [
        fixed(name, placed(slab(size, (0.0, 0.0, size[2])), *at, yaw=yaw), WOOD, furniture=True)
        for name, (size, at, yaw) in crates.items()
    ]
    bench = merge(
        [
            box((1.8, 0.45, 0.06), (0.0, 0.0, 0.45)),
            box((0.08, 0.4, 0.42), (-0.75, 0.0, 0.21)),
            box((0.08, 0.4, 0.42), (0.75, 0.0, 0.21)),
        ]
    )
    silo = fixed("silo", placed(cylinder(1.1, 3.2, 32), -9.5, 4.5), STEEL)
    return [*boxes, fixed("bench", placed(bench, 9.5, 1.0, yaw=1.2), WOOD, furniture=True), silo]


def _deck() -> list[Body]:
    posts = [box((0.2, 0.2, 2.2), (x, y, 1.1)) for x in (7.3, 11.7) for y in (-7.7, -2.3)]
    rail = [
        box((4.8, 0.06, 0.9), (9.5, -7.95, 2.85)),
        box((4.8, 0.06, 0.9), (9.5, -2.05, 2.85)),
        box((0.06, 5.9, 0.9), (11.95, -5.0, 2.85)),
    ]
    return [
        fixed("deck", slab((5.0, 6.0, 0.2), (9.5, -5.0, 2.4)), FLOOR),
        fixed("deck posts", merge(posts), STEEL),
        fixed("deck rail", merge(rail), STEEL),
        fixed("lift mast", box((0.25, 0.25, 3.6), (5.9, -6.2, 1.8)), STEEL),
    ]


def _movers() -> list[Body]:
    # Low for 4 s, up in 3 s, level with the deck for 4 s, down in 3 s.
    lift = Keyframed(
        np.array([0.0, 4.0, 7.0, 11.0, 14.0]),
        np.array([[5.95, -5.0, z] for z in (0.05, 0.05, 2.4, 2.4, 0.05)]),
        repeat="loop",
    )
    plank = Keyframed(
        np.array([0.0, 8.0]),
        np.array([[0.25, -6.5, 0.06], [0.25, 1.5, 0.06]]),
        repeat="ping-pong",
    )
    # The arm lies across the bridge's west end and swings up to let people pass.
    across, upright = 0.0, math.radians(82)
    swing = Keyframed(
        np.zeros(1),
        np.array([[-1.9, 3.7, 1.0]]),
        rotations.from_axis_angle(
            [1.0, 0.0, 0.0], np.array([across, across, upright, upright, across])
        ),
        rotation_times=np.array([0.0, 11.0, 12.5, 18.0, 19.5]),
        span=(0.0, 22.0),
        repeat="loop",
    )
    return [
        Body(name="lift", mesh=slab((1.9, 1.9, 0.12)), trajectory=lift, color=MOVER),
        Body(name="plank", mesh=slab((3.6, 1.3, 0.12)), trajectory=plank, color=MOVER),
        Body(
            name="barrier",
            mesh=box((0.1, 3.0, 0.12), (0.0, 1.35, 0.0)),
            trajectory=swing,
            color=WARNING,
        ),
    ]
