"""`surefoot play body` and `surefoot train gait`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("mujoco")

from surefoot.cli import main
from surefoot.physics import load_gait
from surefoot.world.loaders import load_world


def test_a_body_walks_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "walk.glb"
    code = main(["play", "body", "humanoid", "--gait", "walk", "--seconds", "2", "-o", str(path)])
    assert code == 0
    told = capsys.readouterr().out
    assert "walk: " in told
    assert "2.0 s" in told
    world = load_world(path)
    pelvis = world["pelvis"].trajectory
    moved = pelvis.pose(2.0).position - pelvis.pose(0.0).position
    assert moved[0] > 1.0
    assert {"head", "left foot", "right toes", "floor"} <= set(world.names)


def test_gaits_follow_each_other_and_blend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["play", "body", "humanoid", "--seconds", "1", "-o", str(tmp_path / "a.gltf")]
    assert main([*arguments, "--gait", "walk", "--gait", "walk+in place:0.3"]) == 0
    told = capsys.readouterr().out
    assert "walk 70%, in place 30%: " in told


def test_gaits_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "body", "bird", "--list"]) == 0
    assert "walk" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["play"], "play needs to know what: body"),
        (["play", "body", "horse"], "unknown body 'horse'; there are: bird, humanoid, raptor"),
        (["play", "body", "bird", "--gait", "hop"], "unknown gait 'hop'; there are:"),
        (["play", "body", "bird", "-o", "a.mp4"], "a.mp4 must end in .glb, .gltf, .html"),
        (["play", "body", "bird", "--seconds", "0"], "--seconds: must be greater than 0"),
        (["play", "body", "bird", "--gait", "walk+walk:x"], "a blend is written walk+run:0.5"),
        (["train", "gait", "--body", "bird", "--like", "fly"], "none of the verbs"),
        (["train", "gait", "--body", "bird", "--like", "walk in place", "-o", "a"], ".toml"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_gait_is_tuned_and_a_stopped_search_goes_on(tmp_path: Path) -> None:
    def train(folder: str, generations: int) -> Path:
        path = tmp_path / folder / "gait.toml"  # files keep the command that made them
        path.parent.mkdir(exist_ok=True)
        like = ["--like", "walk in place", "--from", "in place", "--seeds", "1", "--window", "0.4"]
        count = ["--generations", str(generations), "-o", str(path)]
        assert main(["train", "gait", "--body", "humanoid", *like, *count]) == 0
        return path

    once = train("once", 2)
    train("twice", 1)
    again = train("twice", 2)
    assert once.read_text() == again.read_text()
    assert load_gait(once).step_time > 0
