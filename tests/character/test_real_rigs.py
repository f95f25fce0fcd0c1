"""Rigs made by others, from the glTF sample models and three.js."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from surefoot.character import Character, retarget
from surefoot.errors import CharacterError


def model(data: Path, name: str) -> Path:
    return data / "scenes" / "gltf" / f"{name}.glb"


@pytest.mark.parametrize(
    ("name", "thigh", "hand"),
    [
        ("CesiumMan", "leg_joint_L_1", "Skeleton_arm_joint_L__2_"),
        ("RiggedFigure", "leg_joint_L_1", "arm_joint_L_3"),
        ("RobotExpressive", "UpperLeg.L", "Palm2.L"),
    ],
)
def test_people_are_mapped_and_walk(data, walk, name, thigh, hand):
    someone = Character.from_gltf(model(data, name))
    rig, skeleton, measures = someone.rig, someone.skeleton, someone.measures
    assert rig is not None
    assert rig.mapping.bones["left_thigh"] == thigh
    assert rig.mapping.bones["left_hand"] == hand
    assert 1.2 < measures.height < 2.0
    # Feet point ahead, and the surface stands on the ground.
    feet = [rig.bones[f"{side}_foot"] for side in ("left", "right")]
    surface = someone.skin.vertices
    assert surface[:, 2].min() == pytest.approx(0.0, abs=1e-5)
    assert measures.toe_ahead > measures.heel_behind
    rest = rig.matrices()[feet][:, :3, 3]
    assert rest[0, 1] > 0.03 > -0.03 > rest[1, 1]
    root, local = walk(someone)
    pose = retarget(rig, skeleton, measures, root, local)
    assert pose.reached.all()
    positions, _ = skeleton.forward(root, local)
    ankles = positions[:, skeleton.indices(["left_foot", "right_foot"])]
    moved = rig.matrices(pose.rotations, pose.translations)[:, feet][..., :3, 3]
    # The ankles of a rig's two feet need not be equally high; ours are.
    np.testing.assert_allclose(moved, ankles, atol=0.01)


def test_shape_alone_maps_the_cesium_man_as_his_names_do(data):
    from surefoot.character.rig.mapping import REQUIRED
    from surefoot.character.rig.sizing import GLTF_UP
    from surefoot.character.rig.topology import limbs_by_shape
    from surefoot.character.rig.tree import read_tree
    from surefoot.gltf import read_gltf

    for name in ("CesiumMan", "RiggedFigure"):
        path = model(data, name)
        tree = read_tree(read_gltf(path))
        joints = [node for node, joint in enumerate(tree.joints) if joint]
        found = limbs_by_shape(tree, joints, GLTF_UP)
        rig = Character.from_gltf(path).rig
        assert rig is not None
        for joint in REQUIRED:
            if joint.startswith(("left_", "right_")):
                assert tree.names[found[joint]] == rig.mapping.bones[joint]


def test_a_robot_with_feet_apart_from_its_legs_keeps_them_together(data, walk):
    someone = Character.from_gltf(model(data, "RobotExpressive"))
    rig = someone.rig
    assert rig is not None
    assert {rig.names[node] for node in rig.apart} == {"Foot.L", "Foot.R"}
    root, local = walk(someone)
    pose = retarget(rig, someone.skeleton, someone.measures, root, local)
    matrices = rig.matrices(pose.rotations, pose.translations)
    rest = rig.matrices()
    for side in ("left", "right"):
        nodes = [rig.bones[f"{side}_{bone}"] for bone in ("shin", "foot")]
        apart = np.linalg.norm(np.diff(matrices[:, nodes][..., :3, 3], axis=1)[:, 0], axis=1)
        usual = np.linalg.norm(rest[nodes[1], :3, 3] - rest[nodes[0], :3, 3])
        np.testing.assert_allclose(apart, usual, atol=1e-6)


def test_a_fox_is_refused_as_a_quadruped(data):
    with pytest.raises(CharacterError, match=r"Fox\.glb: this is a quadruped, not a person"):
        Character.from_gltf(model(data, "Fox"))


def test_a_rigged_cylinder_is_refused_with_what_is_missing_and_what_is_there(data):
    with pytest.raises(CharacterError, match=r"missing: pelvis, .*left_thigh.*Bone, .*Bone\.001"):
        Character.from_gltf(model(data, "RiggedSimple"))
