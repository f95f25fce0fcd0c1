"""Clips of any skeleton on the canonical one: soles where they were, knees ahead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from references.actor import Actor
from references.bone_axes import bone_axes
from references.walks import reframed, walk, without
from surefoot.character import Measures, adult
from surefoot.character.humanoid import JOINTS, SIDES
from surefoot.errors import CharacterError
from surefoot.math import rotations
from surefoot.motion import Clip
from surefoot.motion.formats import read_bvh, write_bvh
from surefoot.motion.retargeting import to_humanoid
from surefoot.motion.retargeting.actor import actor_of


def _angles(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Between rotations [rad]."""
    return 2 * np.arccos(np.abs((first * second).sum(axis=-1)).clip(max=1.0))


def _soles(clip: Clip, measures: Measures) -> np.ndarray:
    """`(n, 2, 2, 3)`: heel and ball of both feet in the world."""
    positions, world = clip.forward()
    feet = [clip.bone(f"{side}_foot") for side in SIDES]
    points = np.stack([measures.heel, measures.ball])
    return positions[:, feet, None] + rotations.rotate(world[:, feet, None], points)


def _check_same_walk(moved: Clip, measures: Measures, *, trunk: float = 0.12) -> None:
    """The moved clip is the reference walk, up to what other axes cannot tell."""
    clip = walk()
    assert moved.skeleton.joints == JOINTS
    assert (moved.rate, len(moved)) == (clip.rate, len(clip))
    truth = adult().measures
    assert measures.thigh == pytest.approx(truth.thigh, rel=1e-3)
    assert measures.shin == pytest.approx(truth.shin, rel=1e-3)
    assert measures.ankle_height == pytest.approx(truth.ankle_height, abs=0.004)
    assert measures.hip_width == pytest.approx(truth.hip_width, rel=1e-3)
    ours, theirs = moved.forward(), clip.forward()
    for side in SIDES:
        ankle, knee = moved.bone(f"{side}_foot"), moved.bone(f"{side}_shin")
        # The pelvis gives way by a millimetre where the leg is straight; soles do not.
        assert np.linalg.norm(ours[0][:, ankle] - theirs[0][:, ankle], axis=1).max() < 1e-6
        assert np.linalg.norm(ours[0][:, knee] - theirs[0][:, knee], axis=1).max() < 0.02
        assert moved.skeleton.beyond_limits(moved.rotations)[:, knee, 1].max() < 1e-6
    assert np.abs(_soles(moved, measures) - _soles(clip, truth)).max() < 0.02
    for joint in ("pelvis", "chest", "head"):
        index = moved.bone(joint)
        assert _angles(ours[1][:, index], theirs[1][:, index]).max() < trunk, joint


def _check_native_agrees(clip: Clip) -> None:
    """The native study of an actor finds what the readable one does."""
    slow, fast = Actor.of(clip), actor_of(clip)
    assert fast.exchanged == slow.exchanged
    assert fast.stands == (slow.rest_frame is not None)
    assert [fast.bones[JOINTS.index(joint)] for joint in slow.bones] == list(slow.bones.values())
    axes = fast.axes()
    for joint, turn in bone_axes(slow).items():
        assert _angles(axes[JOINTS.index(joint)], turn) < 1e-6, (clip.name, joint)
    for name, bones in (
        ("thigh", "thigh shin"),
        ("shin", "shin foot"),
        ("forearm", "forearm hand"),
    ):
        first, second = bones.split()
        sides = [s for s in SIDES if f"{s}_{first}" in slow and f"{s}_{second}" in slow]
        apart = [slow.place(f"{s}_{first}") - slow.place(f"{s}_{second}") for s in sides]
        if sides:
            expected = np.mean([np.linalg.norm(each, axis=1).mean() for each in apart])
            assert fast.lengths[name] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("keep_rest", [True, False])
def test_the_native_study_agrees_with_the_readable_one(seed: int, keep_rest: bool) -> None:
    clip = reframed(walk(), seed, keep_rest=keep_rest)
    _check_native_agrees(clip)
    _check_native_agrees(clip.frames(50, 55 + 10 * seed))
    # Bones that stay where they are, so that their lengths are the same in every frame.
    _check_native_agrees(without(walk(), "left_toe", "right_toe", "left_hand", "right_hand"))


def test_a_canonical_clip_stays_as_it_is() -> None:
    moved, measures = to_humanoid(walk())
    _check_same_walk(moved, measures, trunk=1e-6)
    theirs, ours = walk().forward()[1], moved.forward()[1]
    for bone in ("upper_arm", "forearm", "hand"):
        for side in SIDES:
            index = moved.bone(f"{side}_{bone}")
            assert _angles(ours[:, index], theirs[:, index]).max() < 0.15, bone


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("keep_rest", [True, False])
def test_the_axes_of_bones_do_not_matter(seed: int, keep_rest: bool) -> None:
    moved, measures = to_humanoid(reframed(walk(), seed, keep_rest=keep_rest))
    _check_same_walk(moved, measures)
    theirs, ours = walk().forward()[0], moved.forward()[0]
    for side in SIDES:
        shoulder, hand = moved.bone(f"{side}_upper_arm"), moved.bone(f"{side}_hand")
        reach = ours[:, hand] - ours[:, shoulder] - theirs[:, hand] + theirs[:, shoulder]
        assert np.linalg.norm(reach, axis=1).max() < 0.08
    assert any("does not rest standing" in note for note in moved.notes) != keep_rest


@pytest.mark.parametrize(
    "missing",
    [
        ("left_toe", "right_toe"),
        ("left_hand", "right_hand"),
        ("spine", "neck"),
        ("spine", "neck", "left_shoulder", "right_shoulder", "left_toe", "right_toe"),
        ("head", "neck"),
        tuple(j for j in JOINTS if not j.endswith(("pelvis", "thigh", "shin", "foot", "toe"))),
    ],
)
def test_missing_joints_are_coped_with(missing: tuple[str, ...]) -> None:
    moved, measures = to_humanoid(without(walk(), *missing))
    assert any("not in the skeleton: " in note for note in moved.notes)
    clip, truth = walk(), adult().measures
    assert np.abs(_soles(moved, measures)[..., 0, :] - _soles(clip, truth)[..., 0, :]).max() < 0.03
    pelvis = moved.bone("pelvis")
    assert _angles(moved.rotations[:, pelvis], clip.rotations[:, pelvis]).max() < 0.15
    assert np.isfinite(moved.rotations).all()


def test_names_with_left_and_right_exchanged_are_put_right() -> None:
    clip = walk()
    other = {"left": "right", "right": "left"}
    swapped = {
        (f"{other[joint.split('_')[0]]}_{joint.split('_', 1)[1]}" if "_" in joint else joint): index
        for joint, index in clip.bones.items()
    }
    moved, measures = to_humanoid(replace(clip, bones=swapped))
    assert any("exchanged" in note for note in moved.notes)
    _check_same_walk(moved, measures, trunk=1e-6)


def test_clips_without_legs_are_refused() -> None:
    clip = without(walk(), "left_foot", "left_toe")
    with pytest.raises(CharacterError, match=r"'walk': has no legs .* missing: left_foot; its"):
        to_humanoid(clip)


def test_a_clip_of_one_frame() -> None:
    moved, _ = to_humanoid(walk().frames(40, 41))
    assert len(moved) == 1


def test_written_and_read_again_it_is_the_same(tmp_path: Path) -> None:
    write_bvh(tmp_path / "walk.bvh", walk())
    moved, measures = to_humanoid(read_bvh(tmp_path / "walk.bvh"))
    _check_same_walk(moved, measures, trunk=1e-6)


def test_all_shared_clips(data: Path) -> None:
    for file in sorted((data / "mocap" / "cmu").glob("*.bvh")):
        clip = read_bvh(file)
        _check_native_agrees(clip)
        moved, measures = to_humanoid(clip)
        assert 1.5 < measures.height < 1.95, clip.name
        theirs, ours = clip.forward()[0], moved.forward()[0]
        for side in SIDES:
            foot, knee = f"{side}_foot", f"{side}_shin"
            apart = theirs[:, clip.bone(foot)] - ours[:, moved.bone(foot)]
            assert np.linalg.norm(apart, axis=1).max() < 1e-6, clip.name
            # Actors whose legs differ by two centimetres have knees to match.
            apart = theirs[:, clip.bone(knee)] - ours[:, moved.bone(knee)]
            assert np.linalg.norm(apart, axis=1).max() < 0.09, clip.name
            bend = moved.skeleton.joint_angles(moved.rotations)[:, moved.bone(knee), 1]
            assert bend.min() > -1e-6, clip.name
        # Where a foot stands, heel and ball are level: in a tenth of all frames at the least.
        soles = _soles(moved, measures)[..., 2]
        level = np.abs(soles[..., 0] - soles[..., 1]) < 0.02
        assert level.mean() > 0.1, clip.name
