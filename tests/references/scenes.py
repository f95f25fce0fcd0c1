"""Every question put to every triangle: the brute-force twin of a world's queries.

Questions to many worlds are answered side by side: `Scene` holds one row for each pair of a
question and a triangle, at the question's time, in world coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from references import motions, triangles
from references.parts import solid_faces
from surefoot.arrays import Floats
from surefoot.world import Capsule, Cylinder, World


@dataclass
class Scene:
    """Pairs of questions and triangles, in the order of the questions."""

    corners: Floats  # (n, 3, 3)
    question: np.ndarray  # (n,) increasing
    body: np.ndarray  # (n,) id in its world
    face: np.ndarray  # (n,)
    solid: np.ndarray  # (n,) the triangle bounds solid matter of a solid body
    starts: np.ndarray  # (questions,) first row of each

    @classmethod
    def of(cls, worlds: list[World], times: list[Floats]) -> Scene:
        corners, question, body, face, solid, starts = [], [], [], [], [], []
        rows = questions = 0
        for world, when in zip(worlds, times, strict=True):
            own = []
            for item in world:
                position, turn = motions.poses(item.trajectory, when)
                local = item.mesh.vertices[item.mesh.faces].reshape(-1, 3)
                moved = np.einsum("nij,kj->nki", turn, local) + position[:, None]
                own.append(moved.reshape(len(when), -1, 3, 3))
            sizes = [len(item.mesh.faces) for item in world]
            count = sum(sizes)
            corners.append(np.concatenate(own, axis=1).reshape(-1, 3, 3))
            question.append(np.repeat(np.arange(len(when)) + questions, count))
            ids = np.repeat([world.id(item.name) for item in world], sizes)
            body.append(np.tile(ids, len(when)))
            face.append(np.tile(np.concatenate([np.arange(size) for size in sizes]), len(when)))
            flags = [
                np.isin(np.arange(size), _matter(item))
                for item, size in zip(world, sizes, strict=True)
            ]
            solid.append(np.tile(np.concatenate(flags), len(when)))
            starts.append(rows + count * np.arange(len(when)))
            rows += count * len(when)
            questions += len(when)
        return cls(
            *(np.concatenate(part) for part in (corners, question, body, face, solid, starts))
        )

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        return self.corners.min(axis=1), self.corners.max(axis=1)

    def least(self, values: Floats) -> Floats:
        """The least value of each question."""
        return np.minimum.reduceat(values, self.starts)

    # --- what is asked ---------------------------------------------------------------------------

    def ray(self, origins: Floats, directions: Floats) -> tuple[Floats, Floats]:
        """Distance along each ray to each triangle, and how far inside it [m]."""
        return triangles.ray(self.corners, origins[self.question], directions[self.question])

    def closest(self, points: Floats) -> Floats:
        """The point of each triangle closest to its question's point."""
        return triangles.closest(self.corners, points[self.question])

    def gap(self, feet: Floats, shape: Cylinder, slack: float) -> Floats:
        """How far each triangle stays out of the shape [m]; infinite where it is far off.

        Negative is overlap. Nothing closer than `slack` is called far off.
        """
        low, high = self.box
        foot = feet[self.question]
        bottom, top = foot[:, 2] + shape.step, foot[:, 2] + shape.height
        reach = shape.radius + slack
        near = (low[:, :2] < foot[:, :2] + reach).all(axis=1)
        near &= (high[:, :2] > foot[:, :2] - reach).all(axis=1)
        near &= (low[:, 2] < top + slack) & (high[:, 2] > bottom - slack)
        out = np.full(len(foot), np.inf)
        if isinstance(shape, Capsule):
            up = np.array([0.0, 0.0, 1.0])
            start = foot[near] + up * (shape.step + shape.radius)
            end = foot[near] + up * (shape.height - shape.radius)
            distance = triangles.capsule_distance(self.corners[near], start, end)
        else:
            distance = triangles.cylinder_distance(
                self.corners[near], foot[near, :2], bottom[near], top[near]
            )
        out[near] = distance - shape.radius
        return out

    def inside(self, points: Floats) -> np.ndarray:
        """`(questions, bodies)`: how often solid matter of each body winds around the point."""
        bodies = int(self.body.max()) + 1
        angle = np.zeros(len(self.body))
        chosen = self.solid
        angle[chosen] = triangles.solid_angles(self.corners[chosen], points[self.question[chosen]])
        total = np.zeros((len(self.starts), bodies))
        np.add.at(total, (self.question, self.body), angle)
        return total / (4 * np.pi)

    def any_per_body(self, rows: np.ndarray) -> np.ndarray:
        """`(questions, bodies)`: whether some row of that body is set."""
        out = np.zeros((len(self.starts), int(self.body.max()) + 1), dtype=bool)
        out[self.question[rows], self.body[rows]] = True
        return out


def _matter(item) -> np.ndarray:
    return solid_faces(item.mesh) if item.solid else np.zeros(0, dtype=int)
