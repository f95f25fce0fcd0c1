"""Transitions: what it costs to go from one pose on to another, and where two clips meet best.

Poses are compared as they move: joint positions and velocities, in the level frame that the body
faces (as in Lee et al. 2002, "Interactive control of avatars animated with human motion data").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, number
from surefoot.character.humanoid import JOINTS
from surefoot.character.skeleton import Skeleton
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.clip import Clip
from surefoot.motion.facing import facing

WEIGHTS: dict[str, float] = {
    "pelvis": 2.0, "chest": 0.5, "head": 0.5,
    "upper_arm": 0.25, "forearm": 0.5, "hand": 0.5,
    "shin": 1.0, "foot": 2.0, "toe": 1.0,
}  # fmt: skip
"""How much each joint counts, on either side: what bears weight counts most. Joints that are not
named follow from those that are."""

VELOCITY = 0.15
"""[s]: a difference of 1 m/s counts as much as one of 0.15 m, which is how far a crossfade of
0.3 s lets the two drift apart."""


@dataclass(frozen=True)
class Transition:
    """A way out of one clip and into another.

    Attributes:
        leave: [s] in the first clip.
        enter: [s] in the second.
        cost: [m], how far the poses are apart there; see `transition_costs`.
    """

    leave: float
    enter: float
    cost: float


def pose_features(skeleton: Skeleton, root: Floats, local_rotations: Floats, rate: float) -> Floats:
    """Moving poses as points `(n, k)` [m]: their distances are the costs of transitions.

    Positions are relative to the pelvis, velocities to the world, both in the level frame that
    the body faces, so that place, height of the floor and heading do not matter.

    Args:
        skeleton: with the canonical joints.
        root: `(n, 3)` [m].
        local_rotations: `(n, joints, 4)`.
        rate: [1/s] of the moments.
    """
    positions, _ = skeleton.forward(root, local_rotations)
    names = [name for name in JOINTS if name.split("_", 1)[-1] in WEIGHTS or name in WEIGHTS]
    weights = np.array(
        [WEIGHTS.get(name, WEIGHTS.get(name.split("_", 1)[-1], 0)) for name in names]
    )
    joints = positions[:, skeleton.indices(names)]
    moving = np.gradient(joints, 1 / rate, axis=0) if len(joints) > 1 else np.zeros_like(joints)
    back = rotations.from_yaw(-facing(skeleton, local_rotations))[:, None]
    shape = rotations.rotate(back, joints - root[:, None])
    speed = VELOCITY * rotations.rotate(back, moving)
    scale = np.sqrt(weights / weights.sum())[None, :, None]
    return np.concatenate([scale * shape, scale * speed], axis=1).reshape(len(root), -1)


def transition_costs(first: Floats, second: Floats) -> Floats:
    """Costs `(n, m)` [m] of going from each pose of one set on to each of another.

    The root of the weighted mean of squared differences of position and, times `VELOCITY`, of
    velocity.

    Args:
        first: `(n, k)`, see `pose_features`.
        second: `(m, k)`.
    """
    if first.shape[1] != second.shape[1]:
        raise InputError(f"features must match: {first.shape[1]} and {second.shape[1]} numbers")
    # |a - b|^2 by one matrix product; differences of large squares may end below zero.
    squared = (first**2).sum(axis=1)[:, None] + (second**2).sum(axis=1) - 2 * first @ second.T
    return np.sqrt(np.maximum(squared, 0.0))


def clip_features(clip: Clip) -> Floats:
    """`pose_features` of every frame of a clip on the canonical skeleton."""
    if clip.skeleton.joints != JOINTS:
        raise InputError(
            f"clip {clip.name!r} must be on the canonical skeleton; bring it there with"
            f" `to_humanoid` first"
        )
    return pose_features(clip.skeleton, clip.root, clip.rotations, clip.rate)


def best_transitions(
    first: Clip, second: Clip, *, count: int = 5, apart: float = 0.2, blend: float = 0.3
) -> tuple[Transition, ...]:
    """The cheapest ways from one clip into another, the cheapest first.

    Args:
        first: the clip to leave.
        second: the clip to enter; may be the same.
        count: how many to find at most, >= 1.
        apart: [s], >= 0: two ways are at least this far apart in either clip.
        blend: [s], >= 0: room for a crossfade that both clips must have left.
    """
    for name, value in (("apart", apart), ("blend", blend)):
        number(value, name, at_least=0.0)
    if count < 1:
        raise InputError(f"count must be at least 1, got {count}")
    for clip in (first, second):
        if clip.duration < blend:
            raise InputError(
                f"clip {clip.name!r} lasts {clip.duration:.2f} s, too short to blend over"
                f" {blend:g} s"
            )
    left, entered = _room(first, blend), _room(second, blend)
    costs = transition_costs(clip_features(first)[:left], clip_features(second)[:entered])
    if first is second:
        # Going on as before is no transition.
        times = np.arange(len(costs)) / first.rate
        costs[np.abs(times[:, None] - times[:entered]) < max(apart, 0.5 / first.rate)] = np.inf
    found: list[Transition] = []
    gap = int(apart * first.rate), int(apart * second.rate)
    while len(found) < count:
        i, j = (int(at) for at in np.unravel_index(np.argmin(costs), costs.shape))
        if not np.isfinite(costs[i, j]):
            break
        found.append(Transition(i / first.rate, j / second.rate, float(costs[i, j])))
        costs[max(i - gap[0], 0) : i + gap[0] + 1, max(j - gap[1], 0) : j + gap[1] + 1] = np.inf
    return tuple(found)


def _room(clip: Clip, blend: float) -> int:
    """How many frames of a clip have `blend` [s] after them."""
    return max(len(clip) - int(np.ceil(blend * clip.rate - 1e-9)), 1)
