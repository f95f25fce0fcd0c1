"""Figures about the clips of a library: how much there is of what, and how good it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from surefoot.motion.library.library import Library
from surefoot.motion.plants import FootPaths, Plants, foot_paths
from surefoot.motion.quality import Quality, assess

# [s] at either end of a plant in which the foot still lands, or already lifts.
_EDGE = 0.08
_TRAVELLING = ("walk", "run", "crouch", "step up", "step down")


@dataclass(frozen=True, kw_only=True)
class ClipFigures:
    """One clip in numbers; NaN where there is nothing to measure.

    Attributes:
        name: of the clip.
        duration: [s].
        rate: [1/s], frames.
        plants: how many.
        modes: how many steps of each mode, the commonest first.
        speed: [m/s] of the root, over all steps that go somewhere.
        turn: [rad] that the body turns from first to last step.
        slide: [m/s] of the slowest part of planted feet, half of the time less.
        floor: [m] between the lowest and the highest plant.
        quality: of the whole body's motion.
    """

    name: str
    duration: float
    rate: float
    plants: int
    modes: dict[str, int]
    speed: float
    turn: float
    slide: float
    floor: float
    quality: Quality

    @property
    def steps(self) -> int:
        """How many steps and whole actions."""
        return sum(self.modes.values())


def clip_figures(library: Library, name: str) -> ClipFigures:
    """One clip of a library in numbers."""
    index = library.index(name)
    clip, measures, plants = library.clips[index], library.measures[index], library.plants[index]
    steps = list(library.steps.of_clip(name))
    feet = foot_paths(clip, measures)
    going = [step for step in steps if step.mode in _TRAVELLING]
    lasted = sum(step.duration for step in going)
    levels = plants.rows[:, 5]
    return ClipFigures(
        name=name,
        duration=clip.duration,
        rate=clip.rate,
        plants=len(plants),
        modes=dict(Counter(step.mode for step in steps).most_common()),
        speed=sum(step.speed * step.duration for step in going) / lasted if lasted else np.nan,
        turn=sum(step.rotation_angle for step in steps),
        slide=usual_slide(feet, plants),
        floor=float(np.ptp(levels)) if len(levels) else np.nan,
        quality=assess(clip, measures),
    )


def usual_slide(feet: FootPaths, plants: Plants) -> float:
    """How fast [m/s] planted feet slide, each by its slowest part: the median; NaN for none.

    Frames that jump out of a capture do not count much, as they would on average.
    """
    if len(feet) < 2:
        return np.nan
    speeds: list[float] = []
    moved = plants.carried()
    for foot, parts in enumerate((feet.left, feet.right)):
        slowest = np.full(len(feet), np.inf)
        for path in parts.values():
            on_floor = np.array(path)
            on_floor[:, :2] -= moved
            velocity = np.gradient(on_floor, axis=0) * feet.rate
            slowest = np.minimum(slowest, np.linalg.norm(velocity, axis=1))
        for row in plants.rows[plants.rows[:, 0] == foot]:
            first = int(np.ceil((row[1] + _EDGE) * feet.rate))
            last = int((row[2] - _EDGE) * feet.rate) + 1
            speeds += slowest[first:last].tolist()
    return float(np.median(speeds)) if speeds else np.nan
