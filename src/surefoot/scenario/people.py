"""Who a character of a scenario is: one of the built-in people, or the user's own rig."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from surefoot.character import ADULT, CHILD, Character, Proportions, people
from surefoot.errors import InputError, one_of
from surefoot.scenario import kinds
from surefoot.scenario.grounds import file_name
from surefoot.scenario.tables import Table

KEYS = ("character", "height", "rig", "mapping")

_PEOPLE: Mapping[str, tuple[Callable[[], Character], Proportions]] = {
    "adult": (people.adult, ADULT),
    "child": (people.child, CHILD),
    "tall adult": (people.tall_adult, ADULT),
    "little": (people.little, ADULT),
}

NAMES = tuple(_PEOPLE)
"""The built-in people."""


def make_person(name: str) -> Character:
    """One of the built-in people."""
    if name not in _PEOPLE:
        raise InputError(one_of("character", name, NAMES))
    return _PEOPLE[name][0]()


def read_character(table: Table, name: str, folder: Path) -> Character | None:
    """The character called `name`; None when something about it is wrong."""
    who = table.get("character", kinds.choice("character", NAMES), "")
    height = table.find("height", kinds.number(at_least=0.3, at_most=3.0))
    rig, mapping = table.find("rig", file_name), table.find("mapping", file_name)
    if "rig" in table and "character" in table:
        table.problems.add(table.under("rig"), "expected a rig or a built-in character, got both")
        return None
    if who == "little" and height is not None:
        # Its abilities are those of its size, not of a person's proportions.
        table.problems.add(table.under("height"), "does not go with 'little', which is 0.5 m tall")
        return None
    if "mapping" in table and "rig" not in table:
        table.problems.add(table.under("mapping"), "is only for a rig, and there is none")
    if rig is not None:
        with table.problems.at(table.under("rig")):
            bones = None if mapping is None else folder / mapping
            return Character.from_gltf(folder / rig, bones, height=height, name=name)
    if "rig" in table or (who == "" and "character" in table):
        return None
    return _person(who or "adult", name, height)


def _person(who: str, name: str, height: float | None) -> Character:
    make, proportions = _PEOPLE[who]
    usual = make()
    if height is None:
        return replace(usual, name=name)
    shirt = next(part.color for part in usual.skin.parts if part.name == "torso")
    return people.person(name, height, proportions=proportions, color=shirt)
