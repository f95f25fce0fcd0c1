"""One clip into another: aligned, smooth, with feet that stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Clip, Motion
from surefoot.motion.blending import blend_poses, crossfade, shares
from surefoot.motion.playing.footage import footfalls_of
from surefoot.motion.quality import assess
from surefoot.motion.transitions import best_transitions
from surefoot.world import World

from .conftest import walked


def as_clip(motion: Motion, character: Character, name: str) -> Clip:
    return Clip(name=name, skeleton=character.skeleton, rate=60.0, root=motion.root,
                rotations=motion.rotations)  # fmt: skip


@pytest.fixture(scope="module")
def brisk(floor: World, adult: Character) -> Motion:
    return walked(floor, adult, 1.7)


def middle(clip: Clip) -> Clip:
    return replace(clip, root=clip.root[80:230], rotations=clip.rotations[80:230])


def turned_away(clip: Clip) -> Clip:
    """The same clip elsewhere, facing another way."""
    turn = rotations.from_yaw(2.0)
    local = clip.rotations.copy()
    local[:, 0] = rotations.multiply(turn, local[:, 0])
    shift = np.array([30.0, -7.0, 0.0])
    return replace(clip, root=rotations.rotate(turn, clip.root) + shift, rotations=local)


def test_shares_have_level_ends() -> None:
    t = np.linspace(-0.1, 0.5, 601)
    share = shares(t, 0.4)
    assert share[0] == 0.0
    assert share[-1] == 1.0
    assert np.diff(share).min() >= 0.0
    assert np.abs(np.diff(share, 2)).max() < 1e-4


def test_blended_poses_go_the_shorter_way() -> None:
    start = np.tile(rotations.IDENTITY, (3, 2, 1))
    end = -rotations.from_axis_angle([0.0, 0.0, 1.0], np.full((3, 2), 0.8))
    root, turned = blend_poses(np.zeros((3, 3)), start, np.ones((3, 3)), end, [0.0, 0.25, 1.0])
    assert root[1] == pytest.approx([0.25] * 3)
    assert rotations.yaw(turned)[:, 0] == pytest.approx([0.0, 0.2, 0.8])


@pytest.mark.parametrize("blend", [0.1, 0.3, 0.5])
def test_a_walk_goes_over_into_a_brisk_one(
    strolled: Motion, brisk: Motion, adult: Character, floor: World, blend: float
) -> None:
    first, second = as_clip(strolled, adult, "stroll"), as_clip(brisk, adult, "brisk")
    second = turned_away(second)
    moved = rotations.from_yaw(2.0)
    holds = [
        replace(
            hold,
            position=rotations.rotate(moved, hold.position) + np.array([30.0, -7.0, 0.0]),
            rotation=rotations.multiply(moved, hold.rotation),
        )
        for hold in brisk.footholds
    ]
    planted = (footfalls_of(strolled.footholds), footfalls_of(holds))
    # Somewhere in the steady part of both walks.
    way = best_transitions(middle(first), middle(second), count=1, blend=0.3)[0]
    leave, enter = way.leave + 80 / 60, way.enter + 80 / 60
    made = crossfade(
        first, second, adult.measures, leave=leave, enter=enter, blend=blend,
        planted=planted, world=floor,
    )  # fmt: skip
    quality = assess(made, adult.measures, world=floor)
    assert quality.slide < 1e-3
    assert quality.knee_acceleration < 550
    assert quality.penetration < 0.01
    # Straight on: what is turned away is turned back.
    assert np.abs(made.root[:, 1]).max() < 0.25
    # Before the transition nothing has changed.
    before = made.times < leave - 1e-9
    assert np.abs(made.root[before] - strolled.root[: before.sum()]).max() < 4e-3
    speeds = np.linalg.norm(np.diff(made.root, axis=0), axis=1) * 60
    assert np.abs(np.diff(speeds)).max() < 0.35


def test_a_foot_that_both_have_on_the_ground_stays_locked(
    strolled: Motion, adult: Character, floor: World
) -> None:
    """From a walk into a stand: the feet of the last step are those it stands on."""
    clip = as_clip(strolled, adult, "walk")
    planted = footfalls_of(strolled.footholds)
    last = max(hold.start for hold in strolled.footholds)
    made = crossfade(clip, clip, adult.measures, leave=last + 0.05, enter=last + 0.3, blend=0.2,
                     planted=(planted, planted), world=floor)  # fmt: skip
    after = made.times > last + 0.06
    assert len(set(made.holds[after, 0])) == 1
    assert len(set(made.holds[after, 1])) == 1
    assert assess(made, adult.measures, world=floor).slide < 1e-3


def test_bad_crossfades_are_refused(strolled: Motion, adult: Character) -> None:
    clip = as_clip(strolled, adult, "walk")
    with pytest.raises(InputError, match=r"blend \[s\] must be at most 0.5"):
        crossfade(clip, clip, adult.measures, leave=1.0, enter=1.0, blend=2.0)
    with pytest.raises(InputError, match="after the end of clip 'walk'"):
        crossfade(clip, clip, adult.measures, leave=99.0, enter=1.0)
    with pytest.raises(InputError, match="something of both"):
        crossfade(clip, clip, adult.measures, leave=0.0, enter=1.0)
