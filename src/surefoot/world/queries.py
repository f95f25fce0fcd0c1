"""What the world answers. Arrays have the broadcast shape of the positions and times asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot import arrays
from surefoot.arrays import Bools, Floats, Ints, frozen
from surefoot.errors import InputError


@dataclass(frozen=True, eq=False)
class RayHits:
    """First surfaces along rays.

    Attributes:
        distance: [m]; infinity where nothing was hit.
        position: `(..., 3)` [m].
        normal: `(..., 3)` unit, on the side that the mesh's order faces.
        body: ids, -1 where nothing was hit; `world.names[id]` names them.
        triangle: face indices in the body's mesh, -1 where nothing was hit.
    """

    distance: Floats
    position: Floats
    normal: Floats
    body: Ints
    triangle: Ints

    @property
    def hit(self) -> Bools:
        """Where there was a surface."""
        return self.body >= 0


@dataclass(frozen=True, eq=False)
class Nearest(RayHits):
    """Nearest surface points; the fields of `RayHits`."""


@dataclass(frozen=True, eq=False)
class Supports:
    """The ground below points or feet.

    Attributes:
        height: of the highest surface [m]; minus infinity where there is none.
        normal: `(..., 3)` unit, upward.
        velocity: `(..., 3)` of the surface itself [m/s].
        body: ids, -1 where there is none; `world.names[id]` names them.
        triangle: face indices in the body's mesh, -1 where there is none.
        coverage: share of the sole that rests on something, 0 to 1.
    """

    height: Floats
    normal: Floats
    velocity: Floats
    body: Ints
    triangle: Ints
    coverage: Floats

    @property
    def hit(self) -> Bools:
        """Where there is ground."""
        return self.body >= 0

    @property
    def slope(self) -> Floats:
        """Steepness of the ground [rad], 0 where it is level; NaN where there is none."""
        level = np.clip(self.normal[..., 2], -1.0, 1.0)
        return np.where(self.hit, np.arccos(level), np.nan)


@dataclass(frozen=True)
class Contact:
    """The first touch along a timed path.

    Attributes:
        time: never later than the true first touch, and earlier by no more than the tolerance
            unless something passed closer than it moves within the tolerance [s].
        body: the name of what is touched.
    """

    time: float
    body: str


@dataclass(frozen=True, eq=False)
class TimedPath:
    """A foot position that moves in straight lines between moments.

    Attributes:
        times: `(n,)` strictly increasing [s].
        positions: `(n, 3)` in the frame body's coordinates [m].
        frame: the body it rides on; none: the world's own frame.
    """

    times: Floats
    positions: Floats
    frame: str | None = None

    def __post_init__(self) -> None:
        times = arrays.times(self.times, "path times")
        positions = arrays.positions(self.positions, "path positions")
        if times.ndim != 1 or len(times) == 0 or positions.shape != (len(times), 3):
            raise InputError(
                "a timed path needs times (n,) and positions (n, 3) with n >= 1, "
                f"got {times.shape} and {positions.shape}"
            )
        if (np.diff(times) <= 0).any():
            i = int(np.argmax(np.diff(times) <= 0))
            raise InputError(
                f"path times must increase strictly: point {i} is at {times[i]:g} s, "
                f"point {i + 1} at {times[i + 1]:g} s"
            )
        object.__setattr__(self, "times", frozen(times))
        object.__setattr__(self, "positions", frozen(positions))
