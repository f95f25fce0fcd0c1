"""Real motion capture, locked and played: feet stay, knees do not pop."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from surefoot.character.measures import Measures
from surefoot.motion import Clip, Motion
from surefoot.motion.engine import Engine, EngineSettings
from surefoot.motion.formats import read_bvh
from surefoot.motion.locking import SLACK, footfalls, lock_feet
from surefoot.motion.plants import find_plants, foot_paths
from surefoot.motion.playing.footage import Footage, Footfall
from surefoot.motion.quality import assess
from surefoot.motion.repair import steadied, without_glitches
from surefoot.motion.retargeting import to_humanoid
from surefoot.world import World

WALKS = ("02_01", "69_24", "16_17", "69_01", "69_20", "69_28", "113_01", "136_09")
OTHERS = ("02_03", "16_35", "13_11", "83_30", "69_16", "76_11", "83_19")


@cache
def captured(path: Path) -> tuple[Clip, Measures, tuple[Footfall, ...]]:
    clip, measures = to_humanoid(read_bvh(path))
    clip = steadied(without_glitches(clip)[0])
    plants = find_plants(foot_paths(clip, measures))
    return clip, measures, footfalls(clip, measures, plants)


@pytest.mark.parametrize("name", WALKS + OTHERS)
def test_captured_feet_do_not_slide_once_locked(data: Path, floor: World, name: str) -> None:
    clip, measures, planted = captured(data / "mocap" / "cmu" / f"{name}.bvh")
    made = lock_feet(clip, measures, planted, world=floor)
    quality = assess(made, measures, world=floor)
    assert quality.slide < 1e-3
    assert made.contacts.any()
    # The body is where it was, as far as that can be; floors of captures lie a little off.
    assert np.abs(made.root - clip.root)[:, :2].max() < 0.12
    if name in WALKS:
        assert quality.knee_pops == 0
        assert quality.penetration < 0.03


@dataclass(frozen=True)
class Part:
    clip: str
    start: float
    end: float


def steps(planted: tuple[Footfall, ...], clip: Clip) -> list[tuple[str, Part]]:
    """From contact to contact, with the foot that swings."""
    contacts = [fall for fall in planted if fall.start > 0.05]
    return [
        (second.foot, Part(clip.name, first.start, second.start))
        for first, second in itertools.pairwise(contacts)
        if first.foot != second.foot and second.start < clip.duration - 0.1
    ]


def test_a_queue_of_captured_steps_plays_without_pops(data: Path, floor: World) -> None:
    """Steps of one subject's straight and turning walks, left and right in turn, shuffled."""
    rng = np.random.default_rng(4)
    sources = [captured(data / "mocap" / "cmu" / f"{name}.bvh") for name in
               ("69_01", "69_20", "69_24", "69_28", "69_31")]  # fmt: skip
    measures = sources[0][1]
    footage = Footage(sources[0][0].skeleton, measures)
    parts: dict[str, list[Part]] = {"left": [], "right": []}
    for clip, _, planted in sources:
        footage.add(clip, planted)
        for foot, part in steps(planted, clip):
            parts[foot].append(part)
    assert min(len(own) for own in parts.values()) >= 5
    engine = Engine(footage, floor, settings=EngineSettings(slack=SLACK, blend=0.3))
    for number in range(16):
        own = parts["left" if number % 2 else "right"]
        engine.append(own[int(rng.integers(len(own)))])
    made: Motion = engine.at(np.arange(0.0, engine.end, 1 / 60))
    quality = assess(made, measures, world=floor)
    assert quality.slide < 1e-3
    assert quality.knee_pops == 0
    assert quality.penetration < 0.03
    joints, _ = footage.skeleton.forward(made.root, made.rotations)
    speed = np.linalg.norm(np.diff(joints, axis=0), axis=-1) * 60
    assert speed[:, 0].max() < 3.0
    assert np.abs(np.diff(made.root, 2, axis=0)).max() * 3600 < 30.0
