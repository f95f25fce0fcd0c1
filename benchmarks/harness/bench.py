"""Collects rows and claims while a benchmark runs."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from benchmarks.harness.figures import Claim, Measured, Row
from surefoot.errors import InputError

_PER_SECOND = {"s": 1.0, "ms": 1e3, "µs": 1e6}
"""Units of time that a piece of work can be reported in; any other unit is a rate."""

Clock = Literal["core", "wall"]
_CLOCKS: Mapping[Clock, Callable[[], float]] = {
    "core": time.process_time,
    "wall": time.perf_counter,
}


@dataclass(frozen=True)
class Work:
    """One contender's work.

    Attributes:
        run: does it once; what it returns for the first time is kept as its answer.
        count: how many questions or changes that was.
    """

    run: Callable[[], Any]
    count: int


@dataclass(frozen=True)
class Rates(Mapping[str, Measured]):
    """What `Bench.measure` found, by contender.

    Attributes:
        medians: one for each contender.
        answers: what each returned when it ran first, to compare.
    """

    medians: Mapping[str, Measured]
    answers: Mapping[str, Any]

    def __getitem__(self, name: str) -> Measured:
        return self.medians[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.medians)

    def __len__(self) -> int:
        return len(self.medians)


class Bench:
    """The rows and claims of one benchmark.

    Args:
        told: called with each row as it comes, to show progress.
    """

    def __init__(self, told: Callable[[Row], None] = lambda _: None) -> None:
        self.rows: list[Row] = []
        self.claims: list[Claim] = []
        self._told = told

    def measure(
        self,
        title: str,
        work: Mapping[str, Work],
        *,
        unit: str = "queries/s",
        repeats: int = 9,
        clock: Clock = "core",
        x: float | None = None,
        x_name: str = "",
    ) -> Rates:
        """Times contenders in turn, so that what disturbs one disturbs all; adds a row for each.

        Args:
            title: what is measured.
            work: by contender.
            unit: "s", "ms" or "µs" for the time of one question; anything else is questions per
                second.
            repeats: rounds after a first one that is not timed.
            clock: "core" counts the time that cores worked for this process, which other
                processes do not lengthen by taking turns; "wall" is for work on several threads.
            x: where on a curve this is.
            x_name: what that is.
        """
        if repeats < 1 or not work or any(each.count < 1 for each in work.values()):
            raise InputError(f"{title!r}: needs work, counts and repeats of at least 1")
        answers = {name: each.run() for name, each in work.items()}
        seconds: dict[str, list[float]] = {name: [] for name in work}
        for _ in range(repeats):
            for name, each in work.items():
                seconds[name].append(_time(each.run, _CLOCKS[clock]))
        medians: dict[str, Measured] = {}
        for name, each in work.items():
            values = np.array(seconds[name]) / each.count
            values = values * _PER_SECOND[unit] if unit in _PER_SECOND else 1 / values
            low, median, high = (float(v) for v in np.percentile(values, [25, 50, 75]))
            medians[name] = self._add(
                Row(
                    title=title, subject=name, value=median, low=low, high=high, unit=unit,
                    count=each.count, repeats=repeats, clock=clock, x=x, x_name=x_name,
                )
            )  # fmt: skip
        return Rates(medians, answers)

    def record(self, title: str, subject: str, value: float, unit: str, count: int) -> Measured:
        """Adds what was counted and not timed: a share of agreeing answers, say.

        Args:
            title: what was counted.
            subject: on whom.
            value: the result.
            unit: "share", say.
            count: how many questions it was found over.
        """
        value = float(value)
        return self._add(
            Row(
                title=title, subject=subject, value=value, low=value, high=value, unit=unit,
                count=count, repeats=1, clock="none",
            )
        )  # fmt: skip

    def claim(
        self,
        text: str,
        measured: Measured,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
        unit: str = "",
    ) -> Claim:
        """Holds what rows measured against a target."""
        claim = Claim.judge(text, measured, at_least=at_least, at_most=at_most, unit=unit)
        self.claims.append(claim)
        return claim

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return all(claim.holds for claim in self.claims)

    def _add(self, row: Row) -> Measured:
        self.rows.append(row)
        self._told(row)
        return Measured(row.value, (len(self.rows) - 1,))


def _time(run: Callable[[], Any], clock: Callable[[], float]) -> float:
    # A collection of garbage belongs to nobody's time.
    gc.collect()
    gc.disable()
    try:
        before = clock()
        run()
        return clock() - before
    finally:
        gc.enable()
