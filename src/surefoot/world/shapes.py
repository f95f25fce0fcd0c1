"""The space a character takes up, and what it needs to stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from surefoot import arrays
from surefoot.errors import InputError


@dataclass(frozen=True)
class Cylinder:
    """An upright cylinder over a foot position.

    Attributes:
        radius: [m], > 0.
        height: [m], > 0.
        step: surfaces lower than this above the foot are stepped on, not bumped into
            [m], >= 0 and < height.
    """

    radius: float
    height: float
    step: float = 0.0

    def __post_init__(self) -> None:
        arrays.length(self.radius, "cylinder radius", above=0)
        arrays.length(self.height, "cylinder height", above=0)
        arrays.length(self.step, "cylinder step", at_least=0)
        if self.step >= self.height:
            raise InputError(
                f"cylinder step ({self.step:g}) must be below height ({self.height:g})"
            )


@dataclass(frozen=True)
class Capsule(Cylinder):
    """A cylinder with round ends, `height` over all; `step` lifts its lower end."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if 2 * self.radius > self.height - self.step:
            raise InputError(
                f"a capsule of height {self.height:g} and step {self.step:g} holds a radius of at "
                f"most {(self.height - self.step) / 2:g}, got {self.radius:g}"
            )


@dataclass(frozen=True)
class Foot:
    """The sole as a rectangle.

    Attributes:
        length: along the heading [m], > 0.
        width: [m], > 0.
        gap: surface this little below the highest point under the sole still holds it [m], > 0.
    """

    length: float
    width: float
    gap: float = 0.03

    def __post_init__(self) -> None:
        arrays.length(self.length, "foot length", above=0)
        arrays.length(self.width, "foot width", above=0)
        arrays.length(self.gap, "foot gap", above=0)


class Standing(Protocol):
    """What safe intervals are asked for: how big one is and what one can stand on."""

    @property
    def radius(self) -> float:
        """[m]."""
        ...

    @property
    def height(self) -> float:
        """[m]."""
        ...

    @property
    def step_height(self) -> float:
        """[m]."""
        ...

    @property
    def max_slope(self) -> float:
        """[rad]."""
        ...
