"""Crouching: walks that keep low, and getting down and up on the spot."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi, sqrt

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.motion.curves import smootherstep
from surefoot.motion.families.family import Family, Made, Parameter
from surefoot.motion.families.making import (
    contact_near,
    contacts,
    cut,
    level_ground,
    path_of,
    sent,
)
from surefoot.motion.gait.runs import ROUNDING
from surefoot.motion.gait.walker import Walker

SHALLOWEST = 0.45
"""How deep, 0..1, a crouch is at least: with less, a walker is only a little bent."""

SLOWEST = 0.3
"""[m/s for a leg of 0.93 m]"""

GOING_DOWN = 0.3
"""[s for a leg of 0.93 m] that getting down, or up, takes beyond what the gait model bends before
and rises after."""

LOW = 0.15
"""[s] that who ducks stays low."""

_QUIET, _LEAD = 2.0, 0.1  # [s] of standing before, and how much of it a clip shows
_BESIDE = 2 * ROUNDING  # [s] by which the gait model begins sooner, and ends later
_RUN_UP = 3.4  # [s] in which a walk becomes steady
_STEP = 1 / 60


def crouched_walk(character: Character) -> Family:
    """Two strides of a steady crouched walk; in between it may turn."""
    skill, size = character.capability("crouch"), _size(character)
    return Family(
        name="crouched walk",
        mode="crouch",
        parameters=(
            Parameter(name="speed", unit="m/s", low=SLOWEST * sqrt(size), high=skill.max_speed,
                      usual=skill.speed, lasting=True),
            Parameter(name="depth", unit="of 1", low=SHALLOWEST, high=1.0, usual=0.7, lasting=True),
            Parameter(name="turn", unit="rad", low=-pi / 2, high=pi / 2, usual=0.0),
        ),
        make=lambda values: _going(character, values),
    )  # fmt: skip


def duck(character: Character) -> Family:
    """Down on the spot, and up again."""
    return _on_the_spot(character, "duck", lasting=False)


def crouch_down(character: Character) -> Family:
    """From a stand into a crouch."""
    return _on_the_spot(character, "crouch down", lasting=True)


def crouch_up(character: Character) -> Family:
    """From a crouch to a stand."""
    return _on_the_spot(character, "crouch up", lasting=False)


def _on_the_spot(character: Character, name: str, *, lasting: bool) -> Family:
    return Family(
        name=name,
        mode="crouch",
        parameters=(
            Parameter(name="depth", unit="of 1", low=SHALLOWEST, high=1.0, usual=0.8,
                      lasting=lasting),
        ),
        make=lambda values: _stayed(character, name, values["depth"]),
    )  # fmt: skip


def _going(character: Character, values: Mapping[str, float]) -> Made:
    """Steady at first, a turn, steady again; from left contact to left contact."""
    probe = _steady(character, values, 0.0, 1.0)
    strides = contacts(probe, "left")
    begin = float(strides[np.argmin(np.abs(strides - _RUN_UP))])
    stride = float(np.min(np.diff(strides[strides > begin - 1e-6])[:2]))
    # Done before the end, so that the blending phase knows nothing of it.
    walker = (
        _steady(character, values, begin, 2 * stride - 0.45)
        if abs(values["turn"]) > 1e-9
        else probe
    )
    start = contact_near(walker, "left", begin)
    return cut(walker, start, contact_near(walker, "left", begin + 2 * stride))


def _steady(
    character: Character, values: Mapping[str, float], begin: float, duration: float
) -> Walker:
    times = np.arange(0.0, _RUN_UP + 7.0, _STEP)
    headings = 0 * times
    if begin > 0:
        headings = values["turn"] * smootherstep((times - begin) / duration)
    speed = values["speed"] * smootherstep(times / 1.0)
    stretch = path_of(times, speed, 0 * times, headings, crouch=values["depth"])
    return sent(character, level_ground(), [stretch], linger=0.5)


def _stayed(character: Character, name: str, depth: float) -> Made:
    lasting = sqrt(_size(character)) * GOING_DOWN
    down, low = _QUIET + lasting, sqrt(_size(character)) * LOW
    times = np.arange(0.0, _QUIET + 2 * lasting + low + 3.0, _STEP)
    deep: Floats = np.asarray(smootherstep((times - _QUIET) / lasting))
    start, end = _QUIET - _BESIDE - _LEAD, down + 0.1
    if name == "crouch up":
        deep, start, end = 1 - deep, _QUIET - _LEAD, down + _BESIDE
    elif name == "duck":
        deep = deep - smootherstep((times - down - low) / lasting)
        end = down + low + lasting + _BESIDE
    stretch = path_of(times, 0 * times, 0 * times, 0 * times, crouch=depth * deep)
    return cut(sent(character, level_ground(), [stretch]), start, end)


def _size(character: Character) -> float:
    return character.measures.leg_length / 0.93
