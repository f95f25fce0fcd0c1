"""Plans of controller runs: what a segment says of a rollout is enough to make it again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot import control, people
from surefoot.errors import InputError
from surefoot.planning import Controller, Goal, Kind, Outcome, Plan, Run, Segment, Status
from surefoot.planning.runs import rollouts, runs
from surefoot.world import Body, Keyframed, Place, World
from surefoot.world.primitives import slab


@pytest.fixture(scope="module")
def who():
    return people.adult()


@pytest.fixture(scope="module")
def controllers(who):
    return control.load(who)


@pytest.fixture(scope="module")
def world():
    ride = Keyframed(np.array([0.0, 30.0]), np.array([[0.0, 0, 1], [30.0, 0, 1]]))
    return World([Body(name="raft", mesh=slab((30.0, 8.0, 0.3)), trajectory=ride)])


def _plan(who, controllers, world):
    """Walks to two places on a raft that moves."""
    start = control.Configuration.standing(controllers.repertoire, Place("raft", (0.0, 0.0, 0.0)))
    begin, segments = 0.0, []
    for target in (Place("raft", (4.0, 1.0, 0.0)), Place("raft", (7.0, -1.0, 0.0))):
        found = controllers["walk"].adapt(world, who, start, target, t=begin)
        assert found
        run = Run(
            controller="walk",
            start=start,
            begin=begin,
            end=found.rollout.end,
            target=target,
            arrival=0.5,
        )
        times, _ = found.rollout.path(10.0)
        segments.append(
            Segment(
                kind=Kind.WALK, capability="walk", frame="raft", times=times[[0, -1]],
                positions=np.array([start.place.position, found.rollout.last.place.position]),
                headings=np.zeros(2), execution=Controller("walk", run=run),
            )
        )  # fmt: skip
        start, begin = found.rollout.last, found.rollout.end
    return Plan(
        character=who.name, capabilities=who.capabilities, origin=Place("raft", (0.0, 0.0, 0.0)),
        start=0.0, goal=Goal(target), segments=segments, status=Status(Outcome.REACHED, "there"),
    )  # fmt: skip


def test_rollouts_come_back_from_a_file(who, controllers, world, tmp_path):
    plan = _plan(who, controllers, world)
    plan.save(tmp_path / "plan.json")
    again = Plan.load(tmp_path / "plan.json")
    assert again == plan
    first, second = rollouts(again, world, who, controllers)
    assert second.end == plan.end
    assert np.array_equal(first.last.place.position, runs(plan)[1].start.place.position)
    assert first.last.action == runs(plan)[1].start.action


def test_a_changed_world_is_told(who, controllers, world):
    plan = _plan(who, controllers, world)
    blocked = World([*world, Body(name="post", mesh=slab((40.0, 0.3, 3.0), (20.0, 0.5, 3.0)))])
    with pytest.raises(InputError, match="not those of the plan"):
        rollouts(plan, blocked, who, controllers)


def test_segments_that_are_no_runs_are_named(who, controllers, world):
    plan = _plan(who, controllers, world)
    other = replace(
        plan, segments=(plan.segments[0], replace(plan.segments[1], execution=Controller("walk")))
    )
    with pytest.raises(InputError, match=r"segment 1 \(walk\) is no run"):
        runs(other)
