from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import Character, adult, humanoid
from surefoot.character.rig.mapping import REQUIRED, load_bones
from surefoot.character.rig.naming import understand
from surefoot.errors import CharacterError, FileError
from surefoot.gltf import GltfBuilder

SPOKEN = ("mixamo", "vrm", "blender", "rigify", "unreal", "biped", "daz", "smpl")


@pytest.mark.parametrize("style", SPOKEN)
def test_bones_are_known_by_the_names_of_every_tool(style, styles, make_rig):
    names = styles[style]
    rig = Character.from_gltf(make_rig(names)).rig
    assert rig is not None
    assert dict(rig.mapping.bones) == names
    assert set(rig.mapping.sources.values()) == {"name"}


def test_bones_without_names_are_known_by_their_shape(styles, make_rig):
    for angle in (0.3, 0.8, np.pi / 2):
        rig = Character.from_gltf(make_rig(styles["none"], arm_angle=angle)).rig
        assert rig is not None
        assert dict(rig.mapping.bones) == styles["none"]
        assert set(rig.mapping.sources.values()) == {"shape"}


@pytest.mark.parametrize("style", ["mixamo", "none"])
def test_optional_bones_may_be_missing(style, styles, make_rig):
    gone = (
        "neck", "left_shoulder", "right_shoulder", "spine", "left_toe", "right_toe",
    )  # fmt: skip
    rig = Character.from_gltf(make_rig(styles[style], without=gone)).rig
    assert rig is not None
    expected = {joint: name for joint, name in styles[style].items() if joint not in gone}
    assert dict(rig.mapping.bones) == expected


def test_the_stored_pose_of_the_file_does_not_matter(styles, make_rig):
    still = Character.from_gltf(make_rig(styles["vrm"]))
    moving = Character.from_gltf(make_rig(styles["vrm"], posed=True))
    assert still.rig is not None
    assert moving.rig is not None
    assert dict(moving.rig.mapping.bones) == dict(still.rig.mapping.bones)
    np.testing.assert_allclose(moving.skin.vertices, still.skin.vertices, atol=1e-5)
    assert moving.measures.thigh == pytest.approx(still.measures.thigh, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "side", "stem"),
    [
        ("mixamorig:LeftUpLeg", "left", "upleg"),
        ("mixamorig1:RightHand", "right", "hand"),
        ("J_Bip_L_UpperLeg", "left", "upperleg"),
        ("J_Bip_C_Hips", "", "hips"),
        ("DEF-thigh.L.001", "left", "thigh"),
        ("upper_arm.R", "right", "upperarm"),
        ("calf_l", "left", "calf"),
        ("Bip01 R UpperArm", "right", "upperarm"),
        ("lForeArm", "left", "forearm"),
        ("RThigh", "right", "thigh"),
        ("CC_Base_L_Thigh", "left", "thigh"),
        ("leg_joint_L_1", "left", "leg"),
        ("Skeleton_arm_joint_R__2_", "right", "arm"),
        ("leftupleg", "left", "upleg"),
        ("LeftToeBase", "left", "toe"),
        ("Foot.L#4", "left", "foot"),
    ],
)
def test_names_are_understood(name, side, stem):
    word = understand(name)
    assert (word.side, word.stem, word.helper) == (side, stem, False)


@pytest.mark.parametrize(
    "name", ["thigh_twist_01_l", "LeftHandThumb1", "ik_foot_l", "PoleTarget.L", "HeadTop_End"]
)
def test_helper_bones_are_told_from_bones(name):
    assert understand(name).helper


def test_a_mapping_is_shown_saved_corrected_and_loaded(styles, make_rig, tmp_path):
    path = make_rig(styles["unreal"])
    rig = Character.from_gltf(path).rig
    assert rig is not None
    table = rig.mapping.describe().splitlines()
    assert len(table) == 1 + len(humanoid.JOINTS)
    assert "left_thigh" in table[1 + humanoid.JOINTS.index("left_thigh")]
    assert "thigh_l" in table[1 + humanoid.JOINTS.index("left_thigh")]
    file = tmp_path / "bones.toml"
    rig.mapping.save(file)
    assert load_bones(file) == dict(rig.mapping.bones)
    again = Character.from_gltf(path, file).rig
    assert again is not None
    assert set(again.mapping.sources.values()) == {"given"}
    text = file.read_text().replace('chest = "spine_03"', 'chest = "spine_01"')
    file.write_text(text.replace('spine = "spine_01"', ""))
    corrected = Character.from_gltf(path, file).rig
    assert corrected is not None
    assert corrected.mapping.bones["chest"] == "spine_01"


def test_a_mapping_can_name_bones_that_nothing_else_tells(styles, make_rig):
    odd = {joint: f"q{number}" for number, joint in enumerate(styles["none"])}
    path = make_rig(odd, without=("left_foot", "left_toe"))
    with pytest.raises(CharacterError) as refused:
        Character.from_gltf(path)
    assert "left_thigh" in str(refused.value)
    path = make_rig(odd)
    given = {joint: odd[joint] for joint in REQUIRED}
    rig = Character.from_gltf(path, given).rig
    assert rig is not None
    assert rig.mapping.sources["left_thigh"] == "given"


def test_wrong_mappings_are_refused_with_the_choices(styles, make_rig, tmp_path):
    path = make_rig(styles["blender"])
    with pytest.raises(
        CharacterError, match="unknown joint 'left_tigh'; did you mean 'left_thigh'"
    ):
        Character.from_gltf(path, {"left_tigh": "thigh.L"})
    with pytest.raises(
        CharacterError, match=r"unknown node 'thigh.l'; did you mean 'thigh.L'\? There are: .*shin"
    ):
        Character.from_gltf(path, {"left_thigh": "thigh.l"})
    file = tmp_path / "bones.toml"
    with pytest.raises(FileError, match=r"bones\.toml: there is no such file"):
        Character.from_gltf(path, file)
    file.write_text("left_thigh = [")
    with pytest.raises(FileError, match="no valid TOML"):
        Character.from_gltf(path, file)
    file.write_text("left_thigh = 3")
    with pytest.raises(CharacterError, match="left_thigh must be a node's name in quotes, got 3"):
        Character.from_gltf(path, file)
    file.write_text('tail = "x"')
    with pytest.raises(CharacterError, match="unknown joint 'tail'"):
        Character.from_gltf(path, file)


def test_missing_bones_and_those_there_are_are_listed(styles, make_rig):
    gone = ("left_hand", "left_forearm", "right_forearm", "right_hand")
    with pytest.raises(CharacterError) as refused:
        Character.from_gltf(make_rig(styles["mixamo"], without=gone))
    message = str(refused.value)
    assert "missing: left_forearm, right_forearm" in message
    assert "mixamorig:LeftUpLeg" in message


def test_a_file_without_a_skeleton_is_refused(tmp_path):
    builder = GltfBuilder()
    builder.add_node("rock")
    builder.save(tmp_path / "rock.glb")
    with pytest.raises(CharacterError, match=r"rock\.glb: .*missing: pelvis, .*there are: rock"):
        Character.from_gltf(tmp_path / "rock.glb")


def test_every_built_in_person_has_all_required_joints():
    assert set(REQUIRED) <= set(adult().skeleton.joints)


def test_a_body_on_all_fours_is_refused(tmp_path):
    """A dog made of boxes of bones, with the names of a person's limbs."""
    builder = GltfBuilder()
    pelvis = builder.add_node("Hips", translation=[0.0, 0.5, -0.4])
    chest = builder.add_node("Chest", parent=pelvis, translation=[0.0, 0.0, 0.7])
    builder.add_node("Head", parent=chest, translation=[0.0, 0.2, 0.2])
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for base, names in (
            (pelvis, ("UpLeg", "Leg", "Foot")),
            (chest, ("UpperArm", "ForeArm", "Hand")),
        ):
            parent, offset = base, [0.1 * sign, 0.0, 0.0]
            for name in names:
                parent = builder.add_node(side + name, parent=parent, translation=offset)
                offset = [0.0, -0.24, 0.0]
    builder.save(tmp_path / "dog.glb")
    with pytest.raises(CharacterError, match=r"dog\.glb: this is a quadruped"):
        Character.from_gltf(tmp_path / "dog.glb")
