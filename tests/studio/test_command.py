from __future__ import annotations

import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from references.interrupts import interruptible
from surefoot import studio
from surefoot.cli import main
from surefoot.gltf import GltfBuilder, Primitive
from surefoot.studio.content import Content, content_of
from surefoot.world.primitives import slab

SCENARIO = """
surefoot = "scenario"
version = 1
[world]
scene = "yard"
[planning]
planner = "grid"
[characters.anna]
start = "start"
goal = "plank side"
[characters.ben]
character = "child"
start = "plank side"
goal = "start"
"""


@pytest.fixture(autouse=True)
def _viser() -> None:
    pytest.importorskip("viser", reason="viser is not installed: no studio here")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Content, dict[str, Any]]]:
    """What the command would show, without serving it."""
    seen: list[tuple[Content, dict[str, Any]]] = []

    def show(what: Any, **settings: Any) -> None:
        seen.append((content_of(what), settings))

    monkeypatch.setattr(studio, "show", show)
    return seen


@pytest.fixture
def level(tmp_path: Path) -> Path:
    """A file with a small floor."""
    builder, ground = GltfBuilder("level"), slab((2.0, 2.0, 0.2))
    surface = [Primitive(positions=ground.vertices, triangles=ground.faces)]
    builder.add_node("ground", mesh=builder.add_mesh(surface, "ground"))
    builder.save(tmp_path / "level.glb")
    return tmp_path / "level.glb"


def test_without_a_file_somebody_walks(
    shown: list[tuple[Content, dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["studio"]) == 0
    ((content, settings),) = shown
    assert content.name == "yard"
    assert content.actors[0].plan
    assert settings == {"host": "127.0.0.1", "port": 8080, "open_browser": False, "dark": False}
    assert "walker reaches" in capsys.readouterr().out


def test_a_scenario_is_planned_first(
    shown: list[tuple[Content, dict[str, Any]]], tmp_path: Path
) -> None:
    path = tmp_path / "two.toml"
    path.write_text(SCENARIO)
    assert main(["studio", str(path), "--port", "0", "--dark"]) == 0
    ((content, settings),) = shown
    assert [actor.figure.name for actor in content.actors] == ["anna", "ben"]
    # Those planned first are shown as people, not also as what the others avoid.
    assert not any("anna" in body.name for body in content.world)
    assert settings["port"] == 0
    assert settings["dark"]


def test_worlds_and_scenes(shown: list[tuple[Content, dict[str, Any]]], level: Path) -> None:
    assert main(["studio", str(level)]) == 0
    assert main(["studio", "stair house"]) == 0
    ground, house = (content for content, _ in shown)
    assert list(ground.world.bodies) == ["ground"]
    assert house.name == "stair house"
    assert house.actors[0].plan


def test_a_page_is_written(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = level.with_suffix(".html")
    assert main(["studio", str(level), "--save", str(page)]) == 0
    assert capsys.readouterr().out == f"wrote {page}\n"
    assert "__VISER_EMBED_DATA__" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["attic"], "'attic' is neither a file nor a scene; there are: disconnected, factory, fe"),
        (
            ["level.fbx"],
            "'level.fbx' is neither a file nor a scene; there are: disconnected, factory",
        ),
        (["none.glb"], "none.glb: there is no such file"),
        (["none.toml"], "none.toml: there is no such file"),
        (["--port", "70000"], "argument --port: must be a whole number from 0 to 65,535, got"),
        (["--host", "192.0.2.1"], "cannot serve at host '192.0.2.1'"),
        (["--save", "page.png"], "page.png: a page is saved as .html"),
    ],
)
def test_mistakes_are_told_in_a_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["studio", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"surefoot: {said}")
    assert printed.err.count("\n") == 1
    assert printed.out == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal for one process")
def test_ctrl_c_is_a_clean_end(level: Path) -> None:
    command = [sys.executable, "-m", "surefoot.cli", "studio", str(level), "--port", "0"]
    with interruptible(command) as served:
        assert served.stdout is not None
        line = served.stdout.readline()
        served.send_signal(signal.SIGINT)
        out, err = served.communicate(timeout=20.0)
    assert re.fullmatch(
        r"level: http://127\.0\.0\.1:\d+/\?token=[\w-]{32} \(Ctrl-C ends it\)\n", line
    )
    assert (out, err, served.returncode) == ("", "", 0)
