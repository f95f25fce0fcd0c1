"""The joints every surefoot character has, and the skeleton of a person of given measures.

The character faces +x, its left is +y, up is z. With every local rotation at the identity it
stands straight with its arms hanging and palms towards the thighs, and every joint's axes are the
world's: turns about y bend and stretch, about x lead sideways, about z twist. The rest pose
differs only by the upper arms, led `ARM_ANGLE` away from the body, and slightly bent elbows. The
pelvis joint lies midway between the hip joints; the origin is the ground below it.

Signs, for both sides: about +y the thigh goes back, the knee bends, the toes point down, the
trunk leans forward, an arm swings back; the elbow bends about -y. Turns about x and z that lead
outward are positive on the left and negative on the right.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from surefoot.arrays import Floats, frozen
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton, tip
from surefoot.math import rotations

ARM_ANGLE = 0.26
"""[rad] between the body and the upper arms in the rest pose."""
ELBOW_ANGLE = 0.17
"""[rad] by which the elbows are bent in the rest pose."""

TRUNK = ("pelvis", "spine", "chest", "neck", "head")
ARM = ("shoulder", "upper_arm", "forearm", "hand")
LEG = ("thigh", "shin", "foot", "toe")
SIDES = ("left", "right")

JOINTS: tuple[str, ...] = (
    *TRUNK,
    *(f"{side}_{bone}" for bones in (ARM, LEG) for side in SIDES for bone in bones),
)
"""The canonical joints, in topological order."""


def _parent(joint: str) -> int:
    """The index of the joint that `joint` hangs on; -1 for the pelvis."""
    if joint in TRUNK:
        return TRUNK.index(joint) - 1
    side, bone = joint.split("_", 1)
    for chain, base in ((ARM, "chest"), (LEG, "pelvis")):
        if bone == chain[0]:
            return JOINTS.index(base)
        if bone in chain:
            return JOINTS.index(f"{side}_{chain[chain.index(bone) - 1]}")
    raise AssertionError(joint)


PARENTS: tuple[int, ...] = tuple(_parent(joint) for joint in JOINTS)

# How far healthy adults can turn each joint [degrees], rounded from clinical norms, for the left
# side: lowest and highest about x (sideways), y (bend and stretch) and z (twist).
_LIMITS: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "pelvis": ((-180, 180), (-180, 180), (-180, 180)),
    "spine": ((-25, 25), (-20, 50), (-20, 20)),
    "chest": ((-25, 25), (-20, 40), (-35, 35)),
    "neck": ((-25, 25), (-35, 35), (-45, 45)),
    "head": ((-20, 20), (-35, 30), (-45, 45)),
    "shoulder": ((-15, 40), (-25, 25), (-30, 30)),
    "upper_arm": ((-50, 180), (-180, 60), (-95, 95)),
    "forearm": ((-8, 8), (-150, 5), (-90, 90)),
    "hand": ((-35, 35), (-35, 35), (-15, 15)),
    "thigh": ((-35, 50), (-125, 35), (-45, 50)),
    "shin": ((-4, 4), (0, 155), (-12, 12)),
    "foot": ((-35, 25), (-45, 60), (-30, 30)),
    "toe": ((-10, 10), (-80, 45), (-10, 10)),
}


@cache
def limits() -> Floats:
    """`(n, 3, 2)` [rad]: the human range of every canonical joint; read-only."""
    table = np.empty((len(JOINTS), 3, 2))
    for index, joint in enumerate(JOINTS):
        bone = joint if joint in TRUNK else joint.split("_", 1)[1]
        table[index] = np.radians(_LIMITS[bone])
        if joint.startswith("right_"):
            # What leads outward on the left leads inward on the right.
            table[index, [0, 2]] = -table[index, [0, 2], ::-1]
    return frozen(table)


def twist_axes() -> tuple[int, ...]:
    """The axis along every canonical bone: x for feet and toes, z for the others."""
    return tuple(0 if joint.endswith(("_foot", "_toe")) else 2 for joint in JOINTS)


def skeleton(measures: Measures) -> Skeleton:
    """The canonical skeleton of a person of these measures."""
    tall, hip = measures.height, measures.leg_length
    trunk = measures.neck_height - hip
    world = {
        "pelvis": (0.0, 0.0, hip),
        "spine": (-0.004 * tall, 0.0, hip + 0.20 * trunk),
        "chest": (-0.010 * tall, 0.0, hip + 0.54 * trunk),
        "neck": (-0.012 * tall, 0.0, measures.neck_height),
        "head": (0.002 * tall, 0.0, measures.head_height),
    }
    wide, high = measures.shoulder_width / 2, measures.shoulder_height
    elbow = high - measures.upper_arm
    side = measures.hip_width / 2
    limbs = {
        "shoulder": (-0.004 * tall, 0.16 * measures.shoulder_width, high),
        "upper_arm": (-0.006 * tall, wide, high),
        "forearm": (-0.006 * tall, wide, elbow),
        "hand": (-0.006 * tall, wide, elbow - measures.forearm),
        "thigh": (0.0, side, hip),
        "shin": (0.0, side, hip - measures.thigh),
        "foot": (0.0, side, measures.ankle_height),
        "toe": (measures.ball_ahead, side, measures.ball_height),
    }
    # The places of all joints with every rotation at the identity, then each from its parent's.
    for bone, (x, y, z) in limbs.items():
        world[f"left_{bone}"], world[f"right_{bone}"] = (x, y, z), (x, -y, z)
    places = np.array([world[joint] for joint in JOINTS])
    offsets = places.copy()
    offsets[1:] -= places[list(PARENTS[1:])]
    toes = measures.toe_ahead - measures.ball_ahead
    return Skeleton(
        joints=JOINTS,
        parents=PARENTS,
        offsets=offsets,
        rest_rotations=_rest_rotations(),
        limits=limits(),
        twist_axes=twist_axes(),
        tips=(
            tip("head_top", "head", [0.0, 0.0, tall - measures.head_height]),
            *(tip(f"{name}_hand_tip", f"{name}_hand", [0, 0, -measures.hand]) for name in SIDES),
            *(
                tip(f"{name}_toe_tip", f"{name}_toe", [toes, 0.0, -measures.ball_height])
                for name in SIDES
            ),
        ),
    )


@cache
def _rest_rotations() -> Floats:
    rest = np.tile(rotations.IDENTITY, (len(JOINTS), 1))
    for name, sign in (("left", 1.0), ("right", -1.0)):
        arm, elbow = JOINTS.index(f"{name}_upper_arm"), JOINTS.index(f"{name}_forearm")
        rest[arm] = rotations.from_axis_angle([1.0, 0.0, 0.0], sign * ARM_ANGLE)
        rest[elbow] = rotations.from_axis_angle([0.0, 1.0, 0.0], -ELBOW_ANGLE)
    return frozen(rest)
