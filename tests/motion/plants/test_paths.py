"""Paths of feet: what is missing, and what cannot be, is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from references.known_steps import walk
from surefoot.errors import InputError
from surefoot.motion.plants import FootPaths, find_plants

PATH = np.zeros((50, 3))
SHIFTED = PATH + np.array([0.2, 0.0, 0.0])


def feet(**changes: Any) -> FootPaths:
    parts = {"heel": PATH, "toe": SHIFTED}
    return FootPaths(**({"rate": 60.0, "left": parts, "right": parts} | changes))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rate": 1.0}, "1 frames a second are too few to see steps; at least 8"),
        ({"rate": float("nan")}, "rate must be finite"),
        ({"left": {"paw": PATH}}, "unknown part of the left foot 'paw'; there are: ankle, heel"),
        ({"left": {"heel": PATH}}, "both feet need the same parts; left has heel, right heel, toe"),
        ({"left": {"toe": PATH}, "right": {"toe": PATH}}, "feet need their heel or their ankle"),
        ({"left": {}, "right": {}}, "feet need their heel or their ankle"),
        ({"left": {"heel": PATH, "toe": SHIFTED[:40]}}, "equally long, got [40, 50] moments"),
        ({"left": {"heel": PATH[0], "toe": SHIFTED}}, "left heel must be (n, 3), n >= 1"),
        ({"left": {"heel": PATH, "toe": 1000 * SHIFTED}}, "left heel and toe are 200 m apart"),
        ({"left": {"heel": PATH * np.nan, "toe": PATH}}, "left heel is missing at every moment"),
        ({"pelvis": PATH}, "the pelvis is 0 m above the feet"),
        ({"leg_length": -1.0}, "leg_length must be greater than 0"),
    ],
)
def test_errors(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        feet(**changes)
    assert said in str(error.value)


def test_short_gaps_are_filled() -> None:
    steps = walk(1.2)
    whole = find_plants(steps.paths("heel", "toe"))
    holed = {part: path.copy() for part, path in steps.left.items() if part in ("heel", "toe")}
    holed["heel"][200:212] = np.nan
    holed["toe"][:3] = np.nan
    right = {part: steps.right[part] for part in holed}
    found = find_plants(FootPaths(rate=120.0, left=holed, right=right, leg_length=0.9))
    assert len(found) == len(whole)
    assert np.allclose(found.rows[:, 1:3], whole.rows[:, 1:3], atol=0.06)


def test_long_gaps_are_refused() -> None:
    holed = PATH.copy()
    holed[10:30] = np.nan
    with pytest.raises(InputError, match=r"left heel is missing for 0.33 s from moment 10 on"):
        feet(left={"heel": holed, "toe": SHIFTED})


def test_the_pelvis_tells_the_length_of_legs() -> None:
    steps = walk(1.2)
    parts = {"left": steps.left, "right": steps.right}
    found = FootPaths(rate=120.0, pelvis=steps.pelvis, **parts)
    assert found.leg_length == pytest.approx(steps.leg_length, rel=0.1)
