"""Crossings: when and where one can step from a body onto another that moves beside it."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.character import Capability
from surefoot.math import rotations
from surefoot.world import Body, Observed, Static, World

_PITCH = 0.3
"""[m] between places on a body that are looked at, where it is not too large."""

_COLUMNS = 40000.0
"""Places on a body that are looked at, at most."""

_MOST = 240
"""Likewise on its rim."""

_STEP = 0.25
"""[s] between moments that are looked at."""

_INSET = 0.35
"""[m] from an edge at which one stands before the step."""

_ACROSS = (0.7, 0.95)
"""[m] from there to where one stands after it."""

_BOARDING, _LIFTING = 0.8, 0.25
"""[m/s] between two bodies, at most: across and up."""

_HIGHEST = 0.3
"""[m] that is stepped up or down from one to the other, at most."""

_CELL = 4.0
"""[m]: crossings that lead to places this close together are one choice."""

_RING = np.array([[np.cos(a), np.sin(a), 0.0] for a in np.arange(8) * np.pi / 4])

_Columns = tuple[Floats, Ints, Floats, Ints, Floats, Floats]


@dataclass(frozen=True, eq=False)
class Crossings:
    """Steps from body to body that could be made.

    Attributes:
        times: `(n,)` [s], increasing.
        leave: `(n,)`: what is left: a body's id, -1 for all that rests.
        leave_at: `(n, 3)` [m]: from where, in its frame.
        enter: `(n,)`: what is stepped onto.
        enter_at: `(n, 3)` [m]: where to, in its frame.
        where: `(n, 3)` [m]: about where that is in the world then.
        cells: `(n,)`: which of them lead to about the same part of the same body.
        until: [s] up to which there are all of them.
    """

    times: Floats
    leave: Ints
    leave_at: Floats
    enter: Ints
    enter_at: Floats
    where: Floats
    cells: Ints
    until: float


def crossings_of(world: World, skill: Capability, start: float, length: float) -> Crossings:
    """Steps that could be made from `start` [s] on, for `length` [s].

    Args:
        world: where; only bodies whose futures are known are stepped onto.
        skill: how high steps and how steep grounds may be.
        start: [s].
        length: [s].
    """
    times = start + _STEP * np.arange(int(length / _STEP) + 1, dtype=np.float64)
    parts: list[_Columns] = []
    for body in world:
        trusted = body.trajectory.moving and not isinstance(body.trajectory, Observed)
        if not trusted or body.has("forbidden"):
            continue
        places, beyond = _rim(body, skill)
        if len(places):
            parts.append(_beside(world, body, skill, places, beyond, times))
    empty: _Columns = (
        np.zeros(0), np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros(0, np.int32),
        np.zeros((0, 3)), np.zeros((0, 3)),
    )  # fmt: skip
    when, leave, leave_at, enter, enter_at, where = (
        np.concatenate(column) for column in zip(empty, *parts, strict=True)
    )
    # Each can be made the other way round; of two that move, either knows its own.
    back = enter < 0
    when, where = np.concatenate([when, when[back]]), np.concatenate([where, where[back]])
    leave, enter = np.concatenate([leave, enter[back]]), np.concatenate([enter, leave[back]])
    leave_at, enter_at = (
        np.concatenate([leave_at, enter_at[back]]), np.concatenate([enter_at, leave_at[back]]),
    )  # fmt: skip
    order = np.argsort(when, kind="stable")
    parted = np.column_stack([enter, np.floor(enter_at[:, :2] / _CELL).astype(int)])
    _, cells = np.unique(parted, axis=0, return_inverse=True)
    return Crossings(
        when[order], leave[order], leave_at[order], enter[order], enter_at[order], where[order],
        cells.reshape(-1)[order].astype(np.int32), float(times[-1]),
    )  # fmt: skip


def _rim(body: Body, skill: Capability) -> tuple[Floats, Floats]:
    """Places `(n, 3)` [m] on a body near its edge, and directions `(n, 3)` out over it."""
    own = World([body.moved(Static())])
    low, high = body.mesh.bounds
    area = float(high[0] - low[0]) * float(high[1] - low[1])
    pitch = max(_PITCH, sqrt(area / _COLUMNS))
    axes = [np.arange(low[k] + pitch / 2, high[k], pitch) for k in (0, 1)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    columns = np.column_stack([grid, np.full(len(grid), high[2] + 0.01)])
    ground = own.support(columns, 0.0, up=0.0, down=float(high[2] - low[2]) + 0.1)
    good = ground.hit & ~(ground.slope > skill.max_slope)
    points = np.column_stack([grid[good], ground.height[good]])
    if not len(points):
        return np.zeros((0, 3)), np.zeros((0, 3))

    def held(reach: float) -> Bools:
        ring = (points[:, None] + reach * _RING).reshape(-1, 3)
        step = _rise(skill)
        return own.support(ring, 0.0, up=step, down=step).hit.reshape(-1, len(_RING))

    inside = held(_INSET).all(axis=1)
    points = points[inside]
    out = ~held(_INSET + pitch + 0.05)
    # One way out for each place: the middle of all of them.
    ways = out @ _RING
    rows = np.flatnonzero(np.linalg.norm(ways, axis=1) > 0.5)
    # Some of them, from all sides: every n-th might be all on one.
    rows = np.sort(np.random.default_rng(0).permutation(rows)[:_MOST])
    return points[rows], ways[rows] / np.linalg.norm(ways[rows], axis=1)[:, None]


def _beside(
    world: World, body: Body, skill: Capability, places: Floats, out: Floats, times: Floats
) -> _Columns:
    """Where other bodies come beside a rim: columns of `Crossings`, from `times` to `where`."""
    step = _rise(skill)
    own = world.id(body.name)
    moving, doubted = (np.zeros(len(world.names), dtype=np.bool_) for _ in range(2))
    for one in world:
        moving[world.id(one.name)] = one.trajectory.moving
        doubted[world.id(one.name)] = isinstance(one.trajectory, Observed)
    when = np.repeat(times, len(places))
    which = np.tile(np.arange(len(places)), len(times))
    found: list[_Columns] = []
    left = np.ones(len(when), dtype=np.bool_)
    for across in _ACROSS:
        rows = np.flatnonzero(left)
        beyond = (places + across * out)[which[rows]]
        points = _carried(body, beyond, when[rows])
        ground = world.support(points, when[rows], up=step, down=step)
        firm = ground.hit & (ground.body != own) & ~(ground.slope > skill.max_slope)
        rows, points, under = rows[firm], points[firm], ground.body[firm]
        heights, speed = ground.height[firm], ground.velocity[firm]
        held = ~doubted[under]
        for side in (0, 2, 4, 6):
            around = world.support(points + 0.22 * _RING[side], when[rows], up=step, down=step)
            held &= around.hit & (around.body == under)
        past = speed - world.velocity(body.name, points, when[rows])
        held &= (np.hypot(past[:, 0], past[:, 1]) <= _BOARDING) & (np.abs(past[:, 2]) <= _LIFTING)
        rows, points, under, heights = rows[held], points[held], under[held], heights[held]
        left[rows] = False
        points[:, 2] = heights
        enter = np.where(moving[under], under, -1).astype(np.int32)
        local = points.copy()
        carriers: list[int] = sorted({*enter.tolist()} - {-1})
        for id_ in carriers:
            on = enter == id_
            local[on] = _carried(world[world.names[id_]], points[on], when[rows][on], back=True)
        left_behind = np.full(len(rows), own, np.int32)
        found.append((when[rows], left_behind, places[which[rows]], enter, local, points))
    columns = [np.concatenate(column) for column in zip(*found, strict=True)]
    return columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]


def _rise(skill: Capability) -> float:
    return min(max(skill.step_height, 0.05), _HIGHEST)


def _carried(body: Body, points: Floats, times: Floats, *, back: bool = False) -> Floats:
    """Points in a body's frame where they are in the world, or the other way round."""
    origins, turns = body.trajectory.poses(times)
    if back:
        return rotations.rotate(rotations.inverse(turns), points - origins)
    return rotations.rotate(turns, points) + origins
