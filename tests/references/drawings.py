"""Drawings of cells as worlds, for the tests of the paper's figures."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from references import grid_moves
from references.grid_moves import Action, Cells, Moves, Voxel
from surefoot import _native

WALK = Action(up=1, down=1, height=4)

Columns = Iterable[tuple[int, int]]


def block(i: Iterable[int], j: Iterable[int], k: Iterable[int]) -> set[Voxel]:
    """All voxels of a box."""
    return {(a, b, c) for a in i for b in j for c in k}


def plane(width: int, depth: int, holes: Columns = ()) -> set[Voxel]:
    """A floor whose holes are missing."""
    return block(range(width), range(depth), [0]) - {(i, j, 0) for i, j in holes}


class Scene:
    """A world of voxels, someone in it, and everything that is asked about them."""

    def __init__(
        self,
        occupied: Iterable[Voxel],
        actions: list[Action] | None = None,
        *,
        forbidden: Iterable[Voxel] = (),
        **settings: object,
    ) -> None:
        world = Cells(frozenset(occupied), frozenset(forbidden), cell=1.0, rise=1.0)
        self.moves = Moves(world, actions or [WALK], **settings)  # pyright: ignore
        self.voxels = world.native()
        self.native = self.moves.native(self.voxels)
        self.search = _native.GridSearch(self.native)
        self.number()

    def number(self) -> None:
        """Finds out which row holds which cell; again after changes."""
        self.cells = grid_moves.rows(self.voxels)
        self.row = {cell: row for row, cell in self.cells.items()}

    def change(self, id_: int, cells: Iterable[Voxel], *, forbidden: bool = False) -> None:
        """A body comes, or moves."""
        array = np.array(sorted(cells), dtype=np.int32).reshape(-1, 3)
        self.voxels.put_cells(id_, array, forbidden)
        self.native.update()
        self.number()

    def rows(self, cells: Iterable[Voxel]) -> np.ndarray:
        return np.array([self.row[cell] for cell in cells], dtype=np.int32)

    def neighbours(self, cell: Voxel) -> dict[Voxel, int]:
        """The cells that can be reached at once, and by which action."""
        edges = self.native.edges()
        return {
            self.cells[to]: action
            for start, to, action in edges.tolist()
            if start == self.row[cell]
        }

    def front(self, *sources: Voxel, connectivity: int = 4) -> _native.GridFront:
        return self.search.front(self.rows(sources), metric="steps", connectivity=connectivity)

    def level(self, front: _native.GridFront, cell: Voxel) -> float:
        return front.cost(self.row[cell])

    def path(self, start: Voxel, goal: Voxel, **options: object) -> list[Voxel]:
        """The cells of the way, or none at all."""
        found = self.search.path(self.rows([start]), self.rows([goal]), **options)  # pyright: ignore
        return [self.cells[row] for row in found[0].tolist()] if found[3] else []

    def actions(self, start: Voxel, goal: Voxel, **options: object) -> list[int]:
        found = self.search.path(self.rows([start]), self.rows([goal]), **options)  # pyright: ignore
        return found[1].tolist()

    def borders(self, layers: int = 1, **settings: object) -> dict[Voxel, int]:
        found = _native.GridBorders(self.native, layers, **settings).layers()  # pyright: ignore
        return {cell: int(found[row]) for row, cell in self.cells.items()}

    def without_borders(self, layers: int = 1) -> np.ndarray:
        """Prices that close border cells."""
        found = _native.GridBorders(self.native, layers).layers()
        return np.where(found > 0, np.inf, 1.0).astype(np.float32)

    def straightened(self, path: list[Voxel], **options: object) -> list[Voxel]:
        cells = self.rows(path)
        moves = np.zeros(len(cells) - 1, dtype=np.int32)
        found = self.native.straightened(cells, moves, **options)[0]  # pyright: ignore
        return [self.cells[row] for row in found.tolist()]
