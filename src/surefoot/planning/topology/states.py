"""What a figure is about, how it flies, and what happened to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.capability import GRAVITY
from surefoot.world import Place


class State(StrEnum):
    """What a figure is about."""

    STANDS = "stands"
    STEPS = "steps over"
    FLIES = "flies"
    LIES = "lies"
    LOST = "lost"


@dataclass
class Airborne:
    """A time in the air: from where, when and how fast; and where to, for those who jump."""

    start: float
    origin: Floats
    launch: Floats
    take_off: Place
    target: str | None
    last: Floats

    def at(self, t: float) -> Floats:
        """`(3,)` [m] the feet at `t` [s]."""
        since = t - self.start
        fall = np.array([0.0, 0.0, -0.5 * GRAVITY * since * since])
        return self.origin + self.launch * since + fall

    def sinking(self, t: float) -> float:
        """[m/s] downward at `t` [s]."""
        return GRAVITY * (t - self.start) - float(self.launch[2])


@dataclass
class Counts:
    """What happened to a figure."""

    jumps: int = 0
    steps: int = 0
    falls: int = 0
    missed: int = 0
    struck: int = 0
    left_behind: int = 0
