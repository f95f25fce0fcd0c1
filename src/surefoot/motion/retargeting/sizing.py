"""The measures of an actor, from the bones; by a person's proportions where there are none."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.humanoid import SIDES
from surefoot.character.measures import ADULT, Measures
from surefoot.math import rotations
from surefoot.motion.retargeting.actor import Actor
from surefoot.motion.retargeting.standing import standing_frames

# Heel and ball from the ankle, over the length of the foot, and the toes' axis over the ankle's
# height, as in `Measures.from_height`.
_HEEL, _BALL, _TOE_AXIS = 0.235, 0.485, 0.35
# The hips of a person, over the height.
_HIPS = ADULT.thigh + ADULT.shin + ADULT.ankle
# The head's own height over that of its joint above the ground.
_CROWN = (1.0 - ADULT.head_height) / ADULT.head_height
# An ankle this high above the ground, over the usual height of an ankle, may stand on it.
_ON_GROUND = (0.55, 1.8)
# How far [m] the feet may disagree about the ground.
_AGREE = 0.02


def measure(actor: Actor, axes: Mapping[str, Floats]) -> Measures:
    """The measures of the actor.

    Args:
        actor: whose.
        axes: by canonical joint, its axes in the bone's own, as `bone_axes` gives them.
    """
    thigh = float(np.mean([_length(actor, f"{s}_thigh", f"{s}_shin") for s in SIDES]))
    shin = float(np.mean([_length(actor, f"{s}_shin", f"{s}_foot") for s in SIDES]))
    usual = (thigh + shin) / (ADULT.thigh + ADULT.shin)
    foot = _foot(actor, axes, usual)
    leg = thigh + shin + foot["ankle_height"]
    heights = _heights(actor, leg, usual)
    tall = heights["height"]

    def pair(first: str, second: str, otherwise: float) -> float:
        lengths = [
            _length(actor, f"{side}_{first}", f"{side}_{second}")
            for side in SIDES
            if f"{side}_{first}" in actor and f"{side}_{second}" in actor
        ]
        return max(float(np.mean(lengths)), 0.1 * otherwise) if lengths else otherwise

    hips = _length(actor, "left_thigh", "right_thigh")
    shoulders = ADULT.shoulder_width * usual
    if "left_upper_arm" in actor and "right_upper_arm" in actor:
        shoulders = max(_length(actor, "left_upper_arm", "right_upper_arm"), 0.3 * shoulders)
    hand = ADULT.hand * usual
    return Measures(
        mass=ADULT.body_mass_index * tall**2,
        thigh=thigh,
        shin=shin,
        hip_width=max(hips, 0.02 * usual),
        shoulder_width=shoulders,
        upper_arm=pair("upper_arm", "forearm", ADULT.upper_arm * usual),
        forearm=pair("forearm", "hand", ADULT.forearm * usual),
        hand=hand,
        **foot,
        **heights,
    )


def _length(actor: Actor, first: str, second: str) -> float:
    """The usual distance [m] between two joints."""
    apart = (actor.place(second) - actor.place(first))[actor.some]
    return float(np.median(np.linalg.norm(apart, axis=1)))


def _heights(actor: Actor, leg: float, usual: float) -> dict[str, float]:
    """Heights [m] of shoulders, neck, head and crown above the ground of who stands."""
    # Skeletons of motion capture often have their trunks too short for their legs, as their
    # joints follow markers on the back; nobody's is shorter than the usual.
    rise = _rises(actor)

    def height(joint: str, share: float) -> float:
        return leg + max(rise.get(joint, 0.0), (share - _HIPS) * usual)

    shoulder = height("upper_arm", ADULT.shoulder_height)
    head = max(height("head", ADULT.head_height), shoulder + 0.04 * usual)
    # Some skeletons have their neck begin in the chest: it is between the shoulders at the lowest.
    neck = float(np.clip(height("neck", ADULT.neck_height), shoulder, head - 0.02 * usual))
    tip = actor.tip("head") if "head" in actor else None
    crown = max(0.0 if tip is None else float(np.linalg.norm(tip)), head * _CROWN)
    tall = head + crown
    return {
        "height": tall,
        "shoulder_height": shoulder,
        "neck_height": neck,
        "head_height": head,
        "chin_height": head - 0.3 * crown,
        "eye_height": head + 0.36 * crown,
    }


def _rises(actor: Actor) -> dict[str, float]:
    """How far [m] joints of the trunk are above the hips with the trunk upright."""
    rises: dict[str, float] = {}
    frame = actor.rest_frame
    hips = (actor.rest_place("left_thigh") + actor.rest_place("right_thigh")) / 2
    for joint in ("neck", "head", "upper_arm"):
        names = [joint] if joint != "upper_arm" else [f"{side}_upper_arm" for side in SIDES]
        if any(name not in actor for name in names):
            continue
        if frame is not None:
            place = np.mean([actor.rest_place(name) for name in names], axis=0)
            rises[joint] = float((place - hips) @ frame[:, 2])
        else:
            middle = (actor.place("left_thigh") + actor.place("right_thigh")) / 2
            place = np.mean([actor.place(name) for name in names], axis=0)
            apart = np.linalg.norm((place - middle)[actor.some], axis=1)
            rises[joint] = float(np.quantile(apart, 0.9))
    return {joint: rise for joint, rise in rises.items() if rise > 0.0}


def _foot(actor: Actor, axes: Mapping[str, Floats], usual: float) -> dict[str, float]:
    """Lengths [m] of the foot, and how high the ankle stands."""
    length = ADULT.foot_length * usual
    heel, ball = _HEEL * length, _BALL * length
    beyond = length - heel - ball
    drops: list[float] = []
    aheads: list[float] = []
    tips: list[float] = []
    for side in SIDES:
        foot, toe = f"{side}_foot", f"{side}_toe"
        down = rotations.inverse(axes[foot])
        if toe in actor:
            along = rotations.rotate(down, actor.bone(foot, toe)) * _length(actor, foot, toe)
            aheads.append(float(along[0]))
            drops.append(float(-along[2]))
            end = actor.tip(toe)
            if end is not None:
                tips.append(float(np.linalg.norm(end)))
        elif (end := actor.tip(foot)) is not None:
            along = rotations.rotate(down, end)
            if along[0] > 0.3 * length:
                aheads.append(float(along[0]) * _BALL / (1 - _HEEL))
    if aheads and min(aheads) > 0.2 * ball:
        ball = float(np.mean(aheads))
    if tips:
        beyond = float(np.clip(np.mean(tips), 0.3 * beyond, 2.0 * beyond))
    ankle = ADULT.ankle * usual
    rise = _TOE_AXIS * ankle
    if drops:
        # A toe's axis is a bit above the sole, however low a skeleton has it below the ankle.
        ankle = max(float(np.mean(drops)) + rise, 0.8 * ankle)
    ground = _standing_height(actor)
    if ground is not None and _ON_GROUND[0] < ground / (ADULT.ankle * usual) < _ON_GROUND[1]:
        rise += ground - ankle
        ankle = ground
    rise = float(np.clip(rise, 0.1 * ankle, 0.9 * ankle))
    return {
        "ankle_height": ankle,
        "ball_height": rise,
        "heel_behind": heel,
        "ball_ahead": ball,
        "foot_length": heel + ball + beyond,
        "foot_width": ADULT.foot_width * usual,
    }


def _standing_height(actor: Actor) -> float | None:
    """How high [m] above 0 the ankles are where they stand; None if the feet do not agree."""
    heights = [
        float(np.median(actor.place(f"{side}_foot")[standing_frames(actor, side), 2]))
        for side in SIDES
    ]
    return float(np.mean(heights)) if abs(heights[0] - heights[1]) < _AGREE else None
