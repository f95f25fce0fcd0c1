"""Numbers for people: in the unit that suits their size, never with an exponent.

Everything that is printed goes through here, so that the same number looks the same everywhere.
"""

from __future__ import annotations

from math import floor, inf, isfinite, log10

_DIGITS = 3
"""Significant digits of a number without a unit."""


def number(value: float) -> str:
    """Three significant digits, all digits of what is larger: "0.19", "47.2", "13,032"."""
    if not isfinite(value):
        return "infinite" if value == inf else str(value)
    return _rounded(value, _DIGITS)


def count(value: int, noun: str, plural: str | None = None) -> str:
    """How many there are: "1 cell", "13,032 cells"; `plural` where it is not `noun` with an s."""
    return f"{value:,} {noun if value == 1 else plural or noun + 's'}"


def duration(seconds: float) -> str:
    """How long something took: "0.19 ms", "47 ms", "1.8 s", "43 s", "2 min 21 s", "1 h 5 min"."""
    if not isfinite(seconds):
        return number(seconds)
    if seconds < 0.0:
        return f"-{duration(-seconds)}"
    milliseconds = 1e3 * seconds
    # What would round up to the next unit is written in that.
    if milliseconds < 999.5:
        return f"{_rounded(milliseconds, 2)} ms"
    if seconds < 59.5:
        return f"{_rounded(seconds, 2)} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    minutes = round(seconds / 60.0)
    hours, rest = f"{minutes // 60:,} h", minutes % 60
    return f"{hours} {rest} min" if rest else hours


def estimate(seconds: float) -> str:
    """A time that is only roughly known: "about 5 s", "about 40 s", "about 3 min"."""
    if seconds < 57.5:
        return f"about {max(5 * round(seconds / 5.0), 5)} s"
    return f"about {max(round(seconds / 60.0), 1)} min"


def memory(size: float) -> str:
    """How much memory: "120 bytes", "68 kB", "1.2 MB"."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        # What would round up to the next unit is written in that.
        if size >= 0.9995 * factor:
            return f"{_rounded(size / factor, 2)} {unit}"
    return count(round(size), "byte")


def _rounded(value: float, digits: int) -> str:
    """So many significant digits at least, and no digit before the point rounded away."""
    if value == 0:
        return "0"
    places = max(digits - 1 - floor(log10(abs(value))), 0)
    # Rounding may add a digit: 9.96 with two of them is 10, not 10.0.
    value = round(value, places)
    places = max(digits - 1 - floor(log10(abs(value))), 0) if value else 0
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text and digits == _DIGITS else text
