"""Values of a JSON file, each knowing its path, so that every error can name it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import FileError


class Field:
    """One value of a JSON file and where it is: `nodes[3].mesh` of `scene.gltf`.

    The methods that end in a Python value check its type and bounds and raise `FileError`
    with file and path otherwise.
    """

    __slots__ = ("file", "path", "value")

    def __init__(self, file: str, path: str, value: Any) -> None:
        self.file = file
        self.path = path
        self.value = value

    def error(self, problem: str) -> FileError:
        """The error to raise for this value."""
        where = f"{self.path}: " if self.path else ""
        return FileError(f"{self.file}: {where}{problem}")

    def get(self, key: str) -> Field | None:
        """The member `key` of this object; None when it is not there."""
        members = self._members()
        if key not in members:
            return None
        return Field(self.file, f"{self.path}.{key}" if self.path else key, members[key])

    def _members(self) -> dict[str, Any]:
        value: object = self.value
        if not isinstance(value, dict):
            raise self.error(f"must be an object, got {show(value)}")
        return cast("dict[str, Any]", value)

    def require(self, key: str) -> Field:
        """The member `key` of this object, which must be there."""
        field = self.get(key)
        if field is None:
            missing = Field(self.file, f"{self.path}.{key}" if self.path else key, None)
            raise missing.error("is missing")
        return field

    def keys(self) -> list[str]:
        """The keys of this object."""
        return list(self._members())

    def items(self) -> Iterator[Field]:
        """The elements of this list."""
        value: object = self.value
        if not isinstance(value, list):
            raise self.error(f"must be a list, got {show(value)}")
        for index, item in enumerate(cast("list[Any]", value)):
            yield Field(self.file, f"{self.path}[{index}]", item)

    def elements(self, key: str) -> list[Field]:
        """The elements of the member list `key`; none when it is not there."""
        field = self.get(key)
        return [] if field is None else list(field.items())

    def integer(self, *, low: int = 0, high: int | None = None) -> int:
        """This value as an integer from `low` to `high`, both included."""
        value = self.value
        # JSON does not tell 3 from 3.0; some exporters write the latter.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(f"must be an integer, got {show(value)}")
        if value < low:
            raise self.error(f"must be at least {low}, got {show(value)}")
        if high is not None and value > high:
            raise self.error(f"must be at most {high}, got {show(value)}")
        return value

    def index(self, count: int) -> int:
        """This value as an index into a list of `count` elements of the file."""
        value = self.integer(low=-(2**63))
        if not 0 <= value < count:
            raise self.error(f"{show(value)} is out of range, the file has {count}")
        return value

    def number(self, *, low: float = -math.inf, high: float = math.inf) -> float:
        """This value as a finite number from `low` to `high`, both included."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(f"must be a number, got {show(value)}")
        try:
            result = float(value)
        except OverflowError:
            result = math.inf
        if not math.isfinite(result):
            raise self.error("must be finite")
        if not low <= result <= high:
            raise self.error(f"must be from {low:g} to {high:g}, got {result:g}")
        return result

    def numbers(self, size: int | None = None) -> Floats:
        """This value as a list of finite numbers, `(size,)`."""
        result = np.array([item.number() for item in self.items()], dtype=np.float64)
        if size is not None and len(result) != size:
            raise self.error(f"must be {size} numbers, got {len(result)}")
        return result

    def string(self) -> str:
        """This value as text."""
        if not isinstance(self.value, str):
            raise self.error(f"must be text, got {show(self.value)}")
        return self.value

    def boolean(self) -> bool:
        """This value as true or false."""
        if not isinstance(self.value, bool):
            raise self.error(f"must be true or false, got {show(self.value)}")
        return self.value

    def text(self, key: str, default: str = "") -> str:
        """The member `key` as text."""
        field = self.get(key)
        return default if field is None else field.string()

    def optional_index(self, key: str, count: int) -> int | None:
        """The member `key` as an index; None when it is not there."""
        field = self.get(key)
        return None if field is None else field.index(count)

    def optional_integer(self, key: str, default: int, *, low: int = 0) -> int:
        """The member `key` as an integer."""
        field = self.get(key)
        return default if field is None else field.integer(low=low)

    def flag(self, key: str) -> bool:
        """The member `key` as true or false; false when it is not there."""
        field = self.get(key)
        return False if field is None else field.boolean()

    def extras(self) -> Any:
        """The member `extras`, any JSON; None when it is not there."""
        field = self.get("extras")
        return None if field is None else field.value


def show(value: Any) -> str:
    """A short picture of a JSON value for an error message."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(cast('list[Any]', value))}"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 128:
        return "a number of more than 38 digits"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
