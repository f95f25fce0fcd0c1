"""Places and goals in words: world coordinates first, then the body that they are on.

Coordinates in the frame of a body that moves say little to whoever reads them. A body is placed
in the world by the world itself, or by what a plan assumed about it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol, TypeAlias

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Capability
from surefoot.planning import standing
from surefoot.planning.assumptions import Assumption
from surefoot.planning.goals import AllOf, AnyGoal, AnyOf, Goal
from surefoot.world import Place, World


class Known(Protocol):
    """What places are looked up in."""

    def point(self, place: Place, t: float) -> Floats | None:
        """`(3,)` [m]: a place in the world at `t` [s]; None where its body is unknown."""
        ...

    def moves(self, body: str | None) -> bool:
        """Whether a body ever moves; None is the world itself."""
        ...


class Assumed:
    """Bodies as a plan took them to be."""

    def __init__(self, assumptions: Iterable[Assumption]) -> None:
        self._known = {known.body: known for known in assumptions}

    def point(self, place: Place, t: float) -> Floats | None:
        """See `Known`."""
        if place.body is None:
            return place.position
        known = self._known.get(place.body)
        return None if known is None else known.point(place.position, t)

    def moves(self, body: str | None) -> bool:
        """See `Known`; a body that nothing is known about may."""
        if body is None:
            return False
        known = self._known.get(body)
        return known is None or known.moves


class InWorld:
    """Bodies as they are in a world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def point(self, place: Place, t: float) -> Floats | None:
        """See `Known`."""
        if place.body is not None and place.body not in self._world:
            return None
        return self._world.position(place, t)

    def moves(self, body: str | None) -> bool:
        """See `Known`."""
        return body is not None and body in self._world and self._world[body].trajectory.moving


AnyKnown: TypeAlias = Known | World


def coordinates(point: Floats) -> str:
    """A point `(3,)` [m], to the centimetre."""
    # No minus in front of what is rounded to nothing.
    x, y, z = np.round(point, 2) + 0.0
    return f"({x:.2f}, {y:.2f}, {z:.2f})"


def place(place: Place, known: AnyKnown, t: float, *, on: bool = True) -> str:
    """A place at `t` [s]: "(2.10, 0.50, 1.10) on train 2".

    Args:
        place: that.
        known: where its body is.
        t: [s].
        on: whether to name its body. Where nothing is known about it, it is named all the same.
    """
    point = _known(known).point(place, t)
    if point is None:
        return f"{coordinates(place.position)} in the frame of {place.body}"
    return f"{coordinates(point)} on {place.body}" if on and place.body else coordinates(point)


def goal(goal: AnyGoal, known: AnyKnown, t: float, *, at: bool = False) -> str:
    """A goal as it is at `t` [s].

    Args:
        goal: that.
        known: where bodies are.
        t: [s], such as the time of arrival.
        at: whether to add the time where the goal moves.
    """
    if isinstance(goal, Goal):
        when = f" at {t:.2f} s" if at and _known(known).moves(goal.place.body) else ""
        return place(goal.place, known, t) + when
    if isinstance(goal, AnyOf):
        return " or ".join(_part(part, known, t, at) for part in goal.goals)
    if isinstance(goal, AllOf):
        both = ", then " if goal.ordered else " and "
        return both.join(_part(part, known, t, at) for part in goal.goals)
    return str(goal)


def instead(world: World, point: Floats, t: float, skills: Collection[Capability]) -> str:
    """The end of an error about a place: where one of `skills` could stand near `point`."""
    nearest = standing.nearest(world, point, t, skills)
    if nearest is None:
        return "; there is no place to stand nearby"
    return f"; the nearest place to stand is {place(nearest, world, t)}"


def _part(part: AnyGoal, known: AnyKnown, t: float, at: bool) -> str:
    return goal(part, known, t, at=at)


def _known(known: AnyKnown) -> Known:
    return InWorld(known) if isinstance(known, World) else known
