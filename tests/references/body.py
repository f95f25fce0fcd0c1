"""A body over time joint by joint, in numpy: what native/motion/body_paths must agree with."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.motion import Clip
from surefoot.motion.facing import facing
from surefoot.motion.footholds import SIDES
from surefoot.motion.plants.clips import canonical_feet


def paths(clip: Clip, measures: Measures) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Points, feet, headings, crouch and speed, as `_native.body_paths` gives them."""
    positions, turned = clip.forward()
    skeleton = clip.skeleton
    parts = [canonical_feet(skeleton, side, positions, turned, measures) for side in SIDES]
    feet = np.stack([np.stack([foot[p] for p in ("heel", "toe", "tip")], 1) for foot in parts], 1)
    joints = skeleton.indices(["pelvis", "head", "left_hand", "right_hand"])
    middles = (feet[:, :, 0] + feet[:, :, 1]) / 2
    points = np.concatenate([positions[:, joints], middles], axis=1)
    lowest = feet[:, :, [0, 2], 2].min(axis=(1, 2))
    speed = np.zeros(len(clip))
    if len(clip) > 1:
        speed = np.linalg.norm(np.gradient(clip.root, axis=0), axis=1) * clip.rate
    crouch = (clip.root[:, 2] - lowest) / measures.leg_length
    return points, feet, facing(skeleton, clip.rotations), crouch, speed
