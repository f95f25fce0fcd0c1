"""The same scene many times side by side, for questions about size."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.world.body import Body
from surefoot.world.place import Place
from surefoot.world.trajectory import Attached, Static, Trajectory
from surefoot.world.world import World

Tiles = tuple[int, int]
"""How many copies along x and along y, each >= 1."""


def tiled(world: World, tiles: Tiles) -> World:
    """Copies of a world, each beginning where the last one ends; they share their meshes.

    Bodies and places get their tile's number, "shelf 3 (0, 2)". The start is the first tile's,
    the goal the last tile's, and other places without a number are the first tile's.
    """
    columns, rows = tiles
    if columns < 1 or rows < 1:
        raise InputError(f"tiles must be at least (1, 1), got {tiles}")
    pitch = _extent(world)
    bodies: list[Body] = []
    found: dict[str, Place] = {}
    for tile in np.ndindex(columns, rows):
        offset = np.array([*(np.array(tile) * pitch), 0.0])
        mark = f" ({tile[0]}, {tile[1]})"
        bodies += [
            Body(
                name=body.name + mark,
                mesh=body.mesh,
                trajectory=_shifted(body.trajectory, offset),
                tags=body.tags,
                solid=body.solid,
                color=body.color,
            )
            for body in world
        ]
        for name, place in world.places.items():
            moved = place.position + (offset if place.body is None else 0.0)
            found[name + mark] = Place(None if place.body is None else place.body + mark, moved)
    named = {name: found[f"{name} (0, 0)"] for name in world.places}
    named["goal"] = found[f"goal ({columns - 1}, {rows - 1})"]
    return World(bodies, name=f"{world.name}, {columns} x {rows}", places=named | found)


def _extent(world: World) -> Floats:
    """`(2,)`: how far the bodies at rest reach along x and y [m]."""
    corners = [
        body.trajectory.pose(0.0).apply(np.array(np.meshgrid(*body.mesh.bounds.T)).reshape(3, -1).T)
        for body in world
        if not body.trajectory.moving
    ]
    return np.ptp(np.concatenate(corners), axis=0)[:2]


def _shifted(trajectory: Trajectory, offset: Floats) -> Trajectory:
    if isinstance(trajectory, Static):
        pose = trajectory.pose(0.0)
        return Static(Pose(pose.position + offset, pose.rotation))
    return Attached(Static(Pose(offset)), trajectory)
