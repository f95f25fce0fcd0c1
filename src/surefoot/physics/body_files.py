"""Bodies in files that a person can write: like a built-in one, with what differs.

surefoot = "body"
version = 1
like = "humanoid"          # start from this one; its gaits too
name = "giant"
fall_height = 0.6          # [m] and other fields of `Anatomy`
gaits = "giant_gaits"      # a folder of gait files beside this one, instead of its own

[[parts]]                  # replaces the part of that name, or is one more
name = "head"
parent = "torso"
at = [0.0, 0.0, 0.42]
joints = [{name = "neck", kind = "ball", stiffness = 40.0, damping = 4.0, limit = 60.0}]
shapes = [{mass = 9.0, start = [0, 0, 0.05], end = [0, 0, 0.2], radius = 0.12}]
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast, get_type_hints

from surefoot import schema
from surefoot.arrays import shortened
from surefoot.errors import CharacterError, FileError, InputError, VersionError, one_of
from surefoot.files import read_toml
from surefoot.physics.anatomy import Anatomy, Part
from surefoot.physics.body import Body, load_body, load_gaits

VERSION = 1

_OWN = ("surefoot", "version", "like", "gaits")
_NUMBERS = tuple(field.name for field in fields(Anatomy) if field.name != "parts")


def read_body(path: str | os.PathLike[str]) -> Body:
    """The body of a TOML file; one that cannot stand is refused."""
    path = Path(path)
    data = read_toml(path)
    try:
        return _read(path, data)
    except (InputError, CharacterError) as reason:
        raise FileError(f"{path}: {reason}") from reason


def _read(path: Path, data: dict[str, Any]) -> Body:
    if data.get("surefoot") != "body":
        raise InputError("no body: its field 'surefoot' must say \"body\"")
    if data.get("version") != VERSION:
        version = shortened(data.get("version"))
        raise VersionError(f"{path}: body of version {version}; this reads version {VERSION}")
    _known("field", data, (*_OWN, *_NUMBERS, "parts"))
    like = schema.converted(data.get("like", "humanoid"), str, "like")
    if like.endswith(".toml"):
        raise InputError(f"like: a body file starts from a built-in body, not from {like!r}")
    base = load_body(like)
    kinds = get_type_hints(Anatomy)
    changes = {key: schema.converted(data[key], kinds[key], key) for key in _NUMBERS if key in data}
    given = data.get("parts", [])
    if not isinstance(given, list):
        raise InputError("parts: expected a list of tables, written [[parts]]")
    parts = {part.name: part for part in base.anatomy.parts}
    for row in cast("list[Any]", given):
        part = _part(row)
        parts[part.name] = part
    anatomy = replace(base.anatomy, parts=tuple(parts.values()), **changes)
    gaits = base.gaits
    if "gaits" in data:
        gaits = load_gaits(path.parent / schema.converted(data["gaits"], str, "gaits"))
    return Body(anatomy=anatomy, gaits=gaits)


def _part(row: Any) -> Part:
    if not isinstance(row, dict):
        raise InputError("parts: expected tables, written [[parts]]")
    table = cast("dict[str, Any]", row)
    return schema.converted(table, Part, f"part {shortened(table.get('name'))}")


def _known(what: str, data: Iterable[str], choices: Iterable[str]) -> None:
    choices = tuple(choices)
    for key in data:
        if key not in choices:
            raise InputError(one_of(what, key, choices))
