"""What planning took: counts and times by name, collected by planners, and told in words.

Names are flat and the same in every planner that counts the same. Those of times end in `_ms`:
milliseconds of a stage, `total_ms` those of the whole call. `in_words` groups them for people.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

from surefoot import quantities

Statistics: TypeAlias = Mapping[str, int | float]

TOTAL = "total_ms"
"""The whole call: with training, loading and everything between the stages."""

TRAINING = "training_ms"
"""Making clips and training controllers, which happens once for a character and is kept."""

LOADING = "loading_ms"
"""Loading controllers that were trained before, which happens once in a process."""


WORTH_SAYING = 0.1
"""Share of the total from which on what is done once is said beside it."""


class Account:
    """The counts and times of one run of a planner.

    Args:
        progress: called at the end of each stage, with its name and how much of all is done, 0..1.
    """

    def __init__(self, progress: Callable[[str, float], None] | None = None) -> None:
        self._progress = progress
        self._begun = self._last = time.perf_counter()
        self._ended = 0.0
        self._noted: dict[str, int | float] = {}

    def count(self, name: str, more: int | float) -> None:
        """Adds to a count."""
        self._noted[name] = self._noted.get(name, 0) + more

    def stage(self, name: str, share: float) -> None:
        """Ends a stage: adds the time since the last one ended to its own."""
        now = time.perf_counter()
        self.count(f"{name}_ms", 1e3 * (now - self._last))
        self._last, self._ended = now, share
        self.report(name, share)

    @property
    def is_followed(self) -> bool:
        """Whether somebody is called with progress."""
        return self._progress is not None

    def report(self, stage: str, share: float) -> None:
        """Says how far it is, with no stage ended."""
        if self._progress is not None:
            self._progress(stage, share)

    def rest(self, stage: str, share: float) -> None:
        """Says how much is done of what was left when the last stage ended, 0 to 1."""
        self.report(stage, self._ended + (1.0 - self._ended) * share)

    @property
    def statistics(self) -> dict[str, int | float]:
        """All of it, with the time since the beginning as the total."""
        total = {TOTAL: 1e3 * (time.perf_counter() - self._begun)}
        return {
            name: round(value, 3) if name.endswith("_ms") else value
            for name, value in (self._noted | total).items()
        }


def headline(statistics: Statistics) -> str:
    """How long planning took, and which of it need not be waited for again: "1.8 s"."""
    if TOTAL not in statistics:
        return ""
    total = statistics[TOTAL]
    once = [
        f"{_time(statistics[name])} of it {what}"
        for name, what in _ONCE.items()
        if statistics.get(name, 0) > WORTH_SAYING * total
    ]
    return ", ".join([f"planned in {_time(total)}", *once])


def in_words(statistics: Statistics) -> str:
    """Every statistic, by what it is about: "ground: 13,032 cells in 47 ms; search: ..."."""
    told = {TOTAL, *_DETAILS}
    groups: list[str] = []
    for name, counts, clock in _GROUPS:
        told |= {*counts, clock}
        parts = [say(statistics[key]) for key, say in counts.items() if statistics.get(key)]
        if clock in statistics:
            spent = _time(statistics[clock])
            groups.append(f"{name}: {', '.join(parts)} in {spent}" if parts else f"{name} {spent}")
        elif parts:
            groups.append(f"{name}: {', '.join(parts)}")
    # Those of planners made elsewhere, and of older files.
    others = [
        f"{name} {_time(value)}" if name.endswith("_ms") else f"{quantities.number(value)} {name}"
        for name, value in statistics.items()
        if name not in told
    ]
    return "; ".join(groups + others)


_Say: TypeAlias = Callable[[float], str]


def _time(milliseconds: float) -> str:
    return quantities.duration(1e-3 * milliseconds)


def _of(noun: str, plural: str | None = None) -> _Say:
    return lambda value: quantities.count(round(value), noun, plural)


def _metres(what: str) -> _Say:
    return lambda value: f"{quantities.number(value)} m {what}"


_EXPANDED = _of("node expanded", "nodes expanded")
_EVALUATED = _of("trajectory evaluated", "trajectories evaluated")

_ONCE = {TRAINING: "training", LOADING: "loading controllers", "steps_ms": "gathering steps"}
"""What is not done again for the next plan of the same character."""

_DETAILS = frozenset({
    "trajectories_recalled", "failures_foreseen", "nodes_culled", "nodes_queued", "waits",
    "gap_markers",
})  # fmt: skip
"""Of the space-time search, for who works on it: not said in words."""

_GROUPS: tuple[tuple[str, Mapping[str, _Say], str], ...] = (
    ("training", {}, TRAINING),
    ("loading controllers", {}, LOADING),
    ("steps", {}, "steps_ms"),
    ("ground", {"cells": _of("cell")}, "ground_ms"),
    ("landmarks", {"landmarks": _of("landmark")}, "landmarks_ms"),
    ("order of goals", {}, "order_ms"),
    ("route", {}, "route_ms"),
    ("heuristic", {}, "heuristic_ms"),
    (
        "search",
        {
            "episodes": _of("episode"),
            "milestones": _of("milestone"),
            "stages": _of("stage"),
            "plans": _of("plan"),
            "replans": lambda value: f"{round(value):,} of them since something came in the way",
            "searches": _of("search", "searches"),
            "nodes_expanded": _EXPANDED,
            "steps_generated": _of("step generated", "steps generated"),
            "steps_refused": _of("step refused", "steps refused"),
            "moves_refused": _of("move refused", "moves refused"),
            "trajectories_evaluated": _EVALUATED,
            "trajectories_succeeded": lambda value: f"{round(value):,} of them to their target",
            "memory_bytes": lambda value: f"{quantities.memory(value)} of memory",
            "least_cost": lambda value: f"lower bound {value:,.2f} for these landmarks",
            "metres": _metres("of path"),
            "metres_kept": _metres("of the old path"),
        },
        "search_ms",
    ),
    ("slowest search", {}, "slowest_ms"),
    (
        "obstructions",
        {"obstruction_tests": _of("test")},
        "obstruction_ms",
    ),
    ("timing", {"sweeps": _of("sweep")}, "timing_ms"),
    ("assembly", {}, "assembly_ms"),
    (
        "on the way",
        {
            "jumps": _of("jump"),
            "steps_over": _of("step over a gap", "steps over gaps"),
            "falls": _of("fall"),
            "struck": lambda value: f"struck {quantities.count(round(value), 'time')}",
        },
        "",
    ),
)
"""What a group is called, its counts as they are said, and the time that it took."""
