"""Worlds that are changed while they live: the same answers as worlds made anew."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from references import random_worlds, timed
from references.timed import Stander
from surefoot.errors import TrajectoryError, WorldError
from surefoot.math import Pose
from surefoot.world import (
    Body,
    Capsule,
    Cylinder,
    Foot,
    Function,
    Keyframed,
    Observed,
    Place,
    Static,
    TimedPath,
    World,
)
from surefoot.world.primitives import box, ground


def answers(world: World, seed: int) -> dict[str, np.ndarray]:
    """Everything a world says about some places and moments, bodies by name."""
    rng = np.random.default_rng(seed)
    points, times = rng.uniform(-3, 3, (40, 3)), random_worlds.moments(rng, 40)
    directions = rng.normal(size=(40, 3))
    names = np.array([*world.names, ""], dtype=object)
    rays, near = world.ray(points, directions, times), world.nearest(points, times)
    ground_ = world.support(points, times, up=1, down=4)
    sole = world.support(points, times, up=1, down=4, foot=Foot(0.3, 0.1), heading=times)
    paths = [TimedPath([t, t + 1], points[i : i + 2]) for i, t in enumerate(times[:6])]
    spans = world.safe_intervals([Place(None, p) for p in points[:4]], Stander(), 0, 4)
    out: dict[str, np.ndarray] = {
        "overlap": world.overlap(points, times, shape=Cylinder(0.3, 1.0)),
        "capsule": world.overlap(points, times, shape=Capsule(0.3, 1.0)),
        "sweeps": np.array(
            [(c.time if c else np.inf) for c in world.sweeps(paths, Cylinder(0.2, 0.5))]
        ),
        "spans": np.concatenate(spans),
    }
    for name, found in (("ray", rays), ("near", near), ("ground", ground_), ("sole", sole)):
        for field in found.__dataclass_fields__:
            value = getattr(found, field)
            out[f"{name} {field}"] = names[value] if field == "body" else value
    return out


def _same(first: dict[str, np.ndarray], second: dict[str, np.ndarray], told: str) -> None:
    for key, value in first.items():
        assert np.array_equal(value, second[key]), f"{told}: {key} differs"


@pytest.mark.parametrize(
    "seed", [*range(25), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(25, 400))]
)
def test_a_changed_world_equals_a_fresh_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    final = list(random_worlds.world(rng, most=6))
    world = World()
    # Every body comes on another trajectory or not at all, extras come and go, questions are
    # asked in between so that everything is in use when it changes.
    for step, body in enumerate(final):
        world.add(body.moved(random_worlds.motion(rng)))
        extra = random_worlds.world(rng, most=1)["body 0"]
        extra = Body(name=f"extra {step}", mesh=extra.mesh, trajectory=extra.trajectory)
        world.add(extra)
        if rng.random() < 0.5:
            answers(world, seed)
        if rng.random() < 0.5:
            world.move(body.name, random_worlds.motion(rng))
        if rng.random() < 0.5:
            world.remove(body.name)
            world.add(body.moved(random_worlds.motion(rng)))
    answers(world, seed)
    for name in [name for name in world.bodies if name.startswith("extra")]:
        world.remove(name)
    for i in rng.permutation(len(final)):
        world.move(final[i].name, final[i].trajectory)
        if rng.random() < 0.3:
            answers(world, seed)
    # Lowest id wins where bodies tie; here ids have the order of names again only by chance, so
    # only what does not depend on ties is compared: random worlds have none.
    _same(answers(world, seed), answers(World(final), seed), f"seed {seed}")
    assert set(world.bodies) == {body.name for body in final}


def test_ids_are_never_used_twice() -> None:
    world = World([Body(name="a", mesh=box((1, 1, 1))), Body(name="b", mesh=box((1, 1, 1)))])
    world.remove("a")
    world.add(Body(name="a", mesh=box((1, 1, 1))))
    assert [world.id(name) for name in ("b", "a")] == [1, 2]
    assert list(world.names) == ["a", "b", "a"]
    assert world.ray([0, 0, 5], [0, 0, -1]).body == 1
    assert list(world.bodies) == ["b", "a"]


def test_many_changes_between_questions() -> None:
    world = World([Body(name="floor", mesh=ground(50, 50))])
    push = Keyframed([0, 10], [[0, 0, 0], [10, 0, 0]])
    for i in range(50):
        world.add(Body(name=f"{i}", mesh=box((1, 1, 1)), trajectory=push))
    assert world.overlap([5, 0, 0], 5.0, shape=Cylinder(0.2, 1))
    for round_ in range(200):
        for i in range(50):
            world.move(f"{i}", Static(Pose.at(20, 0, 0)) if round_ % 2 else push)
    assert not world.overlap([5, 0, 0], 5.0, shape=Cylinder(0.2, 1))
    assert world.overlap([20, 0, 0], 5.0, shape=Cylinder(0.2, 1))


@pytest.mark.parametrize("broken", ["raises", "breaks its bound"])
def test_an_error_in_a_function_leaves_no_body_out(broken: str) -> None:
    # The block of time from 3.0 to 3.5 is made ready while the function fails. Afterwards every
    # question about it must fail again or be right, never overlook a body.
    def at(t: float) -> Pose:
        if 3.24 < t < 3.26:
            if broken == "raises":
                raise ArithmeticError("no pose")
            return Pose.at(5000, 0, 0)
        return Pose()

    swing = Function(at, horizon=1000, max_speed=1)
    push = Keyframed([0, 1], [[0, 5, 0], [0, 5, 1]])
    world = World(
        [
            Body(name="rogue", mesh=box((1, 1, 1)), trajectory=swing),
            Body(name="other", mesh=box((1, 1, 1)), trajectory=push),
        ]
    )
    failed = 0
    for t in (3.25, 3.25, 3.1, 3.1, 3.4):
        for y in (0, 5):
            try:
                assert world.ray([0, y, 5], [0, 0, -1], t).hit, f"nothing at y = {y}, t = {t}"
            except (ArithmeticError, TrajectoryError):
                failed += 1
    assert failed >= 4


def test_the_body_is_named_when_its_function_breaks_its_bound() -> None:
    def leap(t: float) -> Pose:
        return Pose.at(9 if 3.101 < t < 3.103 else 0, 0, 0)

    for wrap in (
        lambda motion: motion,
        lambda motion: Observed.first(0.0, Pose(), future=motion, ahead=100),
    ):
        motion = wrap(Function(leap, horizon=1000, max_speed=1))
        world = World([Body(name="rogue", mesh=box((1, 1, 1)), trajectory=motion)])
        world.ray([0, 0, 5], [0, 0, -1], 3.0)
        with pytest.raises(TrajectoryError, match=r"'rogue' breaks its bound.* max_speed is 1 m/s"):
            world.ray([0, 0, 5], [0, 0, -1], 3.102)


def test_a_function_that_fails_tells_its_own_error() -> None:
    def at(t: float) -> Pose:
        if t > 900:
            raise KeyError("no timetable after 900 s")
        return Pose()

    with pytest.raises(KeyError, match="no timetable"):
        Function(at, horizon=1000, max_speed=1)
    with pytest.raises(TrajectoryError, match=r"function\(0\) must give a Pose, got 3"):
        Function(lambda t: 3, horizon=1000, max_speed=1)  # noqa: ARG005  # pyright: ignore


def test_snapshots_stand_still() -> None:
    rng = np.random.default_rng(1)
    for seed in range(20):
        world = random_worlds.world(rng)
        t = float(rng.uniform(0, 4))
        frozen = world.at(t)
        points = rng.uniform(-3, 3, (30, 3))
        for other in (0.0, t, 99.0):
            still = frozen.nearest(points, other)
            assert np.allclose(still.distance, world.nearest(points, t).distance, atol=1e-9), seed
        assert not any(body.trajectory.moving for body in frozen)
        assert list(frozen.bodies) == list(world.bodies)


def test_an_empty_world_answers_too() -> None:
    world = World()
    points = np.zeros((3, 3))
    assert not world.ray(points, [0, 0, 1]).hit.any()
    assert not world.nearest(points).hit.any()
    assert not world.support(points).hit.any()
    assert not world.overlap(points, shape=Cylinder(1, 1)).any()
    assert world.sweep(TimedPath([0, 1], points[:2]), Cylinder(1, 1)) is None
    (spans,) = world.safe_intervals([Place(None, points[0])], Stander(), 0, 1)
    assert spans.shape == (0, 2)
    assert world.at(3.0) == world
    assert len(world) == 0
    with pytest.raises(WorldError, match="unknown body 'x'; there are: none"):
        world["x"]


def test_questions_and_changes_from_many_threads() -> None:
    rng = np.random.default_rng(0)
    world, _ = timed.station(rng)
    for i in range(8):
        world.add(Body(name=f"extra {i}", mesh=box((1, 1, 1)), trajectory=timed.rocking(rng)))
    wrong: list[BaseException] = []
    points, times = rng.uniform(-3, 3, (300, 3)), rng.uniform(0, 8, 300)

    def ask() -> None:
        try:
            for _ in range(10):
                found = world.nearest(points, times, threads=2)
                assert (found.body >= 0).all()
                assert np.isfinite(found.distance).all()
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)

    def change() -> None:
        own = np.random.default_rng(4)
        try:
            for i in range(60):
                world.move(f"extra {i % 8}", timed.rocking(own))
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=target) for target in (ask, ask, change)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert not wrong
