"""What it costs to go from one pose on to another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.character import Character, Skeleton
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Clip, Motion
from surefoot.motion.transitions import (
    WEIGHTS,
    best_transitions,
    clip_features,
    pose_features,
    transition_costs,
)


@pytest.fixture(scope="module")
def clip(strolled: Motion, adult: Character) -> Clip:
    """Two and a half strides of a walk."""
    middle = slice(100, 270)
    return Clip(name="walk", skeleton=adult.skeleton, rate=60.0, root=strolled.root[middle],
                rotations=strolled.rotations[middle])  # fmt: skip


def test_costs_are_the_weighted_differences_written_out(clip: Clip) -> None:
    """Against the definition, joint by joint, for a few pairs of frames."""
    costs = transition_costs(clip_features(clip), clip_features(clip))
    skeleton = clip.skeleton
    positions, turned = skeleton.forward(clip.root, clip.rotations)
    moving = np.gradient(positions, 1 / clip.rate, axis=0)

    def heading(frame: int) -> float:
        angles = []
        for joint in ("pelvis", "chest"):
            left = rotations.rotate(turned[frame, skeleton.index(joint)], [0.0, 1.0, 0.0])
            angles.append(np.arctan2(-left[0], left[1]))
        return float(np.mean(angles))

    def local(vector: np.ndarray, frame: int) -> np.ndarray:
        c, s = np.cos(heading(frame)), np.sin(heading(frame))
        return np.array([c * vector[0] + s * vector[1], c * vector[1] - s * vector[0], vector[2]])

    for a, b in ((0, 30), (12, 77), (150, 3)):
        total = weight = 0.0
        for joint, name in enumerate(skeleton.joints):
            w = WEIGHTS.get(name, WEIGHTS.get(name.split("_", 1)[-1], 0.0))
            place = local(positions[a, joint] - clip.root[a], a) - local(
                positions[b, joint] - clip.root[b], b
            )
            speed = local(moving[a, joint], a) - local(moving[b, joint], b)
            total += w * ((place**2).sum() + (0.15 * speed) ** 2 @ np.ones(3))
            weight += w
        assert costs[a, b] == pytest.approx(np.sqrt(total / weight), rel=1e-9)


def test_costs_do_not_depend_on_place_or_heading(clip: Clip) -> None:
    turn = rotations.from_yaw(2.3)
    turned = clip.rotations.copy()
    turned[:, 0] = rotations.multiply(turn, turned[:, 0])
    moved = rotations.rotate(turn, clip.root) + np.array([7.0, -3.0, 1.5])
    same = pose_features(clip.skeleton, moved, turned, clip.rate)
    assert np.abs(same - clip_features(clip)).max() < 1e-9


def test_costs_are_symmetric_and_nothing_costs_nothing(clip: Clip) -> None:
    costs = transition_costs(clip_features(clip), clip_features(clip))
    assert np.abs(costs - costs.T).max() < 1e-7
    assert np.diag(costs).max() < 1e-6
    assert costs.max() > 0.1


def test_a_walk_goes_on_best_after_a_stride(clip: Clip, strolled: Motion) -> None:
    """Half a stride on the other foot is down, so a whole one is the cheapest jump."""
    contacts = [hold.start for hold in strolled.footholds if hold.foot == "left"][1:]
    stride = float(np.median(np.diff(contacts)))
    found = best_transitions(clip, clip, count=3, apart=0.25)
    assert [t.cost for t in found] == sorted(t.cost for t in found)
    assert abs(found[0].leave - found[0].enter) == pytest.approx(stride, abs=0.05)
    assert found[0].cost < 0.05


def test_ways_lie_apart_and_leave_room(clip: Clip) -> None:
    found = best_transitions(clip, clip, count=4, apart=0.3, blend=0.5)
    assert len(found) == 4
    for i, one in enumerate(found):
        assert one.leave <= clip.duration - 0.5 + 1e-9
        assert one.enter <= clip.duration - 0.5 + 1e-9
        for other in found[:i]:
            assert max(abs(one.leave - other.leave), abs(one.enter - other.enter)) > 0.29


def test_bad_questions_are_refused(clip: Clip) -> None:
    short = replace(clip, root=clip.root[:5], rotations=clip.rotations[:5])
    with pytest.raises(InputError, match="too short to blend"):
        best_transitions(clip, short)
    with pytest.raises(InputError, match="count must be at least 1"):
        best_transitions(clip, clip, count=0)
    with pytest.raises(InputError, match="features must match"):
        transition_costs(np.zeros((2, 3)), np.zeros((2, 4)))
    stick = Skeleton(joints=("hips",), parents=(-1,), offsets=np.zeros((1, 3)))
    other = Clip(name="stick", skeleton=stick, rate=30.0, root=np.zeros((2, 3)),
                 rotations=np.tile([1.0, 0, 0, 0], (2, 1, 1)))  # fmt: skip
    with pytest.raises(InputError, match="canonical skeleton"):
        clip_features(other)
