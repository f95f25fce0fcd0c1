"""Marks on pictures: paths, footprints, goals and outlines, built as small meshes.

Marks cast no shadow and take the light of what they lie on. Where something hides a path it shows
through faintly, so that one sees where it goes.
"""

from __future__ import annotations

import numpy as np

from surefoot import arrays
from surefoot.animation.pictures.colors import Color, from_hex
from surefoot.animation.pictures.extras import Extra
from surefoot.animation.pictures.lines import lathe, sharp_edges, tube
from surefoot.arrays import ArrayLike, Floats, Ints, frozen, number, vector
from surefoot.character.skin import vertex_normals
from surefoot.errors import InputError
from surefoot.math import Pose, rotations
from surefoot.world import Mesh

PATH: Color = from_hex("#e0492f")
"""Usual colour of a path."""
LEFT: Color = from_hex("#2f6fb5")
"""Usual colour of left footprints."""
RIGHT: Color = from_hex("#e07b2a")
"""Usual colour of right footprints."""
GOAL: Color = from_hex("#3c9a5f")
"""Usual colour of a goal."""

# Flat marks hover this far above what they lie on, to be in front of it [m].
_HOVER = 0.006
_UP: Floats = frozen(np.array([0.0, 0.0, 1.0]))

# Half the outline of a left sole, heel to toe: how far along its length, and how far its inner and
# its outer edge are from the middle line, as shares of length and width.
_SOLE = np.array(
    [
        [0.000, 0.00, 0.00], [0.015, 0.15, 0.16], [0.060, 0.27, 0.29], [0.130, 0.32, 0.34],
        [0.220, 0.32, 0.35], [0.340, 0.29, 0.36], [0.460, 0.28, 0.38], [0.580, 0.34, 0.42],
        [0.680, 0.42, 0.45], [0.770, 0.47, 0.46], [0.850, 0.47, 0.42], [0.920, 0.42, 0.32],
        [0.970, 0.31, 0.17], [1.000, 0.12, -0.06],
    ]
)  # fmt: skip


def path(
    points: ArrayLike,
    *,
    color: Color = PATH,
    radius: float = 0.025,
    closed: bool = False,
    opacity: float = 1.0,
    through: float = 0.3,
) -> Extra:
    """A tube along points `(n, 3)` [m], n >= 2; `closed` joins the last to the first."""
    line = arrays.positions(points, "path points").reshape(-1, 3)
    arrays.length(radius, "path radius", above=0.0)
    moved = np.linalg.norm(np.diff(line, axis=0), axis=1) > 1e-6
    line = line[np.concatenate([[True], moved])]
    if closed and len(line) > 1 and np.linalg.norm(line[0] - line[-1]) <= 1e-6:
        line = line[:-1]
    if len(line) < (3 if closed else 2):
        raise InputError(f"a path needs points that differ, got {len(line)}")
    vertices, faces = tube(line, radius, 10, closed)
    mesh = Mesh(vertices, faces)
    return Extra(
        mesh=mesh,
        color=color,
        normals=vertex_normals(mesh.vertices, mesh.faces),
        mark=True,
        opacity=opacity,
        through=through,
    )


def ring(
    centre: ArrayLike,
    radius: float = 0.35,
    *,
    color: Color = GOAL,
    width: float = 0.06,
    normal: ArrayLike = _UP,
    through: float = 0.3,
) -> Extra:
    """A flat ring about `centre` [m], such as a goal's; `width` = `radius` makes it a disc."""
    arrays.length(radius, "ring radius", above=0.0)
    arrays.length(width, "ring width", above=0.0, at_most=radius)
    angle = np.linspace(0.0, 2 * np.pi, 64, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(64)], axis=1)
    vertices = np.concatenate([circle * radius, circle * (radius - width)])
    i, j = np.arange(64), (np.arange(64) + 1) % 64
    faces = np.concatenate([np.stack([i, j, i + 64], 1), np.stack([j, j + 64, i + 64], 1)])
    faces = faces.astype(np.int32)
    return _flat(vertices, faces, centre, 0.0, normal, color, 1.0, through)


def footprint(
    position: ArrayLike,
    heading: float,
    side: str,
    *,
    length: float = 0.26,
    width: float = 0.10,
    color: Color | None = None,
    normal: ArrayLike = _UP,
    opacity: float = 0.9,
    through: float = 0.0,
) -> Extra:
    """The print of a sole.

    Args:
        position: `(3,)` [m], the middle of the sole.
        heading: which way the toes point [rad], 0 is +x.
        side: "left" or "right".
        length: heel to toe [m], > 0.
        width: [m], > 0.
        color: linear; none: `LEFT` or `RIGHT`.
        normal: `(3,)`, of the surface below.
        opacity: > 0 to 1.
        through: share of it left where something hides it, 0 to 1.
    """
    if side not in ("left", "right"):
        raise InputError(f"unknown side {side!r}; there are: left, right")
    arrays.length(length, "footprint length", above=0.0)
    arrays.length(width, "footprint width", above=0.0)
    sole = _rounded(_SOLE)
    along = (sole[:, 0] - 0.5) * length
    inner, outer = -sole[:, 1] * width, sole[:, 2] * width
    if side == "right":
        inner, outer = -outer, -inner
    zero = np.zeros(len(along))
    vertices = np.concatenate(
        [np.stack([along, inner, zero], axis=1), np.stack([along, outer, zero], axis=1)]
    )
    count = len(along)
    i = np.arange(count - 1)
    faces = np.concatenate(
        [np.stack([i, i + 1, i + count], 1), np.stack([i + 1, i + 1 + count, i + count], 1)]
    )
    faces = faces.astype(np.int32)
    own = color or (LEFT if side == "left" else RIGHT)
    return _flat(vertices, faces, position, heading, normal, own, opacity, through)


def ball(
    centre: ArrayLike, radius: float = 0.06, *, color: Color = PATH, through: float = 0.3
) -> Extra:
    """A small sphere about `centre` [m]."""
    arrays.length(radius, "ball radius", above=0.0)
    middle = arrays.position(centre, "ball centre")
    angle = np.linspace(-np.pi / 2, np.pi / 2, 17)
    line = np.stack([0 * angle, 0 * angle, np.sin(angle)], axis=1) * radius
    radii = radius * np.cos(angle)
    # The poles are rings without a radius; their faces have no area and are dropped.
    radii[[0, -1]] = 0.0
    vertices, faces = lathe(line, radii, 32)
    return Extra(
        mesh=Mesh(vertices + middle, faces),
        color=color,
        normals=vertices / radius,
        mark=True,
        through=through,
    )


def outline(
    mesh: Mesh,
    pose: Pose | None = None,
    *,
    color: Color,
    radius: float = 0.008,
    sharp: float = 0.5,
    opacity: float = 1.0,
) -> Extra | None:
    """The sharp edges of a mesh as thin rods; none when it has no sharp edges.

    Args:
        mesh: whose edges.
        pose: where it is.
        color: linear.
        radius: [m], > 0.
        sharp: faces that meet at more than this angle [rad] have an edge; so have open borders.
        opacity: > 0 to 1.
    """
    ends = sharp_edges(mesh, sharp)
    if len(ends) == 0:
        return None
    rods = [tube(pair, radius, 6, False) for pair in ends]
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in rods[:-1])])
    vertices = np.concatenate([vertices for vertices, _ in rods])
    faces = np.concatenate([faces + first for (_, faces), first in zip(rods, starts, strict=True)])
    return Extra(
        mesh=Mesh(vertices, faces), pose=pose or Pose(), color=color, mark=True, opacity=opacity
    )


def _rounded(rows: Floats) -> Floats:
    """A smoother curve through about the same points, by cutting corners twice (Chaikin)."""
    for _ in range(2):
        first, second = rows[:-1], rows[1:]
        cut = np.stack([0.75 * first + 0.25 * second, 0.25 * first + 0.75 * second], axis=1)
        rows = np.concatenate([rows[:1], cut.reshape(-1, rows.shape[1])[1:-1], rows[-1:]])
    return rows


def _flat(
    vertices: Floats,
    faces: Ints,
    position: ArrayLike,
    heading: float,
    normal: ArrayLike,
    color: Color,
    opacity: float,
    through: float,
) -> Extra:
    up = vector(normal, "normal")
    length = float(np.linalg.norm(up))
    if length < 1e-9:
        raise InputError("normal must not be zero")
    turn = rotations.multiply(
        rotations.between(_UP, up), rotations.from_yaw(number(heading, "heading"))
    )
    place = arrays.position(position, "position") + up / length * _HOVER
    return Extra(
        mesh=Mesh(vertices, faces),
        pose=Pose(place, turn),
        color=color,
        mark=True,
        opacity=opacity,
        through=through,
    )
