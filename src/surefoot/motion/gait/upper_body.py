"""Trunk, head and arms over the walking legs."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.skeleton import Skeleton
from surefoot.math import rotations
from surefoot.motion.footholds import SIDES, Side
from surefoot.motion.gait import crouch, pace, run, walk
from surefoot.motion.gait.flow import Flow
from surefoot.motion.gait.jump_arms import ArmSwing
from surefoot.motion.gait.pelvis import PelvisPath, turned

_ARM_OUT = 0.13  # [rad] that arms hang away from the body
_X, _Y, _Z = np.eye(3)


def pose_upper_body(
    skeleton: Skeleton, flow: Flow, pelvis: PelvisPath, jump: ArmSwing, local: Floats
) -> None:
    """Writes the local rotations of trunk, head and arms into `local` `(n, joints, 4)`.

    Args:
        skeleton: with the canonical joints.
        flow: the walk at `n` moments.
        pelvis: on which all that stands, with what standing and jumping add.
        jump: what jumps do to the arms.
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
    for side in SIDES:
        _pose_arm(skeleton, flow, pelvis, jump, local, side)


def _pose_arm(
    skeleton: Skeleton, flow: Flow, pelvis: PelvisPath, jump: ArmSwing, local: Floats, side: Side
) -> None:
    """One arm: its own swing, and that of jumps."""
    column = SIDES.index(side)
    sign = 1.0 - 2.0 * column
    # 0 at the contact of the foot on its side, when it is behind.
    phase = flow.phase + 0.5 * column
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
    elbow = pace.blended(jump.share, elbow, jump.elbow[:, column])
    # Turned in a little, so that the forearm swings across the body.
    own = _turned_arm((_X, sign * outward), (_Y, -forward), (_Z, -sign * inward))
    # Arms that are thrown up are led outward from the plane in which they swing.
    thrown = _turned_arm(
        (_Y, -jump.forward[:, column]),
        (_X, sign * jump.outward[:, column]),
        (_Z, -sign * jump.inward[:, column]),
    )
    arm = rotations.slerp(own, thrown, jump.share)
    raised = 0.012 * pelvis.idle.breath
    local[:, skeleton.index(f"{side}_shoulder")] = rotations.from_axis_angle(_X, sign * raised)
    local[:, skeleton.index(f"{side}_upper_arm")] = arm
    local[:, skeleton.index(f"{side}_forearm")] = rotations.from_axis_angle(_Y, -elbow)
    hang = np.full(len(phase), 0.10)
    local[:, skeleton.index(f"{side}_hand")] = rotations.from_axis_angle(_Y, -hang)


def _turned_arm(*turns: tuple[Floats, Floats]) -> Floats:
    """The rotations `(n, 4)` of an arm: turns about axes [rad], the last one first."""
    first, second, third = (rotations.from_axis_angle(axis, angle) for axis, angle in turns)
    return rotations.multiply(rotations.multiply(first, second), third)
