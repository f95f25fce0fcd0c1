"""Poses of the canonical skeleton on a user's rig.

Rigs differ in rest pose (T, A, bent knees), in how their bones' axes lie, and in proportions. So
world rotations are carried over, not local ones. For each bone the rig is first brought into the
canonical pose in which everything is the identity: arms hanging, legs straight, feet flat and
straight ahead. From there, the canonical joint's world rotation is the bone's. The legs are then
solved on the rig's own lengths so that its soles are exactly where the character's are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import ArrayLike, Bools, Floats
from surefoot.character.humanoid import SIDES
from surefoot.character.legs import aligned, two_bones
from surefoot.character.measures import Measures
from surefoot.character.rig.rig import Rig, RigPose
from surefoot.character.skeleton import Skeleton
from surefoot.math import rotations

_DOWN = np.array([0.0, 0.0, -1.0])
_LEFT = np.array([0.0, 1.0, 0.0])
# The straightest a leg may get, and how softly [m] the pelvis gives way to that, per leg length.
_STRAIGHT, _SOFT = 0.9995, 0.002
# Feet turned out by more [rad] at rest are taken for a rig's own way to stand.
_MOST_TOE_OUT = 1.0


def retarget(
    rig: Rig,
    skeleton: Skeleton,
    measures: Measures,
    root: ArrayLike,
    local_rotations: ArrayLike,
) -> RigPose:
    """The rig's poses for poses of the canonical skeleton.

    Args:
        rig: where the poses go.
        skeleton: the canonical skeleton that the poses are of; the rig's own or anybody's.
        measures: of that skeleton.
        root: `(..., 3)` [m], its pelvis in the world.
        local_rotations: `(..., n, 4)`.
    """
    positions, world = skeleton.forward(
        np.asarray(root, dtype=np.float64), np.asarray(local_rotations, dtype=np.float64)
    )
    turns = {joint: world[..., skeleton.index(joint), :] for joint in skeleton.joints}
    body = _Body.at_rest(rig)
    turned = {joint: rotations.multiply(turns[joint], body.neutral[joint]) for joint in rig.bones}
    ankles = {
        side: positions[..., skeleton.index(f"{side}_foot"), :]
        + rotations.rotate(
            turns[f"{side}_foot"], [0.0, 0.0, body.ankle_height(side) - measures.ankle_height]
        )
        for side in SIDES
    }
    hips = _hips(body, measures, positions[..., 0, :], turns["pelvis"], ankles)
    reached: list[Bools] = []
    for side in SIDES:
        upper, lower = body.leg(side)
        hip = hips + rotations.rotate(turns["pelvis"], body.place(f"{side}_thigh") - body.hips)
        axis = rotations.rotate(turns[f"{side}_shin"], _LEFT)
        knee, ankle, across = two_bones(hip, ankles[side], axis, upper, lower)
        for bone, direction in ((f"{side}_thigh", knee - hip), (f"{side}_shin", ankle - knee)):
            placed = aligned(_DOWN, direction, across)
            turned[bone] = rotations.multiply(placed, body.neutral[bone])
        reached.append(np.linalg.norm(ankle - ankles[side], axis=-1) < 1e-6)
        ankles[side] = ankle
    centre = hips + rotations.rotate(turns["pelvis"], body.place("pelvis") - body.hips)
    local, translations = _to_local(rig, turned, centre, ankles)
    return RigPose(local, translations, np.stack(reached, axis=-1))


@dataclass(frozen=True, eq=False)
class _Body:
    """The rig at rest, in surefoot's axes.

    Attributes:
        rig: the rig.
        positions: `(n, 3)` [m] of its nodes.
        neutral: by canonical joint, the bone's world rotation `(4,)` in the canonical pose where
            every joint is at the identity.
        hips: `(3,)` [m], midway between the hip joints.
    """

    rig: Rig
    positions: Floats
    neutral: dict[str, Floats]
    hips: Floats

    @classmethod
    def at_rest(cls, rig: Rig) -> _Body:
        matrices = rig.matrices()
        linear = matrices[:, :3, :3]
        world = rotations.from_matrix(linear / np.linalg.norm(linear, axis=1, keepdims=True))
        positions = matrices[:, :3, 3]
        straightened = _straightened(rig, positions)
        neutral = {
            joint: rotations.multiply(straightened[joint], world[node])
            for joint, node in rig.bones.items()
        }
        hips = np.mean([positions[rig.bones[f"{side}_thigh"]] for side in SIDES], axis=0)
        return cls(rig, positions, neutral, hips)

    def place(self, joint: str) -> Floats:
        """Where a bone begins at rest `(3,)` [m]."""
        return self.positions[self.rig.bones[joint]]

    def leg(self, side: str) -> tuple[float, float]:
        """Lengths [m] of thigh and shin."""
        hip, knee, ankle = (self.place(f"{side}_{bone}") for bone in ("thigh", "shin", "foot"))
        return float(np.linalg.norm(knee - hip)), float(np.linalg.norm(ankle - knee))

    def ankle_height(self, side: str) -> float:
        """The ankle above the ground at rest [m]."""
        return float(self.place(f"{side}_foot")[2])


def _straightened(rig: Rig, positions: Floats) -> dict[str, Floats]:
    """By canonical joint, the turn `(4,)` from the rig's rest pose to straight limbs, flat feet."""

    def along(first: str, second: str) -> Floats:
        return positions[rig.bones[second]] - positions[rig.bones[first]]

    turns = dict.fromkeys(rig.bones, rotations.IDENTITY)
    for side in SIDES:
        for upper, lower, end in (("upper_arm", "forearm", "hand"), ("thigh", "shin", "foot")):
            first, second, third = f"{side}_{upper}", f"{side}_{lower}", f"{side}_{end}"
            turns[first] = rotations.between(along(first, second), _DOWN)
            turns[second] = turns[first]
            if third in rig.bones:
                # Straighten knee or elbow after the whole limb has been turned.
                lowered = rotations.rotate(turns[first], along(second, third))
                bend = rotations.between(lowered, _DOWN)
                turns[second] = rotations.multiply(bend, turns[first])
            if end == "hand" and third in rig.bones:
                turns[third] = turns[second]
        foot, toe = f"{side}_foot", f"{side}_toe"
        if toe in rig.bones:
            ahead = along(foot, toe)
            yaw = float(np.arctan2(ahead[1], ahead[0]))
            if abs(yaw) < _MOST_TOE_OUT:
                turns[foot] = turns[toe] = rotations.from_yaw(-yaw)
    return turns


def _hips(
    body: _Body, measures: Measures, pelvis: Floats, turn: Floats, ankles: Mapping[str, Floats]
) -> Floats:
    """Where the rig's hips go `(..., 3)` [m]: scaled by leg length, low enough for both feet."""
    legs = {side: body.leg(side) for side in SIDES}
    own = float(np.mean([sum(legs[side]) + body.ankle_height(side) for side in SIDES]))
    soft = _SOFT * own
    ground = _soft_least(
        *(ankles[side][..., 2] - body.ankle_height(side) for side in SIDES), soft=5 * soft
    )
    height = ground + (pelvis[..., 2] - ground) * (own / measures.leg_length)
    highest: list[Floats] = []
    for side in SIDES:
        offset = rotations.rotate(turn, body.place(f"{side}_thigh") - body.hips)
        level = ankles[side] - pelvis - offset
        reach = (_STRAIGHT * sum(legs[side])) ** 2 - level[..., 0] ** 2 - level[..., 1] ** 2
        highest.append(ankles[side][..., 2] - offset[..., 2] + np.sqrt(np.maximum(reach, 0.0)))
    height = _soft_least(height, *highest, soft=soft)
    return np.concatenate([pelvis[..., :2], height[..., None]], axis=-1)


def _soft_least(*values: Floats, soft: float) -> Floats:
    """At most the least of `values`, and smooth where they change places."""
    stacked = np.stack(np.broadcast_arrays(*values))
    least = stacked.min(axis=0)
    return least - soft * np.log(np.exp(-(stacked - least) / soft).sum(axis=0))


def _to_local(
    rig: Rig, turned: Mapping[str, Floats], centre: Floats, ankles: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Local rotations and translations of all nodes, from the world rotations of the bones."""
    frames = centre.shape[:-1]
    wanted = {rig.bones[joint]: turn for joint, turn in turned.items()}
    places = {rig.bones["pelvis"]: centre}
    for side in SIDES:
        if rig.bones[f"{side}_foot"] in rig.apart:
            places[rig.bones[f"{side}_foot"]] = ankles[side]
    size = np.cbrt(np.linalg.det(rig.frame[:3, :3]))
    outside = rotations.from_matrix(rig.frame[:3, :3] / size)
    local = np.broadcast_to(rig.rotations, (*frames, len(rig), 4)).copy()
    translations = np.broadcast_to(rig.translations, (*frames, len(rig), 3)).copy()
    world = np.empty((*frames, len(rig), 4))
    matrices = np.zeros((*frames, len(rig), 4, 4))
    for node, parent in enumerate(rig.parents):
        around = outside if parent < 0 else world[..., parent, :]
        above = rig.frame if parent < 0 else matrices[..., parent, :, :]
        if node in wanted:
            local[..., node, :] = rotations.multiply(rotations.inverse(around), wanted[node])
        if node in places:
            inverse = np.linalg.inv(above)
            moved = np.einsum("...ij,...j->...i", inverse[..., :3, :3], places[node])
            translations[..., node, :] = moved + inverse[..., :3, 3]
        world[..., node, :] = rotations.multiply(around, local[..., node, :])
        step = np.zeros((*frames, 4, 4))
        step[..., :3, :3] = rotations.to_matrix(local[..., node, :]) * rig.scales[node]
        step[..., :3, 3] = translations[..., node, :]
        step[..., 3, 3] = 1.0
        matrices[..., node, :, :] = above @ step
    return local, translations
