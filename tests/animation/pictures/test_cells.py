"""Pictures of the grid planner's cells."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.animation.pictures import Camera, render
from surefoot.animation.pictures.cells import BORDER, WALK, cells, cells_picture, front, path_cells
from surefoot.character import people
from surefoot.errors import InputError
from surefoot.planning import Goal, Problem
from surefoot.planning.grid import Grid, GridMap
from surefoot.world import Body, World
from surefoot.world.primitives import box, ground

ADULT = people.adult()
WORLD = World(
    [Body(name="floor", mesh=ground(6, 6)), Body(name="wall", mesh=box((0.3, 3, 2), (0, 0, 1)))]
)


@pytest.fixture(scope="module")
def grid() -> GridMap:
    return GridMap(WORLD, ADULT)


def test_each_open_or_border_cell_is_a_square_in_its_color(grid: GridMap) -> None:
    shown = cells(grid)
    postures = grid.postures()
    border = (postures.layers == 1) & grid.cells.live
    colors = np.asarray(shown.face_colors)
    assert np.isclose(colors, BORDER).all(axis=1).sum() == 2 * border.sum()
    assert np.isclose(colors, WALK).all(axis=1).any()
    # Two triangles each, inside their cells, just above the ground.
    corners = shown.mesh.vertices.reshape(-1, 4, 3)
    assert np.ptp(corners[:, :, :2], axis=1).max() <= grid.cell
    assert corners[:, :, 2].min() > 0.0


def test_a_front_goes_from_near_to_far(grid: GridMap) -> None:
    costs = grid.front((2, 0, 0))
    shown = front(grid, costs)
    assert len(shown.mesh.faces) == 2 * np.isfinite(costs).sum()
    near, far = np.argmin(costs), np.argmax(np.where(np.isfinite(costs), costs, -1.0))
    rows = np.flatnonzero(np.isfinite(costs))
    colors = np.asarray(shown.face_colors)
    # Blue where it starts, red where it ends.
    assert colors[np.searchsorted(rows, near)] @ [-1, 0, 1] > 0
    assert colors[np.searchsorted(rows, far)] @ [-1, 0, 1] < 0
    with pytest.raises(InputError, match="the front has come to no cell"):
        front(grid, np.full(len(costs), np.inf))


def test_a_picture_shows_cells_and_front_beside_each_other() -> None:
    problem = Problem(
        world=WORLD,
        character=ADULT,
        start=WORLD.place((-2, 0, 0)),
        goal=Goal(WORLD.place((2, 0, 0))),
    )
    planner = Grid()
    plan = planner.plan(problem)
    shown = cells_picture(plan, WORLD, planner.map(problem), size=(120, 90), quality="draft")
    width, height = shown.size
    assert (width > 240, height) == (True, 90)
    left = shown.pixels[:, :120].reshape(-1, 3).astype(int)
    # Greens of cells to walk in, reds of borders.
    assert ((left[:, 1] > left[:, 0] + 12) & (left[:, 1] > left[:, 2] + 5)).mean() > 0.05
    assert ((left[:, 0] > left[:, 1] + 40) & (left[:, 0] > left[:, 2] + 40)).any()


def test_some_cells_can_be_marked(grid: GridMap) -> None:
    path = grid.path((-2, 0, 0), (2, 0, 0))
    marked = path_cells(grid, path.cells, (0.8, 0.1, 0.1))
    assert len(marked.mesh.faces) == 2 * len(path.cells)
    camera = Camera.framing(grid.positions, elevation=1.3, size=(80, 60))
    render(WORLD, 0.0, camera, extras=[marked], quality="draft")
    with pytest.raises(InputError, match="no cells to show"):
        path_cells(grid, [], (0.8, 0.1, 0.1))
