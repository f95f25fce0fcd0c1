from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from surefoot.animation import Animation
from surefoot.gltf import read_gltf
from surefoot.scenario import Scenario, results

TWO = """
surefoot = "scenario"
version = 1

[world]
scene = "yard"

[planning]
settings = { cell = 0.4 }

[characters.anna]
start = { place = "start", time = 1.0 }
goal = [-6.0, -4.5, 0.5]

[characters.ben]
character = "child"
start = { position = [-9.0, 0.0, 0.5], time = 3.0 }
goal = [-8.0, 2.0, 0.5]

[output]
fps = 10
"""


@pytest.fixture(scope="module")
def shown() -> list[Animation]:
    scenario = Scenario.from_text(TWO)
    return results.animations(scenario, list(scenario.plans()))


def test_animations_are_in_the_world_itself(shown: list[Animation]) -> None:
    anna, ben = shown
    assert anna.rate == 10.0
    assert anna.world is ben.world
    assert "character anna" not in ben.world


def test_everybody_is_in_one_file(shown: list[Animation], tmp_path: Path) -> None:
    results.save_together(tmp_path / "two.glb", shown)
    gltf = read_gltf(tmp_path / "two.glb")
    names = [node.name for node in gltf.nodes]
    assert {"anna", "ben", "lift", "west ground"} <= set(names)
    assert len(gltf.skins) == 2
    (animation,) = gltf.animations
    spans = {}
    for channel in animation.channels:
        if channel.path == "translation" and names[channel.node] == "pelvis":
            spans[channel.times[0]] = channel.times[-1]
    # The file starts with anna, at 1 s; ben starts 2 s later.
    ends = [each.end - 1.0 for each in shown]
    assert list(spans) == pytest.approx([0.0, 2.0])
    assert list(spans.values()) == pytest.approx(ends, abs=1e-5)


def test_somebody_alone_is_written_as_ever(shown: list[Animation], tmp_path: Path) -> None:
    results.save_together(tmp_path / "one.glb", shown[:1])
    shown[0].save(tmp_path / "same.glb")
    assert (tmp_path / "one.glb").read_bytes() == (tmp_path / "same.glb").read_bytes()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """The moments and the look of every picture that is drawn."""
    seen: list[tuple[Any, Any]] = []
    draw = results.exposures

    def watched(world: Any, moments: Any, *args: Any, **more: Any) -> Any:
        seen.append((moments, more["look"]))
        return draw(world, moments, *args, **more)

    monkeypatch.setattr(results, "exposures", watched)
    return seen


def test_a_picture_shows_everybody(shown: list[Animation], drawn: list[tuple[Any, Any]]) -> None:
    assert results.picture(shown, size=(160, 90), quality="draft").size == (160, 90)
    ((moments, _),) = drawn
    assert [len(moment.extras) for moment in moments] == [2] * len(moments)
    assert moments[0].t == 1.0
    assert moments[-1].t == max(each.end for each in shown)


def test_a_roof_is_left_out_of_the_picture(drawn: list[tuple[Any, Any]]) -> None:
    for scene in ("stair house", "yard"):
        text = f"""
            surefoot = "scenario"
            version = 1
            world.scene = "{scene}"
            characters.anna = {{ start = "start", goal = "goal" }}
            output.fps = 5
        """
        scenario = Scenario.from_text(text)
        made = results.animations(scenario, list(scenario.plans()))
        results.picture(made, size=(64, 36), quality="draft")
    indoors, outdoors = (look.cutaway for _, look in drawn)
    assert indoors is not None
    assert 4.0 < indoors < 5.5, "above a head on the upper floor"
    assert outdoors is None
