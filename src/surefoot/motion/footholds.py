"""Footholds: where a foot is on the ground, from when to when, on the body that carries it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats, frozen, number, vector
from surefoot.errors import InputError, one_of
from surefoot.math import rotations
from surefoot.motion.curves import Indices
from surefoot.world import World

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")


@dataclass(frozen=True, eq=False, kw_only=True)
class Foothold:
    """One foot on the ground.

    Attributes:
        foot: "left" or "right".
        body: what carries it, None for the world's own frame.
        position: `(3,)` [m], the middle of the sole, in the body's frame.
        rotation: `(4,)`, the sole's frame in the body's: x to the toes, z out of the ground.
        start: [s] first contact.
        end: [s] last contact, > start; inf when it stays.
        tilt: [rad] that it stands on an edge: how far its left side is up against the ground.
    """

    foot: Side
    body: str | None
    position: Floats
    rotation: Floats
    start: float
    end: float
    tilt: float = 0.0

    def __post_init__(self) -> None:
        if self.foot not in SIDES:
            raise InputError(one_of("foot", self.foot, SIDES))
        put = object.__setattr__
        put(self, "position", arrays.position(self.position, "foothold position"))
        rotation = vector(self.rotation, "foothold rotation", 4)
        put(self, "rotation", frozen(rotations.normalize(rotation)))
        start = arrays.time(self.start, "foothold start")
        end = arrays.time(self.end, "foothold end", infinite=True)
        number(self.tilt, "foothold tilt")
        if not end > start:
            raise InputError(f"a foothold must end after it starts; {start:g} s to {end:g} s")

    @property
    def heading(self) -> float:
        """[rad] in the frame of the body."""
        return float(rotations.yaw(self.rotation))


class Holds:
    """Footholds of one or both feet in order of contact, as arrays over many moments.

    Args:
        world: whose bodies carry them.
        footholds: one or more.
    """

    def __init__(self, world: World, footholds: Sequence[Foothold]) -> None:
        self.world = world
        self.footholds = tuple(sorted(footholds, key=lambda hold: hold.start))
        self.starts = np.array([hold.start for hold in self.footholds])
        self.ends = np.array([hold.end for hold in self.footholds])
        self._positions = np.array([hold.position for hold in self.footholds])
        self._rotations = np.array([hold.rotation for hold in self.footholds])
        tilts = np.array([hold.tilt for hold in self.footholds])
        self._levelled = rotations.from_axis_angle([1.0, 0.0, 0.0], -tilts)
        # What never moves is put into the world's frame once.
        self._carriers: dict[str, list[int]] = {}
        for index, hold in enumerate(self.footholds):
            if hold.body is None:
                continue
            trajectory = world[hold.body].trajectory
            if trajectory.moving:
                self._carriers.setdefault(hold.body, []).append(index)
                continue
            pose = trajectory.pose(0.0)
            self._positions[index] = pose.apply(hold.position)
            self._rotations[index] = rotations.multiply(pose.rotation, hold.rotation)

    def __len__(self) -> int:
        return len(self.footholds)

    def frames(self, which: Indices, times: Floats) -> tuple[Floats, Floats]:
        """Positions `(n, 3)` [m] and rotations `(n, 4)` of soles in the world.

        Args:
            which: `(n,)` indices of footholds.
            times: `(n,)` [s].
        """
        positions, turned = self._positions[which], self._rotations[which]
        for body, indices in self._carriers.items():
            at = np.isin(which, indices)
            if at.any():
                origins, turns = self.world[body].trajectory.poses(times[at])
                positions[at] = rotations.rotate(turns, positions[at]) + origins
                turned[at] = rotations.multiply(turns, turned[at])
        return positions, turned

    def grounds(self, which: Indices, times: Floats) -> tuple[Floats, Floats]:
        """Like `frames`, but of the ground under soles that stand on an edge."""
        positions, turned = self.frames(which, times)
        return positions, rotations.multiply(turned, self._levelled[which])

    def to_carrier(self, which: Indices, points: Floats, times: Floats) -> Floats:
        """World points `(n, 3)` [m] in the frames of what carries footholds."""
        local = points.copy()
        for body, indices in self._carriers.items():
            at = np.isin(which, indices)
            if at.any():
                origins, turns = self.world[body].trajectory.poses(times[at])
                local[at] = rotations.rotate(rotations.inverse(turns), points[at] - origins)
        return local


def attached(
    world: World, foot: Side, body: str | None, position: Floats, rotation: Floats,
    start: float, end: float, at: float | None = None,
) -> Foothold:  # fmt: skip
    """The foothold of a sole given in the world's frame at the time `at` (its start if None)."""
    if body is not None:
        pose = world[body].trajectory.pose(start if at is None else at)
        position = pose.unapply(position)
        rotation = rotations.multiply(rotations.inverse(pose.rotation), rotation)
    return Foothold(
        foot=foot, body=body, position=position, rotation=rotation, start=start, end=end
    )
