"""Flights: times in the air between two places, on the same body or on two that move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats
from surefoot.character.capability import GRAVITY
from surefoot.errors import InputError
from surefoot.world import Place, World


@dataclass(frozen=True, kw_only=True)
class Flight:
    """A time in the air: a parabola from take-off to landing, both fixed in place and time.

    Attributes:
        take_off: where the feet leave the ground.
        landing: where they meet it again, maybe on another body.
        start: [s]
        end: [s], > start.
    """

    take_off: Place
    landing: Place
    start: float
    end: float

    def __post_init__(self) -> None:
        start = arrays.time(self.start, "flight start")
        end = arrays.time(self.end, "flight end")
        if not end > start:
            raise InputError(f"a flight must end after it starts, got {start:g} s to {end:g} s")

    def launch(self, world: World) -> Floats:
        """`(3,)` [m/s]: the velocity at take-off, in world coordinates."""
        airborne = self.end - self.start
        shift = world.position(self.landing, self.end) - world.position(self.take_off, self.start)
        return shift / airborne + np.array([0.0, 0.0, 0.5 * GRAVITY * airborne])

    def positions(self, world: World, times: Floats) -> Floats:
        """`(n, 3)` [m]: the feet at `times` `(n,)` [s], in world coordinates."""
        since = np.asarray(times, dtype=np.float64)[..., None] - self.start
        fall = np.array([0.0, 0.0, -0.5 * GRAVITY]) * since**2
        return world.position(self.take_off, self.start) + self.launch(world) * since + fall
