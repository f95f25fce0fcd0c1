"""The measures of an actor, from the bones; by a person's proportions where there are none."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from surefoot.character.measures import ADULT, Measures

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


def measure(lengths: Mapping[str, float]) -> Measures:
    """The measures of an actor.

    Args:
        lengths: [m], what is known of the bones, as native/motion/actor.hpp names it.
    """
    thigh, shin = lengths["thigh"], lengths["shin"]
    usual = (thigh + shin) / (ADULT.thigh + ADULT.shin)
    foot = _foot(lengths, usual)
    heights = _heights(lengths, thigh + shin + foot["ankle_height"], usual)

    def at_least(name: str, share: float, least: float) -> float:
        """A length that is known, or else in proportion; in no case next to nothing."""
        return max(lengths.get(name, share * usual), least * share * usual)

    return Measures(
        mass=ADULT.body_mass_index * heights["height"] ** 2,
        thigh=thigh,
        shin=shin,
        hip_width=at_least("hip_width", ADULT.hip_width, 0.2),
        shoulder_width=at_least("shoulder_width", ADULT.shoulder_width, 0.3),
        upper_arm=at_least("upper_arm", ADULT.upper_arm, 0.1),
        forearm=at_least("forearm", ADULT.forearm, 0.1),
        hand=ADULT.hand * usual,
        **foot,
        **heights,
    )


def _heights(lengths: Mapping[str, float], leg: float, usual: float) -> dict[str, float]:
    """Heights [m] of shoulders, neck, head and crown above the ground of who stands."""

    # Skeletons of motion capture often have their trunks too short for their legs, as their
    # joints follow markers on the back; nobody's is shorter than the usual.
    def height(name: str, share: float) -> float:
        return leg + max(lengths.get(name, 0.0), (share - _HIPS) * usual)

    shoulder = height("shoulder_rise", ADULT.shoulder_height)
    head = max(height("head_rise", ADULT.head_height), shoulder + 0.04 * usual)
    # Some skeletons have their neck begin in the chest: it is between the shoulders at the lowest.
    neck = min(max(height("neck_rise", ADULT.neck_height), shoulder), head - 0.02 * usual)
    crown = max(lengths.get("head_tip", 0.0), head * _CROWN)
    return {
        "height": head + crown,
        "shoulder_height": shoulder,
        "neck_height": neck,
        "head_height": head,
        "chin_height": head - 0.3 * crown,
        "eye_height": head + 0.36 * crown,
    }


def _foot(lengths: Mapping[str, float], usual: float) -> dict[str, float]:
    """Lengths [m] of the foot, and how high the ankle stands."""
    length = ADULT.foot_length * usual
    heel, ball = _HEEL * length, _BALL * length
    beyond = length - heel - ball
    if lengths.get("toe_ahead", 0.0) > 0.2 * ball:
        ball = lengths["toe_ahead"]
    elif "foot_tip" in lengths:
        ball = lengths["foot_tip"] * _BALL / (1 - _HEEL)
    if "toe_length" in lengths:
        beyond = min(max(lengths["toe_length"], 0.3 * beyond), 2.0 * beyond)
    usual_ankle = ankle = ADULT.ankle * usual
    rise = _TOE_AXIS * ankle
    if "toe_drop" in lengths:
        # A toe's axis is a bit above the sole, however low a skeleton has it below the ankle.
        ankle = max(lengths["toe_drop"] + rise, 0.8 * ankle)
    feet = lengths["left_ankle"], lengths["right_ankle"]
    ground = (feet[0] + feet[1]) / 2
    # Where both feet stand as high above 0 as ankles are, 0 is the floor.
    if abs(feet[0] - feet[1]) < _AGREE and (
        _ON_GROUND[0] * usual_ankle < ground < _ON_GROUND[1] * usual_ankle
    ):
        rise += ground - ankle
        ankle = ground
    return {
        "ankle_height": ankle,
        "ball_height": float(np.clip(rise, 0.1 * ankle, 0.9 * ankle)),
        "heel_behind": heel,
        "ball_ahead": ball,
        "foot_length": heel + ball + beyond,
        "foot_width": ADULT.foot_width * usual,
    }
