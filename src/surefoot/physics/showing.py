"""Simulated bodies to look at: recorded positions as a world of moving parts.

What comes out is a `World` like any other: it can be drawn, shown in the studio and saved as glTF.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.math import Pose, rotations
from surefoot.physics.anatomy import Shape, Vector
from surefoot.physics.extra import engine
from surefoot.physics.stage import Stage
from surefoot.world import Body, Keyframed, Mesh, Static, World, primitives
from surefoot.world.mesh import merge

_SIDES = 16


def world_of(stage: Stage, frames: Floats, rate: float, *, floor: float = 40.0) -> World:
    """The stage's body as it was recorded, on a floor, with the balls and boxes of its scenery.

    Args:
        stage: whose body.
        frames: `(n, nq)` positions, n at least 2.
        rate: [1/s] of the frames, > 0.
        floor: [m] of its sides.
    """
    parts = _recorded(stage, frames, rate, [*_parts(stage), *_scenery(stage)])
    middle = frames[:, :2].mean(axis=0)
    ground = Body(
        name="floor",
        mesh=primitives.ground(floor, floor),
        trajectory=Static(Pose.at(float(middle[0]), float(middle[1]))),
        solid=False,
    )
    return World([ground, *parts], name=stage.body.name)


def parts_of(stage: Stage, frames: Floats, rate: float, *, start: float = 0.0) -> list[Body]:
    """The parts of the stage's body alone, as they were recorded.

    Args:
        stage: whose body.
        frames: `(n, nq)` positions, n at least 2.
        rate: [1/s] of the frames, > 0.
        start: [s] of the first frame.
    """
    return _recorded(stage, frames, rate, _parts(stage), start)


Shown = tuple[str, Mesh, Vector | None]
"""The name of a body of the model, what it looks like, and its colour."""


def _parts(stage: Stage) -> list[Shown]:
    return [
        (part.name, merge([shape_mesh(shape) for shape in part.shapes], part.name), part.color)
        for part in stage.body.anatomy.parts
    ]


def _recorded(
    stage: Stage, frames: Floats, rate: float, shapes: list[Shown], start: float = 0.0
) -> list[Body]:
    if frames.ndim != 2 or len(frames) < 2 or frames.shape[1] != stage.size:
        raise InputError(f"frames must be (n, {stage.size}), n at least 2, got {frames.shape}")
    mujoco = engine()
    data = mujoco.MjData(stage.model)
    ids = [int(stage.model.body(name).id) for name, _, _ in shapes]
    positions = np.empty((len(frames), len(ids), 3))
    turns = np.empty((len(frames), len(ids), 4))
    for i, frame in enumerate(frames):
        data.qpos[:] = frame
        mujoco.mj_kinematics(stage.model, data)
        positions[i], turns[i] = data.xpos[ids], data.xquat[ids]
    times = start + np.arange(len(frames)) / rate
    return [
        Body(
            name=name,
            mesh=mesh,
            trajectory=Keyframed(times, positions[:, i], _continuous(turns[:, i])),
            color=color,
        )
        for i, (name, mesh, color) in enumerate(shapes)
    ]


def _scenery(stage: Stage) -> list[Shown]:
    """Other bodies of the model that have a name: balls and boxes."""
    model, mujoco = stage.model, engine()
    found: list[Shown] = []
    first = int(model.body(stage.body.anatomy.root.name).id) + len(stage.body.anatomy.parts)
    for body in range(first, int(model.nbody)):
        meshes: list[Mesh] = []
        for geom in np.flatnonzero(model.geom_bodyid == body):
            size, place = model.geom_size[geom], Pose(model.geom_pos[geom], model.geom_quat[geom])
            if int(model.geom_type[geom]) == int(mujoco.mjtGeom.mjGEOM_SPHERE):
                meshes.append(primitives.ball(float(size[0]), sides=_SIDES).transformed(place))
            elif int(model.geom_type[geom]) == int(mujoco.mjtGeom.mjGEOM_BOX):
                meshes.append(primitives.box(tuple(2 * size)).transformed(place))
        name = str(model.body(body).name)
        if meshes and name:
            found.append((name, merge(meshes, name), (0.6, 0.08, 0.05)))
    return found


def shape_mesh(shape: Shape) -> Mesh:
    """What a shape looks like, in its part's frame."""
    if shape.half is not None:
        size = 2 * np.array(shape.half)
        place = Pose(np.array(shape.start), rotations.from_axis_angle((0.0, 1.0, 0.0), shape.turn))
        return primitives.box((float(size[0]), float(size[1]), float(size[2]))).transformed(place)
    start, end = np.array(shape.start), np.array(shape.end)
    length = float(np.linalg.norm(end - start))
    if length == 0.0:
        return primitives.ball(shape.radius, shape.start, _SIDES)
    angle = np.linspace(-np.pi / 2, np.pi / 2, _SIDES // 2)
    height = shape.radius * np.sin(angle) + np.where(angle > 0, length, 0.0)
    radius = np.maximum(shape.radius * np.cos(angle), 0.0)
    radius[[0, -1]] = 0.0
    capsule = primitives.turned(np.stack([radius, height], axis=1), _SIDES)
    up = np.array([0.0, 0.0, 1.0])
    return capsule.transformed(Pose(start, rotations.between(up, (end - start) / length)))


def _continuous(turns: Floats) -> Floats:
    """The same rotations, each quaternion on the side of the one before."""
    flips = np.sign((turns[1:] * turns[:-1]).sum(axis=1))
    signs = np.cumprod(np.concatenate([[1.0], np.where(flips == 0, 1.0, flips)]))
    return turns * signs[:, None]
