"""The ray question asked of embreex, directly and through trimesh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import trimesh
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

from surefoot.arrays import Bools, Floats
from surefoot.world import Body, Cylinder, Mesh


class EmbreeMesh:
    """Rays against triangles that stay where they are, in single precision."""

    def __init__(self, vertices: Floats, faces: np.ndarray) -> None:
        self._scene = EmbreeScene()
        self._mesh = TriangleMesh(self._scene, vertices.astype(np.float32), faces)

    def ray(self, origins: np.ndarray, directions: np.ndarray) -> np.ndarray:
        """Distances `(n,)` of float32 rays; infinity where nothing is hit."""
        found: dict[str, Any] = self._scene.run(origins, directions, output=True)
        return np.where(found["primID"] >= 0, found["tfar"], np.inf)


class EmbreeWorld:
    """Rays among moving bodies: embreex has no motion, so their triangles are placed anew."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        resting = [body for body in bodies if not body.trajectory.moving]
        assert len(resting) == 1
        self._resting = EmbreeMesh(resting[0].mesh.vertices, resting[0].mesh.faces)
        self._moving = [body for body in bodies if body.trajectory.moving]
        starts = np.cumsum([0] + [len(body.mesh.vertices) for body in self._moving[:-1]])
        self._faces = np.concatenate(
            [body.mesh.faces + start for body, start in zip(self._moving, starts, strict=True)]
        )

    def vertices(self, times: Floats) -> list[Floats]:
        """All moving vertices at each time, for `ray`."""
        poses = [[body.trajectory.pose(t) for body in self._moving] for t in times]
        return [
            np.concatenate(
                [p.apply(body.mesh.vertices) for p, body in zip(moment, self._moving, strict=True)]
            )
            for moment in poses
        ]

    def ray(
        self, origins: np.ndarray, directions: np.ndarray, vertices: list[Floats]
    ) -> np.ndarray:
        """Distances `(moments, n)`; the moved vertices are given, as no part of Embree's work."""
        found = np.zeros(origins.shape[:2])
        for k, moved in enumerate(vertices):
            moving = EmbreeMesh(moved, self._faces)
            found[k] = np.minimum(
                self._resting.ray(origins[k], directions[k]), moving.ray(origins[k], directions[k])
            )
        return found


class TrimeshMesh:
    """Rays, nearest points and overlaps through trimesh's own interface."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
        self._manager = trimesh.collision.CollisionManager()
        self._manager.add_object("mesh", self._mesh)

    def ray(self, origins: Floats, directions: Floats) -> Floats:
        """Distances `(n,)`; infinity where nothing is hit."""
        places, rays, _ = self._mesh.ray.intersects_location(
            origins, directions, multiple_hits=False
        )
        found = np.full(len(origins), np.inf)
        found[rays] = np.linalg.norm(places - origins[rays], axis=1)
        return found

    def nearest(self, points: Floats) -> Floats:
        """Distances `(n,)` to the surface."""
        return trimesh.proximity.closest_point(self._mesh, points)[1]

    def overlap(self, points: Floats, shape: Cylinder) -> Bools:
        """Whether the shape, as a mesh of 32 sides, standing at each point touches the surface."""
        length = shape.height - shape.step
        standing = trimesh.creation.cylinder(shape.radius, length, sections=32)
        place = np.eye(4)
        found = np.zeros(len(points), dtype=bool)
        for i, point in enumerate(points):
            place[:3, 3] = point
            place[2, 3] += shape.step + length / 2
            found[i] = self._manager.in_collision_single(standing, place)
        return found
