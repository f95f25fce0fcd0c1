"""The summands that costs are made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite, isnan
from typing import Any, TypeAlias

from surefoot import schema
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.errors import ProblemError, one_of
from surefoot.world import Place

WAIT = "wait"
"""The mode of standing still on whatever carries one; every other mode is a capability's name."""

RateFunction: TypeAlias = Callable[[Floats, float, str, Floats], float]
"""`f(position, t, mode, velocity)` gives the cost per second; position `(3,)` [m] and velocity
relative to the supporting body `(3,)` [m/s] are in world coordinates."""


@dataclass(frozen=True)
class Term(ABC):
    """One summand of a cost, scaled by its weight."""

    weight: float = 1.0

    @abstractmethod
    def constant(self, mode: str, character: Character) -> float:
        """[1/s] charged in this mode wherever one is."""

    def per_speed_squared(self, character: Character) -> float:
        """[1/s per (m/s)^2] charged for moving relative to the supporting body."""
        del character
        return 0.0

    def on(self, tags: Mapping[str, Any]) -> float:
        """[1/s] charged for moving, not for waiting, on a body with these tags."""
        del tags
        return 0.0


@schema.record("time cost")
@dataclass(frozen=True)
class Time(Term):
    """Every second costs the same."""

    def constant(self, mode: str, character: Character) -> float:
        """One, whatever is done."""
        del mode, character
        return self.weight


@schema.record("moving cost")
@dataclass(frozen=True)
class Moving(Term):
    """Every second of anything but waiting costs the same."""

    def constant(self, mode: str, character: Character) -> float:
        """One, unless one waits."""
        del character
        return 0.0 if mode == WAIT else self.weight


@schema.record("effort cost")
@dataclass(frozen=True)
class Effort(Term):
    """e_s + e_w v^2 [J/kg/s] (beacco2013, 5.3), with v relative to what one stands on."""

    def constant(self, mode: str, character: Character) -> float:
        """e_s: what standing costs, on a train as on the ground."""
        del mode
        return self.weight * character.standing_energy

    def per_speed_squared(self, character: Character) -> float:
        """e_w."""
        return self.weight * character.moving_energy


@schema.record("avoid cost")
@dataclass(frozen=True, kw_only=True)
class Avoid(Term):
    """Moving on a body with the tag costs the tag's value (true is 1) per second.

    Waiting there is free, so that waits stay the cheapest way to pass time.
    """

    tag: str

    def constant(self, mode: str, character: Character) -> float:
        """Nothing, away from the tag."""
        del mode, character
        return 0.0

    def on(self, tags: Mapping[str, Any]) -> float:
        """The tag's value."""
        value = tags.get(self.tag, False)
        known = isinstance(value, bool | int | float)
        if not known or not isfinite(value) or value < 0:
            raise ProblemError(
                f"cost: tag {self.tag!r} must be true, false or a number >= 0, got {value!r}"
            )
        return self.weight * value


@schema.record("prefer cost")
@dataclass(frozen=True, kw_only=True)
class Prefer(Term):
    """Every second of moving in another way than the preferred one costs the same."""

    mode: str

    def constant(self, mode: str, character: Character) -> float:
        """One in the other modes, unless one waits."""
        if self.mode not in character.capabilities:
            raise ProblemError(f"cost: {one_of('capability', self.mode, character.capabilities)}")
        return 0.0 if mode in (WAIT, self.mode) else self.weight


@schema.unwritable(
    "a cost function is code, which no file can hold; write the problem with a cost of time(),"
    " effort(), least_motion(), avoid(tag) and prefer(capability), and add the function after"
    " reading"
)
@dataclass(frozen=True, kw_only=True)
class Function(Term):
    """A rate of the user's own; its bounds are checked at every evaluation."""

    function: RateFunction
    lower: float | Mapping[str, float]
    waiting_upper: float

    def constant(self, mode: str, character: Character) -> float:
        """Nothing is constant about it."""
        del mode, character
        return 0.0

    @property
    def name(self) -> str:
        """What errors call it."""
        return getattr(self.function, "__name__", repr(self.function))

    def lower_bound(self, mode: str) -> float:
        """[1/s] The least that the mode can cost anywhere, as stated and unscaled."""
        if not isinstance(self.lower, Mapping):
            return self.lower
        if mode not in self.lower and mode != WAIT:
            raise ProblemError(
                f"cost function {self.name!r} states no lower bound for {mode!r}; it has:"
                f" {', '.join(sorted(self.lower)) or 'none'}"
            )
        return self.lower.get(mode, 0.0)

    def rate(self, position: Floats, t: float, mode: str, velocity: Floats) -> float:
        """[1/s] What the function says, once it has kept to its bounds."""
        rate = float(self.function(position, t, mode, velocity))
        found = f"cost function {self.name!r} gave {rate:g} for {mode!r} at"
        found += f" {Place(None, position)}, {t:.2f} s"
        if isnan(rate) or rate < self.lower_bound(mode):
            bound = self.lower_bound(mode)
            raise ProblemError(f"{found}; its stated lower bound is {bound:g}")
        if mode == WAIT and rate > self.waiting_upper:
            raise ProblemError(f"{found}; its stated waiting_upper is {self.waiting_upper:g}")
        return self.weight * rate
