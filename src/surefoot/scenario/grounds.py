"""The `[world]` of a scenario: a file or a built-in scene, with tags added to its bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast, get_args

from surefoot.errors import one_of
from surefoot.scenario import kinds
from surefoot.scenario.tables import Table
from surefoot.world import World, scenes
from surefoot.world.body import Tag
from surefoot.world.keyframes import Repeat
from surefoot.world.loaders import load_world
from surefoot.world.loaders.axes import Up

DEFAULT_HORIZON = 60.0
"""[s] How long a way through a world file may take."""

_FOR_FILES = ("up", "scale", "repeat", "animation")
KEYS = ("file", "scene", *_FOR_FILES, "tags")


@dataclass(frozen=True, eq=False)
class Ground:
    """Where everything happens.

    Attributes:
        world: None when it could not be loaded; what depends on it is then not looked at.
        horizon: [s] how long a way through it may take, where the file does not say.
    """

    world: World | None
    horizon: float = DEFAULT_HORIZON


def read_ground(table: Table, folder: Path) -> Ground:
    """The world of the file."""
    ground = _loaded(table, folder)
    tags = table.table("tags")
    added = {pattern: _tags(tags.table(pattern)) for pattern in tags.data}
    if ground.world is None or not added:
        return ground
    return replace(ground, world=_tagged(ground.world, tags, added))


def file_name(value: Any) -> str:
    """A kind: the name of a file."""
    if not isinstance(value, str) or not value or "\0" in value:
        raise kinds.Unfit("expected the name of a file")
    return value


def _loaded(table: Table, folder: Path) -> Ground:
    file = table.find("file", file_name)
    name = table.find("scene", kinds.choice("scene", scenes.names()))
    up = table.find("up", kinds.choice("up axis", get_args(Up)))
    scale = table.get("scale", kinds.number(above=0.0), 1.0)
    repeat = table.get("repeat", kinds.choice("repeat", get_args(Repeat)), "loop")
    animation = table.find("animation", kinds.text)
    if ("file" in table) == ("scene" in table):
        got = "both" if "file" in table else "neither"
        table.problems.add(table.key, f"expected a file or a scene, got {got}")
        return Ground(None)
    if "scene" in table:
        for key in _FOR_FILES:
            if key in table:
                table.problems.add(table.under(key), "is only for a world file, not for a scene")
        if name is None:
            return Ground(None)
        scene = scenes.load(name)
        return Ground(scene.world, scene.horizon)
    if file is not None:
        with table.problems.at(table.under("file")):
            world = load_world(
                folder / file,
                up=cast("Up | None", up),
                scale=scale,
                repeat=cast("Repeat", repeat),
                animation=animation,
            )
            return Ground(world)
    return Ground(None)


def _tags(table: Table) -> dict[str, Tag]:
    found = {name: table.find(name, _tag) for name in table.data}
    return {name: value for name, value in found.items() if value is not None}


def _tag(value: Any) -> Tag:
    if isinstance(value, bool | str):
        return value
    try:
        number = kinds.number()(value)
    except kinds.Unfit:
        raise kinds.Unfit("expected true or false, a number or text") from None
    return value if isinstance(value, int) and value.bit_length() < 64 else number


def _tagged(world: World, tags: Table, added: Mapping[str, Mapping[str, Tag]]) -> World:
    """The world with more tags on the bodies that each name or pattern means."""
    bodies = dict(world.bodies)
    for pattern, more in added.items():
        # A name wins over a pattern: names may hold brackets and stars.
        exact = [pattern] if pattern in bodies else []
        matching = exact or [name for name in bodies if fnmatchcase(name, pattern)]
        if not matching:
            why = one_of("body, or pattern of bodies,", pattern, bodies)
            tags.problems.add(tags.under(pattern), why)
        for name in matching:
            bodies[name] = replace(bodies[name], tags={**bodies[name].tags, **more})
    return world.copy(bodies.values())
