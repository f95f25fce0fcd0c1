"""Any person's clip as a clip of the canonical skeleton with the actor's measures.

World rotations are carried over, bone by bone, and the legs are then solved so that the ankles,
and with them the soles, are exactly where the actor's are; knees bend about the actor's own axes.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import humanoid, kinematics
from surefoot.character.humanoid import JOINTS, PARENTS, SIDES
from surefoot.character.legs import aligned, two_bones
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton
from surefoot.math import rotations
from surefoot.motion.clip import Clip
from surefoot.motion.retargeting.actor import Actor
from surefoot.motion.retargeting.bone_axes import bone_axes
from surefoot.motion.retargeting.sizing import measure

_LEFT = np.array([0.0, 1.0, 0.0])
# The straightest a leg may get, and how softly the pelvis gives way to that, over the leg.
_STRAIGHT, _SOFT = 0.9999, 0.0005
# Feet beyond their limits by less [rad] are no fault of the capture.
_FLIPPED = 0.35
# Where a joint is not in a skeleton: between which two, and how far from the first.
_BETWEEN = {"spine": ("pelvis", "chest", 0.5), "neck": ("chest", "head", 0.5)}


def to_humanoid(clip: Clip) -> tuple[Clip, Measures]:
    """The clip on the canonical skeleton, and the measures of its actor.

    The soles are where the actor's were. Joints that the actor lacks follow their neighbours: a
    spine without bones bends halfway, missing toes, hands and shoulders do not bend, missing
    arms hang.

    Raises:
        CharacterError: no legs of a person are known.
    """
    actor = Actor.of(clip)
    axes = bone_axes(actor)
    measures = measure(actor, axes)
    skeleton = humanoid.skeleton(measures)
    world = _carried(actor, axes)
    root = _lowered(skeleton, actor, world)
    for side in SIDES:
        _solve_leg(skeleton, actor, side, root, world)
    local = kinematics.to_local(PARENTS, world)
    feet = skeleton.indices([f"{side}_foot" for side in SIDES])
    beyond = _limit_feet(skeleton, local, feet)
    missing = [joint for joint in JOINTS if joint not in actor]
    for side in SIDES:
        if f"{side}_upper_arm" in missing:
            hanging = skeleton.rest_rotations[skeleton.index(f"{side}_upper_arm")]
            local[:, skeleton.index(f"{side}_upper_arm")] = hanging
    notes = list(clip.notes)
    if actor.exchanged:
        notes.append("left and right were exchanged: the knees bend and the feet point backward")
    if actor.rest_frame is None:
        notes.append(
            "the skeleton does not rest standing; the trunk is taken for upright on average"
        )
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


def _carried(actor: Actor, axes: dict[str, Floats]) -> Floats:
    """World rotations `(n, 21, 4)` of the canonical joints."""
    world = np.empty((len(actor.clip), len(JOINTS), 4))
    known = [index for index, joint in enumerate(JOINTS) if joint in axes]
    bones = [actor.bones[JOINTS[index]] for index in known]
    turns = np.stack([axes[JOINTS[index]] for index in known])
    world[:, known] = rotations.multiply(actor.rotations[:, bones], turns)
    for index in range(len(JOINTS)):
        if index not in known:
            world[:, index] = world[:, PARENTS[index]]
    for joint, (below, above, share) in _BETWEEN.items():
        first, second = JOINTS.index(below), JOINTS.index(above)
        if joint not in axes and above in axes:
            part = np.full(len(world), share)
            world[:, JOINTS.index(joint)] = rotations.slerp(world[:, first], world[:, second], part)
    return world


def _lowered(skeleton: Skeleton, actor: Actor, world: Floats) -> Floats:
    """The pelvis `(n, 3)` [m]: midway between the actor's hips, low enough for both ankles.

    The canonical legs are as long as the actor's are on average, which may be millimetres less
    than the longer one.
    """
    hips = (actor.place("left_thigh") + actor.place("right_thigh")) / 2
    lengths = np.linalg.norm(skeleton.offsets[skeleton.indices(["left_shin", "left_foot"])], axis=1)
    full = _STRAIGHT * float(lengths.sum())
    highest: list[Floats] = [hips[:, 2]]
    for side in SIDES:
        offset = rotations.rotate(world[:, 0], skeleton.offsets[skeleton.index(f"{side}_thigh")])
        ankle = actor.place(f"{side}_foot")
        away = ankle - hips - offset
        reach = np.maximum(full**2 - away[:, 0] ** 2 - away[:, 1] ** 2, 0.0)
        highest.append(ankle[:, 2] - offset[:, 2] + np.sqrt(reach))
    # Smooth where one limit takes over from another.
    stacked = np.stack(highest)
    least = stacked.min(axis=0)
    soft = _SOFT * full
    height = least - soft * np.log(np.exp((least - stacked) / soft).sum(axis=0))
    return np.column_stack([hips[:, :2], np.minimum(height, least)])


def _limit_feet(skeleton: Skeleton, local: Floats, feet: list[int]) -> float:
    """Keeps ankles to a person's range; how far [rad] beyond it the farthest was.

    Captures lose the markers of a foot in fast swings and turn it over.
    """
    beyond = skeleton.beyond_limits(local)[:, feet]
    if (beyond > 0.0).any():
        local[:, feet] = skeleton.limited(local)[:, feet]
    return float(beyond.max())


def _solve_leg(skeleton: Skeleton, actor: Actor, side: str, root: Floats, world: Floats) -> None:
    """Turns thigh and shin so that the ankle is where the actor's is; toes only bend."""
    thigh, shin, foot, toe = skeleton.indices(
        [f"{side}_{bone}" for bone in ("thigh", "shin", "foot", "toe")]
    )
    hip = root + rotations.rotate(world[:, 0], skeleton.offsets[thigh])
    axis = rotations.rotate(world[:, thigh], _LEFT)
    upper, lower = (float(np.linalg.norm(skeleton.offsets[joint])) for joint in (shin, foot))
    knee, ankle, across = two_bones(hip, actor.place(f"{side}_foot"), axis, upper, lower)
    world[:, thigh] = aligned(skeleton.offsets[shin], knee - hip, across)
    world[:, shin] = aligned(skeleton.offsets[foot], ankle - knee, across)
    ahead = rotations.rotate(world[:, toe], np.array([1.0, 0.0, 0.0]))
    inside = rotations.rotate(rotations.inverse(world[:, foot]), ahead)
    bend = np.arctan2(-inside[:, 2], inside[:, 0])
    world[:, toe] = rotations.multiply(world[:, foot], rotations.from_axis_angle(_LEFT, bend))
