from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import FileError
from surefoot.gltf import GltfBuilder, read_gltf
from surefoot.math import rotations


def test_a_node_without_a_transform_is_the_identity(write_json):
    node = read_gltf(write_json({"nodes": [{}]})).nodes[0]
    np.testing.assert_array_equal(node.matrix, np.eye(4))
    assert (node.name, node.parent, node.children, node.extras) == ("", None, (), None)


def test_translation_rotation_and_scale(write_json):
    turn = rotations.from_axis_angle([1.0, 2.0, 3.0], 0.7)
    entry = {"translation": [1, 2, 3], "scale": [2, 3, -4]}
    entry["rotation"] = np.roll(turn, -1).tolist()
    node = read_gltf(write_json({"nodes": [entry]})).nodes[0]
    np.testing.assert_allclose(node.rotation, turn, atol=1e-15)
    expected = np.eye(4)
    expected[:3, :3] = rotations.to_matrix(turn) @ np.diag([2, 3, -4])
    expected[:3, 3] = [1, 2, 3]
    np.testing.assert_allclose(node.matrix, expected, atol=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_a_matrix_gives_the_same_frame_as_its_parts(write_json, seed):
    random = np.random.default_rng(seed)
    turn = rotations.normalize(random.normal(size=4))
    if seed < 3:  # half turns, where a quaternion's w vanishes
        turn = np.roll([0.0, 1.0, 0.0, 0.0], seed)
    matrix = np.eye(4)
    signs = random.choice([-1.0, 1.0], 3)
    matrix[:3, :3] = rotations.to_matrix(turn) * (random.uniform(0.1, 10, 3) * signs)
    matrix[:3, 3] = random.normal(size=3)
    rounded = matrix.astype(np.float32).astype(float)
    node = read_gltf(write_json({"nodes": [{"matrix": rounded.T.reshape(-1).tolist()}]})).nodes[0]
    np.testing.assert_allclose(node.matrix, matrix, atol=1e-5)
    assert np.linalg.norm(node.rotation) == pytest.approx(1.0)
    assert (node.scale[1:] > 0).all()


def chain(count):
    return [{"children": [index + 1]} for index in range(count - 1)] + [{}]


def test_a_deep_chain_does_not_exhaust_the_stack(write_json):
    nodes = chain(10_000)
    for node in nodes:
        node["translation"] = [0, 1, 0]
    read = read_gltf(write_json({"nodes": nodes[::1], "scenes": [{"nodes": [0]}]}))
    assert read.order == tuple(range(10_000))
    assert len(read.visible()) == 10_000
    np.testing.assert_array_equal(read.global_matrices()[-1, :3, 3], [0, 10_000, 0])


def test_parents_come_before_children_and_global_frames_compose(write_json):
    nodes = [
        {"translation": [1, 0, 0]},
        {"children": [3], "rotation": [0, 0, np.sqrt(0.5), np.sqrt(0.5)]},
        {"children": [1], "scale": [2, 2, 2], "translation": [0, 0, 5]},
        {"children": [0], "translation": [1, 0, 0]},
    ]
    read = read_gltf(write_json({"nodes": nodes}))
    assert read.order == (2, 1, 3, 0)
    assert [node.parent for node in read.nodes] == [3, 2, None, 1]
    np.testing.assert_allclose(read.global_matrices()[0, :3, 3], [0, 4, 5], atol=1e-15)


def test_scenes_choose_what_is_visible(write_json):
    body = {"nodes": [{"children": [2]}, {"name": "b"}, {}]}
    assert read_gltf(write_json(body)).visible() == (0, 1, 2)
    body["scenes"] = [{"nodes": [1]}, {"nodes": [0], "name": "second", "extras": [1]}]
    assert read_gltf(write_json(body)).visible() == (1,)
    read = read_gltf(write_json(body | {"scene": 1}))
    assert read.visible() == (0, 2)
    assert (read.scene.name, read.scene.extras) == ("second", [1])
    assert read.label(1) == "node 1 'b'"
    assert read.label(0) == "node 0"


def test_instances(write_json):
    builder = GltfBuilder()
    random = np.random.default_rng(1)
    places, turns = random.normal(size=(4, 3)), rotations.normalize(random.normal(size=(4, 4)))
    builder.add_accessor(places)
    builder.add_accessor(np.roll(turns, -1, axis=1))
    text = builder.to_gltf().decode()
    attributes = '{"TRANSLATION": 0, "ROTATION": 1}'
    extension = f'{{"EXT_mesh_gpu_instancing": {{"attributes": {attributes}}}}}'
    text = text.replace('"scene": 0,', f'"nodes": [{{"extensions": {extension}}}],')
    text = text.replace('"asset"', '"extensionsRequired": ["EXT_mesh_gpu_instancing"], "asset"')
    path = write_json({})
    path.write_text(text)
    instances = read_gltf(path).nodes[0].instances
    assert instances is not None
    np.testing.assert_allclose(instances.translations, places, atol=1e-6)
    np.testing.assert_allclose(instances.rotations, turns, atol=1e-6)
    np.testing.assert_array_equal(instances.scales, np.ones((4, 3)))
    path.write_text(text.replace('"ROTATION": 1', '"ROTATION": 0'))
    with pytest.raises(FileError, match=r"attributes\.ROTATION: must point at VEC4"):
        read_gltf(path)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"nodes": {}}, "nodes: must be a list, got an object"),
        ({"nodes": [3]}, "nodes[0]: must be an object, got 3"),
        ({"nodes": [{"children": [7]}]}, "nodes[0].children[0]: 7 is out of range, the file has 1"),
        ({"nodes": [{"children": [0]}]}, "nodes[0]: is its own ancestor"),
        (
            {"nodes": [{}, {"children": [2]}, {"children": [1]}]},
            "nodes[1]: is its own ancestor: its parents form a cycle",
        ),
        (
            {"nodes": [{"children": [2]}, {"children": [2]}, {}]},
            "nodes[1].children[0]: node 2 is a child of nodes[0] already",
        ),
        (
            {"nodes": [{"children": [1, 1]}, {}]},
            "nodes[0].children[1]: node 1 is a child of nodes[0] already",
        ),
        ({"nodes": [{"mesh": 0}]}, "nodes[0].mesh: 0 is out of range, the file has 0"),
        ({"nodes": [{"skin": 1}]}, "nodes[0].skin: 1 is out of range, the file has 0"),
        ({"nodes": [{"camera": 1}], "cameras": [{}]}, "nodes[0].camera: 1 is out of range"),
        ({"nodes": [{"name": 3}]}, "nodes[0].name: must be text, got 3"),
        ({"nodes": [{"translation": [1, 2]}]}, "nodes[0].translation: must be 3 numbers, got 2"),
        ({"nodes": [{"translation": 1}]}, "nodes[0].translation: must be a list, got 1"),
        (
            {"nodes": [{"translation": [1, "a", 3]}]},
            "nodes[0].translation[1]: must be a number, got 'a'",
        ),
        ({"nodes": [{"translation": [10**400, 0, 0]}]}, "nodes[0].translation[0]: must be finite"),
        ({"nodes": [{"rotation": [0, 0, 0, 0]}]}, "nodes[0].rotation: has a quaternion of length"),
        ({"nodes": [{"rotation": [1e300, 0, 0, 1]}]}, "nodes[0].rotation: has a quaternion longer"),
        ({"nodes": [{"scale": [1, None, 1]}]}, "nodes[0].scale[1]: must be a number, got null"),
        ({"nodes": [{"matrix": [1] * 15}]}, "nodes[0].matrix: must be 16 numbers, got 15"),
        ({"nodes": [{"matrix": [0] * 15 + [1]}]}, "nodes[0].matrix: is singular"),
        ({"nodes": [{"matrix": [1] * 16}]}, "nodes[0].matrix: its last row must be 0 0 0 1"),
        (
            {"nodes": [{"matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}]},
            "nodes[0].matrix: has shear",
        ),
        (
            {"nodes": [{"matrix": [1e300, 1e300, 0, 0] * 3 + [0, 0, 0, 1]}]},
            "nodes[0].matrix: has shear",
        ),
        (
            {"nodes": [{"matrix": np.eye(4).reshape(-1).tolist(), "scale": [1, 1, 1]}]},
            "nodes[0]: has both matrix and scale",
        ),
        ({"scene": 0}, "scene: 0 is out of range, the file has 0"),
        ({"scenes": [{"nodes": [0]}]}, "scenes[0].nodes[0]: 0 is out of range, the file has 0"),
        ({"scenes": [{"nodes": [0, 0]}], "nodes": [{}]}, "nodes[1]: node 0 is listed twice"),
        (
            {"scenes": [{"nodes": [1]}], "nodes": [{"children": [1]}, {}]},
            "scenes[0].nodes[0]: node 1 is no root, but a child of nodes[0]",
        ),
        (
            {"extensionsRequired": ["KHR_draco_mesh_compression"]},
            "extensionsRequired[0]: 'KHR_draco_mesh_compression' is required but not supported",
        ),
    ],
)
def test_bad_nodes_and_scenes(write_json, body, message):
    path = write_json(body)
    with pytest.raises(FileError) as error:
        read_gltf(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


def test_extensions_of_the_looks_may_be_required(write_json):
    names = ["KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization"]
    assert read_gltf(write_json({"extensionsRequired": names})).nodes == ()
