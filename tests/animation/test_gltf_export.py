"""glTF out: valid, the same world when read again, the same body when played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot.animation import Animation, save_world
from surefoot.errors import FileError
from surefoot.gltf import Gltf, axes, read_gltf
from surefoot.math import rotations
from surefoot.world import Body, World
from surefoot.world.loaders import load_world
from surefoot.world.primitives import box


@pytest.fixture(scope="module")
def file(ride: Animation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("glb") / "ride.glb"
    ride.save(path)
    return path


@pytest.fixture(scope="module")
def read(file: Path) -> Gltf:
    return read_gltf(file)


def played(gltf: Gltf, t: float) -> np.ndarray:
    """`(nodes, 4, 4)`: every node's frame at `t` [s] of the first animation."""
    parts = {node.index: [node.translation, node.rotation, node.scale] for node in gltf.nodes}
    for channel in gltf.animations[0].channels:
        times, values = channel.times, channel.values
        after = int(np.clip(np.searchsorted(times, t), 0, len(times) - 1))
        before = max(after - 1, 0) if times[after] > t or after == 0 else after
        gap = times[after] - times[before]
        x = 0.0 if gap == 0 else float(np.clip((t - times[before]) / gap, 0.0, 1.0))
        if channel.path == "rotation":
            value = rotations.slerp(values[before], values[after], x)
        else:
            value = (1 - x) * values[before] + x * values[after]
        slot = ("translation", "rotation", "scale").index(channel.path)
        parts[channel.node][slot] = value
    frames = np.empty((len(gltf.nodes), 4, 4))
    for index in gltf.order:
        shift, turn, scale = parts[index]
        local = np.eye(4)
        local[:3, :3] = rotations.to_matrix(turn) * scale
        local[:3, 3] = shift
        parent = gltf.nodes[index].parent
        frames[index] = local if parent is None else frames[parent] @ local
    return frames


def skinned(gltf: Gltf, node: int, frames: np.ndarray) -> np.ndarray:
    """Vertices of a skinned node, in the scene's axes."""
    mesh, skin = gltf.meshes[gltf.nodes[node].mesh or 0], gltf.skins[gltf.nodes[node].skin or 0]
    moved = frames[list(skin.joints)] @ skin.inverse_bind_matrices
    vertices: list[np.ndarray] = []
    for part in mesh.primitives:
        assert part.joints is not None
        assert part.weights is not None
        blended = (moved[part.joints] * part.weights[..., None, None]).sum(axis=1)
        vertices.append(np.einsum("vij,vj->vi", blended[:, :3, :3], part.positions)
                        + blended[:, :3, 3])  # fmt: skip
    return np.concatenate(vertices)


def nearest(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The distance of each point to the nearest of others."""
    return np.array([np.linalg.norm(others - point, axis=1).min() for point in points])


def test_the_khronos_validator_has_nothing_to_say(
    file: Path, validate: Callable[[Path], dict[str, Any]]
) -> None:
    issues = validate(file)
    assert issues["numErrors"] == issues["numWarnings"] == 0, issues["messages"][:5]


def test_the_world_reads_again_with_the_same_answers(file: Path, ride: Animation) -> None:
    world, again = ride.world, load_world(file)
    assert list(again.bodies) == list(world.bodies)
    generator = np.random.default_rng(11)
    points = generator.uniform([-4, -5, -0.5], [7, 8, 3], size=(400, 3))
    times = generator.uniform(ride.start, ride.end, size=400)
    # The file's time starts with the animation.
    expected = world.support(points, times, down=5.0)
    found = again.support(points, times - ride.start, down=5.0)
    same = expected.body == found.body
    assert same.mean() > 0.99
    both = same & expected.hit
    assert np.abs(expected.height[both] - found.height[both]).max() < 1e-4
    near = (
        world.nearest(points, times).distance - again.nearest(points, times - ride.start).distance
    )
    assert np.abs(near).max() < 2e-3
    for body in world:
        where = generator.uniform(ride.start, ride.end, size=50)
        one, turned = body.trajectory.poses(where)
        two, turned_again = again[body.name].trajectory.poses(where - ride.start)
        if body.name != "lamp":  # it jumps: at that very moment either place is right
            assert np.abs(one - two).max() < 1e-4
        assert np.abs((turned * turned_again).sum(axis=-1)).min() > 1 - 1e-6


def test_tags_and_colours_survive(file: Path, station: World) -> None:
    again = load_world(file)
    for body in station:
        assert dict(again[body.name].tags) == dict(body.tags)
    assert np.allclose(again["train"].color or (), station["train"].color or (), atol=1e-6)


def test_played_back_the_skin_is_where_the_animation_has_it(read: Gltf, ride: Animation) -> None:
    node = next(node.index for node in read.nodes if node.skin is not None)
    for t in (ride.start, 3.0, 6.1, ride.end):
        vertices = axes.z_up(skinned(read, node, played(read, t - ride.start)))
        expected, _ = ride.skin(t)
        assert nearest(vertices[::50], expected).max() < 1e-4


def test_without_playing_it_shows_the_first_pose(read: Gltf, ride: Animation) -> None:
    frames = read.global_matrices()
    pelvis = next(node.index for node in read.nodes if node.name == "pelvis")
    assert np.allclose(axes.z_up(frames[pelvis][:3, 3]), ride.root[0], atol=1e-5)


def test_markers_are_in_the_extras(read: Gltf, ride: Animation) -> None:
    for extras in (read.scene.extras, read.animations[0].extras):
        markers = extras["markers"]
        assert [m["name"] for m in markers][:3] == ["turn", "walk", "wait"]
        assert markers[0]["start"] == 0.0
        assert {"left foot", "right foot"} <= {m["name"] for m in markers}
        assert all(m["end"] <= ride.duration + 1e-6 for m in markers if m["kind"] == "contact")
    assert read.scene.extras["start"] == ride.start


def test_keyed_bodies_keep_their_keys(read: Gltf) -> None:
    node = next(node.index for node in read.nodes if node.name == "train")
    moves = [c for c in read.animations[0].channels if c.node == node]
    assert [c.path for c in moves] == ["translation"]
    # Standing until 7 s, then on its way; cut at the animation's start and end.
    assert len(moves[0].times) == 3
    tram = next(node.index for node in read.nodes if node.name == "tram")
    kinds = {c.path: c.interpolation for c in read.animations[0].channels if c.node == tram}
    assert kinds == {"translation": "cubic", "rotation": "linear"}


def test_in_place_the_character_stays(ride: Animation, tmp_path: Path) -> None:
    path = tmp_path / "spot.gltf"
    ride.save(path, root_motion=False, world=False)
    gltf = read_gltf(path)
    pelvis = next(node.index for node in gltf.nodes if node.name == "pelvis")
    moves = next(c for c in gltf.animations[0].channels if c.node == pelvis)
    assert np.ptp(moves.values[:, [0, 2]], axis=0).max() < 0.2
    assert not [node for node in gltf.nodes if node.name == "train"]


def test_a_world_alone_can_be_written(station: World, tmp_path: Path) -> None:
    path = tmp_path / "station.glb"
    save_world(path, station, start=2.0, end=8.0)
    again = load_world(path)
    times = np.linspace(2.0, 8.0, 20)
    one, _ = station["tram"].trajectory.poses(times)
    two, _ = again["tram"].trajectory.poses(times - 2.0)
    assert np.abs(one - two).max() < 1e-4


def test_unknown_endings_are_refused(ride: Animation, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"can be saved as \.glb, \.gltf, \.bvh, not '\.fbx'"):
        ride.save(tmp_path / "ride.fbx")
    assert not list(tmp_path.iterdir())


def test_shells_stay_shells(tmp_path: Path) -> None:
    shell = Body(name="shell", mesh=box((1.0, 1.0, 1.0)), solid=False)
    save_world(tmp_path / "shell.glb", World([shell]))
    assert not load_world(tmp_path / "shell.glb")["shell"].solid
