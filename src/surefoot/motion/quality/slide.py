"""Foot slide and penetration: do feet stay where they were put, and above the ground?"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton
from surefoot.math import rotations
from surefoot.motion.footholds import SIDES, Holds
from surefoot.motion.gait.walker import Motion
from surefoot.world import World

DEEPEST = 0.3
"""[m] that a sole is looked for below a surface; what is farther down is under another floor."""

_ANGLES = np.arange(16) * (np.pi / 8)
_SIDEWAYS: Floats = np.stack([np.cos(_ANGLES), np.sin(_ANGLES), np.zeros(16)], axis=-1)


def sole_points(
    skeleton: Skeleton, measures: Measures, root: Floats, local_rotations: Floats
) -> Floats:
    """`(n, 2, 3, 3)` [m]: heel, ball joint and toe tip of left and right foot, in the world.

    The ball is the joint that toes bend about: the point of the foot that rests while heel or
    toes roll.

    Args:
        skeleton: with the canonical joints.
        measures: of the body.
        root: `(n, 3)` [m].
        local_rotations: `(n, joints, 4)`.
    """
    positions, turned = skeleton.forward(root, local_rotations)
    feet: list[Floats] = []
    for side in SIDES:
        ankle, toes = skeleton.indices([f"{side}_foot", f"{side}_toe"])
        heel = positions[:, ankle] + rotations.rotate(turned[:, ankle], measures.heel)
        tip = skeleton.tip_position(f"{side}_toe_tip", positions, turned)
        feet.append(np.stack([heel, positions[:, toes], tip], axis=1))
    return np.stack(feet, axis=1)


def foot_slide(motion: Motion, world: World, skeleton: Skeleton, measures: Measures) -> Floats:
    """How fast feet slide `(n - 1, 2)` [m/s], left and right, between moments.

    The speed of the contact point relative to the supporting body: the heel while it is on the
    ground, the toes while they are, the faster of the two while both are. NaN in the air.
    """
    points = sole_points(skeleton, measures, motion.root, motion.rotations)
    holds = Holds(world, motion.footholds)
    local = np.empty_like(points)
    for foot in range(2):
        for point in range(3):
            which = motion.holds[:, foot]
            local[:, foot, point] = holds.to_carrier(which, points[:, foot, point], motion.times)
    same = motion.holds[1:] == motion.holds[:-1]
    return contact_speed(motion.times, local, motion.contacts, same)


def contact_speed(times: Floats, points: Floats, contacts: Bools, same: Bools | None = None) -> (
    Floats
):  # fmt: skip
    """How fast contact points move `(n - 1, 2)` [m/s], left and right; NaN in the air.

    Args:
        times: `(n,)` [s].
        points: `(n, 2, 3, 3)` [m]: see `sole_points`, in the frames of what carries the feet.
        contacts: `(n, 2, 2)`: left and right foot; heel and toes.
        same: `(n - 1, 2)`: whether a foot is on the same foothold at both moments.
    """
    speed = np.linalg.norm(np.diff(points, axis=0), axis=-1) / np.diff(times)[:, None, None]
    on = contacts[1:] & contacts[:-1]
    if same is not None:
        on = on & same[..., None]
    # The heel is one contact; ball and toe tip rest together.
    touching = on[..., [0, 1, 1]]
    return np.where(touching.any(axis=-1), np.where(touching, speed, 0.0).max(axis=-1), np.nan)


def penetration(world: World, times: Floats, points: Floats) -> Floats:
    """How deep `(n, ...)` [m] points `(n, ..., 3)` are inside the world; 0 outside.

    The shortest way out, up or to a side, for points with a surface less than `DEEPEST` above
    them. Not down: a toe that rests on the floor inside a step is still inside.
    """
    moments = np.broadcast_to(times.reshape(-1, *[1] * (points.ndim - 2)), points.shape[:-1])
    above = world.support(points, moments, up=DEEPEST, down=0.0)
    below = above.hit & (above.height > points[..., 2] + 1e-9)
    depth = np.zeros(points.shape[:-1])
    if below.any():
        rays = world.ray(
            points[below][:, None], _SIDEWAYS, moments[below][:, None], max_distance=DEEPEST
        )
        up = above.height[below] - points[below][:, 2]
        depth[below] = np.minimum(up, rays.distance.min(axis=1))
    return depth
