"""A furnished house on uneven ground, as one mesh of about 50,000 triangles.

Two storeys of rooms with doors and windows, a flight of stairs, tables, chairs, shelves and
pillars inside; hills, rocks and tree trunks outside. Everything follows from the seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.math import Pose
from surefoot.world import Mesh, merge
from surefoot.world.primitives import cylinder, slab, stairs

# The grid of rooms [m].
ROOM_X, ROOM_Y, STOREY = 5.0, 6.0, 3.2
ROOMS_X, ROOMS_Y, STOREYS = 8, 4, 2
HALF_X, HALF_Y = ROOM_X * ROOMS_X / 2, ROOM_Y * ROOMS_Y / 2
WALL, DOOR_WIDTH, DOOR_HEIGHT = 0.15, 1.1, 2.1
SLAB = 0.25
LAND = 40.0  # half the side of the land about the house
STAIR_ROOM = (7, 0)
STEPS, RISE, GOING = 16, 0.2, 0.28


@dataclass(frozen=True, eq=False)
class Building:
    """The mesh, and where people are in it.

    Attributes:
        mesh: all triangles; z = 0 is the floor of the lower storey.
        obstacles: `(n, 3)` middles of furniture, rocks and trunks, at floor height [m].
    """

    mesh: Mesh
    obstacles: Floats

    def standing(self, count: int, seed: int) -> Floats:
        """`(count, 3)` foot positions: 58% anywhere, 20% by walls, 20% at obstacles, 2% on stairs.

        Of those anywhere, three in ten are outdoors. They are shuffled, as a planner's are.
        """
        rng = np.random.default_rng(seed)
        by_wall, at_obstacle, on_stairs = count // 5, count // 5, count // 50
        outdoors = 3 * (count - by_wall - at_obstacle - on_stairs) // 10
        indoors = count - by_wall - at_obstacle - on_stairs - outdoors
        points = np.concatenate(
            [
                _indoors(rng, indoors),
                _outdoors(rng, outdoors),
                _by_walls(rng, by_wall),
                self._at_obstacles(rng, at_obstacle),
                _on_stairs(rng, on_stairs),
            ]
        )
        return points[rng.permutation(count)]

    def _at_obstacles(self, rng: np.random.Generator, count: int) -> Floats:
        near = self.obstacles[rng.integers(len(self.obstacles), size=count)].copy()
        near[:, :2] += rng.normal(scale=0.4, size=(count, 2))
        return near


def building(triangles: int = 50_000, seed: int = 1) -> Building:
    """The house, with rocks and trunks added until there are at least so many triangles."""
    rng = np.random.default_rng(seed)
    parts, spots = _house(rng)
    parts.append(_terrain())
    count = sum(len(part.faces) for part in parts)
    while count < triangles:
        spot = _outdoors(rng, 1)[0]
        part = _trunk(rng) if rng.random() < 0.3 else _rock(rng)
        parts.append(part.transformed(Pose.at(*spot, yaw=rng.uniform(0, 2 * np.pi))))
        spots.append(spot)
        count += len(part.faces)
    return Building(merge(parts, "building"), np.array(spots))


# --- the house -----------------------------------------------------------------------------------


def _house(rng: np.random.Generator) -> tuple[list[Mesh], list[Floats]]:
    parts: list[Mesh] = []
    spots: list[Floats] = []
    for storey in range(STOREYS + 1):
        floor = storey * STOREY
        for i in range(ROOMS_X):
            for j in range(ROOMS_Y):
                # The stairs come up through a hole in the floor above.
                if (i, j) != STAIR_ROOM or storey != 1:
                    parts.append(slab((ROOM_X, ROOM_Y, SLAB), (*_middle(i, j), floor)))
                if storey < STOREYS and (i, j) != STAIR_ROOM:
                    for piece, spot in _furniture(rng, *_middle(i, j), floor):
                        parts.append(piece)
                        spots.append(spot)
        if storey < STOREYS:
            parts += _walls(rng, floor)
    x, y = _middle(*STAIR_ROOM)
    flight = stairs(STEPS, 2.0, RISE, GOING)
    parts.append(flight.transformed(Pose.at(x - STEPS * GOING / 2, y, 0.0)))
    return parts, spots


def _middle(i: int, j: int) -> tuple[float, float]:
    return (i + 0.5) * ROOM_X - HALF_X, (j + 0.5) * ROOM_Y - HALF_Y


def _walls(rng: np.random.Generator, floor: float) -> list[Mesh]:
    parts: list[Mesh] = []
    for i in range(ROOMS_X + 1):
        for j in range(ROOMS_Y):
            x, y = i * ROOM_X - HALF_X, _middle(0, j)[1]
            outer = i in (0, ROOMS_X)
            parts += _wall(rng, x, y, ROOM_Y, np.pi / 2, floor, outer)
    for i in range(ROOMS_X):
        for j in range(ROOMS_Y + 1):
            x, y = _middle(i, 0)[0], j * ROOM_Y - HALF_Y
            outer = j in (0, ROOMS_Y)
            parts += _wall(rng, x, y, ROOM_X, 0.0, floor, outer)
    return parts


def _wall(
    rng: np.random.Generator,
    x: float,
    y: float,
    length: float,
    yaw: float,
    floor: float,
    outer: bool,
) -> list[Mesh]:
    """One side of a room with an opening: a door, or a window in most outer walls."""
    height = STOREY - SLAB
    window = outer and (floor > 0 or rng.random() < 0.8)
    width = 1.6 if window else DOOR_WIDTH
    opening = rng.uniform(-length / 2 + width, length / 2 - width)
    left, right = opening - width / 2 + length / 2, length / 2 - opening - width / 2
    pieces = [
        slab((left, WALL, height), (-length / 2 + left / 2, 0, height)),
        slab((right, WALL, height), (length / 2 - right / 2, 0, height)),
        slab((width, WALL, height - DOOR_HEIGHT), (opening, 0, height)),
    ]
    if window:
        pieces.append(slab((width, WALL, 0.9), (opening, 0, 0.9)))
    return [piece.transformed(Pose.at(x, y, floor, yaw)) for piece in pieces]


def _furniture(
    rng: np.random.Generator, x: float, y: float, floor: float
) -> list[tuple[Mesh, Floats]]:
    """A table or two with chairs, a shelf along a wall, sometimes a pillar."""
    things: list[tuple[Mesh, float, float, float]] = []
    for _ in range(rng.integers(1, 3)):
        u, v = rng.uniform(-1.5, 1.5), rng.uniform(-2.0, 2.0)
        yaw = rng.uniform(0, np.pi)
        things.append((_table(), u, v, yaw))
        for side in (-1, 1):
            across, shift = 0.65 * side, rng.uniform(-0.3, 0.3)
            cu = u + shift * np.cos(yaw) - across * np.sin(yaw)
            cv = v + shift * np.sin(yaw) + across * np.cos(yaw)
            things.append((_chair(), cu, cv, yaw + (np.pi if side > 0 else 0.0)))
    things.append((_shelf(), rng.uniform(-1.2, 1.2), ROOM_Y / 2 - 0.35, 0.0))
    if rng.random() < 0.3:
        things.append((cylinder(0.2, STOREY - SLAB, 24), 0.0, 0.0, 0.0))
    return [
        (mesh.transformed(Pose.at(x + u, y + v, floor, yaw)), np.array([x + u, y + v, floor]))
        for mesh, u, v, yaw in things
    ]


def _table() -> Mesh:
    legs = [slab((0.06, 0.06, 0.72), (u, v, 0.72)) for u in (-0.7, 0.7) for v in (-0.35, 0.35)]
    return merge([slab((1.5, 0.8, 0.04), (0, 0, 0.76)), *legs])


def _chair() -> Mesh:
    legs = [slab((0.04, 0.04, 0.42), (u, v, 0.42)) for u in (-0.2, 0.2) for v in (-0.2, 0.2)]
    seat, back = slab((0.45, 0.45, 0.04), (0, 0, 0.46)), slab((0.45, 0.04, 0.5), (0, -0.2, 0.96))
    return merge([seat, back, *legs])


def _shelf() -> Mesh:
    sides = [slab((0.03, 0.3, 2.0), (u, 0, 2.0)) for u in (-0.8, 0.8)]
    boards = [slab((1.57, 0.3, 0.025), (0, 0, z)) for z in (0.1, 0.5, 0.9, 1.3, 1.7, 2.0)]
    return merge([*sides, *boards])


# --- the land ------------------------------------------------------------------------------------


def land_height(x: Floats, y: Floats) -> Floats:
    """Hills of about half a metre, level around the house [m]."""
    away = np.maximum(np.abs(x) - HALF_X - 1.0, np.abs(y) - HALF_Y - 1.0)
    rise = np.clip(away / 6.0, 0.0, 1.0)
    hills = np.sin(0.31 * x + 0.7) * np.cos(0.27 * y) + 0.35 * np.sin(0.9 * x - 0.6 * y)
    bumps = 0.06 * np.sin(3.1 * x) * np.sin(2.7 * y + 0.4)
    return rise * (0.5 * hills + bumps) - 0.1


def _terrain(cells: int = 80) -> Mesh:
    axis = np.linspace(-LAND, LAND, cells + 1)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    vertices = np.stack([x, y, land_height(x, y)], axis=-1).reshape(-1, 3)
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).reshape(-1)
    a, b, c, d = corner, corner + cells + 1, corner + cells + 2, corner + 1
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return Mesh(vertices, faces)


def _rock(rng: np.random.Generator) -> Mesh:
    """A bent icosahedron, half in the ground."""
    golden = (1 + 5**0.5) / 2
    points = [(0.0, s, t * golden) for s in (-1, 1) for t in (-1, 1)]
    corners = np.array([np.roll(point, turn) for turn in range(3) for point in points])
    corners *= rng.uniform(0.7, 1.2, size=(12, 1)) * rng.uniform(0.1, 0.5)
    return Mesh(corners, _hull_faces(corners))


def _hull_faces(corners: Floats) -> np.ndarray:
    """The faces of an icosahedron: the triples of corners that are all neighbours, outward."""
    unit = corners / np.linalg.norm(corners, axis=1, keepdims=True)
    near = unit @ unit.T > 0.4
    faces: list[tuple[int, int, int]] = []
    for i in range(12):
        for j in range(i + 1, 12):
            for k in range(j + 1, 12):
                if near[i, j] and near[j, k] and near[i, k]:
                    outward = np.dot(np.cross(unit[j] - unit[i], unit[k] - unit[i]), unit[i]) > 0
                    faces.append((i, j, k) if outward else (i, k, j))
    return np.array(faces)


def _trunk(rng: np.random.Generator) -> Mesh:
    trunk = cylinder(rng.uniform(0.1, 0.35), rng.uniform(2.0, 5.0), 12)
    return trunk.transformed(Pose.at(0, 0, -0.5))


# --- where people stand --------------------------------------------------------------------------


def _indoors(rng: np.random.Generator, count: int) -> Floats:
    storey = rng.integers(STOREYS, size=count)
    x, y = rng.uniform(-HALF_X, HALF_X, count), rng.uniform(-HALF_Y, HALF_Y, count)
    return np.stack([x, y, storey * STOREY], axis=1).astype(np.float64)


def _outdoors(rng: np.random.Generator, count: int) -> Floats:
    points = np.zeros((0, 2))
    while len(points) < count:
        more = rng.uniform(-LAND + 1, LAND - 1, size=(2 * count + 8, 2))
        outside = (np.abs(more) > np.array([HALF_X + 1, HALF_Y + 1])).any(axis=1)
        points = np.concatenate([points, more[outside]])
    points = points[:count]
    return np.column_stack([points, land_height(points[:, 0], points[:, 1])])


def _by_walls(rng: np.random.Generator, count: int) -> Floats:
    """Up to 0.7 m from the middle of a wall, on either side."""
    points = _indoors(rng, count)
    away = rng.uniform(-0.7, 0.7, count)
    along_x = rng.random(count) < 0.5
    points[:, 0] = np.where(
        along_x, points[:, 0], rng.integers(1, ROOMS_X, count) * ROOM_X - HALF_X + away
    )
    points[:, 1] = np.where(
        along_x, rng.integers(1, ROOMS_Y, count) * ROOM_Y - HALF_Y + away, points[:, 1]
    )
    return points


def _on_stairs(rng: np.random.Generator, count: int) -> Floats:
    x, y = _middle(*STAIR_ROOM)
    step = rng.integers(STEPS, size=count)
    going = (step + rng.uniform(0.1, 0.9, count)) * GOING
    across = rng.uniform(-0.9, 0.9, count)
    points = [x - STEPS * GOING / 2 + going, y + across, RISE * (step + 1)]
    return np.stack(points, axis=1).astype(np.float64)
