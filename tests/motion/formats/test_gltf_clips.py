"""glTF in: animations of skinned characters as clips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from references.walks import walk
from surefoot.character import kinematics
from surefoot.errors import CharacterError, FileError, InputError
from surefoot.gltf import Channel, GltfBuilder, Primitive, axes
from surefoot.math import rotations
from surefoot.motion import Clip
from surefoot.motion.formats import read_gltf_clips
from surefoot.motion.formats.gltf.sampling import values_at
from surefoot.motion.retargeting import to_humanoid

QUARTER = rotations.from_axis_angle([0.0, 0.0, 1.0], np.pi / 2)


def _channel(path: str, times: list[float], values: object, kind: str, **more: object) -> Channel:
    return Channel(
        node=0,
        path=path,  # type: ignore[arg-type]
        times=np.array(times),
        values=np.array(values, dtype=np.float64),
        interpolation=kind,  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )


def test_every_interpolation_between_keys() -> None:
    at = np.array([0.0, 1.0, 1.5, 2.0, 3.0, 9.0])
    line = _channel("translation", [1.0, 2.0, 3.0], [[0, 0, 0], [2, 0, 0], [2, 4, 0]], "linear")
    expected = [[0, 0, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 4, 0], [2, 4, 0]]
    assert np.allclose(values_at(line, at), expected)
    steps = _channel("scale", [1.0, 2.0, 3.0], [[1, 1, 1], [2, 2, 2], [3, 3, 3]], "step")
    assert values_at(steps, at)[:, 0].tolist() == [1, 1, 1, 2, 3, 3]
    turn = _channel("rotation", [1.0, 2.0], [rotations.IDENTITY, -QUARTER], "linear")
    half = rotations.from_axis_angle([0.0, 0.0, 1.0], np.pi / 4)
    assert np.abs(values_at(turn, np.array([1.5]))[0] @ half) == pytest.approx(1.0)
    # A parabola from 0 to 1 with slope 2 and then 0 per second, over one second.
    slopes = np.array([[2.0, 0, 0], [0, 0, 0]])
    curve = _channel(
        "translation", [0.0, 1.0], [[0, 0, 0], [1, 0, 0]], "cubic", tangents=(slopes, slopes)
    )
    s = np.linspace(0, 1, 7)
    assert np.allclose(values_at(curve, s)[:, 0], 1 - (1 - s) ** 2)
    flat = (np.zeros((2, 4)), np.zeros((2, 4)))
    spin = _channel("rotation", [0.0, 2.0], [rotations.IDENTITY, QUARTER], "cubic", tangents=flat)
    assert np.allclose(values_at(spin, np.array([1.0]))[0], half)
    single = _channel("translation", [1.0], [[1, 2, 3]], "linear")
    assert values_at(single, np.array([0.0, 5.0])).tolist() == [[1, 2, 3], [1, 2, 3]]


def _triangle(joints: int) -> Primitive:
    """A surface that follows the last of some joints."""
    return Primitive(
        positions=np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]),
        triangles=np.array([[0, 1, 2]], dtype=np.int32),
        joints=np.full((3, 4), joints - 1, dtype=np.int32),
        weights=np.tile([1.0, 0, 0, 0], (3, 1)),
    )


def _save_walk(path: Path, clip: Clip, *, unit: float = 1.0, skinned: bool = True) -> None:
    """A clip as another tool would export it: an armature with a scale above the joints."""
    file = GltfBuilder()
    armature = file.add_node("Armature", scale=[1 / unit] * 3, translation=[0.0, 0.0, 0.0])
    skeleton = clip.skeleton
    nodes: list[int] = []
    rest_places, rest_turns = skeleton.rest_pose()
    for joint, parent in enumerate(skeleton.parents):
        nodes.append(
            file.add_node(
                skeleton.joints[joint],
                parent=armature if parent < 0 else nodes[parent],
                translation=axes.y_up(skeleton.offsets[joint]) * unit,
                rotation=axes.y_up_rotations(skeleton.rest_rotations[joint]),
            )
        )
    if skinned:
        frames = kinematics.matrices(axes.y_up(rest_places), axes.y_up_rotations(rest_turns))
        frames[:, :3, :3] /= unit
        skin = file.add_skin(nodes, np.linalg.inv(frames))
        file.add_node(mesh=file.add_mesh([_triangle(len(nodes))]), skin=skin)
    channels = [
        Channel(
            node=node,
            path="rotation",
            times=clip.times,
            values=axes.y_up_rotations(clip.rotations[:, joint]),
            interpolation="linear",
        )
        for joint, node in enumerate(nodes)
    ]
    channels.append(
        Channel(
            node=nodes[0],
            path="translation",
            times=clip.times,
            values=axes.y_up(clip.root) * unit,
            interpolation="linear",
        )
    )
    file.add_animation(channels, "walk")
    file.save(path)


@pytest.mark.parametrize("unit", [1.0, 100.0])
def test_a_character_is_read_with_its_motion(tmp_path: Path, unit: float) -> None:
    clip = walk()
    _save_walk(tmp_path / "person.glb", clip, unit=unit)
    (read,) = read_gltf_clips(tmp_path / "person.glb")
    assert read.name == "person"
    assert read.rate == 60.0
    assert len(read) == len(clip)
    # A file lists joints in an order of its own.
    order = read.skeleton.indices(clip.skeleton.joints)
    assert [read.bone(joint) for joint in clip.bones] == order
    assert not read.shifts
    assert np.allclose(read.forward()[0][:, order], clip.forward()[0], atol=1e-5)
    at_rest = read.skeleton.rest_pose()[0][order]
    assert np.allclose(at_rest, clip.skeleton.rest_pose()[0], atol=1e-5)
    moved, _ = to_humanoid(read)
    ankle = moved.bone("left_foot")
    assert np.allclose(moved.forward()[0][:, ankle], clip.forward()[0][:, ankle], atol=1e-5)


def test_a_given_scale_axis_and_rate_win(tmp_path: Path) -> None:
    clip = walk()
    _save_walk(tmp_path / "person.glb", clip)
    (read,) = read_gltf_clips(tmp_path / "person.glb", scale=2.0, up="z", rate=10.0)
    assert read.rate == 10.0
    assert np.allclose(read.root[0], 2.0 * axes.y_up(clip.root[0]), atol=1e-5)
    with pytest.raises(InputError, match="unknown up axis"):
        read_gltf_clips(tmp_path / "person.glb", up="w")


def test_nodes_without_a_skin_are_no_skeleton(tmp_path: Path) -> None:
    _save_walk(tmp_path / "nodes.glb", walk(), skinned=False)
    assert read_gltf_clips(tmp_path / "nodes.glb") == []


def test_broken_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.glb").write_bytes(b"glTF" + bytes(20))
    with pytest.raises(FileError, match=r"broken\.glb"):
        read_gltf_clips(tmp_path / "broken.glb")


def test_shared_characters(data: Path) -> None:
    folder = data / "scenes" / "gltf"
    (man,) = read_gltf_clips(folder / "CesiumMan.glb")
    moved, measures = to_humanoid(man)
    assert 1.2 < measures.height < 1.6
    ours, theirs = moved.forward()[0], man.forward()[0]
    for side in ("left", "right"):
        apart = ours[:, moved.bone(f"{side}_foot")] - theirs[:, man.bone(f"{side}_foot")]
        assert np.linalg.norm(apart, axis=1).max() < 1e-6
    # He walks on the spot: his feet go as far forward as back.
    assert np.ptp(man.root[:, :2], axis=0).max() < 0.2
    robots = read_gltf_clips(folder / "RobotExpressive.glb")
    assert len(robots) == 14
    assert {"RobotExpressive/Walking", "RobotExpressive/Jump"} <= {clip.name for clip in robots}
    jump = next(clip for clip in robots if clip.name.endswith("/Jump"))
    pelvis = jump.forward()[0][:, jump.bone("pelvis"), 2]
    assert np.ptp(pelvis) > 0.5
    foxes = read_gltf_clips(folder / "Fox.glb")
    assert len(foxes) == 3
    with pytest.raises(CharacterError, match="quadruped"):
        to_humanoid(foxes[1])
