"""The feet of a clip."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.humanoid import JOINTS
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.clip import Clip
from surefoot.motion.footholds import SIDES
from surefoot.motion.plants.paths import FootPaths

# Hip joint to sole over hip joint to ankle.
_SOLE = 1.085


def foot_paths(clip: Clip, measures: Measures | None = None) -> FootPaths:
    """Where the feet of a clip go.

    A canonical skeleton has heels, balls and toe tips; of others the ankles are followed, and the
    toes where there are any.

    Args:
        clip: whose feet are known bones.
        measures: of a canonical skeleton; its soles are guessed from its bones when not given.
    """
    missing = [f"{side}_foot" for side in SIDES if f"{side}_foot" not in clip.bones]
    if missing:
        raise InputError(f"clip {clip.name!r}: no {' and no '.join(missing)} is known")
    positions, turned = clip.forward()
    feet: dict[str, dict[str, Floats]] = {}
    for side in SIDES:
        feet[side] = (
            canonical_feet(clip.skeleton, side, positions, turned, measures)
            if clip.skeleton.joints == JOINTS
            else _joints(clip, side, positions, turned)
        )
    return FootPaths(
        rate=clip.rate, left=feet["left"], right=feet["right"], leg_length=_leg(clip, measures)
    )


def canonical_feet(
    skeleton: Skeleton, side: str, positions: Floats, turned: Floats, measures: Measures | None
) -> dict[str, Floats]:
    """Heel, ball and toe tip `(n, 3)` [m] of one foot of a canonical skeleton.

    Args:
        skeleton: with the canonical joints.
        side: "left" or "right".
        positions: `(n, joints, 3)` [m] in the world.
        turned: `(n, joints, 4)` in the world.
        measures: of the body; its heels are guessed from its bones when not given.
    """
    foot, toe = skeleton.indices([f"{side}_foot", f"{side}_toe"])
    if measures is not None:
        heel = measures.heel
    else:
        # As people's feet are: the heel behind the ankle by half of what the ball is ahead.
        ahead, low = skeleton.offsets[toe, 0], skeleton.offsets[toe, 2]
        heel = np.array([-0.485 * ahead, 0.0, low + skeleton.tip(f"{side}_toe_tip").offset[2]])
    return {
        "heel": positions[:, foot] + rotations.rotate(turned[:, foot], heel),
        "toe": positions[:, toe],
        "tip": skeleton.tip_position(f"{side}_toe_tip", positions, turned),
    }


def _joints(clip: Clip, side: str, positions: Floats, turned: Floats) -> dict[str, Floats]:
    skeleton = clip.skeleton
    foot = clip.bones[f"{side}_foot"]
    parts = {"ankle": positions[:, foot]}
    toe = clip.bones.get(f"{side}_toe")
    last = foot if toe is None else toe
    tips = [tip for tip in skeleton.tips if tip.joint == skeleton.joints[last]]
    if toe is not None:
        parts["toe"] = positions[:, toe]
        if tips:
            parts["tip"] = skeleton.tip_position(tips[0].name, positions, turned)
    elif tips:
        parts["toe"] = skeleton.tip_position(tips[0].name, positions, turned)
    return parts


def _leg(clip: Clip, measures: Measures | None) -> float | None:
    """[m] hip joint to sole; None where the leg's bones are not known."""
    if measures is not None:
        return measures.leg_length
    leg = ("left_shin", "left_foot")
    if not all(bone in clip.bones for bone in leg):
        return None
    lengths = [np.linalg.norm(clip.skeleton.offsets[clip.bones[bone]]) for bone in leg]
    return _SOLE * float(np.sum(lengths))
