from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import adult, child, legs, tall_adult
from surefoot.errors import CharacterError
from surefoot.math import rotations


def placements(someone, frames=2000, seed=5, reach=0.97):
    """Random pelvis poses, ankles in reach below and around the hips, and feet."""
    random = np.random.default_rng(seed)
    skeleton, measures = someone.skeleton, someone.measures
    root = random.normal(size=(frames, 3))
    turn = rotations.from_rotation_vector(random.normal(size=(frames, 3)) * [0.2, 0.3, 1.5])
    hips = skeleton.offsets[skeleton.indices(["left_thigh", "right_thigh"])]
    hips = root[:, None] + rotations.rotate(turn[:, None], hips)
    away = random.normal(size=(frames, 2, 3)) * [0.5, 0.3, 0.3] - [0.0, 0.0, 1.0]
    away = rotations.rotate(turn[:, None], away / np.linalg.norm(away, axis=-1, keepdims=True))
    far = (measures.thigh + measures.shin) * random.uniform(0.35, reach, size=(frames, 2, 1))
    feet = rotations.from_rotation_vector(random.normal(size=(frames, 2, 3)) * 0.3)
    feet = rotations.multiply(turn[:, None], feet)
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    local[:, 0] = turn
    return root, local, hips + far * away, feet


@pytest.mark.parametrize("make", [adult, child, tall_adult])
def test_reachable_targets_are_reached_exactly(make):
    someone = make()
    skeleton = someone.skeleton
    root, local, ankles, feet = placements(someone)
    solved, reached = legs.place_feet(skeleton, root, local, ankles, feet)
    positions, world = skeleton.forward(root, solved)
    ends = skeleton.indices(["left_foot", "right_foot"])
    np.testing.assert_allclose(reached, ankles, atol=1e-9)
    np.testing.assert_allclose(positions[:, ends], ankles, atol=1e-9)
    np.testing.assert_allclose(np.abs((world[:, ends] * feet).sum(axis=-1)), 1.0, atol=1e-12)


def test_knees_bend_only_forward_and_only_about_their_axis():
    someone = adult()
    skeleton = someone.skeleton
    root, local, ankles, feet = placements(someone)
    solved, _ = legs.place_feet(skeleton, root, local, ankles, feet)
    angles = skeleton.joint_angles(solved)[:, skeleton.indices(["left_shin", "right_shin"])]
    assert angles[..., 1].min() >= -1e-9
    assert angles[..., 1].max() > 1.0
    np.testing.assert_allclose(angles[..., [0, 2]], 0.0, atol=1e-9)


def test_only_the_legs_change():
    someone = adult()
    root, local, ankles, feet = placements(someone, frames=5)
    solved, _ = legs.place_feet(someone.skeleton, root, local, ankles, feet)
    for index, joint in enumerate(someone.skeleton.joints):
        same = np.array_equal(solved[:, index], local[:, index])
        assert same != joint.endswith(("_thigh", "_shin", "_foot"))


def test_the_knee_points_where_its_axis_says():
    someone = adult()
    skeleton = someone.skeleton
    root, turn = np.array([0.0, 0.0, 0.8]), rotations.IDENTITY
    for yaw in (-0.6, 0.0, 0.9):
        left = np.array([-np.sin(yaw), np.cos(yaw), 0.0])
        leg = legs.solve_leg(
            skeleton, "left", root, turn, [0.0, 0.09, 0.07], rotations.IDENTITY, axis=left
        )
        local = skeleton.rest_rotations.copy()
        local[skeleton.index("left_thigh")] = leg.thigh
        local[skeleton.index("left_shin")] = leg.shin
        positions, _ = skeleton.forward(root, local)
        hip = positions[skeleton.index("left_thigh")]
        knee = positions[skeleton.index("left_shin")] - (hip + leg.ankle) / 2
        assert np.arctan2(knee[1], knee[0]) == pytest.approx(yaw, abs=1e-3)


def test_a_straight_leg_stands_in_the_pose_of_the_identity():
    someone = adult()
    skeleton, measures = someone.skeleton, someone.measures
    target = [0.0, measures.hip_width / 2, measures.ankle_height]
    leg = legs.solve_leg(
        skeleton, "left", skeleton.offsets[0], rotations.IDENTITY, target, rotations.IDENTITY
    )
    for turn in (leg.thigh, leg.shin, leg.foot):
        np.testing.assert_allclose(np.abs(turn[0]), 1.0, atol=1e-9)
    assert leg.stretch == pytest.approx(1.0)


def test_an_unreachable_target_straightens_the_leg_towards_it():
    someone = adult()
    skeleton, measures = someone.skeleton, someone.measures
    target = np.array([0.5, measures.hip_width / 2, -1.0])
    leg = legs.solve_leg(
        skeleton, "left", skeleton.offsets[0], rotations.IDENTITY, target, rotations.IDENTITY
    )
    hip = skeleton.offsets[0] + skeleton.offsets[skeleton.index("left_thigh")]
    toward, wanted = leg.ankle - hip, target - hip
    assert leg.stretch > 1.5
    assert np.linalg.norm(toward) == pytest.approx(measures.thigh + measures.shin)
    np.testing.assert_allclose(np.cross(toward, wanted), 0.0, atol=1e-9)


def test_the_soft_limit_is_exact_below_its_zone_smooth_in_it_and_never_beyond_full():
    asked = np.linspace(0.3, 2.0, 4001)
    taken = legs.soft_reach(asked, 0.86, soft=0.04)
    exact = asked <= 0.96 * 0.86
    np.testing.assert_array_equal(taken[exact], asked[exact])
    assert taken[asked < 1.1].max() < 0.86
    assert taken.max() <= 0.86
    slope = np.diff(taken) / np.diff(asked)
    assert slope.min() >= 0.0
    assert np.abs(np.diff(slope)).max() < 0.02
    np.testing.assert_array_equal(legs.soft_reach(asked, 0.86), np.minimum(asked, 0.86))


def test_a_target_at_the_hip_keeps_the_knee_within_its_limit():
    someone = adult()
    skeleton = someone.skeleton
    hip = skeleton.offsets[0] + skeleton.offsets[skeleton.index("right_thigh")]
    leg = legs.solve_leg(
        skeleton, "right", skeleton.offsets[0], rotations.IDENTITY, hip, rotations.IDENTITY
    )
    local = skeleton.rest_rotations.copy()
    local[skeleton.index("right_shin")] = leg.shin
    knee = skeleton.index("right_shin")
    assert skeleton.joint_angles(local)[knee, 1] == pytest.approx(skeleton.limits[knee, 1, 1])
    assert skeleton.beyond_limits(local)[knee].max() < 1e-9


def test_ordinary_steps_stay_within_human_limits():
    someone = adult()
    skeleton, measures = someone.skeleton, someone.measures
    random = np.random.default_rng(9)
    frames = 500
    root = np.array([0.0, 0.0, 0.95 * measures.leg_length]) * np.ones((frames, 1))
    ankles = np.array([[0.0, 0.09, measures.ankle_height], [0.0, -0.09, measures.ankle_height]])
    ankles = ankles + random.uniform(0, 1, (frames, 2, 3)) * [0.5, 0.0, 0.05] - [0.2, 0.0, 0.0]
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    feet = rotations.from_yaw(random.uniform(-0.2, 0.2, (frames, 2)))
    solved, _ = legs.place_feet(skeleton, root, local, ankles, feet)
    assert skeleton.beyond_limits(solved).max() < 1e-9


def test_a_leg_that_swings_up_through_level_does_not_flip():
    someone = adult()
    skeleton = someone.skeleton
    hip = skeleton.offsets[0] + skeleton.offsets[skeleton.index("left_thigh")]
    angle = np.linspace(0.0, 2.0, 400)
    ankles = hip + 0.7 * np.stack([np.sin(angle), 0 * angle, -np.cos(angle)], axis=-1)
    leg = legs.solve_leg(
        skeleton, "left", skeleton.offsets[0], rotations.IDENTITY, ankles, rotations.IDENTITY,
        axis=[0.0, 1.0, 0.0],
    )  # fmt: skip
    steps = np.abs((leg.thigh[1:] * leg.thigh[:-1]).sum(axis=-1))
    assert np.degrees(2 * np.arccos(np.clip(steps, -1, 1))).max() < 1.0


def test_an_unknown_side_is_refused():
    someone = adult()
    with pytest.raises(CharacterError, match="unknown side 'middle'; there are: left, right"):
        legs.solve_leg(
            someone.skeleton, "middle", np.zeros(3), rotations.IDENTITY, np.zeros(3),
            rotations.IDENTITY,
        )  # fmt: skip
