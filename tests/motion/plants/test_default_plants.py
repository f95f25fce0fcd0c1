"""Plants of the whole default library, whose contacts are known."""

from __future__ import annotations

import numpy as np
import pytest

from references.known_steps import captured_parts
from surefoot.character import people
from surefoot.motion.default import default_clips
from surefoot.motion.plants import FootPaths, find_plants, foot_paths


@pytest.mark.slow
def test_98_of_100_moments_of_the_default_library_are_right() -> None:
    adult = people.adult()
    clean: list[float] = []
    noisy: list[float] = []
    for seed, made in enumerate(default_clips(adult)):
        down = np.asarray(made.contacts).any(axis=2)
        feet = foot_paths(made.clip, adult.measures)
        clean.append(float((find_plants(feet).down() == down).mean()))
        random = np.random.default_rng(seed)
        sides = [
            captured_parts(dict(parts), down[:, foot], feet.rate, random, 0.005, 0.05)
            for foot, parts in enumerate((feet.left, feet.right))
        ]
        captured = FootPaths(
            rate=feet.rate, left=sides[0], right=sides[1], leg_length=feet.leg_length
        )
        noisy.append(float((find_plants(captured).down() == down).mean()))
    assert np.mean(clean) > 0.985
    assert np.mean(noisy) > 0.98
