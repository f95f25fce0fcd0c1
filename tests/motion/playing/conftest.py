"""Footage to play, and programs that play it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.math import Pose
from surefoot.motion import Clip, Motion
from surefoot.motion.playing.footage import Footage, Take, footfalls_of
from surefoot.motion.playing.frames import LevelFrame
from surefoot.motion.playing.legs import Cue
from surefoot.motion.playing.program import Manner, Program
from surefoot.world import Body, Function, World
from surefoot.world.primitives import slab


@pytest.fixture(scope="session")
def footage(strolled: Motion, adult: Character) -> Footage:
    """One clip: a stand, a walk, a stand."""
    made = Footage(adult.skeleton, adult.measures)
    clip = Clip(name="walk", skeleton=adult.skeleton, rate=60.0, root=strolled.root,
                rotations=strolled.rotations)  # fmt: skip
    made.add(clip, footfalls_of(strolled.footholds))
    return made


@pytest.fixture(scope="session")
def contacts(strolled: Motion) -> list[float]:
    """When feet come down in that walk [s]."""
    return sorted(hold.start for hold in strolled.footholds if hold.start > 0)


@pytest.fixture(scope="session")
def carousel() -> World:
    """A platform that travels in a circle, turns, rises and tilts, over deep ground."""

    def pose(t: float) -> Pose:
        place = Pose.at(3 * np.cos(0.3 * t), 3 * np.sin(0.3 * t), 0.3 * np.sin(0.4 * t), 0.5 * t)
        tilt = 0.05 * np.sin(0.7 * t)
        return place @ Pose(rotation=np.array([np.cos(tilt), 0.0, np.sin(tilt), 0.0]))

    motion = Function(pose, horizon=60.0, max_speed=20.0, max_turn_rate=0.8)
    return World(
        [
            Body(name="ground", mesh=slab((60.0, 60.0, 0.2), (0.0, 0.0, -4.0))),
            Body(name="platform", mesh=slab((20.0, 6.0, 0.2)), trajectory=motion),
        ]
    )


Play = Callable[..., Program]


@pytest.fixture(scope="session")
def play(footage: Footage, contacts: list[float]) -> Play:
    """Makes a program of walking steps: numbers of contacts to go from, each to the next."""

    def make(
        world: World | None, steps: list[int], *, body: str | None = None, speed: float = 1.0,
        blend: float = 0.3, manner: Manner | None = None, turns: list[float] | None = None,
    ) -> Program:  # fmt: skip
        take: Take = footage.take("walk")
        start = LevelFrame(body, np.zeros(3), 0.3)
        program = Program(footage, world, start, 1.0, manner or Manner())
        for index, step in enumerate(steps):
            cue = Cue(take, contacts[step], contacts[step + 1], program.end, speed)
            turn = turns[index] if turns else 0.0
            program.append(cue, blend=blend, turn=turn)
        return program

    return make
