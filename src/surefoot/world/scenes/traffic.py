"""What drives on roads, and how: cars and trucks that cruise, and stop where they must."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from surefoot.math import rotations
from surefoot.world.body import Body
from surefoot.world.keyframes import Keyframed
from surefoot.world.mesh import Mesh, merge
from surefoot.world.scenes import vehicles
from surefoot.world.scenes.building import WOOD, Color
from surefoot.world.scenes.vehicles import RUBBER
from surefoot.world.trajectory import Trajectory

PAINTS: tuple[Color, ...] = (
    (0.62, 0.10, 0.09), (0.12, 0.24, 0.46), (0.72, 0.73, 0.74), (0.10, 0.11, 0.12),
    (0.20, 0.36, 0.24), (0.78, 0.60, 0.16), (0.42, 0.44, 0.48), (0.55, 0.30, 0.14),
)  # fmt: skip
"""Of cars, one after the other."""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """A halt on the way.

    Attributes:
        x: [m] where the vehicle's middle is.
        arrives: [s].
        lasts: [s].
    """

    x: float
    arrives: float
    lasts: float


def driving(
    y: float, speed: float, x: float, *, eastward: bool = True, until: float
) -> Keyframed:  # fmt: skip
    """Along a lane at an even speed [m/s] from `x` [m] at t = 0; from `until` [s] on it brakes."""
    way = 1.0 if eastward else -1.0
    keys, xs = [0.0, until, until + 6.0], [0.0, speed * until, speed * (until + 3.0)]
    slopes = [speed, speed, 0.0]
    return _along(y, keys, x + way * np.array(xs), way * np.array(slopes), eastward)


def stopping(
    y: float, speed: float, stop: Stop, *, until: float, brake: float = 3.0, leaving: float = 0.0
) -> Keyframed:
    """Eastward along a lane at `speed` [m/s], braking for `brake` [s] before a stop.

    It goes on at `leaving` [m/s], at the same speed when that is 0, until `until` [s].
    """
    after = leaving or speed
    goes = stop.arrives + stop.lasts
    times = [stop.arrives - brake, stop.arrives, goes, goes + brake]
    xs = [stop.x - speed * brake / 2, stop.x, stop.x, stop.x + after * brake / 2]
    slopes = [speed, 0.0, 0.0, after]
    if times[0] > 0.0:
        xs.insert(0, xs[0] - speed * times[0])
        times.insert(0, 0.0)
        slopes.insert(0, speed)
    if times[-1] < until:
        xs.append(xs[-1] + after * (until - times[-1]))
        times.append(until)
        slopes.append(after)
    xs.append(xs[-1] + after * 3.0)
    times.append(times[-1] + 6.0)
    slopes.append(0.0)
    return _along(y, times, np.array(xs), np.array(slopes), eastward=True)


def _along(
    y: float, times: Sequence[float], xs: np.ndarray, slopes: np.ndarray, eastward: bool
) -> Keyframed:
    zeros = np.zeros(len(times))
    tangents = np.stack([slopes, zeros, zeros], axis=1)
    turned = None if eastward else np.tile(rotations.from_yaw(np.pi), (len(times), 1))
    return Keyframed(
        np.array(times), np.stack([xs, zeros + y, zeros], axis=1), turned,
        interpolation="cubic", rotation_interpolation="linear", tangents=(tangents, tangents),
    )  # fmt: skip


def car(name: str, trajectory: Trajectory, number: int) -> list[Body]:
    """A car, nobody's ground: its paint, and its glass and wheels."""
    paint, trim = _car()
    tags = {"forbidden": True}
    color = PAINTS[number % len(PAINTS)]
    return [
        Body(name=name, mesh=paint, trajectory=trajectory, color=color, tags=tags),
        Body(name=f"{name} trim", mesh=trim, trajectory=trajectory, color=RUBBER, tags=tags),
    ]


def truck(name: str, trajectory: Trajectory, number: int, height: float) -> list[Body]:
    """A truck whose bed, at `height` [m], can be stood on: the bed, the cab, wheels and frame."""
    cab, bed, gear = vehicles.truck(height)
    tags = {"forbidden": True}
    color = PAINTS[(3 * number + 1) % len(PAINTS)]
    return [
        Body(name=f"{name} bed", mesh=bed, trajectory=trajectory, color=WOOD),
        Body(name=name, mesh=cab, trajectory=trajectory, color=color, tags=tags),
        Body(name=f"{name} gear", mesh=gear, trajectory=trajectory, color=RUBBER, tags=tags),
    ]


def barrier(name: str, pivot: Sequence[float], length: float, keys: Sequence[float]) -> list[Body]:
    """An arm across a lane, along +y from its pivot [m], that rises again and again.

    Args:
        name: of the arm's body.
        pivot: [m].
        length: [m].
        keys: [s] when it begins to rise, is up, begins to fall, is down, and begins to rise again.
    """
    angles = np.radians([0.0, 82.0, 82.0, 0.0, 0.0])
    swing = Keyframed(
        np.zeros(1), np.array([pivot]), rotations.from_axis_angle([1.0, 0.0, 0.0], angles),
        rotation_times=np.array(keys), span=(float(keys[0]), float(keys[-1])), repeat="loop",
    )  # fmt: skip
    white, red = vehicles.barrier_arm(length)
    tags = {"forbidden": True}
    return [
        Body(name=name, mesh=white, trajectory=swing, color=(0.86, 0.86, 0.84), tags=tags),
        Body(name=f"{name} stripes", mesh=red, trajectory=swing, color=(0.75, 0.08, 0.06),
             tags=tags),
    ]  # fmt: skip


@cache
def _car() -> tuple[Mesh, Mesh]:
    paint, glass, wheels = vehicles.car()
    return paint, merge([glass, wheels])
