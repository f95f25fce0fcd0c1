"""The native glance at a clip agrees with the readable one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from references import glance as reference
from references.walks import walk
from surefoot import _native
from surefoot.math import rotations
from surefoot.motion import Clip
from surefoot.motion.formats import read_bvh


def _check(clip: Clip) -> None:
    for first in (0, 1, 20):
        for every in (1, 4):
            some = np.ascontiguousarray(clip.rotations[first::every])
            assert _native.stray_frames(some) == reference.stray_frames(some)
    positions, _ = clip.forward()
    pelvis, left, right = (clip.bone(b) for b in ("pelvis", "left_foot", "right_foot"))
    for last in (1, 7, 40, len(clip)):
        part = np.ascontiguousarray(positions[:last])
        feet = part[:, [left, right]] - part[:, [pelvis]]
        expected = reference.pace_of(feet, part[:, pelvis, 2])
        found = _native.pace_of(part, pelvis, left, right)
        assert np.allclose(found, expected, rtol=1e-9, equal_nan=True)


def test_of_our_own_walk_with_and_without_a_stray_frame() -> None:
    clip = walk()
    _check(clip)
    bound = rotations.from_axis_angle([1.0, 0, 0], np.full(21, 1.2))
    before = np.concatenate([bound[None], clip.rotations])
    assert _native.stray_frames(before) == 1 == reference.stray_frames(before)
    assert _native.stray_frames(clip.rotations) == 0
    assert _native.stray_frames(np.ascontiguousarray(clip.rotations[:5])) == 0


def test_joints_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="must be joints"):
        _native.pace_of(np.zeros((3, 2, 3)), 0, 1, 2)


def test_of_shared_clips(data: Path) -> None:
    for name in ("02_01", "07_12", "09_01", "69_16", "104_06"):
        _check(read_bvh(data / "mocap" / "cmu" / f"{name}.bvh", skip=0))
