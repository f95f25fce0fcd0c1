"""Sweeps along timed paths against dense sampling and bisection.

A contact is never reported later than the first true touch, and only where something comes as
close as it moves within the tolerance.
"""

from __future__ import annotations

import numpy as np
import pytest

from references import timed
from surefoot.arrays import Floats
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import (
    Body,
    Capsule,
    Contact,
    Cylinder,
    Keyframed,
    Place,
    Static,
    TimedPath,
    World,
)
from surefoot.world.primitives import box, ground

SEEDS = [*range(60), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(60, 2000))]

SHAPES = [
    Cylinder(0.25, 1.75, 0.25),
    Cylinder(0.4, 1.0),
    Capsule(0.25, 1.75, 0.25),
    Capsule(0.4, 1.0),
    Cylinder(0.05, 0.1),
]


def _where(world: World, path: TimedPath, times: Floats) -> Floats:
    """World positions of the path's point."""
    local = np.stack([np.interp(times, path.times, path.positions[:, i]) for i in range(3)], axis=1)
    if path.frame is None:
        return local
    positions, rotations = world[path.frame].trajectory.poses(times)
    return turns.rotate(rotations, local) + positions


def _grown(shape: Cylinder, margin: float) -> tuple[Cylinder, Floats]:
    """The shape with a margin all around, and where its foot is."""
    lower = np.array([0.0, 0.0, margin])
    return type(shape)(shape.radius + margin, shape.height + 2 * margin, shape.step), -lower


def check(world: World, path: TimedPath, shape: Cylinder, tolerance: float) -> Contact | None:
    """Asserts that the first contact of a path is right."""
    contact = world.sweep(path, shape, tolerance=tolerance)
    start, end = float(path.times[0]), float(path.times[-1])
    until = end if contact is None else contact.time
    assert start <= until <= end
    times = np.unique(
        np.concatenate([np.linspace(start, until, 1500), path.times[path.times <= until]])
    )
    # What jumps does so within rounding of the moment that is reported.
    before = times[times < until - 1e-11 * (1 + abs(until))] if contact else times
    touching = world.overlap(_where(world, path, before), before, shape=shape)
    assert not touching.any(), f"{contact}, but it touches at {before[touching][0]!r}"
    if contact is None:
        return None

    # Something is touched, or comes closer than it moves within the tolerance, soon after.
    frame = None if path.frame is None else Place(path.frame, np.abs(path.positions).max(axis=0))
    pace = np.linalg.norm(np.diff(path.positions, axis=0), axis=1) / np.diff(path.times)
    margin = 2 * tolerance * (timed.speed(world, frame, start, end) + pace.max(initial=0.0)) + 1e-9
    larger, lower = _grown(shape, margin)
    soon = np.unique(np.clip(np.linspace(until, until + tolerance * (1 + 1e-6), 200), start, end))
    near = world.overlapping(_where(world, path, soon) + lower, soon, shape=larger)
    assert (near >= 0).any(), f"{contact}: nothing is near"
    only = World([world[contact.body]])
    if path.frame is None:
        own = only.overlap(_where(world, path, soon) + lower, soon, shape=larger)
        assert own.any(), f"{contact}: another body is near, not this one"
    return contact


def _path(rng: np.random.Generator, world: World) -> TimedPath:
    count = int(rng.integers(1, 6))
    times = float(rng.choice([0.0, -0.5, rng.uniform(-2, 2)])) + np.cumsum(
        rng.choice([0.25, 0.5, 1.0, rng.uniform(0.1, 2)], count)
    )
    frame = None
    if rng.random() < 0.5:
        frame = list(world)[rng.integers(len(world))].name
    positions = rng.uniform(-3, 3, (count, 3)) * [1, 1, 0.3] + [0, 0, float(rng.choice([0, 0, 2]))]
    if rng.random() < 0.2:
        positions[:] = positions[0]
    return TimedPath(times, positions, frame)


@pytest.mark.parametrize("seed", SEEDS)
def test_stations(seed: int) -> None:
    rng = np.random.default_rng([seed, 5])
    world, _ = timed.station(rng)
    world.remove("floor")
    if len(world) == 0:
        world.add(Body(name="wall", mesh=box((1, 1, 2))))
    for _ in range(6):
        path = _path(rng, world)
        shape = SHAPES[rng.integers(len(SHAPES))]
        check(world, path, shape, float(rng.choice([1e-3, 1e-2])))


def test_most_paths_tell_something() -> None:
    free = touched = later = 0
    for seed in range(40):
        rng = np.random.default_rng([seed, 5])
        world, _ = timed.station(rng)
        world.remove("floor")
        if len(world) == 0:
            continue
        for path in [_path(rng, world) for _ in range(6)]:
            contact = world.sweep(path, SHAPES[0])
            free += contact is None
            touched += contact is not None
            later += contact is not None and contact.time > path.times[0]
    assert min(free, touched, later) > 20


@pytest.mark.parametrize("shape", [Cylinder(0.25, 1.75), Capsule(0.25, 1.75)], ids=str)
@pytest.mark.parametrize("tolerance", [0.1, 1e-3, 1e-6])
def test_a_wall_is_met_when_it_is_met(shape: Cylinder, tolerance: float) -> None:
    world = World([Body(name="wall", mesh=box((1, 4, 4)))])
    path = TimedPath([0, 10], [[-5, 0, 0], [5, 0, 0]])
    contact = world.sweep(path, shape, tolerance=tolerance)
    assert contact is not None
    assert contact.body == "wall"
    assert 5 - 0.75 - tolerance <= contact.time <= 5 - 0.75 + 1e-12


def test_a_step_is_walked_over() -> None:
    world = World([Body(name="curb", mesh=box((1, 4, 0.2), (0, 0, 0.1)))])
    path = TimedPath([0, 10], [[-5, 0, 0], [5, 0, 0]])
    assert world.sweep(path, Cylinder(0.25, 1.75, 0.25)) is None
    assert world.sweep(path, Cylinder(0.25, 1.75, 0.15)) is not None


def test_what_rides_along_is_not_met() -> None:
    train = Keyframed([0, 10], [[0, 0, 0], [50, 0, 0]], turns.from_yaw([0, 2]))
    world = World(
        [
            Body(name="train", mesh=ground(6, 3), trajectory=train),
            Body(name="post", mesh=box((0.2, 0.2, 3)), trajectory=Static(Pose.at(25, 12, 0))),
        ]
    )
    inside = TimedPath([0, 10], [[-2, 0, 0], [2, 0, 0]], "train")
    assert world.sweep(inside, Cylinder(0.25, 1.75, 0.25)) is None
    outside = TimedPath([0, 10], [[-2, 0, 0], [2, 0, 0]])
    shape = Cylinder(0.25, 1.75, 0.25)
    assert world.sweep(outside, shape) is None  # the floor of the train is stepped on
    high = TimedPath([0, 10], [[-2, 0, -0.5], [2, 0, -0.5]])
    met = world.sweep(high, shape)
    assert met is not None
    assert (met.time, met.body) == (0.0, "train")


def test_the_lowest_id_is_told_of_bodies_met_at_once() -> None:
    walls = [Body(name=name, mesh=box((1, 4, 4))) for name in ("b", "a")]
    path = TimedPath([0, 10], [[-5, 0, 0], [5, 0, 0]])
    contact = World(walls).sweep(path, Cylinder(0.25, 1.75))
    assert contact is not None
    assert contact.body == "b"


def test_many_paths_are_one_by_one() -> None:
    rng = np.random.default_rng(0)
    world, _ = timed.station(rng)
    paths = [_path(rng, world) for _ in range(40)]
    together = world.sweeps(paths, SHAPES[0], threads=2)
    assert together == [world.sweep(path, SHAPES[0]) for path in paths]
    assert world.sweeps([], SHAPES[0]) == []


def test_a_path_does_not_change() -> None:
    positions = np.zeros((2, 3))
    path = TimedPath(np.array([0.0, 1.0]), positions)
    positions[0, 0] = 7
    assert path.positions[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        path.times[0] = -1
