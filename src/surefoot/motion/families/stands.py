"""From stand to stand: turns on the spot, single steps to any side, and doing nothing."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi, sqrt

import numpy as np

from surefoot.character import Character
from surefoot.motion.curves import smootherstep
from surefoot.motion.families.counted import Counted, stepped
from surefoot.motion.families.family import BLENDING, Family, Made, Parameter
from surefoot.motion.families.making import cut, level_ground, path_of, sent
from surefoot.motion.footholds import Side
from surefoot.motion.gait.runs import FASTEST_TURN, ROUNDING
from surefoot.motion.gait.stance import other
from surefoot.motion.gait.walker import Walker

QUIET = 1.0
"""[s] to stand before the first step, of which the clip shows only the end."""

LEAD = 0.35
"""[s] of standing that a clip begins with."""

SWING, BOTH_DOWN = 0.44, 0.13
"""[s] that a foot is in the air on the spot, and that both are down between two steps; for a leg
of 0.93 m."""

QUICK_SWING, QUICK_BOTH_DOWN = 0.36, 0.06
"""[s likewise] of somebody who turns because they want to be off."""

QUICK_TURN = 6.0
"""[rad/s for a leg of 0.93 m] that they turn at most."""

_STEP = 1 / 60


def turn(character: Character, side: Side) -> Family:
    """A turn on the spot in two steps: the foot on that side first, the other one follows."""
    return Family(
        name=f"turn {side}",
        mode="turn",
        parameters=(Parameter(name="angle", unit="rad", low=0.2, high=1.2, usual=pi / 4),),
        make=lambda values: _turned(character, side, values["angle"], _TURN),
    )


def turn_round(character: Character, side: Side) -> Family:
    """A turn on the spot in five steps, up to right round."""
    return Family(
        name=f"turn round {side}",
        mode="turn",
        parameters=(Parameter(name="angle", unit="rad", low=1.0, high=pi, usual=pi),),
        make=lambda values: _turned(character, side, values["angle"], _TURN_ROUND),
    )


def quick_turn(character: Character, side: Side) -> Family:
    """A turn on the spot in two steps, as quick as people turn who want to be off."""
    return Family(
        name=f"quick turn {side}",
        mode="turn",
        parameters=(Parameter(name="angle", unit="rad", low=0.2, high=1.3, usual=pi / 4),),
        make=lambda values: _turned(character, side, values["angle"], _TURN, quick=True),
    )


def about_turn(character: Character, side: Side) -> Family:
    """A quick turn on the spot in three steps, up to right round."""
    return Family(
        name=f"about turn {side}",
        mode="turn",
        parameters=(Parameter(name="angle", unit="rad", low=1.0, high=pi, usual=pi),),
        make=lambda values: _turned(character, side, values["angle"], _ABOUT_TURN, quick=True),
    )


# Shares of the angle that each step has made good.
_TURN = (1.0, 1.0)
_TURN_ROUND = (0.32, 0.58, 0.86, 1.0, 1.0)
_ABOUT_TURN = (0.5, 1.0, 1.0)


def _turned(
    character: Character, side: Side, angle: float, shares: tuple[float, ...], *,
    quick: bool = False,
) -> Made:  # fmt: skip
    slow = _slowness(character)
    swing, pause = slow * SWING, slow * BOTH_DOWN
    if quick:
        swing, pause = slow * QUICK_SWING, slow * QUICK_BOTH_DOWN
    signed = angle if side == "left" else -angle
    lasting = len(shares) * (swing + pause)
    times = np.arange(0.0, QUIET + lasting + 2.5, _STEP)
    done = smootherstep((times - QUIET) / (lasting - (pause if quick else 0.0)))
    turning = QUICK_TURN / slow if quick else FASTEST_TURN
    stretch = path_of(times, 0 * times, 0 * times, signed * done, turning=turning)
    steps: list[Counted] = []
    foot, t = side, QUIET
    for share in shares:
        # The body gets there later than the foot: it comes down beside where the body will be.
        middle = float(np.interp(share, done, times)) if share < 1 else QUIET + lasting + 0.5
        steps.append(Counted(foot, t, t + swing, middle))
        foot, t = other(foot), t + swing + pause
    return _shown(stepped(character, level_ground(), [stretch], steps), t)


def step(character: Character, way: str) -> Family:
    """A single step to a side, back or ahead, and the other foot put beside it."""
    legs = character.measures.leg_length
    farthest = {"left": 0.42, "right": 0.42, "back": 0.5, "ahead": 0.6}[way] * legs
    return Family(
        name=f"step {way}",
        mode="walk",
        parameters=(
            Parameter(name="distance", unit="m", low=0.12 * legs, high=farthest, usual=0.3 * legs),
        ),
        make=lambda values: _stepped(character, way, values["distance"]),
    )


_WAYS: Mapping[str, tuple[float, float, Side]] = {
    "left": (0.0, 1.0, "left"),
    "right": (0.0, -1.0, "right"),
    "back": (-1.0, 0.0, "right"),
    "ahead": (1.0, 0.0, "right"),
}
"""Forward and to the left, and the foot that goes first."""


def _stepped(character: Character, way: str, distance: float) -> Made:
    slow = _slowness(character)
    swing, pause = slow * SWING, slow * BOTH_DOWN
    ahead, aside, foot = _WAYS[way]
    lasting = 2 * swing + pause
    times = np.arange(0.0, QUIET + lasting + 2.5, _STEP)
    # Weight goes over with the first foot, and settles with the second.
    speed = np.gradient(distance * smootherstep((times - QUIET + 0.1) / lasting), _STEP)
    stretch = path_of(times, ahead * speed, aside * speed, 0 * times)
    after = QUIET + lasting + 0.6
    steps = [
        Counted(foot, QUIET, QUIET + swing, after),
        Counted(other(foot), QUIET + swing + pause, QUIET + lasting, after),
    ]
    return _shown(stepped(character, level_ground(), [stretch], steps), QUIET + lasting)


def idle(character: Character) -> Family:
    """Standing: breathing, shifting weight, looking about."""

    def make(values: Mapping[str, float]) -> Made:
        times = np.arange(0.0, values["duration"] + 2.0, _STEP)
        stretch = path_of(times, 0 * times, 0 * times, 0 * times)
        walker = sent(character, level_ground(), [stretch])
        return cut(walker, 0.5, 0.5 + values["duration"] - BLENDING)

    return Family(
        name="idle",
        mode="stand",
        parameters=(Parameter(name="duration", unit="s", low=1.0, high=20.0, usual=4.0),),
        make=make,
    )


def _shown(walker: Walker, until: float) -> Made:
    """From a moment of standing to the last contact, and until all that was turned is rounded."""
    return cut(walker, QUIET - LEAD, until + ROUNDING)


def _slowness(character: Character) -> float:
    """How long steps on the spot take, over those of a leg of 0.93 m."""
    return sqrt(character.measures.leg_length / 0.93)
