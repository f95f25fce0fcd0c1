"""Clips: poses of a skeleton over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from surefoot.arrays import Floats, floats, frozen, number
from surefoot.character.humanoid import JOINTS
from surefoot.character.skeleton import Skeleton
from surefoot.errors import InputError
from surefoot.math import rotations


def _no_shifts() -> dict[int, Floats]:
    return {}


@dataclass(frozen=True, eq=False, kw_only=True)
class Clip:
    """Poses of a skeleton, any skeleton, at an even rate; Z up, metres.

    Attributes:
        name: unique in a library.
        skeleton: whose poses; its joints keep the names of the file they come from.
        rate: [1/s], > 0: frames a second.
        root: `(n, 3)` [m], the root joint in the world; n >= 1.
        rotations: `(n, joints, 4)`, local.
        bones: canonical joint to index of the skeleton's joint, for those that are known; of a
            canonical skeleton all.
        shifts: where a file moves a joint against its parent: the joint's index to `(n, 3)` [m],
            in the parent's frame, in place of the skeleton's offset.
        notes: what was assumed when it was read, in sentences.
    """

    name: str
    skeleton: Skeleton
    rate: float
    root: Floats
    rotations: Floats
    bones: Mapping[str, int] = field(default_factory=lambda: dict[str, int]())
    shifts: Mapping[int, Floats] = field(default_factory=_no_shifts)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rate = number(self.rate, f"clip {self.name!r}: rate", above=0.0)
        root = floats(self.root, f"clip {self.name!r}: root")
        local = floats(self.rotations, f"clip {self.name!r}: rotations")
        if root.ndim != 2 or root.shape[1] != 3 or len(root) == 0:
            raise InputError(f"clip {self.name!r}: root must be (n, 3), n >= 1, got {root.shape}")
        expected = (len(root), len(self.skeleton), 4)
        if local.shape != expected:
            raise InputError(
                f"clip {self.name!r}: rotations must have shape {expected}, got {local.shape}"
            )
        bones = dict(self.bones)
        if not bones and self.skeleton.joints == JOINTS:
            bones = {joint: index for index, joint in enumerate(JOINTS)}
        put = object.__setattr__
        put(self, "rate", rate)
        put(self, "root", frozen(root))
        put(self, "rotations", frozen(rotations.normalize(local)))
        put(self, "bones", bones)

    def __len__(self) -> int:
        return len(self.root)

    @property
    def duration(self) -> float:
        """[s] from the first frame to the last."""
        return (len(self) - 1) / self.rate

    @property
    def times(self) -> Floats:
        """`(n,)` [s], from 0."""
        return np.arange(len(self)) / self.rate
