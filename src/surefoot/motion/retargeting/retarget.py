"""Any person's clip as a clip of the canonical skeleton with the actor's measures.

World rotations are carried over, bone by bone, and the legs are then solved so that the ankles,
and with them the soles, are exactly where the actor's are; knees bend about the actor's own axes.
"""

from __future__ import annotations

import numpy as np

from surefoot.character import humanoid
from surefoot.character.humanoid import JOINTS, SIDES
from surefoot.character.measures import Measures
from surefoot.motion.clip import Clip
from surefoot.motion.retargeting.actor import actor_of
from surefoot.motion.retargeting.sizing import measure

# Feet beyond their limits by less [rad] are no fault of the capture.
_FLIPPED = 0.35


def to_humanoid(clip: Clip) -> tuple[Clip, Measures]:
    """The clip on the canonical skeleton, and the measures of its actor.

    The soles are where the actor's were. Joints that the actor lacks follow their neighbours: a
    spine without bones bends halfway, missing toes, hands and shoulders do not bend, missing
    arms hang.

    Raises:
        CharacterError: no legs of a person are known, or it goes on all fours.
    """
    actor = actor_of(clip)
    measures = measure(actor.lengths)
    skeleton = humanoid.skeleton(measures)
    feet = [skeleton.limits[skeleton.index(f"{side}_foot")].ravel().tolist() for side in SIDES]
    root, local, beyond = actor.carried_over(skeleton.offsets, *feet)
    missing = [joint for joint, index in zip(JOINTS, actor.bones, strict=True) if index < 0]
    for side in SIDES:
        if f"{side}_upper_arm" in missing:
            arm = skeleton.index(f"{side}_upper_arm")
            local[:, arm] = skeleton.rest_rotations[arm]
    local.flags.writeable = root.flags.writeable = False
    notes = list(clip.notes)
    if actor.exchanged:
        notes.append("left and right were exchanged: the knees bend and the feet point backward")
    if not actor.stands:
        notes.append("the skeleton does not rest standing; its trunk is upright on average")
    if beyond > _FLIPPED:
        most = np.degrees(beyond)
        notes.append(f"feet are turned up to {most:.0f} degrees further than ankles go; limited")
    if missing:
        notes.append(f"not in the skeleton: {', '.join(missing)}")
    moved = Clip(
        name=clip.name,
        skeleton=skeleton,
        rate=clip.rate,
        root=root,
        rotations=local,
        notes=tuple(notes),
    )
    return moved, measures
