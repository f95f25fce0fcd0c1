from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from surefoot.character import Character, adult, child
from surefoot.errors import CharacterError


@pytest.mark.parametrize("unit", [1.0, 0.01, 0.001])
def test_units_are_found_and_measures_are_those_of_the_person(unit, styles, make_rig):
    source = adult().measures
    someone = Character.from_gltf(make_rig(styles["mixamo"], unit=unit))
    found = someone.measures
    assert found.height == pytest.approx(source.height, abs=0.02)
    for field in (
        "thigh", "shin", "ankle_height", "hip_width", "shoulder_width", "shoulder_height",
        "upper_arm", "forearm", "neck_height", "head_height", "ball_ahead", "ball_height",
    ):  # fmt: skip
        assert getattr(found, field) == pytest.approx(getattr(source, field), abs=1e-4), field
    assert found.foot_length == pytest.approx(source.foot_length, abs=0.005)
    assert found.heel_behind == pytest.approx(source.heel_behind, abs=0.005)
    assert found.foot_width == pytest.approx(source.foot_width, abs=0.012)


def test_the_rig_stands_on_the_origin_and_faces_ahead_in_metres(styles, make_rig):
    for lying in (False, True):
        someone = Character.from_gltf(make_rig(styles["vrm"], unit=0.01, lying=lying))
        assert someone.rig is not None
        places = someone.rig.matrices()[:, :3, 3]
        left, right = (
            places[someone.rig.bones["left_foot"]],
            places[someone.rig.bones["right_foot"]],
        )
        toe = places[someone.rig.bones["left_toe"]]
        assert left[1] > 0.05
        assert right[1] < -0.05
        assert toe[0] > left[0] + 0.1
        assert someone.skin.vertices[:, 2].min() == pytest.approx(0.0, abs=1e-5)
        np.testing.assert_allclose((left + right)[:2], 0.0, atol=1e-5)


def test_a_body_of_no_usual_size_gets_a_usual_one_or_the_one_given(styles, make_rig):
    path = make_rig(styles["vrm"], unit=0.12)
    someone = Character.from_gltf(path)
    assert someone.measures.height == pytest.approx(1.75, abs=1e-6)
    assert someone.rig is not None
    assert any("scaled to 1.75 m" in note for note in someone.rig.notes)
    giant = Character.from_gltf(path, height=2.4)
    assert giant.measures.height == pytest.approx(2.4, abs=1e-6)
    assert giant.capability("walk").height == pytest.approx(2.4, abs=1e-6)
    with pytest.raises(CharacterError, match="height must be greater than 0"):
        Character.from_gltf(path, height=-1.0)


def test_names_with_left_and_right_exchanged_are_put_right_by_the_feet(styles, make_rig):
    names = styles["blender"]
    crossed = {
        joint: names[joint.replace("left_", "?").replace("right_", "left_").replace("?", "right_")]
        for joint in names
    }
    rig = Character.from_gltf(make_rig(crossed)).rig
    assert rig is not None
    assert dict(rig.mapping.bones) == crossed
    assert any("exchanged" in note for note in rig.notes)


def test_a_child_stays_a_child(styles, make_rig):
    source = child()
    found = Character.from_gltf(make_rig(styles["unreal"], character=source)).measures
    assert found.height == pytest.approx(source.measures.height, abs=0.02)
    assert found.leg_length == pytest.approx(source.measures.leg_length, abs=1e-4)


def test_capabilities_come_from_the_measures(styles, make_rig):
    someone = Character.from_gltf(make_rig(styles["unreal"]), name="Ann")
    assert someone.name == "Ann"
    walk, usual = someone.capability("walk"), adult().capability("walk")
    for field in dataclasses.fields(walk)[1:]:
        assert getattr(walk, field.name) == pytest.approx(getattr(usual, field.name), rel=0.02)


def test_a_scale_left_on_the_armature_does_not_matter(styles, make_rig):
    plain = Character.from_gltf(make_rig(styles["mixamo"]))
    scaled = Character.from_gltf(make_rig(styles["mixamo"], armature_scale=(0.01, 0.01, 0.01)))
    np.testing.assert_allclose(scaled.skin.vertices, plain.skin.vertices, atol=1e-5)
    assert scaled.measures.thigh == pytest.approx(plain.measures.thigh, abs=1e-5)


def test_an_uneven_scale_is_refused_with_what_to_do(styles, make_rig):
    path = make_rig(styles["mixamo"], armature_scale=(1.0, 1.0, 1.3))
    with pytest.raises(CharacterError, match=r"scaled unevenly.*apply the scale"):
        Character.from_gltf(path)


def test_bones_without_a_surface_are_enough(styles, make_rig):
    someone = Character.from_gltf(make_rig(styles["unreal"], surface=False))
    assert someone.measures.thigh == pytest.approx(adult().measures.thigh, abs=1e-4)
    assert someone.measures.height == pytest.approx(adult().measures.height, rel=0.05)
    assert len(someone.skin.faces) == 0
