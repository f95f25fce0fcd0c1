"""Walks to look at: worlds to walk in, and bodies on their way through them."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, radians, tan

import numpy as np
import pytest

from surefoot.character import humanoid
from surefoot.character.measures import Measures
from surefoot.math import Pose
from surefoot.motion import Stretch, Track, Walker, place_footsteps
from surefoot.world import Body, Function, Keyframed, World
from surefoot.world.primitives import placed, ramp, slab, stairs

MEASURES = Measures.from_height(1.75)
STEP_HEIGHT = 0.35


@pytest.fixture(scope="session")
def measures() -> Measures:
    return MEASURES


@pytest.fixture(scope="session")
def flat() -> World:
    return World([Body(name="ground", mesh=slab((60.0, 60.0, 0.2)))])


@pytest.fixture(scope="session")
def flight() -> World:
    """Nine steps of 17 cm along +x from x = 2."""
    return World(
        [
            Body(name="ground", mesh=slab((20.0, 20.0, 0.2))),
            Body(name="stairs", mesh=placed(stairs(9, 3.0, 0.17, 0.28), 2.0)),
            Body(name="landing", mesh=slab((12.0, 3.0, 0.2), (10.52, 0.0, 1.53))),
        ]
    )


@pytest.fixture(scope="session")
def hill() -> World:
    """A slope of 12 degrees along +x from x = 2 to x = 8."""
    height = 6.0 * tan(radians(12))
    return World(
        [
            Body(name="ground", mesh=slab((20.0, 20.0, 0.2))),
            Body(name="slope", mesh=placed(ramp(6.0, 4.0, height), 2.0)),
            Body(name="top", mesh=slab((8.0, 4.0, 0.2), (12.0, 0.0, height))),
        ]
    )


@pytest.fixture(scope="session")
def carousel() -> World:
    """A platform that travels in a circle, turns and rises, over deep ground."""

    def pose(t: float) -> Pose:
        return Pose.at(3 * np.cos(0.3 * t), 3 * np.sin(0.3 * t), 0.3 * np.sin(0.4 * t), 0.5 * t)

    motion = Function(pose, horizon=60.0, max_speed=2.0, max_turn_rate=0.6)
    return World(
        [
            Body(name="ground", mesh=slab((40.0, 40.0, 0.2), (0.0, 0.0, -3.0))),
            Body(name="platform", mesh=slab((6.0, 6.0, 0.2)), trajectory=motion),
        ]
    )


@pytest.fixture(scope="session")
def lift_shaft() -> World:
    """A lift that rises 2.4 m between 4 and 7 s, with floors before and after it."""
    rising = Keyframed([0.0, 4.0, 7.0], [[3.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 0.0, 2.4]])
    return World(
        [
            Body(name="floor", mesh=slab((4.0, 6.0, 0.2))),
            Body(name="lift", mesh=slab((2.0, 2.0, 0.1)), trajectory=rising),
            Body(name="deck", mesh=slab((4.0, 6.0, 0.2), (6.0, 0.0, 2.4))),
        ]
    )


def stretch(
    world: World, points: list[tuple[float, float]], speed: float, frame: str | None = None
) -> Stretch:
    """A stand of a second, a walk through points at an even speed, and a stand."""
    corners = np.array(points, dtype=np.float64)
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    fine = np.unique(np.concatenate([np.arange(0.0, at[-1], 0.1), at]))
    path = np.column_stack([np.interp(fine, at, corners[:, axis]) for axis in (0, 1)])
    heights = np.zeros(len(path))
    if frame is None:
        above = np.column_stack([path, np.full(len(path), 30.0)])
        heights = world.support(above, down=60.0).height
    which = np.clip(np.searchsorted(at, fine, side="right") - 1, 0, len(points) - 2)
    ahead = np.diff(corners, axis=0)[which]
    heading = np.arctan2(ahead[:, 1], ahead[:, 0])
    positions = np.column_stack([path, heights])
    times = 1.0 + fine / speed
    return Stretch(
        times=np.concatenate([[0.0], times, [times[-1] + 1.0]]),
        positions=np.concatenate([positions[:1], positions, positions[-1:]]),
        headings=np.concatenate([heading[:1], heading, heading[-1:]]),
        frame=frame,
    )


def turn(angle: float, rate: float = 2.0) -> Stretch:
    """A turn on the spot after a stand of half a second."""
    done = 0.5 + max(abs(angle) / rate, 1.0)
    return Stretch(
        times=np.array([0.0, 0.5, done, done + 1.0]),
        positions=np.zeros((4, 3)),
        headings=np.array([0.0, 0.0, angle, angle]),
    )


@pytest.fixture(scope="session")
def along() -> Callable[..., Stretch]:
    """See `stretch`."""
    return stretch


@pytest.fixture(scope="session")
def turning() -> Callable[..., Stretch]:
    """See `turn`."""
    return turn


Walk = Callable[..., Walker]


@pytest.fixture(scope="session")
def walk() -> Walk:
    """Makes a walker along stretches; `lead` is the foot that goes first."""

    def make(world: World, *stretches: Stretch, lead: str = "right") -> Walker:
        track = Track(world, stretches, linger=1.0)
        footholds = place_footsteps(track, MEASURES, step_height=STEP_HEIGHT, lead=lead)  # type: ignore[arg-type]
        return Walker(track, footholds, humanoid.skeleton(MEASURES), MEASURES)

    return make


@pytest.fixture(scope="session")
def walks(
    flat: World, flight: World, hill: World, carousel: World, lift_shaft: World, walk: Walk
) -> dict[str, Walker]:
    """Walks of every kind that people do."""
    straight = [(0.0, 0.0), (6.0, 0.0)]
    up, down = [(0.5, 0.0), (6.0, 0.0)], [(6.0, 0.0), (0.5, 0.0)]
    square = [(-1.5, -1.0), (1.0, -1.0), (1.0, 1.3)]
    boarding = [
        Stretch(
            times=np.array([0.0, 0.5, 2.7]),
            positions=np.array([[0.0, 0, 0], [0, 0, 0], [2.2, 0, 0]]),
            headings=np.zeros(3),
        ),
        Stretch(
            times=np.array([2.7, 3.4, 7.2]),
            positions=np.array([[-0.8, 0, 0], [0.0, 0, 0], [0, 0, 0]]),
            headings=np.zeros(3),
            frame="lift",
        ),
        Stretch(
            times=np.array([7.2, 9.2, 10.0]),
            positions=np.array([[3.0, 0, 2.4], [5.5, 0, 2.4], [5.5, 0, 2.4]]),
            headings=np.zeros(3),
        ),
    ]
    return {
        "very slow": walk(flat, stretch(flat, [(0.0, 0.0), (2.0, 0.0)], 0.3)),
        "slow": walk(flat, stretch(flat, straight, 0.7)),
        "walk": walk(flat, stretch(flat, straight, 1.3)),
        "fast": walk(flat, stretch(flat, straight, 2.0)),
        "corner": walk(flat, stretch(flat, [(0.0, 0.0), (3.0, 0.0), (3.0, 3.0)], 1.2)),
        "there and back": walk(flat, stretch(flat, [(0.0, 0.0), (2.5, 0.0), (0.0, 0.1)], 0.9)),
        "turn left": walk(flat, turn(pi / 2)),
        "turn round": walk(flat, turn(-pi)),
        "stand": walk(flat, turn(0.0)),
        "slope up": walk(hill, stretch(hill, [(0.5, 0.0), (10.0, 0.0)], 1.0)),
        "slope down": walk(hill, stretch(hill, [(10.0, 0.0), (0.5, 0.0)], 1.0)),
        "stairs up": walk(flight, stretch(flight, up, 0.5)),
        "stairs down": walk(flight, stretch(flight, down, 0.5)),
        "carousel": walk(carousel, stretch(carousel, square, 1.0, "platform")),
        "lift": walk(lift_shaft, *boarding),
    }
