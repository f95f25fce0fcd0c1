"""Crowds from scenario files: the same world and characters, all at once and live."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from surefoot.agents import CrowdSettings, scenes
from surefoot.agents.formats import read_crowd
from surefoot.agents.scenes import CrowdScene, Walker
from surefoot.errors import FileError, InputError, ScenarioError
from surefoot.files import read_bytes
from surefoot.planning import AllOf, AnyGoal, Goal
from surefoot.planning.planners import wrong_fields
from surefoot.scenario import kinds
from surefoot.scenario.inputs import Input, InputKind, find_input, load_scenario
from surefoot.scenario.scenario import VERSION, Scenario
from surefoot.scenario.tables import Problems, Table

TAKES = tuple(kind for kind in InputKind if kind is not InputKind.PHYSICS)
"""The inputs that a crowd can be made of."""

_SETTINGS = tuple(field.name for field in fields(CrowdSettings))
_KEYS = ("scene", "file", "agents", "seed", "duration", *_SETTINGS)


def load_crowd(
    name: str | os.PathLike[str], *, seed: int | None = None, agents: int | None = None
) -> CrowdScene:
    """A crowd: a built-in one, a scenario file (.toml), an XML of others; or one walker.

    Args:
        name: such as "bottleneck", "walk.toml", "doorway-two-way.xml"; a scene or a world file
            gives a crowd of one, from its place "start" to its place "goal".
        seed: of what is left to chance; the file's, or 0, when not given.
        agents: how many, for scenes that can have any number.
    """
    found = find_input(name, takes=TAKES, user="load_crowd")
    return crowd_of(found, lambda: load_scenario(found), seed, agents)


def crowd_of(
    found: Input, walk: Callable[[], Scenario], seed: int | None, agents: int | None
) -> CrowdScene:
    """The crowd that an input is.

    Args:
        found: one of the kinds in `TAKES`.
        walk: gives the walk through a scene or a world file: a crowd of one.
        seed: see `load_crowd`.
        agents: see `load_crowd`.
    """
    if found.kind is InputKind.SCENARIO:
        return _from_scenario(Path(found.name), seed, agents)
    if found.kind is InputKind.CROWD_FILE:
        return _limited(read_crowd(found.name, seed=seed or 0), agents)
    if found.kind is InputKind.CROWD:
        return scenes.load(found.name, seed=seed or 0, agents=agents)
    if agents not in (None, 1):
        raise InputError(f"agents: a walk has one, got {agents}; {found}, and no crowd")
    return from_scenario(walk())


def _from_scenario(file: Path, seed: int | None, agents: int | None) -> CrowdScene:
    try:
        data = tomllib.loads(read_bytes(file).decode("utf-8-sig"))
    except (ValueError, RecursionError) as reason:
        raise ScenarioError(f"{file}: no valid TOML: {reason}") from reason
    problems = Problems()
    table = Table(data.get("crowd", {}), "crowd", problems, _KEYS)
    settings = _settings(table)
    chosen = table.get("seed", kinds.whole(at_least=0), 0) if seed is None else seed
    count = table.find("agents", kinds.whole(at_least=1)) if agents is None else agents
    duration = table.find("duration", kinds.number(above=0.0, at_most=86_400.0))
    scene = table.find("scene", kinds.text)
    drawing = table.find("file", kinds.text)
    if scene is not None and drawing is not None:
        problems.add("crowd", "either a scene or a file, got both")
    found: CrowdScene | None = None
    with problems.at("crowd"):
        if scene is not None:
            found = scenes.load(scene, seed=chosen, agents=count)
        elif drawing is not None:
            found = _limited(read_crowd(file.parent / drawing, seed=chosen), count)
    if problems.lines:
        raise ScenarioError(f"{file}: {len(problems.lines)} problems:", problems.lines)
    if found is None:
        plain = {key: value for key, value in data.items() if key != "crowd"}
        found = from_scenario(Scenario.from_data(plain, folder=file.parent, name=str(file)))
    elif data.get("surefoot") != "scenario" or data.get("version") != VERSION:
        raise FileError(
            f'{file}: a scenario begins with surefoot = "scenario", version = {VERSION}'
        )
    changed = replace(found.settings, **settings)
    return replace(found, settings=changed, duration=duration or found.duration)


def from_scenario(scenario: Scenario) -> CrowdScene:
    """All characters of a scenario at once: each sees what the others plan, and plans anew.

    Goals must be places, or several of them in their order.
    """
    problems: list[str] = []
    walkers: list[Walker] = []
    for role in scenario.roles:
        problem = role.problem
        goals = _places(problem.goal)
        if goals is None:
            problems.append(f"characters.{role.name}.goal: a crowd's goals are places")
            continue
        walkers.append(
            Walker(
                character=problem.character,
                place=problem.start,
                heading=problem.start_heading or 0.0,
                goals=goals,
            )
        )
    if problems:
        raise ScenarioError(f"{scenario.name}: {len(problems)} problems:", problems)
    return CrowdScene(
        name=scenario.name,
        description="a scenario",
        world=scenario.world,
        walkers=tuple(walkers),
        duration=max(role.problem.horizon for role in scenario.roles),
        area=_area(scenario),
    )


def _places(goal: AnyGoal) -> tuple[Goal, ...] | None:
    if isinstance(goal, Goal):
        return (goal,)
    if isinstance(goal, AllOf) and goal.ordered:
        parts = [_places(part) for part in goal.goals]
        if all(part is not None for part in parts):
            return tuple(each for part in parts if part is not None for each in part)
    return None


def _area(scenario: Scenario) -> float:
    """[m^2] The rectangle around all starts and goals, with 2 m on every side."""
    spots = [
        scenario.world.position(place, 0.0)
        for role in scenario.roles
        for place in (role.problem.start, *(g.place for g in _places(role.problem.goal) or ()))
    ]
    low = [min(spot[axis] for spot in spots) - 2.0 for axis in (0, 1)]
    high = [max(spot[axis] for spot in spots) + 2.0 for axis in (0, 1)]
    return float((high[0] - low[0]) * (high[1] - low[1]))


def _settings(table: Table) -> Mapping[str, Any]:
    given = {name: table.data[name] for name in _SETTINGS if name in table.data}
    for name, why in wrong_fields(CrowdSettings, given).items():
        table.problems.add(table.under(name), why)
    return given


def _limited(scene: CrowdScene, agents: int | None) -> CrowdScene:
    """The first of those who walk, where fewer were asked for."""
    return scene if agents is None else replace(scene, walkers=scene.walkers[:agents])
