from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.cli import main


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
