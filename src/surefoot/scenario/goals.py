"""Goals of a scenario: a spot, a region, any or all of several."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import inf, pi
from typing import Any

import numpy as np

from surefoot.character import Capability
from surefoot.planning import AllOf, AnyGoal, AnyOf, Goal, Region
from surefoot.planning.goals import ANY_TIME
from surefoot.scenario import kinds
from surefoot.scenario.grounds import Ground
from surefoot.scenario.spots import heading_there, read_place, spelled_out
from surefoot.scenario.tables import Table

_ARRIVAL = ("heading", "heading_tolerance", "arrive")
# What a goal can be, by the key that says so, with the keys that go with it.
_KINDS: Mapping[str, tuple[str, ...]] = {
    "any": ("any",),
    "all": ("all", "ordered"),
    "place": ("place", "tolerance", *_ARRIVAL),
    "position": ("position", "body", "tolerance", *_ARRIVAL),
    "tag": ("tag", "low", "high", *_ARRIVAL),
    "body": ("body", "low", "high", *_ARRIVAL),
    "low": ("low", "high", *_ARRIVAL),
    "high": ("low", "high", *_ARRIVAL),
}
KEYS = {name for names in _KINDS.values() for name in names}
_DEEPEST = 8
"""How deep goals may lie inside goals."""


_LOOKS = 61
"""Moments at which a place to stand is looked for on a body that is a goal."""


class GoalReader:
    """Reads one goal.

    Attributes:
        found: the places and regions in it that are fine so far, with their keys.
    """

    def __init__(
        self, ground: Ground, time: float, horizon: float, skills: Collection[Capability]
    ) -> None:
        """Positions are taken as they are at `time` [s], the start of a plan of `horizon` [s].

        `skills` are those of the character that is to stand there.
        """
        self._ground, self._time, self._skills = ground, time, skills
        self._times: list[float] = np.linspace(time, time + horizon, _LOOKS).tolist()
        self.found: list[tuple[str, Goal | Region]] = []

    def read(self, parent: Table, name: str = "goal") -> AnyGoal | None:
        """The goal under `name` in a table; None when something about it is wrong."""
        if name not in parent:
            parent.problems.add(parent.under(name), "missing")
            return None
        return self._goal(parent.data[name], parent.under(name), parent, 0)

    def _goal(self, data: Any, key: str, parent: Table, depth: int) -> AnyGoal | None:
        table = Table(spelled_out(data), key, parent.problems, KEYS)
        if depth > _DEEPEST:
            table.problems.add(key, f"goals inside goals are read {_DEEPEST} deep")
            return None
        kind = next((name for name in _KINDS if name in table), None)
        if kind is None:
            if isinstance(data, dict):
                table.problems.add(key, f"expected one of the keys: {', '.join(_KINDS)}")
            return None
        fitting = _KINDS[kind]
        for name in table.data:
            if name in KEYS and name not in fitting:
                why = f"does not go with {kind!r}; with it go: {', '.join(fitting)}"
                table.problems.add(table.under(name), why)
        table = Table({n: v for n, v in table.data.items() if n in fitting}, key, table.problems)
        if kind in ("any", "all"):
            return self._several(table, kind, depth)
        goal = self._spot(table) if kind in ("place", "position") else self._region(table)
        if goal is not None:
            self.found.append((key, goal))
        return goal

    def _several(self, table: Table, kind: str, depth: int) -> AnyGoal | None:
        items = table.get(kind, kinds.several(lambda item: item, "a list of goals"), ())
        ordered = table.get("ordered", kinds.flag, False)
        # Read every one before giving up, so that the problems of all are told.
        read = [
            self._goal(item, f"{table.under(kind)}[{i}]", table, depth + 1)
            for i, item in enumerate(items)
        ]
        goals = tuple(goal for goal in read if goal is not None)
        if not goals or len(goals) < len(read):
            return None
        return AnyOf(goals) if kind == "any" else AllOf(goals, ordered)

    def _spot(self, table: Table) -> Goal | None:
        tolerance = table.get("tolerance", kinds.number(above=0.0), 0.25)
        heading, facing, arrive = _arrival(table)
        place = read_place(table, self._ground, self._times, self._skills)
        if place is None:
            return None
        heading = heading_there(table, self._ground, heading, place, self._time)
        return Goal(place, heading, tolerance, arrive, facing)

    def _region(self, table: Table) -> Region | None:
        before = table.problems.found
        body = table.find("body", kinds.text)
        tag = table.find("tag", kinds.text)
        low = table.get("low", kinds.point(infinite=True), (-inf,) * 3)
        high = table.get("high", kinds.point(infinite=True), (inf,) * 3)
        heading, facing, arrive = _arrival(table)
        if table.problems.found > before:
            return None
        with table.problems.at(table.key):
            region = Region(
                body=body,
                tag=tag,
                low=np.array(low),
                high=np.array(high),
                heading=heading,
                arrive=arrive,
                heading_tolerance=facing,
            )
            if self._ground.world is not None:
                region.bodies(self._ground.world)
            return region
        return None


def _arrival(table: Table) -> tuple[float | None, float, tuple[float, float]]:
    heading = table.find("heading", kinds.number())
    facing = table.get("heading_tolerance", kinds.number(above=0.0), pi / 12)
    return heading, facing, table.get("arrive", kinds.span, ANY_TIME)
