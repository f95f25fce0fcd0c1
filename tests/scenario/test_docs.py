"""What docs/scenario.md shows is what the reader reads."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from surefoot.errors import ScenarioError
from surefoot.scenario import Scenario, goals, grounds, roles

PAGE = (Path(__file__).parents[2] / "docs" / "scenario.md").read_text(encoding="utf-8")
FIRST, FULL = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_first_example_loads() -> None:
    assert [name for name, _, _ in Scenario.from_text(FIRST).problems()] == ["anna"]


def test_the_full_example_lacks_nothing_but_its_files() -> None:
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_text(FULL)
    keys = [problem.split(": ")[0] for problem in caught.value.problems]
    assert keys == ["world.file", "characters.robot.rig"]


def test_every_key_is_explained() -> None:
    keys = {*grounds.KEYS, *roles.KEYS, *goals.KEYS, "fps", "root_motion"}
    keys |= set(tomllib.loads(FIRST))
    keys |= {field.name for field in fields(roles.Limits)}
    missing = [key for key in sorted(keys) if not re.search(rf"`\[?{key}[\]\.` ]", PAGE)]
    assert missing == []
