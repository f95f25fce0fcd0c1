"""How one can be in each cell: upright, bent, at an edge, or not at all (bandi2000, 7.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from math import ceil

import numpy as np
import numpy.typing as npt

from surefoot import _native
from surefoot.arrays import Bools, Floats
from surefoot.character import Capability
from surefoot.errors import ProblemError
from surefoot.planning.grid.actions import Actions
from surefoot.planning.grid.discretise import THREADS
from surefoot.planning.grid.settings import MOST_LAYERS, GridSettings
from surefoot.planning.grid.walkable import Walkable

Prices = npt.NDArray[np.float32]
"""`(n,)`: what a metre costs in each cell, >= 1; infinite where it is closed."""

EDGE_PRICE, NARROW_PRICE = 2.0, 3.0
"""What a metre costs at an edge, and in a border cell."""

# Where in a cell there may be room, as shares of its side from its centre.
_SIDES = [
    (x, y, 0.0)
    for reach in (0.25, 0.45)
    for x, y in ((reach, 0), (-reach, 0), (0, reach), (0, -reach))
]
_WITHIN = np.array([(0.0, 0.0, 0.0), *_SIDES])

LEDGE = 0.12
"""[m] A step that one had better not walk along."""

NOBODY = 255
"""The layer of cells that nobody fits into."""


class Posture(IntEnum):
    """How one can be in a cell."""

    CLOSED = 0
    """Not at all, or too close to something."""
    WALK = 1
    EDGE = 2
    """Upright, where only a step over a gap or a jump leads on."""
    BEND = 3
    NARROW = 4
    """Upright, in a border cell: the last resort."""


@dataclass(frozen=True, eq=False)
class Postures:
    """How one can be in the cells of a map.

    Attributes:
        each: `(n,)` of `Posture`.
        layers: `(n,)`: 0 inside, k in the k-th layer of a border for somebody upright, 255 where
            nobody fits. Layers beyond the closed ones are those that one would rather keep out of.
        closed: how many layers are closed.
        points: `(n, 3)` [m] where one stands in each cell: its centre, or where there is room.
        ledges: `(n,)` cells beside a step that feet could hit on the way past.
    """

    each: npt.NDArray[np.int8]
    layers: npt.NDArray[np.uint8]
    closed: int
    points: Floats
    ledges: Bools

    @property
    def bent(self) -> Bools:
        """`(n,)`: cells that one can only be in bent."""
        return self.each == Posture.BEND

    def prices(self, *, shyness: float, bending: float) -> Prices:
        """What a metre costs in each cell, apart from what the problem's cost says.

        Args:
            shyness: how much more it costs without the room that one would like.
            bending: how many times as much it costs bent.
        """
        prices = np.full(len(self.each), np.inf, dtype=np.float32)
        prices[self.each == Posture.WALK] = 1.0
        shy = (self.each == Posture.WALK) & ((self.layers > 0) | self.ledges)
        prices[shy] = 1.0 + shyness
        prices[self.each == Posture.EDGE] = EDGE_PRICE
        prices[self.each == Posture.NARROW] = NARROW_PRICE
        prices[self.each == Posture.BEND] = max(bending, 1.0)
        return prices


class Layers:
    """The borders of a map, kept up to date.

    Args:
        moves: which cell can be reached from which.
        actions: in the order of the moves' actions.
        cell: [m] side of a cell.
        settings: how wide borders are.
    """

    def __init__(
        self, moves: _native.GridMoves, actions: Actions, cell: float, settings: GridSettings
    ) -> None:
        self._moves, self._actions, self._cell = moves, actions, cell
        self.closed = _layers(settings, actions.walk.radius, cell)
        self._shy = settings.shyness > 0.0 and settings.clearance > 0.0
        shy = ceil(settings.clearance / cell - 1e-9) if self._shy else 0
        shy = min(shy, NOBODY - 1 - self.closed)
        corners = settings.border_sides == 8
        walk = actions.mask("walk")
        self._walk = self._borders(self.closed + shy, walk, corners)
        self._sides = self._edge = self._bend = None
        if self.closed > 0 and any(action.span > 0.0 for action in actions.each):
            # Sides only: the corners of an edge lie farther across a gap.
            self._sides = self._borders(self.closed, walk, False)
            far = actions.mask("walk", "step over", "jump")
            self._edge = self._borders(self.closed, far, False)
        if actions.bend is not None:
            layers = _layers(settings, actions.bend.radius, cell)
            self._bend = self._borders(layers, walk | actions.mask("bend"), corners)

    def _borders(self, layers: int, actions: int, diagonals: bool) -> _native.GridBorders:
        return _native.GridBorders(
            self._moves, layers=layers, actions=actions, diagonals=diagonals, threads=THREADS
        )

    def update(self) -> None:
        """Follows the moves."""
        for borders in (self._walk, self._sides, self._edge, self._bend):
            if borders is not None:
                borders.update(threads=THREADS)

    def postures(self, live: Bools, points: Floats, tops: Floats) -> Postures:
        """As the paper has it: border cells are closed.

        Args:
            live: `(n,)` rows that hold a cell.
            points: `(n, 3)` [m] the cells' centres.
            tops: `(n,)` [m] their highest points.
        """
        layers = self._walk.layers().astype(np.uint8)
        each = np.zeros(len(layers), dtype=np.int8)
        closed = (layers > 0) & (layers <= self.closed)
        if self._bend is not None:
            each[self._bend.layers() == 0] = Posture.BEND
        if self._edge is not None and self._sides is not None:
            # Where a step or a jump leads on there is no border (Fig. 12, right).
            edge = (self._sides.layers() > 0) & (self._edge.layers() == 0)
            each[closed & edge] = Posture.EDGE
        each[(layers != NOBODY) & ~closed] = Posture.WALK
        each[~live] = Posture.CLOSED
        return Postures(each, layers, self.closed, points, self._ledges(tops))

    def _ledges(self, tops: Floats) -> Bools:
        """Cells next to one that is a step higher or lower."""
        found = np.zeros(len(tops), dtype=np.bool_)
        if not self._shy:
            return found
        for beside in self._moves.links().T:
            there = beside >= 0
            found[there] |= np.abs(tops[beside[there]] - tops[there]) > LEDGE
        return found

    def opened(self, postures: Postures, walkable: Callable[[Capability], Walkable]) -> Postures:
        """Likewise, with border cells open where the body has room anywhere in them."""
        each, points = postures.each.copy(), postures.points.copy()
        fits = self._moves.fits()
        for posture, skill, name in (
            (Posture.NARROW, self._actions.walk, "walk"),
            (Posture.BEND, self._actions.bend, "bend"),
        ):
            if skill is None:
                continue
            able = (fits & self._actions.mask(name)) != 0
            shut = np.flatnonzero(able & (each == Posture.CLOSED))
            for off in _WITHIN:
                spots = points[shut] + self._cell * off
                room = walkable(skill).free(spots)
                each[shut[room]], points[shut[room]] = posture, spots[room]
                shut = shut[~room]
        return replace(postures, each=each, points=points)


def _layers(settings: GridSettings, radius: float, cell: float) -> int:
    """So many border cells keep a body of some radius away from what is in the cells beside."""
    if settings.layers is not None:
        return settings.layers
    layers = max(ceil(radius / cell - 0.5 - 1e-9), 0)
    if layers > MOST_LAYERS:
        raise ProblemError(
            f"cells of {cell:g} m would need borders of {layers} of them around a body of radius"
            f" {radius:g} m, more than {MOST_LAYERS}; cells of {radius / MOST_LAYERS:.2g} m fit"
        )
    return layers
