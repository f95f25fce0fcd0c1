"""Ways: what is done from the start to the goal, one piece after the other, not yet when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, interpolate
from surefoot.character import Capability
from surefoot.planning.grid.leaps import Leap
from surefoot.planning.segments import Kind

SLOWER_BY_GRADIENT = 1.6
"""People climb a flight of stairs (gradient 0.6) at about half their walking speed."""

_REACH = 0.3
"""[m] before and behind, over which slopes and headings are taken: about half a step."""


@dataclass(frozen=True, eq=False)
class Route:
    """A line of points.

    Attributes:
        points: `(n, 3)` [m].
        lengths: `(n,)` along the line from its start, seen from above [m].
    """

    points: Floats
    lengths: Floats

    @classmethod
    def through(cls, points: Floats) -> Route:
        """The line through points."""
        steps = np.hypot(*np.diff(points[:, :2], axis=0).T)
        # Two points above each other (a cell and the exact start on it) are one.
        keep = np.concatenate([[True], steps > 1e-9])
        lengths = np.concatenate([[0.0], np.cumsum(steps[keep[1:]])])
        return cls(points[keep], lengths)

    @property
    def length(self) -> float:
        """[m]."""
        return float(self.lengths[-1])

    def at(self, lengths: Floats) -> Floats:
        """Points `(k, 3)` at lengths `(k,)` along the line."""
        return interpolate(lengths, self.lengths, self.points)

    def slowness(self, lengths: Floats) -> Floats:
        """How much longer a metre takes than on the level `(k,)`: stairs and slopes are slow."""
        forward = self._across(lengths)
        run = np.hypot(*forward[:, :2].T)
        gradient = np.abs(forward[:, 2]) / np.maximum(run, 1e-9)
        return 1.0 + SLOWER_BY_GRADIENT * np.minimum(gradient, 1.0)

    def headings(self, lengths: Floats) -> Floats:
        """Which way one goes `(k,)` [rad], over a step's length so that corners are turned."""
        forward = self._across(lengths)
        return np.arctan2(forward[:, 1], forward[:, 0])

    def _across(self, lengths: Floats) -> Floats:
        reach = min(_REACH, self.length / 2)
        ahead = self.at(np.minimum(lengths + reach, self.length))
        return ahead - self.at(np.maximum(lengths - reach, 0.0))


@dataclass(frozen=True, eq=False)
class Piece:
    """One thing that is done along a way.

    Attributes:
        kind: a walk, a bend, a step over something, or a jump.
        skill: the capability that does it.
        points: `(n, 3)` [m] on the ground, n >= 1; those of a jump are its run-up and run-out.
        speed: [m/s], > 0: how fast one goes on level ground.
        leap: of a jump.
    """

    kind: Kind
    skill: Capability
    points: Floats
    speed: float
    leap: Leap | None = None

    @classmethod
    def jump(cls, skill: Capability, leap: Leap) -> Piece:
        """A jump."""
        points = np.concatenate([leap.run_up, leap.run_out])
        return cls(Kind.JUMP, skill, points, skill.max_speed, leap)

    def joined(self, other: Piece) -> Piece | None:
        """The two as one piece, if they are the same thing."""
        if self.leap or other.leap or self.kind is not other.kind or self.skill != other.skill:
            return None
        points = np.concatenate([self.points, other.points[1:]])
        return Piece(self.kind, self.skill, points, self.speed)


class Way:
    """Pieces, each from where the last one ended.

    Args:
        pieces: in order; those that are the same thing are joined.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        joined: list[Piece] = []
        for piece in pieces:
            if len(piece.points) < 2 or Route.through(piece.points).length < 1e-9:
                continue
            both = joined[-1].joined(piece) if joined else None
            if both is None:
                joined.append(piece)
            else:
                joined[-1] = both
        self.pieces = tuple(joined)
        self.routes = tuple(Route.through(piece.points) for piece in joined)
        self.starts = np.concatenate([[0.0], np.cumsum([route.length for route in self.routes])])
        parts = [route.points[1:] for route in self.routes]
        first = [self.routes[0].points[:1]] if joined else [np.zeros((1, 3))]
        self.line = Route.through(np.concatenate([*first, *parts]))

    @property
    def length(self) -> float:
        """[m]."""
        return float(self.starts[-1])

    def piece_at(self, length: float) -> int:
        """Which piece is at a length [m]; the earlier one where two meet."""
        index = int(np.searchsorted(self.starts, length, side="left")) - 1
        return min(max(index, 0), len(self.pieces) - 1)

    def standing(self, length: float) -> float:
        """The last place at or before a length [m] where one can stop: not in a jump."""
        index = self.piece_at(length)
        return float(self.starts[index]) if self.pieces[index].leap is not None else length
