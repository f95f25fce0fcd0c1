"""Bodies that jump: step keys, loops that do not close, corrected futures.

At the moment of a jump a body is in one place only: where `pose` says. Every query must agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import (
    Attached,
    Body,
    Cylinder,
    Keyframed,
    Observed,
    Place,
    Static,
    TimedPath,
    Trajectory,
    World,
)
from surefoot.world.primitives import box, ground


@dataclass(frozen=True)
class Adult:
    radius: float = 0.3
    height: float = 1.8
    step_height: float = 0.3
    max_slope: float = 0.8


def _steps(times: list[float], repeat: str, **more: object) -> Keyframed:
    places = [[6.0 * (i % 2), 3.0 * (i // 2), 0.0] for i in range(len(times))]
    return Keyframed(times, places, interpolation="step", repeat=repeat, **more)  # pyright: ignore


def _seen(times: list[float], places: list[list[float]], **more: object) -> Observed:
    seen = Keyframed(np.array(times), np.array(places), np.tile([1.0, 0, 0, 0], (len(times), 1)))
    still = np.zeros(3)
    return Observed(seen, linear=still, angular=still, **more)  # pyright: ignore


def _step_seen() -> Observed:
    places = np.array([[0.0, 0, 0], [6.0, 0, 0]])
    seen = Keyframed([0.0, 1.4], places, [[1, 0, 0, 0]] * 2, interpolation="step")
    return Observed(seen, linear=np.zeros(3), angular=np.zeros(3))


def _turning() -> Keyframed:
    return Keyframed([0, 8], np.zeros((2, 3)), turns.from_yaw([0, 3.0]))


def _away_and_back() -> Keyframed:
    places = [[6, 0, 0], [0, 0, 0], [0, 0, 0]]
    return Keyframed([0, 1.25, 2], places, interpolation="step", repeat="ping-pong")


# Name: a motion and the moments at which it jumps, some of them on borders of blocks of time.
JUMPING: dict[str, Callable[[], tuple[Trajectory, list[float]]]] = {
    "once": lambda: (_steps([0, 1, 2, 3.3], "once"), [1, 2, 3.3]),
    "loop": lambda: (_steps([0, 1, 2, 3.25], "loop"), [1, 2, 3.25, 4.25, 5.25, 6.5]),
    "ping-pong": lambda: (_steps([0, 1, 2, 3], "ping-pong"), [1, 2, 3, 4, 5, 6, 7]),
    "ping-pong, odd times": lambda: (_steps([0, 0.7, 1.9], "ping-pong"), [0.7, 1.9, 3.1, 3.8, 4.5]),
    "loop that does not close": lambda: (
        Keyframed([0, 1.5], [[0, 0, 0], [6, 0, 0]], repeat="loop"),
        [1.5, 3, 4.5],
    ),
    "observed, another future": lambda: (
        _seen([0, 1], [[0, 0, 0], [1, 0, 0]], future=Static(Pose.at(6, 0, 0))),
        [1],
    ),
    "observed, future steps at its horizon": lambda: (
        _seen([0, 1], [[0, 0, 0]] * 2, ahead=2.1, future=_steps([0, 3.1, 5], "once")),
        [3.1],
    ),
    "observed in steps": lambda: (_step_seen(), [1.4]),
    "attached to a jumping body": lambda: (
        Attached(_steps([0, 1, 2, 3], "ping-pong"), Static(Pose.at(0, 1, 0))),
        [1, 2, 3, 4, 5, 6, 7],
    ),
    "attached, jumps on a turning body": lambda: (
        Attached(_turning(), _away_and_back()),
        [1.25, 2.75],
    ),
}


@pytest.fixture(params=JUMPING)
def jumping(request: pytest.FixtureRequest) -> tuple[Trajectory, list[float]]:
    return JUMPING[request.param]()


def _moments(jumps: list[float]) -> np.ndarray:
    """Just before, at and just after each jump, and evenly in between."""
    around = [np.nextafter(t, side) for t in jumps for side in (-np.inf, t, np.inf)]
    return np.unique(
        [*around, *(t + d for t in jumps for d in (-1e-6, 1e-6)), *np.arange(0, 8, 0.1)]
    )


def test_point_queries_find_the_body_where_its_pose_is(
    jumping: tuple[Trajectory, list[float]],
) -> None:
    trajectory, jumps = jumping
    world = World([Body(name="box", mesh=box((1, 1, 4)), trajectory=trajectory)])
    times = _moments(jumps)
    positions, _ = trajectory.poses(times)
    for chosen in (slice(None), *(slice(i, i + 1) for i in range(len(times)))):
        here, when = positions[chosen], times[chosen]
        assert world.overlap(here, when, shape=Cylinder(0.1, 0.4)).all()
        assert world.ray(here + np.array([0, 0, 5]), [0, 0, -1], when).hit.all()
        assert np.allclose(world.nearest(here, when).distance, 0.5)
        elsewhere = here + np.array([2, 0, 0])
        assert not world.overlap(elsewhere, when, shape=Cylinder(0.1, 0.4)).any()


def test_safe_intervals_hold_to_their_first_and_last_moment(
    jumping: tuple[Trajectory, list[float]],
) -> None:
    trajectory, jumps = jumping
    world = World(
        [
            Body(name="floor", mesh=ground(40, 40)),
            Body(name="box", mesh=box((1, 1, 4)), trajectory=trajectory),
        ]
    )
    times = np.unique(np.concatenate([_moments(jumps), np.linspace(0, 8, 4001)]))
    times = times[(times >= 0) & (times <= 8)]
    spots = np.unique(np.round(trajectory.poses(times[::7])[0], 1), axis=0)[:12] * [1, 1, 0]
    shape = Cylinder(0.3, 1.8, 0.3)
    found = world.safe_intervals([Place(None, spot) for spot in spots], Adult(), 0, 8)
    for spot, spans in zip(spots, found, strict=True):
        blocked = world.overlap(spot, times, shape=shape)
        inside = np.zeros(len(times), dtype=bool)
        for first, last in spans:
            assert first < last
            ends = world.overlap(spot, [first, last], shape=shape)
            assert not ends.any(), f"{spot} is blocked at an end of {first!r} to {last!r}"
            inside |= (times >= first) & (times <= last)
        assert not (inside & blocked).any(), times[inside & blocked]
        # Everything that is free for longer than the tolerance around is reported.
        near_blocked = np.zeros(len(times), dtype=bool)
        if blocked.any():
            gap = np.abs(times[:, None] - times[blocked]).min(axis=1)
            near_blocked = gap <= 5e-3
        assert (inside | near_blocked).all(), times[~(inside | near_blocked)]


def test_sweeps_see_jumps_at_any_moment_of_the_path(
    jumping: tuple[Trajectory, list[float]],
) -> None:
    trajectory, jumps = jumping
    world = World([Body(name="box", mesh=box((1, 1, 4)), trajectory=trajectory)])
    shape = Cylinder(0.3, 1.8, 0.3)
    for jump in jumps:
        for spot in trajectory.poses([jump - 1e-6, jump, jump + 1e-6])[0]:
            for start, end in (
                (jump - 0.2, jump),
                (jump, jump + 0.2),
                (jump - 0.2, jump + 0.2),
                (jump - 0.2, np.nextafter(jump, 9)),
            ):
                path = TimedPath([start, end], [spot, spot])
                contact = world.sweep(path, shape)
                times = np.unique([start, end, *np.linspace(start, end, 401), jump])
                times = times[(times >= start) & (times <= end)]
                touching = world.overlap(spot, times, shape=shape)
                if touching.any():
                    first = times[touching][0]
                    assert contact is not None, f"touches at {first!r}"
                    assert first - 5e-3 <= contact.time <= first
                else:
                    assert contact is None


def test_travel_bounds_motion_from_the_moment_of_a_jump() -> None:
    trajectory, jumps = JUMPING["attached, jumps on a turning body"]()
    for jump in jumps:
        x, y, z, turn, _ = trajectory.native.travel(jump, jump + 0.4)
        after, _ = trajectory.poses(np.linspace(jump + 1e-9, jump + 0.4, 50))
        assert (np.abs(after - after[0]) <= np.array([x, y, z]) + 1e-9).all()
        assert turn >= 0.4 * 3 / 8 - 1e-9


def test_a_path_of_one_moment_is_swept_too() -> None:
    world = World([Body(name="wall", mesh=box((1, 1, 4)))])
    shape = Cylinder(0.3, 1.8, 0.3)
    hit = world.sweep(TimedPath([2.0], [[0.5, 0, 0]]), shape)
    assert hit is not None
    assert (hit.time, hit.body) == (2.0, "wall")
    assert world.sweep(TimedPath([2.0], [[3, 0, 0]]), shape) is None
