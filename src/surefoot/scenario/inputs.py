"""What a user names to work with: a scene, a world file, a scenario, a crowd.

This module alone says what a name or a file is, for every command and for `sf.load_world`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from surefoot.errors import FileError, InputError, close_names, one_of
from surefoot.files import PathLike, as_path
from surefoot.planning import Problem, planners
from surefoot.planning.goals import GoalLike
from surefoot.planning.places import PlaceLike
from surefoot.scenario import people
from surefoot.scenario.grounds import DEFAULT_HORIZON
from surefoot.scenario.roles import Role
from surefoot.scenario.scenario import Scenario
from surefoot.world import World, scenes
from surefoot.world.keyframes import Repeat
from surefoot.world.loaders import EXTENSIONS
from surefoot.world.loaders import load_world as load_file
from surefoot.world.loaders.axes import Up

PHYSICS_SCENES = ("physics 1", "physics 2")
"""Scenes whose world is run by physics; `surefoot travel` goes through them."""

WALKER = "walker"
"""Name of the character that walks through a scene or a world file."""


class InputKind(StrEnum):
    """What an input is."""

    SCENE = "scene"
    WORLD = "world file"
    SCENARIO = "scenario"
    CROWD = "crowd"
    CROWD_FILE = "SteerSuite or Menge file"
    PHYSICS = "scene run by physics"


_ENDINGS: Mapping[InputKind, tuple[str, ...]] = {
    InputKind.WORLD: EXTENSIONS,
    InputKind.SCENARIO: (".toml",),
    InputKind.CROWD_FILE: (".xml",),
}

_OTHER_LEVELS = (".fbx", ".blend", ".usd", ".usda", ".usdc", ".usdz", ".dae", ".3ds", ".max", ".ma")
"""Extensions of levels that other programs read and can export."""

WORLDS = (InputKind.SCENE, InputKind.WORLD, InputKind.SCENARIO)
"""What has a world that any planner can be asked about."""


@dataclass(frozen=True)
class Input:
    """A name or a file, and what it is.

    Attributes:
        name: as it was given.
        kind: what it is.
    """

    name: str
    kind: InputKind

    def __str__(self) -> str:
        return f"{self.name!r} is a {self.kind}"


def find_input(
    given: PathLike, *, takes: Collection[InputKind] = WORLDS, user: str = "this"
) -> Input:
    """What `given` names. Names of scenes win over files.

    Args:
        given: a name, or a path.
        takes: the kinds that can be used.
        user: who takes them, in errors, such as "surefoot pursue".

    Raises:
        FileError: there is no such file.
        InputError: it is no file and no name, or of a kind that cannot be used.
    """
    name = str(as_path(given)) if not isinstance(given, str) else given
    found = _kind(name)
    if found is None:
        raise _unknown(name, takes)
    if found not in takes:
        raise InputError(f"{Input(name, found)}; {user} takes {_listed(takes)}")
    if found in _ENDINGS and not os.path.exists(name):
        raise FileError(f"{name}: there is no such file{_hint(name, takes)}")
    return Input(name, found)


def load_world(
    given: PathLike,
    *,
    up: Up | None = None,
    scale: float | None = None,
    repeat: Repeat | None = None,
    animation: str | None = None,
) -> World:
    """The world of a scene, a world file or a scenario.

    Args:
        given: the name of a built-in scene; a `.glb`, `.gltf`, `.obj`, `.stl`, `.ply` or `.json`
            file; or a scenario (`.toml`). What follows is for world files only.
        up: which axis of the file is up, "y" or "z"; by default what the format has.
        scale: metres per unit of the file, > 0; 1 by default.
        repeat: what animated bodies do after their animation's end: rest ("once"), start over
            ("loop", the default), go back ("ping-pong").
        animation: name of the one animation to play.

    Raises:
        FileError: the file cannot be read.
        InputError: it is neither a file nor a scene, or a setting is wrong.
    """
    found = find_input(given, user="load_world")
    options = {"up": up, "scale": scale, "repeat": repeat, "animation": animation}
    given_options = [name for name, value in options.items() if value is not None]
    if found.kind is not InputKind.WORLD and given_options:
        raise InputError(f"{', '.join(given_options)}: only for a world file; {found}")
    if found.kind is InputKind.SCENE:
        return scenes.load(found.name).world
    if found.kind is InputKind.SCENARIO:
        return Scenario.load(found.name).world
    return load_file(
        found.name, up=up, scale=1.0 if scale is None else scale, repeat=repeat or "loop",
        animation=animation,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Ground:
    """A world with what is known about going through it.

    Attributes:
        name: of the scene, or of the file without its extension.
        world: with its places.
        horizon: [s] how long a way through it may take.
    """

    name: str
    world: World
    horizon: float = DEFAULT_HORIZON

    def has_walk(self) -> bool:
        """Whether the world itself says from where to where: by places "start" and "goal"."""
        return {"start", "goal"} <= set(self.world.places)


def load_ground(
    found: Input,
    *,
    up: Up | None = None,
    scale: float | None = None,
    repeat: Repeat | None = None,
) -> Ground:
    """The world of a scene or a world file; see `load_world`."""
    world = load_world(found.name, up=up, scale=scale, repeat=repeat)
    if found.kind is InputKind.SCENE:
        return Ground(found.name, world, scenes.load(found.name).horizon)
    return Ground(Path(found.name).stem, world)


def load_scenario(
    found: Input,
    *,
    start: PlaceLike | None = None,
    goal: GoalLike | None = None,
    character: str | None = None,
    planner: str | None = None,
    up: Up | None = None,
    scale: float | None = None,
    repeat: Repeat | None = None,
    horizon: float | None = None,
) -> Scenario:
    """What is asked of the planners: a scenario as it is, or one walk through a scene or a world.

    Args:
        found: a scene, a world file or a scenario.
        start: where the walk starts, instead of the place "start" of the world, or instead of
            what the scenario says of its one character.
        goal: likewise where it goes, instead of the place "goal".
        character: who walks: one of the built-in people; an adult by default.
        planner: the planner for all; the scenario's own, or the automatic choice, by default.
        up: see `load_world`.
        scale: see `load_world`.
        repeat: see `load_world`.
        horizon: [s] how long each walk may take; the scenario's or the scene's own by default.
    """
    if planner is not None:
        planners.kind(planner)  # an unknown one should fail before a world is loaded
    if found.kind is InputKind.SCENARIO:
        own = {"character": character, "up": up, "scale": scale, "repeat": repeat}
        for name, value in own.items():
            if value is not None:
                raise InputError(f"{name}: not for a scenario, which says it itself; {found}")
        scenario = _redirected(Scenario.load(found.name), found, start, goal)
    else:
        scenario = walk_through(
            load_ground(found, up=up, scale=scale, repeat=repeat),
            start=start, goal=goal, character=character,
        )  # fmt: skip
    if horizon is not None:
        scenario = _lengthened(scenario, horizon)
    return scenario if planner is None else scenario.with_planner(planner)


def walk_through(
    ground: Ground,
    *,
    start: PlaceLike | None = None,
    goal: GoalLike | None = None,
    character: str | None = None,
) -> Scenario:
    """The scenario of one character that walks through a world; see `load_scenario`."""
    ends = {"start": start, "goal": goal}
    missing = [
        name for name, value in ends.items() if value is None and name not in ground.world.places
    ]
    if missing:
        options = " and ".join(f"--{name}" for name in missing)
        raise InputError(
            f"a walk through {ground.name!r} needs {options}: a point, or the name of a place or a"
            f" body; the world has no place called {' or '.join(map(repr, missing))}"
        )
    who = people.make_person(character or "adult")
    problem = Problem(
        world=ground.world,
        character=replace(who, name=character or WALKER),
        start="start" if start is None else start,
        goal="goal" if goal is None else goal,
        horizon=ground.horizon,
    )
    role = Role(problem.character.name, problem, planners.make(planners.DEFAULT))
    return Scenario(name=ground.name, world=ground.world, roles=(role,))


def _redirected(
    scenario: Scenario, found: Input, start: PlaceLike | None, goal: GoalLike | None
) -> Scenario:
    """The scenario with another start or goal for its only character."""
    given = {name: value for name, value in (("start", start), ("goal", goal)) if value is not None}
    if not given:
        return scenario
    if len(scenario.roles) != 1:
        raise InputError(
            f"{', '.join(given)}: {found.name!r} has {len(scenario.roles)} characters, each with a"
            " start and a goal of its own"
        )
    (role,) = scenario.roles
    problem = role.problem
    moved = replace(
        problem,
        start=given.get("start", problem.start),
        goal=given.get("goal", problem.goal),
        start_heading=None if "start" in given else problem.start_heading,
    )
    return replace(scenario, roles=(replace(role, problem=moved),))


def _lengthened(scenario: Scenario, horizon: float) -> Scenario:
    """The scenario with another horizon for everybody [s]."""
    roles = [
        replace(role, problem=replace(role.problem, horizon=horizon)) for role in scenario.roles
    ]
    return replace(scenario, roles=tuple(roles))


# --- what a name is ------------------------------------------------------------------------------


def _names(kind: InputKind) -> Sequence[str]:
    """The built-in names of a kind."""
    if kind is InputKind.SCENE:
        return scenes.names()
    if kind is InputKind.CROWD:
        from surefoot.agents import scenes as crowds  # with all that crowds need

        return crowds.names()
    return PHYSICS_SCENES if kind is InputKind.PHYSICS else ()


def _kind(name: str) -> InputKind | None:
    for kind in InputKind:
        if name in _names(kind):
            return kind
    ending = Path(name).suffix.lower()
    return next((kind for kind, endings in _ENDINGS.items() if ending in endings), None)


def _unknown(name: str, takes: Collection[InputKind]) -> InputError | FileError:
    """The error for what is no built-in name and has no known extension."""
    path = Path(name)
    if os.path.isdir(name):
        return FileError(f"{name}: is no file, but a folder")
    if os.path.exists(name):
        unknown = one_of("extension", path.suffix.lower(), _endings(takes))
        return FileError(f"{name}: {unknown}{_export_hint(path)}")
    known = [each for kind in takes for each in _names(kind)]
    what = " or ".join(kind for kind in takes if _names(kind))
    hint = _hint(name, takes)
    return InputError(
        f"{name!r} is neither a file nor a {what}{hint}{' There' if hint else '; there'} are:"
        f" {', '.join(known)}; files end in {', '.join(_endings(takes))}{_export_hint(path)}"
    )


def _export_hint(path: Path) -> str:
    """What to do with a level of another program."""
    return "; export the level as glTF (.glb)" if path.suffix.lower() in _OTHER_LEVELS else ""


def _hint(name: str, takes: Collection[InputKind]) -> str:
    """The question whether something else was meant, if anything comes close."""
    path = Path(name)
    endings = _endings(takes)
    try:
        files = [each.name for each in path.parent.iterdir() if each.suffix.lower() in endings]
    except (OSError, ValueError):  # no folder, or one that cannot be read: nothing to suggest
        files = []
    names = [each for kind in takes for each in _names(kind)]
    close = close_names(name, names)
    close += [str(path.with_name(each)) for each in close_names(path.name, files)]
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


def _endings(takes: Collection[InputKind]) -> list[str]:
    return [ending for kind, endings in _ENDINGS.items() if kind in takes for ending in endings]


def _listed(takes: Collection[InputKind]) -> str:
    """Such as "a scene, a world file (.glb) or a scenario (.toml)"."""
    said = [
        f"a {kind} ({', '.join(_ENDINGS[kind])})" if kind in _ENDINGS else f"a {kind}"
        for kind in takes
    ]
    return " or ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
