from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.character import people
from surefoot.cli import main
from surefoot.motion import build_library, save_library
from surefoot.motion.default import default_clips


def test_training_tells_what_came_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["train", "controllers", "--controller", "walk", "--plots", str(tmp_path)]
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert "moves that" in out
    assert "walk: converged after" in out
    assert {path.name for path in tmp_path.iterdir()} == {"walk_values.png", "walk_rollouts.png"}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["train"], "train needs an action: controllers"),
        (["train", "controllers", "--controller", "fly"], "unknown controller 'fly'; there are: "),
        (["train", "controllers", "--library", "/no/such/folder"], "no such file"),
    ],
)
def test_mistakes(asked: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(asked) == 2
    assert says in capsys.readouterr().err


def test_a_library_without_some_clips_says_which(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    adult = people.adult()
    names = ("walk", "walk 45 left", "idle", "start", "stop")
    clips = [made.clip for made in default_clips(adult) if made.clip.name in names]
    save_library(build_library([(clip, adult.measures) for clip in clips]), tmp_path / "few")
    assert main(["train", "controllers", "--library", str(tmp_path / "few")]) == 0
    told = capsys.readouterr().out
    assert "left out: controller 'jump' needs clips that jump; these clips only" in told
    assert "left out: controller 'wait to run' needs clips that run" in told
    assert "walk: converged" in told
