"""`surefoot train policy` and `surefoot play policy`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from surefoot.cli import main

pytestmark = pytest.mark.skipif(find_spec("mujoco") is None, reason="policies need MuJoCo")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["train", "policy", "--body", "bird", "--task", "fly"], "unknown task 'fly'; there are:"),
        (["train", "policy", "--body", "dodo", "--task", "heading"], "unknown body 'dodo'"),
        (
            ["train", "policy", "--body", "bird", "--task", "robust-walk"],
            "no set-up for body 'bird'; there are: humanoid",
        ),
        (
            ["train", "policy", "--body", "bird", "--task", "heading", "--backend", "spark"],
            "unknown backend 'spark'",
        ),
        (["play", "policy", "nowhere.policy"], "nowhere.policy: there is no such file"),
        (["play", "policy", "a.policy", "-o", "a.txt"], "must end in .glb"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


def test_a_policy_is_trained_and_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A handful of states only: it runs, is kept, and is found again."""
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "a.policy"
    words = ["train", "policy", "--body", "raptor", "--task", "go-to-line", "--states", "6"]
    assert main([*words, "-o", str(file)]) == 0
    first = capsys.readouterr()
    assert "6 states on each foot" in first.out
    assert "did not close within 6 states" in first.err
    assert main([*words, "-o", str(file)]) == 0
    assert len(list((tmp_path / "cache" / "policies").glob("explored-*.journal"))) == 1
    glb = tmp_path / "a.glb"
    code = main(["play", "policy", str(file), "--goal", "9", "--seconds", "1", "-o", str(glb)])
    told = capsys.readouterr()
    assert code == 1
    assert "line 9 is outside -2.5 to 6" in told.err
    assert glb.read_bytes()[:4] == b"glTF"
    assert main(["play", "policy", str(file), "--goal", "1,2,3", "-o", str(glb)]) == 2
    assert "go-to-line has 1 numbers (line), got '1,2,3'" in capsys.readouterr().err
