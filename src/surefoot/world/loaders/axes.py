"""From a file's axes and unit to Z up and metres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from surefoot.arrays import Floats
from surefoot.gltf import axes

Up: TypeAlias = Literal["y", "z"]


@dataclass(frozen=True)
class Axes:
    """Which axis of a file is up, and how many metres its unit has."""

    up: Up
    unit: float

    def vectors(self, vectors: Floats) -> Floats:
        """Positions and shifts `(..., 3)` of the file, in metres, Z up."""
        return (axes.z_up(vectors) if self.up == "y" else vectors) * self.unit

    def rotations(self, quaternions: Floats) -> Floats:
        """Rotations `(..., 4)` wxyz of the file, between Z-up frames."""
        return axes.z_up_rotations(quaternions) if self.up == "y" else quaternions

    def scales(self, scales: Floats) -> Floats:
        """Scales `(..., 3)` of the file, along Z-up axes."""
        return axes.swapped_scales(scales) if self.up == "y" else scales
