"""Mirrored clips: every joint where its image was in the mirror, whatever the axes and names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from references.walks import reframed, renamed, walk
from surefoot.character import Skeleton, kinematics
from surefoot.character.humanoid import JOINTS
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Clip
from surefoot.motion.formats import read_bvh, read_gltf_clips
from surefoot.motion.mirror_pairs import UNPAIRED, mirror_pairs, side_and_rest

MIRROR = np.array([1.0, -1.0, 1.0])


def _check_law(clip: Clip, seen: Clip) -> None:
    """Every joint is where its image was, seen in the mirror; bones that do so have no image."""
    pairs = mirror_pairs(clip.skeleton, clip.bones)
    before, after = clip.forward()[0], seen.forward()[0]
    for joint, pair in enumerate(pairs):
        if pair != UNPAIRED:
            assert np.allclose(after[:, joint], before[:, pair] * MIRROR, atol=1e-9)


def test_the_canonical_skeleton_is_mirrored_as_its_kinematics_say() -> None:
    clip = walk()
    seen = clip.mirrored()
    root, local = kinematics.mirror(JOINTS, clip.root, clip.rotations)
    assert np.array_equal(seen.root, root)
    assert np.allclose(np.abs((seen.rotations * local).sum(axis=-1)), 1.0, atol=1e-12)
    assert np.allclose(seen.skeleton.offsets, clip.skeleton.offsets, atol=1e-12)
    assert np.allclose(seen.headings(), -clip.headings(), atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("keep_rest", [True, False])
def test_any_axes_of_bones(seed: int, keep_rest: bool) -> None:
    clip = reframed(walk(), seed, keep_rest=keep_rest)
    seen = clip.mirrored()
    _check_law(clip, seen)
    # The actor's sides are alike, so the skeleton stays the same, and twice is not at all. Without
    # a rest pose, what a bone does in the clip is all that there is to tell by.
    near = 1e-9 if keep_rest else 0.03
    assert np.abs(seen.skeleton.offsets[1:] - clip.skeleton.offsets[1:]).max() < near
    again = seen.mirrored()
    assert np.allclose(again.forward()[0], clip.forward()[0], atol=1e-9)
    truth = reframed(walk().mirrored(), seed, keep_rest=keep_rest)
    alike = np.abs((seen.rotations * truth.rotations).sum(axis=-1)).clip(max=1.0)
    turned = 2 * np.arccos(alike).max(axis=0)
    assert turned.max() < (1e-6 if keep_rest else 0.4), turned


MIXAMO = (
    "Hips", "Spine", "Spine2", "Neck", "Head", "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand",
    "RightShoulder", "RightArm", "RightForeArm", "RightHand", "LeftUpLeg", "LeftLeg", "LeftFoot",
    "LeftToeBase", "RightUpLeg", "RightLeg", "RightFoot", "RightToeBase",
)  # fmt: skip


@pytest.mark.parametrize(
    "names",
    [
        [f"mixamorig:{name}" for name in MIXAMO],
        [f"Armature|{name.replace('Left', 'L_').replace('Right', 'R_')}" for name in MIXAMO],
        [name.replace("Left", "l").replace("Right", "r") for name in MIXAMO],
        [
            f"{name[4:]}.L"
            if name[:4] == "Left"
            else f"{name[5:]}.R"
            if name[:5] == "Right"
            else name
            for name in MIXAMO
        ],
        [f"node_{joint:02d}" for joint in range(21)],
        [f"骨{joint}" for joint in range(21)],
    ],
)
def test_any_names(names: list[str]) -> None:
    clip = renamed(walk(), names)
    expected = mirror_pairs(walk().skeleton, {})
    assert mirror_pairs(clip.skeleton, {}) == expected
    assert mirror_pairs(clip.skeleton, clip.bones) == expected
    _check_law(clip, clip.mirrored())


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Bip01 L Thigh", "Bip01 R Thigh"),
        ("LThumb", "RThumb"),
        ("lHip", "rHip"),
        ("J_Bip_L_UpperLeg", "J_Bip_R_UpperLeg"),
        ("leg_joint_L_1", "leg_joint_R_1"),
        ("thigh_l", "thigh_r"),
        ("hand.left", "hand.right"),
        ("leftshoulder", "rightshoulder"),
        ("LeftHandIndex3", "RightHandIndex3"),
        ("左ひざ", "右ひざ"),
        ("bras_gauche", "bras_droite"),
    ],
)
def test_sides_that_names_say(left: str, right: str) -> None:
    assert side_and_rest(left)[0] == "left"
    assert side_and_rest(right)[0] == "right"
    assert side_and_rest(left)[1] == side_and_rest(right)[1]


@pytest.mark.parametrize("name", ["Hips", "Spine1", "Roll", "Lower Back", "collar", "ArmRoller"])
def test_names_that_say_no_side(name: str) -> None:
    assert side_and_rest(name)[0] == ""


def _skeleton(joints: dict[str, tuple[str | None, tuple[float, float, float]]]) -> Skeleton:
    names = list(joints)
    return Skeleton(
        joints=tuple(names),
        parents=tuple(-1 if above is None else names.index(above) for above, _ in joints.values()),
        offsets=np.array([offset for _, offset in joints.values()], dtype=np.float64),
    )


def test_a_joint_of_one_side_only_keeps_its_motion() -> None:
    skeleton = _skeleton(
        {
            "L5": (None, (0.0, 0, 1)),
            "Left Hand": ("L5", (0.0, 0.5, 0)),
            "Right Hand": ("L5", (0.0, -0.5, 0)),
            "Right Sword": ("Right Hand", (0.5, 0.0, 0)),
            "Head": ("L5", (0.0, 0, 0.4)),
        }
    )
    pairs = mirror_pairs(skeleton, {})
    assert pairs == (0, 2, 1, UNPAIRED, 4)
    random = np.random.default_rng(1)
    clip = Clip(
        name="fight",
        skeleton=skeleton,
        rate=30.0,
        root=random.normal(size=(9, 3)),
        rotations=random.normal(size=(9, 5, 4)),
        shifts={1: random.normal(size=(9, 3))},
    )
    seen = clip.mirrored()
    assert list(seen.shifts) == [2]
    _check_law(clip, seen)
    assert np.allclose(seen.rotations[:, 3], clip.rotations[:, 3])


def test_a_skeleton_without_sides_is_refused() -> None:
    skeleton = _skeleton({"a": (None, (0.0, 0, 0)), "b": ("a", (0.0, 0, 1))})
    clip = Clip(
        name="rope",
        skeleton=skeleton,
        rate=1.0,
        root=np.zeros((1, 3)),
        rotations=np.tile(rotations.IDENTITY, (1, 2, 1)),
    )
    with pytest.raises(InputError, match="'rope': no joint has a mirror image"):
        clip.mirrored()


def test_shared_clips(data: Path) -> None:
    for name in ("02_01", "09_01", "16_17", "69_16", "104_02"):
        clip = read_bvh(data / "mocap" / "cmu" / f"{name}.bvh")
        seen = clip.mirrored()
        _check_law(clip, seen)
        assert UNPAIRED not in mirror_pairs(clip.skeleton, clip.bones)
        assert np.allclose(np.diff(seen.headings()), -np.diff(clip.headings()), atol=1e-9)
        # Nobody's sides differ by more than some centimetres.
        assert np.abs(seen.skeleton.offsets - clip.skeleton.offsets).max() < 0.03
    (man,) = read_gltf_clips(data / "scenes" / "gltf" / "CesiumMan.glb")
    _check_law(man, man.mirrored())
