"""The characters of a scenario: who each is, where it goes, and how that is planned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from surefoot.character import Character
from surefoot.errors import ProblemError, one_of
from surefoot.limits import MAX_COORDINATE
from surefoot.planning import AnyGoal, Limits, Problem, Region, planners
from surefoot.planning.planners import Planner
from surefoot.scenario import kinds, people
from surefoot.scenario.goals import GoalReader
from surefoot.scenario.grounds import Ground
from surefoot.scenario.prices import read_cost
from surefoot.scenario.spots import read_start
from surefoot.scenario.tables import Table
from surefoot.world import Place

SHARED = ("planner", "settings", "cost", "horizon", "limits", "capabilities")
"""Keys of `[planning]`, which hold for every character that does not say otherwise."""

KEYS = (*people.KEYS, "start", "goal", *SHARED)

_ANYWHERE = Region(low=np.array([-MAX_COORDINATE, -inf, -inf]))
"""A goal that nothing is wrong with."""


@dataclass(frozen=True, eq=False)
class Role:
    """One character of a scenario.

    Attributes:
        name: as the file calls it; also the name of the problem's character.
        problem: where it is to go, in the scenario's world.
        planner: which plans it.
    """

    name: str
    problem: Problem
    planner: Planner


def read_role(table: Table, shared: Table, name: str, ground: Ground, folder: Path) -> Role | None:
    """The character called `name`; None when something about it is wrong."""
    before = table.problems.found

    def source(key: str) -> Table:
        return table if key in table else shared

    character = people.read_character(table, name, folder)
    skills = () if character is None else character.capabilities.values()
    start = read_start(table, ground, skills)
    longest = kinds.number(above=0.0, at_most=86_400.0)
    horizon = source("horizon").get("horizon", longest, ground.horizon)
    goals = GoalReader(ground, start.time, horizon, skills)
    goal = goals.read(table)
    cost = read_cost(source("cost"), ground.world, character)
    limits = Limits(**_checked(source("limits"), "limits", Limits))
    capabilities = _capabilities(source("capabilities"), character)
    planner = _planner(table, shared, character)
    world = ground.world
    if world is None or character is None:
        return None

    place = start.place or Place(None, np.zeros(3))

    def posed(goal: AnyGoal) -> Problem:
        return Problem(
            world=world,
            character=character,
            start=place,
            goal=goal,
            start_time=start.time,
            start_heading=start.heading,
            cost=cost,
            horizon=horizon,
            limits=limits,
            capabilities=capabilities,
        )

    # A problem stops at the first thing wrong with it; a file is to be told everything.
    wrong_start = _why_not(posed, _ANYWHERE)
    if wrong_start and start.place is not None:
        table.problems.add(table.under("start"), wrong_start)
    for key, part in goals.found:
        wrong = _why_not(posed, part)
        if wrong and wrong != wrong_start:
            table.problems.add(key, wrong)
    if table.problems.found > before or goal is None or planner is None:
        return None
    return Role(name, posed(goal), planner)


def _why_not(posed: Callable[[AnyGoal], Problem], goal: AnyGoal) -> str:
    try:
        posed(goal)
    except ProblemError as reason:
        return str(reason)
    return ""


def _capabilities(table: Table, character: Character | None) -> tuple[str, ...] | None:
    kind: Callable[[Any], str] = kinds.text
    if character is not None:
        kind = kinds.choice("capability", character.capabilities)
    return table.find("capabilities", kinds.several(kind, "a list of capabilities"))


def _planner(table: Table, shared: Table, character: Character | None) -> Planner | None:
    chosen = table if "planner" in table else shared
    name = chosen.get("planner", kinds.choice("planner", planners.names()), "")
    if not name and "planner" in chosen:
        return None
    name = name or planners.DEFAULT
    # Settings belong to a planner: with another planner, those of all do not hold.
    own = "settings" in table or "planner" in table
    given = table if own else shared
    values = _checked(given, "settings", planners.kind(name).settings)
    skill = values.get("capability")
    if character is not None and skill is not None and skill not in character.capabilities:
        key = given.table("settings").under("capability")
        given.problems.add(key, one_of("capability", skill, character.capabilities))
        return None
    return planners.make(name, values)


def _checked(parent: Table, name: str, settings: type[Any]) -> dict[str, Any]:
    """The entries of a table that are fine as fields of a settings dataclass."""
    known = [field.name for field in fields(settings)]
    table = parent.table(name, known)
    values = {key: value for key, value in table.data.items() if key in known}
    wrong = planners.wrong_fields(settings, values)
    for key, why in wrong.items():
        table.problems.add(table.under(key), why)
    return {key: value for key, value in values.items() if key not in wrong}
