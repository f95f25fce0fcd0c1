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
from surefoot.world import Body, World, scenes
from surefoot.world.primitives import slab


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
    foreseen = seeing.statistics["failures_foreseen"]
    assert foreseen > 100
    assert found.counts[1] + foreseen <= whole.counts[1]
    assert found.counts[2] == whole.counts[2]


@pytest.fixture(scope="module")
def walled(adult: Character) -> Problem:
    """A floor, and a wall across most of it between the start and the goal."""
    world = World(
        [
            Body(name="floor", mesh=slab((16.0, 12.0, 1.0))),
            Body(name="wall", mesh=slab((0.3, 7.0, 2.0), (0.0, -2.5, 2.0))),
        ],
        name="walled",
    )
    goal = Goal(world.place((3.0, 0.0, 0.0)), tolerance=0.4)
    return Problem(world=world, character=adult, start=world.place((-3.0, 0.0, 0.0)), goal=goal)


def test_what_rests_between_landmarks_hinders(walled: Problem, controllers: Controllers) -> None:
    search = SpaceTime(controllers=controllers).search(walled)
    meetings, places = search.meetings, search.landmarks.places
    through = clear = 0
    for a, here in enumerate(places):
        for b in meetings.near(a):
            way = places[b] - here
            if here[0] * places[b][0] < 0:
                y = here[1] - here[0] * way[1] / way[0]
                if y < 0.9:
                    assert meetings.hindered(a, b), (here, places[b])
                    through += 1
                continue
            if min(abs(here[0]), abs(places[b][0])) > 0.8:
                assert not meetings.hindered(a, b), (here, places[b])
                clear += 1
    assert through > 10
    assert clear > 50


def test_nobody_walks_into_a_wall_that_rests(walled: Problem, controllers: Controllers) -> None:
    search = SpaceTime(SpaceTimeSettings(polish=0), controllers).search(walled)
    outcome = search.run(recorded=True)
    assert outcome.end == "reached"
    found = outcome.native
    ways = found.evaluations[:, :2].astype(int)
    here = found.labels[ways[:, 0], 0].astype(int)
    into = [search.meetings.hindered(int(a), int(b)) for a, b in zip(here, ways[:, 1], strict=True)]
    # 14 of 19 ways were tried through the wall where nothing was known of it.
    assert sum(into) <= 7
    plan = SpaceTime(controllers=controllers).plan(walled)
    assert plan.check(walled.world), plan.check(walled.world)
