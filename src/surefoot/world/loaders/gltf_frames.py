"""From a hierarchy of glTF nodes, some animated, to rigid motions.

A node's frame is a rigid motion, then a constant linear map that is baked into the mesh: scale,
mirror, and the shear that a scale above a rotation makes. A chain of resting nodes is one pose.
Below an animated node, poses count in its frame (`Attached`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import FileError, InputError
from surefoot.gltf import Channel
from surefoot.math import Pose, rotations
from surefoot.world.keyframes import Keyframed, Repeat
from surefoot.world.trajectory import Attached, Static, Trajectory

MOVING_LIMIT: Final = 64
"""The most animated nodes above each other."""

# How much a scale may differ along its axes and still count as uniform. Exporters multiply
# scales in single precision.
_UNIFORM: Final = 1e-4


@dataclass(frozen=True, eq=False)
class Track:
    """A channel in the world's axes and time, and the span of the animation [s], which repeats."""

    channel: Channel
    span: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Transform:
    """What a node does to its frame: shift and turn, at rest or on tracks, and scale.

    Its `span` replaces that of its tracks.
    """

    label: str
    translation: Floats
    rotation: Floats
    scale: Floats
    move: Track | None = None
    turn: Track | None = None
    repeat: Repeat = "loop"
    span: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """Where a node is: `moving`, then `pose`, then `linear`.

    Attributes:
        moving: The motion of the animated nodes above it; None when there are none.
        pose: Of the resting nodes below those.
        linear: `(3, 3)`: what is left to bake into a mesh.
        depth: How many animated nodes there are.
        similar: The rotation `(3, 3)` in `linear`; None where it does not keep angles.
    """

    moving: Trajectory | None = None
    pose: Pose = field(default_factory=Pose)
    linear: Floats = field(default_factory=lambda: np.eye(3))
    depth: int = 0
    similar: Floats | None = field(default_factory=lambda: np.eye(3))

    def below(self, node: Transform, file: str) -> Frame:
        """The frame of a node in this one."""
        try:
            # Numbers that overflow are refused by name below, as poses that are not finite.
            with np.errstate(over="ignore", invalid="ignore"):
                return self._below(node, file)
        except InputError as reason:
            raise FileError(f"{file}: {node.label}: {reason}") from reason

    def _below(self, node: Transform, file: str) -> Frame:
        # linear (translate rotate scale) = translate' rotate' (linear' scale): the shift goes
        # through the linear map, and so does the rotation where the map keeps angles.
        similar = self.similar
        if node.turn is not None and similar is None:
            raise FileError(
                f"{file}: {node.label}: turns below a scale that differs along its axes, "
                "which shears it: no rigid motion; apply the scale in the modelling tool"
            )
        linear = self.linear
        if similar is None:
            turned = rotations.to_matrix(node.rotation)
            linear = turned.T @ linear @ turned
        if (node.scale != 1.0).any():
            linear = linear * node.scale
        if node.move is None and node.turn is None:
            turn = node.rotation if similar is None else _conjugated(node.rotation, similar)
            local = Pose(self.linear @ node.translation, turn)
            return self._with(self.moving, self.pose @ local, linear, self.depth)
        if self.depth == MOVING_LIMIT:
            raise FileError(
                f"{file}: {node.label}: more than {MOVING_LIMIT} animated nodes above each other"
            )
        motion = self._motion(node, np.eye(3) if similar is None else similar)
        moving = motion if self.moving is None else Attached(self.moving, motion)
        return self._with(moving, Pose(), linear, self.depth + 1)

    def _with(self, moving: Trajectory | None, pose: Pose, linear: Floats, depth: int) -> Frame:
        similar = self.similar if linear is self.linear else _similarity(linear)
        return Frame(moving, pose, linear, depth, similar)

    def trajectory(self) -> Trajectory:
        """The motion of a body in this frame."""
        if self.moving is None:
            return Static(self.pose)
        return self.moving if self.pose == Pose() else Attached(self.moving, Static(self.pose))

    def _motion(self, node: Transform, similar: Floats) -> Trajectory:
        """The motion of an animated node, the resting pose above it folded into its keys."""
        outer, move, turn = self.pose, node.move, node.turn
        resting = rotations.multiply(outer.rotation, _conjugated(node.rotation, similar))
        place = outer.apply(self.linear @ node.translation)
        if move is not None and turn is not None and node.span is None and move.span != turn.span:
            # Two animations of their own length: each part repeats by itself.
            shift = self._moved(node, move, rotations.IDENTITY)
            return Attached(shift, self._turned(node, turn, np.zeros(3), similar))
        if turn is None:
            assert move is not None
            return self._moved(node, move, resting)
        turning = self._turned(node, turn, place, similar)
        if move is None:
            return turning
        shift = self._moved(node, move, resting)
        return Keyframed(
            shift.times,
            shift.positions,
            turning.rotations,
            interpolation=shift.interpolation,
            tangents=shift.tangents,
            rotation_times=turning.rotation_times,
            rotation_interpolation=turning.rotation_interpolation,
            rotation_tangents=turning.rotation_tangents,
            repeat=node.repeat,
            span=node.span or move.span,
        )

    def _moved(self, node: Transform, track: Track, rotation: Floats) -> Keyframed:
        """Keys that shift, with a constant rotation."""
        channel, outer = track.channel, self.pose
        tangents = None
        if channel.tangents is not None:
            arriving, leaving = (
                rotations.rotate(outer.rotation, slope @ self.linear.T)
                for slope in channel.tangents
            )
            tangents = arriving, leaving
        return Keyframed(
            channel.times,
            outer.apply(channel.values @ self.linear.T),
            rotation[None],
            interpolation=channel.interpolation,
            tangents=tangents,
            rotation_times=channel.times[:1],
            rotation_interpolation="linear",
            repeat=node.repeat,
            span=node.span or track.span,
        )

    def _turned(
        self, node: Transform, track: Track, position: Floats, similar: Floats
    ) -> Keyframed:
        """Keys that turn, at a constant position."""
        channel, outer = track.channel, self.pose.rotation
        tangents = None
        if channel.tangents is not None:
            # Composing quaternions is linear, so slopes go through as values do.
            arriving, leaving = (
                rotations.multiply(outer, _conjugated(slope, similar)) for slope in channel.tangents
            )
            tangents = arriving, leaving
        return Keyframed(
            channel.times[:1],
            position[None],
            rotations.multiply(outer, _conjugated(channel.values, similar)),
            rotation_times=channel.times,
            rotation_interpolation=channel.interpolation,
            rotation_tangents=tangents,
            repeat=node.repeat,
            span=node.span or track.span,
        )


def _similarity(linear: Floats) -> Floats | None:
    """The rotation `(3, 3)` in a map that keeps angles (up to mirroring), or None for others."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        determinant = float(np.linalg.det(linear))
        size = np.cbrt(determinant)
        if size == 0.0:
            return None
        # Dividing by a negative size turns a mirroring map into a rotation.
        turned = linear / size
        if not np.abs(turned.T @ turned - np.eye(3)).max() <= _UNIFORM:
            return None
    if np.abs(turned - np.eye(3)).max() <= _UNIFORM:
        return np.eye(3)
    return turned


def _conjugated(quaternions: Floats, turn: Floats) -> Floats:
    """The rotations seen in a frame that is turned by the matrix `turn`."""
    if np.array_equal(turn, np.eye(3)):
        return quaternions
    return np.concatenate([quaternions[..., :1], quaternions[..., 1:] @ turn.T], axis=-1)
