"""`surefoot travel`."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from surefoot import cli
from surefoot.cli import travel
from surefoot.math import Pose
from surefoot.planning import Plan
from surefoot.world import Body, Static, primitives


def test_travels_writes_the_plan_and_says_how_it_went(capsys, tmp_path: Path) -> None:
    target, picture = tmp_path / "way.json", tmp_path / "way.png"
    code = cli.main(["travel", "living room", "--goal", "window", "--watch", "1", "--seconds", "40",
                     "--plan", str(target), "--picture", str(picture)])  # fmt: skip
    said = capsys.readouterr().out
    assert code == 0
    assert "reached" in said
    assert "every claim holds" in said
    assert Plan.load(target)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_all_that_does_not_hold_is_said_and_files_are_written(
    capsys, tmp_path: Path, monkeypatch
) -> None:
    journey = travel._journey

    def blocked(args: Namespace, *rest: Any) -> Any:
        plan, world = journey(args, *rest)
        for i, t in enumerate((plan.start + 0.5, plan.end)):
            block = primitives.box((0.5, 0.5, 0.5))
            at = Static(Pose(plan.position(t, world)))
            world.add(Body(name=f"block {i}", mesh=block, trajectory=at))
        return plan, world

    monkeypatch.setattr(travel, "_journey", blocked)
    target = tmp_path / "way.json"
    code = cli.main(["travel", "living room", "--goal", "window", "--watch", "1", "--seconds", "40",
                     "--plan", str(target)])  # fmt: skip
    said = capsys.readouterr()
    assert code == 1
    assert "do not hold:" in said.err
    assert "block 0" in said.err
    assert "block 1" in said.err
    assert f"wrote {target}" in said.out
    assert Plan.load(target)


def test_a_goal_that_is_not_reached_in_time_is_no(capsys) -> None:
    assert cli.main(["travel", "disconnected", "--watch", "2", "--seconds", "2"]) == 1
    assert "had not reached" in capsys.readouterr().out


def test_what_is_not_known_is_told_with_what_is(capsys) -> None:
    assert cli.main(["travel", "moon"]) == 2
    assert "living room" in capsys.readouterr().err
    assert cli.main(["travel", "disconnected", "--goal", "moon"]) == 2
    assert "lookout" in capsys.readouterr().err
    assert cli.main(["travel", "disconnected", "--picture", "way.doc"]) == 2
    assert ".png" in capsys.readouterr().err
