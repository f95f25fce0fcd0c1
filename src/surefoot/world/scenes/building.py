"""Pieces that scenes are built of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from surefoot.errors import WorldError
from surefoot.math.transforms import Pose
from surefoot.world.body import Body, Tag
from surefoot.world.keyframes import Keyframed
from surefoot.world.mesh import Mesh, merge
from surefoot.world.primitives import box, boxes, placed
from surefoot.world.trajectory import Static

STONE = (0.62, 0.60, 0.56)
FLOOR = (0.78, 0.76, 0.72)
WALL = (0.84, 0.82, 0.78)
WOOD = (0.58, 0.38, 0.20)
STEEL = (0.42, 0.47, 0.53)
WARNING = (0.90, 0.42, 0.10)
MOVER = (0.16, 0.45, 0.75)
CLOTH = (0.36, 0.50, 0.42)
SAND = (0.72, 0.64, 0.48)
WATER = (0.20, 0.45, 0.60)

Color = tuple[float, float, float]
"""Linear red, green, blue, 0 to 1."""

Box = tuple[Sequence[float], Sequence[float]]
"""The size and the middle of a box [m]."""

Opening = tuple[float, float]
"""Where an opening in a wall begins and ends, along the wall [m]."""


def wall(
    start: tuple[float, float],
    end: tuple[float, float],
    height: float,
    *,
    thickness: float = 0.12,
    openings: Sequence[Opening] = (),
    lintel: float | None = None,
) -> Mesh:
    """A straight wall on z = 0, with openings; above `lintel` [m] they are closed again."""
    (x, y), (to_x, to_y) = start, end
    length, yaw = math.hypot(to_x - x, to_y - y), math.atan2(to_y - y, to_x - x)
    pieces: list[Mesh] = []
    at = 0.0
    for begin, stop in [*sorted(openings), (length, length)]:
        if begin > at:
            size = (begin - at, thickness, height)
            pieces.append(box(size, ((at + begin) / 2, 0.0, height / 2)))
        if lintel is not None and begin < stop and lintel < height:
            size = (stop - begin, thickness, height - lintel)
            pieces.append(box(size, ((begin + stop) / 2, 0.0, (height + lintel) / 2)))
        at = stop
    return placed(merge(pieces), x, y, 0.0, yaw)


def of_boxes(parts: Sequence[Box]) -> Mesh:
    """Boxes as one mesh."""
    return boxes([list(size) for size, _ in parts], [list(middle) for _, middle in parts])


def table(length: float, width: float, height: float = 0.74) -> Mesh:
    """Four legs and a top, about the origin."""
    x, y, leg = length / 2 - 0.06, width / 2 - 0.06, 0.06
    legs = [
        box((leg, leg, height - 0.04), (sx * x, sy * y, (height - 0.04) / 2))
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    return merge([*legs, box((length, width, 0.04), (0.0, 0.0, height - 0.02))])


def sofa(length: float, depth: float = 0.85) -> Mesh:
    """A seat, a back and two arms, about the origin, facing +y."""
    return merge(
        [
            box((length, depth, 0.42), (0.0, 0.0, 0.21)),
            box((length, 0.2, 0.4), (0.0, -depth / 2 + 0.1, 0.62)),
            box((0.18, depth, 0.2), (-length / 2 + 0.09, 0.0, 0.52)),
            box((0.18, depth, 0.2), (length / 2 - 0.09, 0.0, 0.52)),
        ]
    )


def fixed(name: str, mesh: Mesh, color: Color | None = None, **tags: Tag) -> Body:
    """A body that never moves."""
    return Body(name=name, mesh=mesh, color=color, tags=tags)


def furniture(name: str, mesh: Mesh, color: Color | None = None) -> Body:
    """A body that never moves and that nobody steps on."""
    return fixed(name, mesh, color, furniture=True, forbidden=True)


def enlarged(body: Body, scale: float) -> Body:
    """A body as much larger, which moves in proportion: faster by the root of it, as walkers do.

    Args:
        body: at rest or on keys.
        scale: > 0.
    """
    if scale == 1.0:
        return body
    way = body.trajectory
    if isinstance(way, Static):
        pose = way.pose(0.0)
        way = Static(Pose(scale * pose.position, pose.rotation))
    elif isinstance(way, Keyframed):
        slower = math.sqrt(scale)
        tangents = way.tangents
        if tangents is not None:
            tangents = (slower * tangents[0], slower * tangents[1])
        way = replace(
            way, times=slower * way.times, positions=scale * way.positions, tangents=tangents
        )
    else:
        raise WorldError(
            f"{body.name!r} cannot be enlarged: it moves neither on keys nor not at all"
        )
    mesh = body.mesh.transformed(scale=scale)
    return replace(body, mesh=mesh, trajectory=way)
