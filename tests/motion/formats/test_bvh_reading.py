"""BVH in: hand-made files with known answers, and the shared motion capture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from references.bvh_files import ARM, write
from surefoot.motion import Clip
from surefoot.motion.formats import read_bvh


def _arm(folder: Path, text: str = ARM, **options: object) -> Clip:
    return read_bvh(write(folder, text), scale=1.0, up="y", **options)  # type: ignore[arg-type]


def test_joints_offsets_ends_and_rate(tmp_path: Path) -> None:
    clip = _arm(tmp_path)
    assert clip.name == "clip"
    assert clip.skeleton.joints == ("Base", "Upper", "Lower")
    assert clip.skeleton.parents == (-1, 0, 1)
    assert clip.rate == pytest.approx(40.0)
    # Y up becomes Z up: (x, y, z) -> (x, -z, y).
    assert clip.skeleton.offsets.tolist() == [[1, -3, 2], [0, 0, 2], [0, 0, 3]]
    assert [(tip.joint, tip.offset.tolist()) for tip in clip.skeleton.tips] == [
        ("Lower", [0, 0, 1])
    ]
    assert clip.root.tolist() == [[10, -30, 20], [11, -30, 20]]


def test_turns_multiply_in_the_order_of_the_channels(tmp_path: Path) -> None:
    clip = _arm(tmp_path)
    positions, _ = clip.skeleton.forward(clip.root, clip.rotations)
    assert np.allclose(positions[0], [[10, -30, 20], [10, -30, 22], [10, -30, 25]])
    # In the file's axes: the base turns by 90 about Y, so Upper, straight above it, stays there.
    # Upper turns by 90 about its Z, which lies along the world's X; so Lower goes to world Z.
    assert np.allclose(positions[1], [[11, -30, 20], [11, -30, 22], [11, -33, 22]])


@pytest.mark.parametrize("line_end", ["\r\n", "\r", "\n\n", " \t\n"])
def test_any_line_end(tmp_path: Path, line_end: str) -> None:
    clip = read_bvh(write(tmp_path, ARM, line_end=line_end), scale=1.0, up="y")
    assert np.array_equal(clip.rotations, _arm(tmp_path).rotations)


def test_all_shared_clips_are_people_in_metres(data: Path) -> None:
    files = sorted((data / "mocap" / "cmu").glob("*.bvh"))
    assert len(files) == 55
    for file in files:
        clip = read_bvh(file)
        assert clip.rate == pytest.approx(120.0, rel=1e-3)
        assert len(clip.bones) == 21
        assert any("0.0254/0.45" in note for note in clip.notes), file.name
        assert any("T pose" in note for note in clip.notes), file.name
