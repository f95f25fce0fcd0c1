"""XML files as trees whose values are checked where they are read."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from math import isfinite
from pathlib import Path

from surefoot.arrays import shortened
from surefoot.errors import FileError
from surefoot.files import read_bytes
from surefoot.limits import MAX_COORDINATE

_DECLARATION = re.compile(rb"<\?xml[^>]*\?>")


class Tree:
    """An element of an XML file, without regard to namespaces.

    Args:
        element: as parsed.
        file: for errors.
    """

    def __init__(self, element: ElementTree.Element, file: Path) -> None:
        self._element, self.file = element, file

    @property
    def name(self) -> str:
        """The tag, without its namespace."""
        return self._element.tag.rpartition("}")[2]

    @property
    def text(self) -> str:
        """What it holds, trimmed."""
        return (self._element.text or "").strip()

    def __iter__(self) -> Iterator[Tree]:
        return (Tree(child, self.file) for child in self._element if _is_element(child))

    def all(self, name: str) -> list[Tree]:
        """The children called `name`."""
        return [child for child in self if child.name == name]

    def find(self, name: str) -> Tree | None:
        """The first child called `name`, if any."""
        return next((child for child in self if child.name == name), None)

    def need(self, name: str) -> Tree:
        """The first child called `name`, or an error."""
        child = self.find(name)
        if child is None:
            raise FileError(f"{self.file}: <{self.name}> has no <{name}>")
        return child

    def number(self, name: str, default: float | None = None) -> float:
        """The number in the child called `name`; the default when it is missing."""
        child = self.find(name)
        if child is None and default is not None:
            return default
        return self._parsed(self.need(name).text, name)

    def attribute(self, name: str, default: str | None = None) -> str:
        """The attribute called `name`; the default when it is missing."""
        value = self._element.get(name, default)
        if value is None:
            raise FileError(f"{self.file}: <{self.name}> has no attribute {name!r}")
        return value

    def attribute_number(self, name: str, default: float | None = None) -> float:
        """The attribute called `name` as a number."""
        value = self.attribute(name, None if default is None else repr(default))
        return self._parsed(value, name)

    def has(self, name: str) -> bool:
        """Whether there is such an attribute."""
        return name in self._element.attrib

    def _parsed(self, text: str, name: str) -> float:
        where = f"{self.file}: <{self.name}>: {name}"
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise FileError(f"{where} must be a number, got {shortened(text)}")
        # Coordinates, sizes, distances, angles and counts: none of them is larger.
        if abs(value) > MAX_COORDINATE:
            raise FileError(f"{where} must be within {MAX_COORDINATE:,.0f} of zero, got {value:g}")
        return value


def parse_xml(path: Path) -> Tree:
    """The root of an XML file.

    A declaration after a comment is no XML, but there are such files: it is passed over. Files
    that define entities of their own are refused: scenes need none, and bombs are made of them.
    """
    data = _DECLARATION.sub(b"", read_bytes(path))
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise FileError(f"{path}: defines entities; crowd scenes have none")
    try:
        return Tree(ElementTree.fromstring(data), path)
    except (ElementTree.ParseError, ValueError, LookupError) as reason:
        raise FileError(f"{path}: no valid XML: {reason}") from reason


def _is_element(child: ElementTree.Element) -> bool:
    # Comments and instructions have functions for tags.
    return isinstance(child.tag, str)  # pyright: ignore[reportUnnecessaryIsInstance]
