from __future__ import annotations

import numpy as np
import pytest

from references import kinematics as reference
from surefoot.character import Skeleton, adult, child, kinematics
from surefoot.errors import CharacterError
from surefoot.math import rotations


def random_pose(skeleton, frames=20, size=0.6, seed=3):
    random = np.random.default_rng(seed)
    root = random.normal(size=(frames, 3))
    local = rotations.from_rotation_vector(random.normal(size=(frames, len(skeleton), 3)) * size)
    return root, local


def test_forward_agrees_with_matrices_multiplied_joint_by_joint():
    skeleton = adult().skeleton
    root, local = random_pose(skeleton)
    positions, world = skeleton.forward(root, local)
    for frame in range(len(root)):
        frames = []
        for joint, parent in enumerate(skeleton.parents):
            step = np.eye(4)
            step[:3, :3] = rotations.to_matrix(local[frame, joint])
            step[:3, 3] = root[frame] if parent < 0 else skeleton.offsets[joint]
            frames.append(step if parent < 0 else frames[parent] @ step)
        np.testing.assert_allclose(positions[frame], [f[:3, 3] for f in frames], atol=1e-12)
        np.testing.assert_allclose(
            rotations.to_matrix(world[frame]), [f[:3, :3] for f in frames], atol=1e-12
        )


@pytest.mark.parametrize("seed", range(20))
def test_forward_agrees_with_the_reference_on_random_trees(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 40))
    parents = [-1, *(int(random.integers(0, joint)) for joint in range(1, count))]
    frames = [(), (7,), (3, 2), (0,)][seed % 4]
    offsets = random.normal(size=(count, 3))
    root = random.normal(size=(*frames[1:], 3))
    local = rotations.normalize(random.normal(size=(*frames, count, 4)))
    shifts = {
        int(joint): random.normal(size=(*frames, 3))
        for joint in random.choice(np.arange(1, count), size=min(3, count - 1), replace=False)
    }
    for moved in (None, shifts):
        positions, world = kinematics.forward(parents, offsets, root, local, moved)
        expected = reference.forward(parents, offsets, root, local, moved)
        assert positions.shape == (*frames, count, 3)
        assert np.allclose(positions, expected[0], atol=1e-12, rtol=0)
        assert np.allclose(world, expected[1], atol=1e-12, rtol=0)


def test_moving_the_root_moves_everything_rigidly():
    skeleton = child().skeleton
    root, local = random_pose(skeleton)
    positions, world = skeleton.forward(root, local)
    turn, shift = rotations.from_rotation_vector([0.3, -1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    moved = local.copy()
    moved[:, 0] = rotations.multiply(turn, local[:, 0])
    again, turned = skeleton.forward(rotations.rotate(turn, root) + shift, moved)
    np.testing.assert_allclose(again, rotations.rotate(turn, positions) + shift, atol=1e-12)
    np.testing.assert_allclose(turned, rotations.multiply(turn, world), atol=1e-12)


def test_bone_lengths_never_change():
    skeleton = adult().skeleton
    root, local = random_pose(skeleton, size=2.0)
    positions, _ = skeleton.forward(root, local)
    above = list(skeleton.parents[1:])
    lengths = np.linalg.norm(positions[:, 1:] - positions[:, above], axis=-1)
    expected = np.linalg.norm(skeleton.offsets[1:], axis=-1)
    np.testing.assert_allclose(lengths, np.tile(expected, (len(root), 1)), atol=1e-12)


def test_one_pose_and_many_give_the_same():
    skeleton = adult().skeleton
    root, local = random_pose(skeleton, frames=4)
    many = skeleton.forward(root, local)
    one = skeleton.forward(root[2], local[2])
    np.testing.assert_array_equal(many[0][2], one[0])
    np.testing.assert_array_equal(many[1][2], one[1])


def test_local_rotations_come_back_from_world_rotations():
    skeleton = adult().skeleton
    root, local = random_pose(skeleton)
    _, world = skeleton.forward(root, local)
    back = kinematics.to_local(skeleton.parents, world)
    same = np.abs((back * local).sum(axis=-1))
    np.testing.assert_allclose(same, 1.0, atol=1e-12)


def test_the_wrong_number_of_rotations_is_refused():
    with pytest.raises(CharacterError, match=r"\(\.\.\., 21, 4\), got \(20, 4\)"):
        adult().skeleton.forward(np.zeros(3), np.tile(rotations.IDENTITY, (20, 1)))


def test_joint_angles_go_there_and_back():
    skeleton = adult().skeleton
    _, local = random_pose(skeleton, frames=200, size=0.8)
    angles = skeleton.joint_angles(local)
    again = kinematics.from_joint_angles(angles, skeleton.twist_axes)
    np.testing.assert_allclose(np.abs((again * local).sum(axis=-1)), 1.0, atol=1e-12)


@pytest.mark.parametrize(("axis", "angle"), [(0, 0.7), (1, -1.9), (2, 1.2)])
def test_a_turn_about_one_axis_is_that_angle(axis, angle):
    turned = rotations.from_axis_angle(np.eye(3)[axis], angle)
    for twist in range(3):
        angles = kinematics.joint_angles(turned[None], (twist,))
        np.testing.assert_allclose(angles[0], angle * np.eye(3)[axis], atol=1e-12)


def test_limited_poses_respect_the_limits_and_change_nothing_inside_them():
    skeleton = adult().skeleton
    _, local = random_pose(skeleton, frames=100, size=1.5)
    assert skeleton.beyond_limits(local).max() > 0.5
    assert skeleton.beyond_limits(skeleton.limited(local)).max() < 1e-9
    np.testing.assert_array_equal(
        skeleton.limited(skeleton.rest_rotations), skeleton.rest_rotations
    )


def test_some_joints_can_be_limited_alone():
    skeleton = adult().skeleton
    _, local = random_pose(skeleton, frames=40, size=1.5)
    joints = skeleton.indices(["left_foot", "right_shin"])
    alone = skeleton.limited(local[:, joints], joints)
    np.testing.assert_allclose(alone, skeleton.limited(local)[:, joints], atol=1e-12)


def test_a_knee_bent_backward_is_beyond_its_limits():
    skeleton = adult().skeleton
    local = skeleton.rest_rotations.copy()
    knee = skeleton.index("left_shin")
    local[knee] = rotations.from_axis_angle([0.0, 1.0, 0.0], -0.4)
    beyond = skeleton.beyond_limits(local)
    assert beyond[knee, 1] == pytest.approx(0.4)
    beyond[knee, 1] = 0.0
    assert beyond.max() == 0.0


def test_limits_of_the_two_sides_mirror_each_other():
    skeleton = adult().skeleton
    root, local = random_pose(skeleton, frames=50, size=1.0)
    other = kinematics.mirror(skeleton.joints, root, local)[1]
    np.testing.assert_allclose(
        np.sort(skeleton.beyond_limits(local).sum(axis=(1, 2))),
        np.sort(skeleton.beyond_limits(other).sum(axis=(1, 2))),
        atol=1e-9,
    )


def test_mirrored_poses_have_mirrored_joints():
    skeleton = adult().skeleton
    root, local = random_pose(skeleton)
    positions, _ = skeleton.forward(root, local)
    mirrored = kinematics.mirror(skeleton.joints, root, local)
    seen, _ = skeleton.forward(*mirrored)
    for index, joint in enumerate(skeleton.joints):
        swap = {"left": "right", "right": "left"}
        side, _, bone = joint.partition("_")
        other = skeleton.index(f"{swap[side]}_{bone}") if side in swap else index
        np.testing.assert_allclose(
            seen[:, other], positions[:, index] * [1.0, -1.0, 1.0], atol=1e-12
        )
    back = kinematics.mirror(skeleton.joints, *mirrored)
    np.testing.assert_array_equal(back[0], root)
    np.testing.assert_array_equal(back[1], local)


def test_skeletons_that_cannot_be_are_refused():
    offsets = np.zeros((2, 3))
    with pytest.raises(CharacterError, match="repeated: a"):
        Skeleton(joints=("a", "a"), parents=(-1, 0), offsets=offsets)
    with pytest.raises(CharacterError, match="'b' has parent 1"):
        Skeleton(joints=("a", "b"), parents=(-1, 1), offsets=offsets)
    with pytest.raises(CharacterError, match=r"\(2, 3\), got \(3, 3\)"):
        Skeleton(joints=("a", "b"), parents=(-1, 0), offsets=np.zeros((3, 3)))
    with pytest.raises(CharacterError, match="unknown joint 'tail'; there are: chest"):
        adult().skeleton.index("tail")
    with pytest.raises(CharacterError, match="unknown tip 'nose'; there are: head_top"):
        adult().skeleton.tip("nose")


def test_a_scaled_skeleton_is_the_same_shape():
    skeleton = adult().skeleton
    large = skeleton.scaled(2.0)
    np.testing.assert_allclose(large.rest_pose()[0], 2 * skeleton.rest_pose()[0], atol=1e-12)
    tall = large.tip_position("head_top", *large.rest_pose())
    assert tall[2] == pytest.approx(3.5)
