"""BVH out: read again, it is the same clip."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from surefoot.character import Skeleton, adult
from surefoot.character.skeleton import tip
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Clip
from surefoot.motion.formats import read_bvh, write_bvh
from surefoot.motion.formats.bvh.writing import zxy_angles


def _same_turns(first: np.ndarray, second: np.ndarray) -> bool:
    return bool(np.allclose(np.abs((first * second).sum(axis=-1)), 1.0, atol=1e-13))


@settings(max_examples=60, deadline=None)
@example(207)  # Zero is as near to the positions of a joint as their median.
@given(st.integers(0, 2**32 - 1))
def test_read_again_it_is_the_same_clip(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    random = np.random.default_rng(seed)
    count, frames = int(random.integers(1, 15)), int(random.integers(1, 12))
    # Depth first, as files have them: each joint hangs on the one before or on one above that.
    parents = [-1]
    for joint in range(1, count):
        above = [joint - 1]
        while parents[above[-1]] >= 0:
            above.append(parents[above[-1]])
        parents.append(int(random.choice(above)))
    names = tuple(f"joint {joint}" for joint in range(count))
    ends = [name for joint, name in enumerate(names) if joint not in parents]
    skeleton = Skeleton(
        joints=names,
        parents=tuple(parents),
        offsets=np.concatenate([np.zeros((1, 3)), random.normal(size=(count - 1, 3))]),
        tips=tuple(tip(f"{name}_end", name, random.normal(size=3)) for name in ends),
    )
    moved = random.choice(np.arange(1, count), size=min(2, count - 1), replace=False)
    clip = Clip(
        name="clip",
        skeleton=skeleton,
        rate=float(random.choice([24.0, 30.0, 120.0, 59.94])),
        root=random.normal(size=(frames, 3)) * 10.0 ** random.integers(-6, 6),
        rotations=random.normal(size=(frames, count, 4)),
        shifts={int(joint): random.normal(size=(frames, 3)) for joint in moved},
    )
    path = tmp_path_factory.mktemp("written") / "clip.bvh"
    write_bvh(path, clip)
    again = read_bvh(path, scale=1.0, up="y", skip=0)
    assert again.skeleton.joints == names
    assert again.skeleton.parents == skeleton.parents
    assert again.rate == pytest.approx(clip.rate, rel=1e-12)
    assert np.array_equal(again.root, clip.root)
    assert _same_turns(again.rotations, clip.rotations)
    # One frame cannot show that a joint moves, but where it is.
    assert set(again.shifts) == (set(clip.shifts) if frames > 1 else set())
    for joint, places in again.shifts.items():
        assert np.array_equal(places, clip.shifts[joint])
    still = [joint for joint in range(count) if joint not in clip.shifts]
    assert np.array_equal(again.skeleton.offsets[still], skeleton.offsets[still])
    tips = {t.joint: t.offset.tolist() for t in skeleton.tips}
    assert {t.joint: t.offset.tolist() for t in again.skeleton.tips} == tips
    assert np.allclose(again.forward()[0], clip.forward()[0], atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize("decimals", [None, 3])
@pytest.mark.parametrize("places", [(-0.564, 0.204), (-0.792, 0.291), (-0.233, 0.838), (0.4, 0.6)])
def test_positions_about_zero_are_not_taken_for_what_is_added(
    tmp_path: Path, places: tuple[float, ...], decimals: int | None
) -> None:
    """Any place between the two middle ones of an even number is as near to all of them."""
    skeleton = Skeleton(
        joints=("a", "b"), parents=(-1, 0), offsets=np.array([[0.0, 0, 0], [0.1, 0.25, -0.3]])
    )
    moved = np.array(places)[:, None] * [1.0, -1.0, 0.5]
    count = len(places)
    clip = Clip(
        name="x", skeleton=skeleton, rate=30.0, root=np.arange(3.0 * count).reshape(count, 3),
        rotations=np.tile([1.0, 0.0, 0.0, 0.0], (count, 2, 1)), shifts={1: moved},
    )  # fmt: skip
    write_bvh(tmp_path / "x.bvh", clip, decimals=decimals)
    again = read_bvh(tmp_path / "x.bvh", scale=1.0, up="y", skip=0)
    expected = clip.forward()[0]
    assert np.allclose(again.forward()[0], expected, atol=1e-12 if decimals is None else 1e-3)


def test_a_person_comes_back_with_nothing_given(tmp_path: Path) -> None:
    skeleton = adult().skeleton
    local = np.tile(skeleton.rest_rotations, (30, 1, 1))
    root = np.tile(skeleton.offsets[0], (30, 1)) + np.arange(30)[:, None] * [0.01, 0.0, 0.0]
    clip = Clip(name="x", skeleton=skeleton, rate=30.0, root=root, rotations=local)
    write_bvh(tmp_path / "x.bvh", clip)
    again = read_bvh(tmp_path / "x.bvh")
    assert again.skeleton.joints == skeleton.joints
    assert dict(again.bones) == dict(clip.bones)
    assert np.array_equal(again.root, root)
    assert again.rate == 30.0
    write_bvh(tmp_path / "short.bvh", clip, decimals=3)
    assert "0.010 " in (tmp_path / "short.bvh").read_text()
    assert np.allclose(read_bvh(tmp_path / "short.bvh").root, root, atol=6e-4)


def test_angles_give_the_rotation_back_even_straight_up() -> None:
    random = np.random.default_rng(5)
    any_turn = rotations.normalize(random.normal(size=(500, 4)))
    angles = random.uniform(-np.pi, np.pi, size=(500, 3))
    angles[:, 1] = np.pi / 2 * random.choice([-1, 1], 500) + random.choice([0, 1e-15, 1e-9], 500)
    z, x, y = (
        rotations.from_axis_angle(axis, angles[:, k]) for k, axis in enumerate(np.eye(3)[[2, 0, 1]])
    )
    upright = rotations.multiply(z, rotations.multiply(x, y))
    for turns in (any_turn, upright):
        z, x, y = np.moveaxis(zxy_angles(turns), -1, 0)
        again = rotations.multiply(
            rotations.from_axis_angle([0.0, 0, 1], z),
            rotations.multiply(
                rotations.from_axis_angle([1.0, 0, 0], x), rotations.from_axis_angle([0.0, 1, 0], y)
            ),
        )
        assert _same_turns(again, turns)


def test_names_that_no_file_can_hold_are_refused(tmp_path: Path) -> None:
    skeleton = Skeleton(joints=("a\nb",), parents=(-1,), offsets=np.zeros((1, 3)))
    clip = Clip(
        name="x",
        skeleton=skeleton,
        rate=1.0,
        root=np.zeros((1, 3)),
        rotations=np.array([[[1.0, 0, 0, 0]]]),
    )
    with pytest.raises(InputError, match="cannot hold a joint called"):
        write_bvh(tmp_path / "x.bvh", clip)
