"""Rollouts: what a controller does from a configuration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.control.configuration import Configuration
from surefoot.control.repertoire import Repertoire
from surefoot.control.task import Obstacle
from surefoot.errors import InputError
from surefoot.world import Place, World

Ending = Literal["reached", "late", "stuck", "collided", "unsupported"]
ENDINGS: tuple[Ending, ...] = ("reached", "late", "stuck", "collided", "unsupported")

_MOMENT = 1e-9


@dataclass(frozen=True, eq=False)
class Piece:
    """An action, or a part of one, on one body.

    Attributes:
        action: of the repertoire.
        begin: [s] since the action's start.
        end: [s] since the action's start.
        start: [s] when it begins.
        place: where the action starts, on what carries the character now.
        heading: [rad] there.
        drift: `(3,)` [m/s]: in the air, the speed that the take-off's ground gave it.
    """

    action: int
    begin: float
    end: float
    start: float
    place: Place
    heading: float
    drift: Floats

    @property
    def until(self) -> float:
        """[s] when it ends."""
        return self.start + self.end - self.begin


@dataclass(frozen=True, eq=False)
class Rollout:
    """What a controller does; true when it reaches its target.

    Attributes:
        native: as the native core has it.
        world: where; None on endless level ground.
        repertoire: whose actions.
        start: [s] when it begins.
        controller: as the native core has it.
        until: [s] when it is broken off; None where it is done to its end.
    """

    native: _native.Rollout
    world: World | None
    repertoire: Repertoire
    start: float
    controller: _native.Controller
    until: float | None = None

    def __bool__(self) -> bool:
        return self.until is not None or self.ending == "reached"

    def broken_off(self, t: float) -> Rollout:
        """The same up to a moment: whoever goes on from there ends what is under way first.

        Args:
            t: [s] after its start and before its end; nobody breaks off in the air.
        """
        if not self.start < t < self.native.time:
            raise InputError(
                f"a rollout from {self.start:.2f} s to {self.native.time:.2f} s cannot be broken"
                f" off at {t:.2f} s"
            )
        cut = replace(self, until=t)
        if cut.pieces[-1].drift.any():
            raise InputError(f"a rollout cannot be broken off at {t:.2f} s: nothing carries it")
        return cut

    @property
    def ending(self) -> Ending:
        """How it ends."""
        return ENDINGS[self.native.ending]

    @property
    def end(self) -> float:
        """[s] when."""
        return self.native.time if self.until is None else self.until

    @property
    def duration(self) -> float:
        """[s]."""
        return self.end - self.start

    @property
    def last(self) -> Configuration:
        """The configuration at the end."""
        if self.until is None:
            return Configuration.unpacked(self.native.last, self.world)
        piece = self.pieces[-1]
        place, heading = ended(self.repertoire, piece)
        return Configuration(place=place, heading=heading, action=piece.action, into=piece.end)

    @property
    def failure(self) -> Floats:
        """`(3,)` [m] in the world: where it collides, or a foot finds no ground."""
        return np.array(self.native.failure)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """What is played, one after the other."""
        found: list[Piece] = []
        for row in self.native.pieces:
            if self.until is not None:
                if row[3] > self.until - _MOMENT:
                    break
                row = row.copy()
                row[2] = min(row[2], row[1] + self.until - row[3])
            frame = int(row[4])
            body = self.world.names[frame] if self.world is not None and frame >= 0 else None
            found.append(
                Piece(
                    int(row[0]), float(row[1]), float(row[2]), float(row[3]),
                    Place(body, row[5:8]), float(row[8]), row[9:12],
                )
            )  # fmt: skip
        return tuple(found)

    @property
    def clips(self) -> tuple[str, ...]:
        """The names of the clips that are played, one for each action."""
        names: list[str] = []
        for piece in self.pieces:
            if piece.begin == 0.0 or not names:
                names.append(self.repertoire.move(piece.action).clip)
        return tuple(names)

    def path(self, rate: float = 30.0) -> tuple[Floats, Floats]:
        """Times `(n,)` [s], and x, y, z [m] and heading [rad] of the body in the world `(n, 4)`."""
        native = None if self.world is None else self.world.native
        times, points = self.controller.traced(native, self.native, rate)
        played = times <= self.end + _MOMENT
        return times[played], points[played]


def ended(repertoire: Repertoire, piece: Piece) -> tuple[Place, float]:
    """Where the body is at the end of a piece, on what carries it, and its heading there."""
    row = repertoire.native.at(piece.action, piece.end)
    c, s = np.cos(piece.heading), np.sin(piece.heading)
    x, y, z = piece.place.position
    at = np.array([x + c * row[0] - s * row[1], y + s * row[0] + c * row[1], z + row[2]])
    at += piece.drift * (piece.until - piece.start)
    return Place(piece.place.body, at), piece.heading + row[3]


@dataclass(frozen=True, eq=False)
class Adapted:
    """A controller adapted to the geometry about it; true when it reaches its target.

    Attributes:
        rollout: the last one that was tried.
        obstacle: the last fit, in the frame of what carries the character at the start; None where
            there is none.
        samples: `(n, 3)` [m]: where it failed, in that frame, each at its own time.
        attempts: how many rollouts were tried.
    """

    rollout: Rollout
    obstacle: Obstacle | None
    samples: Floats
    attempts: int

    def __bool__(self) -> bool:
        return bool(self.rollout)

    @property
    def why(self) -> str:
        """How it ended, in words."""
        if self.rollout:
            return f"reached after {self.attempts} attempts"
        if self.obstacle is None:
            return f"{len(self.samples)} failures do not fit the controller's obstacle"
        return f"{self.rollout.ending} in attempt {self.attempts}"
