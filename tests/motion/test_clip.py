"""Clips: where joints are, poses between frames, other rates, parts, and other places."""

from __future__ import annotations

import numpy as np
import pytest

from references import kinematics as reference
from surefoot.character import Skeleton, adult
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Clip


def _random_clip(seed: int, frames: int = 21, rate: float = 20.0) -> Clip:
    """A smooth motion of a person, with a chest that also moves against the spine."""
    random = np.random.default_rng(seed)
    skeleton = adult().skeleton
    times = np.arange(frames) / rate
    speeds = random.normal(size=(len(skeleton), 3))
    turns = np.sin(times[:, None, None] * 2 + random.uniform(0, 6, (len(skeleton), 3))) * speeds
    root = np.stack([times, np.sin(times), 0.9 + 0 * times], axis=1)
    moved = skeleton.offsets[2] + 0.01 * np.sin(times)[:, None] * [1.0, 2.0, 3.0]
    return Clip(
        name="random",
        skeleton=skeleton,
        rate=rate,
        root=root,
        rotations=rotations.from_rotation_vector(turns),
        shifts={2: moved},
    )


def test_joints_are_where_the_reference_has_them() -> None:
    clip = _random_clip(1)
    positions, world = clip.forward()
    expected = reference.forward(
        clip.skeleton.parents, clip.skeleton.offsets, clip.root, clip.rotations, clip.shifts
    )
    assert np.allclose(positions, expected[0], atol=1e-12)
    assert np.allclose(world, expected[1], atol=1e-12)


def test_a_pose_on_a_frame_is_that_frame_and_between_frames_it_is_the_shortest_way() -> None:
    clip = _random_clip(2)
    root, local = clip.pose(clip.times)
    assert np.array_equal(root, clip.root)
    assert np.array_equal(local, clip.rotations)
    _, between = clip.pose((7 + 0.3) / clip.rate)
    expected = rotations.slerp(clip.rotations[7], clip.rotations[8], np.full(21, 0.3))
    assert between.shape == (21, 4)
    assert np.allclose(np.abs((between * expected).sum(axis=-1)), 1.0, atol=1e-12)
    flipped = clip.rotations * np.where(np.arange(len(clip)) % 2, 1.0, -1.0)[:, None, None]
    same = Clip(name="x", skeleton=clip.skeleton, rate=20.0, root=clip.root, rotations=flipped)
    _, again = same.pose((7 + 0.3) / clip.rate)
    assert np.allclose(np.abs((between * again).sum(axis=-1)), 1.0, atol=1e-12)


def test_before_and_after_a_clip_its_pose_stays() -> None:
    clip = _random_clip(3)
    root, _ = clip.pose(np.array([-5.0, 100.0]))
    assert np.array_equal(root, clip.root[[0, -1]])
    single = clip.frames(4, 5)
    assert single.duration == 0.0
    assert np.array_equal(single.pose(0.7)[0], clip.root[4])


def test_other_rates_keep_the_motion() -> None:
    clip = _random_clip(4)
    finer = clip.resampled(60.0)
    assert len(finer) == 61
    assert finer.duration == pytest.approx(clip.duration)
    assert np.array_equal(finer.root[::3], clip.root)
    assert np.array_equal(finer.rotations[::3], clip.rotations)
    assert np.array_equal(finer.shifts[2][::3], clip.shifts[2])
    coarser = clip.resampled(3.0)
    assert len(coarser) == 4
    assert coarser.rate == 3.0


def test_parts_begin_at_zero_again() -> None:
    clip = _random_clip(5)
    part = clip.trimmed(0.2, 0.5)
    assert len(part) == 7
    assert np.array_equal(part.root, clip.root[4:11])
    assert np.array_equal(part.shifts[2], clip.shifts[2][4:11])
    assert len(clip.trimmed()) == len(clip)
    with pytest.raises(InputError, match="lasts from 0 to 1 s"):
        clip.trimmed(0.9, 1.2)
    with pytest.raises(InputError, match="no frames from"):
        clip.trimmed(0.5, 0.2)


def test_headings_are_those_of_the_hips_and_continuous() -> None:
    clip = _random_clip(6)
    yaw = np.linspace(-3.0, 9.0, len(clip))
    local = np.tile(rotations.IDENTITY, (len(clip), 21, 1))
    local[:, 0] = rotations.from_yaw(yaw)
    turning = Clip(name="t", skeleton=clip.skeleton, rate=20.0, root=clip.root, rotations=local)
    assert np.allclose(turning.headings(), yaw)


def test_aligned_clips_are_where_they_should_be_and_move_the_same() -> None:
    clip = _random_clip(7)
    moved = clip.aligned([3.0, -2.0, 0.5], 1.2, time=0.33)
    hips, _ = moved.at(np.array([0.33])).forward()
    thighs = hips[0, [clip.bone("left_thigh"), clip.bone("right_thigh")]]
    assert np.allclose(thighs.mean(axis=0)[:2], [3.0, -2.0])
    left = thighs[0] - thighs[1]
    assert np.arctan2(-left[0], left[1]) == pytest.approx(1.2)
    before, after = clip.forward()[0], moved.forward()[0]
    assert np.allclose(after[..., 2], before[..., 2] + 0.5)
    apart = np.linalg.norm(before[:, :, None] - before[:, None], axis=-1)
    assert np.allclose(np.linalg.norm(after[:, :, None] - after[:, None], axis=-1), apart)


def test_wrong_clips_are_refused() -> None:
    skeleton = Skeleton(joints=("a", "b"), parents=(-1, 0), offsets=np.zeros((2, 3)))
    good = {"name": "x", "skeleton": skeleton, "rate": 1.0, "root": np.zeros((3, 3))}
    turns = np.tile(rotations.IDENTITY, (3, 2, 1))
    with pytest.raises(InputError, match="non-zero length"):
        Clip(**good, rotations=0 * turns)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="finite"):
        Clip(**good, rotations=np.nan * turns)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="shifts"):
        Clip(**good, rotations=turns, shifts={0: np.zeros((3, 3))})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="shifts"):
        Clip(**good, rotations=turns, shifts={1: np.zeros((2, 3))})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="bone 'pelvis' is joint 7"):
        Clip(**good, rotations=turns, bones={"pelvis": 7})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="has no left_thigh; known are: none"):
        Clip(**good, rotations=turns).headings()  # type: ignore[arg-type]
    assert np.allclose(Clip(**good, rotations=turns * 3).rotations, turns)  # type: ignore[arg-type]
