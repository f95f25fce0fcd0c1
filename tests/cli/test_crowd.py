"""`surefoot crowd`."""

from __future__ import annotations

import json

import pytest

from surefoot.agents import scenes
from surefoot.cli import main
from surefoot.gltf import read_gltf


def test_the_built_in_crowds_are_listed_with_their_numbers(capsys):
    assert main(["crowd", "--list"]) == 0
    out = capsys.readouterr().out
    for name in scenes.names():
        assert name in out
    assert "16 on 76 m^2 (0.21 a m^2)" in out


def test_a_crowd_is_run_written_recorded_and_replayed(tmp_path, capsys):
    glb, run = tmp_path / "crowd.glb", tmp_path / "run.json"
    code = main(["crowd", "four crossing", "-o", str(glb), "--record", str(run), "--scores"])
    out = capsys.readouterr().out
    assert code == 0
    assert "4 of 4 arrived; 0 contacts" in out
    assert "composite01" in out
    file = read_gltf(glb)
    assert len(file.skins) == 4
    again = tmp_path / "again.glb"
    assert main(["crowd", "--replay", str(run), "-o", str(again), "--threads", "2"]) == 0
    assert "to the last bit" in capsys.readouterr().out
    assert len(read_gltf(again).skins) == 4


def test_who_does_not_arrive_in_time_is_told_by_the_exit_code(tmp_path, capsys):
    path = tmp_path / "walk.toml"
    path.write_text('surefoot = "scenario"\nversion = 1\n[crowd]\nscene = "four crossing"\n')
    picture = tmp_path / "crowd.png"
    assert main(["crowd", str(path), "--duration", "0.5", "--picture", str(picture)]) == 1
    assert "0 of 4 arrived" in capsys.readouterr().out
    assert picture.stat().st_size > 10_000


def test_quiet_is_quiet(capsys):
    main(["crowd", "four crossing", "--duration", "0.2", "--quiet"])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "which crowd?"),
        (["forum"], "'forum' is neither a file nor a scene or crowd; there"),
        (["door", "-o", "x.obj"], "must end in .glb or .gltf"),
        (["door", "-o", "nowhere/x.glb"], "there is no folder"),
        (["door", "--milliseconds", "-3"], "--milliseconds: must be greater than 0"),
        (["none.xml"], "there is no such file"),
        (["none.toml"], "there is no such file"),
        (["--replay", "none.json"], "there is no such file"),
    ],
)
def test_mistakes_are_one_line(arguments, message, capsys):
    assert main(["crowd", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_replay_of_another_run_fails(tmp_path, capsys):
    run = tmp_path / "run.json"
    main(["crowd", "four crossing", "--duration", "0.2", "--record", str(run), "--quiet"])
    data = json.loads(run.read_text())
    data["digests"][3] = "0" * 16
    run.write_text(json.dumps(data))
    assert main(["crowd", "--replay", str(run)]) == 2
    assert "frame 3 of" in capsys.readouterr().err
