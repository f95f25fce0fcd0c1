"""PLY, text and binary of both byte orders: polygons over vertices, with any other properties."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.errors import FileError
from surefoot.world.loaders.parts import BodyParts, Color, compact, linear_color
from surefoot.world.loaders.ply_elements import Columns, Lists, read_elements
from surefoot.world.loaders.ply_header import Element, Header, parse_header
from surefoot.world.loaders.polygons import PolygonError, triangulate

_CORNERS = ("vertex_indices", "vertex_index")


def read_ply(file: str, data: bytes) -> list[BodyParts]:
    """The one body of a PLY file, in its own axes, named after the file."""
    header = parse_header(file, data)
    elements = {element.name: element for element in header.elements}
    for name in ("vertex", "face"):
        if name not in elements:
            there = ", ".join(elements) or "none"
            raise FileError(f"{file}: has no element {name!r}; there are: {there}")
    columns = read_elements(file, data, header)
    vertices = _vertices(file, elements["vertex"], columns["vertex"])
    faces = _faces(file, header, elements["face"], columns["face"], vertices)
    color = _color(columns["vertex"], faces)
    return [BodyParts(name=Path(file).stem, surface=compact(vertices, faces), color=color)]


def _vertices(file: str, element: Element, columns: Columns) -> Floats:
    axes: list[Floats] = []
    for name in ("x", "y", "z"):
        values = columns.get(name)
        if not isinstance(values, np.ndarray):
            raise FileError(f"{file}: element 'vertex' has no property {name!r}")
        with np.errstate(invalid="ignore"):  # some bit patterns of NaN warn when converted
            axes.append(values.astype(np.float64))
    vertices = np.stack(axes, axis=1)
    if not np.isfinite(vertices).all():
        worst = int(np.argwhere(~np.isfinite(vertices))[0, 0])
        raise FileError(f"{file}: {element.row_label(worst)}: coordinates must be finite")
    return vertices


def _faces(file: str, header: Header, element: Element, columns: Columns, vertices: Floats) -> Ints:
    lists = next((columns[name] for name in _CORNERS if name in columns), None)
    if not isinstance(lists, Lists):
        wanted = " or ".join(repr(name) for name in _CORNERS)
        raise FileError(f"{file}: element 'face' has no list property {wanted}")
    sizes, corners = lists.sizes, lists.values
    if not len(sizes):
        raise FileError(f"{file}: has no faces")
    if sizes.min() < 3:
        worst = int(np.argmax(sizes < 3))
        raise FileError(
            f"{file}: {element.row_label(worst)}: a face must have 3 corners or more, "
            f"got {sizes[worst]}"
        )
    bad: Any = ~((corners >= 0) & (corners < len(vertices)))
    if corners.dtype.kind == "f":
        bad |= corners != np.floor(corners)
    if bad.any():
        place = int(np.argmax(bad))
        worst = int(np.searchsorted(np.cumsum(sizes), place, side="right"))
        raise FileError(
            f"{file}: {element.row_label(worst)}: vertex {corners[place]} is out of range, "
            f"the file has {header.count('vertex')}"
        )
    try:
        return triangulate(vertices, sizes, corners.astype(np.int32))
    except PolygonError as error:
        label = element.row_label(error.polygon)
        raise FileError(f"{file}: {label}: the face {error}") from error


def _color(columns: Columns, faces: Ints) -> Color | None:
    """The mean colour of the vertices that faces use; whole numbers go to 255."""
    channels = [columns.get(name) for name in ("red", "green", "blue")]
    arrays = [channel for channel in channels if isinstance(channel, np.ndarray)]
    if len(arrays) < 3:
        return None
    used = np.unique(faces)
    with np.errstate(invalid="ignore"):
        values = np.stack([array[used].astype(np.float64) for array in arrays], axis=1)
    whole = all(array.dtype.kind in "iu" for array in arrays)
    return linear_color(np.nan_to_num(values / 255.0 if whole else values))
