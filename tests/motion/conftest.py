"""Bodies that move, to look at: an adult on level ground."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import Character, people
from surefoot.motion import Motion, Stretch, Track, Walker, place_footsteps
from surefoot.world import Body, World
from surefoot.world.primitives import slab

RATE = 60.0


@pytest.fixture(scope="session")
def adult() -> Character:
    return people.adult()


@pytest.fixture(scope="session")
def floor() -> World:
    return World([Body(name="ground", mesh=slab((60.0, 60.0, 0.2)))])


def walked(world: World, character: Character, speed: float) -> Motion:
    """A stand, a straight walk of four seconds, and a stand, at 60 moments a second."""
    path = Stretch(
        times=np.array([0.0, 0.8, 4.8, 5.6]),
        positions=np.array([[0.0, 0, 0], [0.0, 0, 0], [4.0 * speed, 0, 0], [4.0 * speed, 0, 0]]),
        headings=np.zeros(4),
    )
    track = Track(world, [path], linger=0.6)
    holds = place_footsteps(track, character.measures, step_height=0.3)
    walker = Walker(track, holds, character.skeleton, character.measures)
    return walker.at(np.arange(0.0, track.until, 1 / RATE))


@pytest.fixture(scope="session")
def strolled(floor: World, adult: Character) -> Motion:
    """A walk at 1.2 m/s."""
    return walked(floor, adult, 1.2)
