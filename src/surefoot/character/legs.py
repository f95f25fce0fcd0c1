"""Legs by analytic inverse kinematics: the hip is here, the ankle goes there, the knee bends ahead.

Two bones and a knee have one free choice left, the plane they bend in. It is given by the knee's
axis, the direction to the character's left, and not by a direction the knee should point to: the
axis stays well defined when the leg swings up to where the knee points, and it has a front side,
so a knee cannot bend backward.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import ArrayLike, Floats, number
from surefoot.character.humanoid import SIDES
from surefoot.character.skeleton import Skeleton
from surefoot.errors import CharacterError, one_of
from surefoot.math import rotations

ANKLE_TURN = 0.42
"""[rad] that ankles turn at most, of what a foot is turned against the pelvis; hips do the rest."""

_LEFT = np.array([0.0, 1.0, 0.0])
_FORWARD = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class LegPose:
    """One leg, solved for each frame.

    Attributes:
        thigh: `(..., 4)` local rotation.
        shin: `(..., 4)` local rotation.
        foot: `(..., 4)` local rotation.
        ankle: `(..., 3)` [m], where the ankle is: the target where that can be reached.
        stretch: `(...)`, hip to target over the straight leg; the target is out of reach above 1.
    """

    thigh: Floats
    shin: Floats
    foot: Floats
    ankle: Floats
    stretch: Floats


def soft_reach(distance: ArrayLike, full: float, soft: float = 0.0) -> Floats:
    """The distance [m] a leg takes when asked for `distance`, never more than `full`.

    Exact up to `(1 - soft) * full`; beyond, it approaches `full` smoothly, so that a knee near
    full extension straightens without a pop.

    Args:
        distance: `(...)` [m].
        full: [m], > 0: the straight leg.
        soft: in [0, 1): the share of the leg that gives way; 0 stops hard at `full`.
    """
    distance = np.asarray(distance, dtype=np.float64)
    zone = number(soft, "soft", at_least=0.0, at_most=0.999, error=CharacterError) * full
    if zone == 0.0:
        return np.minimum(distance, full)
    over = np.maximum(distance - (full - zone), 0.0)
    return np.where(over > 0.0, full - zone * np.exp(-over / zone), distance)


def two_bones(
    start: ArrayLike,
    target: ArrayLike,
    axis: ArrayLike,
    upper: float,
    lower: float,
    *,
    soft: float = 0.0,
    max_bend: float = np.pi,
) -> tuple[Floats, Floats, Floats]:
    """Where the middle joint and the end of two bones go, and the axis they bend about.

    Args:
        start: `(..., 3)` [m], where the first bone begins.
        target: `(..., 3)` [m], where the second should end.
        axis: `(..., 3)`, the direction to bend about; seen from its tip, the second bone turns
            counter-clockwise from the first (a knee: to the left; an elbow: to the right).
        upper: [m], > 0, length of the first bone.
        lower: [m], > 0, length of the second.
        soft: share of the full length that gives way near full reach; see `soft_reach`.
        max_bend: [rad], in (0, pi]: the tightest bend between the bones.

    Returns:
        The middle joint `(..., 3)`, the end `(..., 3)` and the unit axis `(..., 3)`, across both
        bones.
    """
    start, target = np.asarray(start, dtype=np.float64), np.asarray(target, dtype=np.float64)
    line = target - start
    distance = np.linalg.norm(line, axis=-1, keepdims=True)
    # A target at the start itself has no direction; hang the limb straight down.
    aim = np.where(distance > 1e-12, line / np.maximum(distance, 1e-12), [0.0, 0.0, -1.0])
    shortest = np.sqrt(upper**2 + lower**2 + 2 * upper * lower * np.cos(max_bend))
    shortest = max(float(shortest), abs(upper - lower), 1e-9)
    reach = np.maximum(soft_reach(distance, upper + lower, soft), shortest)
    across = _across(np.asarray(axis, dtype=np.float64), aim)
    # The foot of the middle joint's height over the line, and that height (law of cosines).
    along = (upper**2 - lower**2 + reach**2) / (2 * reach)
    height = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    middle = start + along * aim + height * np.cross(aim, across)
    end = np.where(reach == distance, target, start + reach * aim)
    return middle, end, across


def _across(axis: Floats, aim: Floats) -> Floats:
    """Unit vectors across `aim`, as near to `axis` as can be."""
    across = axis - (axis * aim).sum(axis=-1, keepdims=True) * aim
    size = np.linalg.norm(across, axis=-1, keepdims=True)
    # A limb straight along the axis: take the axis that it would have had coming from below.
    spare = np.cross(aim, np.where(np.abs(aim[..., :1]) < 0.9, _FORWARD, [0.0, 0.0, -1.0]))
    across = np.where(size > 1e-9, across, spare)
    return across / np.linalg.norm(across, axis=-1, keepdims=True)


def solve_leg(
    skeleton: Skeleton,
    side: str,
    pelvis: ArrayLike,
    pelvis_rotation: ArrayLike,
    ankle: ArrayLike,
    foot_rotation: ArrayLike,
    *,
    axis: ArrayLike | None = None,
    soft: float = 0.0,
) -> LegPose:
    """The local rotations that bring one foot where it should be.

    Args:
        skeleton: with the canonical joints.
        side: "left" or "right".
        pelvis: `(..., 3)` [m], world position.
        pelvis_rotation: `(..., 4)`, world rotation.
        ankle: `(..., 3)` [m], where the ankle should be in the world.
        foot_rotation: `(..., 4)`, world rotation of the foot; the identity is flat, facing +x.
        axis: `(..., 3)`, the knee's axis, to the left; when not given, midway between the left
            of the pelvis and the left of the foot, or nearer to the foot's where it is turned far:
            ankles turn less than hips.
        soft: share of the leg that gives way near full reach; see `soft_reach`.
    """
    if side not in SIDES:
        raise CharacterError(one_of("side", side, SIDES))
    thigh, shin, foot = skeleton.indices([f"{side}_{bone}" for bone in ("thigh", "shin", "foot")])
    turn, feet = rotations.normalize(pelvis_rotation), rotations.normalize(foot_rotation)
    hip = np.asarray(pelvis) + rotations.rotate(turn, skeleton.offsets[thigh])
    target = np.asarray(ankle, dtype=np.float64)
    if axis is None:
        axis = _between(rotations.rotate(turn, _LEFT), rotations.rotate(feet, _LEFT))
    down, below = skeleton.offsets[shin], skeleton.offsets[foot]
    upper, lower = float(np.linalg.norm(down)), float(np.linalg.norm(below))
    knee, reached, across = two_bones(
        hip,
        target,
        axis,
        upper,
        lower,
        soft=soft,
        max_bend=float(skeleton.limits[shin, 1, 1]),
    )
    thigh_world = aligned(down, knee - hip, across)
    shin_world = aligned(below, reached - knee, across)
    frames = np.broadcast_shapes(turn.shape[:-1], shin_world.shape[:-1], feet.shape[:-1])
    return LegPose(
        thigh=_full(rotations.multiply(rotations.inverse(turn), thigh_world), frames),
        shin=_full(rotations.multiply(rotations.inverse(thigh_world), shin_world), frames),
        foot=_full(rotations.multiply(rotations.inverse(shin_world), feet), frames),
        ankle=_full(reached, frames),
        stretch=np.broadcast_to(np.linalg.norm(target - hip, axis=-1) / (upper + lower), frames),
    )


def _between(pelvis: Floats, foot: Floats) -> Floats:
    """A knee's axis between the left of the pelvis and the left of the foot."""
    apart = np.arctan2(
        np.linalg.norm(np.cross(pelvis, foot), axis=-1, keepdims=True),
        (pelvis * foot).sum(axis=-1, keepdims=True),
    )
    at_ankle = ANKLE_TURN * np.tanh(0.5 * apart / ANKLE_TURN)
    # The weights of a turn from one into the other; the sines' common divisor does not matter.
    small = apart < 1e-6
    weights = np.where(small, 1.0, np.sin(at_ankle)), np.where(small, 1.0, np.sin(apart - at_ankle))
    return weights[0] * pelvis + weights[1] * foot


def place_feet(
    skeleton: Skeleton,
    root: ArrayLike,
    local_rotations: ArrayLike,
    ankles: ArrayLike,
    foot_rotations: ArrayLike,
    *,
    axes: ArrayLike | None = None,
    soft: float = 0.0,
) -> tuple[Floats, Floats]:
    """A pose with both feet where they should be; only thighs, shins and feet change.

    Args:
        skeleton: with the canonical joints.
        root: `(..., 3)` [m], the pelvis.
        local_rotations: `(..., n, 4)`.
        ankles: `(..., 2, 3)` [m], left and right, in the world.
        foot_rotations: `(..., 2, 4)`, left and right, in the world.
        axes: `(..., 2, 3)`, the knees' axes; see `solve_leg`.
        soft: share of the leg that gives way near full reach; see `soft_reach`.

    Returns:
        Local rotations `(..., n, 4)`, and the ankles `(..., 2, 3)` as reached.
    """
    local = np.array(local_rotations, dtype=np.float64)
    targets, feet = np.asarray(ankles, dtype=np.float64), np.asarray(foot_rotations)
    bend = None if axes is None else np.asarray(axes, dtype=np.float64)
    reached = np.empty((*local.shape[:-2], 2, 3))
    for number_of_side, side in enumerate(SIDES):
        leg = solve_leg(
            skeleton,
            side,
            root,
            local[..., 0, :],
            targets[..., number_of_side, :],
            feet[..., number_of_side, :],
            axis=None if bend is None else bend[..., number_of_side, :],
            soft=soft,
        )
        for bone, turned in (("thigh", leg.thigh), ("shin", leg.shin), ("foot", leg.foot)):
            local[..., skeleton.index(f"{side}_{bone}"), :] = turned
        reached[..., number_of_side, :] = leg.ankle
    return local, reached


def aligned(rest: Floats, direction: Floats, across: Floats) -> Floats:
    """World rotations that turn the bone `rest` into `direction` and its left into `across`."""
    start = _frame(rest, _across(_LEFT, rest / np.linalg.norm(rest)))
    end = _frame(direction, across)
    return rotations.from_matrix(end @ np.swapaxes(start, -1, -2))


def _frame(bone: Floats, across: Floats) -> Floats:
    """Right-handed frames `(..., 3, 3)` with columns forward, left and up against the bone."""
    up: Floats = -bone / np.linalg.norm(bone, axis=-1, keepdims=True)
    forward: Floats = np.cross(across, up)
    return np.stack([forward, across, up], axis=-1)


def _full(array: Floats, frames: tuple[int, ...]) -> Floats:
    return np.broadcast_to(array, (*frames, array.shape[-1]))
