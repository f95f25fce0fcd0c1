"""A walk on the canonical skeleton, and the same walk as other skeletons would have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from surefoot.character import Skeleton, adult, kinematics
from surefoot.character.skeleton import Tip
from surefoot.math import rotations
from surefoot.motion import Clip, Stretch, Track, Walker, bones, place_footsteps
from surefoot.world import Body, World
from surefoot.world.primitives import slab


@cache
def walk() -> Clip:
    """An adult stands, walks 3 m and turns a bit, and stands."""
    world = World([Body(name="ground", mesh=slab((20.0, 20.0, 0.2)))])
    who = adult()
    stretch = Stretch(
        times=np.array([0.0, 0.5, 3.0, 3.5]),
        positions=np.array([[0.0, 0, 0], [0, 0, 0], [3, 0.5, 0], [3, 0.5, 0]]),
        headings=np.array([0.0, 0.0, 0.4, 0.4]),
    )
    track = Track(world, [stretch], linger=0.5)
    steps = place_footsteps(track, who.measures, step_height=0.3)
    motion = Walker(track, steps, who.skeleton, who.measures).at(np.arange(0.0, 3.5, 1 / 60))
    return Clip(
        name="walk",
        skeleton=who.skeleton,
        rate=60.0,
        root=motion.root,
        rotations=motion.rotations,
    )


def renamed(clip: Clip, names: Sequence[str]) -> Clip:
    """The clip with other names for its joints, and the bones that these tell."""
    old = clip.skeleton
    skeleton = Skeleton(
        joints=tuple(names),
        parents=old.parents,
        offsets=old.offsets,
        rest_rotations=old.rest_rotations,
        tips=tuple(Tip(tip.name, names[old.index(tip.joint)], tip.offset) for tip in old.tips),
    )
    known = bones.find(skeleton, np.array([0.0, 0.0, 1.0]))
    return replace(clip, skeleton=skeleton, bones=known)


def reframed(clip: Clip, seed: int, *, keep_rest: bool = False) -> Clip:
    """The same motion of the same bodies, every bone's own axes turned at random.

    With `keep_rest` the skeleton still knows the pose that it rests in; without, its rest pose is
    where all local rotations are the identity, which is no pose of a person.
    """
    random = np.random.default_rng(seed)
    old = clip.skeleton
    turns = rotations.normalize(random.normal(size=(len(old), 4)))
    parents = np.array(old.parents[1:])
    offsets = old.offsets.copy()
    offsets[1:] = rotations.rotate(rotations.inverse(turns[parents]), old.offsets[1:])
    around = np.concatenate([rotations.IDENTITY[None], rotations.inverse(turns[parents])])

    def local(quaternions: np.ndarray) -> np.ndarray:
        return rotations.multiply(rotations.multiply(around, quaternions), turns)

    skeleton = Skeleton(
        joints=old.joints,
        parents=old.parents,
        offsets=offsets,
        rest_rotations=local(old.rest_rotations) if keep_rest else rotations.IDENTITY,
        tips=tuple(
            Tip(
                tip.name,
                tip.joint,
                rotations.rotate(rotations.inverse(turns[old.index(tip.joint)]), tip.offset),
            )
            for tip in old.tips
        ),
    )
    return replace(clip, skeleton=skeleton, rotations=local(clip.rotations), bones=clip.bones)


def without(clip: Clip, *missing: str) -> Clip:
    """The same motion of a skeleton that lacks some canonical joints (not the pelvis)."""
    old = clip.skeleton
    kept = [joint for joint, name in enumerate(old.joints) if name not in missing]

    def above(joint: int) -> int:
        joint = old.parents[joint]
        while joint >= 0 and joint not in kept:
            joint = old.parents[joint]
        return joint

    parents = [above(joint) for joint in kept]
    positions, world = clip.forward()
    places = [kept.index(parent) if parent >= 0 else -1 for parent in parents]
    offsets = np.zeros((len(kept), 3))
    shifts: dict[int, np.ndarray] = {}
    for index, (joint, parent) in enumerate(zip(kept, parents, strict=True)):
        if parent < 0:
            continue
        apart = positions[:, joint] - positions[:, parent]
        inside = rotations.rotate(rotations.inverse(world[:, parent]), apart)
        offsets[index] = inside[0]
        if np.ptp(inside, axis=0).max() > 1e-9:
            shifts[index] = inside
    skeleton = Skeleton(
        joints=tuple(old.joints[joint] for joint in kept),
        parents=tuple(places),
        offsets=offsets,
        tips=tuple(tip for tip in old.tips if tip.joint not in missing),
    )
    return Clip(
        name=clip.name,
        skeleton=skeleton,
        rate=clip.rate,
        root=clip.root,
        rotations=kinematics.to_local(places, world[:, kept]),
        bones={name: index for index, name in enumerate(skeleton.joints)},
        shifts=shifts,
    )
