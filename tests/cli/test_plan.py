"""`surefoot plan`, from its arguments to its files."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from references.interrupts import interruptible
from surefoot.cli import main
from surefoot.gltf import GltfBuilder, Primitive, read_gltf
from surefoot.planning import Outcome, Plan
from surefoot.scenario import results
from surefoot.world import scenes
from surefoot.world.primitives import box

SCENARIO = """
surefoot = "scenario"
version = 1

[world]
scene = "yard"

[planning]
settings = { cell = 0.4 }

[characters.anna]
start = "start"
goal = [-3.0, -3.5, 0.5]
"""

WALK = ("--start", "-3,-2,0.5", "--goal", "3,2,0.5")


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "walk.toml"
    path.write_text(SCENARIO)
    return path


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A file with a floor of 8 m by 8 m and a wall with a gap across it; y is up."""
    builder = GltfBuilder("room")
    parts = {
        "floor": box((8.0, 0.2, 8.0), (0.0, -0.1, 0.0)),
        "wall": box((0.2, 2.0, 5.0), (0.0, 1.0, 1.5)),
    }
    for name, mesh in parts.items():
        primitive = Primitive(positions=mesh.vertices, triangles=mesh.faces)
        builder.add_node(name, mesh=builder.add_mesh([primitive], name))
    path = tmp_path / "room.glb"
    builder.save(path)
    return path


def plan(*arguments: Any) -> int:
    return main(["plan", *map(str, arguments)])


class TestWhatItPrints:
    def test_the_plan(self, scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert plan(scenario) == 0
        out, err = capsys.readouterr()
        assert out.startswith("walk: 22 bodies, 3 of them moving\n")
        assert "anna reaches (-3.00, -3.50, 0.00) on west ground in " in out
        assert "(grid, planned in " in out
        assert "  what  start   end  from " in out
        assert "anna: every claim holds" in out
        assert err == "", "progress is for terminals"

    def test_nothing_when_quiet(self, scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert plan(scenario, "--quiet") == 0
        assert capsys.readouterr() == ("", "")

    def test_progress_on_a_terminal(
        self,
        scenario: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        assert plan(scenario) == 0
        err = capsys.readouterr().err
        assert "anna: search " in err
        assert err.endswith("\r\x1b[K"), "nothing is left of it"
        assert plan(scenario, "--quiet") == 0
        assert capsys.readouterr().err == ""


class TestAnswersThatAreNo:
    def unreachable(self, scenario: Path) -> Path:
        text = SCENARIO.replace("goal = [-3.0, -3.5, 0.5]", 'goal = "deck"')
        scenario.write_text(text.replace("[planning]", '[planning]\nplanner = "grid"'))
        return scenario

    def test_why_is_said_and_the_partial_plan_kept(
        self, scenario: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "out.json"
        assert plan(self.unreachable(scenario), "--plan", out, "-o", tmp_path / "out.glb") == 1
        assert "anna does not reach (9.50, -5.00, 2.40) on deck: no way" in capsys.readouterr().out
        assert Plan.load(out).status.outcome is Outcome.UNREACHABLE
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "walk.toml"]

    def test_quiet_still_says_why(self, scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert plan(self.unreachable(scenario), "--quiet") == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("surefoot: anna: no way over bodies at rest joins")

    def test_a_claim_that_does_not_hold(
        self,
        scenario: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        from surefoot.planning.grid import Grid

        honest = Grid.plan

        def hasty(self: Grid, problem: Any, **more: Any) -> Plan:
            """A plan of the same way at ten times the speed."""
            from dataclasses import replace

            made = honest(self, problem, **more)
            faster = tuple(replace(s, times=s.times / 10.0) for s in made.segments)
            return replace(made, segments=faster)

        monkeypatch.setattr(Grid, "plan", hasty)
        out = tmp_path / "out.json"
        assert plan(scenario, "--plan", out, "-o", tmp_path / "out.glb") == 1
        assert "surefoot: anna: 1 claim of the plan does not hold" in capsys.readouterr().err
        assert Plan.load(out)
        assert not (tmp_path / "out.glb").exists()


class TestWhatItWrites:
    def test_everything(
        self, scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        small = partial(results.picture, size=(96, 54), quality="draft")
        monkeypatch.setattr(results, "picture", small)
        out = tmp_path / "out"
        out.mkdir()
        files = ["-o", out / "a.glb", "--plan", out / "a.json", "--picture", out / "a.png"]
        assert plan(scenario, *files) == 0
        assert sorted(path.name for path in out.iterdir()) == ["a.glb", "a.json", "a.png"]
        gltf = read_gltf(out / "a.glb")
        assert {"anna", "lift", "silo"} <= {node.name for node in gltf.nodes}
        made = Plan.load(out / "a.json")
        assert made
        assert made.check(scenes.load("yard").world)
        with Image.open(out / "a.png") as image:
            assert image.size == (96, 54)

    def test_the_cells(
        self, scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from surefoot.animation.pictures import cells

        small = partial(cells.cells_picture, size=(96, 72), quality="draft")
        monkeypatch.setattr(cells, "cells_picture", small)
        assert plan(scenario, "--cells", tmp_path / "cells.png") == 0
        with Image.open(tmp_path / "cells.png") as image:
            assert image.size[1] == 72

    def test_a_walk_through_a_file_comes_out_where_it_should(
        self, room: Path, tmp_path: Path
    ) -> None:
        assert plan(room, *WALK, "-o", tmp_path / "out.glb") == 0
        gltf = read_gltf(tmp_path / "out.glb")
        names = [node.name for node in gltf.nodes]
        (animation,) = gltf.animations
        (pelvis,) = (
            channel
            for channel in animation.channels
            if channel.path == "translation" and names[channel.node] == "pelvis"
        )
        # The file has y up: our (x, y) is its (x, -z).
        np.testing.assert_allclose(pelvis.values[0][[0, 2]], [-3.0, 2.0], atol=0.15)
        np.testing.assert_allclose(pelvis.values[-1][[0, 2]], [3.0, -2.0], atol=0.15)

    def test_in_place(self, scenario: Path, tmp_path: Path) -> None:
        scenario.write_text(SCENARIO + "[output]\nfps = 10\nroot_motion = false\n")
        assert plan(scenario, "-o", tmp_path / "out.glb") == 0
        gltf = read_gltf(tmp_path / "out.glb")
        names = [node.name for node in gltf.nodes]
        (pelvis,) = (
            channel
            for channel in gltf.animations[0].channels
            if channel.path == "translation" and names[channel.node] == "pelvis"
        )
        assert np.ptp(pelvis.values, axis=0).max() < 0.3

    def test_a_file_for_each_of_several(self, scenario: Path, tmp_path: Path) -> None:
        more = '[characters."anna!"]\nstart = [-9, 0, 0.5]\ngoal = [-8, 2, 0.5]\n'
        scenario.write_text(SCENARIO + more)
        files = ["-o", tmp_path / "out.bvh", "--plan", tmp_path / "out.json"]
        assert plan(scenario, *files) == 0
        names = {"out.anna.bvh", "out.anna_.bvh", "out.anna.json", "out.anna_.json", "walk.toml"}
        assert {path.name for path in tmp_path.iterdir()} == names
        assert Plan.load(tmp_path / "out.anna_.json").character == "anna!"

    def test_rigs_of_ones_own_get_files_of_their_own(
        self, scenario: Path, tmp_path: Path, data: Path
    ) -> None:
        rig = data / "scenes" / "gltf" / "CesiumMan.glb"
        lines = f"start = [-9, 0, 0.5]\ngoal = [-8, 2, 0.5]\nrig = '{rig}'\n"
        scenario.write_text(f"{SCENARIO}[characters.ben]\n{lines}")
        assert plan(scenario, "-o", tmp_path / "out.glb") == 0
        assert {path.name for path in tmp_path.iterdir()} == {
            "out.anna.glb",
            "out.ben.glb",
            "walk.toml",
        }
        ben = read_gltf(tmp_path / "out.ben.glb")
        assert {"ben", "Skeleton_torso_joint_1", "lift"} <= {node.name for node in ben.nodes}


class TestShortForm:
    def test_a_walk_through_a_file(self, room: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert plan(room, *WALK) == 0
        out = capsys.readouterr().out
        assert out.startswith("room: 2 bodies, 0 of them moving\n")
        assert "walker reaches (3.00, 2.00, 0.00) on floor in " in out

    def test_a_scene(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert plan("yard", "--goal", "crate 6", "--start", "-9,-3.5,0.5") == 1
        assert plan("yard") == 0
        out = capsys.readouterr().out
        assert "walker reaches (8.00, 3.50, 0.00) on east ground in " in out
        assert "the planner is grid, because the grid planner reaches the goal\n" in out

    def test_a_world_as_it_was_saved(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Its places say from where to where."""
        scenes.load("yard").world.save(tmp_path / "mine.json")
        assert plan(tmp_path / "mine.json", "--goal", "plank side") == 0
        out = capsys.readouterr().out
        assert out.startswith("mine: 22 bodies, 3 of them moving\n")
        assert "walker reaches (-3.00, -2.00, 0.00) on west ground in " in out

    def test_names(self, room: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert plan(room, "--start", "-3,-2,0.5", "--goal", "floor") == 0
        assert "walker reaches (-0.40, 0.00, 0.00) on floor in " in capsys.readouterr().out

    def test_a_scenario_that_goes_elsewhere(
        self, scenario: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert plan(scenario, "--goal=-6,-3.5,0.5") == 0
        assert "anna reaches (-6.00, -3.50, 0.00) on west ground" in capsys.readouterr().out

    def test_somebody_else(self, room: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert plan(room, *WALK, "--character", "tall adult", "--planner", "grid") == 0
        assert "tall adult reaches " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ROOM"], "a walk through 'room' needs --start and --goal: a point, or the name of a pl"),
        (["ROOM", "--start", "0,0,0"], "a walk through 'room' needs --goal: a point, or the name"),
        (["ROOM", "--start", "1,2", "--goal", "1,2,3"], "--start: expected X,Y,Z or NAME, got '1,"),
        (
            ["ROOM", "--start", "flor", "--goal", "1,2,3"],
            "--start: unknown place or body 'flor'; d",
        ),
        (["ROOM", "--start", "inf,0,0", "--goal", "1,2,3"], "--start: expected X,Y,Z or NAME, got"),
        (["ROOM", "--start", "3,3,1", "--goal", "a,b"], "--goal: unknown place or body 'a,b'; the"),
        (["ROOM", *WALK, "--scale", "0"], "argument --scale: must be greater than 0, got 0"),
        (
            ["ROOM", *WALK, "--scale", "x"],
            "argument --scale: must be a number, got 'x'; see `suref",
        ),
        (["ROOM", "--start", "3,3,99", "--goal", "-3,3,0"], "--start: (3, 3, 99) is in mid-air at"),
        (["ROOM", *WALK, "--up", "x"], "unknown up axis 'x'; there are: y, z"),
        (
            ["ROOM", *WALK, "--character", "chlid"],
            "unknown character 'chlid'; did you mean 'child'? There are: adult, child",
        ),
        (
            ["ROOM", *WALK, "--planner", "gird"],
            "unknown planner 'gird'; did you mean 'grid'? There are: automatic, footsteps",
        ),
        (["no.glb", *WALK], "no.glb: there is no such file"),
        (["level.blend", *WALK], "'level.blend' is neither a file nor a scene; there are: "),
        (["train yard"], "'train yard' is neither a file nor a scene; did you mean 'train yard 1'"),
        (["bottleneck"], "'bottleneck' is a crowd; surefoot plan takes a scene, a world file (.g"),
        (["yard", "--scale", "2"], "--scale: not for this input; 'yard' is a scene"),
        (["yard", "--planner", "spacetime"], "unknown planner 'spacetime'; did you mean 'space-t"),
        (["yard", "--goal", "lfit"], "--goal: unknown place or body 'lfit'; did you mean 'lift'?"),
        (["SCENARIO", "--up", "z"], "--up: not for this input; 'SCENARIO' is a scenario"),
        (["SCENARIO", "--character", "child"], "--character: not for this input; 'SCENARIO' is "),
        (["SCENARIO", "--start", "0,0,99"], "--start: (0, 0, 99) is in mid-air at t = 0 s"),
        (
            ["SCENARIO", "--planner", "gird"],
            "unknown planner 'gird'; did you mean 'grid'? There are: automatic, footsteps",
        ),
        (["SCENARIO", "-o", "a.fbx"], "a.fbx: the name must end in .glb, .gltf, .bvh"),
        (["SCENARIO", "--plan", "a.txt"], "a.txt: the name must end in .json"),
        (["SCENARIO", "--picture", "a.jpg"], "a.jpg: the name must end in .png"),
        (["SCENARIO", "--cells", "a.gif"], "a.gif: the name must end in .png"),
        (["SCENARIO", "-o", "no/a.glb"], f"no{os.sep}a.glb: there is no folder no"),
        (["no.toml"], "no.toml: there is no such file"),
    ],
)
def test_mistakes_are_told_in_a_line(
    arguments: list[str],
    message: str,
    scenario: Path,
    room: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {"ROOM": str(room), "SCENARIO": str(scenario)}
    for name, path in files.items():
        message = message.replace(name, path)
    assert plan(*(files.get(argument, argument) for argument in arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"surefoot: {message}")
    assert err.count("\n") == 1


def test_every_problem_of_a_scenario_is_told(
    scenario: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario.write_text(SCENARIO.replace("yard", "yrad").replace("cell", "sell"))
    assert plan(scenario) == 2
    err = capsys.readouterr().err
    assert err.startswith(
        f"surefoot: {scenario}: 2 problems:\n  - world.scene: unknown scene 'yrad'"
    )
    assert "\n  - planning.settings.sell: unknown key 'sell'; did you mean 'cell'?" in err


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent another way on Windows")
def test_ctrl_c_leaves_nothing_behind(scenario: Path, tmp_path: Path) -> None:
    # Cells this small take long, so that the signal comes while it plans.
    scenario.write_text(SCENARIO.replace("cell = 0.4", "cell = 0.03"))
    outputs = ["-o", tmp_path / "out.glb", "--plan", tmp_path / "out.json"]
    command = [sys.executable, "-m", "surefoot.cli", "plan", scenario, *outputs]
    with interruptible([*map(str, command)]) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("walk: 22 bodies")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "surefoot: stopped\n"
    assert [path.name for path in tmp_path.iterdir()] == ["walk.toml"]


@pytest.mark.parametrize(("option", "name"), [("--plan", "out.json"), ("-o", "out.glb")])
def test_ctrl_c_while_writing_leaves_nothing_behind(
    option: str, name: str, scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    assert plan(scenario, option, tmp_path / name) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["walk.toml"]
