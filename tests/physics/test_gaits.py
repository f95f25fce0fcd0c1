"""Gait files: what is written is read, and every mistake is named."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from surefoot.errors import FileError, InputError, VersionError
from surefoot.physics import load_body, load_gait, save_gait
from surefoot.physics.gait import changed, target_names
from surefoot.physics.wishes import wish

HEAD = 'surefoot = "gait"\nversion = 1\n'


def written(tmp_path: Path, text: str, name: str = "a_gait.toml") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_gaits_round_trip(tmp_path: Path) -> None:
    gait = load_body("humanoid").gait("walk")
    path = tmp_path / "walk.toml"
    save_gait(path, gait)
    again = load_gait(path)
    assert again.name == "walk"
    for name, curve in gait.targets.items():
        assert again.targets[name] == pytest.approx(curve, abs=1e-3, rel=1e-3)
    assert again.ahead.wanted == pytest.approx(gait.ahead.wanted, rel=1e-3)


def test_a_takeover_is_kept_and_files_without_one_stay_as_they_are(tmp_path: Path) -> None:
    walk = load_body("humanoid").gait("walk")
    save_gait(tmp_path / "plain.toml", walk)
    assert "takeover" not in (tmp_path / "plain.toml").read_text()
    save_gait(tmp_path / "taking.toml", replace(walk, takeover=100.0))
    assert load_gait(tmp_path / "taking.toml").takeover == 100.0


def test_a_gait_can_be_like_another_or_its_mirror_image(tmp_path: Path) -> None:
    written(
        tmp_path, HEAD + "step_time = 0.3\nturn = 0.2\n[targets]\n'waist bend' = 0.1\n", "a.toml"
    )
    path = written(tmp_path, HEAD + 'like = "a"\n[ahead]\nwanted = 2\n', "b.toml")
    b = load_gait(path)
    assert (b.step_time, b.ahead.wanted, b.targets["waist bend"]) == (0.3, 2.0, (0.1,) * 5)
    mirror = load_gait(written(tmp_path, HEAD + 'mirror_of = "a"\n', "c.toml"))
    assert (mirror.name, mirror.turn) == ("c", -0.2)


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("]", FileError, "no valid TOML"),
        ("version = 1", FileError, "no gait"),
        ('surefoot = "gait"\nversion = 9', VersionError, "version 9"),
        (HEAD + "steptime = 1", FileError, "unknown field 'steptime'; did you mean 'step_time'"),
        (HEAD + "takeover = -1", FileError, "takeover must be at least 0"),
        (HEAD + "step_time = 0", FileError, "step_time .s. must be at least 0.05"),
        (HEAD + "step_time = 9", FileError, "step_time .s. must be at most 5"),
        (HEAD + "turn = 1e200", FileError, "turn must be within 1e15 of zero"),
        (HEAD + "turn = " + "9" * 4000, FileError, "turn must be a number, got a larger one"),
        (HEAD + "turn = " + "9" * 5000, FileError, "no valid TOML"),
        (HEAD + "note = " + "[" * 5000, FileError, "no valid TOML: nested too deeply"),
        (HEAD + 'like = "a gait"', FileError, "in a circle: a gait -> a gait"),
        (HEAD + 'mirror_of = "../a"', FileError, "expected the name of a gait"),
        (HEAD + "like = 3", FileError, "like: expected text"),
        (HEAD + 'step_time = "x"', FileError, "step_time: expected a number"),
        (HEAD + "[targets]\n'swing knee' = [1, 2]", FileError, "one number or 5, got 2"),
        (HEAD + "[ahead]\nspedd = 1", FileError, "unknown field of ahead 'spedd'"),
        (HEAD + 'like = "nothing"', FileError, "nothing.toml"),
    ],
)
def test_mistakes_in_files_are_named(
    tmp_path: Path, text: str, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        load_gait(written(tmp_path, text))


def test_unknown_joints_list_the_valid_ones(tmp_path: Path) -> None:
    gait = load_gait(written(tmp_path, HEAD + "[targets]\n'swing kneee' = 1\n"))
    with pytest.raises(
        InputError, match=r"unknown target 'swing kneee'; did you mean 'swing knee'"
    ):
        gait.compiled(load_body("humanoid").anatomy)
    assert "stance hip bend" not in target_names(load_body("humanoid").anatomy)
    assert "left toes" not in target_names(load_body("humanoid").anatomy)


def test_one_thing_of_a_gait_is_set_by_name() -> None:
    walk = load_body("humanoid").gait("walk")
    assert changed(walk, "ahead.wanted=2").ahead.wanted == 2.0
    assert changed(walk, "hold = 0.25").hold == 0.25
    assert changed(walk, "swing elbow=1.4").targets["swing elbow"] == (1.4,) * 5
    curve = changed(walk, "swing elbow=1,2,3,4,5").targets["swing elbow"]
    assert curve == (1.0, 2.0, 3.0, 4.0, 5.0)
    for text, told in (
        ("elbow", "sets nothing"),
        ("hold=much", "sets nothing"),
        ("ahead.spedd=1", "unknown field of ahead 'spedd'"),
        ("swing elbow=1,2", "one number or 5"),
    ):
        with pytest.raises(InputError, match=told):
            changed(walk, text)


def test_gaits_keep_the_commands_that_made_them(tmp_path: Path) -> None:
    gait = replace(load_body("humanoid").gait("walk"), made=('surefoot train "a b"', "second"))
    save_gait(tmp_path / "walk.toml", gait)
    assert load_gait(tmp_path / "walk.toml").made == gait.made
    # What is only like it was not made by them.
    assert load_gait(written(tmp_path, HEAD + 'like = "walk"\n')).made == ()


def test_wishes_are_read() -> None:
    assert wish("walk at 1.2 m/s").speed == 1.2
    assert wish("walk backward at 0.5 m/s").speed == -0.5
    run = wish("run at 2.5 m/s")
    assert (run.speed, run.flight > 0.1) == (2.5, True)
    assert wish("sidestep right at 0.4 m/s").sideways == -0.4
    turn = wish("turn left at 30 deg/s while walking at 0.8 m/s")
    assert (turn.speed, turn.turn) == (0.8, pytest.approx(math.radians(30)))
    assert wish("walk in place leaning back by 5 deg").lean == pytest.approx(-math.radians(5))
    for text, told in (
        ("fly", "none of the verbs"),
        ("walk", "no speed"),
        ("turn left", "how fast"),
        ("walk at 1 m/s or 2 m/s", "2 speeds"),
    ):
        with pytest.raises(InputError, match=told):
            wish(text)
