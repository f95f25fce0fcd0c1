"""Where the parts of both feet go over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import ArrayLike, Floats, frozen, number
from surefoot.errors import InputError, one_of
from surefoot.motion.footholds import SIDES

PARTS = ("heel", "toe", "tip", "ankle")
"""What may be known of a foot: heel, toe (the ball), tip of the toes, ankle."""

SLOWEST_RATE = 8.0
"""[1/s]: of fewer frames a second a swing of a leg leaves too little to see."""

USUAL_LEG = 0.9
"""[m] hip joint to sole of an adult."""

_LONGEST_GAP = 0.25  # [s] that may be filled
_FOOT = (0.03, 0.6)  # [m] between heel and toe of anybody, in metres


@dataclass(frozen=True, eq=False, kw_only=True)
class FootPaths:
    """Where parts of both feet go, at an even rate; Z up, metres.

    Any of heel and toe, ankle and toe, heel alone, ankle alone, with or without the tips of the
    toes, will do; heel and toe tell most. Missing moments are NaN; gaps up to 0.25 s are filled.

    Attributes:
        rate: [1/s]: moments a second; at least 8.
        left: part to `(n, 3)` [m]; parts are `PARTS`.
        right: the same parts of the right foot.
        pelvis: `(n, 3)` [m], where it is known: it tells how long the legs are.
        leg_length: [m], hip to sole; from the pelvis when not given, 0.9 without one.
    """

    rate: float
    left: Mapping[str, ArrayLike]
    right: Mapping[str, ArrayLike]
    pelvis: ArrayLike | None = None
    leg_length: float | None = None

    def __post_init__(self) -> None:
        rate = check_rate(self.rate)
        sides: dict[str, dict[str, Floats]] = {}
        for side in SIDES:
            given: Mapping[str, ArrayLike] = getattr(self, side)
            for part in given:
                if part not in PARTS:
                    raise InputError(one_of(f"part of the {side} foot", part, PARTS))
            sides[side] = {
                part: _filled(given[part], f"{side} {part}", rate)
                for part in PARTS
                if part in given
            }
        if set(sides["left"]) != set(sides["right"]):
            raise InputError(
                f"both feet need the same parts; left has {', '.join(sides['left']) or 'none'},"
                f" right {', '.join(sides['right']) or 'none'}"
            )
        if not {"heel", "ankle"} & set(sides["left"]):
            raise InputError("feet need their heel or their ankle")
        everything = [*sides["left"].values(), *sides["right"].values()]
        pelvis = None if self.pelvis is None else _filled(self.pelvis, "pelvis", rate)
        lengths = {len(path) for path in [*everything, *([] if pelvis is None else [pelvis])]}
        if len(lengths) != 1:
            raise InputError(f"all paths must be equally long, got {sorted(lengths)} moments")
        _check_size(sides)
        leg = self.leg_length
        if leg is None:
            leg = USUAL_LEG if pelvis is None else _leg_below(pelvis, everything)
        put = object.__setattr__
        put(self, "rate", rate)
        put(self, "left", sides["left"])
        put(self, "right", sides["right"])
        put(self, "pelvis", pelvis)
        put(self, "leg_length", number(leg, "leg_length", above=0.0))

    def __len__(self) -> int:
        return len(next(iter(self.left.values())))  # pyright: ignore[reportArgumentType]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that are known."""
        return tuple(self.left)

    @property
    def times(self) -> Floats:
        """`(n,)` [s], from 0."""
        return np.arange(len(self)) / self.rate

    def points(self, parts: tuple[str, ...]) -> Floats:
        """`(n, 2, parts, 3)` [m] of left and right."""
        result = np.empty((len(self), 2, len(parts), 3))
        for foot, side in enumerate((self.left, self.right)):
            for index, part in enumerate(parts):
                result[:, foot, index] = side[part]
        return result


def check_rate(rate: float) -> float:
    """A rate [1/s] at which steps can be seen."""
    checked = number(rate, "rate", above=0.0)
    if checked < SLOWEST_RATE:
        raise InputError(
            f"{checked:g} frames a second are too few to see steps; at least {SLOWEST_RATE:g}"
        )
    return checked


def _filled(value: ArrayLike, name: str, rate: float) -> Floats:
    """A path with its short gaps filled along straight lines."""
    try:
        path = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as reason:
        raise InputError(f"{name} must be numbers, got {value!r}") from reason
    if path.ndim != 2 or path.shape[1] != 3 or len(path) == 0:
        raise InputError(f"{name} must be (n, 3), n >= 1, got {path.shape}")
    known = np.isfinite(path).all(axis=1)
    if known.all():
        return frozen(path)
    if not known.any():
        raise InputError(f"{name} is missing at every moment")
    at = np.arange(len(path))
    # Before the first and after the last known moment nothing can be said to be between.
    edges = np.flatnonzero(known)
    gaps = np.diff(np.concatenate([[-1], edges, [len(path)]])) - 1
    longest = int(np.argmax(gaps))
    if gaps[longest] / rate > _LONGEST_GAP:
        start = 0 if longest == 0 else int(edges[longest - 1]) + 1
        raise InputError(
            f"{name} is missing for {gaps[longest] / rate:.2g} s from moment {start} on;"
            f" at most {_LONGEST_GAP} s can be filled"
        )
    for axis in range(3):
        path[:, axis] = np.interp(at, edges, path[known, axis])
    return frozen(path)


def _check_size(sides: Mapping[str, Mapping[str, Floats]]) -> None:
    """Refuses millimetres and the like, which no limit in metres would fit."""
    for side, parts in sides.items():
        if "heel" not in parts or "toe" not in parts:
            continue
        apart = float(np.median(np.linalg.norm(parts["toe"] - parts["heel"], axis=1)))
        if not _FOOT[0] < apart < _FOOT[1]:
            raise InputError(
                f"{side} heel and toe are {apart:.3g} m apart, as on no foot; paths must be metres"
            )


def _leg_below(pelvis: Floats, feet: list[Floats]) -> float:
    """How high the pelvis stands above the lower foot when the legs are straight."""
    lower = np.min([path[:, 2] for path in feet], axis=0)
    height = float(np.quantile(pelvis[:, 2] - lower, 0.9))
    if not 0.2 < height < 3.0:
        raise InputError(
            f"the pelvis is {height:.3g} m above the feet, as in nobody who stands; give"
            " leg_length, or paths in metres with Z up"
        )
    return height
