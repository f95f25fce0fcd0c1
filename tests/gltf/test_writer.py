from __future__ import annotations

import json
import os
import stat

import numpy as np
import pytest

from surefoot.errors import FileError, InputError
from surefoot.gltf import Channel, GltfBuilder, Primitive, read_gltf
from surefoot.math import rotations

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def figure(seed=0):
    """A builder with one of everything."""
    random = np.random.default_rng(seed)
    builder = GltfBuilder("yard", extras={"version": 1})
    red = builder.add_material(
        "red", base_color=(0.8, 0.1, 0.1), roughness=0.4, double_sided=True, extras={"a": None}
    )
    glass = builder.add_material("glass", base_color=(1, 1, 1, 0.2), metallic=0.5)
    normals = random.normal(size=(4, 3))
    solid = builder.add_mesh(
        [
            Primitive(positions=CORNERS, triangles=FACES, normals=normals, material=red),
            Primitive(positions=CORNERS + 2, triangles=FACES[:2], material=glass, extras=[1]),
            Primitive(positions=CORNERS, triangles=FACES, colors=random.uniform(size=(4, 3))),
        ],
        "tetrahedron",
        extras="three parts",
    )
    joints = np.array([[0, 1, 2, 0, 3, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]] * 2)
    weights = np.array([[3, 1, 1, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]] * 2, float)
    skinned = builder.add_mesh(
        [Primitive(positions=CORNERS, triangles=FACES, joints=joints, weights=weights)], "skinned"
    )
    lift = builder.add_node("lift", translation=[1, 2, 3], mesh=solid, extras={"forbidden": True})
    builder.add_node("button", parent=lift, rotation=[2, 0, 0, 2], scale=[1, -2, 3], mesh=solid)
    bones = [builder.add_node("hips")]
    for name in ("spine", "head", "arm"):
        bones.append(builder.add_node(name, parent=bones[-1], translation=[0, 0.5, 0]))
    matrices = np.tile(np.eye(4), (4, 1, 1))
    matrices[:, 1, 3] = [0, -0.5, -1, -1.5]
    skin = builder.add_skin(bones, matrices, "person", skeleton=bones[0])
    builder.add_node("body", mesh=skinned, skin=skin)
    times = np.array([0.0, 0.5, 2.0])
    turns = rotations.normalize(random.normal(size=(3, 4)))
    slopes = (random.normal(size=(3, 4)), random.normal(size=(3, 4)))
    moves = random.normal(size=(3, 3))
    builder.add_animation(
        [
            Channel(node=lift, path="translation", times=times, values=moves, interpolation="step"),
            Channel(node=lift, path="scale", times=times, values=moves**2, interpolation="linear"),
            Channel(
                node=bones[1],
                path="rotation",
                times=times,
                values=turns,
                interpolation="cubic",
                tangents=slopes,
            ),
        ],
        "all",
        extras={"loops": 3},
    )
    return builder


@pytest.mark.parametrize("name", ["figure.glb", "figure.gltf"])
def test_everything_survives_writing_and_reading(tmp_path, name):
    figure().save(tmp_path / name)
    read = read_gltf(tmp_path / name)
    assert read.json["asset"] == {"version": "2.0", "generator": "surefoot"}
    assert (read.scene.name, read.scene.extras) == ("yard", {"version": 1})
    assert [node.name for node in read.nodes] == [
        "lift", "button", "hips", "spine", "head", "arm", "body",
    ]  # fmt: skip
    assert [node.parent for node in read.nodes] == [None, 0, None, 2, 3, 4, None]
    assert read.nodes[0].extras == {"forbidden": True}
    np.testing.assert_allclose(read.nodes[1].rotation, [np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    np.testing.assert_array_equal(read.nodes[1].scale, [1, -2, 3])
    assert read.materials[0].base_color == (0.8, 0.1, 0.1, 1.0)
    assert read.materials[0].double_sided
    assert read.materials[1].base_color[3] == 0.2
    assert read.meshes[0].extras == "three parts"
    first, second, third = read.meshes[0].primitives
    np.testing.assert_array_equal(first.triangles, FACES)
    np.testing.assert_allclose(np.linalg.norm(first.normals, axis=1), 1, atol=1e-6)
    assert (first.material, second.material, third.material) == (0, 1, None)
    assert second.extras == [1]
    np.testing.assert_array_equal(third.colors[:, 3], np.ones(4))
    body = read.meshes[1].primitives[0]
    np.testing.assert_array_equal(body.joints[0], [0, 1, 2, 0, 3, 0, 0, 0])
    np.testing.assert_allclose(body.weights[0], np.array([3, 1, 1, 0, 1, 0, 0, 0]) / 6, atol=1e-7)
    skin = read.skins[0]
    assert (skin.joints, skin.skeleton, skin.name) == ((2, 3, 4, 5), 2, "person")
    np.testing.assert_array_equal(skin.inverse_bind_matrices[:, 1, 3], [0, -0.5, -1, -1.5])
    assert [channel.path for channel in read.animations[0].channels] == [
        "translation", "scale", "rotation",
    ]  # fmt: skip
    assert read.animations[0].extras == {"loops": 3}


@pytest.mark.parametrize("name", ["figure.glb", "figure.gltf"])
def test_the_khronos_validator_finds_nothing(tmp_path, validate, name):
    figure().save(tmp_path / name)
    issues = validate(tmp_path / name)
    serious = [message for message in issues["messages"] if message["severity"] < 2]
    assert issues["numErrors"] == 0, serious
    assert issues["numWarnings"] == 0, serious


def test_the_validator_accepts_small_and_large_files(tmp_path, validate):
    empty = tmp_path / "empty.glb"
    GltfBuilder().save(empty)
    assert validate(empty)["numErrors"] == 0
    random = np.random.default_rng(3)
    points = random.normal(size=(70_000, 3))
    builder = GltfBuilder()
    faces = random.permuted(np.arange(69_999)).reshape(-1, 3)
    mesh = builder.add_mesh([Primitive(positions=points, triangles=faces)])
    builder.add_node(mesh=mesh)
    builder.save(tmp_path / "large.glb")
    assert validate(tmp_path / "large.glb")["numErrors"] == 0
    read = read_gltf(tmp_path / "large.glb")
    np.testing.assert_array_equal(read.meshes[0].primitives[0].triangles, faces)
    assert read.json["accessors"][1]["componentType"] == 5125


def test_the_validator_would_notice(tmp_path, validate):
    figure().save(tmp_path / "x.gltf")
    document = json.loads((tmp_path / "x.gltf").read_text())
    document["nodes"][0]["mesh"] = 99
    (tmp_path / "x.gltf").write_text(json.dumps(document))
    assert validate(tmp_path / "x.gltf")["numErrors"] == 1


def test_the_same_calls_give_the_same_bytes():
    assert figure().to_glb() == figure().to_glb()
    assert figure().to_gltf() == figure().to_gltf()
    assert figure(1).to_glb() != figure().to_glb()


def test_parts_are_aligned():
    glb = figure().to_glb()
    assert len(glb) % 4 == 0
    document = json.loads(glb[20 : 20 + int.from_bytes(glb[12:16], "little")])
    assert all(view["byteOffset"] % 4 == 0 for view in document["bufferViews"])


def test_numpy_values_are_fine_as_extras(tmp_path):
    builder = GltfBuilder()
    builder.add_node(extras={"cost": np.float64(2.5), "size": np.array([1, 2]), "n": np.int32(3)})
    builder.save(tmp_path / "x.glb")
    assert read_gltf(tmp_path / "x.glb").nodes[0].extras == {"cost": 2.5, "size": [1, 2], "n": 3}


def test_saving_is_all_or_nothing(tmp_path, monkeypatch):
    target = tmp_path / "x.glb"
    target.write_bytes(b"before")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(FileError, match=r"x\.glb: cannot be written: no space left on device"):
        figure().save(target)
    assert target.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["x.glb"]
    monkeypatch.undo()
    figure().save(target)
    assert target.read_bytes() == figure().to_glb()
    assert [path.name for path in tmp_path.iterdir()] == ["x.glb"]


def test_a_new_file_has_ordinary_permissions(tmp_path):
    figure().save(tmp_path / "x.glb")
    (tmp_path / "plain").write_bytes(b"")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert len(modes) == 1


def test_where_nothing_can_be_saved(tmp_path):
    with pytest.raises(FileError, match=r"the name must end in \.glb or \.gltf, got '\.obj'"):
        figure().save(tmp_path / "x.obj")
    with pytest.raises(FileError, match="cannot be written: no such file or directory"):
        figure().save(tmp_path / "missing" / "x.glb")
    (tmp_path / "folder.glb").mkdir()
    with pytest.raises(FileError, match="cannot be written"):
        figure().save(tmp_path / "folder.glb")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.glb"]


def part(**changes):
    return Primitive(**({"positions": CORNERS, "triangles": FACES} | changes))


def moving(**changes):
    fields = {
        "node": 0,
        "path": "translation",
        "times": np.array([0.0, 1.0]),
        "values": np.zeros((2, 3)),
        "interpolation": "linear",
    }
    return Channel(**(fields | changes))


FOUR = np.tile([0, 1, 2, 3], (4, 1))

BAD = [
    (lambda b: b.add_accessor(np.zeros(3, np.int64)), "values must be one of int8, uint8"),
    (lambda b: b.add_accessor(np.array(["a"])), "values must be one of int8"),
    (lambda b: b.add_accessor(np.zeros((2, 5))), "values must have shape (n,), (n, k)"),
    (lambda b: b.add_accessor(np.zeros((0, 3))), "values must not be empty"),
    (lambda b: b.add_accessor([1.0, np.nan]), "element 1 is not"),
    (lambda b: b.add_accessor([1e39]), "must be finite in single precision; element 0"),
    (lambda b: b.add_material("m", base_color=(1, 2, 0)), "base_color of material 'm' must be at"),
    (lambda b: b.add_material("m", base_color=(1, 0)), "must be 3 or 4 numbers, got 2"),
    (lambda b: b.add_material("m", roughness=-1), "roughness of material 'm' must be at least 0"),
    (lambda b: b.add_material("m", extras=object()), "extras of material 'm' must be JSON"),
    (lambda b: b.add_material("m", extras=[np.nan]), "extras of material 'm' must be JSON"),
    (lambda b: b.add_mesh([], "m"), "mesh 'm' must have one primitive or more"),
    (
        lambda b: b.add_mesh([part(positions=CORNERS[:, :2])]),
        "positions of primitive 0 of the mesh",
    ),
    (lambda b: b.add_mesh([part(triangles=FACES + 1)]), "of vertices 0 to 3"),
    (lambda b: b.add_mesh([part(triangles=FACES[:0])]), "must be one or more"),
    (lambda b: b.add_mesh([part(triangles=FACES * 1.0)]), "must be integers (m, 3), got float64"),
    (lambda b: b.add_mesh([part(normals=CORNERS)]), "normal 0 has length zero"),
    (lambda b: b.add_mesh([part(normals=CORNERS[:2])]), "must have shape (4, 3), got (2, 3)"),
    (lambda b: b.add_mesh([part(colors=CORNERS * 3)]), "colors of primitive 0 of the mesh must be"),
    (lambda b: b.add_mesh([part(material=0)]), "material of primitive 0 of the mesh: 0 is out of"),
    (lambda b: b.add_mesh([part(topology="lines")]), "only triangles without morph targets"),
    (lambda b: b.add_mesh([part(joints=FOUR)]), "has joints, but no weights"),
    (lambda b: b.add_mesh([part(joints=FOUR, weights=FOUR[:2])]), "must both have shape (4, 4 k)"),
    (lambda b: b.add_mesh([part(joints=FOUR, weights=FOUR * 0)]), "not all zero for a vertex"),
    (lambda b: b.add_mesh([part(joints=FOUR * 0, weights=FOUR)]), "must not name a joint twice"),
    (lambda b: b.add_mesh([part(joints=FOUR - 1, weights=FOUR)]), "must be from 0 to 65535"),
    (lambda b: b.add_node("n", parent=1), "parent of node 'n': 1 is out of range, 1 have been"),
    (lambda b: b.add_node("n", mesh=0), "mesh of node 'n': 0 is out of range, 0 have been added"),
    (lambda b: b.add_node("n", rotation=[0] * 4), "rotation of node 'n' must be quaternions"),
    (
        lambda b: b.add_node("n", translation=[0, 0]),
        "translation of node 'n' must have shape (..., 3)",
    ),
    (lambda b: b.add_node("n", skin=b.add_skin([0])), "node 'n' needs a mesh with joints below 1"),
    (lambda b: b.add_skin([]), "the skin must have one joint or more, each once"),
    (lambda b: b.add_skin([0, 0]), "the skin must have one joint or more, each once"),
    (lambda b: b.add_skin([0, b.add_node()]), "joints of the skin must be below one root node"),
    (lambda b: b.add_skin([0], np.eye(4)), "must have shape (1, 4, 4), got (4, 4)"),
    (lambda b: b.add_animation([], "a"), "animation 'a' must have one channel or more"),
    (lambda b: b.add_animation([moving(node=3)]), "node of channel 0 of the animation: 3 is out"),
    (
        lambda b: b.add_animation([moving(), moving()]),
        "translation of node 0 has a channel already",
    ),
    (lambda b: b.add_animation([moving(path="weights")]), "path 'weights' cannot be written"),
    (lambda b: b.add_animation([moving(interpolation="soft")]), "unknown interpolation 'soft'"),
    (lambda b: b.add_animation([moving(times=[1.0, 1.0])]), "must start at 0 or later and"),
    (lambda b: b.add_animation([moving(times=[-1.0, 1.0])]), "must start at 0 or later"),
    (lambda b: b.add_animation([moving(values=np.zeros((3, 3)))]), "must have shape (2, 3)"),
    (lambda b: b.add_animation([moving(interpolation="cubic")]), "tangents belong to cubic"),
    (
        lambda b: b.add_animation([moving(path="rotation", values=np.zeros((2, 4)))]),
        "must be quaternions wxyz of non-zero length",
    ),
]


@pytest.mark.parametrize(("add", "message"), BAD)
def test_bad_parts_are_refused_by_name(add, message):
    builder = GltfBuilder()
    builder.add_node("root")
    with pytest.raises(InputError) as error:
        add(builder)
    assert message in str(error.value)
