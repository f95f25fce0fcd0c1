"""Clips seen in a mirror: left and right change places, for any skeleton.

In the mirror a left arm does what the right arm did. What that means for the arm's own axes
depends on how they lie in the two arms: a reflection S takes vectors from a joint's frame into
that of its image. If W are world rotations and M is the mirror, the joint's new one is M W S of
its image. S follows from a rest pose that is its own mirror image; where the rest pose is none,
from how the limbs bend.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.humanoid import JOINTS
from surefoot.character.skeleton import Skeleton, Tip
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.clip import Clip
from surefoot.motion.mirror_pairs import UNPAIRED, mirror_pairs
from surefoot.motion.retargeting.actor import actor_of

# How far joints at rest may be from their mirror images, over the size of the skeleton.
_SYMMETRIC = 0.06
# A mirror this near [rad] to one across an axis is that one.
_SNAP = 0.06
# How much the offsets of bones count beside the motion, where both tell how axes lie.
_OFFSETS = 10.0
_MIRROR = np.diag([1.0, -1.0, 1.0])


def _image(joint: str) -> str:
    if joint.startswith("left_"):
        return "right_" + joint.removeprefix("left_")
    return "left_" + joint.removeprefix("right_") if joint.startswith("right_") else joint


# Of each canonical joint.
_IMAGES = [JOINTS.index(_image(joint)) for joint in JOINTS]


def mirrored(clip: Clip) -> Clip:
    """The clip seen in a mirror across the world's x-z plane, on the mirrored skeleton.

    Joints keep their names. For an actor whose sides are alike the skeleton stays as it is.

    Raises:
        InputError: no joint has a mirror image.
    """
    pairs = mirror_pairs(clip.skeleton, clip.bones)
    if all(pair in (joint, UNPAIRED) for joint, pair in enumerate(pairs)):
        raise InputError(
            f"clip {clip.name!r}: no joint has a mirror image, by name or by shape; its joints"
            f" are: {', '.join(clip.skeleton.joints)}"
        )
    reflections = _reflections(clip, pairs)
    # A reflection is a rotation turned inside out; of two in a row, only the rotations are left.
    turns = rotations.from_matrix(-reflections)
    kept = np.array([pair == UNPAIRED for pair in pairs])
    images = np.array([joint if pair == UNPAIRED else pair for joint, pair in enumerate(pairs)])
    above = np.array([0, *clip.skeleton.parents[1:]])
    before = rotations.inverse(turns[above])
    before[0] = rotations.from_matrix(-_MIRROR)
    local = rotations.multiply(rotations.multiply(before, clip.rotations[:, images]), turns)
    local[:, kept] = clip.rotations[:, kept]
    return replace(
        clip,
        skeleton=_mirrored_skeleton(clip.skeleton, images, kept, reflections),
        root=clip.root * [1.0, -1.0, 1.0],
        rotations=local,
        shifts={
            joint: moved if kept[joint] else moved @ reflections[clip.skeleton.parents[joint]]
            for joint, moved in (
                (int(images[image]), moved) for image, moved in clip.shifts.items()
            )
        },
    )


def _mirrored_skeleton(
    skeleton: Skeleton, images: np.ndarray, kept: np.ndarray, reflections: Floats
) -> Skeleton:
    offsets = skeleton.offsets.copy()
    rest = skeleton.rest_rotations.copy()
    turns = rotations.from_matrix(-reflections)
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0 and not kept[joint]:
            image = int(images[joint])
            offsets[joint] = skeleton.offsets[image] @ reflections[parent]
            around = rotations.inverse(turns[parent])
            rest[joint] = rotations.multiply(
                rotations.multiply(around, skeleton.rest_rotations[image]), turns[joint]
            )
    tips: list[Tip] = []
    for tip in skeleton.tips:
        joint = skeleton.index(tip.joint)
        place = tip.offset
        if not kept[joint]:
            held = [other for other in skeleton.tips if other.joint == tip.joint].index(tip)
            image = skeleton.joints[int(images[joint])]
            others = [other for other in skeleton.tips if other.joint == image]
            if held < len(others):
                place = others[held].offset @ reflections[joint]
        tips.append(Tip(tip.name, tip.joint, place))
    return replace(skeleton, offsets=offsets, rest_rotations=rest, tips=tuple(tips))


def _reflections(clip: Clip, pairs: tuple[int, ...]) -> Floats:
    """`(joints, 3, 3)`: from each joint's frame into that of its image."""
    positions, world = clip.skeleton.rest_pose()
    images = [joint if pair == UNPAIRED else pair for joint, pair in enumerate(pairs)]
    mirror = _rest_mirror(positions, pairs)
    if mirror is not None:
        turned = rotations.to_matrix(world)
        return np.swapaxes(turned[images], -1, -2) @ mirror @ turned
    return _by_motion(clip, images)


def _rest_mirror(positions: Floats, pairs: tuple[int, ...]) -> Floats | None:
    """The reflection `(3, 3)` that takes the rest pose into itself; None if there is none."""
    whole = [joint for joint, pair in enumerate(pairs) if pair != UNPAIRED]
    images = [pairs[joint] for joint in whole]
    across = np.zeros(3)
    for joint, image in zip(whole, images, strict=True):
        apart = positions[joint] - positions[image]
        # All pairs may be listed either way round: point them all to one side.
        across += apart * (1.0 if apart @ across >= 0.0 else -1.0)
    size = float(np.ptp(positions[whole], axis=0).max())
    if np.linalg.norm(across) < 1e-6 * size:
        return None
    normal = across / np.linalg.norm(across)
    axis = int(np.argmax(np.abs(normal)))
    if abs(normal[axis]) > np.cos(_SNAP):
        normal = np.eye(3)[axis]
    mirror = np.eye(3) - 2 * np.outer(normal, normal)
    inside = positions - positions[0]
    missed = np.linalg.norm(inside[whole] @ mirror - inside[images], axis=1)
    return mirror if missed.max() < _SYMMETRIC * size else None


def _by_motion(clip: Clip, images: list[int]) -> Floats:
    """Reflections of a skeleton whose rest pose is not its own mirror image.

    Known bones: by the axes that they bend about. Others: so that their offsets, and over the
    clip their motion, are those of their images in the mirror.
    """
    skeleton = clip.skeleton
    known = _by_bending(clip)
    matrices = rotations.to_matrix(clip.rotations[:: max(1, len(clip) // 64)])
    reflections = np.empty((len(skeleton), 3, 3))
    for joint, (parent, image) in enumerate(zip(skeleton.parents, images, strict=True)):
        if joint in known:
            reflections[joint] = known[joint]
            continue
        agree = np.zeros((3, 3))
        for child, above in enumerate(skeleton.parents):
            if above == joint and skeleton.parents[images[child]] == image:
                pair = np.outer(skeleton.offsets[images[child]], skeleton.offsets[child])
                agree += _OFFSETS * pair / max(float(np.abs(pair).max()), 1e-12)
        if parent >= 0:
            seen = np.swapaxes(matrices[:, image], -1, -2) @ reflections[parent]
            agree += (seen @ matrices[:, joint]).mean(axis=0)
        left, _, right = np.linalg.svd(agree)
        inside_out = -np.sign(np.linalg.det(left @ right))
        reflections[joint] = left @ np.diag([1.0, 1.0, inside_out]) @ right
    return reflections


def _by_bending(clip: Clip) -> dict[int, Floats]:
    """Reflections of the joints that are known bones of a person with legs."""
    try:
        actor = actor_of(clip)
    except InputError:
        return {}
    frames = rotations.to_matrix(actor.axes())
    found: dict[int, Floats] = {}
    for joint, index in enumerate(actor.bones):
        image = _IMAGES[joint]
        if index >= 0 and actor.bones[image] >= 0:
            found[index] = frames[image] @ _MIRROR @ frames[joint].T
    return found
