"""Runners: the same for a seed, and what they do can be done."""

from __future__ import annotations

import numpy as np
import pytest

import surefoot as sf
from surefoot.world import Body, World
from surefoot.world.primitives import slab


@pytest.fixture(scope="module")
def world() -> World:
    return World([Body(name="floor", mesh=slab((12.0, 12.0, 0.4)))])


@pytest.fixture(scope="module")
def adult() -> sf.Character:
    return sf.people.adult()


def made(world: World, adult: sf.Character, seed: int) -> sf.Runner:
    stops = [world.place((x, y, 0.2)) for x in (-4.0, 4.0) for y in (-4.0, 4.0)]
    return sf.Runner(world, adult, stops[0], stops, seed=seed, until=12.0)


def test_a_runner_is_decided_by_its_seed(world: World, adult: sf.Character) -> None:
    times = np.arange(0.0, 16.0, 0.5)
    runners = [made(world, adult, seed) for seed in (3, 3, 4)]
    ways = [[runner.point(float(t)) for t in times] for runner in runners]
    assert np.array_equal(ways[0], ways[1])
    assert not np.array_equal(ways[0], ways[2])
    # It gets about, and nowhere faster than somebody walks.
    assert np.ptp(ways[0], axis=0).max() > 3.0
    assert np.linalg.norm(np.diff(ways[0], axis=0), axis=1).max() < 2.5 * 0.5


def test_when_it_is_asked_does_not_change_what_it_does(world: World, adult: sf.Character) -> None:
    early, late = made(world, adult, 5), made(world, adult, 5)
    early.point(1.0)
    assert np.array_equal(early.point(9.0), late.point(9.0))


def test_what_it_does_holds(world: World, adult: sf.Character) -> None:
    plan = made(world, adult, 3).plan(10.0)
    assert plan
    assert plan.end >= 10.0
    assert plan.check(world), plan.check(world)
