"""Whose motion a clip is: the native study of its bones, from a clip."""

from __future__ import annotations

import numpy as np

from surefoot import _native
from surefoot.character.humanoid import JOINTS
from surefoot.errors import CharacterError
from surefoot.motion.bones import LEGS
from surefoot.motion.clip import Clip


def actor_of(clip: Clip) -> _native.Actor:
    """The actor of a clip.

    Raises:
        CharacterError: no legs of a person are known, or it goes on all fours.
    """
    skeleton = clip.skeleton
    missing = [joint for joint in ("pelvis", *LEGS) if joint not in clip.bones]
    if missing:
        shown = ", ".join(skeleton.joints[:40]) + (", ..." if len(skeleton) > 40 else "")
        raise CharacterError(
            f"clip {clip.name!r}: has no legs of a person that are known by name or shape;"
            f" missing: {', '.join(missing)}; its joints are: {shown}"
        )
    place = {name: index for index, name in enumerate(skeleton.joints)}
    actor = _native.Actor(
        *clip.forward(),
        *skeleton.rest_pose(),
        np.array([clip.bones.get(joint, -1) for joint in JOINTS], dtype=np.int32),
        np.array([place[tip.joint] for tip in skeleton.tips], dtype=np.int32),
        np.array([tip.offset for tip in skeleton.tips], dtype=np.float64).reshape(-1, 3),
    )
    if actor.on_all_fours:
        raise CharacterError(
            f"clip {clip.name!r}: this is a quadruped, not a person: its trunk lies and all four"
            " limbs reach the ground"
        )
    return actor
