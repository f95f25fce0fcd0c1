from __future__ import annotations

import json

import numpy as np
import pytest

from surefoot.errors import FileError
from surefoot.gltf import Channel, GltfBuilder, read_gltf
from surefoot.math import rotations


@pytest.fixture
def read_animation(tmp_path):
    """Reads an animation of one channel, given as JSON, over accessors that hold `arrays`."""

    def read(*arrays, sampler=None, channel=None, **body):
        builder = GltfBuilder()
        builder.add_node("n")
        for array in arrays:
            builder.add_accessor(array, normalized=array.dtype.kind == "i")
        path = tmp_path / "moving.gltf"
        builder.save(path)
        document = json.loads(path.read_text())
        sampler = {"input": 0, "output": 1} if sampler is None else sampler
        channel = (
            {"sampler": 0, "target": {"node": 0, "path": "translation"}}
            if channel is None
            else channel
        )
        document["animations"] = [{"samplers": [sampler], "channels": [channel]}]
        path.write_text(json.dumps(document | body))
        return read_gltf(path).animations[0]

    return read


TIMES = np.array([0.5, 1, 4], "<f4")
PLACES = np.arange(9, dtype="<f4").reshape(3, 3)


def aimed(path, node=0, sampler=0):
    return {"sampler": sampler, "target": {"node": node, "path": path}}


@pytest.mark.parametrize("name", ["linear", "step", "cubic"])
@pytest.mark.parametrize("path", ["translation", "rotation", "scale"])
def test_channels_survive_writing_and_reading(tmp_path, path, name):
    random = np.random.default_rng(2)
    width = 4 if path == "rotation" else 3
    values = random.normal(size=(3, width))
    if path == "rotation":
        values = rotations.normalize(values)
    tangents = (random.normal(size=(3, width)), random.normal(size=(3, width)))
    builder = GltfBuilder()
    node = builder.add_node()
    channel = Channel(
        node=node,
        path=path,
        times=TIMES,
        values=values,
        interpolation=name,
        tangents=tangents if name == "cubic" else None,
    )
    builder.add_animation([channel], "moves", extras={"a": [1]})
    builder.save(tmp_path / "x.glb")
    animation = read_gltf(tmp_path / "x.glb").animations[0]
    read = animation.channels[0]
    assert (animation.name, animation.extras, animation.duration) == ("moves", {"a": [1]}, 4.0)
    assert (read.node, read.path, read.interpolation) == (node, path, name)
    np.testing.assert_array_equal(read.times, TIMES)
    np.testing.assert_allclose(read.values, values, atol=1e-6)
    if name == "cubic":
        np.testing.assert_allclose(read.tangents, tangents, atol=1e-6)
    else:
        assert read.tangents is None


def test_normalized_rotations_and_morph_weights(read_animation):
    half = np.array([[0, 0, 23170, 23170], [0, 0, 0, 32767], [32767, 0, 0, 0]], "<i2")
    animation = read_animation(TIMES, half, channel=aimed("rotation"))
    np.testing.assert_allclose(
        animation.channels[0].values,
        [[np.sqrt(0.5), 0, 0, np.sqrt(0.5)], [1, 0, 0, 0], [0, 1, 0, 0]],
        atol=1e-12,
    )
    animation = read_animation(TIMES, np.arange(6, dtype="<f4"), channel=aimed("weights"))
    np.testing.assert_array_equal(animation.channels[0].values, [[0, 1], [2, 3], [4, 5]])
    assert animation.name == "animation0"


def test_channels_that_aim_at_no_node_are_left_out(read_animation):
    for target in ({"path": "translation"}, {"path": "pointer", "extensions": {}}):
        animation = read_animation(TIMES, PLACES, channel={"sampler": 0, "target": target})
        assert animation.channels == ()
        assert animation.duration == 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"channel": {}}, "channels[0].target: is missing"),
        ({"channel": {"target": {}}}, "channels[0].target.path: is missing"),
        ({"channel": aimed("colour")}, "channels[0].target.path: 'colour' is unknown; there are: "),
        ({"channel": aimed("scale", node=1)}, "channels[0].target.node: 1 is out of range"),
        (
            {"channel": aimed("scale", sampler=1)},
            "channels[0].sampler: 1 is out of range, the animation has 1",
        ),
        ({"sampler": {"output": 1}}, "samplers[0].input: is missing"),
        ({"sampler": {"input": 0}}, "samplers[0].output: is missing"),
        ({"sampler": {"input": 5, "output": 1}}, "samplers[0].input: 5 is out of range"),
        ({"sampler": {"input": 1, "output": 1}}, "samplers[0].input: accessors[1] must be scalars"),
        (
            {"sampler": {"input": 2, "output": 1}},
            "samplers[0].input: key times must increase, but key 2 at 1 s follows 1 s",
        ),
        ({"sampler": {"input": 3, "output": 1}}, "samplers[0].input: key times must not be neg"),
        (
            {"sampler": {"input": 0, "output": 1, "interpolation": "SMOOTH"}},
            "samplers[0].interpolation: 'SMOOTH' is unknown; there are: LINEAR, STEP, CUBICSPLINE",
        ),
        (
            {"sampler": {"input": 0, "output": 1, "interpolation": "CUBICSPLINE"}},
            "samplers[0].output: has 3 elements, 9 are needed for 3 keys",
        ),
        ({"channel": aimed("rotation")}, "samplers[0].output: must point at VEC4 elements"),
        ({"channel": aimed("weights")}, "samplers[0].output: must point at scalars, a multiple"),
        (
            {"sampler": {"input": 0, "output": 4}, "channel": aimed("rotation")},
            "samplers[0].output: has a quaternion of length zero",
        ),
    ],
)
def test_bad_animations(read_animation, arguments, message):
    arrays = (
        TIMES,
        PLACES,
        np.array([0, 1, 1], "<f4"),
        np.array([-1, 0, 1], "<f4"),
        np.zeros((3, 4), "<f4"),
    )
    with pytest.raises(FileError) as error:
        read_animation(*arrays, **arguments)
    assert f"moving.gltf: animations[0].{message}" in str(error.value)


def test_a_property_has_one_channel_in_an_animation(read_animation):
    entry = {"samplers": [{"input": 0, "output": 1}], "channels": [aimed("scale")] * 2}
    with pytest.raises(FileError, match=r"channels\[1\]: scale of node 0 has a channel already"):
        read_animation(TIMES, PLACES, animations=[entry])


@pytest.mark.parametrize(
    ("skin", "message"),
    [
        ({}, "skins[0].joints: is missing"),
        ({"joints": []}, "skins[0].joints: must list one joint or more"),
        ({"joints": [4]}, "skins[0].joints[0]: 4 is out of range, the file has 1"),
        ({"joints": [0], "skeleton": 2}, "skins[0].skeleton: 2 is out of range"),
        (
            {"joints": [0], "inverseBindMatrices": 0},
            "skins[0].inverseBindMatrices: must point at MAT4 elements, one for each of 1 joints",
        ),
    ],
)
def test_bad_skins(read_animation, skin, message):
    with pytest.raises(FileError) as error:
        read_animation(TIMES, PLACES, skins=[skin])
    assert message in str(error.value)
