"""Settings of the grid planner."""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.arrays import number
from surefoot.errors import ProblemError


@dataclass(frozen=True, kw_only=True)
class GridSettings:
    """How finely the grid planner looks, and what it prefers.

    Attributes:
        cell: distance between neighbouring places [m], > 0.
        capability: the way of moving whose size and limits decide.
        speed: walking speed [m/s], > 0; the capability's own when not given.
        clearance: wish for this much more room around the body [m], >= 0; not a demand.
        shyness: how many times its length a metre without that room costs extra, >= 0.
        layers: surfaces above each other that are looked at in one column, >= 1.
        wait_step: how finely departures are tried when something moves in the way [s], > 0.
    """

    cell: float = 0.25
    capability: str = "walk"
    speed: float | None = None
    clearance: float = 0.2
    shyness: float = 1.5
    layers: int = 24
    wait_step: float = 0.1

    def __post_init__(self) -> None:
        number(self.cell, "grid cell", above=0, error=ProblemError)
        if self.speed is not None:
            number(self.speed, "grid speed", above=0, error=ProblemError)
        number(self.clearance, "grid clearance", at_least=0, error=ProblemError)
        number(self.shyness, "grid shyness", at_least=0, error=ProblemError)
        number(self.layers, "grid layers", at_least=1, error=ProblemError)
        number(self.wait_step, "grid wait_step", above=0, error=ProblemError)
