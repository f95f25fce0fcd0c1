"""Scenarios: a world, who is in it and where they are to go, from one TOML file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from surefoot.errors import FileError, ProblemError, ScenarioError, VersionError
from surefoot.files import as_path, read_bytes
from surefoot.planning import Plan, Problem, planners
from surefoot.planning.planners import Planner
from surefoot.scenario import grounds, kinds, roles
from surefoot.scenario.roles import Role
from surefoot.scenario.tables import Problems, Table
from surefoot.world import World

VERSION = 1
"""Of the scenario files that this surefoot reads."""

_KEYS = ("surefoot", "version", "world", "characters", "planning", "output", "crowd")


@dataclass(frozen=True, kw_only=True)
class Output:
    """How an animation is written.

    Attributes:
        fps: frames per second, 1 to 240.
        root_motion: whether the character moves through the world, or walks in place.
    """

    fps: float = 30.0
    root_motion: bool = True


@dataclass(frozen=True, eq=False)
class Planned:
    """A role with its plan.

    Attributes:
        role: its problem has the world that was planned in, with those planned before.
        plan: falsy when it does not reach the goal.
    """

    role: Role
    plan: Plan


@dataclass(frozen=True, kw_only=True, eq=False)
class Scenario:
    """What a scenario file says, loaded and checked.

    Attributes:
        name: the file's, without its extension.
        world: with the tags that the file adds.
        roles: the characters, in the file's order.
        output: how to write the animation.
    """

    name: str
    world: World
    roles: tuple[Role, ...]
    output: Output = field(default_factory=Output)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scenario:
        """The scenario in a TOML file; the files that it names are looked for beside it.

        Raises:
            ScenarioError: lists every problem, each with its key.
            FileError: the file cannot be read, or is of another version.
        """
        file = as_path(path)
        try:
            text = read_bytes(file).decode("utf-8-sig")
        except UnicodeDecodeError as reason:
            raise FileError(f"{file}: no text in UTF-8: byte {reason.start}") from reason
        return cls.from_text(text, folder=file.parent, name=str(file))

    @classmethod
    def from_text(
        cls, text: str, *, folder: str | os.PathLike[str] = ".", name: str = "scenario"
    ) -> Scenario:
        """The scenario that a text in TOML describes.

        Args:
            text: in TOML.
            folder: where the files that it names are.
            name: stands for the file in errors.
        """
        try:
            data = tomllib.loads(text)
        except RecursionError as reason:
            raise ScenarioError(f"{name}: no valid TOML: nested too deeply") from reason
        except ValueError as reason:
            raise ScenarioError(f"{name}: no valid TOML: {reason}") from reason
        return cls.from_data(data, folder=folder, name=name)

    @classmethod
    def from_data(
        cls,
        data: Mapping[str, Any],
        *,
        folder: str | os.PathLike[str] = ".",
        name: str = "scenario",
    ) -> Scenario:
        """The scenario in tables and lists, as TOML gives them; see `from_text`."""
        _refuse_other_files(data, name)
        problems, here = Problems(), Path(folder)
        top = Table(data, "", problems, _KEYS)
        if "surefoot" not in top or "version" not in top:
            start = f"surefoot = \"scenario\"', 'version = {VERSION}"
            problems.add("", f"a scenario begins with the lines '{start}'")
        for key in ("world", "characters"):
            if key not in top:
                problems.add(key, "missing")
        ground = grounds.Ground(None)
        if "world" in top:
            ground = grounds.read_ground(top.table("world", grounds.KEYS), here)
        output = _read_output(top.table("output", ("fps", "root_motion")))
        shared = top.table("planning", roles.SHARED)
        people = top.table("characters")
        if "characters" in top and not people.data:
            problems.add("characters", "there are none; [characters.anna] would be one")
        found = [
            roles.read_role(people.table(who, roles.KEYS), shared, who, ground, here)
            for who in people.data
        ]
        cast = tuple(role for role in found if role is not None)
        if problems.lines or ground.world is None:
            count = "1 problem" if len(problems.lines) == 1 else f"{len(problems.lines)} problems"
            raise ScenarioError(f"{name}: {count}:", problems.lines)
        return cls(name=Path(name).stem, world=ground.world, roles=cast, output=output)

    def problems(self) -> list[tuple[str, Problem, Planner]]:
        """Name, problem and planner of each character; alone in the world."""
        return [(role.name, role.problem, role.planner) for role in self.roles]

    def with_planner(self, name: str) -> Scenario:
        """The same scenario with one planner for all.

        A character's settings stay where they are settings of that planner too; elsewhere the
        planner has its default settings.
        """
        chosen = planners.kind(name)

        def planner(role: Role) -> Planner:
            settings = role.planner.settings
            return chosen.make(settings if type(settings) is chosen.settings else chosen.settings())

        return replace(
            self, roles=tuple(replace(role, planner=planner(role)) for role in self.roles)
        )

    def plans(
        self,
        *,
        progress: Callable[[str, str, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Iterator[Planned]:
        """Plans one character after the other, each around those before it.

        Args:
            progress: told the character, the stage and how much of its plan is done, 0 to 1.
            cancel: asked now and then; true ends the plan that is being made.
        """
        world = self.world
        for role in self.roles:
            tell = None if progress is None else _about(progress, role.name)
            try:
                # With others in the world, the start may be taken: the problem is posed anew.
                problem = replace(role.problem, world=world)
                plan = role.planner.plan(problem, progress=tell, cancel=cancel)
            except ProblemError as reason:
                raise ProblemError(f"{role.name}: {reason}") from reason
            yield Planned(replace(role, problem=problem), plan)
            around = world.copy()
            around.add(plan.as_body(problem.character, world, name=_unused(role.name, world)))
            world = around


def _refuse_other_files(data: Mapping[str, Any], name: str) -> None:
    """What is no scenario of this version is not looked into: its keys mean something else."""
    kind, version = data.get("surefoot", "scenario"), data.get("version", VERSION)
    if kind != "scenario":
        raise FileError(f'{name}: surefoot: expected "scenario", got {kinds.shown(kind)}')
    if type(version) is not int:
        raise FileError(f"{name}: version: expected a whole number, got {kinds.shown(version)}")
    if version != VERSION:
        raise VersionError(
            f"{name}: scenario of version {kinds.shown(version)}; this surefoot reads version"
            f" {VERSION}"
        )


def _read_output(table: Table) -> Output:
    return Output(
        fps=table.get("fps", kinds.number(at_least=1.0, at_most=240.0), 30.0),
        root_motion=table.get("root_motion", kinds.flag, True),
    )


def _about(progress: Callable[[str, str, float], None], name: str) -> Callable[[str, float], None]:
    return lambda stage, share: progress(name, stage, share)


def _unused(name: str, world: World) -> str:
    """A name for a character's body that no other body has."""
    free = f"character {name}"
    while free in world:
        free += "'"
    return free
