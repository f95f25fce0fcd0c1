"""Places: positions that ride on bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot import arrays, schema
from surefoot.arrays import Floats
from surefoot.errors import PlaceError


@schema.record("place")
@dataclass(frozen=True, eq=False)
class Place:
    """A position in a body's frame, so that it moves with the body.

    Attributes:
        body: the body's name; none: the world's own frame.
        position: `(3,)` in that frame [m].
    """

    body: str | None
    position: Floats

    def __post_init__(self) -> None:
        if self.body is not None and not isinstance(self.body, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise PlaceError(f"a place's body must be a name or None, got {self.body!r}")
        object.__setattr__(
            self, "position", arrays.position(self.position, "position", error=PlaceError)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Place):
            return NotImplemented
        return self.body == other.body and np.array_equal(self.position, other.position)

    def __hash__(self) -> int:
        return hash((self.body, self.position.tobytes()))

    def __str__(self) -> str:
        x, y, z = self.position
        where = f"({x:.2f}, {y:.2f}, {z:.2f})"
        return where if self.body is None else f"{where} on {self.body}"
