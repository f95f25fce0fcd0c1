"""The overlap question asked of python-fcl."""

from __future__ import annotations

from typing import Any

import fcl
import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.world import Body, Cylinder, Mesh


def model(mesh: Mesh) -> Any:
    """A mesh as FCL's bounding-volume tree."""
    tree = fcl.BVHModel()
    tree.beginModel(len(mesh.vertices), len(mesh.faces))
    tree.addSubModel(mesh.vertices, mesh.faces)
    tree.endModel()
    return tree


class FclMesh:
    """A cylinder against one mesh: the direct call, without a manager."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = fcl.CollisionObject(model(mesh))

    def overlap(self, points: Floats, shape: Cylinder) -> Bools:
        """Whether the shape standing at each point touches the mesh's surface."""
        standing, up = _standing(shape)
        request = fcl.CollisionRequest()
        found = np.zeros(len(points), dtype=bool)
        for i, middle in enumerate(points + up):
            standing.setTranslation(middle)
            found[i] = fcl.collide(self._mesh, standing, request, fcl.CollisionResult()) > 0
        return found


class FclWorld:
    """A cylinder against many bodies: a manager, brought up to date for every new moment."""

    def __init__(self, bodies: list[Body]) -> None:
        models = {id(body.mesh): model(body.mesh) for body in bodies}
        self._objects = [fcl.CollisionObject(models[id(body.mesh)]) for body in bodies]
        self._moving = [
            (body, thing)
            for body, thing in zip(bodies, self._objects, strict=True)
            if body.trajectory.moving
        ]
        self._manager = fcl.DynamicAABBTreeCollisionManager()
        self._manager.registerObjects(self._objects)
        for body, thing in zip(bodies, self._objects, strict=True):
            thing.setTransform(fcl.Transform(*_pose(body, 0.0)))
        self._manager.setup()

    def poses(self, times: Floats) -> list[list[tuple[Floats, Floats]]]:
        """Rotations and positions of the moving bodies at each time, for `overlap`."""
        tracks = [body.trajectory.poses(times) for body, _ in self._moving]
        return [
            [(rotations[k], positions[k]) for positions, rotations in tracks]
            for k in range(len(times))
        ]

    def overlap(
        self, points: Floats, poses: list[list[tuple[Floats, Floats]]], shape: Cylinder
    ) -> Bools:
        """Whether the shape touches something: `points` `(moments, n, 3)` in order of time.

        The bodies' poses are given, as no part of FCL's work.
        """
        standing, up = _standing(shape)
        found = np.zeros(points.shape[:2], dtype=bool)
        for k, moment in enumerate(poses):
            for (_, thing), (rotation, position) in zip(self._moving, moment, strict=True):
                thing.setTransform(fcl.Transform(rotation, position))
            self._manager.update()
            for i, middle in enumerate(points[k] + up):
                standing.setTranslation(middle)
                data = fcl.CollisionData()
                self._manager.collide(standing, data, fcl.defaultCollisionCallback)
                found[k, i] = data.result.is_collision
        return found


def _standing(shape: Cylinder) -> tuple[Any, Floats]:
    """The part of the shape above its step, and how far its middle is above the foot."""
    length = shape.height - shape.step
    up = np.array([0.0, 0.0, shape.step + length / 2])
    return fcl.CollisionObject(fcl.Cylinder(shape.radius, length)), up


def _pose(body: Body, t: float) -> tuple[Floats, Floats]:
    pose = body.trajectory.pose(t)
    return pose.rotation, pose.position
