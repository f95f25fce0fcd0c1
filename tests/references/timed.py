"""Dense sampling of moments: the twin of queries over spans of time, and places to ask about."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from references import random_worlds
from surefoot.arrays import Floats
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import (
    Attached,
    Body,
    Cylinder,
    Function,
    Keyframed,
    Observed,
    Place,
    Static,
    Trajectory,
    World,
)
from surefoot.world.primitives import box, cylinder, ground, ramp, slab

CONTACT = 1e-3
"""[m] Ground this close holds a foot that has no step height."""


@dataclass(frozen=True)
class Stander:
    """What safe intervals are asked for."""

    radius: float = 0.25
    height: float = 1.75
    step_height: float = 0.25
    max_slope: float = 0.7

    def shape(self, grown: float = 0.0) -> Cylinder:
        """The space it takes up, larger by `grown` all around."""
        return Cylinder(
            self.radius + grown, self.height + grown, max(0.0, self.step_height - grown)
        )


# --- moments -------------------------------------------------------------------------------------


def free(world: World, points: Floats, times: Floats, stander: Stander, grown: float) -> np.ndarray:
    """Whether nothing is in the way, with a margin."""
    lower = np.array([0.0, 0.0, max(0.0, grown - stander.step_height)])
    shape = stander.shape(grown)
    if lower[2] > 0:
        shape = Cylinder(shape.radius, shape.height + lower[2])
    return ~world.overlap(points - lower, times, shape=shape)


def supported(
    world: World, points: Floats, times: Floats, stander: Stander, around: float = 0.0
) -> np.ndarray:
    """Whether the first surface about the foot is gentle, and also a little around it."""
    band = max(stander.step_height, CONTACT)
    held = np.ones(len(points), dtype=bool)
    for x, y in [(0, 0), *([(1, 0), (-1, 0), (0, 1), (0, -1)] if around else [])]:
        shifted = points + np.array([x * around, y * around, 0.0])
        below = world.support(shifted, times, up=band - around, down=band - around)
        held &= below.hit & ~(below.slope > stander.max_slope + 1e-9)
    return held


def speed(world: World, place: Place | None, start: float, end: float) -> float:
    """More than anything in the world moves, seen from the place [m/s]; jumps do not count."""
    times = np.linspace(start, end, 400)
    total = 0.0
    for body in world:
        if not body.trajectory.moving:
            continue
        linear, angular = _rates(body.trajectory, times)
        radius = np.linalg.norm(body.mesh.vertices, axis=1).max()
        fastest = linear + angular * radius
        if place is not None and body.name == place.body:
            arm = float(np.linalg.norm(place.position)) + 2.5
            fastest = max(fastest, linear + angular * arm) * 2
        total = (
            total + fastest
            if place is not None and body.name == place.body
            else max(total, fastest)
        )
    return 1.3 * total


def _rates(trajectory: Trajectory, times: Floats) -> tuple[float, float]:
    """Bounds on speed and turn rate; of functions and cubics the stated or certain ones."""
    if isinstance(trajectory, Attached):
        outer, turning = _rates(trajectory.parent, times)
        inner, inner_turning = _rates(trajectory.child, times)
        arm = float(np.linalg.norm(trajectory.child.poses(times)[0], axis=1).max())
        return outer + 1.8 * inner + 1.8 * turning * arm, turning + inner_turning
    if isinstance(trajectory, Function):
        return 1.8 * trajectory.max_speed, trajectory.max_turn_rate
    if isinstance(trajectory, Observed):
        rates = [_rates(trajectory.seen, times)]
        if trajectory.future is not None:
            rates.append(_rates(trajectory.future, times))
        drift = float(np.linalg.norm(trajectory.linear)), float(np.linalg.norm(trajectory.angular))
        linear, angular = zip(*rates, drift, strict=True)
        return max(linear), max(angular)
    if isinstance(trajectory, Keyframed):
        linear, angular = _key_rate(trajectory)
        return linear, angular
    return 0.0, 0.0


def _key_rate(trajectory: Keyframed) -> tuple[float, float]:
    """The steepest leg; a cubic leg is bounded by the legs of its control polygon."""
    linear = angular = 0.0
    gaps = np.diff(trajectory.times)[:, None]
    if len(gaps) and trajectory.interpolation != "step":
        legs = [np.diff(trajectory.positions, axis=0) / gaps]
        if trajectory.tangents is not None:
            arriving, leaving = trajectory.tangents
            legs += [leaving[:-1], arriving[1:], 3 * legs[0] - leaving[:-1] - arriving[1:]]
        # Bounds hold for each axis by itself.
        linear = max(float(np.linalg.norm(leg, axis=1).max()) for leg in legs) * 1.8
    if trajectory.rotations is not None and trajectory.turn_interpolation != "step":
        keys = trajectory.times if trajectory.rotation_times is None else trajectory.rotation_times
        if len(keys) > 1:
            gaps = np.diff(keys)[:, None]
            first, second = trajectory.rotations[:-1], trajectory.rotations[1:]
            turned = turns.to_rotation_vector(turns.multiply(second, turns.inverse(first)))
            angular = float(np.linalg.norm(turned / gaps, axis=1).max())
            if trajectory.rotation_tangents is not None:
                arriving, leaving = trajectory.rotation_tangents
                legs = [
                    leaving[:-1],
                    arriving[1:],
                    3 * (second - first) / gaps - leaving[:-1] - arriving[1:],
                ]
                angular = max(
                    angular, 4 * max(float(np.linalg.norm(leg, axis=1).max()) for leg in legs)
                )
    return linear, angular


# --- scenes to stand in --------------------------------------------------------------------------


def _leaning(rng: np.random.Generator, lean: float, count: int) -> Floats:
    """Rotations that turn freely about the vertical and lean a little."""
    upright = turns.from_yaw(np.cumsum(rng.uniform(-1, 1, count)))
    if lean == 0:
        return upright
    axis = np.concatenate([rng.normal(size=(count, 2)), np.zeros((count, 1))], axis=1)
    return turns.multiply(upright, turns.from_axis_angle(axis, rng.uniform(-lean, lean, count)))


def _keys(rng: np.random.Generator, lean: float, reach: float, interpolation: str) -> Keyframed:
    count = int(rng.integers(2, 5))
    times = np.cumsum(rng.integers(2, 12, count)) / 8 - 1
    places = np.round(rng.uniform(-1, 1, (count, 3)) * [reach, reach, 0.4] * 8) / 8
    if rng.random() < 0.4:
        places[-1] = places[0]
    more: dict[str, object] = {}
    if interpolation == "cubic":
        more["tangents"] = (rng.normal(size=(count, 3)), rng.normal(size=(count, 3)))
    return Keyframed(
        times,
        places,
        _leaning(rng, lean, count),
        interpolation=interpolation,  # pyright: ignore
        rotation_interpolation=["linear", "step"][rng.integers(2)],
        repeat=["once", "loop", "ping-pong"][rng.integers(3)],  # pyright: ignore
        **more,  # pyright: ignore
    )


def rocking(rng: np.random.Generator, lean: float = 0.3, reach: float = 2.0) -> Trajectory:
    """A motion of any kind that stays near upright."""
    kind = rng.integers(7)
    if kind == 0:
        return _keys(rng, lean, reach, "linear")
    if kind == 1:
        return _keys(rng, lean, reach, "step")
    if kind == 2:
        return _keys(rng, lean, reach, "cubic")
    if kind == 3:
        return random_worlds.path(rng)
    if kind == 4:
        return _swing(int(rng.integers(12)), lean)
    if kind == 5:
        seen = Observed.first(-1.0, Pose(rng.uniform(-1, 1, 3) * [reach, reach, 0.4]))
        for _ in range(3):
            seen = seen.then(
                seen.now + float(rng.integers(2, 9)) / 4,
                Pose(rng.uniform(-1, 1, 3) * [reach, reach, 0.4], _leaning(rng, lean, 1)[0]),
            )
        return seen
    return Attached(
        _keys(rng, lean / 2, reach / 2, "linear"), _keys(rng, lean / 2, reach / 2, "linear")
    )


@cache
def _swing(seed: int, lean: float) -> Function:
    rng = np.random.default_rng(seed)
    swing = rng.uniform(-1, 1, 3) * [1.5, 1.5, 0.2]
    rate, turn = float(rng.uniform(0.5, 2)), float(rng.uniform(-lean, lean))
    axis = turns.normalize(np.array([*rng.normal(size=2), 0.5]))

    @cache
    def at(t: float) -> Pose:
        half = turn * math.sin(rate * t) / 2
        return Pose(swing * math.sin(rate * t), np.array([math.cos(half), *math.sin(half) * axis]))

    return Function(
        at,
        horizon=9.0,
        max_speed=float(np.linalg.norm(swing) * rate * 1.01),
        max_turn_rate=abs(turn) * rate * 1.01,
    )


def station(rng: np.random.Generator) -> tuple[World, list[Place]]:
    """A floor, a platform to ride, things that pass by; and places on floor and platform."""
    bodies = [Body(name="floor", mesh=ground(12, 12, -0.5))]
    size = np.round(rng.uniform(1, 4, 3) * 4) / 4
    deck = [
        slab((size[0], size[1], 0.25)),
        slab((size[0], size[1], 0.01)),
        ramp(size[0], size[1], 0.25 * size[0]),
        cylinder(size[0] / 2, 0.5, 8),
        ground(size[0], size[1]),
    ][rng.integers(5)]
    if rng.random() < 0.8:
        bodies.append(Body(name="deck", mesh=deck, trajectory=rocking(rng)))
    for i in range(rng.integers(0, 3)):
        kind = rng.integers(4)
        shape = [
            box(rng.uniform(0.3, 1.5, 3)),
            box((0.05, 2.0, 2.0)),
            random_worlds.mesh(rng),
            slab((3, 0.5, 0.25), (0, 0, 1.5)),
        ][kind]
        moves = (
            rocking(rng, lean=1.0) if rng.random() < 0.8 else Static(random_worlds.pose(rng, 1.5))
        )
        bodies.append(Body(name=f"passer {i}", mesh=shape, trajectory=moves))
    if rng.random() < 0.3:
        door = Keyframed(
            [0, 1, 2, 3], [[0.5, 0, 0], [0.5, 0, 0], [0.5, 2.5, 0], [0.5, 0, 0]], repeat="loop"
        )
        on = bodies[1].trajectory if len(bodies) > 1 else Static()
        bodies.append(
            Body(name="door", mesh=box((0.1, 1, 2), (0, 0, 1)), trajectory=Attached(on, door))
        )
    world = World(bodies)
    places = [Place(None, np.append(np.round(rng.uniform(-2, 2, 2), 2), -0.5)) for _ in range(2)]
    for body in bodies[1:]:
        at = float(rng.uniform(0, 4))
        corners = body.mesh.vertices[body.mesh.faces]
        top = corners[rng.integers(len(corners))]
        middle = rng.dirichlet(np.ones(3)) @ top
        lifted = Place(body.name, middle + np.array([0, 0, float(rng.choice([0, 0, 1e-4, 0.1]))]))
        places.append(lifted)
        point = body.trajectory.pose(at).position + np.append(rng.uniform(-0.4, 0.4, 2), 3)
        below = world.support(point, at, down=6)
        if below.hit:
            spot = np.append(point[:2], float(below.height))
            places.append(world.attach(spot, world.names[int(below.body)], at))
            places.append(Place(None, spot))
    return world, places
