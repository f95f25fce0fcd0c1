"""What somebody did, frame by frame, as segments of a plan."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.flight import Flight
from surefoot.planning.frames import turn_between
from surefoot.planning.segments import Kind, Segment, Timing

BEND, TURN = 0.002, 0.03
"""[m], [rad] By which a path may leave what was done, where points are left out."""


@dataclass
class _Piece:
    kind: Kind
    frame: str | None
    capability: str
    because: str = ""
    flights: tuple[Flight, ...] = ()
    times: list[float] = field(default_factory=list[float])
    positions: list[Floats] = field(default_factory=list[Floats])
    headings: list[float] = field(default_factory=list[float])

    def add(self, t: float, position: Floats, heading: float) -> None:
        if self.times and t <= self.times[-1]:
            self.positions[-1], self.headings[-1] = position, heading
            return
        self.times.append(t)
        self.positions.append(np.array(position))
        self.headings.append(heading)

    def segment(self) -> Segment | None:
        if len(self.times) < 2:
            return None
        times, points = np.array(self.times), np.array(self.positions)
        headings = self.headings[0] + np.concatenate(
            [[0.0], np.cumsum(turn_between(self.headings[:-1], self.headings[1:]))]
        )
        keep = _thinned(times, np.column_stack([points / BEND, headings / TURN]))
        return Segment(
            kind=self.kind, capability=self.capability, times=times[keep],
            positions=points[keep], headings=headings[keep], frame=self.frame,
            flights=self.flights, because=self.because,
            timing=Timing.FIXED, cost=float(times[-1] - times[0]),
        )  # fmt: skip


class Trace:
    """The record of one traveller; `begin` ends what was done before."""

    def __init__(self) -> None:
        self._done: list[Segment] = []
        self._piece: _Piece | None = None

    @property
    def doing(self) -> tuple[Kind, str | None, str] | None:
        """What is done now: its kind, frame and capability."""
        piece = self._piece
        return None if piece is None else (piece.kind, piece.frame, piece.capability)

    def begin(
        self, kind: Kind, frame: str | None, capability: str, *, because: str = "",
        flights: tuple[Flight, ...] = (),
    ) -> None:  # fmt: skip
        """Something else is done from now on."""
        self._close()
        self._piece = _Piece(kind, frame, capability, because, flights)

    def add(self, t: float, position: Floats, heading: float) -> None:
        """Where somebody is at `t` [s], in the frame of what is done."""
        assert self._piece is not None
        self._piece.add(t, position, heading)

    def flew(self, flight: Flight) -> None:
        """The flight under way has ended, so that all of it is known."""
        assert self._piece is not None
        self._piece.flights = (flight,)

    def _close(self) -> None:
        segment = None if self._piece is None else self._piece.segment()
        if segment is not None:
            self._done.append(segment)
        self._piece = None

    def segments(self) -> tuple[Segment, ...]:
        """All that was done until now."""
        now = None if self._piece is None else self._piece.segment()
        return (*self._done, *([] if now is None else [now]))


def _thinned(times: Floats, values: Floats) -> list[int]:
    """Indices of points between which straight lines leave the others by less than 1."""
    keep, first = [0], 0
    low = np.full(values.shape[1], -np.inf)
    high = np.full(values.shape[1], np.inf)
    for i in range(1, len(times)):
        dt = times[i] - times[first]
        slope = (values[i] - values[first]) / dt
        if (slope < low).any() or (slope > high).any():
            # The last one that could be reached in a straight line.
            first = i - 1
            keep.append(first)
            dt = times[i] - times[first]
            low = (values[i] - values[first] - 1.0) / dt
            high = (values[i] - values[first] + 1.0) / dt
            continue
        low = np.maximum(low, (values[i] - values[first] - 1.0) / dt)
        high = np.minimum(high, (values[i] - values[first] + 1.0) / dt)
    keep.append(len(times) - 1)
    return sorted(set(keep))
