"""From body to body one departs when what is between them can be crossed."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.planning import Goal, Problem
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.planning.spacetime.search import Search
from surefoot.planning.spacetime.skills import STRIDE, crossing
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import slab

SOON, BLOCK = 2.0, 0.25
"""[s]: see native/spacetime/meetings.cpp."""

RISES = 2.0
"""[m]"""


@pytest.fixture(scope="module")
def lift(adult: Character) -> Problem:
    """A lift between two floors, with a stop of 3 s at each, and 5 s between them."""
    times = np.cumsum([0.0, 3.0, 5.0, 3.0, 5.0])
    ways = [[0.0, 0.0, z] for z in (0.0, 0.0, RISES, RISES, 0.0)]
    world = World([
        Body(name="below", mesh=slab((6.0, 6.0, 0.4), (-4.3, 0.0, 0.0))),
        Body(name="above", mesh=slab((6.0, 6.0, 0.4), (4.3, 0.0, RISES))),
        Body(name="lift", mesh=slab((2.0, 3.0, 0.2)),
             trajectory=Keyframed(times, ways, repeat="loop")),
    ])  # fmt: skip
    return Problem(
        world=world, character=adult, start=world.place((-5.0, 0.0, 0.2)), start_time=1.0,
        goal=Goal(world.place((5.0, 0.0, RISES + 0.2)), tolerance=0.5),
    )  # fmt: skip


@pytest.fixture(scope="module")
def search(lift: Problem, controllers: Controllers) -> Search:
    return SpaceTime(controllers=controllers).search(lift)


def test_a_walk_onto_a_lift_waits_until_it_is_level(search: Search, lift: Problem) -> None:
    marks, meetings, world = search.landmarks, search.meetings, lift.world
    walks = next(skill for skill in search.skills if skill.name == "walk")
    gap, rise, drop = crossing(walks.go, lift.skills["walk"].step_height)
    assert gap == STRIDE
    asked = 0
    for a, b in product(range(len(marks)), repeat=2):
        if not (marks.frames[a] < 0 <= marks.frames[b]) or b not in meetings.near(a):
            continue
        for t in np.arange(1.0, 30.0, 0.7).tolist():
            found = meetings.crossable(a, b, t, gap, rise, drop)
            assert found >= meetings.in_reach(a, b, t)
            # Somewhere soon after it the heights are near enough, and nowhere soon before.
            if found > 50.0:
                continue
            asked += 1
            apart = _higher(search, world, a, b, np.arange(found, found + SOON + BLOCK, 0.02))
            assert ((apart <= rise + 0.05) & (apart >= -drop - 0.05)).any()
            early = np.arange(t, found - BLOCK, 0.02)
            inside = [m for m in early.tolist() if meetings.in_reach(a, b, m) == m]
            if inside:
                higher = _higher(search, world, a, b, np.array(inside))
                assert ((higher > rise - 0.15) | (higher < -drop + 0.15)).all()
    assert asked > 20


def test_somebody_takes_the_lift(lift: Problem, controllers: Controllers) -> None:
    plan = SpaceTime(SpaceTimeSettings(polish=0), controllers).plan(lift)
    assert plan, plan.status
    assert plan.check(lift.world)
    assert plan.statistics["trajectories_evaluated"] < 300


def test_who_boards_elsewhere_goes_on_from_there(rafts: Problem, controllers: Controllers) -> None:
    """Wherever on a raft one comes to be, the landmark nearest to that is where one is."""
    elsewhere, world = 0, rafts.world
    for start in (0.0, 1.1, 2.3, 4.7):
        search = SpaceTime(controllers=controllers).search(replace(rafts, start_time=start))
        found = search.run().native
        marks, states = search.landmarks, found.labels
        aims, here = states[1:, 8].astype(int), states[1:, 0].astype(int)
        boarded = (
            marks.frames[aims] != marks.frames[states[states[1:, 3].astype(int), 0].astype(int)]
        )
        assert (marks.frames[aims] == marks.frames[here]).all()
        assert (aims == here)[~boarded].all()
        elsewhere += int((aims != here).sum())
        plan = SpaceTime(controllers=controllers).plan(replace(rafts, start_time=start))
        assert plan
        assert plan.check(world), plan.check(world)
    assert elsewhere > 0


def test_bounds_count_on_who_is_near_a_landmark(rafts: Problem, controllers: Controllers) -> None:
    for settings in (SpaceTimeSettings(price=1.0), SpaceTimeSettings(anywhere=False)):
        labels = SpaceTime(settings, controllers).search(rafts).run().native.labels
        assert (labels[1:, 0] == labels[1:, 8]).all()


def _higher(search: Search, world: World, a: int, b: int, times: np.ndarray) -> np.ndarray:
    """[m] by which one landmark is above another."""
    one, other = (search.landmarks.place(i, world) for i in (a, b))
    return np.array([world.position(other, t)[2] - world.position(one, t)[2]
                     for t in times.tolist()])  # fmt: skip
