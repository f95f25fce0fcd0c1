"""What `--json` prints: one document, with all that the text says."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot import cli
from surefoot.cli import bench, main
from surefoot.cli.report import Report, plain
from surefoot.planning import Plan
from surefoot.world import scenes


def document(capsys: pytest.CaptureFixture[str], code: int, *arguments: object) -> dict[str, Any]:
    """The document of a command that ends with `code`; nothing else may be printed."""
    assert main([*map(str, arguments), "--json"]) == code
    found = json.loads(capsys.readouterr().out, parse_constant=_refuse)
    assert (found["surefoot"], found["version"]) == ("result", 1)
    assert (found["command"], found["exit"]) == (arguments[0], code)
    return found


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def test_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plan.json"
    found = document(capsys, 0, "plan", "yard", "--plan", file)
    made = Plan.load(file)
    assert found["world"] == {"name": "yard", "bodies": 22, "moving": 3}
    assert found["files"] == [str(file)]
    assert found["warnings"] == []
    (plan,) = found["plans"]
    assert (plan["planner"], plan["choice"]) == ("grid", "the grid planner reaches the goal")
    assert (plan["reached"], plan["outcome"]) == (True, "reached")
    assert (plan["start"], plan["end"], plan["cost"]) == (made.start, made.end, made.cost)
    assert plan["statistics"].keys() == made.statistics.keys()
    assert [each["kind"] for each in plan["segments"]] == [s.kind.value for s in made.segments]
    assert plan["segments"][0]["from"] == pytest.approx([-9.0, -3.5, 0.0])
    assert plan["segments"][-1]["to"] == pytest.approx([8.0, 3.5, 0.0])
    assert plan["goal"]["position"] == pytest.approx([8.0, 3.5, 0.0])
    assert plan["to"] == {"position": pytest.approx([8.0, 3.5, 0.0]), "body": None}
    assert plan["check"]["holds"]
    assert plan["check"]["violations"] == []


def test_the_text_is_that_of_the_command_without_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenes", "yard"]) == 0
    text = capsys.readouterr().out
    found = document(capsys, 0, "scenes", "yard")
    assert found["files"] == []
    assert "\n".join(found["text"]) + "\n" == text
    scene = scenes.load("yard")
    assert list(found["places"]) == list(scene.places)
    assert [each["name"] for each in found["bodies"]] == list(scene.world.bodies)
    lift = next(each for each in found["bodies"] if each["name"] == "lift")
    assert lift == {"name": "lift", "triangles": 12, "moves": True, "tags": {}}


def test_no_way_is_a_document_too(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, 1, "plan", "yard", "--planner", "grid", "--goal", "silo")
    (plan,) = found["plans"]
    assert (plan["reached"], plan["outcome"], plan["choice"]) == (False, "unreachable", None)
    assert plan["check"] is None
    assert found["files"] == []
    assert found["warnings"] == [f"walker: {plan['message']}"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["plan", "yrad"], "'yrad' is neither a file nor a scene; did you mean 'yard'?"),
        (["plan", "yard", "--wrong"], "unknown arguments: --wrong"),
        (["dance"], "unknown command 'dance'"),
        (["crowd"], "which crowd?"),
        (["clips"], "clips needs an action"),
    ],
)
def test_a_mistake_is_a_document_too(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--json"]) == 2
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert (found["command"], found["exit"]) == (arguments[0], 2)
    if arguments[0] != "clips":  # whose --json belongs to its actions
        assert found["error"].startswith(message)
    assert err == f"surefoot: {found['error']}\n"


def test_crowds(capsys: pytest.CaptureFixture[str]) -> None:
    listed = document(capsys, 0, "crowd", "--list")["crowds"]
    assert {"name", "description", "agents"} == listed[0].keys()
    found = document(
        capsys, 1, "crowd", "corridor", "--agents", "2", "--duration", "0.5", "--scores"
    )
    assert (found["walkers"], found["arrived"]) == (2, 0)
    assert len(found["scores"]["agents"]) == 2
    assert found["report"]["frames"] == found["frames"] > 20


def test_travels(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, 1, "travel", "disconnected", "--watch", "1", "--seconds", "1")
    assert not found["plan"]["reached"]
    assert found["world"]["name"]


def test_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("viser", reason="viser is not installed: no studio here")
    page = tmp_path / "page.html"
    found = document(capsys, 0, "studio", "yard", "--planner", "grid", "--save", page)
    assert found["files"] == [str(page)]
    assert found["plans"][0]["planner"] == "grid"


def test_nothing_else_reaches_the_output(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from surefoot.cli import scenes as command

    def chatty(args: Any) -> int:
        print("a library says hello")
        args.report.put(fine=True)
        return 0

    monkeypatch.setattr(command, "run", chatty)
    assert main(["scenes", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["fine"]
    assert err == "a library says hello\n"


def test_every_command_and_action_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    actions = {
        "clips": ["inspect", "build"],
        "train": ["controllers", "gait", "policy"],
        "play": ["body", "policy"],
    }
    for command in cli.COMMANDS:
        for action in actions.get(command.NAME, [None]):
            given = [command.NAME, *([] if action is None else [action]), "--help"]
            with pytest.raises(SystemExit):
                main(given)
            said = " ".join(capsys.readouterr().out.split())
            wanted = "--json FILE" if command.NAME == bench.NAME else "--json print one JSON docu"
            assert wanted in said, given


class Colour(StrEnum):
    RED = "red"


@dataclass
class Point:
    x: float
    tags: tuple[str, ...]


def test_values_become_plain_ones() -> None:
    given = {
        "array": np.array([1.0, math.inf]),
        "number": np.float64(2.5),
        "enum": Colour.RED,
        "record": Point(-math.inf, ("a",)),
        3: math.nan,
        "path": Path("a.glb"),
        "flag": True,
        "nothing": None,
    }
    assert plain(given) == {
        "array": [1.0, "inf"],
        "number": 2.5,
        "enum": "red",
        "record": {"x": "-inf", "tags": ["a"]},
        "3": None,
        "path": "a.glb",
        "flag": True,
        "nothing": None,
    }


def test_text_and_facts(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report("test", json=True)
    report.say("one\ntwo")
    report.wrote(Path("a.glb"))
    report.warn("three")
    assert capsys.readouterr() == ("", "surefoot: three\n")
    assert json.loads(report.document(1)) == {
        "surefoot": "result",
        "version": 1,
        "command": "test",
        "exit": 1,
        "files": ["a.glb"],
        "warnings": ["three"],
        "text": ["one", "two", "wrote a.glb"],
    }


def test_the_help_says_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    for line in ("  0    done", "  1    the answer is no", "  2    a mistake", "  130  stopped"):
        assert line in out
