"""Where a body is at any time: what all trajectories share, and the simplest of them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from surefoot import _native, arrays, schema
from surefoot.arrays import ArrayLike, Floats, number
from surefoot.errors import TrajectoryError
from surefoot.math import Pose

if TYPE_CHECKING:
    from surefoot.world.keyframes import Keyframed


def seven(pose: Pose) -> tuple[float, float, float, float, float, float, float]:
    """A pose as the native core takes it: x y z, then w x y z."""
    x, y, z = pose.position.tolist()
    qw, qx, qy, qz = pose.rotation.tolist()
    return (x, y, z, qw, qx, qy, qz)


class Trajectory(ABC):
    """A pose as a function of time. Immutable; a planner asks any time, of any kind."""

    @abstractmethod
    def _make_native(self) -> _native.Trajectory:
        """The native twin that answers every question."""

    @cached_property
    def native(self) -> _native.Trajectory:
        """The native twin."""
        return self._make_native()

    @property
    def horizon(self) -> float:
        """Until when the motion is known [s]; beyond it the body is taken to rest."""
        return math.inf

    @property
    def moving(self) -> bool:
        """Whether the pose ever changes."""
        return self.native.moving()

    def confidence(self, t: float) -> float:
        """How far the pose at `t` can be trusted, 0 to 1."""
        return 1.0 if t <= self.horizon else 0.0

    def pose(self, t: float) -> Pose:
        """The pose at time `t` [s]."""
        positions, rotations = self.poses(np.array([t]))
        return Pose(positions[0], rotations[0])

    def poses(self, times: ArrayLike) -> tuple[Floats, Floats]:
        """Positions `(..., 3)` and rotations `(..., 4)` at `times` `(...)`."""
        times = arrays.times(times, "times")
        positions, rotations = self.native.poses(times.reshape(-1))
        return positions.reshape(*times.shape, 3), rotations.reshape(*times.shape, 4)

    def velocity(self, t: ArrayLike) -> tuple[Floats, Floats]:
        """Linear [m/s] and angular [rad/s] velocity of the frame's origin, world axes."""
        times = arrays.times(t, "t")
        linear, angular = self.native.velocities(times.reshape(-1))
        return linear.reshape(*times.shape, 3), angular.reshape(*times.shape, 3)

    def sampled(self, start: float, end: float, rate: float = 60.0) -> Keyframed:
        """Linear keys at `rate` [1/s] between two times; for motions no file can hold."""
        from surefoot.world.keyframes import Keyframed

        span = arrays.time(end, "end", above=arrays.time(start, "start")) - start
        count = arrays.samples(span, number(rate, "rate", above=0), "the sampled motion")
        times = np.linspace(start, end, count)
        return Keyframed(times, *self.poses(times))

    # Trajectories hold native twins and caches; what makes two alike is what makes them.
    def _key(self) -> tuple[Any, ...]:
        fields: dict[str, Any] = getattr(self, "__dataclass_fields__", {})
        return tuple(_comparable(getattr(self, name)) for name in fields)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trajectory):
            return NotImplemented
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key()))


def _comparable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        array = cast("Floats", value)
        return (array.shape, array.tobytes())
    if isinstance(value, tuple):
        return tuple(_comparable(item) for item in cast("tuple[Any, ...]", value))
    return value


@schema.record("static")
@dataclass(frozen=True, eq=False)
class Static(Trajectory):
    """A body that stays where it is."""

    at: Pose = field(default_factory=Pose)

    def __post_init__(self) -> None:
        if not isinstance(self.at, Pose):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TrajectoryError(f"a static trajectory stays at a Pose, got {self.at!r}")

    def _make_native(self) -> _native.Trajectory:
        return _native.static_trajectory(seven(self.at))


@schema.record("attached")
@dataclass(frozen=True, eq=False)
class Attached(Trajectory):
    """A motion given in the frame of another: a door on a train."""

    parent: Trajectory
    child: Trajectory

    def __post_init__(self) -> None:
        for name in ("parent", "child"):
            if not isinstance(getattr(self, name), Trajectory):
                raise TrajectoryError(f"attached {name} must be a trajectory")

    @property
    def horizon(self) -> float:
        """Until when both motions are known [s]."""
        return min(self.parent.horizon, self.child.horizon)

    def confidence(self, t: float) -> float:
        """Both must be right."""
        return self.parent.confidence(t) * self.child.confidence(t)

    def _make_native(self) -> _native.Trajectory:
        return _native.attached_trajectory(self.parent.native, self.child.native)
