from __future__ import annotations

import json

import numpy as np
import pytest

from surefoot.errors import FileError
from surefoot.gltf import GltfBuilder, Primitive, read_gltf

POSITIONS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 2, 0.5]], "<f4")


@pytest.fixture
def read_mesh(tmp_path):
    """Reads a mesh of the primitive given, over accessors that hold the arrays given."""

    def read(primitive, *arrays, **extra):
        builder = GltfBuilder()
        for array in arrays:
            colors = array.dtype == np.uint8 and array.shape[1:] == (3,)
            builder.add_accessor(array, normalized=colors)
        path = tmp_path / "mesh.gltf"
        builder.save(path)
        document = json.loads(path.read_text())
        document["meshes"] = [{"primitives": [primitive]} | extra]
        path.write_text(json.dumps(document))
        return read_gltf(path).meshes[0]

    return read


def triangles(mesh):
    return mesh.primitives[0].triangles.tolist()


INDICES = np.array([0, 1, 2, 3, 4], "<u1")
AT = {"attributes": {"POSITION": 0}}


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (5, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]),
        (6, [[1, 2, 0], [2, 3, 0], [3, 4, 0]]),
        (0, []),
        (1, []),
        (2, []),
        (3, []),
    ],
)
def test_every_mode(read_mesh, mode, expected):
    topology = ("points", "lines", "lines", "lines", None, "triangles", "triangles")[mode]
    for primitive in (AT | {"mode": mode}, AT | {"mode": mode, "indices": 1}):
        mesh = read_mesh(primitive, POSITIONS, INDICES)
        assert triangles(mesh) == expected
        assert mesh.primitives[0].topology == topology


@pytest.mark.parametrize("dtype", ["<u1", "<u2", "<u4"])
def test_triangles_with_and_without_indices(read_mesh, dtype):
    indices = np.array([4, 1, 0, 2, 3, 1], dtype)
    assert triangles(read_mesh(AT | {"indices": 1}, POSITIONS, indices)) == [[4, 1, 0], [2, 3, 1]]
    assert triangles(read_mesh(AT, POSITIONS[:3])) == [[0, 1, 2]]


def test_a_strip_keeps_its_facing(read_mesh):
    strip = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 2, 0], [1, 2, 0]], "<f4")
    faces = read_mesh(AT | {"mode": 5}, strip).primitives[0].triangles
    a, b, c = (strip[faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()


def test_attributes(read_mesh):
    random = np.random.default_rng(0)
    normals = random.normal(size=(5, 3)).astype("<f4")
    colors = random.integers(0, 256, (5, 3), np.uint8)
    joints = [random.integers(0, 9, (5, 4), np.uint8) for _ in range(2)]
    weights = [random.uniform(size=(5, 4)).astype("<f4") for _ in range(2)]
    morph = random.normal(size=(5, 3)).astype("<f4")
    names = ("POSITION", "NORMAL", "COLOR_0", "JOINTS_0", "JOINTS_1", "WEIGHTS_0", "WEIGHTS_1")
    primitive = {
        "attributes": {name: index for index, name in enumerate(names)},
        "targets": [{"POSITION": 7}, {"NORMAL": 7}],
        "mode": 5,
        "extras": {"a": 1},
    }
    arrays = (POSITIONS, normals, colors, *joints, *weights, morph)
    mesh = read_mesh(primitive, *arrays, weights=[0.25, 0.5], name="m", extras=3)
    part = mesh.primitives[0]
    np.testing.assert_array_equal(part.positions, POSITIONS)
    np.testing.assert_array_equal(part.normals, normals)
    np.testing.assert_allclose(part.colors, np.c_[colors / 255, np.ones(5)])
    np.testing.assert_array_equal(part.joints, np.hstack(joints))
    np.testing.assert_array_equal(part.weights, np.hstack(weights))
    np.testing.assert_array_equal(part.morphs[0], morph)
    np.testing.assert_array_equal(part.morphs[1], np.zeros((5, 3)))
    np.testing.assert_array_equal(mesh.weights, [0.25, 0.5])
    assert (mesh.name, mesh.extras, part.extras) == ("m", 3, {"a": 1})
    assert not part.positions.flags.writeable
    assert not part.triangles.flags.writeable


def test_a_primitive_without_positions_has_no_triangles(read_mesh):
    part = read_mesh({"attributes": {}, "indices": 1}, POSITIONS, INDICES).primitives[0]
    assert len(part.positions) == len(part.triangles) == 0


def test_materials(write_json):
    surface = {"baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.5}
    body = {"materials": [{}, {"pbrMetallicRoughness": surface, "doubleSided": True, "name": "x"}]}
    plain, fancy = read_gltf(write_json(body)).materials
    assert plain.base_color == (1, 1, 1, 1)
    assert (plain.metallic, plain.roughness, plain.double_sided) == (1, 1, False)
    assert fancy.base_color == (0.1, 0.2, 0.3, 0.4)
    assert (fancy.metallic, fancy.roughness, fancy.double_sided) == (0.5, 1, True)
    with pytest.raises(FileError, match=r"materials\[0\]\.doubleSided: must be true or false"):
        read_gltf(write_json({"materials": [{"doubleSided": "yes"}]}))
    surface["baseColorFactor"] = [1, 2, 3]
    with pytest.raises(FileError, match=r"baseColorFactor\[1\]: must be from 0 to 1, got 2"):
        read_gltf(write_json(body))


@pytest.mark.parametrize(
    ("primitive", "message"),
    [
        ({}, "attributes: is missing"),
        ({"attributes": []}, "attributes: must be an object, got a list of 0"),
        ({"attributes": {"POSITION": 9}}, "attributes.POSITION: 9 is out of range, the file has 4"),
        ({"attributes": {"POSITION": 1}}, "attributes.POSITION: accessors[1] must be VEC3"),
        (AT | {"mode": 7}, "mode: 7 is unknown; there are: 0 to 6"),
        (AT | {"mode": -1}, "mode: must be at least 0"),
        (AT | {"indices": 0}, "indices: accessors[0] must be unsigned integer scalars"),
        (AT | {"indices": 1}, "indices: 5 corners do not make whole triangles"),
        (AT, "primitives[0]: 5 corners do not make whole triangles"),
        (
            AT | {"indices": 2},
            "indices: element 1 of accessors[2] is 5, out of range: the primitive has 5 vertices",
        ),
        (AT | {"mode": 5, "material": 0}, "material: 0 is out of range, the file has 0"),
        (
            {"attributes": {"POSITION": 0, "NORMAL": 3}, "mode": 5},
            "attributes.NORMAL: has 2 elements, POSITION has 5",
        ),
        (
            {"attributes": {"POSITION": 0, "JOINTS_0": 1}},
            "attributes.WEIGHTS_0: is missing",
        ),
        (
            {"attributes": {"POSITION": 0, "JOINTS_0": 0}},
            "attributes.JOINTS_0: must point at unsigned integers",
        ),
        (AT | {"mode": 5, "targets": [{"POSITION": 3}]}, "targets[0].POSITION: has 2 elements"),
    ],
)
def test_bad_primitives(read_mesh, primitive, message):
    far = np.array([0, 5, 0], "<u1")
    with pytest.raises(FileError) as error:
        read_mesh(primitive, POSITIONS, INDICES, far, POSITIONS[:2])
    assert "mesh.gltf: meshes[0].primitives[0]" in str(error.value)
    assert message in str(error.value)


def test_bad_meshes(read_mesh, write_json):
    with pytest.raises(FileError, match=r"meshes\[0\]\.weights: must be 0 numbers, got 1"):
        read_mesh(AT, POSITIONS[:3], weights=[1.0])
    with pytest.raises(FileError, match=r"meshes\[0\]\.primitives: is missing"):
        read_gltf(write_json({"meshes": [{}]}))


def test_a_skin_must_have_the_joints_that_its_mesh_names(tmp_path):
    builder = GltfBuilder()
    joints = np.array([[0, 1, 0, 0]] * 3)
    weights = np.array([[0.5, 0.5, 0, 0]] * 3)
    faces = np.array([[0, 1, 2]])
    part = Primitive(positions=POSITIONS[:3], triangles=faces, joints=joints, weights=weights)
    mesh = builder.add_mesh([part])
    first = builder.add_node("a")
    skin = builder.add_skin([first, builder.add_node("b", parent=first)])
    builder.add_node("c", mesh=mesh, skin=skin)
    builder.save(tmp_path / "x.gltf")
    assert read_gltf(tmp_path / "x.gltf").skins[0].joints == (0, 1)
    text = (tmp_path / "x.gltf").read_text().replace("\n        1\n      ]", "\n      ]")
    (tmp_path / "y.gltf").write_text(text.replace("0,\n      ]", "0\n      ]"))
    with pytest.raises(FileError, match=r"nodes\[2\]\.skin: skins\[0\] has 1 joints, but prim"):
        read_gltf(tmp_path / "y.gltf")
