"""Families of an adult's clips."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.math import rotations
from surefoot.motion.default import default_families
from surefoot.motion.families import Family, Made


@pytest.fixture(scope="session")
def families(adult: Character) -> dict[str, Family]:
    return default_families(adult)


def joints(made: Made, times: np.ndarray) -> np.ndarray:
    """Joint positions `(n, joints, 3)` at times of a clip."""
    positions, _ = made.clip.skeleton.forward(*made.clip.pose(times))
    return positions


def shown(made: Made, count: int = 30) -> np.ndarray:
    """Joint positions at even moments before the blending phase."""
    return joints(made, np.linspace(0.0, made.blending, count))


def blending(made: Made, count: int = 8) -> np.ndarray:
    """Joint positions in the blending phase, in the frame that the body travels in there."""
    clip = made.clip
    times = np.linspace(made.blending, min(made.blending + 0.38, clip.duration), count)
    place = np.array([np.interp(made.blending, clip.times, axis) for axis in made.path.T])
    heading = np.interp(made.blending, clip.times, made.headings)
    back = rotations.from_yaw(-heading)
    return rotations.rotate(back, joints(made, times) - place)
