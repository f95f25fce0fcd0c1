"""Figures that tell good motion from bad: how much feet slide, how fast knees turn."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton
from surefoot.math import rotations
from surefoot.motion.footholds import SIDES, Holds
from surefoot.motion.gait.walker import Motion
from surefoot.world import World


def foot_slide(motion: Motion, world: World, skeleton: Skeleton, measures: Measures) -> Floats:
    """How fast feet slide `(n - 1, 2)` [m/s], left and right, between moments.

    The speed of the contact point relative to the supporting body: the heel while it is on the
    ground, the toes while they are, the faster of the two while both are. NaN in the air.
    """
    positions, turned = skeleton.forward(motion.root, motion.rotations)
    holds = Holds(world, motion.footholds)
    steps = np.diff(motion.times)
    slide = np.full((len(steps), 2), np.nan)
    for foot, side in enumerate(SIDES):
        ankle, toes = skeleton.indices([f"{side}_foot", f"{side}_toe"])
        heel = positions[:, ankle] + rotations.rotate(turned[:, ankle], measures.heel)
        tip = skeleton.tip_position(f"{side}_toe_tip", positions, turned)
        which = motion.holds[:, foot]
        for points, contact in ((heel, 0), (positions[:, toes], 1), (tip, 1)):
            local = holds.to_carrier(which, points, motion.times)
            speed = np.linalg.norm(np.diff(local, axis=0), axis=1) / steps
            on = motion.contacts[:, foot, contact]
            held = on[1:] & on[:-1] & (which[1:] == which[:-1])
            slide[held, foot] = np.fmax(slide[held, foot], speed[held])
    return slide


def knee_bend(skeleton: Skeleton, local_rotations: Floats) -> Floats:
    """How far knees bend `(..., 2)` [rad], left and right; backward is negative."""
    knees = skeleton.indices([f"{side}_shin" for side in SIDES])
    return skeleton.joint_angles(local_rotations)[..., knees, 1]
