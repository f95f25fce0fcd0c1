"""Kinds of values in a scenario file: each takes what TOML gave and returns it checked.

A kind raises `Unfit` with what it expected; the table that asked adds the key and what was found.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from surefoot.errors import one_of
from surefoot.limits import MAX_COORDINATE, MAX_NUMBER, MAX_TIME

T = TypeVar("T")

_SHOWN = 60
"""Longest value that an error repeats."""


class Unfit(Exception):  # noqa: N818 - part of no public tree; tables turn it into a problem
    """A value is not of a kind; `str` says what was expected, or the whole complaint.

    Attributes:
        whole: whether the message needs no ", got ..." after it.
    """

    def __init__(self, message: str, *, whole: bool = False) -> None:
        self.whole = whole
        super().__init__(message)


def shown(value: Any) -> str:
    """A value as an error shows it: as TOML writes it, cut when long."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        text = "[" + ", ".join(map(shown, cast("list[Any]", value)[:_SHOWN])) + "]"
    elif isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = json.dumps(value[: _SHOWN + 1], ensure_ascii=False)
    elif isinstance(value, int) and value.bit_length() > 200:
        text = "a whole number of more than 60 digits"
    else:
        text = str(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def text(value: Any) -> str:
    """Text that is not empty."""
    if not isinstance(value, str) or not value:
        raise Unfit("expected text")
    return value


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Unfit("expected true or false")
    return value


def number(
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    infinite: bool = False,
) -> Callable[[Any], float]:
    """A number inside bounds."""
    bounds = [
        f"{sign} {bound:g}"
        for sign, bound in ((">", above), (">=", at_least), ("<=", at_most))
        if bound is not None
    ]
    expected = " ".join(["expected a number", " and ".join(bounds)]).rstrip()

    def check(value: Any) -> float:
        found = _float(value)
        if found is None or math.isnan(found) or (math.isinf(found) and not infinite):
            raise Unfit(expected)
        if math.isfinite(found) and abs(found) > MAX_NUMBER:
            raise Unfit(f"{expected}, within {MAX_NUMBER:g} of zero")
        too_low = (above is not None and found <= above) or (
            at_least is not None and found < at_least
        )
        if too_low or (at_most is not None and found > at_most):
            raise Unfit(expected)
        return found

    return check


def whole(*, at_least: int) -> Callable[[Any], int]:
    """A whole number, not smaller than `at_least` and below two thousand millions."""

    def read(value: Any) -> int:
        if type(value) is not int or not at_least <= value < 2**31:
            raise Unfit(f"expected a whole number >= {at_least}")
        return value

    return read


def point(*, infinite: bool = False) -> Callable[[Any], tuple[float, ...]]:
    """Three numbers."""
    expected = f"expected three numbers within {MAX_COORDINATE:,.0f} m of zero"
    return _numbers(3, expected, limit=MAX_COORDINATE, infinite=infinite)


def span(value: Any) -> tuple[float, float]:
    """Two numbers, the first not after the second; infinite ones leave an end open."""
    expected = "expected [earliest, latest]"
    first, second = _numbers(2, expected, limit=MAX_TIME, infinite=True)(value)
    if first > second:
        raise Unfit(expected)
    return first, second


def choice(what: str, choices: Iterable[str]) -> Callable[[Any], str]:
    """One of several names."""
    known = list(choices)

    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise Unfit(f"expected one of: {', '.join(known)}")
        if value not in known:
            raise Unfit(one_of(what, value, known), whole=True)
        return value

    return check


def several(kind: Callable[[Any], T], expected: str) -> Callable[[Any], tuple[T, ...]]:
    """A list, not empty, of values of one kind."""

    def check(value: Any) -> tuple[T, ...]:
        if not isinstance(value, list) or not value:
            raise Unfit(f"expected {expected}")
        found: list[T] = []
        for i, item in enumerate(cast("list[Any]", value)):
            try:
                found.append(kind(item))
            except Unfit as reason:
                ending = "" if reason.whole else f", got {shown(item)}"
                raise Unfit(f"entry {i + 1}: {reason}{ending}", whole=True) from None
        return tuple(found)

    return check


def _numbers(
    size: int, expected: str, *, limit: float, infinite: bool
) -> Callable[[Any], tuple[float, ...]]:
    def check(value: Any) -> tuple[float, ...]:
        items = cast("list[Any]", value) if isinstance(value, list) else []
        found = [_float(item) for item in items]
        fine = [
            x for x in found if x is not None and (abs(x) <= limit or (infinite and math.isinf(x)))
        ]
        if len(items) != size or len(fine) != size:
            raise Unfit(expected)
        return tuple(fine)

    return check


def _float(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:  # TOML has whole numbers of any length
        return None
