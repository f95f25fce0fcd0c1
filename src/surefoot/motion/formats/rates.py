"""How many frames a second a file of motion really has: what it states, unless that cannot be."""

from __future__ import annotations

import math

from surefoot.arrays import number
from surefoot.motion.formats.pace import Pace

USUAL_RATE = 30.0
"""[1/s]: for files that do not say, of motion that does not tell."""
# What motion is captured at [1/s].
_USUAL = (24.0, 30.0, 60.0, 120.0, 240.0)
_CAPTURED = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 144.0, 200.0, 240.0)
# Rates [1/s] that a file is believed, as long as the motion does not speak against it.
_SLOWEST, _FASTEST = 8.0, 1000.0
# Frame times are rounded to this share of themselves; 29.97 frames a second differ by more.
_ROUNDED = 2e-4
# How far the motion's own pace may be from the stated rate: beyond the first, say so; beyond the
# second, the file is wrong. Slow and careful people are natural, those four times as fast are not.
_ODD, _WRONG = (0.45, 2.6), (0.4, 3.3)


def rate_of(
    frame_time: float | None, natural: Pace | None, given: float | None
) -> tuple[float, list[str]]:
    """Frames a second, and what to say about it.

    Args:
        frame_time: [s] between frames as a file states it; None where it does not.
        natural: [1/s], as the motion itself tells; None where it does not.
        given: [1/s], by the caller; it wins.
    """
    if given is not None:
        return number(given, "rate", above=0.0), []
    if frame_time is None:
        return _guess("states no frame time", natural)
    if not math.isfinite(frame_time) or frame_time <= 0.0:
        return _guess(f"states {frame_time:g} s a frame", natural)
    rate = 1.0 / frame_time
    # Files round: .0083333 s are meant to be 120 frames a second.
    if abs(round(rate) - rate) < _ROUNDED * rate:
        rate = float(round(rate))
    if not _SLOWEST <= rate <= _FASTEST:
        return _unlikely(frame_time, natural)
    if natural is not None and natural.sure:
        said = f"states {rate:.4g} frames a second, but people move so at about {natural.rate:.3g}"
        if not _WRONG[0] <= natural.rate / rate <= _WRONG[1]:
            return _guess(said, natural)
        if not _ODD[0] <= natural.rate / rate <= _ODD[1]:
            return rate, [f"{said}; `rate` can correct it"]
    return rate, []


def _unlikely(frame_time: float, natural: Pace | None) -> tuple[float, list[str]]:
    """The rate of a file that states one that is not in use."""
    said = f"states {frame_time:.6g} s a frame"
    for value, what in ((frame_time, "frames a second"), (1000.0 / frame_time, "milliseconds")):
        for rate in _CAPTURED:
            if abs(value / rate - 1.0) < 2e-3:
                return rate, [f"{said}, taken for {what}: {rate:g} frames a second"]
    if natural is None:
        rate = 1.0 / frame_time
        return rate, [f"{said}, {rate:.4g} frames a second, which is unlikely; see `rate`"]
    return _guess(said, natural)


def _guess(said: str, natural: Pace | None) -> tuple[float, list[str]]:
    if natural is None:
        return USUAL_RATE, [f"{said}; {USUAL_RATE:g} frames a second are assumed; see `rate`"]
    rate = min(_USUAL, key=lambda rate: abs(math.log(rate / natural.rate)))
    return rate, [f"{said}; {rate:g} frames a second are assumed, from the motion; see `rate`"]
