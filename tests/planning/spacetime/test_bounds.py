"""What is left at least, and most likely, against everything that a search really runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot import limits
from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.planning import Goal, Problem
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.planning.spacetime.search import Search
from surefoot.world import Body, Keyframed, World, scenes
from surefoot.world.primitives import slab


def assert_bounded(search: Search) -> int:
    """Every way that was run keeps what is left at least; how many did."""
    found = search.run(recorded=True).native
    labels, frames = found.labels, search.landmarks.frames

    def boarded(label: int) -> bool:
        parent = int(labels[label, 3])
        here, before = int(labels[label, 0]), int(labels[max(parent, 0), 0])
        return parent >= 0 and bool(frames[here] != frames[before])

    checked = 0
    for row in found.evaluations:
        label, to, arrives = int(row[0]), int(row[1]), float(row[6])
        if not np.isfinite(arrives):
            continue
        landmark = int(labels[label, 0])
        least = search.soonest.goal(landmark, float(labels[label, 1]), boarded(label))
        crossed = bool(frames[landmark] != frames[to])
        # Consistent along every way, and nothing is left at a goal: so it is admissible.
        assert least <= search.soonest.goal(to, arrives, crossed) + 1e-3
        checked += 1
    for label in found.expanded:
        landmark, t = int(labels[label, 0]), float(labels[label, 1])
        assert search.likely.soonest(landmark) <= t + 1e-6
    return checked


def test_bounds_hold_on_every_way(rafts: Problem, controllers: Controllers) -> None:
    for price in (1.0, float("inf")):
        planner = SpaceTime(SpaceTimeSettings(price=price), controllers)
        assert assert_bounded(planner.search(rafts)) > 10


@pytest.mark.slow
@pytest.mark.parametrize("scene", ["train yard 1", "toll booth 1", "highway"])
def test_bounds_hold_in_scenes(scene: str, adult: Character, controllers: Controllers) -> None:
    made = scenes.load(scene)
    problem = Problem(world=made.world, character=adult, start=made.start,
                      goal=Goal(made.goal, tolerance=0.4))  # fmt: skip
    assert assert_bounded(SpaceTime(controllers=controllers).search(problem)) > 15


def test_no_plan_costs_less_than_is_said(rafts: Problem, controllers: Controllers) -> None:
    best = SpaceTime(SpaceTimeSettings(price=1.0), controllers).plan(rafts)
    quick = SpaceTime(controllers=controllers).plan(rafts)
    assert best
    assert quick
    assert quick.check(rafts.world)
    assert 0.0 < quick.statistics["least_cost"] <= best.cost + 1e-6
    assert quick.statistics["least_cost"] <= quick.cost + 1e-6
    assert quick.statistics["trajectories_evaluated"] < best.statistics["trajectories_evaluated"]


def test_what_is_likely_knows_of_waits(rafts: Problem, controllers: Controllers) -> None:
    """Who misses the raft arrives with the next one."""
    search = SpaceTime(controllers=controllers).search(rafts)
    first = len(search.landmarks) - 1
    early, late = search.likely.left(first, 0.0), search.likely.left(first, 8.0)
    assert 6.0 < early < 18.0
    assert 8.0 + late > 24.0
    assert search.likely.left(first, 59.0) == np.inf


def test_times_outside_the_search_have_an_answer(rafts: Problem, controllers: Controllers) -> None:
    """A trajectory that never arrives is asked about too: no block of time has such a number."""
    search = SpaceTime(controllers=controllers).search(rafts)
    first, infinity = len(search.landmarks) - 1, float("inf")
    for t in (1e300, infinity):
        assert search.soonest.goal(first, t, False) >= t
        assert search.likely.left(first, t) == infinity
    everywhere = range(len(search.landmarks))
    assert {search.likely.left(landmark, infinity) for landmark in everywhere} == {infinity}
    # A goal of the same frame is always within reach, others never again.
    latest = limits.MAX_TIME
    reached = {search.meetings.in_reach(first, to, latest) for to in range(first)}
    assert reached <= {latest, infinity}
    assert search.soonest.goal(first, -infinity, False) == search.soonest.goal(first, 0.0, False)
    assert search.likely.left(first, -infinity) == search.likely.left(first, 0.0)


def test_traffic_is_waited_for(adult: Character, controllers: Controllers) -> None:
    """A wall that passes closes the way for as long."""
    ground = Body(name="ground", mesh=slab((30.0, 12.0, 0.5)))
    wall = Body(
        name="wall", mesh=slab((12.0, 1.0, 2.0), (0.0, 0.0, 2.0)),
        trajectory=Keyframed([0.0, 8.0, 9.0, 60.0], [[x, 0.0, 0.0] for x in (0, 0, 80, 80)]),
    )  # fmt: skip
    world = World([ground, wall])
    problem = Problem(world=world, character=adult, start=world.place((0.0, -4.0, 0.2)),
                      goal=Goal(world.place((0.0, 4.0, 0.2)), tolerance=0.4))  # fmt: skip
    there = SpaceTime(controllers=controllers).search(problem)
    without = SpaceTime(controllers=controllers).search(replace(problem, world=World([ground])))
    last = len(there.landmarks) - 1
    assert there.likely.left(last, 0.0) > without.likely.left(len(without.landmarks) - 1, 0.0) + 1


def test_a_pavement_is_near_its_road(adult: Character, controllers: Controllers) -> None:
    """Large surfaces have landmarks by their edges, and leave no gap to what is beside them."""
    world = World([
        Body(name="road", mesh=slab((300.0, 24.0, 0.3), (0.0, 10.5, 0.0))),
        Body(name="pavement", mesh=slab((300.0, 6.0, 0.4), (0.0, -4.5, 0.12))),
        Body(name="stage", mesh=slab((10.0, 4.0, 1.5), (0.0, 24.6, 1.5))),
    ])  # fmt: skip
    problem = Problem(world=world, character=adult, start=world.place((0.0, -5.0, 0.3)),
                      goal=Goal(world.place((4.0, 6.0, 0.3)), tolerance=0.4))  # fmt: skip
    search = SpaceTime(controllers=controllers).search(problem)
    assert np.isfinite(search.ahead[len(search.landmarks) - 1])
    # Nobody walks up a wall of 1.5 m, however far away one begins.
    ids, stage = search.landmarks.bodies, world.id("stage")
    for i in np.flatnonzero(ids == stage).tolist():
        assert all(ids[j] == stage for j in search.meetings.near(i))
    assert SpaceTime(controllers=controllers).plan(problem)
