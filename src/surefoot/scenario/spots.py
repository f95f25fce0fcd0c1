"""Spots of a scenario: positions and named places, as starts and goals give them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from surefoot.character import Capability
from surefoot.errors import PlaceError, one_of
from surefoot.planning.frames import headings_to_frame
from surefoot.planning.places import named_place
from surefoot.scenario import kinds
from surefoot.scenario.grounds import Ground
from surefoot.scenario.tables import Table
from surefoot.world import Place, World

_START = ("place", "position", "body", "heading", "time")


@dataclass(frozen=True, eq=False)
class Start:
    """Where, when and facing what a character begins.

    Attributes:
        place: None when it is wrong.
        heading: [rad] in the frame of the place's body.
        time: [s].
    """

    place: Place | None
    heading: float | None = None
    time: float = 0.0


def read_start(parent: Table, ground: Ground, skills: Collection[Capability]) -> Start:
    """The `start` in a character's table; `skills` are those of the character."""
    key = parent.under("start")
    if "start" not in parent:
        parent.problems.add(key, "missing")
        return Start(None)
    table = Table(spelled_out(parent.data["start"]), key, parent.problems, _START)
    time = table.get("time", kinds.number(at_least=-1e6, at_most=1e6), 0.0)
    heading = table.find("heading", kinds.number())
    if ("place" in table) == ("position" in table):
        got = "both" if "place" in table else "neither"
        table.problems.add(table.key, f"expected a place or a position, got {got}")
        return Start(None, heading, time)
    if "place" in table and "body" in table:
        table.problems.add(table.under("body"), "goes with a position, not with a named place")
    place = read_place(table, ground, [time], skills)
    return Start(place, heading_there(table, ground, heading, place, time), time)


def spelled_out(data: Any) -> Any:
    """Text is short for the name of a place or a body, a list for a position."""
    if isinstance(data, str):
        return {"place": data}
    return {"position": cast("Any", data)} if isinstance(data, list) else data


def read_place(
    table: Table, ground: Ground, times: Sequence[float], skills: Collection[Capability]
) -> Place | None:
    """The place that `place`, or `position` and `body`, mean.

    Positions are taken as they are at the first of `times` [s]. On a body that is named alone,
    a place where one of `skills` can stand is looked for at each of them.
    """
    if "place" in table:
        return _named(table, ground, times, skills)
    time = times[0]
    point = table.find("position", kinds.point())
    body = table.find("body", kinds.text)
    world = ground.world
    if world is None or point is None:
        return None
    if "body" not in table:
        with table.problems.at(table.under("position")):
            return world.place(point, time)
    elif body is not None and body not in world:
        why = one_of("body", body, world.bodies)
        table.problems.add(table.under("body"), why)
    elif body is not None:
        with table.problems.at(table.under("position")):
            return _on(world, body, point, time)
    return None


def heading_there(
    table: Table, ground: Ground, heading: float | None, place: Place | None, time: float
) -> float | None:
    """A heading in the frame of the place's body; without `body` it was given in the world."""
    if heading is None or place is None or ground.world is None or "body" in table:
        return heading
    return float(headings_to_frame(ground.world, place.body, [heading], [time])[0])


def _on(world: World, body: str, point: tuple[float, ...], time: float) -> Place:
    """The place on a body below a point of its own frame."""
    there = world.position(Place(body, np.array(point)), time)
    try:
        return World([world[body]]).place(there, time)
    except PlaceError:
        shown = ", ".join(f"{x:g}" for x in point)
        raise PlaceError(f"({shown}) has no surface of {body!r} within 2 m below") from None


def _named(
    table: Table, ground: Ground, times: Sequence[float], skills: Collection[Capability]
) -> Place | None:
    name = table.find("place", kinds.text)
    # Without a character, which is reported elsewhere, nothing is known to stand on a body.
    if name is None or ground.world is None or (not skills and name in ground.world):
        return None
    with table.problems.at(table.under("place")):
        return named_place(name, ground.world, times, skills)
    return None
