"""Level frames: where a clip's own space lies in the world, or on a body that carries it."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, sin

import numpy as np

from surefoot.arrays import Floats
from surefoot.math import Pose, rotations
from surefoot.world import World


@dataclass(frozen=True, eq=False)
class LevelFrame:
    """A frame that stays level, on a body or in the world.

    Attributes:
        body: what carries it, if that moves; None for the world's own frame.
        position: `(3,)` [m], of its origin, on the body.
        yaw: [rad], on the body.
    """

    body: str | None
    position: Floats
    yaw: float

    def apply(self, world: World | None, t: float, point: Floats) -> Floats:
        """A point `(3,)` of the frame in the world at `t` [s]."""
        return _carrier(world, self.body, t).apply(self.local(point))

    def local(self, point: Floats) -> Floats:
        """A point `(3,)` of the frame, on the body that carries it."""
        return turned(point, self.yaw) + self.position

    def heading(self, world: World | None, t: float) -> float:
        """Which way [rad] the frame's x axis points in the world at `t` [s]."""
        ahead = _carrier(world, self.body, t).rotation
        ahead = rotations.rotate(ahead, [cos(self.yaw), sin(self.yaw), 0.0])
        return atan2(ahead[1], ahead[0])

    def on(self, world: World | None, body: str | None, t: float) -> LevelFrame:
        """The frame that lies where this one is at `t` [s], on another body."""
        if body == self.body:
            return self
        carrier = _carrier(world, body, t)
        origin = carrier.unapply(self.apply(world, t, np.zeros(3)))
        facing = self.heading(world, t)
        ahead = rotations.rotate(
            rotations.inverse(carrier.rotation), [cos(facing), sin(facing), 0.0]
        )
        return LevelFrame(body, origin, atan2(ahead[1], ahead[0]))

    def placing(self, place: Floats, heading: float, height: float = 0.0) -> LevelFrame:
        """The frame in which what lies at `place` `(2,)`, facing `heading`, lies at the origin.

        That is: on the same body, so that a clip's travel frame comes to lie on this one.
        """
        yaw = self.yaw - heading
        origin = np.array([place[0], place[1], height])
        return LevelFrame(self.body, self.position - turned(origin, yaw), yaw)


def turned(point: Floats, yaw: float) -> Floats:
    """A point `(3,)` turned about the vertical."""
    c, s = cos(yaw), sin(yaw)
    return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1], point[2]])


def moving_body(world: World | None, body: str | None) -> str | None:
    """The body, where it moves; what never moves is the world's own."""
    if world is None or body is None or not world[body].trajectory.moving:
        return None
    return body


def _carrier(world: World | None, body: str | None, t: float) -> Pose:
    return Pose() if world is None or body is None else world[body].trajectory.pose(t)
