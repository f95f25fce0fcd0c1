"""What is known of ways before they are gone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot import _native
from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.planning import Goal, Problem
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.planning.spacetime.search import Search
from surefoot.world import scenes


@pytest.fixture(scope="module")
def yard(adult: Character) -> Problem:
    scene = scenes.load("train yard 1")
    goal = Goal(scene.goal, tolerance=0.4)
    return Problem(world=scene.world, character=adult, start=scene.start, goal=goal)


def blind(search: Search, monkeypatch: pytest.MonkeyPatch) -> Search:
    """The same, which evaluates what is known to fail as well."""
    own = search._native_settings

    def settings(recorded: bool) -> _native.SearchSettings:
        made = own(recorded)
        made.foresees = False
        return made

    monkeypatch.setattr(search, "_native_settings", settings)
    return search


@pytest.mark.parametrize("start_time", [0.0, 4.2])
def test_what_is_foreseen_would_have_failed(
    yard: Problem, controllers: Controllers, monkeypatch: pytest.MonkeyPatch, start_time: float
) -> None:
    # Without estimates that learn from failures the same is found, whether those are run or not.
    planner = SpaceTime(SpaceTimeSettings.of_the_paper(), controllers)
    asked = replace(yard, start_time=start_time)
    seeing = planner.search(asked).run()
    every = blind(planner.search(asked), monkeypatch).run()
    assert seeing.end == every.end
    found, whole = seeing.native, every.native
    np.testing.assert_array_equal(found.labels[found.path], whole.labels[whole.path])
    assert found.counts[0] == whole.counts[0]
    foreseen = seeing.statistics["failures foreseen"]
    assert foreseen > 100
    assert found.counts[1] + foreseen <= whole.counts[1]
    assert found.counts[2] == whole.counts[2]
