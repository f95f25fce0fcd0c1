"""The head of a PLY file: which tables of numbers and lists it has, and how they are stored."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from surefoot.errors import FileError
from surefoot.world.loaders.text import line_error, lines_of, shorten

_TYPES: Final = {
    name: dtype
    for names, dtype in (
        ("char int8", "i1"),
        ("uchar uint8", "u1"),
        ("short int16", "i2"),
        ("ushort uint16", "u2"),
        ("int int32", "i4"),
        ("uint uint32", "u4"),
        ("float float32", "f4"),
        ("double float64", "f8"),
    )
    for name in names.split()
}
_END: Final = re.compile(rb"[\r\n]end_header[ \t]*(\r\n|\n|\r|\Z)")
_ORDERS: Final = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}


@dataclass(frozen=True)
class Property:
    """A column: numbers of type `value`, or lists of them counted in type `count`."""

    name: str
    value: str
    count: str | None = None


@dataclass(frozen=True)
class Element:
    """A table; `first_line` is that of its first row in a text file, 0 in a binary one."""

    name: str
    rows: int
    properties: tuple[Property, ...] = ()
    first_line: int = 0

    def row_label(self, row: int) -> str:
        """A row for a message."""
        return f"line {self.first_line + row}" if self.first_line else f"{self.name} {row}"


@dataclass(frozen=True)
class Header:
    """What the head of a file states; `size` is how many bytes it takes."""

    order: str
    elements: tuple[Element, ...]
    size: int

    def count(self, name: str) -> int:
        """The rows of an element."""
        return next(element.rows for element in self.elements if element.name == name)


def parse_header(file: str, data: bytes) -> Header:
    """The head of a PLY file; elements of text files get their line numbers."""
    if data[:3] != b"ply":
        raise FileError(f"{file}: is no PLY file: it must start with 'ply'")
    end = _END.search(data)
    if end is None:
        raise FileError(f"{file}: is truncated: its header has no end_header")
    order: str | None = None
    elements: list[Element] = []
    lines = lines_of(data[: end.start(1)])
    for number, line in enumerate(lines, 1):
        words = line.split()
        match words:
            case ["format", name, _] if name in _ORDERS:
                order = _ORDERS[name]
            case ["element", name, count] if count.isdecimal() and len(count) < 16:
                if any(element.name == name for element in elements):
                    raise line_error(file, number, f"element {shorten(name)} comes twice")
                elements.append(Element(name, int(count)))
            case ["property", *rest]:
                if not elements:
                    raise line_error(file, number, "a property must follow its element")
                column = _property(file, number, rest)
                if any(column.name == known.name for known in elements[-1].properties):
                    raise line_error(file, number, f"property {shorten(column.name)} comes twice")
                together = (*elements[-1].properties, column)
                elements[-1] = replace(elements[-1], properties=together)
            case ["format", *_]:
                known = ", ".join(_ORDERS)
                raise line_error(file, number, f"unknown {shorten(line)}; there are: {known}")
            case [] | ["ply" | "comment" | "obj_info" | "end_header", *_]:
                pass
            case _:
                raise line_error(file, number, f"{shorten(line)} is no line of a PLY header")
    if order is None:
        raise FileError(f"{file}: its header has no format line")
    return Header(order, tuple(_with_lines(elements, order, len(lines))), end.end())


def _property(file: str, number: int, words: list[str]) -> Property:
    match words:
        case ["list", count, value, name] if count in _TYPES and value in _TYPES:
            if _TYPES[count][0] == "f":
                raise line_error(file, number, "a list must be counted in whole numbers")
            return Property(name, _TYPES[value], _TYPES[count])
        case [value, name] if value in _TYPES:
            return Property(name, _TYPES[value])
        case _:
            known = ", ".join(_TYPES)
            raise line_error(
                file, number, f"unknown property {shorten(' '.join(words))}; types are: {known}"
            )


def _with_lines(elements: list[Element], order: str, line: int) -> list[Element]:
    if order:
        return elements
    result: list[Element] = []
    for element in elements:
        result.append(replace(element, first_line=line + 1))
        line += element.rows
    return result
