"""Libraries, played: their steps, also in a mirror."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import Character, people
from surefoot.math import rotations
from surefoot.motion import build_library
from surefoot.motion.engine import Engine
from surefoot.motion.families import walks
from surefoot.motion.playing.filming import library_footage
from surefoot.motion.playing.footage import Footage
from surefoot.motion.quality import assess
from surefoot.world import World


@pytest.fixture(scope="module")
def library(adult: Character):
    walk = walks.walk(adult)
    made = [walk.clip(speed=1.2), walk.clip(speed=1.2, turn=0.7)]
    return build_library([(clip, adult.measures) for clip in made])


def test_found_steps_are_played_and_mirrored(library, adult: Character, floor: World) -> None:
    """Only steps of the left foot, every second one in a mirror: it walks all the same."""
    footage = library_footage(library)
    both = library.steps.with_mirror()
    lefts = [s for s in both if s.swing == "left" and not s.mirrored and "turn" not in s.clip]
    rights = [s for s in both if s.swing == "right" and s.mirrored and "turn" not in s.clip]
    engine = Engine(footage, floor)
    for number in range(8):
        engine.append((lefts if number % 2 else rights)[0])
    motion = engine.at(np.arange(0.0, engine.end, 1 / 60))
    quality = assess(motion, adult.measures, world=floor)
    assert quality.slide < 1e-3
    assert quality.knee_pops == 0
    feet = [hold.foot for hold in motion.footholds[2:]]
    assert feet == ["right", "left"] * 4
    assert motion.root[-1, 0] > 4.0
    assert np.abs(motion.root[:, 1]).max() < 0.35


def test_a_mirrored_take_is_the_clip_in_a_mirror(library) -> None:
    footage = library_footage(library)
    name = library.names[1]
    plain, seen = footage.take(name), footage.take(name, mirrored=True)
    assert footage.take(name, mirrored=True) is seen
    assert seen.duration == plain.duration
    assert seen.travel.heading[-1] == pytest.approx(-plain.travel.heading[-1])
    for foot in range(2):
        there, here = seen.footfalls[1 - foot], plain.footfalls[foot]
        assert [fall.start for fall in there] == [fall.start for fall in here]
        assert there[0].position == pytest.approx(here[0].position * [1, -1, 1])
        assert rotations.yaw(there[0].rotation) == pytest.approx(-rotations.yaw(here[0].rotation))


def test_a_library_is_brought_onto_another_body(library) -> None:
    child = people.child()
    footage = library_footage(library, child.measures)
    assert isinstance(footage, Footage)
    ratio = child.measures.leg_length / library.measures[0].leg_length
    take = footage.take(library.names[0])
    assert take.duration == pytest.approx(library.clips[0].duration * ratio**0.5)
    engine = Engine(footage)
    engine.append(library.names[0])
    motion = engine.at(np.arange(0.0, engine.end, 1 / 60))
    assert assess(motion, child.measures).slide < 1e-3
