"""`surefoot travel`."""

from __future__ import annotations

from pathlib import Path

from surefoot import cli
from surefoot.planning import Plan


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
