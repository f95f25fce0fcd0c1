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
import tomllib
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast, get_type_hints

import msgspec

from surefoot.errors import CharacterError, FileError, InputError, VersionError, one_of
from surefoot.files import read_bytes
from surefoot.physics.anatomy import Anatomy, Joint, Part, Shape
from surefoot.physics.body import Body, load_body, load_gaits

VERSION = 1

_OWN = ("surefoot", "version", "like", "gaits")
_NUMBERS = tuple(field.name for field in fields(Anatomy) if field.name != "parts")


def read_body(path: str | os.PathLike[str]) -> Body:
    """The body of a TOML file; one that cannot stand is refused."""
    path = Path(path)
    try:
        data = tomllib.loads(read_bytes(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as reason:
        raise FileError(f"{path}: no valid TOML: {reason}") from reason
    try:
        return _read(path, data)
    except (InputError, CharacterError) as reason:
        raise FileError(f"{path}: {reason}") from reason


def _read(path: Path, data: dict[str, Any]) -> Body:
    if data.get("surefoot") != "body":
        raise InputError("no body: its field 'surefoot' must say \"body\"")
    if data.get("version") != VERSION:
        raise VersionError(f"body of version {data.get('version')}; this reads version {VERSION}")
    _known("field", data, (*_OWN, *_NUMBERS, "parts"))
    base = load_body(str(data.get("like", "humanoid")))
    kinds = get_type_hints(Anatomy)
    changes = {key: _converted(key, data[key], kinds[key]) for key in _NUMBERS if key in data}
    given = data.get("parts", [])
    if not isinstance(given, list):
        raise InputError("parts: expected a list of tables, written [[parts]]")
    parts = {part.name: part for part in base.anatomy.parts}
    for row in cast("list[Any]", given):
        part = _part(row)
        parts[part.name] = part
    anatomy = replace(base.anatomy, parts=tuple(parts.values()), **changes)
    gaits = load_gaits(path.parent / str(data["gaits"])) if "gaits" in data else base.gaits
    return Body(anatomy=anatomy, gaits=gaits)


def _part(row: Any) -> Part:
    if not isinstance(row, dict):
        raise InputError("parts: expected tables, written [[parts]]")
    table = cast("dict[str, Any]", row)
    _known("field of a part", table, (field.name for field in fields(Part)))
    for key, kind in (("joints", Joint), ("shapes", Shape)):
        for inner in table.get(key, []):
            if isinstance(inner, dict):
                names = (field.name for field in fields(kind))
                _known(f"field of {key}", cast("dict[str, Any]", inner), names)
    return _converted(f"part {table.get('name')!r}", table, Part)


def _known(what: str, data: Iterable[str], choices: Iterable[str]) -> None:
    choices = tuple(choices)
    for key in data:
        if key not in choices:
            raise InputError(one_of(what, key, choices))


def _converted(what: str, data: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as reason:
        raise InputError(f"{what}: {reason}") from reason
