from __future__ import annotations

import json

import numpy as np
import pytest

from surefoot.errors import FileError, InputError
from surefoot.gltf import Channel, GltfBuilder, Primitive, read_gltf
from surefoot.math import rotations
from surefoot.world.loaders import load_world, read_world
from surefoot.world.trajectory import Static

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


# --- an independent reference: matrices of the file, sampled at a time ----------------------------


def folded(t, duration, repeat):
    if repeat == "once":
        return np.clip(t, 0, duration)
    rounds, rest = divmod(t, duration)
    return duration - rest if repeat == "ping-pong" and rounds % 2 else rest


def sampled(channel, t):
    times, values = channel.times, channel.values
    t = np.clip(t, times[0], times[-1])
    k = max(0, min(np.searchsorted(times, t, side="right") - 1, len(times) - 2))
    if len(times) == 1:
        return values[0]
    if channel.interpolation == "step":
        return values[-1] if t >= times[-1] else values[k]
    h = times[k + 1] - times[k]
    s = (t - times[k]) / h
    if channel.interpolation == "cubic":
        arriving, leaving = channel.tangents
        value = (2 * s**3 - 3 * s**2 + 1) * values[k] + (s**3 - 2 * s**2 + s) * h * leaving[k]
        value += (-2 * s**3 + 3 * s**2) * values[k + 1] + (s**3 - s**2) * h * arriving[k + 1]
        return value / np.linalg.norm(value) if channel.path == "rotation" else value
    if channel.path == "rotation":
        first, second = values[k], values[k + 1]
        second = -second if first @ second < 0 else second
        angle = np.arccos(np.clip(first @ second, -1, 1))
        if angle < 1e-9:
            return first
        return (np.sin((1 - s) * angle) * first + np.sin(s * angle) * second) / np.sin(angle)
    return (1 - s) * values[k] + s * values[k + 1]


def reference(path, t, repeat):
    """World corners of every node with a mesh at time `t`, by name, Z up."""
    gltf = read_gltf(path)
    parts = [
        {"translation": n.translation, "rotation": n.rotation, "scale": n.scale} for n in gltf.nodes
    ]
    for animation in gltf.animations:
        for channel in animation.channels:
            time = folded(t, animation.duration, repeat)
            parts[channel.node][channel.path] = sampled(channel, time)
    matrices = {}
    for index in gltf.order:
        node, part = gltf.nodes[index], parts[index]
        local = np.eye(4)
        local[:3, :3] = rotations.to_matrix(part["rotation"]) @ np.diag(part["scale"])
        local[:3, 3] = part["translation"]
        matrices[index] = local if node.parent is None else matrices[node.parent] @ local
    result = {}
    for node in gltf.nodes:
        if node.mesh is not None:
            mesh = gltf.meshes[node.mesh].primitives
            points = np.concatenate([part.positions[part.triangles] for part in mesh])
            points = points @ matrices[node.index][:3, :3].T + matrices[node.index][:3, 3]
            result[node.name] = np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)
    return result


def corners(body, t):
    return body.trajectory.pose(t).apply(body.mesh.vertices[body.mesh.faces])


def same_triangles(found, expected, atol=1e-9):
    """Triangles with the same corners; mirrored ones may be listed the other way round."""
    straight = np.abs(found - expected).max()
    turned = np.abs(found[:, ::-1] - expected).max()
    assert min(straight, turned) <= atol * max(1.0, np.abs(expected).max())


def channel(node, path, random, kind, keys=4, start=0.0):
    width = 4 if path == "rotation" else 3
    times = start + np.cumsum(random.uniform(0.2, 1.0, keys))
    values = random.normal(size=(keys, width))
    if path == "rotation":
        values = rotations.normalize(values)
        for key in range(1, keys):  # cubic curves between opposite quaternions pass near zero
            if values[key] @ values[key - 1] < 0:
                values[key] *= -1
    slopes = 0.3 * random.normal(size=(2, keys, width))
    return Channel(
        node=node,
        path=path,
        times=times,
        values=values,
        interpolation=kind,
        tangents=(slopes[0], slopes[1]) if kind == "cubic" else None,
    )


def random_scene(seed):
    """A tree of nodes with meshes, scales and mirrors; some nodes shift, some turn, some both."""
    random = np.random.default_rng(seed)
    builder = GltfBuilder()
    meshes = [
        builder.add_mesh([Primitive(positions=CORNERS, triangles=FACES)], "one"),
        builder.add_mesh(
            [
                Primitive(positions=CORNERS + 1, triangles=FACES),
                Primitive(positions=-CORNERS, triangles=FACES[:2]),
            ],
            "two",
        ),
    ]
    channels = []
    uniform = []
    for index in range(9):
        parent = int(random.integers(-1, index)) if index else -1
        even = parent < 0 or uniform[parent]
        keep_even = even and random.random() < 0.7
        scale = random.uniform(0.3, 2) * np.ones(3) if keep_even else random.uniform(0.3, 2, 3)
        if random.random() < 0.3:
            scale = scale * -1 if keep_even else scale * [1, -1, 1]
        uniform.append(keep_even)
        node = builder.add_node(
            f"n{index}",
            parent=None if parent < 0 else parent,
            translation=random.normal(size=3),
            rotation=random.normal(size=4),
            scale=scale,
            mesh=random.choice([None, *meshes]),
        )
        kinds = ["linear", "step", "cubic"]
        if random.random() < 0.5:
            channels.append(channel(node, "translation", random, random.choice(kinds)))
        if even and random.random() < 0.5:
            channels.append(channel(node, "rotation", random, random.choice(kinds), start=0.5))
    # Two animations of different lengths, which share nodes, but no property of one.
    random.shuffle(channels)
    half = len(channels) // 2
    for name, part in (("first", channels[:half]), ("second", channels[half:])):
        if part:
            builder.add_animation(part, name)
    return builder


@pytest.mark.parametrize("repeat", ["once", "loop", "ping-pong"])
@pytest.mark.parametrize("seed", range(12))
def test_random_scenes_move_as_their_matrices_do(tmp_path, seed, repeat):
    path = tmp_path / "scene.glb"
    random_scene(seed).save(path)
    world = load_world(path, repeat=repeat)
    for t in np.random.default_rng(seed).uniform(0, 12, 8).tolist():
        expected = reference(path, t, repeat)
        assert set(world.bodies) == set(expected)
        for body in world.bodies.values():
            same_triangles(corners(body, t), expected[body.name])


def volume(triangles):
    return (
        np.einsum("ni,ni->n", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])).sum() / 6
    )


def test_mirrored_bodies_still_face_outward(tmp_path):
    builder = GltfBuilder()
    mesh = builder.add_mesh([Primitive(positions=CORNERS, triangles=FACES)])
    plain = builder.add_node("plain", mesh=mesh)
    builder.add_node("mirrored", mesh=mesh, scale=[1, -1, 1])
    builder.add_node("twice", mesh=mesh, scale=[-1, -1, 2], parent=plain)
    builder.save(tmp_path / "x.glb")
    world = load_world(tmp_path / "x.glb")
    sizes = {body.name: volume(corners(body, 0.0)) for body in world.bodies.values()}
    assert sizes == pytest.approx({"plain": 1.0, "mirrored": 1.0, "twice": 2.0})


def scene(**nodes):
    """A builder with one mesh, and a node for each name with the fields given."""
    builder = GltfBuilder()
    builder.add_mesh([Primitive(positions=CORNERS, triangles=FACES)], "tetrahedron")
    for name, fields in nodes.items():
        builder.add_node(name, **fields)
    return builder


def moving(node, path="translation", values=((0, 0, 0), (2, 0, 0)), times=(0.0, 2.0)):
    return Channel(
        node=node,
        path=path,
        times=np.array(times),
        values=np.array(values, float),
        interpolation="linear",
    )


@pytest.fixture
def load(tmp_path):
    """Saves a builder, changed as JSON if wanted, and reads the world."""

    def load(builder, change=None, **options):
        path = tmp_path / "scene.gltf"
        builder.save(path)
        if change is not None:
            document = json.loads(path.read_text())
            change(document)
            path.write_text(json.dumps(document))
        return read_world(path, **options)

    return load


def test_axes_and_scale(load):
    builder = scene(a={"mesh": 0, "translation": [1, 2, 3]})
    world, _ = load(builder)
    np.testing.assert_array_equal(world["a"].trajectory.pose(0).position, [1, -3, 2])
    np.testing.assert_array_equal(world["a"].mesh.vertices[3], [0, -3, 0])
    world, _ = load(builder, scale=0.01)
    np.testing.assert_allclose(world["a"].trajectory.pose(0).position, [0.01, -0.03, 0.02])
    np.testing.assert_allclose(world["a"].mesh.vertices[3], [0, -0.03, 0])
    world, _ = load(builder, up="z")
    np.testing.assert_array_equal(world["a"].trajectory.pose(0).position, [1, 2, 3])
    np.testing.assert_array_equal(world["a"].mesh.vertices[3], [0, 0, 3])


def test_meshes_are_shared_where_scale_is_the_same(load):
    builder = scene(
        a={"mesh": 0, "translation": [1, 0, 0], "rotation": [1, 1, 0, 0]},
        b={"mesh": 0, "scale": [1, 1, 1]},
        c={"mesh": 0, "scale": [2, 2, 2]},
        d={"mesh": 0, "scale": [2, 2, 2], "parent": 1},
    )
    world, report = load(builder)
    assert world["a"].mesh is world["b"].mesh
    assert world["c"].mesh is world["d"].mesh
    assert world["a"].mesh is not world["c"].mesh
    assert (report.bodies, report.triangles) == (4, 16)


def test_names(load):
    builder = scene(a={"mesh": 0})
    for name in ("a", "", "", "a.001"):
        builder.add_node(name, mesh=0)
    world, _ = load(builder, lambda document: document["nodes"][3].pop("mesh"))
    assert list(world.bodies) == ["a", "a.002", "tetrahedron", "a.001"]
    world, _ = load(builder, lambda document: document["meshes"][0].pop("name"))
    assert list(world.bodies) == ["a", "a.002", "node2", "node3", "a.001"]


def test_tags_and_repeat(load):
    extras = {"forbidden": True, "cost": 2.5, "kind": {"of": "shelf"}, "surefoot_repeat": "once"}
    builder = GltfBuilder()
    part = Primitive(positions=CORNERS, triangles=FACES)
    builder.add_mesh([part], extras={"cost": 1, "layer": 3})
    builder.add_node("a", mesh=0, extras=extras)
    builder.add_node("b", mesh=0)
    builder.add_animation([moving(0), moving(1)])
    world, _ = load(builder)
    assert world["a"].tags == {"cost": 2.5, "layer": 3, "forbidden": True, "kind.of": "shelf"}
    assert world["b"].tags == {"cost": 1, "layer": 3}
    assert world["a"].trajectory.pose(3).position[0] == pytest.approx(2)
    assert world["b"].trajectory.pose(3).position[0] == pytest.approx(1)
    world, _ = load(builder, repeat="ping-pong")
    assert world["a"].trajectory.pose(2.5).position[0] == pytest.approx(2)
    assert world["b"].trajectory.pose(2.5).position[0] == pytest.approx(1.5)


def test_an_animation_repeats_as_a_whole(load):
    # The second node's keys end early and start late; it rests while the other one still moves.
    builder = scene(a={"mesh": 0}, b={"mesh": 0})
    builder.add_animation([moving(0, times=(0, 4)), moving(1, times=(1, 2))])
    world, _ = load(builder)
    at = [world["b"].trajectory.pose(t).position[0] for t in (0.5, 1.5, 3.0, 4.5, 5.5)]
    np.testing.assert_allclose(at, [0, 1, 2, 0, 1], atol=1e-6)


def test_bodies_below_an_animated_node_share_its_motion(load):
    builder = scene(
        train={"translation": [0, 0, 5]},
        wagon={"mesh": 0, "parent": 0, "translation": [1, 0, 0]},
        wheel={"mesh": 0, "parent": 1},
    )
    builder.add_animation([moving(0)])
    world, _ = load(builder)
    np.testing.assert_allclose(world["wheel"].trajectory.pose(1).position, [2, 0, 0], atol=1e-6)
    assert world["wagon"].trajectory.parent is world["wheel"].trajectory.parent
    linear, _ = world["wagon"].trajectory.velocity(0.5)
    np.testing.assert_allclose(linear, [1, 0, 0], atol=1e-6)


def test_baked_keys_that_never_change_are_no_motion(load, tmp_path):
    builder = scene(a={"mesh": 0, "translation": [9, 9, 9]})
    still = moving(0, values=((1, 2, 3), (1, 2, 3 + 1e-7)))
    turn = rotations.from_axis_angle([0, 0, 1.0], 0.5)
    turned = moving(0, "rotation", (turn, -turn))
    grown = moving(0, "scale", ((2, 2, 2), (2, 2, 2.00001)))
    builder.add_animation([still, turned, grown])
    world, _ = load(builder)
    body = world["a"]
    assert isinstance(body.trajectory, Static)
    np.testing.assert_allclose(body.trajectory.pose(0).position, [1, -3, 2], atol=1e-5)
    np.testing.assert_allclose(np.abs(body.mesh.vertices).max(axis=0), [2, 6, 4], atol=1e-4)
    expected = reference(tmp_path / "scene.gltf", 0.0, "once")["a"]
    same_triangles(corners(body, 0.0), expected, atol=1e-4)


def test_choosing_among_animations(load):
    builder = scene(a={"mesh": 0}, b={"mesh": 0}, c={})
    builder.add_animation([moving(0), moving(2)], "up")
    builder.add_animation([moving(0, values=((0, 0, 0), (8, 0, 0))), moving(1)], "down")
    builder.add_animation([moving(1), moving(2)], "aside")
    world, report = load(builder)
    # "down" moves what "up" moves, so it is out as a whole; "aside" meets "up" only at a node
    # that carries nothing.
    assert [world[name].trajectory.pose(1).position[0] for name in "ab"] == pytest.approx([1, 1])
    assert report.animations == ("up", "down", "aside")
    skipped = [(entry.kind, entry.name) for entry in report.skipped]
    assert skipped == [("animation", "down"), ("empty", "c")]
    assert "'up'" in report.skipped[0].reason
    world, report = load(builder, animation="down")
    assert [world[name].trajectory.pose(1).position[0] for name in "ab"] == pytest.approx([4, 1])
    assert report.skipped == ()
    with pytest.raises(InputError, match="unknown animation 'left'; there are: aside, down, up"):
        load(builder, animation="left")


def test_colours(load):
    builder = GltfBuilder()
    red = builder.add_material(base_color=(0.8, 0.1, 0.1, 0.5))
    blue = builder.add_material(base_color=(0, 0, 1))
    small = Primitive(positions=CORNERS, triangles=FACES[:1], material=blue)
    large = Primitive(positions=CORNERS, triangles=FACES, material=red)
    builder.add_mesh([small, large])
    builder.add_mesh([Primitive(positions=CORNERS, triangles=FACES)])
    shaded = np.tile([0.5, 0.5, 0.25], (4, 1))
    builder.add_mesh([Primitive(positions=CORNERS, triangles=FACES, colors=shaded, material=blue)])
    for mesh, name in enumerate("abc"):
        builder.add_node(name, mesh=mesh)
    world, _ = load(builder)
    assert world["a"].color == (0.8, 0.1, 0.1)
    assert world["b"].color is None
    assert world["c"].color == pytest.approx((0, 0, 0.25))


def test_instances(load):
    builder = scene(tree={"mesh": 0, "translation": [0, 10, 0], "scale": [2, 2, 2]})
    builder.add_accessor(np.array([[0, 0, 0], [1, 0, 0], [2, 0, 1]], float))
    builder.add_accessor(np.array([[1, 1, 1], [1, 1, 1], [1, 3, 1]], float))

    def instance(document):
        attributes = {"TRANSLATION": 2, "SCALE": 3}
        document["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": attributes}}

    world, _ = load(builder, instance)
    assert list(world.bodies) == ["tree", "tree.001", "tree.002"]
    np.testing.assert_allclose(world["tree.002"].trajectory.pose(0).position, [4, -2, 10])
    assert world["tree"].mesh is world["tree.001"].mesh
    assert world["tree.002"].mesh.vertices[:, 2].max() == pytest.approx(12)


def test_resting_morph_targets_shape_the_mesh(load):
    builder = scene(a={"mesh": 0}, b={"mesh": 0})
    shift = builder.add_accessor(np.tile([0.0, 4.0, 0.0], (4, 1)))

    def morph(document):
        document["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": shift}]
        document["meshes"][0]["weights"] = [0.5]
        document["nodes"][1]["weights"] = [0.25]

    world, _ = load(builder, morph)
    assert world["a"].mesh.vertices[0].tolist() == [0, 0, 2]
    assert world["b"].mesh.vertices[0].tolist() == [0, 0, 1]

    def wrong(document):
        morph(document)
        document["nodes"][1]["weights"] = [0.25, 1]

    with pytest.raises(FileError, match=r"nodes\[1\]\.weights: must be 1 numbers, got 2"):
        load(builder, wrong)


def test_what_is_no_world_is_reported(load):
    builder = scene(
        a={"mesh": 0},
        line={"mesh": 0},
        eye={},
        hidden={"mesh": 0},
        flat={"mesh": 0, "scale": [0, 0, 0]},
    )
    joints, weights = np.zeros((4, 4), int), np.tile([1.0, 0, 0, 0], (4, 1))
    skinned = builder.add_mesh(
        [Primitive(positions=CORNERS, triangles=FACES, joints=joints, weights=weights)]
    )
    builder.add_node("person", mesh=skinned, skin=builder.add_skin([0]))

    def change(document):
        document["meshes"].append(
            {"primitives": [document["meshes"][0]["primitives"][0] | {"mode": 1}]}
        )
        document["nodes"][1]["mesh"] = 2
        document["nodes"][2]["camera"] = 0
        document["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]
        document["scenes"][0]["nodes"].remove(3)

    world, report = load(builder, change)
    assert list(world.bodies) == ["a"]
    assert [(entry.kind, entry.name) for entry in report.skipped] == [
        ("lines", "line"),
        ("camera", "eye"),
        ("node", "hidden"),
        ("skinned mesh", "person"),
        ("mesh", "flat"),
    ]
    assert "skipped skinned mesh 'person': is moved by a skeleton" in str(report)


def test_deep_hierarchies(load):
    builder = scene(n0={})
    for index in range(10_000):
        builder.add_node(parent=index, translation=[0, 0.001, 0])
    builder.add_node("leaf", parent=10_000, mesh=0)
    world, _ = load(builder)
    np.testing.assert_allclose(world["leaf"].trajectory.pose(0).position, [0, 0, 10], atol=1e-9)


def test_bad_motions(load):
    builder = scene(a={"scale": [1, 2, 1]}, b={"mesh": 0, "parent": 0}, c={"scale": [1, 1, 3]})
    turn = rotations.from_axis_angle([0, 0, 1.0], [0.0, 0.5])
    builder.add_animation([moving(2, "scale", ((1, 1, 1), (2, 2, 2)))], "free")
    world, _ = load(builder)  # a scale that changes where no mesh is does not matter
    assert not world["b"].trajectory.moving
    builder.add_animation([moving(1, "rotation", turn)], "turn")
    with pytest.raises(FileError, match="node 1 'b': turns below a scale that differs along its"):
        load(builder)
    builder = scene(a={}, b={"mesh": 0, "parent": 0})
    builder.add_animation([moving(0, "scale", ((1, 1, 1), (1, 1, 1.2)))], "grow")
    with pytest.raises(FileError) as error:
        load(builder)
    assert "scene.gltf: node 0 'a': animation 'grow' changes its scale" in str(error.value)
    assert "rigid" in str(error.value)
    builder = scene(a={"mesh": 0, "extras": {"surefoot_repeat": "twice"}})
    with pytest.raises(
        FileError, match=r"extras\.surefoot_repeat: must be one of once, loop, ping"
    ):
        load(builder)
    builder = scene(a={})
    for index in range(70):
        builder.add_node(parent=index)
    builder.add_node("leaf", parent=70, mesh=0)
    builder.add_animation([moving(index) for index in range(70)])
    with pytest.raises(FileError, match="node 64: more than 64 animated nodes above each other"):
        load(builder)


def test_motions_that_cannot_be_name_the_file(load):
    builder = scene(a={"mesh": 0})
    turns = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0]])
    slopes = (np.array([[0.0] * 4, [2, 2, 0, 0]]), np.array([[-2.0, -2, 0, 0], [0] * 4]))
    curve = Channel(
        node=0,
        path="rotation",
        times=np.array([0.0, 1.0]),
        values=turns,
        interpolation="cubic",
        tangents=slopes,  # half way the quaternion is zero
    )
    builder.add_animation([curve])
    with pytest.raises(FileError, match=r"scene\.gltf: body 'a': .*quaternion"):
        load(builder)
    builder = scene(a={"scale": [1e5] * 3}, b={"mesh": 0, "parent": 0, "translation": [1e6] * 3})
    with pytest.raises(FileError, match=r"scene\.gltf: node 1 'b': position must be within 10,000"):
        load(builder)


def test_animated_morph_weights(load):
    builder = scene(a={"mesh": 0})
    builder.add_accessor(np.tile([0.0, 4.0, 0.0], (4, 1)))
    builder.add_animation([moving(0)], "bulge")
    weights = builder.add_accessor(np.array([0.0, 1.0]))
    still = builder.add_accessor(np.array([0.5, 0.5]))

    def morph(document, output):
        document["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": 2}]
        document["animations"][0]["channels"][0]["target"]["path"] = "weights"
        document["animations"][0]["samplers"][0]["output"] = output

    with pytest.raises(FileError, match=r"node 0 'a': animation 'bulge' changes its shape"):
        load(builder, lambda document: morph(document, weights))
    world, _ = load(builder, lambda document: morph(document, still))
    assert world["a"].mesh.vertices[0].tolist() == [0, 0, 2]
