"""Surface cells: the places of a world at rest where someone can stand, and how they join."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Bools, Floats
from surefoot.character import Capability
from surefoot.errors import ProblemError
from surefoot.planning.grid.settings import GridSettings
from surefoot.world import Cylinder, World

MOST_COLUMNS = 4_000_000
"""Columns are looked at up to this many."""

Indices = npt.NDArray[np.intp]

# Half of the eight neighbours; the other half are the same edges walked back.
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


@dataclass(frozen=True, eq=False)
class Cells:
    """Standable cells and the edges between them.

    Attributes:
        points: `(n, 3)` on the surface [m].
        cramped: `(n,)` without the room that one would like.
        offsets: `(n + 1,)`; the edges of cell i are `offsets[i]` to `offsets[i + 1]`.
        targets: `(m,)` the cell at the other end of each edge.
        lengths: `(m,)` [m].
    """

    points: Floats
    cramped: Bools
    offsets: Indices
    targets: Indices
    lengths: Floats


def at_rest(world: World) -> World:
    """The bodies that never move: what this planner walks on and around."""
    return World((b for b in world if not b.trajectory.moving), name=world.name)


def find_cells(world: World, skill: Capability, settings: GridSettings) -> Cells:
    """All cells of a world at rest."""
    surfaces, columns, size = _surfaces(world, settings)
    cylinder = Cylinder(skill.radius, skill.height, skill.step_height)
    # A surface less than a step below another is covered by it: one stands on the upper.
    ground = world.support(surfaces, up=skill.step_height, down=1e-3)
    usable = ground.hit & (np.abs(ground.height - surfaces[:, 2]) < 1e-6)
    usable &= ground.slope <= skill.max_slope
    usable &= ~forbidden(world)[ground.body]
    usable[usable] = ~world.overlap(surfaces[usable], shape=cylinder)
    points, columns = surfaces[usable], columns[usable]
    if len(points) == 0:
        raise ProblemError(
            f"nowhere to stand: no surface of this world has room for {skill.name!r} "
            f"(radius {skill.radius:g} m, height {skill.height:g} m)"
        )
    first, second = _neighbours(points[:, 2], columns, size, skill.step_height)
    joined = _joined(world, points[first], points[second], skill, cylinder)
    first, second = first[joined], second[joined]
    return _graph(points, first, second, _cramped(world, points, first, second, skill, settings))


def _surfaces(world: World, settings: GridSettings) -> tuple[Floats, Indices, tuple[int, int]]:
    """Points on all surfaces under a regular grid, layer after layer downward."""
    corners = [body.trajectory.pose(0.0).apply(_box_corners(body.mesh.bounds)) for body in world]
    if not corners:
        raise ProblemError("nowhere to stand: every body of this world moves")
    low, high = np.min(corners, axis=(0, 1)), np.max(corners, axis=(0, 1))
    counts = np.floor((high[:2] - low[:2]) / settings.cell).astype(np.intp) + 1
    total = int(counts.prod())
    if total > MOST_COLUMNS:
        fits = float(np.sqrt((high[:2] - low[:2]).prod() / MOST_COLUMNS))
        raise ProblemError(
            f"cells of {settings.cell:g} m make {counts[0]} x {counts[1]} columns over this "
            f"world, more than {MOST_COLUMNS}; a cell of {fits * 1.01:.2f} m fits"
        )
    # Centred, so that a world symmetric about its middle gets symmetric cells.
    margin = ((high[:2] - low[:2]) - (counts - 1) * settings.cell) / 2
    columns = np.arange(total, dtype=np.intp)
    steps = np.stack(np.divmod(columns, counts[1]), axis=-1)
    grid = low[:2] + margin + settings.cell * steps
    heights = np.full(len(grid), high[2] + 1.0)
    found: list[Floats] = []
    owners: list[Indices] = []
    for _ in range(settings.layers):
        origins = np.column_stack([grid[columns], heights])
        hits = world.ray(origins, np.array([0.0, 0.0, -1.0]))
        columns, positions = columns[hits.hit], hits.position[hits.hit]
        if len(columns) == 0:
            break
        found.append(positions)
        owners.append(columns)
        heights = positions[:, 2] - 1e-4
    return np.concatenate(found), np.concatenate(owners), (int(counts[0]), int(counts[1]))


def _box_corners(bounds: Floats) -> Floats:
    return np.stack(np.meshgrid(*bounds.T), axis=-1).reshape(-1, 3)


def forbidden(world: World) -> Bools:
    """Per body id: nobody may stand on it. The last entry is for 'no body' (-1)."""
    flags = np.zeros(len(world.names) + 1, dtype=np.bool_)
    for body in world:
        flags[world.id(body.name)] = body.has("forbidden")
    return flags


def _neighbours(
    heights: Floats,
    columns: Indices,
    size: tuple[int, int],
    step: float,
) -> tuple[Indices, ...]:
    """Pairs of cells in neighbouring columns that a step can join."""
    order = np.argsort(columns, kind="stable")
    starts = np.searchsorted(columns[order], np.arange(size[0] * size[1] + 1))
    x, y = np.divmod(columns, size[1])
    firsts: list[Indices] = []
    seconds: list[Indices] = []
    deepest = int(np.diff(starts).max())
    for dx, dy in _DIRECTIONS:
        inside = (x + dx < size[0]) & (y + dy >= 0) & (y + dy < size[1])
        cells = np.flatnonzero(inside)
        other = (x[cells] + dx) * size[1] + y[cells] + dy
        for layer in range(deepest):
            at = starts[other] + layer
            there = at < starts[other + 1]
            a, b = cells[there], order[at[there]]
            near = np.abs(heights[a] - heights[b]) <= step
            firsts.append(a[near])
            seconds.append(b[near])
    return np.concatenate(firsts), np.concatenate(seconds)


def _joined(
    world: World, starts: Floats, ends: Floats, skill: Capability, cylinder: Cylinder
) -> Bools:
    """Whether there is ground and room half-way, so that no gap or thin wall is crossed."""
    middles = (starts + ends) / 2
    ground = world.support(middles, up=skill.step_height, down=skill.step_height)
    joined = ground.hit & (ground.slope <= skill.max_slope) & ~forbidden(world)[ground.body]
    middles[:, 2] = np.where(joined, ground.height, middles[:, 2])
    joined[joined] = ~world.overlap(middles[joined], shape=cylinder)
    return joined


def _cramped(
    world: World,
    points: Floats,
    first: Indices,
    second: Indices,
    skill: Capability,
    settings: GridSettings,
) -> Bools:
    """Near a wall, or at an edge where some of the eight neighbours are missing."""
    wide = Cylinder(skill.radius + settings.clearance, skill.height, skill.step_height)
    degree = np.bincount(np.concatenate([first, second]), minlength=len(points))
    return world.overlap(points, shape=wide) | (degree < 8)


def _graph(
    points: Floats,
    first: Indices,
    second: Indices,
    cramped: Bools,
) -> Cells:
    sources, targets = np.concatenate([first, second]), np.concatenate([second, first])
    order = np.lexsort((targets, sources))
    sources, targets = sources[order], targets[order]
    offsets = np.searchsorted(sources, np.arange(len(points) + 1))
    lengths = np.linalg.norm(points[sources] - points[targets], axis=1)
    return Cells(points, cramped, offsets, targets, lengths)
