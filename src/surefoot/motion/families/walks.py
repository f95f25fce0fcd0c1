"""Walks and runs: at any speed, in any direction, round corners, from and to a stand."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, pi, sin

import numpy as np

from surefoot.character import Character
from surefoot.motion.curves import smootherstep
from surefoot.motion.families.family import BLENDING, Family, Limit, Made, Parameter
from surefoot.motion.families.making import contact_near, contacts, cut, level_ground, path_of, sent
from surefoot.motion.gait.runs import Gait

SLOWEST = 0.25
"""[m/s for a leg of 0.93 m]: slower is a stand with a step now and then."""

SIDEWAYS, BACKWARD = 0.45, 0.6
"""Of the fastest walk: how fast people step sideways and backward."""

_RUN_UP = 3.2  # [s] in which a walk becomes steady
_STEP = 1 / 60


def fastest(character: Character, direction: float) -> float:
    """[m/s] of a walk in a direction [rad] from where the body faces: an egg-shaped limit."""
    ahead = character.capability("walk").max_speed
    along = ahead if cos(direction) > 0 else BACKWARD * ahead
    return 1 / hypot(cos(direction) / along, sin(direction) / (SIDEWAYS * ahead))


def walk(character: Character) -> Family:
    """Two strides of a steady walk; in between it may turn."""
    top = character.capability("walk").max_speed
    pace = _scale(character)

    def limits(values: Mapping[str, float]) -> Limit:
        direction = values["direction"]
        return Limit(
            name="speed", low=SLOWEST * pace, high=fastest(character, direction),
            at=f"in direction {direction:.2f} rad",
        )  # fmt: skip

    return Family(
        name="walk",
        mode="walk",
        parameters=(
            Parameter(name="speed", unit="m/s", low=SLOWEST * pace, high=top, usual=1.3 * pace,
                      lasting=True),
            Parameter(name="turn", unit="rad", low=-pi / 2, high=pi / 2, usual=0.0),
            Parameter(name="direction", unit="rad", low=-pi, high=pi, usual=0.0, lasting=True),
        ),
        make=lambda values: _going(character, values, "walk"),
        limits=limits,
    )  # fmt: skip


def run(character: Character) -> Family:
    """Two strides of a steady run; in between it may turn."""
    skill, pace = character.capability("run"), _scale(character)
    return Family(
        name="run",
        mode="run",
        parameters=(
            Parameter(name="speed", unit="m/s", low=2.2 * pace, high=skill.max_speed,
                      usual=skill.speed, lasting=True),
            Parameter(name="turn", unit="rad", low=-pi / 3, high=pi / 3, usual=0.0),
        ),
        make=lambda values: _going(character, {**values, "direction": 0.0}, "run"),
    )  # fmt: skip


def _going(character: Character, values: Mapping[str, float], gait: Gait) -> Made:
    """Steady at first, a turn, steady again; from left contact to left contact."""
    speed, turn, direction = values["speed"], values["turn"], values["direction"]
    # Two strides take about as long as the turn, which begins with a left contact.
    probe = _steady(character, speed, direction, gait, 0.0, 0.0, 0.0)
    strides = contacts(probe, "left")
    begin = float(strides[np.argmin(np.abs(strides - _RUN_UP))])
    stride = float(np.min(np.diff(strides[strides > begin - 1e-6])[:2]))
    count = 2
    if abs(turn) < 1e-9:
        walker = probe
    else:
        # Done before the end, so that the blending phase knows nothing of it.
        walker = _steady(character, speed, direction, gait, turn, begin, count * stride - 0.45)
    start = contact_near(walker, "left", begin)
    end = contact_near(walker, "left", begin + count * stride)
    return cut(walker, start, end)


def _steady(
    character: Character, speed: float, direction: float, gait: Gait, turn: float, begin: float,
    duration: float,
):  # fmt: skip
    times = np.arange(0.0, _RUN_UP + 6.0, _STEP)
    # Starting gently needs time; whoever walks backward starts so.
    going = smootherstep(times / 1.0)
    headings = turn * smootherstep((times - begin) / max(duration, 1e-6))
    stretch = path_of(
        times, speed * cos(direction) * going, speed * sin(direction) * going, headings, gait=gait
    )
    return sent(character, level_ground(), [stretch], linger=0.5)


def _scale(character: Character) -> float:
    """Speeds of this body over those of one with a leg of 0.93 m, at equal Froude numbers."""
    return (character.measures.leg_length / 0.93) ** 0.5


__all__ = ["BLENDING", "fastest", "run", "walk"]
