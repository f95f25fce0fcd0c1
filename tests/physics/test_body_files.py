"""Body files: like a built-in body with what differs, and every mistake is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot import cli
from surefoot.errors import FileError, VersionError
from surefoot.physics import load_body

HEAD = 'surefoot = "body"\nversion = 1\nlike = "humanoid"\n'
SKULL = """
[[parts]]
name = "head"
parent = "torso"
at = [{ahead}, 0.0, 0.42]
joints = [{{name = "neck", kind = "ball", stiffness = 40.0, damping = 4.0, limit = 60.0}}]
shapes = [{{mass = {mass}, start = [0, 0, 0.05], end = [0, 0, 0.2], radius = 0.1}}]
"""
ELBOW = """
[[parts]]
name = "left forearm"
parent = "left upper arm"
at = [0.0, 0.02, -0.29]
joints = [{name = "left elbow", axis = [0.0, -1.0, 0.0], stiffness = 3e8, limit = 1e12}]
shapes = [{mass = 1.7, start = [0, 0, 0], end = [0, 0, -0.3], radius = 0.034}]
"""


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


def test_a_body_is_like_another_with_what_differs(tmp_path: Path) -> None:
    text = HEAD + 'name = "big head"\nfall_height = 0.45\n' + SKULL.format(mass=9.0, ahead=0.0)
    body = load_body(written(tmp_path, text))
    plain = load_body("humanoid")
    assert (body.name, body.anatomy.fall_height) == ("big head", 0.45)
    assert body.anatomy.mass == pytest.approx(plain.anatomy.mass - 4.9 + 9.0)
    assert body.anatomy.joint_names == plain.anatomy.joint_names
    assert body.gaits.keys() == plain.gaits.keys()


def test_gaits_can_be_a_folder_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "hop.toml").write_text('surefoot = "gait"\nversion = 1\n')
    body = load_body(written(tmp_path, HEAD + 'gaits = "own"\n'))
    assert list(body.gaits) == ["hop"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("]", "no valid TOML"),
        ("version = 1", "no body"),
        (HEAD.replace("humanoid", "horse"), "unknown body 'horse'; there are: bird, humanoid"),
        (HEAD + "fal_height = 1", "unknown field 'fal_height'; did you mean 'fall_height'"),
        (HEAD + "fall_height = 'x'", "fall_height: expected a number, got 'x'"),
        (HEAD + "parts = 3", "parts: expected a list of tables"),
        (HEAD + "fall_height = 2.0", "humanoid cannot stand: its root is 0.94 m high"),
        (HEAD + SKULL.format(mass=60.0, ahead=0.6), "cannot stand: its centre of mass is .* ahead"),
        (HEAD + SKULL.replace("0.42", "-2.0").format(mass=4.0, ahead=0.0), "head is .* its soles"),
        (HEAD + ELBOW.replace("stiffness", "stifness"), r"joints\[0\]: unknown field 'stifness'"),
        (
            HEAD + ELBOW.replace("3e8", "'much'"),
            r"part 'left forearm': joints\[0\]\.stiffness: expected a number, got 'much'",
        ),
        (HEAD + ELBOW.replace("3e8", "nan"), r"joints\[0\]\.stiffness: NaN is no number"),
        (HEAD + ELBOW.replace("3e8", "1e200"), "stiffness must be within 1e15 of zero"),
        (HEAD + ELBOW.replace("joints = [", "joints = 3 # ["), "joints: expected a list, got 3"),
        (HEAD.replace("humanoid", "a.toml"), "starts from a built-in body, not from 'a.toml'"),
        (HEAD + "fall_height = " + "9" * 5000, "no valid TOML"),
        ("x = " + "[" * 5000, "no valid TOML: nested too deeply"),
        (HEAD + ELBOW.replace("left upper arm", "wing"), "unknown part 'wing'"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(FileError, match=told):
        load_body(written(tmp_path, text))


def test_another_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VersionError, match="version 7; this reads version 1"):
        load_body(written(tmp_path, 'surefoot = "body"\nversion = 7\n'))


def test_a_body_that_explodes_is_told_at_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = written(tmp_path, HEAD + ELBOW), tmp_path / "wild.glb"
    assert cli.main(["play", "body", path, "-o", str(out), "--seconds", "1"]) == 1
    assert "exploded at left elbow" in capsys.readouterr().out
