"""Trunk, head and arms over the walking legs."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.skeleton import Skeleton
from surefoot.math import rotations
from surefoot.motion.gait import walk
from surefoot.motion.gait.flow import Flow
from surefoot.motion.gait.idle import Idle
from surefoot.motion.gait.pelvis import turned

_ARM_OUT = 0.13  # [rad] that arms hang away from the body
_X, _Y, _Z = np.eye(3)


def pose_upper_body(
    skeleton: Skeleton, flow: Flow, idle: Idle, pelvis: Floats, local: Floats
) -> None:
    """Writes the local rotations of trunk, head and arms into `local` `(n, joints, 4)`.

    Args:
        skeleton: with the canonical joints.
        flow: the walk at `n` moments.
        idle: what standing adds.
        pelvis: `(n, 4)` its world rotation.
        local: where to write.
    """
    phase, ratio, vigour = flow.phase, flow.ratio, flow.vigour
    walks, heading = flow.activity, flow.track.heading
    # A body leans into slopes, speed and turns, mostly above the hips.
    climb = np.maximum(flow.climb, 0.3 * flow.climb)
    lean = 0.03 + walks * 0.09 * ratio + 0.35 * climb + 0.5 * flow.surge
    chest = turned(
        heading + vigour * walk.CHEST_YAW.at(phase, ratio) + 0.25 * flow.look,
        lean + vigour * walk.CHEST_PITCH.at(phase, ratio) - 0.006 * idle.breath,
        vigour * walk.CHEST_ROLL.at(phase, ratio) - 0.7 * flow.bank - 0.35 * idle.roll,
    )
    head = turned(
        heading + 0.75 * flow.look + idle.glance,
        0.04 + 0.25 * flow.climb,
        -0.25 * flow.bank,
    )
    spine = rotations.slerp(pelvis, chest, np.full(len(phase), 0.45))
    neck = rotations.slerp(chest, head, np.full(len(phase), 0.5))
    above = pelvis
    for joint, world in (("spine", spine), ("chest", chest), ("neck", neck), ("head", head)):
        local[:, skeleton.index(joint)] = rotations.multiply(rotations.inverse(above), world)
        above = world
    for side, sign, shift in (("left", 1.0, 0.0), ("right", -1.0, 0.5)):
        _pose_arm(skeleton, flow, idle, local, side, sign, phase + shift)


def _pose_arm(
    skeleton: Skeleton, flow: Flow, idle: Idle, local: Floats, side: str, sign: float, phase: Floats
) -> None:
    """One arm; `phase` is 0 at the contact of the foot on its side, when it is behind."""
    ratio, vigour, walks = flow.ratio, flow.vigour, flow.activity
    forward = 0.02 - 0.05 * walks + 0.9 * vigour * walk.ARM_FORWARD.at(phase, ratio)
    outward = _ARM_OUT + 0.05 * walks * ratio + 0.5 * vigour * walk.ARM_OUTWARD.at(phase, ratio)
    elbow = 0.16 + walks * (0.08 + 0.32 * ratio) + 0.5 * vigour * walk.ELBOW.at(phase, ratio)
    elbow = np.maximum(elbow, 0.06)
    inward = 0.12 + 0.25 * walks * ratio
    arm = rotations.multiply(
        rotations.from_axis_angle(_X, sign * outward), rotations.from_axis_angle(_Y, -forward)
    )
    # Turned in a little, so that the forearm swings across the body.
    arm = rotations.multiply(arm, rotations.from_axis_angle(_Z, -sign * inward))
    raised = 0.012 * idle.breath
    local[:, skeleton.index(f"{side}_shoulder")] = rotations.from_axis_angle(_X, sign * raised)
    local[:, skeleton.index(f"{side}_upper_arm")] = arm
    local[:, skeleton.index(f"{side}_forearm")] = rotations.from_axis_angle(_Y, -elbow)
    hang = np.full(len(phase), 0.10)
    local[:, skeleton.index(f"{side}_hand")] = rotations.from_axis_angle(_Y, -hang)
