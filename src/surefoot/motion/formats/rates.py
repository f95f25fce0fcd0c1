"""How many frames a second a file of motion really has."""

from __future__ import annotations

import math

from surefoot.arrays import number

USUAL_RATE = 30.0
"""[1/s]: for files that do not say."""
# People are captured at 5 to 1,000 frames a second.
_SLOWEST, _FASTEST = 5.0, 1000.0


def rate_of(frame_time: float | None, given: float | None) -> tuple[float, list[str]]:
    """Frames a second, and what to say about it.

    Args:
        frame_time: [s] between frames as a file states it; None where it does not.
        given: [1/s], by the caller; it wins.
    """
    if given is not None:
        return number(given, "rate", above=0.0), []
    if frame_time is None or not math.isfinite(frame_time) or frame_time <= 0.0:
        said = "states no frame time" if frame_time is None else f"states {frame_time:g} s a frame"
        return USUAL_RATE, [f"{said}; {USUAL_RATE:g} frames a second are assumed"]
    rate = 1.0 / frame_time
    notes: list[str] = []
    if not _SLOWEST <= rate <= _FASTEST:
        notes.append(f"states {rate:.4g} frames a second, which is unlikely; `rate` can correct it")
    return rate, notes
