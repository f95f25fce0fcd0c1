"""Writing accessors: arrays packed into one buffer, each aligned and described."""

from __future__ import annotations

import hashlib
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from surefoot.errors import InputError
from surefoot.gltf.accessors import COMPONENTS, ELEMENTS, Array, Layout

Use: TypeAlias = Literal["vertex", "index"]

_CODES: Final = {component: code for code, component in COMPONENTS.items()}
_TYPES: Final = {
    (): "SCALAR",
    (2,): "VEC2",
    (3,): "VEC3",
    (4,): "VEC4",
    (2, 2): "MAT2",
    (3, 3): "MAT3",
    (4, 4): "MAT4",
}
_TARGETS: Final[dict[Use, int]] = {"vertex": 34962, "index": 34963}


class Packer:
    """One growing buffer with its views and accessors; equal arrays are stored once."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self._known: dict[tuple[object, ...], int] = {}

    def add(
        self,
        values: npt.ArrayLike,
        name: str,
        *,
        use: Use | None = None,
        bounds: bool = False,
        normalized: bool = False,
    ) -> int:
        """Store an array and return the index of its accessor.

        Args:
            values: `(n,)`, `(n, k)` or `(n, k, k)` with k from 2 to 4 and n from 1 on; float32 or
                integers of 8 to 32 bits. float64 is rounded to float32, which glTF is made of.
            name: What it is, for messages.
            use: For what a renderer needs it: as vertex attribute, as triangle indices.
            bounds: Whether to state the least and greatest element.
            normalized: Whether integers mean fractions of their greatest value.
        """
        array = _storable(values, name)
        columns, rows = ELEMENTS[_TYPES[array.shape[1:]]]
        layout = Layout(array.dtype, columns, rows)
        # Vertex attributes must start at multiples of four, which small elements need a gap for.
        step = (layout.size + 3) // 4 * 4 if use == "vertex" else layout.size
        raw = _packed(array, layout, step)
        key = (hashlib.sha256(raw).digest(), array.dtype.str, array.shape, use, bounds, normalized)
        if key not in self._known:
            self._known[key] = self._append(array, raw, layout, step, use, bounds, normalized)
        return self._known[key]

    def _append(
        self,
        array: Array,
        raw: bytes,
        layout: Layout,
        step: int,
        use: Use | None,
        bounds: bool,
        normalized: bool,
    ) -> int:
        self.data.extend(bytes(-len(self.data) % 4))
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)}
        if step != layout.size:
            view["byteStride"] = step
        if use is not None:
            view["target"] = _TARGETS[use]
        self.data.extend(raw)
        self.views.append(view)
        accessor: dict[str, Any] = {
            "bufferView": len(self.views) - 1,
            "componentType": _CODES[array.dtype],
            "count": len(array),
            "type": _TYPES[array.shape[1:]],
        }
        if normalized:
            accessor["normalized"] = True
        if bounds:
            # Matrices are stored, and so bounded, column by column.
            stored = array if array.ndim < 3 else array.transpose(0, 2, 1)
            flat = stored.reshape(len(array), -1)
            accessor["min"] = flat.min(axis=0).tolist()
            accessor["max"] = flat.max(axis=0).tolist()
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _storable(values: npt.ArrayLike, name: str) -> Array:
    """`values` as an array of a number type and shape that glTF has, or an error."""
    array: Array = np.asarray(values)
    if array.dtype == np.float64:
        with np.errstate(over="ignore"):
            array = array.astype(np.float32)
    dtype = array.dtype.newbyteorder("<") if array.dtype.kind in "iuf" else array.dtype
    if dtype not in _CODES:
        known = ", ".join(component.name for component in _CODES)
        raise InputError(f"{name} must be one of {known} or float64, got {array.dtype}")
    if array.ndim == 0 or array.shape[1:] not in _TYPES:
        raise InputError(
            f"{name} must have shape (n,), (n, k) or (n, k, k) with k of 2 to 4, got {array.shape}"
        )
    if len(array) == 0:
        raise InputError(f"{name} must not be empty")
    if dtype.kind == "f" and not np.isfinite(array).all():
        worst = int(np.argwhere(~np.isfinite(array))[0, 0])
        raise InputError(f"{name} must be finite in single precision; element {worst} is not")
    return array.astype(dtype)


def _packed(array: Array, layout: Layout, step: int) -> bytes:
    """The bytes of `array`, each element `step` bytes after the one before."""
    count = len(array)
    raw = np.zeros(count * step, np.uint8)
    shape = (count, layout.columns, layout.rows)
    strides = (step, layout.column_step, layout.component.itemsize)
    target: Array = np.ndarray(shape, layout.component, raw.data, 0, strides)
    target[...] = array.reshape(shape) if array.ndim < 3 else array.transpose(0, 2, 1)
    return raw.tobytes()
