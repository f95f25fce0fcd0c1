"""Rigid bodies: what worlds are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from surefoot import schema
from surefoot.arrays import number, vector
from surefoot.errors import WorldError
from surefoot.world.mesh import Mesh
from surefoot.world.trajectory import Static, Trajectory

Tag = bool | int | float | str


@schema.record("body")
@dataclass(frozen=True, kw_only=True, eq=False)
class Body:
    """A rigid mesh that moves along a trajectory.

    Attributes:
        name: unique in its world.
        mesh: in the body's own frame.
        trajectory: where that frame is, at any time.
        tags: what the body means: `{"forbidden": True, "road": True, "cost": 2.0}`.
        solid: whether closed parts that face outward block their inside; off for shells whose
            inside can be entered.
        color: linear red, green, blue, 0 to 1, for pictures and files.
    """

    name: str
    mesh: Mesh
    trajectory: Trajectory = field(default_factory=Static)
    tags: Mapping[str, Tag] = field(default_factory=lambda: MappingProxyType({}))
    solid: bool = True
    color: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise WorldError(f"a body's name must be text that is not empty, got {self.name!r}")
        for name, kind in (("mesh", Mesh), ("trajectory", Trajectory)):
            if not isinstance(getattr(self, name), kind):
                raise WorldError(
                    f"body {self.name!r}: {name} must be a {kind.__name__}, "
                    f"got {getattr(self, name)!r}"
                )
        if not isinstance(self.solid, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise WorldError(f"body {self.name!r}: solid must be True or False, got {self.solid!r}")
        if not isinstance(self.tags, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise WorldError(f"body {self.name!r}: tags must be a mapping, got {self.tags!r}")
        for tag, value in self.tags.items():
            if not isinstance(value, bool | int | float | str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise WorldError(
                    f"body {self.name!r}: tag {tag!r} must be true or false, a number or text, "
                    f"got {value!r}"
                )
        object.__setattr__(self, "tags", MappingProxyType(dict(self.tags)))
        if self.color is not None:
            label = f"body {self.name!r}: color"
            color = vector(self.color, f"{label} (red, green, blue)", error=WorldError)
            shares = tuple(number(c, label, at_least=0, at_most=1) for c in color.tolist())
            object.__setattr__(self, "color", shares)

    def moved(self, trajectory: Trajectory) -> Body:
        """The same body on another trajectory."""
        return replace(self, trajectory=trajectory)

    def tagged(self, **tags: Tag) -> Body:
        """The same body with more tags."""
        return replace(self, tags={**self.tags, **tags})

    def has(self, tag: str) -> bool:
        """Whether the tag is there and not false or zero."""
        return bool(self.tags.get(tag, False))

    def _key(self) -> tuple[Any, ...]:
        mesh = (self.mesh.vertices.tobytes(), self.mesh.faces.tobytes(), self.mesh.name)
        return (self.name, mesh, self.trajectory, dict(self.tags), self.solid, self.color)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Body) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, self.trajectory))
