"""Between a body's frame and the world, many moments at once.

Plans are written in the frames of the bodies that carry the character; `None` is the world's own
frame. Headings are turns about the vertical from the frame's +x direction.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import ArrayLike, Floats
from surefoot.math import rotations
from surefoot.world import World


def to_world(world: World, frame: str | None, positions: ArrayLike, times: ArrayLike) -> Floats:
    """Positions `(n, 3)` [m] in the frame at `times` `(n,)` [s], in world coordinates."""
    positions = np.asarray(positions, dtype=np.float64)
    if frame is None:
        return positions
    origins, turns = world[frame].trajectory.poses(times)
    return rotations.rotate(turns, positions) + origins


def to_frame(world: World, frame: str | None, points: ArrayLike, times: ArrayLike) -> Floats:
    """World coordinates `(n, 3)` [m] at `times` `(n,)` [s], in the frame."""
    points = np.asarray(points, dtype=np.float64)
    if frame is None:
        return points
    origins, turns = world[frame].trajectory.poses(times)
    return rotations.rotate(rotations.inverse(turns), points - origins)


def headings_to_world(
    world: World, frame: str | None, headings: ArrayLike, times: ArrayLike
) -> Floats:
    """Headings `(n,)` [rad] in the frame, as headings in the world."""
    headings = np.asarray(headings, dtype=np.float64)
    if frame is None:
        return headings
    _, turns = world[frame].trajectory.poses(times)
    forward = np.stack([np.cos(headings), np.sin(headings), np.zeros_like(headings)], axis=-1)
    forward = rotations.rotate(turns, forward)
    return np.arctan2(forward[..., 1], forward[..., 0])


def headings_to_frame(
    world: World, frame: str | None, headings: ArrayLike, times: ArrayLike
) -> Floats:
    """Headings `(n,)` [rad] in the world, as headings in the frame."""
    headings = np.asarray(headings, dtype=np.float64)
    if frame is None:
        return headings
    _, turns = world[frame].trajectory.poses(times)
    forward = np.stack([np.cos(headings), np.sin(headings), np.zeros_like(headings)], axis=-1)
    forward = rotations.rotate(rotations.inverse(turns), forward)
    return np.arctan2(forward[..., 1], forward[..., 0])


def turn_between(first: ArrayLike, second: ArrayLike) -> Floats:
    """The smallest turn [rad] from one heading to the other, in -pi..pi."""
    turn = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    return np.arctan2(np.sin(turn), np.cos(turn))


def carries(world: World, frame: str | None) -> bool:
    """Whether the frame ever moves."""
    return frame is not None and world[frame].trajectory.moving


def frame_velocities(world: World, frame: str | None, points: Floats, times: Floats) -> Floats:
    """`(n, 3)` [m/s]: how fast the frame carries what is at `points` `(n, 3)` at `times`."""
    return np.zeros_like(points) if frame is None else world.velocity(frame, points, times)
