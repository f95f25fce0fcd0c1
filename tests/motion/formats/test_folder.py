"""Folders: one bad file does not keep the others from being read."""

from __future__ import annotations

from pathlib import Path

import pytest

from references.bvh_files import ARM, person, write
from surefoot.errors import FileError
from surefoot.motion.formats import read_clips, read_folder


def test_a_bad_file_is_left_out_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    write(tmp_path, person(100.0), "b.bvh")
    write(tmp_path, ARM, "A.BVH")
    write(tmp_path / "more", person(), "b.bvh")
    write(tmp_path, ARM.replace("0 0 90", "0 nan 90"), "broken.bvh")
    write(tmp_path, "{}", "empty.gltf")
    write(tmp_path, "not motion", "README.txt")
    clips, left_out = read_folder(tmp_path)
    assert [clip.name for clip in clips] == ["A", "b", "more/b"]
    assert [item.path.name for item in left_out] == ["broken.bvh", "empty.gltf"]
    assert "line 25: 'nan'" in left_out[0].reason
    assert str(left_out[0]).count("broken.bvh") == 1
    assert "asset" in str(left_out[1])


def test_two_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path, ARM, "x.bvh")
    write(tmp_path, ARM, "x.BVH")
    clips, _ = read_folder(tmp_path)
    assert len({clip.name for clip in clips}) == 2


def test_options_are_for_all_files(tmp_path: Path) -> None:
    write(tmp_path, person(), "a.bvh")
    clips, _ = read_folder(tmp_path, scale=3.0, rate=50.0)
    assert clips[0].rate == 50.0
    assert clips[0].root[0, 2] == pytest.approx(2.7)


def test_folders_without_motion_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"holds no files of motion \(.bvh, .gltf, .glb\)"):
        read_folder(tmp_path)
    with pytest.raises(FileError, match="is not there"):
        read_folder(tmp_path / "nowhere")
    with pytest.raises(FileError, match="is no folder"):
        read_folder(write(tmp_path, ARM))


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"unknown kind of motion file '.fbx'; there are: .bvh"):
        read_clips(tmp_path / "x.fbx")
