"""States of simulated bodies, and what a step did to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, Ints

ENDINGS = ("time", "strike", "fell", "exploded", "stuck")
"""How a run can end: its time was over, a foot struck, it fell, its numbers ran away, no foot
struck for five steps' time."""

MEASURES = (
    "duration", "strikes", "flight", "effort", "tilt", "width", "peak", "touching", "light",
)  # fmt: skip
"""What is summed up while a body moves; see `Run`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class States:
    """Bodies at one moment.

    Attributes:
        positions: `(n, nq)` MuJoCo's positions: root position [m], its quaternion, then joints.
        velocities: `(n, nv)` MuJoCo's velocities.
        beats: `(n, 4)`: which foot stands (0 left, 1 right), [s] since the last foot strike, the
            heading [rad] then, and how far the stance foot carries the body, 1 to 0 in flight.
    """

    positions: Floats
    velocities: Floats
    beats: Floats

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, rows: slice | Ints | Bools | Sequence[int]) -> States:
        return States(
            positions=self.positions[rows],
            velocities=self.velocities[rows],
            beats=self.beats[rows],
        )

    def copy(self) -> States:
        """Arrays of their own."""
        return States(
            positions=np.array(self.positions, dtype=np.float64, order="C"),
            velocities=np.array(self.velocities, dtype=np.float64, order="C"),
            beats=np.array(self.beats, dtype=np.float64, order="C"),
        )

    def repeated(self, times: int) -> States:
        """Each of them several times."""
        return self[np.repeat(np.arange(len(self), dtype=np.int32), times)]

    @property
    def places(self) -> Floats:
        """`(n, 3)` [m] of the roots."""
        return self.positions[:, :3]

    @property
    def headings(self) -> Floats:
        """`(n,)` [rad] that the roots face."""
        w, x, y, z = self.positions[:, 3:7].T
        return np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def gathered(states: Sequence[States]) -> States:
    """Several sets as one."""
    return States(
        positions=np.concatenate([s.positions for s in states]),
        velocities=np.concatenate([s.velocities for s in states]),
        beats=np.concatenate([s.beats for s in states]),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    """What became of some bodies.

    Attributes:
        states: afterwards.
        endings: `(n,)` indices into ENDINGS.
        culprits: `(n,)` the degree of freedom that ran away, or -1.
        measures: `(n, 9)`: [s] simulated, foot strikes, [s] in flight, torques squared over time,
            [rad s] of tilt, [m] between the feet summed over strikes, [rad/s] of the fastest
            joint, [s] in contact with itself, [s] of flight and of near flight: how far the feet
            carry less than half the weight.
        frames: `(n, frames, nq)` recorded positions, when asked for.
    """

    states: States
    endings: Ints
    culprits: Ints
    measures: Floats
    frames: Floats

    def of(self, measure: str) -> Floats:
        """One of MEASURES, for each body."""
        return self.measures[:, MEASURES.index(measure)]

    def ended(self, how: str) -> Bools:
        """Which of them ended so."""
        return self.endings == ENDINGS.index(how)

    @property
    def standing(self) -> Bools:
        """Which of them neither fell, exploded nor got stuck."""
        return self.endings <= ENDINGS.index("strike")
