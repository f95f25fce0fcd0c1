"""The grid planner's cells, laid over the world: where one can be, borders, and fronts.

render(world, camera=camera, extras=[cells(grid), path(points)]).save("cells.png")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi

import numpy as np

from surefoot.animation.pictures.camera import Camera, Size, box_corners
from surefoot.animation.pictures.colors import Color, from_hex
from surefoot.animation.pictures.extras import Extra
from surefoot.animation.pictures.marks import path, ring
from surefoot.animation.pictures.picture import Picture
from surefoot.animation.pictures.rendering import render
from surefoot.animation.pictures.settings import Look
from surefoot.animation.pictures.strips import filmstrip
from surefoot.arrays import Bools, Floats, Ints
from surefoot.errors import InputError
from surefoot.planning import Plan
from surefoot.planning.grid import GridMap
from surefoot.planning.grid.postures import NOBODY, Posture
from surefoot.world import Mesh, World

WALK: Color = from_hex("#7fbf9b")
SHY: Color = from_hex("#cfdc8a")
BORDER: Color = from_hex("#d9695f")
EDGE: Color = from_hex("#f0a24a")
BEND: Color = from_hex("#8f7bc7")
NARROW: Color = from_hex("#e3c25a")

COLORS: Mapping[str, Color] = {
    "walk": WALK,
    "rather not": SHY,
    "border": BORDER,
    "edge": EDGE,
    "bend": BEND,
    "last resort": NARROW,
}
"""What the colours of cells mean."""

_BANDS = [
    from_hex(code) for code in ("#2f6fb5", "#58b0c9", "#9fd3a1", "#f1e08a", "#e8944a", "#b8434f")
]
"""Of a front, from near to far."""

# Cells are drawn a little smaller than they are, and a little above the ground.
_SHARE, _HOVER = 0.86, 0.012

_QUAD = np.array([[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]])


def cells(grid: GridMap, *, narrow: bool = False, opacity: float = 0.85) -> Extra:
    """How one can be in each cell, in the colours of `COLORS`.

    Args:
        grid: whose cells.
        narrow: border cells as the last resort has them.
        opacity: > 0 to 1.
    """
    postures = grid.postures(narrow=narrow)
    each, layers = postures.each, postures.layers
    closed = (layers > 0) & (layers <= postures.closed) & (each == Posture.CLOSED)
    shy = (layers > postures.closed) & (layers != NOBODY) & (each == Posture.WALK)
    kinds = (
        (each == Posture.WALK, WALK),
        (shy, SHY),
        (closed, BORDER),
        (each == Posture.EDGE, EDGE),
        (each == Posture.BEND, BEND),
        (each == Posture.NARROW, NARROW),
    )
    colors = np.zeros((len(each), 3))
    shown = np.zeros(len(each), dtype=np.bool_)
    for of_kind, color in kinds:
        colors[of_kind] = color
        shown |= of_kind
    return _tiles(grid, shown & grid.cells.live, colors, opacity)


def front(grid: GridMap, costs: Floats, *, bands: int = 24, opacity: float = 0.85) -> Extra:
    """A distance field in bands of colour, from near to far.

    Args:
        grid: whose cells.
        costs: `(n,)` of each cell; infinite where the front did not come by.
        bands: how many times the colours alternate between light and dark.
        opacity: > 0 to 1.
    """
    shown = np.isfinite(costs) & grid.cells.live
    if not shown.any():
        raise InputError("the front has come to no cell")
    share = costs / max(float(costs[shown].max()), 1e-9)
    share = np.where(shown, share, 0.0)
    keys = np.linspace(0.0, 1.0, len(_BANDS))
    table = np.array(_BANDS)
    colors = np.stack([np.interp(share, keys, table[:, axis]) for axis in range(3)], axis=1)
    # Like the layers of the paper's Fig. 3, numbers left out.
    colors[np.floor(share * 2 * bands).astype(int) % 2 == 1] *= 0.82
    return _tiles(grid, shown, colors, opacity)


def path_cells(
    grid: GridMap, rows: Ints | Sequence[int], color: Color, *, lift: float = 0.004
) -> Extra:
    """Some cells in one colour, above others that are drawn."""
    shown = np.zeros(len(grid.positions), dtype=np.bool_)
    shown[np.asarray(rows, dtype=np.int32)] = True
    colors = np.tile(np.array(color), (len(shown), 1))
    return _tiles(grid, shown, colors, 1.0, lift)


def cells_picture(
    plan: Plan, world: World, grid: GridMap, *, size: Size = (960, 720), quality: str = "good"
) -> Picture:
    """A plan over the cells that it was found in, seen from above: borders, and the front.

    On the left how one can be in each cell, on the right how far each is from where the plan ends.

    Args:
        plan: of the grid planner.
        world: that it is in, as it is when the plan starts.
        grid: the map it was found in: `sf.Grid().map(problem)`.
        size: of each of the two [pixels].
        quality: "draft", "good" or "best".
    """
    points = [world.position(plan.origin, plan.start)[None]]
    points += [segment.positions for segment in plan.segments]
    line = np.concatenate(points)
    marks = [path(line + np.array([0.0, 0.0, 0.05]))] if np.ptp(line, axis=0).max() > 0.01 else []
    marks.append(ring(line[-1]))
    shown = grid.positions[grid.postures(narrow=True).each > 0]
    tall = float(line[:, 2].max()) + 0.8 * grid.actions.walk.height
    low, high = shown.min(axis=0), np.minimum(shown.max(axis=0), [np.inf, np.inf, tall])
    camera = Camera.framing(box_corners(np.stack([low, high])), -pi / 2, 1.2, size=size)
    look = Look(cutaway=tall)
    layers = [cells(grid), *_front_to(grid, line[-1])]
    pictures = [
        render(world, plan.start, camera, extras=[layer, *marks], look=look, quality=quality)
        for layer in layers
    ]
    return filmstrip(pictures, ["cells and borders", "distance to the goal"][: len(pictures)])


def _front_to(grid: GridMap, end: Floats) -> list[Extra]:
    """The front to a point, if any cell is next to it."""
    for narrow in (False, True):
        points = grid.postures(narrow=narrow).points
        if len(grid.near(end, grid.prices(narrow=narrow), points)):
            return [front(grid, grid.front(end, narrow=narrow))]
    return []


def _tiles(grid: GridMap, shown: Bools, colors: Floats, opacity: float, lift: float = 0.0) -> Extra:
    """A square for each cell that is shown."""
    rows = np.flatnonzero(shown)
    if len(rows) == 0:
        raise InputError("there are no cells to show")
    centres = grid.positions[rows] + np.array([0.0, 0.0, _HOVER + lift])
    corners = centres[:, None] + _QUAD * (grid.cell * _SHARE)
    first = 4 * np.arange(len(rows))[:, None]
    halves = np.array([[0, 1, 2], [0, 2, 3]])
    faces = np.concatenate([first + half for half in halves]).astype(np.int32)
    return Extra(
        mesh=Mesh(corners.reshape(-1, 3), faces),
        face_colors=np.concatenate([colors[rows], colors[rows]]),
        mark=True,
        opacity=opacity,
    )
