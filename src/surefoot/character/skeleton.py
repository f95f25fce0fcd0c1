"""Skeletons: joints, how they hang together, how they rest, and how far they turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats, frozen, number, vectors
from surefoot.character import kinematics
from surefoot.errors import CharacterError, one_of
from surefoot.math import rotations

UNLIMITED: Floats = frozen(np.array([-np.pi, np.pi]))
"""The limits [rad] of a turn without limits."""


@dataclass(frozen=True, eq=False)
class Tip:
    """A named point fixed to a joint: the crown of the head, the tip of a toe.

    Attributes:
        name: unlike any joint's.
        joint: the joint it is fixed to.
        offset: `(3,)` [m], in the joint's frame.
    """

    name: str
    joint: str
    offset: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Skeleton:
    """Joints in topological order (a parent comes before its children), the root first.

    Attributes:
        joints: `n` names.
        parents: `n` indices; -1 for the root only.
        offsets: `(n, 3)` [m], each joint in its parent's frame; the root's is its rest position.
        rest_rotations: `(n, 4)` local rotations of the rest pose; the identity when not given.
        limits: `(n, 3, 2)` [rad], lowest and highest turn about x, y and z of the local rotation,
            as `kinematics.joint_angles` measures them; unlimited when not given.
        twist_axes: `n` numbers 0, 1, 2: the local axis (x, y, z) along each bone; z if not given.
        tips: points fixed to joints.
    """

    joints: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Floats
    rest_rotations: Floats = field(default_factory=lambda: rotations.IDENTITY)
    limits: Floats = field(default_factory=lambda: UNLIMITED)
    twist_axes: tuple[int, ...] = ()
    tips: tuple[Tip, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.joints)
        if count == 0:
            raise CharacterError("a skeleton needs at least one joint")
        twice = sorted({name for name in self.joints if self.joints.count(name) > 1})
        if twice:
            raise CharacterError(f"joint names must differ; repeated: {', '.join(twice)}")
        parents = tuple(int(parent) for parent in self.parents)
        if len(parents) != count:
            raise CharacterError(f"{count} joints need {count} parents, got {len(parents)}")
        for joint, parent in enumerate(parents):
            if (parent == -1) != (joint == 0) or not -1 <= parent < joint:
                raise CharacterError(
                    f"joint {self.joints[joint]!r} has parent {parent}; the first joint has -1, the"
                    f" others the index of an earlier joint"
                )
        rest = vectors(self.rest_rotations, "rest_rotations", 4, error=CharacterError)
        limits = vectors(self.limits, "limits", 2, error=CharacterError)
        if (limits[..., 0] > limits[..., 1]).any():
            raise CharacterError("limits must have the lowest angle before the highest")
        axes = tuple(self.twist_axes) or (2,) * count
        if len(axes) != count or not set(axes) <= {0, 1, 2}:
            raise CharacterError(f"twist_axes must be {count} numbers 0, 1 or 2, got {axes}")
        offsets = arrays.positions(self.offsets, "offsets", error=CharacterError)
        if offsets.shape != (count, 3):
            raise CharacterError(f"offsets must have shape ({count}, 3), got {offsets.shape}")
        for tip in self.tips:
            if tip.joint not in self.joints:
                raise CharacterError(f"tip {tip.name!r}: {one_of('joint', tip.joint, self.joints)}")
        set_field = object.__setattr__
        set_field(self, "parents", parents)
        set_field(self, "offsets", frozen(offsets))
        rest = np.broadcast_to(rotations.normalize(rest), (count, 4))
        set_field(self, "rest_rotations", frozen(rest.copy()))
        set_field(self, "limits", frozen(np.broadcast_to(limits, (count, 3, 2)).copy()))
        set_field(self, "twist_axes", axes)

    def __len__(self) -> int:
        return len(self.joints)

    def index(self, name: str) -> int:
        """The index of the joint called `name`."""
        try:
            return self.joints.index(name)
        except ValueError:
            raise CharacterError(one_of("joint", name, self.joints)) from None

    def indices(self, names: Sequence[str]) -> list[int]:
        """The indices of several joints."""
        return [self.index(name) for name in names]

    def tip(self, name: str) -> Tip:
        """The tip called `name`."""
        for tip in self.tips:
            if tip.name == name:
                return tip
        raise CharacterError(one_of("tip", name, [tip.name for tip in self.tips]))

    def forward(self, root: Floats, local_rotations: Floats) -> tuple[Floats, Floats]:
        """Where the joints are; see `kinematics.forward`."""
        return kinematics.forward(self.parents, self.offsets, root, local_rotations)

    def rest_pose(self) -> tuple[Floats, Floats]:
        """World positions `(n, 3)` and rotations `(n, 4)` of the rest pose."""
        return self.forward(self.offsets[0], self.rest_rotations)

    def tip_position(self, name: str, positions: Floats, world_rotations: Floats) -> Floats:
        """World positions `(..., 3)` of a tip, from what `forward` gave."""
        tip = self.tip(name)
        joint = self.index(tip.joint)
        turned = rotations.rotate(world_rotations[..., joint, :], tip.offset)
        return positions[..., joint, :] + turned

    def joint_angles(self, local_rotations: Floats) -> Floats:
        """`(..., n, 3)` [rad]: turns about x, y, z; see `kinematics.joint_angles`."""
        return kinematics.joint_angles(local_rotations, self.twist_axes)

    def beyond_limits(self, local_rotations: Floats) -> Floats:
        """`(..., n, 3)` [rad]: how far each angle lies outside its limits; 0 inside."""
        angles = self.joint_angles(local_rotations)
        low, high = self.limits[..., 0], self.limits[..., 1]
        return np.maximum(np.maximum(low - angles, angles - high), 0.0)

    def limited(self, local_rotations: Floats, joints: Sequence[int] | None = None) -> Floats:
        """The nearest local rotations, angle by angle, that respect the limits.

        Args:
            local_rotations: `(..., n, 4)`.
            joints: the `n` joints whose rotations these are; all of the skeleton's if None.
        """
        which = list(range(len(self)) if joints is None else joints)
        axes = [self.twist_axes[joint] for joint in which]
        angles = kinematics.joint_angles(local_rotations, axes)
        clipped = np.clip(angles, self.limits[which, :, 0], self.limits[which, :, 1])
        inside = (clipped == angles).all(axis=-1, keepdims=True)
        turned = kinematics.from_joint_angles(clipped, axes)
        return np.where(inside, local_rotations, turned)

    def scaled(self, factor: float) -> Skeleton:
        """The same skeleton, larger or smaller."""
        factor = number(factor, "factor", above=0.0, error=CharacterError)
        return Skeleton(
            joints=self.joints,
            parents=self.parents,
            offsets=self.offsets * factor,
            rest_rotations=self.rest_rotations,
            limits=self.limits,
            twist_axes=self.twist_axes,
            tips=tuple(Tip(tip.name, tip.joint, tip.offset * factor) for tip in self.tips),
        )


def tip(name: str, joint: str, offset: Sequence[float] | Floats) -> Tip:
    """A tip with its offset [m] checked."""
    return Tip(
        name, joint, arrays.position(offset, f"offset of tip {name!r}", error=CharacterError)
    )
