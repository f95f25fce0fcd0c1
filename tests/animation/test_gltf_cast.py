"""Many characters in one file: each moves by itself, and surfaces are stored once."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.gltf_cast import Figure, save_cast
from surefoot.character import people
from surefoot.character.humanoid import JOINTS
from surefoot.errors import InputError
from surefoot.gltf import read_gltf
from surefoot.math import rotations
from surefoot.world import Body, World, primitives

TIMES = np.arange(31) / 30


@pytest.fixture(scope="module")
def adult():
    return people.adult()


@pytest.fixture
def floor():
    return World([Body(name="floor", mesh=primitives.slab((20, 20, 0.2)))], name="floor")


def walking(character, name, y, first=0, last=31) -> Figure:
    count = last - first
    root = np.column_stack(
        [1.3 * TIMES[first:last], np.full(count, y), np.full(count, character.measures.leg_length)]
    )
    local = np.tile(rotations.IDENTITY, (count, len(JOINTS), 1))
    local[:, 0] = rotations.from_yaw(0.1 * TIMES[first:last])
    return Figure(name, character, TIMES[first:last], root, local)


def test_a_hundred_share_one_surface(tmp_path, adult, floor, validate):
    figures = [walking(adult, f"adult {i}", 0.7 * i) for i in range(100)]
    path = tmp_path / "crowd.glb"
    save_cast(path, floor, figures, rate=30.0)
    model = read_gltf(path)
    assert len(model.skins) == 100
    assert len(model.meshes) == 2
    one = tmp_path / "one.glb"
    save_cast(one, floor, figures[:1], rate=30.0)
    # Each one more costs its motion, not its looks.
    assert path.stat().st_size < one.stat().st_size + 99 * 60_000
    issues = validate(path)
    assert issues["numErrors"] == 0
    # Nodes of skins go along with their pelvises, for viewers that look there for what is in sight.
    warnings = {message["code"] for message in issues["messages"] if message["severity"] < 2}
    assert warnings == {"ANIMATION_CHANNEL_TARGET_NODE_SKIN"}


def test_everybody_is_where_the_film_has_them(tmp_path, adult, floor):
    child = people.child()
    figures = [walking(adult, "a", 0.0), walking(child, "c", 2.0)]
    path = tmp_path / "two.glb"
    save_cast(path, floor, figures, rate=30.0)
    model = read_gltf(path)
    animation = model.animations[0]
    pelvises = [
        channel for channel in animation.channels
        if channel.path == "translation" and model.nodes[channel.node].name == "pelvis"
    ]  # fmt: skip
    assert len(pelvises) == 2
    for channel, figure in zip(pelvises, figures, strict=True):
        # x, y, z of ours are x, z, -y of the file's.
        there = channel.values[:, [0, 2, 1]] * [1.0, -1.0, 1.0]
        assert np.allclose(there, figure.root, atol=1e-5)


def test_who_comes_late_and_goes_early_has_no_size_before_and_after(tmp_path, adult, floor):
    figures = [walking(adult, "stays", 0.0), walking(adult, "visits", 2.0, 10, 20)]
    path = tmp_path / "visit.glb"
    save_cast(path, floor, figures, rate=30.0)
    model = read_gltf(path)
    scales = [c for c in model.animations[0].channels if c.path == "scale"]
    assert [model.nodes[c.node].name for c in scales] == ["visits"]
    assert np.allclose(scales[0].times, [0.0, 10 / 30, 19 / 30], atol=1e-6)
    assert scales[0].values[:, 0].tolist() == [0.0, 1.0, 0.0]
    assert scales[0].interpolation == "step"


def test_nobody_is_no_cast(tmp_path, floor):
    with pytest.raises(InputError, match="nobody"):
        save_cast(tmp_path / "none.glb", floor, [], rate=30.0)
