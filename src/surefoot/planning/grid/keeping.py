"""Maps are kept as long as their worlds, so that the next plan in the same world finds one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from weakref import ref

from surefoot.character import Character
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.settings import GridSettings
from surefoot.world import World

MOST_MAPS = 4
"""Maps that are kept of one world: for so many kinds of characters and settings."""

_kept: dict[int, tuple[ref[World], dict[Any, GridMap]]] = {}


def map_of(
    world: World,
    character: Character,
    settings: GridSettings,
    capabilities: Collection[str] | None,
) -> GridMap:
    """The map of a world, up to date: one that is there, or a new one."""
    maps = _maps(world)
    names = None if capabilities is None else tuple(capabilities)
    # Two characters that can do the same share a map.
    key = (tuple(character.capabilities.items()), character.measures, settings, names)
    found = maps.pop(key, None)
    if found is None:
        found = GridMap(world, character, settings, capabilities=capabilities)
    else:
        found.update(world)
    maps[key] = found
    while len(maps) > MOST_MAPS:
        del maps[next(iter(maps))]
    return found


def _maps(world: World) -> dict[Any, GridMap]:
    key = id(world)
    known = _kept.get(key)
    if known is not None and known[0]() is world:
        return known[1]
    maps: dict[Any, GridMap] = {}
    _kept[key] = (ref(world, lambda _: _kept.pop(key, None)), maps)
    return maps
