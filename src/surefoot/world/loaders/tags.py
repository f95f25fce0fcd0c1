"""From the free JSON of a file to flat tags."""

from __future__ import annotations

import math
from typing import Any, cast

from surefoot.errors import FileError
from surefoot.world.loaders.parts import Tag


def tags_of(extras: Any, place: str) -> dict[str, Tag]:
    """The tags in a glTF `extras`: truth values, numbers and texts under their keys.

    What is nested is flattened with dots, elements of lists count from zero: `{"door": {"width":
    [1, 2]}}` gives `door.width.0` and `door.width.1`. Null is no tag. Extras that are a single
    value are the tag `extras`.

    Args:
        extras: Any JSON; None is none.
        place: Where it is, for messages.
    """
    if extras is None:
        return {}
    result: dict[str, Tag] = {}
    # Turned round, so that the tags come in the file's order; no recursion, however deep.
    open_values: list[tuple[str, Any]] = [("", extras)]
    while open_values:
        key, value = open_values.pop()
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value)
            inner = [(f"{key}.{name}" if key else name, entry) for name, entry in members.items()]
            open_values += reversed(inner)
        elif isinstance(value, list):
            entries = cast("list[Any]", value)
            inner = [
                (f"{key}.{number}" if key else str(number), entry)
                for number, entry in enumerate(entries)
            ]
            open_values += reversed(inner)
        elif isinstance(value, float) and not math.isfinite(value):
            raise FileError(f"{place}: {key or 'its value'} must be finite")
        elif value is not None:
            result[key or "extras"] = value
    return result
