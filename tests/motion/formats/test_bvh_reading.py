"""BVH in: hand-made files with known answers, and the shared motion capture."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from references.bvh_files import ARM, person, turned, write
from surefoot.math import rotations
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
    tips = [(tip.name, tip.joint, tip.offset.tolist()) for tip in clip.skeleton.tips]
    assert tips == [("Lower_end", "Lower", [0, 0, 1])]
    assert clip.root.tolist() == [[10, -30, 20], [11, -30, 20]]


def test_turns_multiply_in_the_order_of_the_channels(tmp_path: Path) -> None:
    clip = _arm(tmp_path)
    positions, _ = clip.forward()
    assert np.allclose(positions[0], [[10, -30, 20], [10, -30, 22], [10, -30, 25]])
    # In the file's axes: the base turns by 90 about Y, so Upper, straight above it, stays there.
    # Upper turns by 90 about its Z, which lies along the world's X; so Lower goes to world Z.
    assert np.allclose(positions[1], [[11, -30, 20], [11, -30, 22], [11, -33, 22]])


@pytest.mark.parametrize("order", [*("".join(p) for p in permutations("XYZ")), "XZ", "ZY", "Y"])
def test_every_order_and_subset_of_turns(tmp_path: Path, order: str) -> None:
    angles = [33.0, -71.0, 128.0][: len(order)]
    names = " ".join(f"{axis}rotation" for axis in order)
    text = ARM.replace("CHANNELS 3 Zrotation Xrotation Yrotation", f"CHANNELS {len(order)} {names}")
    numbers = " ".join(map(str, angles))
    head = text[: text.index("10 20 30")]
    clip = _arm(tmp_path, f"{head}0 0 0 0 0 0 {numbers} {numbers}\n0 0 0 0 0 0 {numbers} {numbers}")
    # The file's Y is our Z, its Z our -Y.
    ours = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    expected = ours @ turned(angles, order) @ ours.T
    for joint in (1, 2):
        assert np.allclose(rotations.to_matrix(clip.rotations[0, joint]), expected, atol=1e-14)


def test_angles_of_many_turns(tmp_path: Path) -> None:
    angles = np.array([0.0, 90, 180, 270, 360, 450, -90, -270, 719, 36_000_045, -1e9, 1e-9])
    head = ARM[: ARM.index("10 20 30")].replace("Frames: 2", f"Frames: {len(angles)}")
    rows = [f"0 0 0 0 0 {angle!r} 0 {angle!r} 0 {angle!r} 0 0" for angle in angles.tolist()]
    clip = _arm(tmp_path, head + "\n".join(rows))
    for joint, axis in ((0, [0.0, 0, 1]), (1, [1.0, 0, 0]), (2, [0.0, -1, 0])):
        expected = rotations.from_axis_angle(axis, np.radians(np.remainder(angles, 720.0)))
        alike = np.abs((clip.rotations[:, joint] * expected).sum(axis=-1))
        assert np.allclose(alike, 1.0, atol=1e-12)


@pytest.mark.parametrize("line_end", ["\r\n", "\r", "\n\n", " \t\n"])
def test_any_line_end(tmp_path: Path, line_end: str) -> None:
    clip = read_bvh(write(tmp_path, ARM, line_end=line_end), scale=1.0, up="y")
    assert np.array_equal(clip.rotations, _arm(tmp_path).rotations)


def test_names_with_blanks_and_colons_braces_anywhere_any_case(tmp_path: Path) -> None:
    text = ARM.replace("ROOT Base\n{", "Root  mixamorig:My Base {").replace(
        "JOINT Upper", "joint Bip01 L Arm"
    )
    text = text.replace("OFFSET 0 2 0", "offset\t0 2.0e+0 +0").replace("End Site", "END SITE")
    clip = _arm(tmp_path, text)
    assert clip.skeleton.joints == ("mixamorig:My Base", "Bip01 L Arm", "Lower")
    assert clip.skeleton.offsets[1].tolist() == [0, 0, 2]


def test_two_joints_of_one_name_are_told_apart(tmp_path: Path) -> None:
    clip = _arm(tmp_path, ARM.replace("JOINT Lower", "JOINT Upper"))
    assert clip.skeleton.joints == ("Base", "Upper", "Upper#2")
    assert any("second joint 'Upper'" in note for note in clip.notes)


def test_frames_over_several_lines(tmp_path: Path) -> None:
    clip = _arm(tmp_path, ARM.replace("30  0 0 90", "30\n0 0 90"))
    assert np.array_equal(clip.rotations, _arm(tmp_path).rotations)
    assert any("one line each" in note for note in clip.notes)


def test_more_frames_than_stated_are_read(tmp_path: Path) -> None:
    clip = _arm(tmp_path, ARM.replace("Frames: 2", "Frames: 1"))
    assert len(clip) == 2
    assert any("states 1 frames but has 2" in note for note in clip.notes)


def test_positions_of_joints_are_shifts_in_place_of_offsets(tmp_path: Path) -> None:
    channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    text = ARM.replace("CHANNELS 3 Zrotation Xrotation Yrotation", channels)
    head = text[: text.index("10 20 30")]
    moving = f"{head}10 20 30 0 0 0 0.5 2.5 0.25 0 0 0  0 3 0 0 0 0\n" + (
        "11 20 30 0 0 0 0 2 0 0 0 0  0 3 0 0 0 0\n"
    )
    clip = _arm(tmp_path, moving)
    # Lower stays at its offset, so it is no shift.
    assert list(clip.shifts) == [1]
    assert clip.shifts[1].tolist() == [[0.5, -0.25, 2.5], [0, 0, 2]]
    positions, _ = clip.forward()
    assert np.allclose(positions[0, 2], [10.5, -30.25, 25.5])
    added = moving.replace("0.5 2.5 0.25", "0.5 0.5 0.25").replace("0 0 0 0 2 0", "0 0 0 0 0 0")
    clip = _arm(tmp_path, added.replace("0 3 0 0 0 0", "0 0 0 0 0 0"))
    assert any("added to their offsets" in note for note in clip.notes)
    assert np.allclose(clip.forward()[0], positions + np.array([1, -3, 2]))


def test_a_position_along_one_axis_leaves_the_others_at_the_offset(tmp_path: Path) -> None:
    channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    text = ARM.replace(channels, "CHANNELS 2 Yposition Yrotation")
    head = text[: text.index("10 20 30")]
    clip = _arm(tmp_path, f"{head}7 0 0 0 0 0 0 0\n8 0 0 0 0 0 0 0\n")
    assert clip.root.tolist() == [[1, -3, 7], [1, -3, 8]]


@pytest.mark.parametrize(
    ("unit", "name"),
    [
        (1.0, "metres"),
        (100.0, "centimetres"),
        (1000.0, "millimetres"),
        (1 / 0.0254, "inches"),
        (0.45 / 0.0254, "CMU"),
    ],
)
def test_the_unit_is_found_and_a_given_one_wins(tmp_path: Path, unit: float, name: str) -> None:
    path = write(tmp_path, person(unit))
    clip = read_bvh(path)
    assert any(name in note for note in clip.notes)
    assert clip.root[0, 2] == pytest.approx(0.9, abs=1e-4)
    assert read_bvh(path, scale=2.0).root[0, 2] == pytest.approx(1.8 * unit)


def test_children_and_giants_keep_their_size(tmp_path: Path) -> None:
    for size in (0.6, 0.7, 1.2):
        clip = read_bvh(write(tmp_path, person(100.0 * size)))
        assert clip.root[0, 2] == pytest.approx(0.9 * size, abs=1e-4), clip.notes


def test_a_size_of_nobody_is_scaled(tmp_path: Path) -> None:
    clip = read_bvh(write(tmp_path, person(1e6)))
    assert any("fit no person" in note for note in clip.notes)
    assert clip.root[0, 2] == pytest.approx(0.9, rel=0.01)


def test_up_is_found_from_the_poses_and_a_given_axis_wins(tmp_path: Path) -> None:
    lying_skeleton = "0 0 0.9 0 90 0 " + " ".join(["0"] * 60) + "\n"
    path = write(tmp_path, person(frames=lying_skeleton))
    # The hips are turned by 90 degrees about X: what stood along Y stands along Z.
    clip = read_bvh(path)
    assert any("up is Z" in note for note in clip.notes)
    positions, _ = clip.forward()
    assert positions[0, clip.bone("head"), 2] == pytest.approx(0.9 + 0.62, abs=1e-6)
    forced, _ = read_bvh(path, up="y").forward()
    assert forced[0, clip.bone("head"), 2] == pytest.approx(0.0, abs=1e-6)


def _walk_frames(count: int, *, before: str = "") -> str:
    """Somebody swings legs and arms, arms hanging."""
    rows = [before] if before else []
    for frame in range(count):
        swing = 25.0 * np.sin(2 * np.pi * frame / 60)
        leg = f"0 {swing} 0  0 20 0  0 0 0  0 0 0"
        other = f"0 {-swing} 0  0 20 0  0 0 0  0 0 0"
        trunk = "0 0 0  " * 4
        arms = f"0 0 0  -80 {swing} 0  0 0 20  0 0 0   0 0 0  80 {-swing} 0  0 0 -20  0 0 0"
        rows.append(f"0 0.9 {0.02 * frame} 0 0 0 {leg} {other} {trunk} {arms}")
    return "\n".join(rows) + "\n"


def test_a_t_pose_before_the_motion_is_left_out(tmp_path: Path) -> None:
    t_pose = "0 0.9 0 " + " ".join(["0"] * 63)
    text = person(frames=_walk_frames(40, before=t_pose), count=41)
    clip = read_bvh(write(tmp_path, text))
    assert len(clip) == 40
    assert any("first frame is a T pose; left out" in note for note in clip.notes)
    assert len(read_bvh(write(tmp_path, text), skip=0)) == 41
    assert len(read_bvh(write(tmp_path, text), skip=3)) == 38
    two = person(frames=_walk_frames(40, before=t_pose + "\n" + t_pose), count=42)
    assert len(read_bvh(write(tmp_path, two))) == 40
    without = person(frames=_walk_frames(40), count=40)
    assert len(read_bvh(write(tmp_path, without))) == 40


def test_all_shared_clips_are_people_in_metres(data: Path) -> None:
    files = sorted((data / "mocap" / "cmu").glob("*.bvh"))
    assert len(files) == 55
    for file in files:
        clip = read_bvh(file)
        assert clip.rate == 120.0
        assert len(clip.bones) == 21
        assert any("0.0254/0.45" in note for note in clip.notes), file.name
        assert any("T pose" in note for note in clip.notes), file.name
        stated = int(file.read_text().split("Frames:")[1].split()[0])
        # One file has a frame of zeros after its T pose.
        assert len(clip) == stated - (2 if clip.name == "07_12" else 1)
        positions, _ = clip.forward()
        feet = [clip.bone(f"{side}_toe") for side in ("left", "right")]
        assert abs(positions[:, feet, 2].min()) < 0.25
        assert 1.1 < positions[:, clip.bone("head"), 2].max() < 2.1
