"""What the readers of mesh files hand on: surfaces and their bodies, before a world is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from surefoot.arrays import Floats, Ints

if TYPE_CHECKING:
    from surefoot.world.trajectory import Trajectory

Color: TypeAlias = tuple[float, float, float]
Tag: TypeAlias = bool | int | float | str


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles of one mesh; bodies that share the object share the mesh.

    Attributes:
        vertices: `(n, 3)`.
        faces: `(m, 3)` vertex indices, counter-clockwise seen from outside.
        name: Of the mesh; None: that of the first body with it.
    """

    vertices: Floats
    faces: Ints
    name: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class BodyParts:
    """What a body is made of; without a trajectory it rests where the file puts it."""

    name: str
    surface: Surface
    trajectory: Trajectory | None = None
    tags: Mapping[str, Tag] = field(default_factory=dict[str, Tag])
    color: Color | None = None
    solid: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaceParts:
    """A named place as the file has it, before the floor below it was looked for.

    Attributes:
        name: Unique among the places of the file.
        body: The body that it moves with; None: the world's own frame.
        position: `(3,)` in that frame [m].
        surfaces: Names of the bodies whose floors it may be put down on; None: of all.
        exact: Whether it is where it is meant to be, and needs no floor.
    """

    name: str
    body: str | None
    position: Floats
    surfaces: tuple[str, ...] | None
    exact: bool


@dataclass(frozen=True)
class Skipped:
    """Something in a file that is not in the world.

    Attributes:
        kind: `skinned mesh`, `lines`, `camera`, ...
        name: What the file calls it.
        reason: Why, in a few words.
    """

    kind: str
    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name!r}: {self.reason}"


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What a file holds for a world.

    Attributes:
        bodies: In the file's order.
        skipped: What is not in the world.
        places: In the file's order.
        animations: The names of all there are.
        name: Of the world; None: the file's.
    """

    bodies: list[BodyParts]
    skipped: list[Skipped]
    places: Sequence[PlaceParts] = ()
    animations: tuple[str, ...] = ()
    name: str | None = None


def unique_names(names: Iterable[str]) -> list[str]:
    """The names, those that come again suffixed: `chair`, `chair.001`, `chair.002`."""
    names = list(names)
    taken = set(names)
    count: Counter[str] = Counter()
    result: list[str] = []
    for name in names:
        chosen = name
        if count[name]:
            # A suffixed name may be there already, as the name of another body.
            while chosen in taken:
                chosen = f"{name}.{count[name]:03d}"
                count[name] += 1
            taken.add(chosen)
        else:
            count[name] = 1
        result.append(chosen)
    return result


def compact(vertices: Floats, faces: Ints, name: str | None = None) -> Surface:
    """The surface of `faces` with only the vertices that they use; nothing is welded."""
    used, corners = np.unique(faces, return_inverse=True)
    return Surface(vertices[used], corners.reshape(-1, 3).astype(np.int32), name)


def linear_color(srgb: Floats) -> Color:
    """The mean of sRGB colours `(n, 3)` from 0 to 1, in linear rgb."""
    value = np.clip(srgb, 0.0, 1.0)
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    red, green, blue = linear.mean(axis=0).tolist()
    return red, green, blue
