"""One JSON codec for every file that surefoot writes.

A file is one record with a kind and a version: `{"surefoot": "plan", "version": 1, ...}`.
What is inside follows the type annotations of dataclasses: a field `start: float` is written as
a number and read back as one, to the same bits. Where an annotation has several implementations,
the value carries the name under which its class registered itself:

    @schema.record("keyframed")
    @dataclass(frozen=True)
    class Keyframed(Trajectory): ...        # {"type": "keyframed", "times": [...], ...}

Short arrays are nested lists; others are `{"dtype", "shape", "base64"}`, little-endian. JSON has
no infinity: it is the string "inf" where a number is expected. NaN is refused. Nothing in a file
names code to run: only classes that the annotations reach are made, and their own checks run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from surefoot import _codecs as codecs
from surefoot.errors import FileError, InputError, VersionError
from surefoot.files import read_bytes, write_atomic

C = TypeVar("C", bound=type[Any])
T = TypeVar("T")


def record(
    name: str,
    *,
    fields: Mapping[str, Any] | None = None,
    make: Callable[..., Any] | None = None,
) -> Callable[[C], C]:
    """Registers a class under `name`, so that values of its base types can be told apart.

    A dataclass that an annotation names exactly is written without this.

    Args:
        name: what files call it; unique.
        fields: attributes to write, with their types; needed for a class that is no dataclass.
        make: called with those attributes by keyword to make one again; the class otherwise. An
            attribute whose parameter has a default is written only when it differs from it.
    """

    def register(cls: C) -> C:
        known = codecs.classes.get(name)
        if known is not None and known.__qualname__ != cls.__qualname__:
            raise InputError(f"schema name {name!r} is taken by {known.__qualname__}")
        if fields is None and not hasattr(cls, "__dataclass_fields__"):
            raise InputError(f"{cls.__qualname__} is no dataclass; pass fields={{name: type}}")
        codecs.classes[name], codecs.names[cls] = cls, name
        if fields is not None:
            codecs.makers[cls] = (fields, make or cls)
        return cls

    return register


def unwritable(why: str) -> Callable[[C], C]:
    """Marks a class that no file can hold; `why` says what to do instead."""

    def register(cls: C) -> C:
        codecs.refusals[cls] = why
        return cls

    return register


def write(path: str | os.PathLike[str], value: object, *, kind: str, version: int) -> None:
    """Writes `value` to `path`; the file appears whole or not at all."""
    text = dumps(value, kind=kind, version=version, name=str(path))
    write_atomic(path, text.encode())


def read(path: str | os.PathLike[str], cls: type[T], *, kind: str, version: int) -> T:
    """The `cls` that `write` put into `path`."""
    text = read_bytes(path)
    return loads(text, cls, kind=kind, version=version, name=str(path))


def dumps(value: object, *, kind: str, version: int, name: str = "") -> str:
    """The text of a file; `name` stands for the file in errors."""
    try:
        fields = codecs.encode(value, type(value))
    except codecs.Refused as refusal:
        raise FileError(f"{name or kind}: {refusal}") from refusal
    return _layout({"surefoot": kind, "version": version, **fields}) + "\n"


def loads(text: str | bytes, cls: type[T], *, kind: str, version: int, name: str = "") -> T:
    """The `cls` that `dumps` wrote; `name` stands for the file in errors."""
    name = name or kind
    data = _parse(text, name)
    found = data.pop("surefoot", None)
    if not isinstance(found, str):
        raise FileError(f"{name}: no surefoot file: its field 'surefoot' must say what it holds")
    if found != kind:
        raise FileError(f"{name}: this is a {found}, expected a {kind}")
    written = data.pop("version", None)
    if type(written) is not int:
        raise FileError(f"{name}: version: expected an integer, got {codecs.shown(written)}")
    if written != version:
        raise VersionError(
            f"{name}: {kind} of version {written}; this surefoot reads version {version}"
        )
    try:
        return codecs.decode(data, cls)
    except codecs.Refused as refusal:
        raise FileError(f"{name}: {refusal}") from refusal
    except RecursionError as reason:
        raise FileError(f"{name}: nested too deeply") from reason


def converted(data: Any, hint: Any, name: str) -> Any:
    """The value of the annotated type `hint` in parsed data, such as a table of a TOML file.

    Args:
        data: dictionaries, lists, numbers and text.
        hint: the annotation; a dataclass is made from a dictionary of its fields.
        name: what errors call it.
    """
    try:
        return codecs.decode(data, hint)
    except codecs.Refused as refusal:
        raise InputError(f"{name}: {refusal}") from refusal
    except RecursionError as reason:
        raise InputError(f"{name}: nested too deeply") from reason


def _parse(text: str | bytes, name: str) -> dict[str, Any]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            keys = [key for key, _ in pairs]
            raise ValueError(f"repeated field {next(k for k in keys if keys.count(k) > 1)!r}")
        return fields

    def constant(word: str) -> None:
        raise ValueError(f"{word} is no number there; write 'inf' or '-inf' in quotes")

    try:
        data = json.loads(text, object_pairs_hook=unique, parse_constant=constant)
    except json.JSONDecodeError as reason:
        raise FileError(f"{name}: line {reason.lineno}: no valid JSON: {reason.msg}") from reason
    except RecursionError as reason:
        raise FileError(f"{name}: no valid JSON: nested too deeply") from reason
    except ValueError as reason:
        raise FileError(f"{name}: no valid JSON: {reason}") from reason
    return cast("dict[str, Any]", data) if isinstance(data, dict) else {}


def _layout(data: Any, indent: str = "") -> str:
    """JSON with a line for each field and record, and lists of numbers kept on one line."""
    inner = indent + " "
    if isinstance(data, dict) and data:
        items = cast("dict[str, Any]", data).items()
        lines = [f"{inner}{json.dumps(key)}: {_layout(value, inner)}" for key, value in items]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(data, list) and any(isinstance(item, dict) for item in cast("list[Any]", data)):
        lines = [inner + _layout(item, inner) for item in cast("list[Any]", data)]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    return json.dumps(data, allow_nan=False)
