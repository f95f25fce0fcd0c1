"""Steps of motion capture: the modes its makers describe."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from surefoot.motion.formats import read_bvh
from surefoot.motion.retargeting import to_humanoid
from surefoot.motion.steps import Steps, find_steps

# What is in each clip at least, and at most.
MODES: dict[str, dict[str, tuple[int, int]]] = {
    "02_01": {"walk": (4, 6)},
    "07_12": {"walk": (4, 5)},
    "02_03": {"run": (2, 3)},
    "09_01": {"run": (2, 3)},
    "16_35": {"run": (2, 3)},
    "104_06": {"run": (3, 5), "walk": (1, 2)},
    "16_17": {"walk": (6, 8)},
    "113_01": {"walk": (7, 9)},
    "69_50": {"walk": (6, 8)},
    "02_04": {"jump": (1, 1)},
    "16_03": {"jump": (1, 1), "stand": (1, 2)},
    "13_11": {"jump": (1, 1)},
    "91_48": {"jump": (1, 1)},
    "83_40": {"jump": (1, 1)},
    "132_23": {"jump": (3, 3)},
    "136_09": {"crouch": (10, 12)},
    "77_15": {"crouch": (18, 25)},
    "69_16": {"turn": (3, 5)},
    "69_18": {"turn": (1, 4)},
    "83_30": {"step up": (3, 3), "walk": (4, 6)},
    "14_22": {"step up": (3, 3), "step down": (2, 3)},
}


def steps_of(data: Path, name: str) -> Steps:
    clip, measures = to_humanoid(read_bvh(data / "mocap" / "cmu" / f"{name}.bvh"))
    return find_steps(clip, measures)[0]


@pytest.mark.parametrize("name", MODES)
def test_modes(data: Path, name: str) -> None:
    found = Counter(step.mode for step in steps_of(data, name))
    expected = MODES[name]
    for mode, (least, most) in expected.items():
        assert least <= found[mode] <= most, found
    assert set(found) - set(expected) <= {"stand", "walk", "turn"}, found


def test_directions(data: Path) -> None:
    back = [step for step in steps_of(data, "113_01") if step.mode == "walk"][1:]
    assert all(abs(step.movement_angle) > 2.8 for step in back)
    ahead = [step for step in steps_of(data, "07_04") if step.mode == "walk"]
    assert all(abs(step.movement_angle) < 0.2 for step in ahead)
    assert all(abs(step.rotation_angle) < 0.1 for step in ahead)


def test_turns(data: Path) -> None:
    """The clip is described as a turn by 90 degrees to the left, and one of a jump likewise."""
    corner = steps_of(data, "16_17")
    assert sum(step.rotation_angle for step in corner) == pytest.approx(np.pi / 2, abs=0.3)
    (jump,) = [step for step in steps_of(data, "91_48") if step.mode == "jump"]
    assert jump.rotation_angle == pytest.approx(np.pi / 2, abs=0.3)
    whole = [step for step in steps_of(data, "69_16") if step.mode == "turn"]
    assert sum(step.rotation_angle for step in whole) == pytest.approx(np.radians(337), abs=0.5)


def test_speeds(data: Path) -> None:
    """Beside the mean speeds that the recordings' list gives."""
    for name, speed in (("02_01", 1.18), ("07_04", 0.94), ("07_12", 1.9), ("09_01", 3.56)):
        found = [step.speed for step in steps_of(data, name) if step.mode in ("walk", "run")]
        assert np.mean(found) == pytest.approx(speed, rel=0.08)
