"""Wishes: what a gait should be like, from a short description."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from surefoot.errors import InputError

_SPEED = re.compile(r"(-?\d+(?:\.\d+)?)\s*m/s")
_RATE = re.compile(r"(-?\d+(?:\.\d+)?)\s*(deg|rad)/s")
_LEAN = re.compile(r"lean(?:ing)? (forward|back)(?:ward)?(?: by (\d+(?:\.\d+)?) deg)?")
_VERBS = ("walk", "run", "sidestep", "turn", "step")


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What the tuner aims for.

    Attributes:
        speed: [m/s] ahead.
        sideways: [m/s] to the left.
        turn: [rad/s] to the left.
        flight: share of the time without a foot on the ground, at least; a walk wants none.
        width: [m] between the feet, at most.
        lean: [rad] of the root, ahead.
    """

    speed: float = 0.0
    sideways: float = 0.0
    turn: float = 0.0
    flight: float = 0.0
    width: float = 0.19
    lean: float | None = None


def wish(text: str) -> Wish:
    """Reads a sentence of a few known words.

    "walk at 1.2 m/s", "run at 2.5 m/s", "sidestep left at 0.5 m/s", "walk in place",
    "turn right at 30 deg/s while walking at 0.8 m/s", "walk backward at 0.5 m/s leaning back by
    5 deg".
    """
    words = text.lower()
    if not any(re.search(rf"\b{verb}", words) for verb in _VERBS):
        raise InputError(
            f"what should it be like? {text!r} has none of the verbs {', '.join(_VERBS)}; "
            f'for example "run at 2.5 m/s" or "sidestep left at 0.5 m/s"'
        )
    right = -1.0 if re.search(r"\bright\b", words) else 1.0
    speeds = [float(found) for found in _SPEED.findall(words)]
    if len(speeds) > 1:
        raise InputError(f"{text!r} has {len(speeds)} speeds; say one")
    aside = "sidestep" in words
    still = re.search(r"in place", words) or ("turn" in words and not speeds)
    if not speeds and not still:
        raise InputError(f'{text!r} has no speed; say "at 1.2 m/s", or "in place"')
    speed = speeds[0] if speeds else 0.0
    if re.search(r"\bback(ward|wards)?\b", _LEAN.sub("", words)):
        speed = -speed
    turn = 0.0
    if re.search(r"\bturn", words):
        rate = _RATE.search(words)
        if rate is None:
            raise InputError(f'{text!r} turns; say how fast, as in "turn left at 30 deg/s"')
        turn = float(rate[1]) * (math.pi / 180 if rate[2] == "deg" else 1.0) * right
    leaning = _LEAN.search(words)
    lean = None
    if leaning:
        angle = math.radians(float(leaning[2] or 6.0))
        lean = angle if leaning[1] == "forward" else -angle
    return Wish(
        speed=0.0 if aside else speed,
        sideways=speed * right if aside else 0.0,
        turn=turn,
        flight=0.2 if re.search(r"\brun", words) else 0.0,
        width=0.3 if aside else 0.19,
        lean=lean,
    )
