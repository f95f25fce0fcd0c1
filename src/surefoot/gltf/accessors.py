"""Accessors: typed arrays that lie in the buffers, packed, strided, interleaved or sparse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from surefoot.gltf.buffers import Budget, Buffers
from surefoot.gltf.fields import Field

Array: TypeAlias = npt.NDArray[Any]

COMPONENTS: Final[dict[int, np.dtype[Any]]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
"""The number types that a glTF file can hold, by their code."""

ELEMENTS: Final[dict[str, tuple[int, int]]] = {
    "SCALAR": (1, 1),
    "VEC2": (1, 2),
    "VEC3": (1, 3),
    "VEC4": (1, 4),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}
"""Columns and rows of one element, by its type name."""


@dataclass(frozen=True)
class Layout:
    """How one element lies in memory [bytes]."""

    component: np.dtype[Any]
    columns: int
    rows: int

    @property
    def column_step(self) -> int:
        """From one column of a matrix to the next: columns start at multiples of four."""
        step = self.rows * self.component.itemsize
        return step if self.columns == 1 else (step + 3) // 4 * 4

    @property
    def size(self) -> int:
        """From one element to the next when they are packed."""
        return self.columns * self.column_step

    @property
    def reach(self) -> int:
        """From an element's start to the end of its last number, without padding behind it."""
        return (self.columns - 1) * self.column_step + self.rows * self.component.itemsize


class Accessors:
    """The accessors of one file; each is decoded once, when it is first used."""

    def __init__(self, root: Field, buffers: Buffers, budget: Budget) -> None:
        self._fields = root.elements("accessors")
        self._buffers = buffers
        self._budget = budget
        self._decoded: dict[int, Array] = {}

    def __len__(self) -> int:
        return len(self._fields)

    def field(self, index: int) -> Field:
        """The JSON of an accessor, for its path in messages."""
        return self._fields[index]

    def kind(self, index: int) -> tuple[str, np.dtype[Any], bool]:
        """Element type name, stored number type, and whether integers mean fractions."""
        field = self._fields[index]
        name = field.require("type")
        if name.string() not in ELEMENTS:
            raise name.error(f"{name.string()!r} is unknown; there are: {', '.join(ELEMENTS)}")
        code = field.require("componentType")
        if code.integer() not in COMPONENTS:
            known = ", ".join(str(known) for known in COMPONENTS)
            raise code.error(f"{code.integer()} is unknown; there are: {known}")
        return name.string(), COMPONENTS[code.integer()], field.flag("normalized")

    def array(self, index: int) -> Array:
        """The elements of an accessor, read-only.

        Returns:
            `(n,)` for scalars, `(n, k)` for vectors, `(n, rows, columns)` for matrices; in the
            stored number type, or float64 when the integers are normalised fractions.
        """
        if index not in self._decoded:
            array = self._decode(self._fields[index], index)
            array.flags.writeable = False
            self._decoded[index] = array
        return self._decoded[index]

    def _decode(self, field: Field, index: int) -> Array:
        name, component, normalized = self.kind(index)
        columns, rows = ELEMENTS[name]
        layout = Layout(component, columns, rows)
        count = field.require("count").integer(low=1)
        fractions = normalized and component.kind != "f"
        item = 8 if fractions else component.itemsize
        self._budget.spend(count * columns * rows * item, field.require("count"))

        view = field.optional_index("bufferView", self._buffers.view_count)
        if view is None:
            array: Array = np.zeros((count, columns, rows), component)
        else:
            array = self._elements(field, view, layout, count)
        sparse = field.get("sparse")
        if sparse is not None:
            self._replace(sparse, array, layout)
        if component.kind == "f" and not np.isfinite(array).all():
            worst = int(np.argwhere(~np.isfinite(array))[0, 0])
            raise field.error(f"element {worst} is not a finite number")
        if fractions:
            array = np.maximum(array / float(np.iinfo(component).max), -1.0)
        if columns > 1:  # stored column by column
            return np.ascontiguousarray(array.transpose(0, 2, 1))
        return array.reshape((count,) if rows == 1 else (count, rows))

    def _elements(self, field: Field, view: int, layout: Layout, count: int) -> Array:
        """A copy `(count, columns, rows)` of the elements that lie in a buffer view."""
        data, stride = self._buffers.view(view)
        if 0 < stride < layout.reach:
            raise field.error(
                f"its elements take {layout.reach} bytes, the view's stride is {stride}"
            )
        step = stride or layout.size
        offset = field.optional_integer("byteOffset", 0)
        end = offset + step * (count - 1) + layout.reach
        if end > len(data):
            raise field.error(
                f"{count} elements end at byte {end} of bufferViews[{view}], which has {len(data)}"
            )
        shape = (count, layout.columns, layout.rows)
        strides = (step, layout.column_step, layout.component.itemsize)
        return np.ndarray(shape, layout.component, data, offset, strides).copy()

    def _replace(self, sparse: Field, array: Array, layout: Layout) -> None:
        """Write the elements that a sparse accessor states over `array`, in place."""
        count = sparse.require("count").integer(low=1, high=len(array))
        indices, values = sparse.require("indices"), sparse.require("values")
        code = indices.require("componentType")
        component = COMPONENTS.get(code.integer())
        if component is None or component.kind != "u":
            raise code.error(f"{code.integer()} is no unsigned integer type (5121, 5123, 5125)")
        self._budget.spend(count * (component.itemsize + layout.size), sparse.require("count"))
        index_view = indices.require("bufferView").index(self._buffers.view_count)
        value_view = values.require("bufferView").index(self._buffers.view_count)
        rows = self._elements(indices, index_view, Layout(component, 1, 1), count)
        where = rows.reshape(-1).astype(np.int64)
        if (np.diff(where) <= 0).any():
            raise indices.error("must increase from one to the next")
        if where[-1] >= len(array):
            raise indices.error(f"{where[-1]} is out of range, the accessor has {len(array)}")
        array[where] = self._elements(values, value_view, layout, count)
