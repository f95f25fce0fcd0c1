"""Captured clips, mended: glitches go, motion stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Clip, Motion
from surefoot.motion.repair import steadied, without_glitches


@pytest.fixture(scope="module")
def clip(strolled: Motion, adult: Character) -> Clip:
    fine = Clip(name="walk", skeleton=adult.skeleton, rate=60.0, root=strolled.root,
                rotations=strolled.rotations)  # fmt: skip
    return fine.resampled(120.0)


def apart(one: Clip, other: Clip) -> float:
    """The largest turn [rad] between the joints of two clips."""
    off = rotations.multiply(one.rotations, rotations.inverse(other.rotations))
    return float(np.linalg.norm(rotations.to_rotation_vector(off), axis=-1).max())


def test_a_clean_clip_is_left_alone(clip: Clip) -> None:
    same, count = without_glitches(clip)
    assert count == 0
    assert same is clip


def test_frames_that_jump_out_are_taken_from_their_neighbours(clip: Clip) -> None:
    root, local = clip.root.copy(), clip.rotations.copy()
    root[200:202] += [0.0, 0.0, 0.04]
    knee = clip.skeleton.index("left_shin")
    kink = rotations.from_axis_angle([0.0, 1.0, 0.0], 0.5)
    local[300, knee] = rotations.multiply(local[300, knee], kink)
    mended, count = without_glitches(replace(clip, root=root, rotations=local))
    assert count == 3
    assert np.abs(mended.root - clip.root).max() < 2e-3
    assert apart(mended, clip) < 0.02
    assert mended.notes[-1] == f"3 of {len(clip)} frames had glitches, which are mended"


def test_a_jump_of_a_body_is_no_glitch(clip: Clip) -> None:
    """Up and down with the acceleration of a hard landing: ten times gravity."""
    t = np.arange(len(clip)) / clip.rate
    leap = np.minimum(np.abs((t % 0.8) - 0.4), 0.2) * 3.0
    root = clip.root + np.stack([np.zeros_like(t), np.zeros_like(t), leap**2], axis=1)
    _, count = without_glitches(replace(clip, root=root))
    assert count == 0


def test_trembling_is_filtered_and_motion_stays(clip: Clip) -> None:
    rng = np.random.default_rng(3)
    noise = rotations.from_rotation_vector(rng.normal(size=(*clip.rotations.shape[:2], 3)) * 0.01)
    shaken = replace(
        clip,
        root=clip.root + rng.normal(size=clip.root.shape) * 0.002,
        rotations=rotations.multiply(clip.rotations, noise),
    )
    calm = steadied(shaken)
    inside = slice(12, -12)

    def jerk(one: Clip) -> float:
        return float(np.linalg.norm(np.diff(one.root[inside], 3, axis=0), axis=1).mean())

    assert jerk(calm) < 0.1 * jerk(shaken)
    assert np.abs(calm.root - clip.root)[inside].max() < 5e-3
    assert apart(calm, clip) < 0.12
    assert steadied(clip, 0.0) is clip
    with pytest.raises(InputError, match="width"):
        steadied(clip, -1.0)


def test_a_short_clip_is_left_alone(clip: Clip) -> None:
    short = clip.frames(0, 4)
    assert without_glitches(short) == (short, 0)
