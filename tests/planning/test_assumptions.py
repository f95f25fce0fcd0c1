from __future__ import annotations

import gc
from dataclasses import replace
from math import inf

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.math import Pose, rotations
from surefoot.planning import assume
from surefoot.planning.assumptions import _resting
from surefoot.world import Body, Keyframed, Observed, Static, World
from surefoot.world.primitives import box, slab


def test_resting_bodies_are_kept_once_and_moving_ones_over_time(yard: World) -> None:
    known = {a.body: a for a in assume(yard, 3.0, 10.0)}
    assert list(known) == ["floor", "lift", "deck"]
    assert len(known["floor"].times) == 1
    assert known["lift"].times[0] == 3.0
    assert known["lift"].times[-1] == 10.0
    assert np.diff(known["lift"].times).max() <= 0.5
    np.testing.assert_allclose(known["lift"].positions[0], [5, 0, 0.5])
    assert known["lift"].horizon == inf
    assert all(a.change(yard) == "" for a in known.values())
    assert [a.body for a in assume(yard, 0.0, 1.0, bodies=["lift"])] == ["lift"]


def test_long_plans_keep_a_bounded_number_of_moments(yard: World) -> None:
    assert len(assume(yard, 0.0, 3600.0, ["lift"])[0].times) == 129
    assert len(assume(yard, 4.0, 4.0, ["lift"])[0].times) == 1


def test_what_is_not_known_is_not_assumed() -> None:
    seen = Observed.first(1.0, Pose.at(0.0), ahead=2.0, trust=0.4)
    seen = seen.then(2.0, Pose.at(1.0))
    world = World([Body(name="cart", mesh=box((1, 1, 1)), trajectory=seen)])
    (known,) = assume(world, 2.0, 10.0)
    assert known.horizon == 4.0
    assert known.times[-1] == 4.0
    assert known.confidence == 0.0
    (near,) = assume(world, 2.0, 3.0)
    assert near.confidence == pytest.approx(0.7)


def test_changes_are_said_in_words(yard: World) -> None:
    floor, lift, deck = assume(yard, 0.0, 10.0)
    yard.move("lift", Static(Pose.at(5.0)))
    assert lift.change(yard) == "'lift' is 3.00 m from where it was expected at 8.00 s"
    yard.move("deck", Static(Pose.at(0.0, yaw=0.25)))
    assert "'deck' is 0.250 rad from where it was expected" in deck.change(yard)
    yard.remove("floor")
    assert floor.change(yard) == "'floor' is gone"
    yard.add(Body(name="floor", mesh=slab((1.0, 1.0, 1.0))))
    assert floor.change(yard) == "'floor' has another shape"


def test_a_small_turn_of_a_long_body_counts() -> None:
    world = World([Body(name="boom", mesh=box((20.0, 0.1, 0.1)))])
    (known,) = assume(world, 0.0, 1.0)
    world.move("boom", Static(Pose(np.zeros(3), rotations.from_yaw(0.00005))))
    assert known.change(world) == "", "half a millimetre at its end"
    world.move("boom", Static(Pose(np.zeros(3), rotations.from_yaw(0.0005))))
    assert known.change(world), "five millimetres at its end"


def test_a_change_after_the_plan_does_not_matter(yard: World) -> None:
    (lift,) = assume(yard, 0.0, 4.0, ["lift"])
    trajectory = yard["lift"].trajectory
    positions = trajectory.positions.copy()
    positions[3:] += [0.0, 0.0, 1.0]
    yard.move("lift", replace(trajectory, positions=positions))
    assert lift.change(yard) == ""


def test_where_a_body_was_expected(yard: World) -> None:
    _, lift, deck = assume(yard, 0.0, 10.0)
    assert deck.covers(np.array([8.0, 0.0, 3.0]), 0.0, 0.1)
    assert not deck.covers(np.array([8.0, 0.0, 4.0]), 0.0, 0.1)
    assert lift.covers(np.array([5.0, 0.0, 1.5]), 5.0, 0.1)
    assert not lift.covers(np.array([5.0, 0.0, 0.0]), 9.0, 0.1)


def test_a_moved_body_is_looked_at_again(yard: World) -> None:
    first = assume(yard, 0.0, 1.0, ["deck"])[0]
    assert assume(yard, 5.0, 6.0, ["deck"])[0] is first, "at rest, worked out once"
    yard.move("deck", Static(Pose.at(1.0)))
    second = assume(yard, 0.0, 1.0, ["deck"])[0]
    np.testing.assert_allclose(second.positions, [[1.0, 0.0, 0.0]])


def test_bodies_that_are_gone_are_not_kept_alive() -> None:
    gc.collect()
    before = len(_resting)
    world = World([Body(name=f"box {i}", mesh=box((1, 1, 1))) for i in range(5)])
    assume(world, 0.0, 1.0)
    assert len(_resting) == before + 5
    del world
    gc.collect()
    assert len(_resting) == before


def test_bad_assumptions_say_what_is_wrong(yard: World) -> None:
    (lift,) = assume(yard, 0.0, 4.0, ["lift"])
    with pytest.raises(InputError, match="assumption about 'lift': confidence must be at most 1"):
        replace(lift, confidence=2.0)
    with pytest.raises(InputError, match=r"positions must have shape \(9, 3\)"):
        replace(lift, positions=lift.positions[:2])
    with pytest.raises(InputError, match="times must hold at least one moment"):
        replace(lift, times=np.zeros(0))


def test_a_loop_is_kept_as_the_poses_it_takes() -> None:
    spin = Keyframed([0.0, 1.0, 2.0], np.zeros((3, 3)), rotations.from_yaw([0.0, 3.0, 6.0]))
    world = World([Body(name="door", mesh=box((1, 1, 1)), trajectory=replace(spin, repeat="loop"))])
    (door,) = assume(world, 0.0, 10.0)
    assert door.change(world) == ""
    world.move("door", replace(spin, repeat="once"))
    assert door.change(world) != ""
