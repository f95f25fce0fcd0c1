"""Animations on the user's own rig: its file, its materials, its feet where the plan put them."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from surefoot.animation import animate
from surefoot.animation.gltf_export import add_character
from surefoot.character import Character
from surefoot.gltf import GltfBuilder, axes, read_gltf
from surefoot.planning import Plan
from surefoot.world import World


@pytest.fixture(scope="module")
def player() -> ModuleType:
    """The functions that play a glTF file, which live with the tests of the exporter."""
    path = Path(__file__).with_name("test_gltf_export.py")
    spec = importlib.util.spec_from_file_location("gltf_player", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["CesiumMan", "RiggedFigure"])
def test_a_rig_walks_in_its_own_file(
    name: str, data: Path, journey: Plan, station: World, tmp_path: Path, player: ModuleType,
    validate: Callable[[Path], dict[str, Any]],
) -> None:  # fmt: skip
    source = data / "scenes" / "gltf" / f"{name}.glb"
    character = Character.from_gltf(source)
    plan = replace(journey, character=character.name, capabilities=character.capabilities)
    animation = animate(plan, station, character)
    path = tmp_path / "walk.glb"
    animation.save(path)
    before, after = read_gltf(source), read_gltf(path)
    kept = after.json["materials"][: len(before.materials)]
    assert kept == before.json["materials"]
    assert len(after.json.get("images", ())) == len(before.json.get("images", ()))
    assert [node.name for node in after.nodes][: len(before.nodes)] == [
        n.name for n in before.nodes
    ]
    assert [entry.name for entry in after.animations] == [character.name]
    node = next(node.index for node in after.nodes if node.skin is not None)
    for t in (0.5, 3.0, 7.0):
        vertices = axes.z_up(player.skinned(after, node, player.played(after, t - animation.start)))
        expected, _ = animation.skin(t)
        assert player.nearest(vertices[::40], expected).max() < 2e-3
    issues, own = validate(path), validate(source)
    assert issues["numErrors"] == own["numErrors"] == 0


def test_both_kinds_of_file_hold_the_same(
    data: Path, journey: Plan, station: World, tmp_path: Path
) -> None:
    character = Character.from_gltf(data / "scenes" / "gltf" / "CesiumMan.glb")
    plan = replace(journey, character=character.name, capabilities=character.capabilities)
    animation = animate(plan, station, character, rate=10.0)
    animation.save(tmp_path / "a.glb")
    animation.save(tmp_path / "a.gltf")
    one, two = read_gltf(tmp_path / "a.glb"), read_gltf(tmp_path / "a.gltf")
    assert len(one.nodes) == len(two.nodes)
    for first, second in zip(one.animations[0].channels, two.animations[0].channels, strict=True):
        assert np.array_equal(first.values, second.values)


def test_a_rig_can_share_a_file_with_others(
    data: Path, journey: Plan, station: World, adult: Character, tmp_path: Path, player: ModuleType,
    validate: Callable[[Path], dict[str, Any]],
) -> None:  # fmt: skip
    guest = Character.from_gltf(data / "scenes" / "gltf" / "CesiumMan.glb")
    plan = replace(journey, character=guest.name, capabilities=guest.capabilities)
    shown = [animate(journey, station, adult), animate(plan, station, guest)]
    builder = GltfBuilder("both")
    channels = [move for each in shown for move in add_character(builder, each)]
    builder.add_animation(channels, "both")
    path = tmp_path / "both.glb"
    builder.save(path)
    assert validate(path)["numErrors"] == 0
    gltf = read_gltf(path)
    skins = [node.index for node in gltf.nodes if node.skin is not None]
    for node, animation in zip(skins, shown, strict=True):
        vertices = axes.z_up(player.skinned(gltf, node, player.played(gltf, 3.0)))
        expected, _ = animation.skin(3.0 + animation.start)
        assert player.nearest(vertices[::40], expected).max() < 2e-3
