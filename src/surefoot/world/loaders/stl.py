"""STL, binary and text: loose triangles, three vertices to each."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import FileError
from surefoot.world.loaders.parts import BodyParts, Surface, unique_names
from surefoot.world.loaders.text import line_error, lines_of, shorten

_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read_stl(file: str, data: bytes) -> list[BodyParts]:
    """The bodies of an STL file, in its own axes: one for each solid that has triangles.

    A text file may hold several solids, named after its `solid` lines; the one body of a binary
    file is named after the file. Which of the two a file is does not show in its first word, as
    some programs start binary files with `solid`; its size decides, then whether it has zeros.
    """
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else None
    binary = count is not None and len(data) == 84 + count * _TRIANGLE.itemsize
    text = data.lstrip()[:5].lower() == b"solid" and b"\0" not in data
    stem = Path(file).stem
    if binary or not text:
        named = [(stem, _binary(file, data))]
    else:
        named = [(name or stem, corners) for name, corners in _text(file, data)]
    named = [(name, corners) for name, corners in named if len(corners)]
    if not named:
        raise FileError(f"{file}: has no triangles")
    names = unique_names(name for name, _ in named)
    return [
        BodyParts(name=name, surface=_loose(corners))
        for name, (_, corners) in zip(names, named, strict=True)
    ]


def _loose(corners: Floats) -> Surface:
    """The surface of triangles `(n, 3, 3)` that share no vertices."""
    faces = np.arange(len(corners) * 3, dtype=np.int32).reshape(-1, 3)
    return Surface(corners.reshape(-1, 3), faces)


def _binary(file: str, data: bytes) -> Floats:
    if len(data) < 84:
        raise FileError(f"{file}: is truncated: {len(data)} bytes, a binary STL header takes 84")
    count = struct.unpack_from("<I", data, 80)[0]
    held = (len(data) - 84) // _TRIANGLE.itemsize
    if count > held:
        raise FileError(f"{file}: is truncated: it states {count} triangles and holds {held}")
    with np.errstate(invalid="ignore"):  # some bit patterns of NaN warn when converted
        corners = np.frombuffer(data, _TRIANGLE, count, 84)["corners"].astype(np.float64)
    if not np.isfinite(corners).all():
        worst = int(np.argwhere(~np.isfinite(corners))[0, 0])
        raise FileError(f"{file}: triangle {worst}: coordinates must be finite")
    return corners


def _text(file: str, data: bytes) -> list[tuple[str, Floats]]:
    """Name and triangles `(n, 3, 3)` of each solid."""
    solids: list[tuple[str, list[float]]] = []
    numbers: list[float] = []
    vertex_lines: list[int] = []
    corners, inside = 0, False
    lines = lines_of(data)
    for number, line in enumerate(lines, 1):
        words = line.split()
        key = words[0].lower() if words else ""
        if key == "vertex":
            try:
                x, y, z = words[1:]
                numbers += float(x), float(y), float(z)
            except ValueError:
                got = shorten(" ".join(words[1:]))
                raise line_error(
                    file, number, f"vertex must have three numbers, got {got}"
                ) from None
            vertex_lines.append(number)
            corners += 1
        elif key == "endloop":
            if corners != 3:
                raise line_error(file, number, f"a facet must have 3 vertices, got {corners}")
            corners = 0
        elif key == "solid":
            if inside:
                raise line_error(file, number, "a solid starts inside another")
            inside, numbers = True, []
            solids.append((" ".join(words[1:]), numbers))
        elif key == "endsolid":
            inside = False
        elif key not in ("", "facet", "outer", "endfacet"):
            raise line_error(file, number, f"unknown statement {shorten(words[0])}")
    if inside or corners:
        raise line_error(file, len(lines), "the file is truncated: endsolid is missing")
    _check_finite(file, solids, vertex_lines)
    return [(name, np.array(values).reshape(-1, 3, 3)) for name, values in solids]


def _check_finite(
    file: str, solids: list[tuple[str, list[float]]], vertex_lines: list[int]
) -> None:
    values = np.concatenate([np.array(values, np.float64) for _, values in solids])
    if not np.isfinite(values).all():
        worst = int(np.argmax(~np.isfinite(values))) // 3
        raise line_error(file, vertex_lines[worst], "coordinates must be finite")
