"""Landmarks: places to stand on every surface that may carry somebody (levine2011, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import ref

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.character import Capability
from surefoot.planning.spacetime.settings import SpaceTimeSettings
from surefoot.planning.standing import can_stand, cylinder
from surefoot.world import Body, Place, Static, World

_LAYERS = 12
"""Surfaces above each other that are looked for."""

_FINEST, _COLUMNS = 0.2, 90
"""[m] between columns that are looked at, and how many there are along a large surface, unless they
would be farther apart than half of its landmarks."""

_PAINT = 0.05
"""[m] Bodies that lie no higher on others are walked over as if they were not there."""

_RING = np.array([[np.cos(a), np.sin(a)] for a in np.arange(8) * np.pi / 4])

_CORNERS = [[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]

Box = Floats
"""`(2, 3)` [m]: the lowest and the highest corner of a part of a world."""

_MOMENTS = 16
"""At which it is looked whether a landmark can ever be stood on."""

_KEPT: dict[int, tuple[ref[World], dict[object, tuple[object, Landmarks]]]] = {}


@dataclass(frozen=True, eq=False)
class Landmarks:
    """Places, as native searches take them.

    Attributes:
        frames: `(n,)` ids of the moving bodies they ride on; -1 at rest in the world.
        places: `(n, 3)` [m] in those frames.
        bodies: `(n,)` ids of the bodies that they lie on.
    """

    frames: Ints
    places: Floats
    bodies: Ints

    def __len__(self) -> int:
        return len(self.frames)

    def place(self, index: int, world: World) -> Place:
        """One of them."""
        frame = int(self.frames[index])
        return Place(world.names[frame] if frame >= 0 else None, self.places[index])

    def with_places(self, places: list[Place], world: World, t: float) -> Landmarks:
        """These, and some more at the end."""
        frames: list[int] = []
        points: list[Floats] = []
        bodies: list[int] = []
        for place in places:
            point = world.position(place, t)
            below = world.support(point, t, up=0.3, down=0.3)
            body = world.id(place.body) if place.body is not None else int(below.body)
            riding = body >= 0 and world[world.names[body]].trajectory.moving
            if riding and place.body is None:
                place = world.attach(point, world.names[body], t)
            frames.append(body if riding else -1)
            points.append(place.position if riding else point)
            bodies.append(body)
        return Landmarks(
            np.concatenate([self.frames, np.array(frames, dtype=np.int32)]),
            np.concatenate([self.places, np.array(points).reshape(-1, 3)]),
            np.concatenate([self.bodies, np.array(bodies, dtype=np.int32)]),
        )

    def taken(self, which: Bools) -> Landmarks:
        """Some of them, `(n,)`."""
        return Landmarks(self.frames[which], self.places[which], self.bodies[which])

    def positions(self, world: World, t: float) -> Floats:
        """`(n, 3)` [m] in the world at `t` [s]."""
        return world.positions([self.place(i, world) for i in range(len(self))], t)


def landmarks_of(
    world: World, skill: Capability, settings: SpaceTimeSettings, start: float, end: float
) -> Landmarks:
    """The landmarks of a world, kept as long as the world and its bodies.

    Args:
        world: whose bodies carry.
        skill: who is to stand there.
        settings: how dense they are, and how far from edges.
        start: [s] from when on a landmark is to be of use.
        end: [s] until when.
    """
    key = id(world)
    known = _KEPT.get(key)
    if known is None or known[0]() is not world:
        maps: dict[object, tuple[object, Landmarks]] = {}
        known = (ref(world, lambda _: _KEPT.pop(key, None)), maps)
        _KEPT[key] = known
    asked = (skill, settings.sampling, start, end)
    bodies = tuple((body.name, id(body.mesh), id(body.trajectory)) for body in world)
    found = known[1].get(asked)
    if found is None or found[0] != bodies:
        if len(known[1]) > 8:
            known[1].clear()
        found = (bodies, _sampled(world, skill, settings, start, end))
        known[1][asked] = found
    return found[1]


def landmarks_in(
    box: Box, world: World, skill: Capability, settings: SpaceTimeSettings, start: float, end: float
) -> Landmarks:
    """The landmarks in a part of a world, and of what passes through it meanwhile.

    Args:
        box: `(2, 3)` [m]: the lowest and the highest corner.
        world: whose bodies carry.
        skill: who is to stand there.
        settings: how dense they are, and how far from edges.
        start: [s] from when on a landmark is to be of use.
        end: [s] until when.
    """
    times = np.linspace(start, end, 2 * _MOMENTS)
    near = [body for body in world if _passes(body, box, times)]
    marks = _sampled(world, skill, settings, start, end, near, box)
    return marks.taken(_inside(marks, world, box, times))


def _passes(body: Body, box: Box, times: Floats) -> bool:
    """Whether a body is ever near a box, at some moments."""
    reach = float(np.linalg.norm(body.mesh.bounds, axis=1).max())
    if not body.trajectory.moving:
        pose = body.trajectory.pose(float(times[0]))
        corners = pose.apply(body.mesh.bounds[_CORNERS, [0, 1, 2]])
        return bool((corners.max(axis=0) >= box[0]).all() and (corners.min(axis=0) <= box[1]).all())
    spots = body.trajectory.poses(times)[0]
    # Between two moments it may have come by.
    slack = reach + float(np.linalg.norm(np.diff(spots, axis=0), axis=1).max(initial=0.0))
    return bool(((spots >= box[0] - slack) & (spots <= box[1] + slack)).all(axis=1).any())


def _inside(marks: Landmarks, world: World, box: Box, times: Floats) -> Bools:
    """`(n,)`: which landmarks are in a box at any of some moments [s]."""
    inside = np.zeros(len(marks), dtype=np.bool_)
    for t in times.tolist():
        points = marks.positions(world, t)
        inside |= ((points >= box[0]) & (points <= box[1])).all(axis=1)
    return inside


def _sampled(
    world: World, skill: Capability, settings: SpaceTimeSettings, start: float, end: float,
    near: Sequence[Body] | None = None, box: Box | None = None,
) -> Landmarks:  # fmt: skip
    bodies_of_use = list(world) if near is None else list(near)
    resting = [body for body in bodies_of_use if not body.trajectory.moving]
    still = World(resting)
    frames: list[int] = []
    bodies: list[int] = []
    places: list[Floats] = []
    at_rest: list[tuple[Floats, float]] = []
    for body in bodies_of_use:
        if body.has("forbidden"):
            continue
        id_ = world.id(body.name)
        if body.trajectory.moving:
            own = World([body.moved(Static())])
            found, _ = _on(own, own[body.name], skill, settings)
        else:
            found, apart = _on(still, body, skill, settings, box)
            found = _besides(found, at_rest)
            at_rest.append((found, apart))
        frame = id_ if body.trajectory.moving else -1
        frames += [frame] * len(found)
        bodies += [id_] * len(found)
        places.append(found)
    points = np.concatenate([*places, np.zeros((0, 3))])
    marks = Landmarks(np.array(frames, dtype=np.int32), points, np.array(bodies, dtype=np.int32))
    return marks.taken(_ever_free(marks, world, skill, start, end))


def _on(
    still: World, body: Body, skill: Capability, settings: SpaceTimeSettings, box: Box | None = None
) -> tuple[Floats, float]:
    """Landmarks `(k, 3)` [m] on one body of a world at rest, or on what of it is in a box.

    And how far apart they are [m].
    """
    pose = body.trajectory.pose(0.0)
    corners = pose.apply(body.mesh.bounds[_CORNERS, [0, 1, 2]])
    low, high = corners.min(axis=0), corners.max(axis=0)
    if box is not None:
        low, high = np.maximum(low, box[0]), np.minimum(high, box[1])
        if not (low <= high).all():
            return np.zeros((0, 3)), settings.spacing
    size = high - low
    pitch = np.clip(size[:2] / _COLUMNS, _FINEST, max(_FINEST, 0.5 * settings.spacing))
    # Centred, so that a narrow surface has its landmarks in the middle.
    axes = [
        0.5 * (low[k] + high[k])
        + pitch[k] * (np.arange(-(n := int(size[k] / pitch[k] / 2)), n + 1))
        for k in (0, 1)
    ]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    columns = np.column_stack([grid, np.full(len(grid), high[2] + 0.01)])
    own, found = still.id(body.name), [np.zeros((0, 3))]
    for _ in range(_LAYERS):
        ground = still.support(columns, 0.0, up=0.0, down=float(size[2]) + 0.1)
        hit = ground.hit
        columns, heights = columns[hit], ground.height[hit]
        if len(columns) == 0:
            break
        good = (ground.body[hit] == own) & ~(ground.slope[hit] > skill.max_slope)
        found.append(np.column_stack([columns[:, :2], heights])[good])
        columns = np.column_stack([columns[:, :2], heights - 0.02])
        columns = columns[columns[:, 2] > low[2]]
        if len(columns) == 0:
            break
    points = np.concatenate(found)
    points = points[can_stand(still, points, 0.0, skill)] if len(points) else points
    depth = _depth(still, points, skill, settings.inset)
    points, depth = points[depth > 0], depth[depth > 0]
    area = len(points) * float(pitch.prod())
    # Where one could wander for a long time landmarks are few.
    widest = max(settings.spacing, float(size[:2].max()) / _COLUMNS)
    spacing = float(np.clip(np.sqrt(area) / 3.0, settings.nearest, widest))
    return _thinned(points, depth, spacing), spacing


def _depth(still: World, points: Floats, skill: Capability, inset: float) -> Floats:
    """How many of some rings around points have ground and room: 0 is too near to an edge."""
    depth = np.zeros(len(points))
    alive = np.ones(len(points), dtype=np.bool_)
    reach = max(skill.step_height, 0.05)
    for factor in (1.0, 1.75, 2.5):
        if inset * factor == 0.0:
            depth += 1.0
            continue
        ring = points[alive][:, None] + np.append(inset * factor * _RING, np.zeros((8, 1)), axis=1)
        ground = still.support(ring.reshape(-1, 3), 0.0, up=reach, down=reach)
        firm = (ground.hit & ~(ground.slope > skill.max_slope)).reshape(-1, 8).all(axis=1)
        alive[np.flatnonzero(alive)[~firm]] = False
        depth[alive] += 1.0
        if not alive.any():
            break
    return depth


def _thinned(points: Floats, depth: Floats, spacing: float) -> Floats:
    """Some of the points, none nearer than `spacing` [m] to another.

    Those by the edges first: there one waits, boards and jumps.
    """
    order = np.lexsort((points[:, 1], points[:, 0], depth))
    left = np.ones(len(points), dtype=np.bool_)
    kept: list[int] = []
    for i in order.tolist():
        if not left[i]:
            continue
        kept.append(i)
        away = points - points[i]
        left &= (np.hypot(away[:, 0], away[:, 1]) >= spacing) | (np.abs(away[:, 2]) > 1.0)
    return points[sorted(kept)]


def _besides(found: Floats, others: list[tuple[Floats, float]]) -> Floats:
    """Those of some landmarks `(k, 3)` [m] beside which there are no others: lines are painted."""
    alone = np.ones(len(found), dtype=np.bool_)
    for known, apart in others:
        for point in known:
            away = found - point
            near = np.hypot(away[:, 0], away[:, 1]) < 0.8 * apart
            alone &= ~(near & (np.abs(away[:, 2]) < _PAINT))
    return found[alone]


def _ever_free(
    marks: Landmarks, world: World, skill: Capability, start: float, end: float
) -> Bools:
    """`(n,)`: which can be stood on at any of some moments."""
    free = np.zeros(len(marks), dtype=np.bool_)
    moving = any(body.trajectory.moving for body in world)
    for t in np.linspace(start, end, _MOMENTS if moving else 1).tolist():
        asked = np.flatnonzero(~free)
        if len(asked) == 0:
            break
        places = [marks.place(int(i), world) for i in asked]
        points = world.positions(places, t)
        reach = max(skill.step_height, 0.01)
        below = world.support(points, t, up=reach, down=reach)
        firm = below.hit & ~(below.slope > skill.max_slope)
        free[asked] = firm & ~world.overlap(points, t, shape=cylinder(skill))
    return free
