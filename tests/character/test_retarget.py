from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import Character, adult, child, kinematics, retarget, tall_adult
from surefoot.math import rotations


def feet_of(rig, matrices, bone="foot"):
    nodes = [rig.bones[f"{side}_{bone}"] for side in ("left", "right")]
    return matrices[:, nodes][..., :3, 3]


@pytest.mark.parametrize(
    ("style", "settings"),
    [
        ("mixamo", {"unit": 0.01}),
        ("vrm", {"arm_angle": 0.7, "seed": 4}),
        ("blender", {"posed": True, "seed": 5}),
        ("unreal", {"lying": True, "unit": 0.01}),
        ("none", {"arm_angle": 0.5}),
        ("biped", {"armature_scale": (0.01, 0.01, 0.01)}),
        ("smpl", {"without": ("neck", "spine", "left_toe", "right_toe")}),
    ],
)
def test_the_rig_moves_as_its_own_canonical_skeleton(style, settings, styles, make_rig, walk):
    someone = Character.from_gltf(make_rig(styles[style], **settings))
    rig, skeleton = someone.rig, someone.skeleton
    assert rig is not None
    root, local = walk(someone)
    pose = retarget(rig, skeleton, someone.measures, root, local)
    matrices = rig.matrices(pose.rotations, pose.translations)
    positions, _ = skeleton.forward(root, local)
    assert pose.reached.all()
    ankles = positions[:, skeleton.indices(["left_foot", "right_foot"])]
    np.testing.assert_allclose(feet_of(rig, matrices), ankles, atol=1e-5)
    for joint in ("left_shin", "right_shin", "pelvis"):
        seen = matrices[:, rig.bones[joint], :3, 3]
        np.testing.assert_allclose(seen, positions[:, skeleton.index(joint)], atol=0.005)
    for upper, lower in (("upper_arm", "forearm"), ("forearm", "hand")):
        for side in ("left", "right"):
            ends = [f"{side}_{upper}", f"{side}_{lower}"]
            ours = np.diff(positions[:, skeleton.indices(ends)], axis=1)[:, 0]
            theirs = np.diff(matrices[:, [rig.bones[end] for end in ends]][..., :3, 3], axis=1)[
                :, 0
            ]
            cosine = (ours * theirs).sum(axis=1) / (
                np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
            )
            assert cosine.min() > 0.9999


def test_the_surface_moves_as_the_mannequin_that_it_was_made_from(styles, make_rig, walk):
    source = adult()
    someone = Character.from_gltf(make_rig(styles["mixamo"], unit=0.01))
    root, local = walk(source)
    expected, _ = source.posed(root, local)
    # The same body: the same pose, carried over, gives the same surface.
    rig = someone.rig
    assert rig is not None
    pose = retarget(rig, source.skeleton, source.measures, root, local)
    seen, _ = someone.skin.posed(rig.matrices(pose.rotations, pose.translations))
    assert np.linalg.norm(seen - expected, axis=-1).max() < 0.02
    assert np.linalg.norm(seen - expected, axis=-1).mean() < 0.003


@pytest.mark.parametrize("body", [child, tall_adult])
def test_soles_are_where_the_plan_put_them_on_bodies_of_another_size(body, styles, make_rig, walk):
    source = adult()
    someone = Character.from_gltf(make_rig(styles["vrm"], character=body()))
    rig = someone.rig
    assert rig is not None
    root, local = walk(source)
    pose = retarget(rig, source.skeleton, source.measures, root, local)
    assert pose.reached.all()
    matrices = rig.matrices(pose.rotations, pose.translations)
    positions, world = source.skeleton.forward(root, local)
    feet = source.skeleton.indices(["left_foot", "right_foot"])
    ours = positions[:, feet] + rotations.rotate(
        world[:, feet], [0.0, 0.0, -source.measures.ankle_height]
    )
    theirs = feet_of(rig, matrices) + rotations.rotate(
        world[:, feet], [0.0, 0.0, -someone.measures.ankle_height]
    )
    np.testing.assert_allclose(theirs, ours, atol=1e-4)
    ratio = someone.measures.leg_length / source.measures.leg_length
    hips = matrices[:, rig.bones["pelvis"], 2, 3] / root[:, 2]
    np.testing.assert_allclose(hips, ratio, atol=0.06)


def test_feet_too_far_apart_are_reported_and_the_legs_stay_whole(styles, make_rig, walk):
    someone = Character.from_gltf(make_rig(styles["vrm"], character=child()))
    rig, source = someone.rig, tall_adult()
    assert rig is not None
    root, local = walk(source)
    thighs = source.skeleton.indices(["left_thigh", "right_thigh"])
    local[:, thighs[0]] = rotations.from_axis_angle([0.0, 1.0, 0.0], -1.3)
    local[:, thighs[1]] = rotations.from_axis_angle([0.0, 1.0, 0.0], 1.3)
    for side in ("left", "right"):
        local[:, source.skeleton.index(f"{side}_shin")] = rotations.IDENTITY
    pose = retarget(rig, source.skeleton, source.measures, root, local)
    assert not pose.reached.any()
    matrices = rig.matrices(pose.rotations, pose.translations)
    for side in ("left", "right"):
        nodes = [rig.bones[f"{side}_{bone}"] for bone in ("thigh", "shin", "foot")]
        lengths = np.linalg.norm(np.diff(matrices[:, nodes][..., :3, 3], axis=1), axis=-1)
        np.testing.assert_allclose(lengths[:, 0], someone.measures.thigh, atol=1e-5)
        np.testing.assert_allclose(lengths[:, 1], someone.measures.shin, atol=1e-5)


def test_knees_of_the_rig_bend_forward(styles, make_rig, walk):
    someone = Character.from_gltf(make_rig(styles["none"], seed=8))
    rig = someone.rig
    assert rig is not None
    root, local = walk(someone)
    pose = retarget(rig, someone.skeleton, someone.measures, root, local)
    matrices = rig.matrices(pose.rotations, pose.translations)
    ahead = rotations.rotate(local[:, 0], [1.0, 0.0, 0.0])
    for side in ("left", "right"):
        hip, knee, ankle = (
            matrices[:, rig.bones[f"{side}_{bone}"], :3, 3] for bone in ("thigh", "shin", "foot")
        )
        line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1, keepdims=True)
        away = knee - hip - ((knee - hip) * line).sum(axis=1, keepdims=True) * line
        assert ((away * ahead).sum(axis=1) > 0).all()


def test_only_the_pelvis_is_moved_and_helpers_stay_at_rest(styles, make_rig, walk):
    someone = Character.from_gltf(make_rig(styles["mixamo"]))
    rig = someone.rig
    assert rig is not None
    pose = retarget(rig, someone.skeleton, someone.measures, *walk(someone))
    assert rig.apart == ()
    still = [node for node in range(len(rig)) if node not in rig.moved]
    np.testing.assert_array_equal(
        pose.translations[:, still],
        np.broadcast_to(rig.translations[still], pose.translations[:, still].shape),
    )
    twist = rig.names.index("mixamorig:LeftUpLeg_twist")
    np.testing.assert_array_equal(pose.rotations[3, twist], rig.rotations[twist])


def test_one_pose_and_many_give_the_same(styles, make_rig, walk):
    someone = Character.from_gltf(make_rig(styles["mixamo"]))
    assert someone.rig is not None
    root, local = walk(someone)
    many = retarget(someone.rig, someone.skeleton, someone.measures, root, local)
    one = retarget(someone.rig, someone.skeleton, someone.measures, root[4], local[4])
    np.testing.assert_allclose(one.rotations, many.rotations[4], atol=1e-12)
    np.testing.assert_allclose(one.translations, many.translations[4], atol=1e-12)
    vertices, _ = someone.posed(root[4], local[4])
    np.testing.assert_allclose(vertices, someone.posed(root, local)[0][4], atol=1e-9)


def test_poses_can_be_played_in_the_files_own_axes(styles, make_rig, walk):
    """A RigPose under the rig's frame is what a glTF viewer computes from the node's values."""
    someone = Character.from_gltf(make_rig(styles["unreal"], unit=0.01))
    rig = someone.rig
    assert rig is not None
    root, local = walk(someone)
    pose = retarget(rig, someone.skeleton, someone.measures, root, local)
    world = [np.eye(4)] * len(rig)
    for node, parent in enumerate(rig.parents):
        step = kinematics.matrices(pose.translations[2, node], pose.rotations[2, node])
        step[:3, :3] *= rig.scales[node]
        world[node] = (rig.frame if parent < 0 else world[parent]) @ step
    np.testing.assert_allclose(
        np.stack(world), rig.matrices(pose.rotations, pose.translations)[2], atol=1e-12
    )
