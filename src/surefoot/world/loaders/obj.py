"""Wavefront OBJ: objects and groups of polygons.

Each `o` starts a body with that name; each `g` within it, too, and a group that comes again is
continued. An object with several groups gives bodies `object/group`; with one, it keeps its own
name. Faces before any `o` or `g` are named after the file. Materials, texture coordinates and
normals are not read; lines, points and free-form surfaces are reported as skipped.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.errors import FileError
from surefoot.world.loaders.parts import (
    BodyParts,
    Skipped,
    compact,
    linear_color,
    unique_names,
)
from surefoot.world.loaders.polygons import PolygonError, triangulate
from surefoot.world.loaders.text import line_error, lines_of, shorten

# Known statements that add no surface of triangles.
_IGNORED: Final = frozenset(
    {"vt", "vn", "vp", "s", "mg", "usemtl", "mtllib", "usemap", "maplib", "bevel", "c_interp"}
    | {"d_interp", "lod", "shadow_obj", "trace_obj", "ctech", "stech", "cstype", "deg", "bmat"}
    | {"step", "parm", "trim", "hole", "scrv", "sp", "end", "con", "call", "csh"}
)
_GREATEST: Final = 2**31 - 1


@dataclass
class _Group:
    """Polygons of one body: their sizes, corners (vertex numbers from 0) and lines."""

    object: str | None
    group: str | None
    sizes: list[int] = field(default_factory=list[int])
    corners: list[int] = field(default_factory=list[int])
    lines: list[int] = field(default_factory=list[int])


@dataclass
class _Content:
    vertices: list[tuple[float, float, float]] = field(
        default_factory=list[tuple[float, float, float]]
    )
    vertex_lines: list[int] = field(default_factory=list[int])
    colors: dict[int, tuple[float, float, float]] = field(
        default_factory=dict[int, tuple[float, float, float]]
    )
    objects: list[list[_Group]] = field(default_factory=list[list[_Group]])
    skipped: Counter[str] = field(default_factory=Counter[str])


def read_obj(file: str, data: bytes) -> tuple[list[BodyParts], list[Skipped]]:
    """The bodies of an OBJ file, in its own axes, and what was left out."""
    content = _parse(file, _joined(lines_of(data)))
    vertices = np.array(content.vertices, np.float64).reshape(-1, 3)
    if not np.isfinite(vertices).all():
        worst = int(np.argwhere(~np.isfinite(vertices))[0, 0])
        raise line_error(file, content.vertex_lines[worst], "coordinates must be finite")
    bodies: list[BodyParts] = []
    for groups in content.objects:
        full = [group for group in groups if group.sizes]
        for group in full:
            faces = _triangles(file, vertices, group)
            color = _color(content.colors, faces)
            name = _name(group, alone=len(full) == 1) or Path(file).stem
            bodies.append(BodyParts(name=name, surface=compact(vertices, faces), color=color))
    if not bodies:
        raise FileError(f"{file}: has no faces")
    names = unique_names(body.name for body in bodies)
    bodies = [replace(body, name=name) for name, body in zip(names, bodies, strict=True)]
    skipped = [
        Skipped("statement", key, f"{count} times; only faces make a surface")
        for key, count in content.skipped.items()
    ]
    return bodies, skipped


def _joined(lines: list[str]) -> list[str]:
    """The lines with those continued by a backslash made one; the rest of it stays empty."""
    for place in range(len(lines) - 2, -1, -1):
        stripped = lines[place].rstrip()
        if stripped.endswith("\\"):
            lines[place] = stripped[:-1] + " " + lines[place + 1]
            lines[place + 1] = ""
    return lines


def _parse(file: str, lines: list[str]) -> _Content:
    content = _Content()
    vertices = content.vertices
    group = _Group(None, None)
    content.objects.append([group])
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        key = words[0]
        if "#" in line and key not in ("o", "g"):
            words = line.partition("#")[0].split()
        if key == "v":
            if len(words) >= 7:  # x y z r g b
                content.colors[len(vertices)] = _three(file, number, words[4:7])
            vertices.append(_three(file, number, words[1:4]))
            content.vertex_lines.append(number)
        elif key == "f":
            group.sizes.append(len(words) - 1)
            group.lines.append(number)
            group.corners.extend(_corners(file, number, words, len(vertices)))
        elif key == "o":
            group = _Group(line.split(None, 1)[1].strip() if len(words) > 1 else None, None)
            content.objects.append([group])
        elif key == "g":
            name = " ".join(words[1:]) or "default"
            groups = content.objects[-1]
            known = next((other for other in groups if other.group == name), None)
            if known is None:
                known = _Group(groups[0].object, name)
                groups.append(known)
            group = known
        elif key not in _IGNORED:
            content.skipped[shorten(key)[1:-1]] += 1
    return content


def _three(file: str, number: int, words: list[str]) -> tuple[float, float, float]:
    try:
        return float(words[0]), float(words[1]), float(words[2])
    except (IndexError, ValueError):
        got = shorten(" ".join(words))
        raise line_error(file, number, f"v must have three numbers or more, got {got}") from None


def _corners(file: str, number: int, words: list[str], count: int) -> list[int]:
    """Vertex numbers from 0 of a face; negative ones in the file count back from here."""
    if len(words) < 4:
        raise line_error(file, number, f"f must have three corners or more, got {len(words) - 1}")
    result: list[int] = []
    for word in words[1:]:
        try:
            index = int(word.partition("/")[0])
        except ValueError:
            raise line_error(file, number, f"{shorten(word)} is no corner of a face") from None
        place = index - 1 if index > 0 else index + count
        if index == 0 or not 0 <= place < _GREATEST:
            raise line_error(file, number, f"vertex {shorten(word)} is out of range")
        result.append(place)
    return result


def _triangles(file: str, vertices: Floats, group: _Group) -> Ints:
    sizes, corners = np.array(group.sizes, np.int32), np.array(group.corners, np.int32)
    if int(corners.max()) >= len(vertices):
        worst = int(np.argmax(corners >= len(vertices)))
        line = group.lines[int(np.searchsorted(np.cumsum(sizes), worst, side="right"))]
        problem = f"vertex {corners[worst] + 1} is out of range, the file has {len(vertices)}"
        raise line_error(file, line, problem)
    try:
        return triangulate(vertices, sizes, corners)
    except PolygonError as error:
        raise line_error(file, group.lines[error.polygon], f"the face {error}") from error


def _color(
    colors: dict[int, tuple[float, float, float]], faces: Ints
) -> tuple[float, float, float] | None:
    used = (
        [colors[index] for index in np.unique(faces).tolist() if index in colors] if colors else []
    )
    return linear_color(np.nan_to_num(np.array(used))) if used else None


def _name(group: _Group, *, alone: bool) -> str:
    if group.object and group.group and not alone:
        return f"{group.object}/{group.group}"
    return group.object or group.group or ""
