"""`surefoot demo`, `plan` and `studio`: one input, one planner, one plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.cli import demo, main
from surefoot.planning import Plan


@pytest.mark.parametrize(
    ("scene", "planner"), [("yard", "grid"), ("train yard 1", "space-time")]
)  # fmt: skip
def test_demo_plan_and_studio_cross_a_scene_alike(
    scene: str,
    planner: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    studio = pytest.importorskip("surefoot.studio")
    seen: list[Plan] = []
    monkeypatch.setattr(studio, "show", lambda shown, **_: seen.append(shown[0].plan))
    assert main(["studio", scene]) == 0
    files = ["--plan", str(tmp_path / "a.json")]
    assert main(["plan", scene, *files]) == 0
    told = capsys.readouterr().out
    assert told.count(f"the planner is {planner}, because the grid planner ") == 2
    assert seen == [Plan.load(tmp_path / "a.json")]
    assert seen[0].planner == planner


def test_the_demo_says_how_to_watch_the_same_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from functools import partial

    from surefoot.scenario import results

    small = partial(results.picture, size=(96, 54), quality="draft")
    monkeypatch.setattr(results, "picture", small)
    out = ["-o", str(tmp_path / "a.glb"), "--picture", str(tmp_path / "a.png")]
    plan = ["--plan", str(tmp_path / "a.json"), "--goal", "plank side"]
    assert main(["demo", "yard", *out, *plan]) == 0
    assert "studio yard --goal='plank side'\n" in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == {"a.glb", "a.png", "a.json"}
    assert Plan.load(tmp_path / "a.json").planner == "grid"


def test_the_train_yard_is_what_is_shown() -> None:
    assert demo.SCENE == "train yard 1"
