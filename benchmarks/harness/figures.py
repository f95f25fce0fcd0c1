"""What was measured, and what is claimed of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from surefoot.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Row:
    """One measurement.

    Attributes:
        title: what was measured; rows with one title are compared with each other.
        subject: who was measured.
        value: the median.
        low: a quarter of the repeats lie below.
        high: a quarter of the repeats lie above.
        unit: of the three.
        count: how many questions or changes each repeat held.
        repeats: how often it was repeated.
        clock: time that cores worked, time on the wall, or none: counted, not timed.
        x: where on a curve the row lies, when it is part of one.
        x_name: what that is.
    """

    title: str
    subject: str
    value: float
    low: float
    high: float
    unit: str
    count: int
    repeats: int
    clock: Literal["core", "wall", "none"]
    x: float | None = None
    x_name: str = ""


@dataclass(frozen=True)
class Measured:
    """A number that was worked out from rows, and which rows those are."""

    value: float
    rows: tuple[int, ...]

    def __truediv__(self, other: Measured) -> Measured:
        """The ratio, from the rows of both."""
        return Measured(self.value / other.value, (*self.rows, *other.rows))

    def __lt__(self, other: Measured) -> bool:
        return self.value < other.value


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A claim and whether it holds; worked out from rows, never typed in.

    Attributes:
        claim: in words.
        sense: which side of the target is good.
        target: the bound.
        measured: the number, from the rows.
        unit: of target and measured; empty for ratios and shares.
        holds: whether measured is on the good side of target, or on it.
        rows: indices of the rows that `measured` comes from.
    """

    claim: str
    sense: Literal["at least", "at most"]
    target: float
    measured: float
    unit: str
    holds: bool
    rows: tuple[int, ...]

    @classmethod
    def judge(
        cls,
        claim: str,
        measured: Measured,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
        unit: str = "",
    ) -> Claim:
        """Compares a measured number with its target."""
        if not isinstance(measured, Measured):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"claim {claim!r}: only what rows measured can be claimed")
        if at_least is not None and at_most is None:
            sense, target, holds = "at least", at_least, measured.value >= at_least
        elif at_most is not None and at_least is None:
            sense, target, holds = "at most", at_most, measured.value <= at_most
        else:
            raise InputError(f"claim {claim!r}: give at_least or at_most")
        return cls(
            claim=claim,
            sense=sense,
            target=float(target),
            measured=measured.value,
            unit=unit,
            holds=holds,
            rows=measured.rows,
        )

    def sentence(self) -> str:
        """The claim in one line."""
        unit = f" {self.unit}" if self.unit else ""
        verdict = "holds" if self.holds else "DOES NOT HOLD"
        return (
            f"{verdict}: {self.claim}: {short(self.measured)}{unit}, "
            f"target {self.sense} {short(self.target)}{unit}"
        )


def short(value: float) -> str:
    """A number with three digits, or all of them before the point."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
