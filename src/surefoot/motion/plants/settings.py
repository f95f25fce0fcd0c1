"""What counts as a foot on the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from surefoot.arrays import number
from surefoot.errors import InputError, one_of

FLOORS = ("auto", "still", "moving")


@dataclass(frozen=True, kw_only=True)
class PlantSettings:
    """What counts as a foot on the ground.

    Speeds of walkers, runners and creepers differ by a factor of thirty, so limits are shares of
    the highest speed of the foot nearby. The shares were chosen on walks of our own gait model
    under noise and skate, on force plates and on motion capture; see `docs/clips.md`.

    Attributes:
        landing: `(0, 1)`: below this share of its highest speed within half a second a heel or
            toe has landed.
        lifting: `(0, 1)`: up to this share it has not lifted yet. None: 0.10 where the tips of
            the toes are seen, 0.135 where only the balls are, which move before the tips leave the
            ground.
        still: [m/s], > 0: what is slower is at rest, however slow the clip is. For legs of 0.9 m;
            for others by the square root of their length, as all speeds of legs go.
        band: [m], > 0: how far a still foot may be above the ground next to it and still be on
            it; for legs of 0.9 m, for others in proportion.
        shortest_plant: [s], >= 0: what is shorter is no plant. Sprinters touch for 0.09 s.
        shortest_swing: [s], >= 0: what is shorter is no swing.
        floor: "still", "moving" (a treadmill, or a clip played on the spot), or "auto": by how
            the feet move.
    """

    landing: float = 0.11
    lifting: float | None = None
    still: float = 0.12
    band: float = 0.05
    shortest_plant: float = 0.06
    shortest_swing: float = 0.08
    floor: Literal["auto", "still", "moving"] = "auto"

    def __post_init__(self) -> None:
        number(self.landing, "landing", above=0.0, at_most=1.0)
        if self.lifting is not None:
            number(self.lifting, "lifting", above=0.0, at_most=1.0)
        for name in ("still", "band"):
            number(getattr(self, name), name, above=0.0)
        for name in ("shortest_plant", "shortest_swing"):
            number(getattr(self, name), name, at_least=0.0)
        if self.floor not in FLOORS:
            raise InputError(one_of("floor", self.floor, FLOORS))
