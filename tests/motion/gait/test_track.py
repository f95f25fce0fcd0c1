"""Tracks follow plans closely, and are smooth where plans are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.motion import Stretch, Track
from surefoot.motion.flight import Flight
from surefoot.world import Body, Keyframed, Place, World
from surefoot.world.primitives import slab


def _straight(speed: float = 1.3) -> Stretch:
    return Stretch(
        times=np.array([0.0, 5.0]),
        positions=np.array([[0.0, 0, 0], [5 * speed, 0, 0]]),
        headings=np.zeros(2),
    )


def test_it_starts_and_ends_at_rest_and_where_planned(flat: World) -> None:
    track = Track(flat, [_straight()])
    ends = track.at(np.array([0.0, 5.0]))
    assert np.allclose(ends.position, [[0, 0, 0], [6.5, 0, 0]], atol=1e-5)
    assert np.allclose(ends.speed, 0.0, atol=1e-3)


def test_in_between_it_keeps_the_planned_times(flat: World) -> None:
    track = Track(flat, [_straight()])
    times = np.linspace(1.7, 3.3, 20)
    assert np.allclose(track.at(times).position[:, 0], 1.3 * times, atol=1e-6)
    late = 1.3 * np.linspace(0, 5, 200) - track.at(np.linspace(0, 5, 200)).position[:, 0]
    assert np.abs(late).max() < 0.6


def test_speed_is_that_of_its_own_positions(flat: World) -> None:
    track = Track(flat, [_straight()])
    times = np.linspace(0.0, 5.0, 2001)
    ground = track.at(times)
    measured = np.gradient(ground.position[:, 0], times)
    assert np.allclose(ground.forward[5:-5], measured[5:-5], atol=0.02)


def test_corners_are_rounded_but_not_cut_far(flat: World) -> None:
    corner = Stretch(
        times=np.array([0.0, 2.0, 4.0]),
        positions=np.array([[0.0, 0, 0], [2.4, 0, 0], [2.4, 2.4, 0]]),
        headings=np.array([0.0, 0.0, np.pi / 2]),
    )
    track = Track(flat, [corner])
    times = np.linspace(0.0, 4.0, 400)
    path = track.at(times).position
    away = np.minimum(np.abs(path[:, 1]), np.abs(path[:, 0] - 2.4))
    assert away.max() < 0.12
    velocity = np.gradient(path, times, axis=0)
    assert np.abs(np.gradient(velocity, times, axis=0)).max() < 5.0


def test_riding_is_standing_still(carousel: World) -> None:
    ride = Stretch(
        times=np.array([0.0, 6.0]),
        positions=np.array([[1.0, 0.5, 0], [1.0, 0.5, 0]]),
        headings=np.zeros(2),
        frame="platform",
    )
    times = np.linspace(0, 6, 50)
    ground = Track(carousel, [ride]).at(times)
    origins, _ = carousel["platform"].trajectory.poses(times)
    assert np.abs(np.linalg.norm(ground.position - origins, axis=1) - 1.118).max() < 1e-3
    assert np.allclose(ground.speed, 0.0, atol=1e-9)
    assert np.allclose(ground.turning, 0.0, atol=1e-9)


def test_stepping_onto_a_moving_belt_has_no_jump() -> None:
    moving = Keyframed([0.0, 20.0], [[3.0, -10.0, 0.0], [3.0, 10.0, 0.0]])
    world = World(
        [
            Body(name="ground", mesh=slab((4.0, 40.0, 0.2))),
            Body(name="belt", mesh=slab((2.0, 60.0, 0.1)), trajectory=moving),
        ]
    )
    first = Stretch(
        times=np.array([0.0, 2.0]),
        positions=np.array([[0.0, 0, 0], [2.0, 0, 0]]),
        headings=np.zeros(2),
    )
    second = Stretch(
        times=np.array([2.0, 4.0]),
        positions=np.array([[-1.0, 8.0, 0], [0.5, 8.0, 0]]),
        headings=np.zeros(2),
        frame="belt",
    )
    times = np.linspace(0.0, 4.0, 800)
    path = Track(world, [first, second]).at(times).position
    speed = np.linalg.norm(np.diff(path, axis=0), axis=1) / np.diff(times)
    assert speed.max() < 2.0
    assert np.abs(np.diff(speed)).max() < 0.05


def test_bad_stretches_are_refused(flat: World) -> None:
    with pytest.raises(InputError, match="at least one stretch"):
        Track(flat, [])
    with pytest.raises(InputError, match=r"one ends at 5 s, the next starts at 0 s"):
        Track(flat, [_straight(), _straight()])
    with pytest.raises(InputError, match="increasing"):
        Stretch(times=np.zeros(2), positions=np.zeros((2, 3)), headings=np.zeros(2))
    with pytest.raises(InputError, match=r"positions must have shape \(2, 3\)"):
        Stretch(times=np.arange(2.0), positions=np.zeros((3, 3)), headings=np.zeros(2))


def _jump(turn: float = 0.0, run_up: float = 0.0) -> Stretch:
    """Two seconds, a flight of 0.5 s over 1.5 m, and two seconds; at rest, or with a run-up."""
    times = np.array([0.0, 2.0, 2.5, 4.5])
    ahead = np.array([0.0, 2.0 * run_up, 2.0 * run_up + 1.5, 4.0 * run_up + 1.5])
    flight = Flight(
        take_off=Place(None, np.array([ahead[1], 0.0, 0.0])),
        landing=Place(None, np.array([ahead[2], 0.0, 0.0])),
        start=2.0,
        end=2.5,
    )
    return Stretch(
        times=times,
        positions=np.column_stack([ahead, np.zeros((4, 2))]),
        headings=np.array([0.0, 0.0, turn, turn]),
        flights=(flight,),
    )


@pytest.mark.parametrize("run_up", [0.0, 3.0])
def test_flights_are_kept_exactly(flat: World, run_up: float) -> None:
    stretch = _jump(run_up=run_up)
    track = Track(flat, [stretch], linger=1.0)
    ground = track.at(np.array([2.0, 2.25, 2.5]))
    start = 2.0 * run_up
    expected = [[start, 0, 0], [start + 0.75, 0, 0.5 * 9.81 * 0.25**2], [start + 1.5, 0, 0]]
    assert np.allclose(ground.position, expected, atol=1e-9)
    # Who stands before a jump stands until it, and after it.
    rest = track.at(np.array([0.0, 1.99, 2.51, 4.5]))
    if run_up == 0.0:
        assert np.allclose(rest.position[:, 0], [0.0, 0.0, 1.5, 1.5], atol=1e-9)
    times = np.arange(0.0, 5.0, 0.001)
    moved = track.at(times)
    assert np.abs(np.diff(moved.position, axis=0)).max() < 0.006
    assert np.abs(moved.forward[(times > 1.0) & (times < 4.0)] - run_up).max() < 3.01


def test_a_turn_in_the_air_begins_before_and_ends_after_it(flat: World) -> None:
    track = Track(flat, [_jump(turn=2.0)])
    times = np.arange(0.0, 4.5, 0.001)
    heading = track.at(times).heading
    assert heading[0] == pytest.approx(0.0)
    assert heading[-1] == pytest.approx(2.0)
    assert np.diff(heading).min() > -1e-4  # never the wrong way
    assert np.diff(heading).max() < 0.004
    aloft = (times >= 2.0) & (times <= 2.5)
    assert 0.05 < heading[aloft][0] < 0.6
    assert np.allclose(np.diff(heading[aloft]), np.diff(heading[aloft])[0], atol=1e-9)


def test_what_cannot_be_turned_in_the_air_is_turned_on_the_ground(flat: World) -> None:
    track = Track(flat, [_jump(turn=3.1)])
    fast = Track(flat, [replace(_jump(turn=3.1), flights=(replace(_jump().flights[0], end=2.2),))])
    for each in (track, fast):
        times = np.arange(0.0, 5.0, 0.005)
        heading = np.unwrap(each.at(times).heading)
        assert heading[-1] == pytest.approx(3.1, abs=1e-6)
        assert np.abs(np.diff(heading)).max() / 0.005 < 6.0


def test_who_jumps_off_a_train_stood_on_it(lift_shaft: World) -> None:
    flight = Flight(
        take_off=Place("lift", np.zeros(3)),
        landing=Place(None, np.array([5.0, 0.0, 2.4])),
        start=6.8,
        end=7.3,
    )
    lift = lift_shaft["lift"].trajectory
    times = np.array([5.0, 6.0, 6.8, 7.3, 9.0])
    positions = np.array([*(lift.pose(t).position for t in times[:3]), [5, 0, 2.4], [5, 0, 2.4]])
    jump = Stretch(times=times, positions=positions, headings=np.zeros(5), flights=(flight,))
    track = Track(lift_shaft, [jump])
    riding = track.at(np.linspace(5.0, 6.7, 10))
    assert np.abs(riding.speed).max() < 1e-6
    assert track.frame(6.0) == "lift"
    assert track.frame(7.0) is None
    assert np.allclose(track.at(np.array([6.8])).position[0], lift.pose(6.8).position)
