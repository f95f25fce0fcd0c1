"""Array types, units and frames, for the whole package.

Z is up. Lengths are metres, times seconds, angles radians, quaternions wxyz (scalar first).
Positions are `(..., 3)` float64; functions that take positions and times broadcast the two.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from math import ceil, isfinite, isinf, isnan
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from surefoot import limits
from surefoot.errors import InputError

T = TypeVar("T")

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int32]
Bools: TypeAlias = npt.NDArray[np.bool_]
ArrayLike: TypeAlias = npt.ArrayLike
Vector: TypeAlias = Sequence[float] | Floats
"""Three numbers, as a list, tuple or array."""


def floats(
    value: ArrayLike,
    name: str,
    *,
    limit: float = limits.MAX_NUMBER,
    unit: str = "",
    infinite: bool = False,
    error: type[InputError] = InputError,
) -> Floats:
    """`value` as a contiguous float64 array of finite numbers, or an error that names it.

    Args:
        value: numbers in lists, tuples or arrays.
        name: what errors call it.
        limit: the largest magnitude.
        unit: of the numbers, for errors.
        infinite: infinities are taken too.
        error: what to raise.
    """
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as reason:
        raise error(f"{name} must be numbers, got {shortened(value)}") from reason
    # ascontiguousarray gives scalars an axis; keep the shape that was passed.
    array = array.reshape(np.shape(value))
    # False for NaN, too.
    fits = np.abs(array) <= limit
    if infinite:
        fits |= np.isinf(array)
    if not fits.all():
        where = np.argwhere(~fits)[0]
        at = f" at index {tuple(int(i) for i in where)}" if array.ndim else ""
        found = float(array[tuple(where)])
        if isfinite(found):
            raise error(f"{name} must be {_within(limit, unit)}, found {found:g}{at}")
        raise error(f"{name} must be {'numbers' if infinite else 'finite'}, found {found}{at}")
    return array


def vectors(
    value: ArrayLike,
    name: str,
    size: int = 3,
    *,
    limit: float = limits.MAX_NUMBER,
    unit: str = "",
    error: type[InputError] = InputError,
) -> Floats:
    """`value` as `(..., size)` finite float64."""
    array = floats(value, name, limit=limit, unit=unit, error=error)
    if array.shape == (0,):
        array = array.reshape(0, size)  # an empty list: none of them
    if array.ndim == 0 or array.shape[-1] != size:
        raise error(f"{name} must have shape (..., {size}), got {array.shape}")
    return array


def vector(
    value: ArrayLike,
    name: str,
    size: int = 3,
    *,
    limit: float = limits.MAX_NUMBER,
    unit: str = "",
    error: type[InputError] = InputError,
) -> Floats:
    """`value` as one finite float64 vector of `size` numbers, read-only."""
    array = vectors(value, name, size, limit=limit, unit=unit, error=error)
    if array.shape != (size,):
        raise error(f"{name} must have shape ({size},), got {array.shape}")
    return frozen(array)


def positions(value: ArrayLike, name: str, *, error: type[InputError] = InputError) -> Floats:
    """`value` as coordinates `(..., 3)` [m] within `limits.MAX_COORDINATE`."""
    return vectors(value, name, limit=limits.MAX_COORDINATE, unit="m", error=error)


def position(value: ArrayLike, name: str, *, error: type[InputError] = InputError) -> Floats:
    """`value` as the coordinates `(3,)` [m] of one point, read-only."""
    return vector(value, name, limit=limits.MAX_COORDINATE, unit="m", error=error)


def times(value: ArrayLike, name: str, *, error: type[InputError] = InputError) -> Floats:
    """`value` as times [s] of any shape within `limits.MAX_TIME`."""
    return floats(value, name, limit=limits.MAX_TIME, unit="s", error=error)


def number(
    value: Any,
    name: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    infinite: bool = False,
    limit: float = limits.MAX_NUMBER,
    unit: str = "",
    error: type[InputError] = InputError,
) -> float:
    """`value` as a float inside the stated bounds, or an error that names them."""
    if isinstance(value, str | bytes):
        raise error(f"{name} must be a number, got {shortened(value)}")
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError) as reason:
        given = "a larger one" if isinstance(value, int) else shortened(value)
        raise error(f"{name} must be a number, got {given}") from reason
    if isnan(result) or (isinf(result) and not infinite):
        raise error(f"{name} must be {'a number' if infinite else 'finite'}, got {result}")
    if above is not None and not result > above:
        raise error(f"{name} must be greater than {above:g}, got {result:g}")
    if at_least is not None and result < at_least:
        raise error(f"{name} must be at least {at_least:g}, got {result:g}")
    if at_most is not None and result > at_most:
        raise error(f"{name} must be at most {at_most:g}, got {result:g}")
    if abs(result) > limit and not isinf(result):
        raise error(f"{name} must be {_within(limit, unit)}, got {result:g}")
    return result


def time(
    value: Any,
    name: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    infinite: bool = False,
    error: type[InputError] = InputError,
) -> float:
    """`value` as a moment or a duration [s] within `limits.MAX_TIME`; see `number`."""
    return number(
        value, name, above=above, at_least=at_least, at_most=at_most, infinite=infinite,
        limit=limits.MAX_TIME, unit="s", error=error,
    )  # fmt: skip


def length(
    value: Any,
    name: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    infinite: bool = False,
    error: type[InputError] = InputError,
) -> float:
    """`value` as a length or a coordinate [m] within `limits.MAX_SIZE`; see `number`."""
    return number(
        value, name, above=above, at_least=at_least, at_most=at_most, infinite=infinite,
        limit=limits.MAX_SIZE, unit="m", error=error,
    )  # fmt: skip


def count(
    value: Any,
    name: str,
    *,
    at_least: int = 0,
    at_most: int = limits.MAX_COUNT,
    error: type[InputError] = InputError,
) -> int:
    """`value` as a whole number inside the stated bounds, or an error that names them."""
    result = number(value, name, error=error)
    if not result.is_integer():
        raise error(f"{name} must be a whole number, got {shortened(value)}")
    if result < at_least:
        raise error(f"{name} must be at least {at_least:,}, got {shortened(value)}")
    if result > at_most:
        raise error(f"{name} must be at most {at_most:,}, got {shortened(value)}")
    return int(result)


def samples(
    duration: float, rate: float, name: str, *, error: type[InputError] = InputError
) -> int:
    """How many samples at `rate` [1/s] cover `duration` [s], both ends included.

    Args:
        duration: [s], >= 0.
        rate: [1/s], > 0.
        name: what is sampled, for errors.
        error: what to raise when there are more than `limits.MAX_SAMPLES`.
    """
    needed = duration * rate
    if not needed < limits.MAX_SAMPLES:
        raise error(
            f"{name}: {duration:,.0f} s at {rate:,g} a second need {needed:,.0f} samples, "
            f"more than the limit of {limits.MAX_SAMPLES:,}"
        )
    return ceil(needed) + 1


def several(
    value: Any,
    kind: type[T] | tuple[type[T], ...],
    name: str,
    *,
    error: type[InputError] = InputError,
) -> tuple[T, ...]:
    """`value` as a tuple of members of a class, or of several; an error names what is none."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    what = f"{name} must be a list of {' or '.join(each.__name__ for each in kinds)} objects"
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise error(f"{what}, got {shortened(value)}")
    members = tuple(cast("Iterable[Any]", value))
    for i, member in enumerate(members):
        if not isinstance(member, kind):
            raise error(f"{what}, found {shortened(member)} at index {i}")
    return members


def expect(
    value: Any,
    kind: type[Any],
    name: str,
    example: str = "",
    *,
    error: type[InputError] = InputError,
) -> None:
    """Raises an error that names `value` unless it is of a class; `example`: "such as ..."."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        more = f" {example}" if example else ""
        raise error(f"{name}: expected {article} {kind.__name__}{more}, got {shortened(value)}")


def shortened(value: object) -> str:
    """`value` as an error shows it, in at most 60 characters."""
    text = reprlib.repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _within(limit: float, unit: str) -> str:
    shown = f"{limit:,.0f}" if limit < 1e12 else f"{limit:g}".replace("e+", "e")
    return f"within {shown}{' ' if unit else ''}{unit} of zero"


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
