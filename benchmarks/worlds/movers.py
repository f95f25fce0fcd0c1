"""Bodies that move: a few among the rooms of the building, or any number on a plain."""

from __future__ import annotations

import numpy as np
from benchmarks.worlds.building import HALF_X, HALF_Y, STOREY

from surefoot.arrays import Floats
from surefoot.math import Pose, rotations
from surefoot.world import Body, Keyframed, Mesh, Static, along
from surefoot.world.primitives import box, cylinder

PERSON = cylinder(0.3, 1.75, 16)
CART = box((1.2, 0.7, 0.9), (0.0, 0.0, 0.45))
PLATFORM = box((2.0, 2.0, 0.2), (0.0, 0.0, -0.1))
CRATE = box((0.8, 0.6, 0.7))

SPACING = 4.0
"""Side of the square that each body on the plain has for itself [m]."""


def among_rooms(count: int, seed: int) -> list[Body]:
    """People and carts on rounds, lifts outside, tumbling crates: 6, 2, 1 and 1 of every 10."""
    rng = np.random.default_rng(seed)
    return [_mover(rng, i) for i in range(count)]


def _mover(rng: np.random.Generator, i: int) -> Body:
    x, y = rng.uniform(-HALF_X + 2, HALF_X - 2), rng.uniform(-HALF_Y + 2, HALF_Y - 2)
    floor = STOREY * rng.integers(2)
    kind = i % 10
    if kind < 8:
        mesh, speed = (PERSON, rng.uniform(0.8, 1.6)) if kind < 6 else (CART, 2.0)
        angles = np.sort(rng.uniform(0, 2 * np.pi, 5)) + np.linspace(0, 1, 5)
        reach = rng.uniform(1.0, 4.0, 5)
        corners = np.stack(
            [x + reach * np.cos(angles), y + reach * np.sin(angles), np.full(5, floor)], axis=1
        )
        path = along(corners, speed, closed=True, repeat="loop", start=rng.uniform(-9, 0))
        return Body(name=f"mover {i}", mesh=mesh, trajectory=path)
    if kind == 8:
        y = np.copysign(HALF_Y + 2.0, y)
        ends = np.array([[x, y, 0.0], [x, y, STOREY]])
        lift = Keyframed(np.array([0.0, 4.0]), ends, repeat="ping-pong")
        return Body(name=f"lift {i}", mesh=PLATFORM, trajectory=lift)
    return Body(name=f"mover {i}", mesh=CRATE, trajectory=_tumble(rng, (x, y, floor + 1.0)))


def _tumble(rng: np.random.Generator, at: tuple[float, float, float]) -> Keyframed:
    """Swings to and fro through a few poses turned every way."""
    positions = np.array(at) + rng.uniform(-0.7, 0.7, size=(5, 3))
    turns = rotations.from_rotation_vector(rng.normal(size=(5, 3)))
    return Keyframed(np.linspace(0.0, 5.0, 5), positions, turns, repeat="ping-pong")


# --- the plain -----------------------------------------------------------------------------------


def on_plain(count: int, *, moving: bool, seed: int) -> list[Body]:
    """Crates and people, each in its own square, so that density does not depend on the count."""
    rng = np.random.default_rng(seed)
    side = int(np.ceil(np.sqrt(count)))
    bodies: list[Body] = []
    for i in range(count):
        x, y = (i % side + 0.5) * SPACING, (i // side + 0.5) * SPACING
        mesh: Mesh = PERSON if i % 2 else CRATE
        trajectory = _pace(rng, x, y) if moving else Static(Pose.at(x, y, 0.0, rng.uniform(0, 6)))
        bodies.append(Body(name=f"body {i}", mesh=mesh, trajectory=trajectory))
    return bodies


def plain_points(bodies: int, count: int, seed: int) -> Floats:
    """`(count, 3)` foot positions in the squares that have bodies [m]."""
    rng = np.random.default_rng(seed)
    side = int(np.ceil(np.sqrt(bodies)))
    square = rng.integers(bodies, size=count)
    corner = np.stack([square % side, square // side], axis=1)
    return np.column_stack([(corner + rng.random((count, 2))) * SPACING, np.zeros(count)])


def _pace(rng: np.random.Generator, x: float, y: float) -> Keyframed:
    """To and fro inside the square, at walking speed."""
    corners = np.array([x, y, 0.0]) + rng.uniform(-1.4, 1.4, size=(3, 3)) * [1, 1, 0]
    times = np.concatenate([[0.0], np.cumsum(rng.uniform(1.5, 2.5, 2))])
    turns = rotations.from_yaw(rng.uniform(0, 6, 3))
    return Keyframed(times - rng.uniform(0, 2), corners, turns, repeat="ping-pong")
