"""The tables of a PLY file: numbers and lists, in three encodings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Ints
from surefoot.errors import FileError
from surefoot.files import SIZE_LIMIT
from surefoot.world.loaders.ply_header import Element, Header, Property
from surefoot.world.loaders.text import line_error, lines_of, shorten

Numbers: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Lists:
    """A column of lists: their `sizes` `(rows,)`, and all `values` one after another."""

    sizes: Ints
    values: Numbers


Columns: TypeAlias = dict[str, Numbers | Lists]


def read_elements(file: str, data: bytes, header: Header) -> dict[str, Columns]:
    """All tables of the file, by the element's name, then by the property's."""
    if not header.order:
        lines = lines_of(data)
        return {element.name: _text(file, element, lines) for element in header.elements}
    result: dict[str, Columns] = {}
    at = header.size
    for element in header.elements:
        result[element.name], at = _binary(file, element, data, at, header.order)
    return result


def _text(file: str, element: Element, lines: list[str]) -> Columns:
    """A table with one line for each row."""
    start = element.first_line - 1
    if start + element.rows > len(lines):
        raise FileError(
            f"{file}: is truncated: element {element.name!r} states {element.rows} rows, "
            f"{max(len(lines) - start, 0)} lines are left"
        )
    rows = [line.split() for line in lines[start : start + element.rows]]
    if all(column.count is None for column in element.properties):
        width = len(element.properties)
        for row, words in enumerate(rows):
            if len(words) != width:
                raise line_error(
                    file, element.first_line + row, f"must have {width} numbers, got {len(words)}"
                )
        table = _numbers(file, element, rows)
        return {
            column.name: _typed(table[:, place], column.value)
            for place, column in enumerate(element.properties)
        }
    return _text_lists(file, element, rows)


def _typed(values: Numbers, dtype: str) -> Numbers:
    """Numbers of a text file as whole ones where the header says so and they are."""
    small = np.abs(values) < 2**53
    if dtype[0] != "f" and small.all() and (values == np.floor(values)).all():
        return values.astype(np.int64)
    return values


def _numbers(file: str, element: Element, rows: list[list[str]]) -> Numbers:
    try:
        return np.array(rows, np.float64).reshape(len(rows), len(element.properties))
    except ValueError:
        for row, words in enumerate(rows):
            for word in words:
                _number(file, element.first_line + row, word)
        raise


def _number(file: str, line: int, word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise line_error(file, line, f"{shorten(word)} is no number") from None


def _text_lists(file: str, element: Element, rows: list[list[str]]) -> Columns:
    columns: list[tuple[list[int], list[float]]] = [([], []) for _ in element.properties]
    for row, words in enumerate(rows):
        line, at = element.first_line + row, 0
        for column, (sizes, values) in zip(element.properties, columns, strict=True):
            size = 1
            if column.count is not None:
                stated = words[at] if at < len(words) else "nothing"
                if not stated.isdecimal() or len(stated) > 9:
                    raise line_error(file, line, f"{shorten(stated)} is no length of a list")
                size = int(stated)
                at += 1
            if at + size > len(words):
                raise line_error(file, line, f"is too short for property {column.name!r}")
            sizes.append(size)
            values.extend(_number(file, line, word) for word in words[at : at + size])
            at += size
        if at != len(words):
            raise line_error(file, line, f"has {len(words) - at} numbers too many")
    return {
        column.name: _column(column, sizes, _typed(np.array(values, np.float64), column.value))
        for column, (sizes, values) in zip(element.properties, columns, strict=True)
    }


def _column(column: Property, sizes: list[int], values: Numbers) -> Numbers | Lists:
    return values if column.count is None else Lists(np.array(sizes, np.int32), values)


def _binary(file: str, element: Element, data: bytes, at: int, order: str) -> tuple[Columns, int]:
    """A table of packed rows, and where the next one starts."""
    least = sum(np.dtype(column.count or column.value).itemsize for column in element.properties)
    if element.rows * least > len(data) - at:
        raise FileError(
            f"{file}: is truncated: element {element.name!r} states {element.rows} rows of "
            f"{least} bytes or more, {len(data) - at} bytes are left"
        )
    if not element.rows or not element.properties:
        empty = np.zeros(0)
        return {c.name: _column(c, [], empty) for c in element.properties}, at
    same = _same_sizes(element, data, at, order)
    if same is not None:
        return same
    return _varying_sizes(file, element, data, at, order)


def _same_sizes(element: Element, data: bytes, at: int, order: str) -> tuple[Columns, int] | None:
    """The table read in one go, if the lists of all rows are as long as those of the first."""
    fields: list[tuple[Any, ...]] = []
    place = at
    for number, column in enumerate(element.properties):
        size = 1
        if column.count is not None:
            kind = np.dtype(order + column.count)
            if place + kind.itemsize > len(data):
                return None
            size = int(np.frombuffer(data, kind, 1, place)[0])
            if not 0 <= size <= len(data):
                return None
            fields.append((f"size{number}", kind))
            place += kind.itemsize
        fields.append((f"values{number}", order + column.value, (size,)))
        place += np.dtype(column.value).itemsize * size
    if (place - at) * element.rows > min(len(data) - at, SIZE_LIMIT):
        return None
    table = np.frombuffer(data, np.dtype(fields), element.rows, at)
    columns: Columns = {}
    for number, column in enumerate(element.properties):
        values: Numbers = table[f"values{number}"].reshape(-1)
        if column.count is None:
            columns[column.name] = values
            continue
        sizes: Numbers = table[f"size{number}"]
        if (sizes != sizes[0]).any():
            return None
        columns[column.name] = Lists(sizes.astype(np.int32), values)
    return columns, place + (place - at) * (element.rows - 1)


def _varying_sizes(
    file: str, element: Element, data: bytes, at: int, order: str
) -> tuple[Columns, int]:
    """The table read row by row."""
    columns: list[tuple[list[int], list[bytes]]] = [([], []) for _ in element.properties]
    kinds = [
        (
            None if column.count is None else np.dtype(order + column.count),
            np.dtype(column.value).itemsize,
        )
        for column in element.properties
    ]
    byte_order = "big" if order == ">" else "little"
    for row in range(element.rows):
        for (count, width), (sizes, values) in zip(kinds, columns, strict=True):
            size = 1
            if count is not None:
                raw = data[at : at + count.itemsize]
                size = int.from_bytes(raw, byte_order, signed=count.kind == "i")
                at += count.itemsize
            end = at + size * width
            if size < 0 or end > len(data):
                raise FileError(
                    f"{file}: {element.row_label(row)}: is truncated: {size} values stated, "
                    f"{max(len(data) - at, 0)} bytes are left"
                )
            sizes.append(size)
            values.append(data[at:end])
            at = end
    result = {
        column.name: _column(
            column, sizes, np.frombuffer(b"".join(values), np.dtype(order + column.value))
        )
        for column, (sizes, values) in zip(element.properties, columns, strict=True)
    }
    return result, at
