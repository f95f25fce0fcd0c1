"""What is said of a saved world."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class SaveReport:
    """How exactly a file holds a world.

    Attributes:
        path: The file.
        position_error: How far a point of a body may be from where it is in the world, measured
            at and between all keys [m].
        time_error: How much earlier or later it may be there [s].
        sampled: Names of the bodies whose motion no file can hold, so that it was sampled.
        lost_triangles: How many triangles have no area in single precision.
    """

    path: Path
    position_error: float = 0.0
    time_error: float = 0.0
    sampled: tuple[str, ...] = ()
    lost_triangles: int = 0

    def __str__(self) -> str:
        if not (self.position_error or self.time_error or self.lost_triangles):
            return f"{self.path}: exact"
        lines = [
            f"{self.path}: points within {1e3 * self.position_error:.4f} mm, "
            f"moments within {1e3 * self.time_error:.4f} ms",
            *(f"sampled the motion of {name!r}" for name in self.sampled),
        ]
        if self.lost_triangles:
            lines.append(f"{self.lost_triangles} triangles have no area in single precision")
        return "\n  ".join(lines)
