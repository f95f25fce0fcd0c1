"""What docs/crowd.md says is so."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from surefoot.agents import CrowdSettings, Event, scenes
from surefoot.agents.crowd import Crowd
from surefoot.agents.serving.requests import Requests
from surefoot.world import World

PAGE = (Path(__file__).parents[2] / "docs" / "crowd.md").read_text(encoding="utf-8")


def rows(title: str) -> list[list[str]]:
    """The rows of the first table below a heading."""
    table = PAGE.split(f"## {title}\n")[1].split("\n\n|")[1].split("\n\n")[0]
    lines = [line for line in ("|" + table).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("name", scenes.names())
def test_numbers_and_densities_of_scenes_are_stated(name):
    known = {row[0].strip("`"): row for row in rows("Scenes")}
    scene = scenes.load(name)
    _, count, area, density, _ = known[name]
    assert int(count) == len(scene.walkers)
    assert float(area) == pytest.approx(scene.area, abs=0.5)
    assert float(density) == pytest.approx(scene.density, abs=0.005)


def test_all_settings_are_explained_with_their_defaults():
    known = {row[0].strip("`"): row[1] for row in rows("Settings")}
    assert set(known) == {field.name for field in fields(CrowdSettings)}
    for name, said in known.items():
        value = getattr(CrowdSettings(), name)
        if value is None or isinstance(value, bool):
            assert said == str(value).lower()
        else:
            assert float(said.split()[0]) == value


def test_all_events_and_requests_are_explained():
    for event in Event:
        assert f"| `{event}` |" in PAGE
    crowd = Crowd(World([]))
    for name in Requests(crowd)._does:
        assert re.search(rf'"do": "{name}"', PAGE)
