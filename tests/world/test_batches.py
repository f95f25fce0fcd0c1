"""Batches: same bits at any number of threads, in any order; shapes as numpy's broadcasting."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from references import random_worlds, timed
from references.timed import Stander
from surefoot.errors import InputError
from surefoot.world import Body, Capsule, Cylinder, Foot, Place, TimedPath, World
from surefoot.world.primitives import box, ground


def _bits(value: object) -> list[bytes]:
    """Every array of an answer, as bytes."""
    if isinstance(value, np.ndarray):
        return [value.dtype.str.encode(), str(value.shape).encode(), value.tobytes()]
    return [part for name in value.__dataclass_fields__ for part in _bits(getattr(value, name))]  # pyright: ignore


ASK: dict[str, Callable[..., object]] = {
    "ray": lambda w, p, t, **m: w.ray(p, np.roll(p, 1, axis=-1) + 0.1, t, **m),
    "nearest": lambda w, p, t, **m: w.nearest(p, t, **m),
    "support": lambda w, p, t, **m: w.support(p, t, up=1.0, down=3.0, **m),
    "foot": lambda w, p, t, **m: w.support(
        p, t, up=1.0, down=3.0, foot=Foot(0.3, 0.1), heading=np.asarray(t), **m
    ),
    "overlap": lambda w, p, t, **m: w.overlap(p, t, shape=Cylinder(0.3, 1, 0.1), **m),
    "overlapping": lambda w, p, t, **m: w.overlapping(p, t, shape=Capsule(0.3, 1), **m),
}


@pytest.fixture(scope="module")
def busy() -> World:
    rng = np.random.default_rng(3)
    bodies = [
        Body(name=f"{i}", mesh=random_worlds.mesh(rng), trajectory=random_worlds.motion(rng))
        for i in range(40)
    ]
    return World([*bodies, Body(name="floor", mesh=ground(20, 20, -2))])


@pytest.mark.parametrize("ask", ASK)
def test_same_bits_at_any_number_of_threads(busy: World, ask: str) -> None:
    rng = np.random.default_rng(4)
    points, times = rng.uniform(-4, 4, (3000, 3)), random_worlds.moments(rng, 3000)
    alone = ASK[ask](busy, points, times)
    for threads in (2, 3, 7):
        assert _bits(ASK[ask](busy, points, times, threads=threads)) == _bits(alone)


@pytest.mark.parametrize("ask", ASK)
def test_the_order_of_questions_does_not_matter(busy: World, ask: str) -> None:
    rng = np.random.default_rng(5)
    points, times = rng.uniform(-4, 4, (400, 3)), random_worlds.moments(rng, 400)
    order = rng.permutation(400)
    together = ASK[ask](busy, points, times)
    shuffled = ASK[ask](busy, points[order], times[order])
    halves = [ASK[ask](busy, points[part], times[part]) for part in (slice(100), slice(100, 400))]
    if isinstance(together, np.ndarray):
        assert np.array_equal(shuffled, together[order])
        assert np.array_equal(np.concatenate(halves), together)  # pyright: ignore
        return
    for name in together.__dataclass_fields__:  # pyright: ignore
        value = getattr(together, name)
        assert np.array_equal(getattr(shuffled, name), value[order])
        assert np.array_equal(np.concatenate([getattr(half, name) for half in halves]), value)


def test_spans_of_time_have_the_same_bits_at_any_number_of_threads() -> None:
    for seed in range(6):
        rng = np.random.default_rng([seed, 9])
        world, places = timed.station(rng)
        paths = [
            TimedPath([0, 1, 2], rng.uniform(-3, 3, (3, 3)), list(world)[i % len(world)].name)
            for i in range(12)
        ]
        spans = world.safe_intervals(places, Stander(), 0, 6)
        contacts = world.sweeps(paths, Cylinder(0.2, 1))
        for threads in (2, 5):
            again = world.safe_intervals(places, Stander(), 0, 6, threads=threads)
            assert [part.tobytes() for part in again] == [part.tobytes() for part in spans]
            assert world.sweeps(paths, Cylinder(0.2, 1), threads=threads) == contacts
        one_by_one = [world.safe_intervals([place], Stander(), 0, 6)[0] for place in places]
        assert all(np.array_equal(a, b) for a, b in zip(one_by_one, spans, strict=True))


@pytest.mark.parametrize("ask", ASK)
def test_moments_far_apart_do_not_change_answers(busy: World, ask: str) -> None:
    # A batch over a long time looks through longer blocks of time.
    rng = np.random.default_rng(6)
    points, times = rng.uniform(-4, 4, (400, 3)), random_worlds.moments(rng, 400)
    far = np.concatenate([times, rng.uniform(-300, 300, 400)])
    alone = ASK[ask](busy, points, times)
    with_far = ASK[ask](busy, np.concatenate([points, points]), far)
    if isinstance(alone, np.ndarray):
        assert np.array_equal(alone, with_far[:400])  # pyright: ignore
        return
    for name in alone.__dataclass_fields__:  # pyright: ignore
        assert np.array_equal(getattr(alone, name), getattr(with_far, name)[:400])


@pytest.mark.parametrize("ask", ASK)
@pytest.mark.parametrize(
    ("points", "times", "expected"),
    [
        ((), (), ()),
        ((5,), (), (5,)),
        ((), (4,), (4,)),
        ((5, 1), (3,), (5, 3)),
        ((2, 1, 3), (4, 1), (2, 4, 3)),
        ((0,), (), (0,)),
        ((0,), (1,), (0,)),
        ((3, 0), (), (3, 0)),
    ],
)
def test_shapes_broadcast(
    busy: World,
    ask: str,
    points: tuple[int, ...],
    times: tuple[int, ...],
    expected: tuple[int, ...],
) -> None:
    rng = np.random.default_rng(7)
    where, when = rng.uniform(-3, 3, (*points, 3)), rng.uniform(0, 4, times)
    found = ASK[ask](busy, where, when)
    found = np.asarray(found) if isinstance(found, np.generic) else found
    full = np.broadcast_to(where, (*expected, 3)).reshape(-1, 3)
    flat = ASK[ask](busy, full, np.broadcast_to(when, expected).reshape(-1))
    if isinstance(found, np.ndarray):
        assert found.shape == expected
        assert np.array_equal(found.reshape(-1), flat)  # pyright: ignore
        return
    for name in found.__dataclass_fields__:  # pyright: ignore
        value, one = getattr(found, name), getattr(flat, name)
        assert value.shape == expected + one.shape[1:]
        assert np.array_equal(value.reshape(one.shape), one)
    assert found.hit.shape == expected  # pyright: ignore


def test_lists_and_whole_numbers_will_do() -> None:
    world = World([Body(name="box", mesh=box((2, 2, 2)))])
    assert world.ray([0, 0, 5], [0, 0, -3], 1).distance == 4
    assert world.ray([[0, 0, 5], [9, 0, 5]], [0, 0, -1], [0, 1]).hit.tolist() == [True, False]
    strided = np.zeros((10, 6))[::2, ::2]
    assert world.nearest(strided).distance.tolist() == [1.0] * 5
    assert world.nearest(strided.astype(np.float32)).distance.shape == (5,)
    assert world.overlap((0, 0, 0), shape=Cylinder(1, 1)).dtype == bool


def test_shapes_that_do_not_fit_are_told() -> None:
    world = World([Body(name="box", mesh=box((2, 2, 2)))])
    with pytest.raises(
        InputError, match=r"points of shape \(3,\) and t of shape \(2,\) do not fit"
    ):
        world.nearest(np.zeros((3, 3)), [0.0, 1.0])
    with pytest.raises(InputError, match=r"origins of shape \(3,\) and directions of shape \(2,\)"):
        world.ray(np.zeros((3, 3)), np.ones((2, 3)))
    with pytest.raises(InputError, match=r"points must have shape \(..., 3\), got \(3, 2\)"):
        world.nearest(np.zeros((3, 2)))
    with pytest.raises(InputError, match=r"points of shape \(3,\) and heading of shape \(2,\)"):
        world.support(np.zeros((3, 3)), foot=Foot(0.3, 0.1), heading=[0.0, 1.0])


def test_places_and_points_agree() -> None:
    rng = np.random.default_rng(2)
    for _ in range(30):
        world = random_worlds.world(rng)
        name = list(world)[rng.integers(len(world))].name
        point, t = rng.uniform(-2, 2, 3), float(rng.uniform(-2, 9))
        place = world.attach(point, name, t)
        assert np.allclose(world.position(place, t), point, atol=1e-9)
        times = rng.uniform(-2, 9, 7)
        many = world.positions([place] * 7, times)
        one_by_one = [world[name].trajectory.pose(float(s)).apply(place.position) for s in times]
        assert np.allclose(many, one_by_one, atol=1e-9)
        assert np.array_equal(world.position(Place(None, point), t), point)
