"""Platforms: boxes that move through a stage as they are told, and carry who stands on them.

MuJoCo's own moving bodies ("mocap") pass under the feet of those who stand on them. A platform has
a free joint instead, whose place and velocity are written before every step: contacts see it move,
and friction drags along what it carries.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.physics.anatomy import Vector
from surefoot.physics.states import States
from surefoot.world import Body, Trajectory

_MASS = 1e5
"""[kg] of a platform: what walks on it cannot push it within a step."""


_FELT = 0.1
"""[s] over which an acceleration is felt; velocities of keyframed motions jump."""


@dataclass(frozen=True, kw_only=True)
class Platform:
    """A box that moves.

    Attributes:
        name: unlike any part of the body.
        low, high: [m] corners of the box in its own frame; `high` has the z that feet stand on.
        trajectory: of that frame, over the stage's clock.
    """

    name: str
    low: Vector
    high: Vector
    trajectory: Trajectory

    def __post_init__(self) -> None:
        if not all(a < b for a, b in zip(self.low, self.high, strict=True)):
            raise InputError(
                f"platform {self.name!r}: low must be under high, got {self.low} and {self.high}"
            )

    @classmethod
    def of(cls, body: Body) -> Platform:
        """A body of a world, which must be a box along the axes of its own frame."""
        low, high = body.mesh.bounds
        if not is_box(body):
            raise InputError(
                f"{body.name!r} is no box and cannot carry simulated bodies: it has"
                f" {_volume(body):.3g} of its bounding box's {np.prod(high - low):.3g} cubic metres"
            )
        return cls(
            name=body.name,
            low=(float(low[0]), float(low[1]), float(low[2])),
            high=(float(high[0]), float(high[1]), float(high[2])),
            trajectory=body.trajectory,
        )

    @property
    def top(self) -> float:
        """[m] of the surface above the frame's origin."""
        return self.high[2]

    def mjcf(self) -> str:
        """Its body element."""
        return (
            f'<body name="{self.name}" gravcomp="1"><freejoint name="{self.name}"/>'
            f"{self._geom(_MASS)}</body>"
        )

    def fixed_mjcf(self) -> str:
        """Its element where it never moves: scenery, which costs no degree of freedom."""
        pose = self.trajectory.pose(0.0)
        place, turn = _text(pose.position.tolist()), _text(pose.rotation.tolist())
        return f'<body name="{self.name}" pos="{place}" quat="{turn}">{self._geom(0.0)}</body>'

    def _geom(self, mass: float) -> str:
        middle = [(a + b) / 2 for a, b in zip(self.low, self.high, strict=True)]
        half = [(b - a) / 2 for a, b in zip(self.low, self.high, strict=True)]
        return (
            f'<geom name="{self.name}" type="box" mass="{mass:g}" '
            f'pos="{_text(middle)}" size="{_text(half)}"/>'
        )

    def track(self, times: Floats) -> Floats:
        """`(n, 16)`: position, quaternion, velocity, spin about its own axes, and acceleration.

        The acceleration tells who stands on it how to lean.
        """
        places, turns = self.trajectory.poses(times)
        velocities, spins = self.trajectory.velocity(times)
        own = rotations.rotate(rotations.inverse(turns), spins)
        sooner, later = np.maximum(0.0, times - _FELT / 2), times + _FELT / 2
        gained = self.trajectory.velocity(later)[0] - self.trajectory.velocity(sooner)[0]
        felt = gained / (later - sooner)[:, None]
        return np.ascontiguousarray(np.concatenate([places, turns, velocities, own, felt], axis=1))


def is_box(body: Body) -> bool:
    """Whether a body of a world is a box along the axes of its own frame."""
    size = np.ptp(body.mesh.bounds, axis=0)
    return bool(size.min() > 0.0 and np.isclose(_volume(body), size.prod(), rtol=1e-3))


def _volume(body: Body) -> float:
    """[m^3] inside a closed mesh."""
    return abs(float(np.linalg.det(body.mesh.vertices[body.mesh.faces]).sum())) / 6


def contacts(platforms: tuple[Platform, ...]) -> str:
    """Platforms pass through the floor and through one another."""
    names = ["world", *(platform.name for platform in platforms)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return "".join(f'<exclude body1="{a}" body2="{b}"/>' for a, b in pairs)


def carried(states: States, track: Floats, top: float) -> States:
    """Bodies that are given as seen from a platform, in the world.

    Args:
        states: root places from the platform's origin and above its top.
        track: `(n, 16)` the platform's, for each of them.
        top: [m] of its surface above its origin.
    """
    moved = states.copy()
    place, turn, velocity, own = track[:, :3], track[:, 3:7], track[:, 7:10], track[:, 10:13]
    arm = rotations.rotate(turn, states.places + np.array([0.0, 0.0, top]))
    spin = rotations.rotate(turn, own)
    moved.positions[:, :3] = place + arm
    moved.positions[:, 3:7] = rotations.multiply(turn, states.positions[:, 3:7])
    # MuJoCo has the root's velocity in the world and its spin about its own axes.
    here = rotations.rotate(turn, states.velocities[:, :3])
    moved.velocities[:, :3] = velocity + np.cross(spin, arm) + here
    back = rotations.inverse(moved.positions[:, 3:7])
    moved.velocities[:, 3:6] = states.velocities[:, 3:6] + rotations.rotate(back, spin)
    moved.beats[:, 2] += rotations.yaw(turn)
    return moved


def seen_from(states: States, track: Floats, top: float) -> States:
    """The inverse of `carried`: bodies in the world as seen from a platform."""
    moved = states.copy()
    place, turn, velocity, own = track[:, :3], track[:, 3:7], track[:, 7:10], track[:, 10:13]
    inverse = rotations.inverse(turn)
    arm, spin = states.places - place, rotations.rotate(turn, own)
    moved.positions[:, :3] = rotations.rotate(inverse, arm) - np.array([0.0, 0.0, top])
    moved.positions[:, 3:7] = rotations.multiply(inverse, states.positions[:, 3:7])
    slip = states.velocities[:, :3] - velocity - np.cross(spin, arm)
    moved.velocities[:, :3] = rotations.rotate(inverse, slip)
    back = rotations.inverse(states.positions[:, 3:7])
    moved.velocities[:, 3:6] = states.velocities[:, 3:6] - rotations.rotate(back, spin)
    moved.beats[:, 2] -= rotations.yaw(turn)
    return moved


def _text(numbers: list[float]) -> str:
    return " ".join(f"{number:.9g}" for number in numbers)
