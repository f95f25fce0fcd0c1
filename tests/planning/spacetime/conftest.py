"""One character, its controllers and a problem, for all tests of this folder."""

from __future__ import annotations

import pytest

from surefoot import control
from surefoot.character import Character, people
from surefoot.planning import Goal, Problem
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import slab


@pytest.fixture(scope="session")
def adult() -> Character:
    return people.adult()


@pytest.fixture(scope="session")
def controllers(adult: Character) -> control.Controllers:
    return control.load(adult)


@pytest.fixture(scope="session")
def rafts(adult: Character) -> Problem:
    """Two banks, a raft that joins them now and then, and one that crosses its way."""
    ways = [[x, 0.0, 0.0] for x in (-0.1, -0.1, 7.1, 7.1, -0.1)]
    raft = Keyframed([0.0, 4.0, 10.0, 14.0, 20.0], ways, repeat="loop")
    other = Keyframed([0.0, 8.0, 16.0], [[3.5, y, 0.0] for y in (9.0, 3.6, 9.0)], repeat="loop")
    world = World(
        [
            Body(name="left", mesh=slab((6.0, 8.0, 1.0), (-5.0, 0.0, 0.0))),
            Body(name="right", mesh=slab((6.0, 8.0, 1.0), (12.0, 0.0, 0.0))),
            Body(name="raft", mesh=slab((3.0, 4.0, 0.3)), trajectory=raft),
            Body(name="other", mesh=slab((3.0, 3.0, 0.3)), trajectory=other),
        ],
        name="rafts",
    )
    goal = Goal(world.place((13.0, 0.0, 0.2)), tolerance=0.4)
    return Problem(world=world, character=adult, start=world.place((-6.0, 0.0, 0.2)), goal=goal)
