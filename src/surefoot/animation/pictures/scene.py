"""What a picture is taken of: a moment of a world and the extras, as layers that rays can hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from surefoot import arrays
from surefoot.animation.pictures.colors import GROUND, Color, palette_color
from surefoot.animation.pictures.extras import Extra
from surefoot.arrays import Bools, Floats, Ints
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.world import Body, Cylinder, Static, World

# As good as a point [m].
_SPECK = Cylinder(1e-6, 1e-6)
_GROUND_WORDS = ("ground", "floor", "terrain", "pavement", "road")


@dataclass(frozen=True, eq=False)
class Surface:
    """What lines of sight meet; rows without a hit hold zeros.

    Attributes:
        body: `(k,)` index of the extra in its layer, -1 where there is nothing.
        distance: `(k,)` [m], infinity where there is nothing.
        position: `(k, 3)` [m].
        facing: `(k, 3)` unit normal of the flat face, on the side of the viewer.
        normal: `(k, 3)` unit normal to shade with.
        color: `(k, 3)` linear.
        back: `(k,)` whether the face is seen from its back.
    """

    body: Ints
    distance: Floats
    position: Floats
    facing: Floats
    normal: Floats
    color: Floats
    back: Bools

    @property
    def hit(self) -> Bools:
        """Where there is a surface."""
        return self.body >= 0

    def rows(self, which: npt.NDArray[np.intp]) -> Surface:
        """Some of the rows."""
        return Surface(*(getattr(self, column.name)[which] for column in fields(self)))


class Layer:
    """Surfaces that rays can hit, with tables of what they look like."""

    def __init__(self, extras: Sequence[Extra]) -> None:
        self.world = World(
            Body(name=f"{i}", mesh=extra.mesh, trajectory=Static(extra.pose), solid=extra.solid)
            for i, extra in enumerate(extras)
        )
        counts = [len(extra.mesh.faces) for extra in extras]
        self._first_face = np.cumsum([0, *counts[:-1]])
        self._colors = np.concatenate([np.zeros((0, 3)), *map(_face_colors, extras)])
        # Each table has a last row of zeros, which is what the body -1 (nothing) reads.
        self.gloss = np.array([*(extra.gloss for extra in extras), 0.0])
        self.opacity = np.array([*(extra.opacity for extra in extras), 0.0])
        self.through = np.array([*(extra.through for extra in extras), 0.0])
        self.rim = np.array([*(extra.rim for extra in extras), 0.0])
        self.ground = np.array([*(extra.ground for extra in extras), False])
        self._extras = extras
        self._tabulate_round(extras)

    @cached_property
    def closed(self) -> Bools:
        """Which surfaces have an inside; worked out when first asked for."""
        return np.array([*(bool(extra.mesh.closed.all()) for extra in self._extras), False])

    def _tabulate_round(self, extras: Sequence[Extra]) -> None:
        """Corners and corner normals of the faces that look round, in the world."""
        self._first_round = np.full(len(extras) + 1, -1)
        corners, normals = [np.zeros((0, 3, 3))], [np.zeros((0, 3, 3))]
        count = 0
        for index, extra in enumerate(extras):
            if extra.normals is None:
                continue
            self._first_round[index] = count
            corners.append(extra.corners)
            normals.append(rotations.rotate(extra.pose.rotation, extra.normals)[extra.mesh.faces])
            count += len(extra.mesh.faces)
        self._round_corners = np.concatenate(corners)
        self._round_normals = np.concatenate(normals)

    def trace(self, origins: Floats, directions: Floats) -> Surface:
        """The first surface along rays with unit directions, both `(k, 3)`."""
        hits = self.world.ray(origins, directions)
        hit = hits.hit
        back = np.einsum("kc,kc->k", hits.normal, directions) > 0
        facing = np.where(back[:, None], -hits.normal, hits.normal)
        facing[~hit] = 0.0
        position = np.where(hit[:, None], hits.position, 0.0)
        normal = self._round(hits.body, hits.triangle, position, facing)
        # A round normal may lean away from the viewer near an outline; keep it on this side.
        lean = np.einsum("kc,kc->k", normal, directions)
        away = lean > 0
        if away.any():
            turned = normal[away] - 1.02 * lean[away, None] * directions[away]
            normal[away] = turned / np.linalg.norm(turned, axis=1, keepdims=True)
        color = self.face_colors(hits.body, hits.triangle)
        return Surface(hits.body, hits.distance, position, facing, normal, color, back)

    def around(self, points: Floats) -> Ints:
        """`(k,)`: which solid body points `(k, 3)` lie in; -1 for none."""
        return self.world.overlapping(points, shape=_SPECK)

    def face_colors(self, bodies: Ints, triangles: Ints) -> Floats:
        """`(k, 3)` linear colours of what rays hit; zeros where they hit nothing."""
        hit = bodies >= 0
        colors = np.zeros((len(bodies), 3))
        if hit.any():
            colors[hit] = self._colors[self._first_face[bodies[hit]] + triangles[hit]]
        return colors

    def _round(self, bodies: Ints, triangles: Ints, position: Floats, facing: Floats) -> Floats:
        normal = facing.copy()
        rows = np.flatnonzero(self._first_round[bodies] >= 0)
        if len(rows) == 0:
            return normal
        face = self._first_round[bodies[rows]] + triangles[rows]
        weights = _barycentric(self._round_corners[face], position[rows])
        mixed = np.einsum("kv,kvc->kc", weights, self._round_normals[face])
        length = np.linalg.norm(mixed, axis=1, keepdims=True)
        mixed = np.where(length > 1e-9, mixed / np.maximum(length, 1e-9), facing[rows])
        # The face's own side decides, also for surfaces seen from their back.
        side = np.einsum("kc,kc->k", mixed, facing[rows])
        normal[rows] = np.where(side[:, None] < 0, -mixed, mixed)
        return normal


@dataclass(frozen=True, eq=False)
class Scene:
    """A moment to take a picture of.

    Attributes:
        solids: what blocks light.
        marks: what is drawn over it; none when there is nothing.
        subject: `(n, 3)` [m]: points that a camera should have in view.
    """

    solids: Layer
    marks: Layer | None
    subject: Floats


def assemble(world: World, t: float, extras: Sequence[Extra]) -> Scene:
    """The world at a moment, with extras."""
    t = arrays.time(t, "t")
    for extra in extras:
        if not isinstance(extra, Extra):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"extras must be made by this package, got {extra!r}")
    bodies = [_from_body(body, t) for body in world]
    ground = _grounds(list(world), bodies)
    bodies = [
        replace(extra, ground=True, color=extra.color if body.color is not None else GROUND)
        if is_ground
        else extra
        for body, extra, is_ground in zip(world, bodies, ground, strict=True)
    ]
    solids = [*bodies, *(extra for extra in extras if not extra.drawn_over)]
    marks = [extra for extra in extras if extra.drawn_over]
    if not solids and not marks:
        raise InputError("nothing to draw: the world has no bodies and there are no extras")
    subject = [extra for extra in [*solids, *marks] if not extra.ground] or [*solids, *marks]
    return Scene(
        Layer(solids),
        Layer(marks) if marks else None,
        np.concatenate([extra.points for extra in subject]),
    )


def body_color(body: Body) -> Color:
    """The linear colour a body is drawn with: its own, or one that its name always gets."""
    if body.color is not None:
        return body.color
    return palette_color(body.name, moving=body.trajectory.moving)


def _from_body(body: Body, t: float) -> Extra:
    pose = body.trajectory.pose(t)
    return Extra(mesh=body.mesh, pose=pose, color=body_color(body), solid=body.solid)


def _grounds(bodies: Sequence[Body], drawn: Sequence[Extra]) -> list[bool]:
    """Which bodies people walk on everywhere: called so, or at rest, flat and wide."""
    if not bodies:
        return []
    boxes = np.array([[extra.points.min(axis=0), extra.points.max(axis=0)] for extra in drawn])
    areas = np.prod((boxes[:, 1] - boxes[:, 0])[:, :2], axis=1)
    span = boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)
    world_area = float(span[0] * span[1])
    return [
        not body.trajectory.moving
        and (
            any(word in body.name.lower() for word in _GROUND_WORDS)
            or (area > 0.25 * world_area and _upward_share(extra) > 0.3)
        )
        for body, extra, area in zip(bodies, drawn, areas, strict=True)
    ]


def _upward_share(extra: Extra) -> float:
    """Share of the area that faces up."""
    a, b, c = np.moveaxis(extra.corners, 1, 0)
    normals = np.cross(b - a, c - a)
    area = np.linalg.norm(normals, axis=1)
    return float(area[normals[:, 2] > 0.9 * area].sum() / area.sum())


def _face_colors(extra: Extra) -> Floats:
    if extra.face_colors is not None:
        return extra.face_colors
    return np.broadcast_to(np.array(extra.color), (len(extra.mesh.faces), 3))


def _barycentric(corners: Floats, points: Floats) -> Floats:
    """`(k, 3)`: the shares of triangle corners `(k, 3, 3)` in points on them `(k, 3)`."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    inside = points - corners[:, 0]
    aa = np.einsum("kc,kc->k", first, first)
    ab = np.einsum("kc,kc->k", first, second)
    bb = np.einsum("kc,kc->k", second, second)
    pa = np.einsum("kc,kc->k", inside, first)
    pb = np.einsum("kc,kc->k", inside, second)
    scale = np.maximum(aa * bb - ab * ab, 1e-30)
    v = (bb * pa - ab * pb) / scale
    w = (aa * pb - ab * pa) / scale
    return np.clip(np.stack([1.0 - v - w, v, w], axis=1), 0.0, 1.0)
