"""Targets of pursuits: who or what is pursued, as it is seen at a moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, cast

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats, Vector
from surefoot.errors import InputError, one_of
from surefoot.world import Place, World

STEP = 0.1
"""[s] over which the speed of a target is seen."""

ABOVE, BELOW = 0.6, 2.5
"""[m] around a target in which the surface is looked for that carries it."""


@dataclass(frozen=True, eq=False)
class Sighting:
    """What is known of a target at a moment.

    Attributes:
        t: [s].
        point: `(3,)` [m] in the world.
        velocity: `(3,)` [m/s] in the world.
        ground: what carries it, or is below it; None where nothing is.
    """

    t: float
    point: Floats
    velocity: Floats
    ground: Place | None

    def ahead(self, world: World, lead: float) -> Place | None:
        """Where it will be, on what carries it, going on as it does for `lead` [s].

        Only as far as that has ground there; None where it has none at all.
        """
        if self.ground is None:
            return None
        body = self.ground.body
        carried = np.zeros(3)
        if body is not None:
            carried = world.velocity(body, self.point[None], self.t)[0]
        shift = (self.velocity - carried) * np.array([1.0, 1.0, 0.0])
        for share in (1.0, 0.5):
            point = self.point + shift * lead * share
            found = world.support(point, self.t, up=ABOVE, down=ABOVE)
            if found.hit and (body is None or world.names[int(found.body)] == body):
                point[2] = float(found.height)
                return world.attach(point, body, self.t)
        return self.ground


class Target(Protocol):
    """Who or what is pursued. Nothing about its future is asked."""

    def point(self, t: float) -> Floats:
        """`(3,)` [m]: where it is at `t` [s], in the world; the present or the past."""
        ...


def sight(target: Target, world: World, t: float) -> Sighting:
    """A target as it is seen at `t` [s]."""
    now, before = target.point(t), target.point(t - STEP)
    return Sighting(t, now, (now - before) / STEP, ground_below(world, now, t))


def ground_below(world: World, point: Floats, t: float) -> Place | None:
    """The surface that carries a point `(3,)` [m]; None over nothing."""
    found = world.support(point, t, up=ABOVE, down=BELOW)
    if not found.hit:
        return None
    name = world.names[int(found.body)]
    spot = np.array([point[0], point[1], float(found.height)])
    return world.attach(spot, name if world[name].trajectory.moving else None, t)


@dataclass(frozen=True)
class Watched:
    """A body of a world, such as one that is only observed.

    Attributes:
        world: whose body; the live one.
        name: of the body.
    """

    world: World
    name: str

    def point(self, t: float) -> Floats:
        """`(3,)` [m]: its frame's origin."""
        return self.world[self.name].trajectory.pose(t).position


@dataclass(frozen=True)
class Moving:
    """A function of time."""

    function: Callable[[float], Vector]

    def point(self, t: float) -> Floats:
        """`(3,)` [m]."""
        return arrays.position(self.function(t), "target")


AnyTarget: TypeAlias = Target | str | Callable[[float], Vector]
"""Whatever can be pursued: an object with `point(t)`, a body's name, a function of time."""


def as_target(target: AnyTarget, world: World) -> Target:
    """A target of whatever was given."""
    given: Any = target
    if isinstance(given, str):
        if given not in world:
            raise InputError(f"target: {one_of('body', given, world.bodies)}")
        return Watched(world, given)
    if hasattr(given, "point"):
        return given
    if callable(given):
        return Moving(cast("Callable[[float], Vector]", given))
    raise InputError(
        "a target is a Runner, a body's name, a function of time or an object with point(t),"
        f" got {given!r}"
    )
