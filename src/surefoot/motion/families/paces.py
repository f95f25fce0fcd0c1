"""Changes of pace: from a walk or a run into another, without a stop in between."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.motion.curves import smootherstep
from surefoot.motion.families.family import Family, Made, Parameter
from surefoot.motion.families.making import contact_near, contacts, cut, level_ground, path_of, sent
from surefoot.motion.gait.runs import ROUNDING, Gait, Stretch
from surefoot.motion.gait.similarity import slowness

SPEEDING_UP, SLOWING_DOWN = 1.6, 1.8
"""[m/s^2]: how hard people do either without being in a hurry; the same for every size."""

QUICKEST = 0.8
"""[s for a leg of 0.93 m] that a change of pace takes at least."""

_RUN_UP = 3.6  # [s] in which a walk or run becomes steady
_STEP = 1 / 60


def walk_to_run(character: Character) -> Family:
    """From a steady walk into a steady run."""
    return _change(character, "walk to run", "run", (1.0, 1.7, 1.95), (2.2, 2.6, 3.0))


def run_to_walk(character: Character) -> Family:
    """From a steady run into a steady walk."""
    return _change(character, "run to walk", "walk", (2.2, 2.6, 4.2), (0.9, 1.5, 1.72))


def walk_to_walk(character: Character) -> Family:
    """From a steady walk into a faster or slower one."""
    return _change(character, "walk to walk", "walk", (0.6, 1.3, 1.95), (0.6, 1.6, 1.95))


def run_to_run(character: Character) -> Family:
    """From a steady run into a faster or slower one."""
    return _change(character, "run to run", "run", (2.2, 2.6, 4.2), (2.2, 3.3, 4.2))


def _change(
    character: Character, name: str, into: Gait, before: tuple[float, float, float],
    after: tuple[float, float, float],
) -> Family:  # fmt: skip
    """Low, usual and high speeds [m/s] before and after are for a leg of 0.93 m."""
    pace = slowness(character.measures.leg_length)
    gaits: tuple[Gait, Gait] = ("walk" if name.startswith("walk") else "run", into)

    def parameter(title: str, speeds: tuple[float, float, float], lasting: bool) -> Parameter:
        low, usual, high = (pace * speed for speed in speeds)
        return Parameter(name=title, unit="m/s", low=low, usual=usual, high=high, lasting=lasting)

    return Family(
        name=name,
        mode="run" if "run" in gaits else "walk",
        parameters=(parameter("before", before, False), parameter("speed", after, True)),
        make=lambda values: _changed(character, values["before"], values["speed"], gaits),
    )


def _changed(character: Character, before: float, after: float, gaits: tuple[Gait, Gait]) -> Made:
    slow = slowness(character.measures.leg_length)
    hard = SPEEDING_UP if after > before else SLOWING_DOWN
    lasting = max(abs(after - before) / hard, QUICKEST * slow)
    times = np.arange(0.0, _RUN_UP + lasting + 4.0, _STEP)
    share = smootherstep((times - _RUN_UP) / lasting)
    going: Floats = smootherstep(times / 1.0) * (before + (after - before) * share)
    whole = path_of(times, going, 0 * times, 0 * times)
    stretches = _split(whole, _RUN_UP + lasting / 2, gaits)
    walker = sent(character, level_ground(), stretches, linger=0.5)
    # The body knows of the change a little before it comes, and for as long after.
    start = contact_near(walker, "left", _RUN_UP - ROUNDING)
    downs = np.sort(np.concatenate([contacts(walker, "left"), contacts(walker, "right")]))
    end = downs[downs > _RUN_UP + lasting + 0.5 * ROUNDING]
    return cut(walker, start, float(end[0]))


def _split(whole: Stretch, at: float, gaits: tuple[Gait, Gait]) -> list[Stretch]:
    """The same way with one gait up to a moment [s] and with another one after it."""
    middle = int(np.searchsorted(whole.times, at))
    parts = (slice(0, middle + 1), slice(middle, None))
    return [
        replace(
            whole, times=whole.times[part], positions=whole.positions[part],
            headings=whole.headings[part], crouch=whole.crouch[part], gait=gait,
        )
        for part, gait in zip(parts, gaits, strict=True)
    ]  # fmt: skip
