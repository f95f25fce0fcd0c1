"""Plants: what was found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import ArrayLike, Bools, Floats, frozen
from surefoot.motion.footholds import SIDES, Side


@dataclass(frozen=True, eq=False)
class Plant:
    """One foot on the ground.

    Attributes:
        foot: "left" or "right".
        start: [s] when it lands; where the recording starts with it on the ground, that time.
        end: [s] when it leaves; where the recording ends with it on the ground, that time.
        position: `(3,)` [m], the middle between heel and toe (or the ankle) while it is most
            still; z is how low its parts come. On a floor that moves, at the plant's middle.
        heading: [rad], heel to toe; None where only one part is known.
        confidence: 0 to 1: how still it is, and how much faster before and after.
        starts_before: the recording starts with it on the ground.
        ends_after: the recording ends with it on the ground.
    """

    foot: Side
    start: float
    end: float
    position: Floats
    heading: float | None
    confidence: float
    starts_before: bool
    ends_after: bool

    @property
    def duration(self) -> float:
        """[s]."""
        return self.end - self.start


class Plants:
    """Foot plants of a recording, in order of their start.

    Args:
        rows: `(k, 8)`: foot (0 left, 1 right), start, end, x, y, z, heading, confidence.
        count: moments of the recording.
        rate: [1/s] of the recording.
        floor_velocity: `(n, 2)` [m/s] of the floor; None where it rests.
    """

    def __init__(
        self, rows: Floats, count: int, rate: float, floor_velocity: Floats | None = None
    ) -> None:
        self._rows, self.count, self.rate = frozen(rows), count, rate
        self.floor_velocity = floor_velocity

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Plant]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> Plant:
        row = self._rows[index]
        heading = float(row[6])
        return Plant(
            foot=SIDES[int(row[0])],
            start=float(row[1]),
            end=float(row[2]),
            position=frozen(row[3:6]),
            heading=None if np.isnan(heading) else heading,
            confidence=float(row[7]),
            starts_before=bool(row[1] <= 0.0),
            ends_after=bool(row[2] >= self.duration),
        )

    def of(self, foot: Side) -> list[Plant]:
        """The plants of one foot."""
        return [plant for plant in self if plant.foot == foot]

    @property
    def duration(self) -> float:
        """[s] of the recording."""
        return (self.count - 1) / self.rate

    @property
    def rows(self) -> Floats:
        """`(k, 8)`: foot (0 left, 1 right), start, end, x, y, z, heading, confidence."""
        return self._rows

    def down(self, times: ArrayLike | None = None) -> Bools:
        """Which feet are on the ground `(n, 2)`, left and right.

        Args:
            times: `(n,)` [s]; the recording's own moments when not given.
        """
        at = np.arange(self.count) / self.rate if times is None else np.asarray(times)
        result = np.zeros((len(at), 2), dtype=np.bool_)
        for row in self._rows:
            result[:, int(row[0])] |= (at >= row[1]) & (at <= row[2])
        return result

    def carried(self) -> Floats:
        """How far the floor has moved `(n, 2)` [m] since the start; zeros where it rests."""
        moved = np.zeros((self.count, 2))
        if self.floor_velocity is not None:
            steps = (self.floor_velocity[1:] + self.floor_velocity[:-1]) / 2 / self.rate
            moved[1:] = np.cumsum(steps, axis=0)
        return moved
