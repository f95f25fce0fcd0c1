"""Frame times that are missing, mistyped or wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from references.bvh_files import ARM, write
from surefoot.motion import Clip
from surefoot.motion.formats import read_bvh


def _arm(folder: Path, frame_time: str, rate: float | None = None) -> Clip:
    text = ARM.replace("Frame Time: 0.025\n", frame_time)
    return read_bvh(write(folder, text), scale=1.0, rate=rate)


def test_a_missing_frame_time_is_assumed_and_said(tmp_path: Path) -> None:
    clip = _arm(tmp_path, "")
    assert clip.rate == 30.0
    assert any("no frame time" in note for note in clip.notes)
    assert _arm(tmp_path, "", rate=50.0).rate == 50.0


@pytest.mark.parametrize(
    ("stated", "rate"),
    [
        ("0.0083333", 120.0),
        (".0333", 1 / 0.0333),
        ("0.0333667", 1 / 0.0333667),
        ("120", 120.0),
        ("8.33333", 120.0),
        ("33.333", 30.0),
        ("0", 30.0),
        ("-0.1", 30.0),
        ("nan", 30.0),
        ("soon", 30.0),
    ],
)
def test_frame_times_as_people_write_them(tmp_path: Path, stated: str, rate: float) -> None:
    clip = _arm(tmp_path, f"Frame Time: {stated}\n")
    assert clip.rate == pytest.approx(rate)
    usual = stated in ("0.0083333", ".0333", "0.0333667")
    assert any("frames a second" in note for note in clip.notes) != usual
    assert _arm(tmp_path, f"Frame Time: {stated}\n", rate=25.0).rate == 25.0


def test_one_frame_a_second_is_said_to_be_unlikely(tmp_path: Path) -> None:
    clip = _arm(tmp_path, "Frame Time: 1\n")
    assert clip.rate == 1.0
    assert any("unlikely" in note for note in clip.notes)


def _restated(data: Path, folder: Path, name: str, frame_time: str) -> Clip:
    text = (data / "mocap" / "cmu" / f"{name}.bvh").read_text()
    return read_bvh(
        write(folder, text.replace("Frame Time: .0083333", f"Frame Time: {frame_time}"))
    )


@pytest.mark.parametrize("name", ["02_01", "07_01", "16_11", "69_01", "104_02"])
@pytest.mark.parametrize("frame_time", ["0.0333333", "0.002", "1", "0"])
def test_a_walk_tells_when_its_rate_is_four_times_off(
    data: Path, tmp_path: Path, name: str, frame_time: str
) -> None:
    clip = _restated(data, tmp_path, name, frame_time)
    assert clip.rate == 120.0
    assert any("from the motion" in note for note in clip.notes)


def test_no_shared_clip_is_taken_for_wrong(data: Path) -> None:
    for file in sorted((data / "mocap" / "cmu").glob("*.bvh")):
        clip = read_bvh(file)
        assert not any("frames a second" in note for note in clip.notes), clip.name
