"""A little more of a parameter is a little more of the motion; what does not last, is gone."""

from __future__ import annotations

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from surefoot.motion.families import Family

from .conftest import blending, shown

SMALL = 1 / 400
"""Of a parameter's range."""

PLACES: list[tuple[str, str, dict[str, float], tuple[float, ...]]] = [
    ("walk", "speed", {}, (0.1, 0.45, 0.62, 0.95)),
    ("walk", "turn", {"speed": 1.3}, (0.05, 0.48, 0.9)),
    ("walk", "direction", {"speed": 0.7}, (0.1, 0.3, 0.6, 0.97)),
    ("run", "speed", {}, (0.2, 0.8)),
    ("run", "turn", {}, (0.4,)),
    ("start", "speed", {}, (0.3, 0.8)),
    ("stop", "speed", {}, (0.1, 0.5, 0.9)),
    ("start running", "speed", {}, (0.5,)),
    ("stop running", "speed", {}, (0.45, 0.6)),
    ("turn left", "angle", {}, (0.02, 0.5, 0.97)),
    ("turn round right", "angle", {}, (0.1, 0.9)),
    ("quick turn left", "angle", {}, (0.3, 0.9)),
    ("about turn right", "angle", {}, (0.2, 0.9)),
    ("halt", "speed", {}, (0.3, 0.8)),
    ("walk to run", "speed", {}, (0.4,)),
    ("run to walk", "speed", {}, (0.6,)),
    ("set off left", "angle", {}, (0.45,)),
    ("step left", "distance", {}, (0.3, 0.7)),
    ("step back", "distance", {}, (0.3, 0.9)),
    ("stairs up", "riser", {}, (0.05, 0.4, 0.75)),
    ("stairs down", "riser", {}, (0.1, 0.6)),
    ("slope", "slope", {}, (0.1, 0.5, 0.85)),
    ("crouched walk", "speed", {}, (0.3, 0.8)),
    ("crouched walk", "depth", {}, (0.2, 0.9)),
    ("crouched walk", "turn", {}, (0.3,)),
    ("duck", "depth", {}, (0.5,)),
    ("standing jump", "distance", {}, (0.1, 0.9)),
    ("standing jump", "rise", {"distance": 0.5}, (0.2, 0.7)),
    ("running jump", "distance", {}, (0.3, 0.7)),
    ("landing", "drop", {}, (0.5,)),
]


def places() -> list[ParameterSet]:
    """The first place of each parameter always, the others when there are minutes."""
    return [
        pytest.param(name, one, fixed, share, marks=[pytest.mark.slow] if later else [])
        for name, one, fixed, shares in PLACES
        for later, share in enumerate(shares)
    ]


@pytest.mark.parametrize(("name", "parameter", "fixed", "share"), places())
def test_small_changes_stay_small(
    families: dict[str, Family], name: str, parameter: str, fixed: dict[str, float], share: float
) -> None:
    family = families[name]
    range_ = family.parameter(parameter)
    value = range_.low + share * (range_.high - range_.low)
    step = SMALL * (range_.high - range_.low)
    first = shown(family.made(**{parameter: value}, **fixed))
    second = shown(family.made(**{parameter: value + step}, **fixed))
    change = np.abs(second - first).max()
    assert 0 < change < 0.06


FORGOTTEN: list[tuple[str, str, dict[str, float], tuple[float, ...], float]] = [
    ("walk", "turn", {"speed": 1.3}, (-1.5, 0.0, 0.4, 1.2), 0.005),
    ("run", "turn", {}, (-0.9, 0.0, 0.5), 0.006),
    ("turn left", "angle", {}, (0.2, 0.7, 1.2), 1e-5),
    ("turn round left", "angle", {}, (1.1, 2.0, 3.1), 1e-5),
    ("quick turn left", "angle", {}, (0.2, 0.7, 1.3), 1e-5),
    ("about turn left", "angle", {}, (1.1, 2.0, 3.1), 1e-5),
    ("step left", "distance", {}, (0.15, 0.35), 1e-3),
    ("crouched walk", "turn", {}, (-1.2, 0.0, 0.8), 0.006),
    ("duck", "depth", {}, (0.5, 1.0), 1e-3),
    ("crouch up", "depth", {}, (0.5, 1.0), 1e-3),
    ("standing jump", "distance", {}, (0.0, 0.6, 1.3), 0.006),
    ("standing jump", "rise", {"distance": 0.5}, (-0.6, 0.0, 0.2), 0.008),
    ("running jump", "distance", {}, (1.3, 1.8, 2.3), 0.03),
    ("landing", "drop", {}, (0.1, 0.5, 0.9), 0.008),
]


@pytest.mark.parametrize(("name", "parameter", "fixed", "values", "tolerance"), FORGOTTEN)
def test_parameters_act_only_before_the_blending_phase(
    families: dict[str, Family],
    name: str,
    parameter: str,
    fixed: dict[str, float],
    values: tuple[float, ...],
    tolerance: float,
) -> None:
    """levine2011, section 4.1: a controller need not know what they were."""
    family = families[name]
    assert not family.parameter(parameter).lasting
    tails = [blending(family.made(**{parameter: value}, **fixed)) for value in values]
    for tail in tails[1:]:
        assert np.abs(tail - tails[0]).max() < tolerance
    # Before it they do act.
    bodies = [shown(family.made(**{parameter: value}, **fixed)) for value in values[:2]]
    assert np.abs(bodies[0] - bodies[1]).max() > 0.03


def test_speeds_last(families: dict[str, Family]) -> None:
    walk = families["walk"]
    assert walk.parameter("speed").lasting
    slow, fast = (blending(walk.made(speed=speed)) for speed in (0.8, 1.6))
    assert np.abs(slow - fast).max() > 0.1
