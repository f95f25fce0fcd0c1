"""Loads: how much of the body each foothold carries over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import smoothed
from surefoot.motion.footholds import Holds
from surefoot.motion.gait import walk
from surefoot.motion.gait.airtimes import airtimes
from surefoot.motion.gait.course import Leap
from surefoot.motion.gait.similarity import slowness

# [s for a leg of 0.93 m] before and after a leap in which a foot on the ground is one it is about.
_NEAR = 0.4
_CHANGE = 0.81  # of a walk's stance: from one foot's mid-stance to the other's


@dataclass
class _Span:
    """When a foothold carries everything, and how long it takes to take over and to hand on."""

    begun: float
    rise: float
    fall: float
    up: float
    down: float


def loads(
    holds: Holds, grid: Floats, leg: float, leaps: Sequence[Leap]
) -> list[tuple[int, Floats]]:
    """How much each foothold carries over time: where it begins in the grid, and its loads.

    One in mid-stance carries everything; from mid-stance to mid-stance it changes evenly, so that
    stairs and slopes are climbed at an even pace. Leaps are between what was left and what is
    landed on, and nothing on the other side of one counts.

    Args:
        holds: the footholds of both feet.
        grid: [s] even times.
        leg: [m].
        leaps: of the course.
    """
    step = float(grid[1] - grid[0])
    raw: list[tuple[int, Floats]] = []
    total = np.zeros(len(grid))
    for span in _spans(holds, float(grid[-1]), leg, leaps):
        first, final = np.searchsorted(
            grid, [span.rise - 1.35 * span.up, span.fall + 1.35 * span.down]
        )
        first, final = int(max(first - 2, 0)), int(min(final + 2, len(grid)))
        if final - first < 2:
            first, final = max(min(first, len(grid) - 2), 0), min(max(final, 2), len(grid))
        times = grid[first:final]
        hat = np.minimum((times - span.rise) / span.up, (span.fall - times) / span.down) + 1
        width = round(0.3 * min(span.up, span.down) / step)
        load = smoothed(np.clip(hat, 0.0, 1.0), width) + 1e-6
        for leap in leaps:
            done = np.clip((times - leap.start) / (leap.end - leap.start), 0.0, 1.0)
            load = load * (1 - done if span.begun < leap.start else done)
        raw.append((first, load))
        total[first:final] += load
    total = np.maximum(total, 1e-12)
    return [(first, load / total[first : first + len(load)]) for first, load in raw]


def _spans(holds: Holds, last: float, leg: float, leaps: Sequence[Leap]) -> list[_Span]:
    usual = float(walk.duty(0.35) * walk.stride_time(0.35, leg))
    spans: list[_Span] = []
    landings, near = airtimes(holds.footholds, leg).ends, slowness(leg) * _NEAR
    for start, end in zip(holds.starts, holds.ends, strict=True):
        begun = float(start)
        for leap in leaps:
            if begun < leap.start and end > leap.start - near:
                end = leap.end + 2 * usual
            elif leap.end <= begun < leap.end + near:
                start = leap.start - 2 * usual
        end = min(end, last + 2 * usual)
        stance = min(end - start, 1.6 * usual)
        rise, fall = start + stance / 2, max(end - stance / 2, start + stance / 2)
        span = _Span(begun, rise, fall, _CHANGE * stance, _CHANGE * stance)
        # A run's stance is shorter than what is between two of them.
        if spans and np.abs(landings - begun).min(initial=np.inf) < 1e-6:
            span.up = max(span.up, span.rise - spans[-1].fall)
            spans[-1].down = max(spans[-1].down, span.rise - spans[-1].fall)
        spans.append(span)
    return spans
