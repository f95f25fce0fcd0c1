"""`surefoot clips`: tables, plots and libraries of folders of motion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from references.known_steps import climb, stand, walk
from surefoot import caches
from surefoot.cli import main
from surefoot.motion import load_library
from surefoot.motion.formats import write_bvh


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk, stairs and a stand, and two files that are of no use."""
    where = tmp_path_factory.mktemp("capture")
    (where / "more").mkdir()
    for known, name in (
        (walk(1.2), "walk"),
        (climb(0.5, down=False), "up"),
        (stand(), "more/idle"),
    ):
        write_bvh(where / f"{name}.bvh", replace(known.clip, name=name))
    (where / "notes.txt").write_text("walks, stairs")
    (where / "broken.bvh").write_text("HIERARCHY\nROOT")
    write_bvh(where / "short.bvh", replace(walk(1.2).clip.frames(0, 12), name="short"))
    return where


def test_a_table_and_a_plot_of_each_clip(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["clips", "inspect", str(folder), "--plots", str(tmp_path / "p")]) == 0
    said = capsys.readouterr().out
    lines = {line.split()[0]: line for line in said.splitlines() if line.strip()}
    assert "walk" in lines["walk"]
    assert "step up" in lines["up"]
    assert "1 stand" in lines["more/idle"]
    assert "3 clips" in said
    assert "left out: 2" in said
    assert "broken.bvh" in said
    assert "too short for a step" in said
    plots = sorted(file.name for file in (tmp_path / "p").iterdir())
    assert plots == ["more-idle.png", "up.png", "walk.png"]
    with Image.open(tmp_path / "p" / "walk.png") as image:
        assert image.size == (1200, 760)
        assert len(image.convert("RGB").getcolors(1 << 20) or []) > 100


def test_steps_of_one_clip(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["clips", "inspect", str(folder), "--clip", "walk", "--no-plots"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert "steps of walk" in said
    steps = [line for line in said.splitlines() if line.startswith("walk ")][1:]
    assert len(steps) > 4
    assert {line.split()[2] for line in steps} == {"left", "right"}
    assert "the legs are" in said


def test_plots_are_not_drawn_unasked(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["clips", "inspect", str(folder), "--no-plots"]) == 0
    assert list(tmp_path.iterdir()) == []


def test_build_and_inspect_a_library(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.library"
    assert main(["clips", "build", str(folder), "-o", str(file)]) == 0
    said = capsys.readouterr().out
    assert "3 clips" in said
    assert "left out: 2" in said
    assert load_library(file).names == ("more/idle", "up", "walk")
    assert main(["clips", "inspect", str(file), "--no-plots", "--notes"]) == 0
    again = capsys.readouterr().out
    assert "3 clips" in again
    assert "nobody takes a step in it" in again


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["clips"], "clips needs an action: inspect or build"),
        (["clips", "inspect", "nowhere"], "nowhere: is not there"),
        (["clips", "build", "nowhere"], "required: -o/--output"),
        (["clips", "inspect", "FOLDER", "--clip", "swim"], "unknown clip 'swim'; there are:"),
        (["clips", "inspect", "FOLDER", "--up", "w"], "unknown up axis 'w'"),
        (["clips", "inspect", "FOLDER", "--floor", "wet"], "unknown floor 'wet'; there are: auto,"),
        (["clips", "build", "FOLDER/notes.txt", "-o", "x"], "is a file; build needs a folder"),
        (["clips", "inspect", "FOLDER/notes.txt"], "no library, or a damaged one"),
        (["clips", "build", "FOLDER", "-o", "nowhere/x"], "cannot be written"),
    ],
)
def test_mistakes_are_told_in_one_line(
    folder: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [argument.replace("FOLDER", str(folder)) for argument in arguments]
    assert main(given) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_without_a_folder_it_is_the_built_in_library(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(caches.VARIABLE, str(tmp_path))
    assert main(["clips", "inspect", "--no-plots", "--clip", "walk"]) == 0
    assert "steps of walk" in capsys.readouterr().out


def test_one_file_is_inspected_and_built_as_a_folder_is(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["clips", "inspect", str(folder / "walk.bvh"), "--no-plots"]) == 0
    said = capsys.readouterr().out
    assert "1 clips" in said
    target = tmp_path / "one.clips"
    assert main(["clips", "build", str(folder / "walk.bvh"), "-o", str(target)]) == 0
    assert load_library(target).names == ("walk",)
    assert main(["clips", "inspect", str(folder / "broken.bvh"), "--no-plots"]) == 2
    assert "broken.bvh" in capsys.readouterr().err
