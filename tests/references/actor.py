"""Whose motion a clip is, as native/motion/actor.cpp finds it out, in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.humanoid import SIDES
from surefoot.errors import CharacterError
from surefoot.math import rotations
from surefoot.motion.bones import LEGS
from surefoot.motion.clip import Clip

# Frames that figures of the whole clip are taken from.
_LOOKED_AT = 96
# A skeleton rests standing if its legs are at least as straight as this, over their length, its
# thighs point down within this angle [rad], and the toes ahead within that.
_STRAIGHT, _SPLAYED, _TURNED_OUT = 0.96, 0.7, 1.1


@dataclass(frozen=True, eq=False)
class Actor:
    """A clip, and where its bones are.

    Attributes:
        clip: the motion.
        bones: canonical joint to index of the clip's joint.
        positions: `(n, joints, 3)` [m], world.
        rotations: `(n, joints, 4)`, world.
        rest_positions: `(joints, 3)` [m], of the skeleton's rest pose.
        rest_rotations: `(joints, 4)`, world, of the rest pose.
        exchanged: left and right of the file's names were the wrong way round.
    """

    clip: Clip
    bones: Mapping[str, int]
    positions: Floats
    rotations: Floats
    rest_positions: Floats
    rest_rotations: Floats
    exchanged: bool = False

    @classmethod
    def of(cls, clip: Clip) -> Actor:
        """The actor of a clip.

        Raises:
            CharacterError: no legs of a person are known.
        """
        missing = [joint for joint in ("pelvis", *LEGS) if joint not in clip.bones]
        if missing:
            joints = clip.skeleton.joints
            shown = ", ".join(joints[:40]) + (", ..." if len(joints) > 40 else "")
            raise CharacterError(
                f"clip {clip.name!r}: has no legs of a person that are known by name or shape;"
                f" missing: {', '.join(missing)}; its joints are: {shown}"
            )
        positions, world = clip.forward()
        at_rest = clip.skeleton.rest_pose()
        actor = cls(clip, clip.bones, positions, world, *at_rest)
        if actor._walks_backward():
            swapped = {_other(joint): index for joint, index in clip.bones.items()}
            actor = cls(clip, swapped, positions, world, *at_rest, exchanged=True)
        if actor._goes_on_all_fours():
            raise CharacterError(
                f"clip {clip.name!r}: this is a quadruped, not a person: its trunk lies and all"
                " four limbs reach the ground"
            )
        return actor

    def __contains__(self, joint: str) -> bool:
        return joint in self.bones

    def place(self, joint: str) -> Floats:
        """Where a joint is `(n, 3)` [m]."""
        return self.positions[:, self.bones[joint]]

    def turn(self, joint: str) -> Floats:
        """World rotations `(n, 4)` of a joint."""
        return self.rotations[:, self.bones[joint]]

    def rest_place(self, joint: str) -> Floats:
        """Where a joint rests `(3,)` [m]."""
        return self.rest_positions[self.bones[joint]]

    def rest_turn(self, joint: str) -> Floats:
        """The world rotation `(4,)` of a joint at rest."""
        return self.rest_rotations[self.bones[joint]]

    @cached_property
    def some(self) -> np.ndarray:
        """Frames, at most a hundred, spread over the clip."""
        count = min(len(self.clip), _LOOKED_AT)
        return np.arange(count) * (len(self.clip) - 1) // max(count - 1, 1)

    def inside(self, joint: str, vectors: Floats) -> Floats:
        """World vectors `(k, 3)` of the frames `some`, in the joint's own frame."""
        return rotations.rotate(rotations.inverse(self.turn(joint)[self.some]), vectors)

    def bone(self, joint: str, end: str) -> Floats:
        """The mean direction `(3,)` from a joint to another, in the first one's own frame."""
        along = self.place(end)[self.some] - self.place(joint)[self.some]
        return unit(self.inside(joint, along).mean(axis=0))

    def left(self) -> Floats:
        """Across the hips to the left `(k, 3)`, in the frames `some`."""
        return (self.place("left_thigh") - self.place("right_thigh"))[self.some]

    def bends(self, upper: str, lower: str, end: str) -> Floats:
        """`(k, 3)` in the frames `some`: across two bones, as long as the sine of their bend."""
        first = _units((self.place(lower) - self.place(upper))[self.some])
        second = _units((self.place(end) - self.place(lower))[self.some])
        return np.cross(first, second)

    @cached_property
    def rest_frame(self) -> Floats | None:
        """The frame `(3, 3)` of the rest pose, columns ahead, left, up; None if nobody stands."""
        hips = (self.rest_place("left_thigh") + self.rest_place("right_thigh")) / 2
        feet = (self.rest_place("left_foot") + self.rest_place("right_foot")) / 2
        tops = [joint for joint in ("head", "neck", "chest") if joint in self]
        along = (self.rest_place(tops[0]) if tops else hips) - feet
        axis = int(np.argmax(np.abs(along)))
        up = np.eye(3)[axis] * np.sign(along[axis])
        left = self.rest_place("left_thigh") - self.rest_place("right_thigh")
        left = left - (left @ up) * up
        if np.linalg.norm(left) < 1e-6 or up @ unit(along) < np.cos(_SPLAYED):
            return None
        frame = facing(unit(left), up)
        return frame if self._stands(frame) else None

    def _stands(self, frame: Floats) -> bool:
        """Whether the rest pose has straight legs below the body, and feet ahead."""
        for side in SIDES:
            hip, knee, ankle = (self.rest_place(f"{side}_{b}") for b in ("thigh", "shin", "foot"))
            lengths = np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)
            if np.linalg.norm(ankle - hip) < _STRAIGHT * lengths:
                return False
            if -unit(ankle - hip) @ frame[:, 2] < np.cos(_SPLAYED):
                return False
            toe = self.rest_toe(side)
            if toe is not None:
                level = toe - (toe @ frame[:, 2]) * frame[:, 2]
                ahead = unit(level) @ frame[:, 0]
                if np.linalg.norm(level) > 1e-6 and ahead < np.cos(_TURNED_OUT):
                    return False
        return True

    def rest_toe(self, side: str) -> Floats | None:
        """From the ankle to the toes `(3,)` [m] at rest; None if they are not known."""
        if f"{side}_toe" in self:
            return self.rest_place(f"{side}_toe") - self.rest_place(f"{side}_foot")
        tip = self.tip(f"{side}_foot")
        return None if tip is None else rotations.rotate(self.rest_turn(f"{side}_foot"), tip)

    def tip(self, joint: str) -> Floats | None:
        """A tip `(3,)` [m] in the frame of the joint that holds it; None without one."""
        skeleton = self.clip.skeleton
        for tip in skeleton.tips:
            if (
                tip.joint == skeleton.joints[self.bones[joint]]
                and np.linalg.norm(tip.offset) > 1e-6
            ):
                return tip.offset
        return None

    def _walks_backward(self) -> bool:
        """Whether both knees bend, and both feet point, to where the sides' names say is behind."""
        left = _units(self.left())
        for side in SIDES:
            bends = self.bends(f"{side}_thigh", f"{side}_shin", f"{side}_foot")
            if np.abs(bends).max() < 0.2 or (bends * left).sum() >= 0.0:
                return False
            if f"{side}_toe" in self:
                toes = (self.place(f"{side}_toe") - self.place(f"{side}_foot"))[self.some]
                ahead = np.cross(left, self._upward())
                if (toes * ahead).sum() >= 0.0:
                    return False
        return True

    def _goes_on_all_fours(self) -> bool:
        """Whether the trunk lies and the arms are legs, in the rest pose too."""
        arms = [f"{side}_upper_arm" for side in SIDES]
        if self.rest_frame is not None or any(arm not in self for arm in arms):
            return False
        end = "hand" if "left_hand" in self and "right_hand" in self else "forearm"
        if any(f"{side}_{end}" not in self for side in SIDES):
            return False

        def middle(bone: str) -> Floats:
            return (self.place(f"left_{bone}") + self.place(f"right_{bone}"))[self.some] / 2

        hips, feet = middle("thigh"), middle("foot")
        trunk = _units(middle("upper_arm") - hips)[:, 2]
        low = middle(end)[:, 2] - feet[:, 2] < 0.45 * (hips - feet)[:, 2]
        return bool(np.median(trunk) < 0.6 and low.mean() > 0.5)

    def _upward(self) -> Floats:
        """`(k, 3)`: from the ankles to the hips, in the frames `some`."""
        hips = self.place("left_thigh") + self.place("right_thigh")
        return (hips - self.place("left_foot") - self.place("right_foot"))[self.some]


def unit(vector: Floats) -> Floats:
    """The direction of a vector `(3,)`."""
    return vector / max(float(np.linalg.norm(vector)), 1e-12)


def facing(left: Floats, up: Floats) -> Floats:
    """The frame `(3, 3)` with columns ahead, left and up."""
    ahead: Floats = np.cross(left, up)
    return np.stack([ahead, left, up], axis=1)


def _units(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def _other(joint: str) -> str:
    for side, other in (("left_", "right_"), ("right_", "left_")):
        if joint.startswith(side):
            return other + joint[len(side) :]
    return joint
