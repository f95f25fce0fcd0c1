from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import adult, child, humanoid, tall_adult
from surefoot.math import rotations


@pytest.mark.parametrize("make", [adult, child, tall_adult])
def test_the_rest_pose_stands_on_the_ground_and_faces_ahead(make):
    someone = make()
    skeleton, measures = someone.skeleton, someone.measures
    places, turns = skeleton.rest_pose()
    place = dict(zip(skeleton.joints, places, strict=True))
    assert place["pelvis"][2] == pytest.approx(measures.leg_length)
    np.testing.assert_allclose(place["pelvis"][:2], 0.0)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        assert sign * place[f"{side}_hand"][1] > sign * place[f"{side}_upper_arm"][1] > 0
        assert place[f"{side}_toe"][0] > place[f"{side}_foot"][0]
        assert place[f"{side}_foot"][2] == pytest.approx(measures.ankle_height)
        tip = skeleton.tip_position(f"{side}_toe_tip", places, turns)
        np.testing.assert_allclose(tip - place[f"{side}_foot"], measures.toe_tip, atol=1e-12)
    assert skeleton.tip_position("head_top", places, turns)[2] == pytest.approx(measures.height)
    assert skeleton.beyond_limits(skeleton.rest_rotations).max() == 0.0


def test_the_canonical_joints_hang_together_as_a_person():
    above = {
        joint: humanoid.JOINTS[parent]
        for joint, parent in zip(humanoid.JOINTS, humanoid.PARENTS, strict=True)
        if parent >= 0
    }
    assert len(humanoid.JOINTS) == 21
    assert above["spine"] == "pelvis"
    assert above["head"] == "neck"
    assert above["left_shoulder"] == "chest"
    assert above["right_hand"] == "right_forearm"
    assert above["left_thigh"] == "pelvis"
    assert above["right_toe"] == "right_foot"


@pytest.mark.parametrize(
    ("joint", "axis", "sign", "end", "toward"),
    [
        ("left_thigh", 1, 1.0, "left_foot", [-1, 0, 0]),
        ("right_shin", 1, 1.0, "right_foot", [-1, 0, 0]),
        ("left_foot", 1, 1.0, "left_toe", [0, 0, -1]),
        ("spine", 1, 1.0, "head", [1, 0, 0]),
        ("right_forearm", 1, -1.0, "right_hand", [1, 0, 0]),
        ("left_thigh", 0, 1.0, "left_foot", [0, 1, 0]),
        ("right_thigh", 0, -1.0, "right_foot", [0, -1, 0]),
    ],
)
def test_signs_are_as_documented(joint, axis, sign, end, toward):
    skeleton = adult().skeleton
    local = np.tile(rotations.IDENTITY, (len(skeleton), 1))
    before, _ = skeleton.forward(skeleton.offsets[0], local)
    local[skeleton.index(joint)] = rotations.from_axis_angle(np.eye(3)[axis], sign * 0.3)
    after, _ = skeleton.forward(skeleton.offsets[0], local)
    moved = after[skeleton.index(end)] - before[skeleton.index(end)]
    assert moved @ np.array(toward) > 0.8 * np.linalg.norm(moved)
