"""Array types, units and frames, for the whole package.

Z is up. Lengths are metres, times seconds, angles radians, quaternions wxyz (scalar first).
Positions are `(..., 3)` float64; functions that take positions and times broadcast the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf, isnan
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from surefoot.errors import InputError

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int32]
Bools: TypeAlias = npt.NDArray[np.bool_]
ArrayLike: TypeAlias = npt.ArrayLike
Vector: TypeAlias = Sequence[float] | Floats
"""Three numbers, as a list, tuple or array."""


def floats(value: ArrayLike, name: str, *, error: type[InputError] = InputError) -> Floats:
    """`value` as a contiguous float64 array of finite numbers, or an error that names it."""
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as reason:
        raise error(f"{name} must be numbers, got {value!r}") from reason
    # ascontiguousarray gives scalars an axis; keep the shape that was passed.
    array = array.reshape(np.shape(value))
    if not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(array))[0]
        at = f" at index {tuple(int(i) for i in where)}" if array.ndim else ""
        raise error(f"{name} must be finite, found {array[tuple(where)]}{at}")
    return array


def vectors(
    value: ArrayLike, name: str, size: int = 3, *, error: type[InputError] = InputError
) -> Floats:
    """`value` as `(..., size)` finite float64."""
    array = floats(value, name, error=error)
    if array.ndim == 0 or array.shape[-1] != size:
        raise error(f"{name} must have shape (..., {size}), got {array.shape}")
    return array


def vector(
    value: ArrayLike, name: str, size: int = 3, *, error: type[InputError] = InputError
) -> Floats:
    """`value` as one finite float64 vector of `size` numbers, read-only."""
    array = vectors(value, name, size, error=error)
    if array.shape != (size,):
        raise error(f"{name} must have shape ({size},), got {array.shape}")
    return frozen(array)


def number(
    value: Any,
    name: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    infinite: bool = False,
    error: type[InputError] = InputError,
) -> float:
    """`value` as a float inside the stated bounds, or an error that names them."""
    if isinstance(value, str | bytes):
        raise error(f"{name} must be a number, got {value!r}")
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError) as reason:
        given = "a larger one" if isinstance(value, int) else repr(value)
        raise error(f"{name} must be a number, got {given}") from reason
    if isnan(result) or (isinf(result) and not infinite):
        raise error(f"{name} must be {'a number' if infinite else 'finite'}, got {result}")
    if above is not None and not result > above:
        raise error(f"{name} must be greater than {above:g}, got {result:g}")
    if at_least is not None and result < at_least:
        raise error(f"{name} must be at least {at_least:g}, got {result:g}")
    if at_most is not None and result > at_most:
        raise error(f"{name} must be at most {at_most:g}, got {result:g}")
    return result


def frozen(array: Floats) -> Floats:
    """A read-only array with the same values; a copy unless it is read-only already."""
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array


def interpolate(at: Floats, keys: Floats, values: Floats) -> Floats:
    """Rows `(k, c)` at `at` `(k,)`, linear between rows `(n, c)` at increasing `keys` `(n,)`."""
    columns: list[Floats] = [np.interp(at, keys, column) for column in values.T]
    return np.stack(columns, axis=-1)
