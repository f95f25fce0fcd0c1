"""Safe intervals against dense sampling of moments.

Sound: no moment inside a span is blocked, ever, nor without ground for longer than the tolerance.
Complete: a moment is reported when everything around it, for as long as the tolerance, is free by
more than anything moves within the tolerance, and has ground.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from references import timed
from references.timed import Stander
from surefoot.arrays import Floats
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import Attached, Body, Function, Keyframed, Observed, Place, Static, World
from surefoot.world.primitives import box, cylinder, ground, slab

RIM = 1e-9
"""[m] Closer to the rim of the ground than this, either answer is right."""

SEEDS = [*range(50), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(50, 2000))]


def _inside(spans: Floats, times: Floats) -> np.ndarray:
    after = np.searchsorted(spans[:, 0], times, side="right") - 1
    return (after >= 0) & (times <= spans[np.maximum(after, 0), 1]) if len(spans) else after >= 0


def check(
    world: World,
    place: Place,
    stander: Stander,
    start: float,
    end: float,
    tolerance: float = 1e-3,
    samples: int = 700,
) -> tuple[Floats, float]:
    """Asserts that the spans of a place are sound and complete; gives them and the safe share."""
    (spans,) = world.safe_intervals([place], stander, start, end, tolerance=tolerance)
    told = f"{place} from {start} to {end}"
    assert spans.shape[1:] == (2,)
    flat = spans.reshape(-1)
    assert (np.diff(flat) > 0).all(), f"{told}: spans are not in order: {spans}"
    if len(flat):
        assert start <= flat[0], told
        assert flat[-1] <= end, told

    grid = np.linspace(start, end, samples)
    borders = np.concatenate([np.nextafter(flat, -np.inf), flat, np.nextafter(flat, np.inf)])
    near = np.concatenate([flat + d for d in (-tolerance, -1e-6, 1e-9, 1e-6, tolerance / 2)])
    middles = spans.mean(axis=1) if len(spans) else []
    halves = np.arange(np.ceil(start * 2), np.floor(end * 2) + 1) / 2
    times = np.unique(np.concatenate([grid, borders, near, middles, halves[:200], [start, end]]))
    times = times[(times >= start) & (times <= end)]
    points = world.positions([place] * len(times), times)
    inside = _inside(spans, times)

    blocked = inside & ~timed.free(world, points, times, stander, 0.0)
    assert not blocked.any(), f"{told}: blocked at {times[blocked][:5].tolist()} inside {spans}"
    held = timed.supported(world, points, times, stander)
    for moment in times[inside & ~held][:20]:
        _assert_brief(world, place, stander, float(moment), tolerance, told)

    # Everything that is comfortably safe for the tolerance around is reported.
    margin = 2 * tolerance * timed.speed(world, place, start, end)
    comfortable = held & timed.free(world, points, times, stander, margin)
    uneasy = np.flatnonzero(~comfortable)
    for moment in _farther(times, uneasy, ~inside & comfortable, tolerance):
        around = np.unique(
            np.clip(np.linspace(moment - tolerance, moment + tolerance, 201), start, end)
        )
        where = world.positions([place] * len(around), around)
        easy = timed.supported(world, where, around, stander, RIM)
        easy &= timed.free(world, where, around, stander, margin)
        assert not easy.all(), f"{told}: safe at {moment!r}, but not inside {spans}"
    return spans, float(inside.mean())


def _farther(times: Floats, bad: np.ndarray, chosen: np.ndarray, least: float) -> list[float]:
    """Some chosen moments that lie farther than `least` from all bad ones."""
    gap = np.full(len(times), np.inf)
    if len(bad):
        after = np.searchsorted(times[bad], times)
        right = times[bad[np.minimum(after, len(bad) - 1)]] - times
        left = times - times[bad[np.maximum(after - 1, 0)]]
        gap = np.minimum(np.abs(right), np.abs(left))
    found = times[chosen & (gap > least * (1 + 1e-6))]
    return [float(t) for t in found[:: max(1, len(found) // 20)]]


def _assert_brief(
    world: World, place: Place, stander: Stander, moment: float, tolerance: float, told: str
) -> None:
    around = moment + np.linspace(-tolerance, tolerance, 401)
    points = world.positions([place] * len(around), around)
    held = timed.supported(world, points, around, stander)
    assert held[:200].any(), f"{told}: no ground at {moment!r} and before"
    assert held[201:].any(), f"{told}: no ground at {moment!r} and after"


@pytest.mark.parametrize("seed", SEEDS)
def test_stations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world, places = timed.station(rng)
    stander = Stander(
        radius=float(rng.choice([0.1, 0.25, 0.4])),
        step_height=float(rng.choice([0.1, 0.25, 0.4])),
        max_slope=float(rng.choice([0.2, 0.7])),
    )
    start = float(rng.choice([0.0, -1.5, 0.5, rng.uniform(-2, 1)]))
    end = start + float(rng.choice([2.0, 4.0, rng.uniform(1, 6)]))
    tolerance = float(rng.choice([1e-3, 1e-2]))
    for place in places:
        check(world, place, stander, start, end, tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_stations_for_long(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    world, places = timed.station(rng)
    for place in places[:3]:
        check(world, place, Stander(), -40.0, float(rng.choice([80.0, 300.0])), 0.05, samples=6000)


@pytest.mark.parametrize("seed", range(6))
def test_stations_for_long_enough_for_longer_blocks(seed: int) -> None:
    rng = np.random.default_rng([seed, 3])
    world, places = timed.station(rng)
    for place in places[:2]:
        check(world, place, Stander(), 0.0, 100.0, 0.05, samples=4000)


# --- cases whose answers are known ---------------------------------------------------------------


def _floor() -> Body:
    return Body(name="floor", mesh=ground(40, 40))


def test_a_train_passes() -> None:
    train = Keyframed([0, 10], [[-20, 0, 0], [20, 0, 0]])  # 4 m/s
    world = World(
        [_floor(), Body(name="train", mesh=box((4, 2, 3), (0, 0, 1.5)), trajectory=train)]
    )
    for tolerance in (0.05, 1e-3, 1e-5):
        (spans,) = world.safe_intervals(
            [Place(None, [0, 0, 0])], Stander(), 0, 10, tolerance=tolerance
        )
        # It touches from 5 - 2.25 / 4 to 5 + 2.25 / 4.
        assert spans.shape == (2, 2)
        assert spans[0, 0] == 0
        assert spans[1, 1] == 10
        assert 5 - 2.25 / 4 - tolerance <= spans[0, 1] <= 5 - 2.25 / 4
        assert 5 + 2.25 / 4 <= spans[1, 0] <= 5 + 2.25 / 4 + tolerance


def test_a_lift_is_ground_while_it_is_within_a_step() -> None:
    rise = Keyframed([0, 10], [[0, 0, -1], [0, 0, 1]])
    world = World([Body(name="lift", mesh=ground(2, 2), trajectory=rise)])
    (spans,) = world.safe_intervals([Place(None, [0.3, 0.1, 0])], Stander(), 0, 10)
    assert spans.shape == (1, 2)
    assert np.allclose(spans, [[5 - 1.25, 5 + 1.25]], atol=1e-3)
    assert spans[0, 0] >= 5 - 1.25
    assert spans[0, 1] <= 5 + 1.25


def test_a_deck_that_leans_too_far_is_no_ground() -> None:
    lean = Keyframed([0, 4], np.zeros((2, 3)), turns.from_axis_angle([1, 0, 0], [-0.8, 0.8]))
    world = World([Body(name="deck", mesh=ground(4, 4), trajectory=lean)])
    (spans,) = world.safe_intervals([Place("deck", [0, 0, 0])], Stander(max_slope=0.4), 0, 4)
    assert spans.shape == (1, 2)
    assert np.allclose(spans, [[1, 3]], atol=2e-3)


BORDERS = [0.0, 0.5, 1.0, 2.5]


@pytest.mark.parametrize("start", BORDERS)
@pytest.mark.parametrize("length", [0.5, 1.0, 1.25])
def test_spans_that_start_and_end_on_borders_of_blocks(start: float, length: float) -> None:
    back = Keyframed([0, 0.5, 1], [[-3, 0, 0], [3, 0, 0], [-3, 0, 0]], repeat="loop")
    steps = Keyframed(
        [0, 0.5, 1], [[0, 2, 0], [0, -2, 0], [0, 2, 0]], interpolation="step", repeat="loop"
    )
    world = World(
        [
            _floor(),
            Body(name="back and forth", mesh=box((1, 1, 2), (0, 0, 1)), trajectory=back),
            Body(name="here and there", mesh=box((1, 1, 2), (0, 0, 1)), trajectory=steps),
        ]
    )
    for place in ([0, 0, 0], [0, 2, 0], [0, -2, 0], [5, 5, 0], [2.5, 0, 0]):
        check(world, Place(None, place), Stander(), start, start + length)


RIDES = {
    "carried": Keyframed([0, 4], [[0, 0, 0], [6, 0, 0]], repeat="loop"),
    "turning": Keyframed([0, 3], np.zeros((2, 3)), turns.from_yaw([0, 3]), repeat="ping-pong"),
    "rocking": Keyframed(
        [0, 1, 2, 3, 4],
        np.zeros((5, 3)),
        turns.from_axis_angle([1, 1, 0], [0, 0.2, 0, -0.2, 0]),
        repeat="loop",
    ),
    "jumping": Keyframed(
        [0, 1, 2.5], [[0, 0, 0], [1, 1, 0.1], [0, 0, 0]], interpolation="step", repeat="loop"
    ),
    "leaping loop": Keyframed([0, 1.3], [[-1, 0, 0], [2, 0, 0.2]], repeat="loop"),
    "door on a train": Attached(
        Keyframed([0, 4], [[0, 0, 0], [4, 0, 0]], turns.from_yaw([0, 1]), repeat="ping-pong"),
        Keyframed([0, 1], [[0, 0, 0], [0, 1, 0]], repeat="ping-pong"),
    ),
    "swinging": Function(
        cache(lambda t: Pose.at(np.sin(t), 0, 0.1 * np.sin(2 * t), yaw=0.5 * np.sin(t))),
        horizon=8,
        max_speed=1.1,
        max_turn_rate=0.6,
    ),
    "seen": Observed.first(
        0, Pose.at(-1, 0, 0), velocity=[1, 0, 0], turn_rate=[0, 0, 0.5], ahead=3
    ),
}


@pytest.mark.parametrize("ride", RIDES)
def test_places_that_ride(ride: str) -> None:
    world = World(
        [
            Body(name="deck", mesh=slab((3, 3, 0.3)), trajectory=RIDES[ride]),
            Body(name="pillar", mesh=cylinder(0.3, 3, 8), trajectory=Static(Pose.at(1.5, 0.5, -1))),
            Body(
                name="passer",
                mesh=box((0.5, 0.5, 1), (0, 0, 1)),
                trajectory=Keyframed([0, 3], [[-4, 0.3, 0], [4, -0.3, 0]], repeat="ping-pong"),
            ),
        ]
    )
    shares = [
        check(world, Place("deck", [*where, z]), Stander(), 0.0, 8.0)[1]
        for where in ([0, 0], [0.75, 0.75], [1.2, -0.7], [1.5, 0])
        for z in (0.0, 0.05)
    ]
    # Something is always free, something always blocked: the case tells something.
    assert max(shares) > 0
    assert min(shares) < 1


def test_the_diagonal_of_a_rocking_deck_is_ground_all_the_time() -> None:
    for ride in ("rocking", "turning", "carried", "swinging"):
        world = World([Body(name="deck", mesh=box((4, 4, 2)), trajectory=RIDES[ride])])
        for place in ([0, 0, 1], [1, 1, 1], [-1, 1, 1], [0.5, -0.5, 1]):
            (spans,) = world.safe_intervals([Place("deck", place)], Stander(), 0.0, 8.0)
            assert spans.tolist() == [[0.0, 8.0]], (ride, place)


def test_two_tiles_side_by_side_are_one_ground() -> None:
    slide = Keyframed([0, 8], [[-2, 0, 0], [2, 0, 0]])
    tiles = [
        Body(name=name, mesh=ground(2, 2), trajectory=Attached(slide, Static(Pose.at(x, 0, 0))))
        for name, x in (("left", -1), ("right", 1))
    ]
    (spans,) = World(tiles).safe_intervals([Place(None, [0, 0.3, 0])], Stander(), 0, 8)
    assert spans.tolist() == [[0.0, 8.0]]


def test_an_hour_on_a_ship() -> None:
    world = World([Body(name="ship", mesh=box((10, 4, 2)), trajectory=RIDES["rocking"])])
    (spans,) = world.safe_intervals([Place("ship", [2.5, 1, 1])], Stander(), 0, 3600)
    assert spans.tolist() == [[0.0, 3600.0]]


def test_an_hour_of_trains() -> None:
    train = Keyframed([0, 10, 60], [[-20, 0, 0], [20, 0, 0], [20, 0, 0]], repeat="loop")
    world = World(
        [_floor(), Body(name="train", mesh=box((4, 2, 3), (0, 0, 1.5)), trajectory=train)]
    )
    (spans,) = world.safe_intervals([Place(None, [0, 0, 0])], Stander(), 0, 3600, tolerance=0.01)
    assert len(spans) == 61
    expected = 60 * np.arange(60) + 5 - 2.25 / 4
    assert (spans[:-1, 1] <= expected).all()
    assert (spans[:-1, 1] >= expected - 0.01).all()


def test_nothing_to_stand_on_and_always_blocked() -> None:
    world = World([_floor(), Body(name="wall", mesh=box((2, 2, 4)))])
    nowhere, inside, beside = world.safe_intervals(
        [Place(None, [0, 0, 9]), Place(None, [0, 0, 0]), Place(None, [5, 5, 0])], Stander(), 0, 3
    )
    assert nowhere.shape == (0, 2)
    assert inside.shape == (0, 2)
    assert beside.tolist() == [[0.0, 3.0]]
    assert world.safe_intervals([], Stander(), 0, 1) == []


def test_what_rides_along_never_comes_nearer() -> None:
    """A hand's breadth from a load on the same car one can stand for as long as it rolls."""
    rolls = Keyframed(np.array([0.0, 40.0]), np.array([[0.0, 0.0, 0.0], [120.0, 0.0, 0.0]]))
    fixed = Attached(rolls, Static(Pose((2.0, 0.0, 0.5), (1.0, 0.0, 0.0, 0.0))))
    stander = Stander()
    away = stander.radius + 0.0002
    world = World([
        Body(name="deck", mesh=slab((8.0, 3.0, 0.2), (0.0, 0.0, 0.0)), trajectory=rolls),
        Body(name="gear", mesh=box((6.0, 1.0, 0.3), (0.0, 0.0, -0.4)), trajectory=rolls),
        Body(name="crate", mesh=box((1.0, 1.0, 1.0)), trajectory=fixed),
    ])  # fmt: skip
    (spans,) = world.safe_intervals([Place("deck", (1.5 - away, 0.0, 0.0))], stander, 0.0, 40.0)
    np.testing.assert_array_equal(spans, [[0.0, 40.0]])
    (spans,) = world.safe_intervals(
        [Place("deck", (1.5 - stander.radius + 0.002, 0.0, 0.0))], stander, 0.0, 40.0
    )
    assert len(spans) == 0
