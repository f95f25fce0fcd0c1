"""Floors, walls and free spots for scenes that come as drawings in a plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot.arrays import ArrayLike, Floats, Ints
from surefoot.character import Capability
from surefoot.errors import ProblemError
from surefoot.planning import standing
from surefoot.world import Body, Cylinder, Mesh, World, primitives

WALL_HEIGHT = 2.0
"""[m] Of walls in drawings, which have none."""

_ROOM = 0.12
"""[m] Between who stands at a start and what stands beside."""

_LOW = 0.03
"""[m] That is no kerb."""

MARGIN = 8.0
"""[m] Of floor around all who walk."""


def extent(points: Sequence[Floats], low: ArrayLike, high: ArrayLike) -> tuple[Floats, Floats]:
    """Corners of the floor: around the points with a margin, within `low` and `high`."""
    around = np.array(points, dtype=np.float64).reshape(-1, 2)
    first = np.maximum(around.min(axis=0) - MARGIN, low)
    last = np.minimum(around.max(axis=0) + MARGIN, high)
    return np.floor(first), np.ceil(last)


def floor(low: Floats, high: Floats) -> Body:
    """A floor from corner to corner."""
    size = (float(high[0] - low[0]), float(high[1] - low[1]), 0.2)
    middle = (low + high) / 2.0
    top = (float(middle[0]), float(middle[1]), 0.0)
    return Body(name="floor", mesh=primitives.slab(size, top), color=(0.62, 0.62, 0.60))


def walls(segments: Floats, *, thickness: float = 0.1) -> Mesh:
    """Upright walls on segments `(n, 2, 2)` [m]: one box each.

    Args:
        segments: from where to where.
        thickness: [m], > 0; walls are longer by it, so that corners close.
    """
    along = segments[:, 1] - segments[:, 0]
    length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    along = along / length * (thickness / 2.0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    start, end = segments[:, 0] - along, segments[:, 1] + along
    ring = np.stack([start - across, end - across, end + across, start + across], axis=1)
    low = np.concatenate([ring, np.zeros((*ring.shape[:2], 1))], axis=2)
    high = np.concatenate([ring, np.full((*ring.shape[:2], 1), WALL_HEIGHT)], axis=2)
    vertices = np.concatenate([low, high], axis=1).reshape(-1, 3)
    faces = _BOX[None] + 8 * np.arange(len(segments), dtype=np.int32)[:, None, None]
    return Mesh(vertices, faces.reshape(-1, 3).astype(np.int32))


_BOX: Ints = np.array(
    [
        [0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4],
        [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7],
    ],
    dtype=np.int32,
)  # fmt: skip


def free_area(world: World, low: Floats, high: Floats, spacing: float = 0.25) -> float:
    """[m^2] About how much floor nothing stands on."""
    size = high - low
    coarse = max(spacing, float(size.max()) / 300.0)
    counts = [max(1, int(np.ceil(side / coarse))) for side in size.tolist()]
    across, up = (low[i] + (np.arange(n) + 0.5) * size[i] / n for i, n in enumerate(counts))
    spots = np.empty((len(across), len(up), 3))
    spots[..., 0], spots[..., 1], spots[..., 2] = across[:, None], up, 0.5
    blocked = world.support(spots.reshape(-1, 3), up=WALL_HEIGHT, down=0.4).hit
    return max(float(size[0] * size[1]) * float((~blocked).mean()), 1e-3)


class Spots:
    """Hands out free spots, none too near to another.

    Args:
        world: with all that stands in it.
        skill: how much room somebody takes.
        random: what chance is.
    """

    def __init__(self, world: World, skill: Capability, random: np.random.Generator) -> None:
        self._world, self._random = world, random
        self._skill = skill
        # Feet and hands of who stands are not all inside of what it needs to walk, and it does not
        # begin beside a kerb.
        self._room = Cylinder(skill.radius + _ROOM, skill.height, _LOW)
        self._taken: list[Floats] = []

    def take(self, point: Floats) -> Floats:
        """This spot; it may be too near to another, as the file says."""
        self._taken.append(point)
        return point

    def near(self, point: Floats, apart: float) -> Floats:
        """The spot, or the nearest free one on rings around it."""
        for radius in np.arange(0.0, 12.0, 0.25).tolist():
            count = max(1, round(2.0 * np.pi * radius / 0.25))
            angles = 2.0 * np.pi * np.arange(count) / count
            for angle in angles.tolist():
                spot = point + radius * np.array([np.cos(angle), np.sin(angle)])
                if self.free(spot, apart):
                    return self.take(spot)
        raise ProblemError(f"no free spot near ({point[0]:g}, {point[1]:g})")

    def any(self, low: Floats, high: Floats, apart: float) -> Floats:
        """A free spot in a rectangle."""
        for _ in range(4000):
            spot = self._random.uniform(low, high)
            if self.free(spot, apart):
                return self.take(spot)
        raise ProblemError(
            f"no room for another one from ({low[0]:g}, {low[1]:g}) to ({high[0]:g}, {high[1]:g})"
        )

    def free(self, spot: Floats, apart: float) -> bool:
        """Whether somebody can stand there, `apart` [m] from all others."""
        if self._taken:
            gaps = np.array(self._taken) - spot
            if float(np.hypot(gaps[:, 0], gaps[:, 1]).min()) < apart:
                return False
        point = np.array([spot[0], spot[1], 0.0])
        if self._world.overlap(point[None], 0.0, shape=self._room)[0]:
            return False
        return bool(standing.can_stand(self._world, point[None], 0.0, self._skill)[0])
