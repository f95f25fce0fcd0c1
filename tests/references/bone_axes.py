"""How the axes of the canonical joints lie in an actor's bones.

Skeletons differ in how their bones' own axes lie and in the pose that is zero. What a bone does
tells more than how it rests: a thigh points to its knee, and a knee bends about one axis, seen
from the thigh; a foot that stands still stands flat. Only for the trunk is the rest pose asked,
or, where nobody stands in it, the mean over the clip. A canonical joint's world rotation is then
the bone's, times a constant.
"""

from __future__ import annotations

import numpy as np

from references.actor import Actor, facing, unit
from references.standing import sole_frames
from surefoot.arrays import Floats
from surefoot.character.humanoid import SIDES
from surefoot.math import rotations

# A limb that never bends by this sine, or not about one axis to this share, does not show it.
_BENT, _ONE_AXIS = 0.12, 0.8


def bone_axes(actor: Actor) -> dict[str, Floats]:
    """By canonical joint, `(4,)`: from canonical axes to the bone's own, for bones that are known.

    The world rotation of the canonical joint is that of the bone times this.
    """
    found = {
        joint: _trunk(actor, joint)
        for joint in ("pelvis", "spine", "chest", "neck", "head")
        if joint in actor
    }
    for side in SIDES:
        shoulder, hand = f"{side}_shoulder", f"{side}_hand"
        if shoulder in actor:
            found[shoulder] = _trunk(actor, shoulder)
        found |= _limb(actor, f"{side}_thigh", f"{side}_shin", f"{side}_foot", 1.0)
        if f"{side}_forearm" in actor and f"{side}_upper_arm" in actor:
            found |= _arm(actor, side)
        if hand in actor and f"{side}_forearm" in found:
            found[hand] = _as_above(actor, f"{side}_forearm", hand, found[f"{side}_forearm"])
        foot = _as_above(actor, f"{side}_shin", f"{side}_foot", found[f"{side}_shin"])
        found |= sole_frames(actor, side, foot)
    return found


def _trunk(actor: Actor, joint: str) -> Floats:
    """A bone of the trunk: as it rests, or as it is on average over the clip."""
    if actor.rest_frame is not None:
        inverse = rotations.inverse(actor.rest_turn(joint))
        return rotations.multiply(inverse, rotations.from_matrix(actor.rest_frame))
    left = actor.left() * [1.0, 1.0, 0.0]
    heading = rotations.from_yaw(np.arctan2(-left[:, 0], left[:, 1]))
    turned = rotations.multiply(rotations.inverse(actor.turn(joint)[actor.some]), heading)
    return _mean(turned)


def _arm(actor: Actor, side: str) -> dict[str, Floats]:
    upper, fore, hand = (f"{side}_{bone}" for bone in ("upper_arm", "forearm", "hand"))
    if hand in actor:
        # An elbow bends the other way than a knee.
        return _limb(actor, upper, fore, hand, -1.0)
    axes = _frame(actor.bone(upper, fore), _resting_left(actor, upper, fore))
    return {upper: axes, fore: _as_above(actor, upper, fore, axes)}


def _limb(actor: Actor, upper: str, lower: str, end: str, sign: float) -> dict[str, Floats]:
    """Two bones: each points down to the next, and its left is the axis that they bend about."""
    bends = sign * actor.bends(upper, lower, end)
    found: dict[str, Floats] = {}
    for joint, below in ((upper, lower), (lower, end)):
        inside = actor.inside(joint, bends)
        total = inside.sum(axis=0)
        sizes = np.linalg.norm(inside, axis=1)
        if sizes.max() > _BENT and np.linalg.norm(total) > _ONE_AXIS * sizes.sum():
            left = total
        else:
            left = _resting_left(actor, joint, below)
        found[joint] = _frame(actor.bone(joint, below), left)
    return found


def _resting_left(actor: Actor, joint: str, below: str) -> Floats:
    """The left `(3,)` of a limb that does not bend, in the bone's own frame.

    The rest pose with the limb lowered the shortest way; without one, the body's left on average.
    """
    frame = actor.rest_frame
    if frame is None:
        return actor.inside(joint, actor.left()).mean(axis=0)
    along = actor.rest_place(below) - actor.rest_place(joint)
    lowered = rotations.between(along, -frame[:, 2])
    left = rotations.rotate(rotations.inverse(lowered), frame[:, 1])
    return rotations.rotate(rotations.inverse(actor.rest_turn(joint)), left)


def _frame(down: Floats, left: Floats) -> Floats:
    """The rotation `(4,)` with its down along `down` and its left as near to `left` as can be."""
    up = -down
    across = left - (left @ up) * up
    if np.linalg.norm(across) < 1e-6:
        axis: Floats = np.eye(3)[int(np.argmin(np.abs(up)))]
        across = axis - (axis @ up) * up
    return rotations.from_matrix(facing(unit(across), up))


def _as_above(actor: Actor, joint: str, below: str, axes: Floats) -> Floats:
    """The axes of the bone after `joint` where the two are as at rest, in line."""
    if actor.rest_frame is not None:
        between = rotations.multiply(
            rotations.inverse(actor.rest_turn(below)), actor.rest_turn(joint)
        )
    else:
        some = actor.some
        between = _mean(
            rotations.multiply(rotations.inverse(actor.turn(below)[some]), actor.turn(joint)[some])
        )
    return rotations.multiply(between, axes)


def _mean(quaternions: Floats) -> Floats:
    """The mean `(4,)` of rotations `(k, 4)`: the one nearest to all."""
    _, vectors = np.linalg.eigh(quaternions.T @ quaternions)
    return vectors[:, -1]
