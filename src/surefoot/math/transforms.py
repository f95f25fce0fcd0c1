"""Rigid poses: where a body is and how it is turned."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from surefoot import arrays
from surefoot.arrays import ArrayLike, Floats, frozen, vector
from surefoot.errors import InputError
from surefoot.math import rotations


@dataclass(frozen=True, eq=False)
class Pose:
    """A rigid pose: a rotation, then a shift.

    Attributes:
        position: `(3,)` [m].
        rotation: `(4,)` unit quaternion wxyz; normalised here, so any length but zero will do.
    """

    position: Floats = field(default_factory=lambda: np.zeros(3))
    rotation: Floats = field(default_factory=lambda: rotations.IDENTITY)

    def __post_init__(self) -> None:
        rotation = vector(self.rotation, "rotation", 4)
        length = float(np.linalg.norm(rotation))
        if length < 1e-12:
            raise InputError("rotation must be a quaternion wxyz of non-zero length, got zeros")
        # A unit quaternion stays as it is to the last bit, so that files round-trip exactly.
        if abs(length - 1.0) > 1e-15:
            rotation = frozen(rotation / length)
        object.__setattr__(self, "position", arrays.position(self.position, "position"))
        object.__setattr__(self, "rotation", rotation)

    @classmethod
    def at(cls, x: float = 0.0, y: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Pose:
        """The pose at (x, y, z) [m], turned by `yaw` [rad] about the vertical."""
        where = [arrays.length(each, name) for name, each in (("x", x), ("y", y), ("z", z))]
        return cls(np.array(where), rotations.from_yaw(arrays.number(yaw, "yaw")))

    def apply(self, points: ArrayLike) -> Floats:
        """Points `(..., 3)` of this frame, in the frame around it."""
        return rotations.rotate(self.rotation, points) + self.position

    def unapply(self, points: ArrayLike) -> Floats:
        """Points `(..., 3)` of the frame around, in this frame."""
        shifted = np.asarray(points, dtype=np.float64) - self.position
        return rotations.rotate(rotations.inverse(self.rotation), shifted)

    def __matmul__(self, inner: Pose) -> Pose:
        """`outer @ inner`: the pose `inner`, given in the frame `outer`."""
        return Pose(self.apply(inner.position), rotations.multiply(self.rotation, inner.rotation))

    def inverse(self) -> Pose:
        """The pose that undoes this one."""
        back = rotations.inverse(self.rotation)
        return Pose(-rotations.rotate(back, self.position), back)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return bool(
            np.array_equal(self.position, other.position)
            and np.array_equal(self.rotation, other.rotation)
        )

    def __hash__(self) -> int:
        return hash((self.position.tobytes(), self.rotation.tobytes()))
