"""Places as a caller gives them: a `Place`, a point, or the name of a place or a body.

`resolve_place` makes each of them a `Place` of a world. Problems, scenarios, crowds and commands
all call it, so that the same start or goal means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NoReturn, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from surefoot.arrays import ArrayLike, Floats, Vector
from surefoot.character import Capability
from surefoot.errors import PlaceError, ProblemError, one_of
from surefoot.planning.frames import to_world
from surefoot.planning.standing import can_stand
from surefoot.world import Place, World

PlaceLike: TypeAlias = Place | Vector | str
"""A place; a point in the world [m], dropped onto the surface at most 2 m below; or the name of a
place of the world or of a body."""

_COLUMNS = 41
"""Columns along each side of a body at which its top is looked at; twice as many halve the least
patch of the top that is found, and take four times as long."""


class Unresolved:
    """A point or a name that becomes a `Place` once the world is known: in a `Problem`.

    Attributes:
        given: three numbers [m], or a name.
    """

    def __init__(self, given: tuple[float, ...] | str) -> None:
        self.given = given

    @property
    def body(self) -> NoReturn:
        """Raises: the body is unknown without the world."""
        self._refuse()

    @property
    def position(self) -> NoReturn:
        """Raises: the position is unknown without the world."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ProblemError(
            f"goal {self} is a point or a name, which needs a world: pass it to sf.Problem, or"
            " give a Place"
        )

    def __str__(self) -> str:
        if isinstance(self.given, str):
            return repr(self.given)
        return f"({', '.join(f'{x:g}' for x in self.given)})"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return self.given == other.given if isinstance(other, Unresolved) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.given)


def read_place(given: Any, field: str) -> Place | Unresolved:
    """What was given for a field, looked at as far as it can be without a world."""
    if isinstance(given, Place | Unresolved):
        return given
    if isinstance(given, str) and given:
        return Unresolved(given)
    point = _point(given)
    if point is None:
        raise ProblemError(
            f"{field}: expected a Place, a point of three numbers [m], or the name of a place or"
            f" a body, got {_shown(given)}"
        )
    return Unresolved(point)


def resolve_place(
    given: Any, world: World, times: Iterable[float], skills: Collection[Capability], field: str
) -> Place:
    """The place in `world` that was given for a field.

    Args:
        given: `PlaceLike`; anything else is a `ProblemError` that names the field.
        world: the one it is a place of.
        times: [s], at least one. A point is dropped at the first; on a body, a place to stand is
            looked for at each in turn.
        skills: of the character that is to stand there.
        field: what errors call it, such as "start".
    """
    place = read_place(given, field)
    try:
        if isinstance(place, Place):
            if place.body is not None and place.body not in world:
                raise ProblemError(one_of("body", place.body, world.bodies))
            return place
        if isinstance(place.given, str):
            return named_place(place.given, world, times, skills)
        return world.place(place.given, next(iter(times)))
    except (PlaceError, ProblemError) as reason:
        raise ProblemError(f"{field}: {reason}") from reason


def named_place(
    name: str, world: World, times: Iterable[float], skills: Collection[Capability]
) -> Place:
    """The place of a world called `name`; else the one on top of the body of that name.

    On a body it is the one nearest to the centre of its top where one of `skills` can stand at
    one of `times` [s], looked for at each in turn.
    """
    if name in world.places:
        return world.places[name]
    if name not in world:
        raise ProblemError(one_of("place or body", name, [*world.places, *world.bodies]))
    for t in times:
        spots = _top(name, world, t)
        for skill in skills:
            good = can_stand(world, spots, t, skill)
            if good.any():
                return world.attach(spots[int(np.argmax(good))], name, t)
    raise ProblemError(f"on top of body {name!r} there is no room to stand")


def _top(name: str, world: World, t: float) -> Floats:
    """`(n, 3)` points on the highest surface of a body at `t` [s], those near its centre first."""
    body = world[name]
    vertices = body.mesh.vertices
    corners = to_world(world, name, vertices, np.full(len(vertices), t))
    low, high = corners.min(axis=0), corners.max(axis=0)
    shares = np.linspace(0.0, 1.0, _COLUMNS)
    at = np.array([(x, y, 1.0) for x in shares for y in shares])
    above: Floats = low + at * (high - low)
    away = np.linalg.norm((above - (low + high) / 2)[:, :2], axis=1)
    above = above[np.argsort(away, kind="stable")]
    alone = World([body])
    # Rounding may put the top of the box below the surface.
    found = alone.support(above, t, up=1e-3, down=float(high[2] - low[2]) + 1e-3)
    return np.column_stack([above[:, :2], found.height])[found.hit]


def _point(given: Any) -> tuple[float, ...] | None:
    """Three finite numbers; None for anything else."""
    if not isinstance(given, list | tuple | np.ndarray):
        return None
    try:
        numbers: npt.NDArray[Any] = np.asarray(cast("ArrayLike", given))
    except ValueError:  # lists of unequal lengths
        return None
    if numbers.dtype.kind not in "iuf" or numbers.shape != (3,) or not np.isfinite(numbers).all():
        return None
    return tuple(float(x) for x in numbers)


def _shown(given: Any) -> str:
    text = " ".join(repr(given).split())
    return text if len(text) <= 80 else text[:77] + "..."
