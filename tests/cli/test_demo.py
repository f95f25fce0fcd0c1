"""`surefoot demo`: which planner crosses which scene."""

from __future__ import annotations

import pytest

from surefoot.cli import main, plan
from surefoot.scenario import Scenario


@pytest.mark.parametrize(
    ("scene", "planner"), [("yard", "grid"), ("train yard 1", "space-time")]
)  # fmt: skip
def test_what_must_be_timed_is_planned_in_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path, scene: str, planner: str
) -> None:
    """Planning itself takes too long for a test: what is asked for is looked at."""
    asked: list[Scenario] = []

    def note(scenario: Scenario, _: object) -> int:
        asked.append(scenario)
        return 0

    monkeypatch.setattr(plan, "carry_out", note)
    out = ["-o", str(tmp_path / "a.glb"), "--picture", str(tmp_path / "a.png")]
    assert main(["demo", scene, *out]) == 0
    assert [role.planner.name for role in asked[0].roles] == [planner]


def test_the_train_yard_is_what_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    asked: list[Scenario] = []

    def note(scenario: Scenario, _: object) -> int:
        asked.append(scenario)
        return 0

    monkeypatch.setattr(plan, "carry_out", note)
    assert main(["demo", "-o", str(tmp_path / "a.glb"), "--picture", str(tmp_path / "a.png")]) == 0
    assert asked[0].name == "train yard 1"
    assert [role.planner.name for role in asked[0].roles] == ["space-time"]
