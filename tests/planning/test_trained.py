from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from surefoot import control
from surefoot.character import Character, people
from surefoot.control import keeping
from surefoot.planning import Goal, Outcome, Problem, planners, trained
from surefoot.planning.trained import controllers_of
from surefoot.world import World


@pytest.fixture
def asked(floor: World) -> Callable[[Character], Problem]:
    """A walk of three metres."""

    def pose(character: Character) -> Problem:
        goal = Goal(floor.place((3.0, 0.0, 0.0)), tolerance=0.4)
        return Problem(
            world=floor, character=character, start=floor.place((0.0, 0.0, 0.0)), goal=goal
        )

    return pose


def test_characters_with_the_same_body_share_controllers() -> None:
    assert controllers_of(people.adult()) is controllers_of(people.adult())


def test_training_for_a_plan_can_be_cancelled(
    adult: Character, asked: Callable[[Character], Problem], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    # The clips are there, and no controller.
    usual = keeping.path_of(control.Go(), control.repertoire(adult))
    if usual is not None:
        for file in usual.parent.glob("*.npz"):
            if not file.name.startswith("controller-"):
                shutil.copy(file, tmp_path)
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    monkeypatch.setattr(trained, "_TRAINED", {})
    seen: list[tuple[str, float]] = []
    capsys.readouterr()
    plan = planners.plan(
        asked(adult), "space-time", progress=lambda *told: seen.append(told),
        cancel=lambda: len(list(tmp_path.glob("controller-*.npz"))) > 1,
    )  # fmt: skip
    assert plan.status.outcome is Outcome.CANCELLED
    assert "controllers were trained" in plan.status.message
    assert 0.0 < plan.statistics["training_ms"] <= plan.statistics["total_ms"]
    assert "of it training)" in str(plan)
    assert {stage for stage, _ in seen} == {"training"}
    assert all(one[1] <= other[1] for one, other in pairwise(seen))
    err = capsys.readouterr().err
    assert err.startswith("surefoot: learning to move as 'adult' (about ")
    assert err.count("\n") == 1
    assert not trained._TRAINED, "they are not all there"


@pytest.mark.slow
def test_a_new_character_learns_to_move_once(
    asked: Callable[[Character], Problem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    monkeypatch.setattr(trained, "_TRAINED", {})
    problem = asked(people.tall_adult())
    seen: list[tuple[str, float]] = []
    first = planners.plan(problem, "space-time", progress=lambda *told: seen.append(told))
    assert first
    assert capsys.readouterr() == (
        "", "surefoot: learning to move as 'tall adult' (about 40 s, kept for next time)\n"
    )  # fmt: skip
    assert first.statistics["training_ms"] > 0.5 * first.statistics["total_ms"]
    assert list(dict(seen)) == ["training", "landmarks", "search"]
    assert all(one[1] <= other[1] for one, other in pairwise(seen))
    assert seen[-1] == ("search", 1.0)
    # In another process, they are read.
    trained._TRAINED.clear()
    second = planners.plan(problem, "space-time")
    assert capsys.readouterr() == ("", "")
    assert second == first
    assert "training_ms" not in second.statistics
    assert second.statistics["loading_ms"] > 0.0
    # In this one, they are there.
    third = planners.plan(problem, "space-time")
    assert not {"training_ms", "loading_ms"} & set(third.statistics)
