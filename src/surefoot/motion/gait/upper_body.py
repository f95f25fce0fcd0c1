"""Trunk, head and arms over the walking legs."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.skeleton import Skeleton
from surefoot.math import rotations
from surefoot.motion.gait import crouch, pace, run, walk
from surefoot.motion.gait.flow import Flow
from surefoot.motion.gait.pelvis import PelvisPath, turned

_ARM_OUT = 0.13  # [rad] that arms hang away from the body
_X, _Y, _Z = np.eye(3)


def pose_upper_body(skeleton: Skeleton, flow: Flow, pelvis: PelvisPath, local: Floats) -> None:
    """Writes the local rotations of trunk, head and arms into `local` `(n, joints, 4)`.

    Args:
        skeleton: with the canonical joints.
        flow: the walk at `n` moments.
        pelvis: on which all that stands, with what standing and jumping add.
        local: where to write.
    """
    idle, gesture = pelvis.idle, pelvis.gesture
    phase, ratio, vigour = flow.phase, flow.ratio, flow.vigour
    walks, heading = flow.activity, flow.track.heading

    def both(name: str) -> Floats:
        return pace.curve(name, phase, ratio, flow.runs)

    # A body leans into slopes, speed and turns, mostly above the hips.
    climb = np.maximum(flow.climb, 0.3 * flow.climb)
    upright = pace.blended(flow.runs, 0.09 * np.minimum(ratio, 1.0), run.LEAN * ratio)
    low = flow.track.crouch
    lean = (
        0.03
        + walks * upright
        + 0.35 * climb
        + pace.blended(flow.runs, 0.5, 1.2) * flow.surge
        + gesture.lean
        + crouch.CHEST_LEAN * low
    )
    chest = turned(
        heading + vigour * both("CHEST_YAW") + 0.25 * flow.look,
        lean + vigour * both("CHEST_PITCH") - 0.006 * idle.breath,
        vigour * both("CHEST_ROLL") - 0.7 * flow.bank - 0.35 * idle.roll,
    )
    head = turned(
        heading + 0.75 * flow.look + idle.glance,
        0.04 + 0.25 * flow.climb + gesture.gaze + crouch.HEAD_LEAN * low,
        -0.25 * flow.bank,
    )
    spine = rotations.slerp(pelvis.rotation, chest, np.full(len(phase), 0.45))
    neck = rotations.slerp(chest, head, np.full(len(phase), 0.5))
    above = pelvis.rotation
    for joint, world in (("spine", spine), ("chest", chest), ("neck", neck), ("head", head)):
        local[:, skeleton.index(joint)] = rotations.multiply(rotations.inverse(above), world)
        above = world
    for side, sign, shift in (("left", 1.0, 0.0), ("right", -1.0, 0.5)):
        _pose_arm(skeleton, flow, pelvis, local, side, sign, phase + shift)


def _pose_arm(
    skeleton: Skeleton, flow: Flow, pelvis: PelvisPath, local: Floats, side: str, sign: float,
    phase: Floats,
) -> None:  # fmt: skip
    """One arm; `phase` is 0 at the contact of the foot on its side, when it is behind."""
    ratio, vigour, walks = flow.ratio, flow.vigour, flow.activity
    slow = np.minimum(ratio, walk.FITTED[1])
    # The arms of a walk are damped a little; those of a run are as fitted.
    forward, outward, elbow = (
        vigour * pace.blended(flow.runs, share, 1.0) * pace.curve(name, phase, ratio, flow.runs)
        for name, share in (("ARM_FORWARD", 0.9), ("ARM_OUTWARD", 0.5), ("ELBOW", 0.5))
    )
    runs = walks * flow.runs
    means = run.ARM_MEAN
    forward = forward + pace.blended(runs, 0.02 - 0.05 * walks, means[0])
    outward = outward + pace.blended(runs, _ARM_OUT + 0.05 * walks * slow, means[1])
    elbow = elbow + pace.blended(runs, 0.16 + walks * (0.08 + 0.32 * slow), means[2])
    elbow = np.maximum(elbow, 0.06)
    swings = vigour * flow.runs * run.INWARD.at(phase, ratio)
    inward = swings + pace.blended(runs, 0.12 + 0.25 * walks * slow, means[3])
    forward = forward + crouch.ARMS_FORWARD * flow.track.crouch
    elbow = elbow + crouch.ELBOWS * flow.track.crouch
    jump = pelvis.gesture
    forward = pace.blended(jump.arms, forward + 0.4 * jump.spread, jump.forward)
    outward = pace.blended(jump.arms, outward + jump.spread, jump.outward)
    elbow = pace.blended(jump.arms, elbow, jump.elbow)
    arm = rotations.multiply(
        rotations.from_axis_angle(_X, sign * outward), rotations.from_axis_angle(_Y, -forward)
    )
    # Turned in a little, so that the forearm swings across the body.
    arm = rotations.multiply(arm, rotations.from_axis_angle(_Z, -sign * inward))
    raised = 0.012 * pelvis.idle.breath
    local[:, skeleton.index(f"{side}_shoulder")] = rotations.from_axis_angle(_X, sign * raised)
    local[:, skeleton.index(f"{side}_upper_arm")] = arm
    local[:, skeleton.index(f"{side}_forearm")] = rotations.from_axis_angle(_Y, -elbow)
    hang = np.full(len(phase), 0.10)
    local[:, skeleton.index(f"{side}_hand")] = rotations.from_axis_angle(_Y, -hang)
