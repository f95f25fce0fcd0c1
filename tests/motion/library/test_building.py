"""Building libraries: what cannot be used is left out, and said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from references.known_steps import KnownSteps, walk
from surefoot.character.skeleton import Skeleton
from surefoot.errors import FileError, InputError
from surefoot.motion import Clip
from surefoot.motion.formats import write_bvh
from surefoot.motion.library import build_library


@pytest.fixture
def folder(tmp_path: Path, strolls: list[KnownSteps]) -> Path:
    for known in strolls:
        write_bvh(tmp_path / f"{known.clip.name}.bvh", known.clip)
    return tmp_path


def test_a_folder(folder: Path) -> None:
    library = build_library(folder)
    assert library.names == ("arc", "stand", "walk")
    assert {step.mode for step in library.steps} <= {"walk", "stand"}
    assert len(library.steps.of_clip("walk")) > 4
    assert library.left_out == ()
    assert library.clip("stand").notes[-1] == "nobody takes a step in it"


def test_bad_files_do_not_spoil_the_rest(folder: Path) -> None:
    good = (folder / "walk.bvh").read_text()
    (folder / "cut.bvh").write_text(good[: len(good) // 2])
    (folder / "empty.bvh").write_text("")
    (folder / "nonsense.bvh").write_text("HIERARCHY\nno such thing\n")
    (folder / "broken.glb").write_bytes(b"glTF nothing")
    lines = good.splitlines()
    lines[-5] = lines[-5].replace(lines[-5].split()[3], "nan", 1)
    (folder / "nan.bvh").write_text("\n".join(lines))
    library = build_library(folder)
    assert set(library.names) >= {"arc", "stand", "walk"}
    reasons = {one.path.name: str(one) for one in library.left_out}
    assert {"empty.bvh", "nonsense.bvh", "broken.glb", "nan.bvh"} <= set(reasons)
    for name, reason in reasons.items():
        assert name in reason
    assert "line" in reasons["nonsense.bvh"]
    assert "line" in reasons["nan.bvh"]


def test_a_folder_of_which_nothing_can_be_used(tmp_path: Path) -> None:
    (tmp_path / "empty.bvh").write_text("")
    with pytest.raises(FileError, match=r"no file of it can be used\n  - .*empty.bvh: is empty"):
        build_library(tmp_path)
    with pytest.raises(FileError, match="is not there"):
        build_library(tmp_path / "nowhere")


def test_clips_that_cannot_be_used(strolls: list[KnownSteps]) -> None:
    known = strolls[0]
    short = replace(known.clip.frames(0, 10), name="short")
    slow = replace(known.clip.frames(0, 100), name="slow", rate=2.0)
    stick = Clip(
        name="stick",
        skeleton=Skeleton(joints=("a", "b"), parents=(-1, 0), offsets=np.eye(3)[:2]),
        rate=60.0,
        root=np.zeros((100, 3)),
        rotations=np.tile([1.0, 0, 0, 0], (100, 2, 1)),
    )
    falling = replace(
        known.clip,
        name="falling",
        root=known.clip.root - np.linspace(0, 20, len(known.clip))[:, None] * [0.3, 0.2, 1.0],
    )
    pairs = [(clip, known.measures) for clip in (known.clip, short, slow, falling)]
    library = build_library([*pairs, stick])
    assert library.names == ("walk",)
    reasons = {one.path.name: one.reason for one in library.left_out}
    assert "lasts 0.075 s, too short for a step" in reasons["short"]
    assert "2 frames a second are too few to see steps" in reasons["slow"]
    assert "'falling': nobody steps or stands in it" in reasons["falling"]
    assert "stick" in reasons["stick"]


def test_nothing_at_all() -> None:
    with pytest.raises(InputError, match="no clip can be used: there are none"):
        build_library([])


def test_measures_must_fit(strolls: list[KnownSteps]) -> None:
    small = replace(strolls[0].measures, thigh=0.3)
    with pytest.raises(InputError, match="its skeleton is not one of its measures"):
        build_library([(strolls[0].clip, small)])


def test_treadmills_become_travel() -> None:
    known = walk(1.3, length=9.0)
    belt = np.arange(len(known.clip))[:, None] / 120 * [-1.3, 0.0, 0.0]
    clip = replace(known.clip, root=known.clip.root + belt).frames(300, 800)
    library = build_library([(clip, known.measures)])
    went = library.clips[0].root[-1] - library.clips[0].root[0]
    assert went[0] == pytest.approx(1.3 * 499 / 120, rel=0.05)
    assert "the floor moved at 1.3" in library.clips[0].notes[-1]
    plants = library.plants[0]
    assert plants.floor_velocity is None
    ahead = [plant.position[0] for plant in plants]
    assert np.all(np.diff(ahead) > 0.3)


def test_progress_is_told(strolls: list[KnownSteps]) -> None:
    told: list[tuple[int, int]] = []
    build_library(
        [(known.clip, known.measures) for known in strolls],
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_motion_capture(data: Path) -> None:
    library = build_library(data / "mocap" / "cmu")
    assert len(library) == 55
    assert library.left_out == ()
    assert len(library.steps) > 250
    assert {step.mode for step in library.steps} == {
        "walk",
        "run",
        "turn",
        "stand",
        "jump",
        "crouch",
        "step up",
        "step down",
    }
