"""A right plan passes; each way of being wrong is found, named, and laid at the right door."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, pi

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.math import Pose, rotations
from surefoot.planning import (
    AllOf,
    AnyOf,
    Cause,
    Fault,
    Flight,
    Footstep,
    Goal,
    Outcome,
    Plan,
    Region,
    Segment,
    Status,
)
from surefoot.planning.check import Check
from surefoot.planning.standing import cylinder
from surefoot.world import Attached, Body, Function, Keyframed, Place, Static, World
from surefoot.world.primitives import box, ramp, slab, stairs

Go = Callable[..., Segment]
PlanOf = Callable[..., Plan]


def here(x: float, y: float = 0.0, z: float = 0.0, body: str | None = None) -> Place:
    return Place(body, np.array([x, y, z]))


def faults(check: Check) -> set[Fault]:
    return {violation.fault for violation in check.violations}


def only(check: Check, fault: Fault, message: str, cause: Cause = Cause.PLAN) -> None:
    """That the check fails in this way and in no other."""
    assert not check
    assert faults(check) == {fault}, str(check)
    first = check.violations[0]
    assert message in first.message, first.message
    assert first.cause is cause, str(check)
    assert first.message in str(check)


def test_a_right_plan_passes(ride: Plan, yard: World) -> None:
    check = ride.check(yard)
    assert check, str(check)
    assert check.moments > 100
    assert not check.plan_was_wrong
    assert not check.world_changed
    assert str(check).startswith("every claim holds")


# ------------------------------------------------------------------------------- collisions


def test_walking_through_a_wall(floor: World, go: Go, plan_of: PlanOf) -> None:
    floor.add(Body(name="wall", mesh=box((0.2, 4.0, 2.0), (3.0, 0.0, 1.0))))
    check = plan_of(floor, go((0, 0, 0), (6, 0, 0))).check(floor)
    only(check, Fault.COLLISION, "the walk runs into 'wall'")
    hit = check.violations[0]
    assert hit.body == "wall"
    assert hit.place.position[0] == pytest.approx(2.9 - 0.25, abs=0.01)


def test_a_low_beam_stops_walkers_and_not_crouchers(floor: World, go: Go, plan_of: PlanOf) -> None:
    floor.add(Body(name="beam", mesh=box((0.2, 4.0, 0.2), (3.0, 0.0, 1.5))))
    only(plan_of(floor, go((0, 0, 0), (6, 0, 0))).check(floor), Fault.COLLISION, "'beam'")
    crouch = go((0, 0, 0), (6, 0, 0), kind="crouch", capability="crouch", speed=0.6)
    assert plan_of(floor, crouch).check(floor)


def test_a_thin_wall_between_two_moments_is_not_missed(
    floor: World, go: Go, plan_of: PlanOf
) -> None:
    floor.add(Body(name="sheet", mesh=box((0.001, 4.0, 2.0), (3.0, 0.0, 1.0))))
    only(plan_of(floor, go((0, 0, 0), (6, 0, 0))).check(floor), Fault.COLLISION, "'sheet'")


def test_a_car_that_comes_at_the_wrong_moment(floor: World, go: Go, plan_of: PlanOf) -> None:
    drive = Keyframed([0.0, 2.0], [[3.0, -20.0, 1.0], [3.0, 20.0, 1.0]])
    floor.add(Body(name="car", mesh=box((2.0, 4.0, 1.5)), trajectory=drive))
    check = plan_of(floor, go((0, 0, 0), (6, 0, 0), -1.5)).check(floor)
    assert check.violations[0].fault is Fault.COLLISION
    assert check.violations[0].body == "car"
    assert plan_of(floor, go((0, 0, 0), (6, 0, 0), 2.0)).check(floor)


def test_agrees_with_dense_sampling_on_random_worlds(
    floor: World, go: Go, plan_of: PlanOf, adult: Character
) -> None:
    rng = np.random.default_rng(11)
    shape = cylinder(adult.capability("walk"))
    hits = 0
    for _ in range(150):
        world = World(list(floor))
        for i in range(3):
            keys = rng.uniform([-6, -6, 0.0], [6, 6, 1.5], (3, 3))
            turns = rotations.from_yaw(rng.uniform(-pi, pi, 3))
            motion = Keyframed([0.0, 3.0, 6.0], keys, turns)
            world.add(Body(name=f"box {i}", mesh=box(rng.uniform(0.1, 1.5, 3)), trajectory=motion))
        ends = np.column_stack([rng.uniform(-6, 6, (2, 2)), np.zeros(2)])
        segment = go(*ends, kind="run", capability="run", seconds=6.0)
        check = plan_of(world, segment).check(world)
        times = np.linspace(0.0, 6.0, 1201)
        points, _ = segment.sample(times)
        touched = world.overlap(points, times, shape=shape)
        found = [v for v in check.violations if v.fault is Fault.COLLISION]
        if touched.any():
            first = float(times[np.argmax(touched)])
            # A corner that is grazed by less than the skin is no collision.
            smaller = replace(shape, radius=shape.radius - 0.01, height=shape.height - 0.01)
            if world.overlap(points, times, shape=smaller).any():
                assert found, "dense sampling touches something"
                assert found[0].time <= first + 0.05
                hits += 1
        else:
            near = replace(shape, radius=shape.radius + 0.02)
            assert not found or world.overlap(points, times, shape=near).any()
    assert 20 < hits < 140, "the worlds should be neither empty nor full"


# ---------------------------------------------------------------------------------- support


def test_walking_off_an_edge(floor: World, go: Go, plan_of: PlanOf) -> None:
    check = plan_of(floor, go((8, 0, 0), (11, 0, 0))).check(floor)
    only(check, Fault.SUPPORT, "nothing to stand on within 0.35 m")
    assert check.violations[0].place.position[0] == pytest.approx(10.0, abs=0.06)


def test_floating_and_sinking(floor: World, go: Go, plan_of: PlanOf) -> None:
    only(plan_of(floor, go((0, 0, 1), (2, 0, 1))).check(floor), Fault.SUPPORT, "nothing to stand")
    below = plan_of(floor, go((0, 0, -1), (2, 0, -1))).check(floor)
    assert faults(below) == {Fault.SUPPORT, Fault.COLLISION}


def two_slabs(gap: float) -> World:
    """Floor on both sides of a gap at x = 0."""
    sides = {"west": -2.0 - gap / 2, "east": 2.0 + gap / 2}
    return World(
        [Body(name=n, mesh=slab((4.0, 4.0, 0.2), (x, 0.0, 0.0))) for n, x in sides.items()]
    )


def test_cracks_are_walked_over_and_gaps_stepped_over(go: Go, plan_of: PlanOf) -> None:
    for gap, kind, good in (
        (0.08, "walk", True),
        (0.4, "walk", False),
        (0.4, "step over", True),
        (1.5, "step over", False),
    ):
        world = two_slabs(gap)
        check = plan_of(world, go((-1, 0, 0), (1, 0, 0), kind=kind)).check(world)
        assert bool(check) is good, (gap, kind, str(check))
        assert good or faults(check) == {Fault.SUPPORT}


def test_nobody_lingers_over_a_gap(go: Go, plan_of: PlanOf) -> None:
    world = two_slabs(0.4)
    over = go((-1, 0, 0), (1, 0, 0), kind="step over", seconds=4.0)
    assert plan_of(world, over).check(world)
    only(plan_of(world, replace(over, times=over.times * 2)).check(world), Fault.SUPPORT, "nothing")


def test_nobody_waits_over_a_crack(go: Go, plan_of: PlanOf) -> None:
    world = two_slabs(0.08)
    arrive, leave = go((-1, 0, 0), (0, 0, 0)), go((0, 0, 0), (1, 0, 0), 20.0)
    wait = go((0, 0, 0), (0, 0, 0), arrive.end, seconds=20.0 - arrive.end, kind="wait")
    assert Fault.SUPPORT in faults(plan_of(world, arrive, wait, leave).check(world))


def test_slopes_and_stairs(go: Go, plan_of: PlanOf) -> None:
    for height, good in ((1.0, True), (3.0, False)):
        world = World([Body(name="ramp", mesh=ramp(3.0, 4.0, height))])
        up = go((0.3, 0, 0.1 * height), (2.7, 0, 0.9 * height), speed=1.0)
        check = plan_of(world, up).check(world)
        if good:
            assert check, str(check)
        else:
            only(check, Fault.SUPPORT, "the ground of 'ramp' is 0.79 rad steep, more than the 0.61")
    world = World([Body(name="stairs", mesh=stairs(8, 2.0, 0.17, 0.29))])
    assert plan_of(world, go((0.15, 0, 0.17), (2.1, 0, 1.36), speed=0.8)).check(world)


def test_who_says_to_stand_still_on_a_moving_lift(yard: World, go: Go, plan_of: PlanOf) -> None:
    still = go((5, 0, 0.1), (5, 0, 0.1), 2.0, seconds=0.5, kind="wait")
    check = plan_of(yard, still).check(yard)
    assert Fault.SUPPORT in faults(check)
    slip = check.violations[0].message
    assert "carried by the world but stands on 'lift', which moves 0.50 m/s past it" in slip
    assert plan_of(yard, go((5, 0, 0), (5, 0, 0), 0.5, seconds=1.0, kind="wait")).check(yard), (
        "while the lift rests, its floor is as good as any"
    )


def train() -> World:
    """A platform, and a train of car and carpet at 2 m/s beside it; the carpet is its own body."""
    drive = Keyframed([0.0, 20.0], [[-20.0, 2.0, 0.0], [20.0, 2.0, 0.0]])
    return World(
        [
            Body(name="platform", mesh=slab((40.0, 2.0, 0.2))),
            Body(name="car", mesh=slab((8.0, 1.98, 0.2)), trajectory=drive),
            Body(
                name="carpet",
                mesh=slab((2.0, 1.0, 0.01), (0.0, 0.0, 0.01)),
                trajectory=Attached(drive, Static()),
            ),
        ]
    )


def test_walking_about_on_a_train(go: Go, plan_of: PlanOf) -> None:
    world = train()
    along = go((-3, 0, 0), (3, 0, 0), 5.0, frame="car")
    assert plan_of(world, along).check(world), "on what rides along, and at its own speed"
    carpet = go((0, 0, 0), (0.5, 0, 0), 5.0, frame="carpet")
    assert plan_of(world, carpet).check(world)
    off = go((0, 0.0, 0), (0, -2.0, 0), 5.0, frame="car")
    assert faults(plan_of(world, off).check(world)) == {Fault.SUPPORT}


def test_boarding_changes_carriers(go: Go, plan_of: PlanOf) -> None:
    world = train()
    # Run along the platform with the train, step across, and ride.
    run = go((-4, 0.5, 0), (0, 0.5, 0), 8.0, kind="run", capability="run", seconds=2.0)
    over = go((0, -1.5, 0), (0, -0.5, 0), 10.0, kind="board", frame="car", seconds=0.8)
    stay = go((0, -0.5, 0), (0, -0.5, 0), 10.8, kind="ride", frame="car", seconds=2.0)
    check = plan_of(world, run, over, stay).check(world)
    assert check, str(check)
    walked = plan_of(world, run, replace(over, kind="walk"), stay).check(world)
    assert Fault.SUPPORT in faults(walked)


# ------------------------------------------------------------------------- joints and speeds


def test_gaps_in_place_and_time(floor: World, go: Go, plan_of: PlanOf) -> None:
    first, second = go((0, 0, 0), (2, 0, 0)), go((2.5, 0, 0), (4, 0, 0), 2.0)
    check = plan_of(floor, first, second).check(floor)
    only(check, Fault.JOINT, "the walk begins 0.500 m and 0.462 s from where")
    late = go((2, 0, 0), (4, 0, 0), first.end + 0.1)
    only(plan_of(floor, first, late).check(floor), Fault.JOINT, "0.000 m and 0.100 s")
    elsewhere = plan_of(floor, first, origin=here(-1.0))
    only(elsewhere.check(floor), Fault.JOINT, "begins 1.000 m and 0.000 s")


def test_too_fast(floor: World, go: Go, plan_of: PlanOf) -> None:
    check = plan_of(floor, go((0, 0, 0), (4, 0, 0), speed=3.0)).check(floor)
    only(check, Fault.SPEED, "the walk goes at 3.00 m/s, 'walk' at most at 1.99 m/s")
    run = go((0, 0, 0), (4, 0, 0), speed=3.0, kind="run", capability="run")
    assert plan_of(floor, run).check(floor)


# ---------------------------------------------------------------------------------- flights


def jump(
    world: World, start: Place, end: Place, t: float = 0.0, air: float = 0.5, **more: object
) -> Segment:
    """A jump along its parabola, at sixty moments a second."""
    flight = Flight(take_off=start, landing=end, start=t, end=t + air)
    times = np.linspace(t, t + air, 31)
    fields = {
        "kind": "jump",
        "capability": "jump",
        "times": times,
        "positions": flight.positions(world, times),
        "headings": np.zeros(31),
        "flights": (flight,),
    }
    return Segment(**(fields | more))


def test_a_jump_over_a_gap(plan_of: PlanOf, go: Go) -> None:
    world = two_slabs(1.5)
    leap = jump(world, here(-0.9), here(0.9))
    check = plan_of(world, go((-3, 0, 0), (-0.9, 0, 0), -1.5, seconds=1.5), leap).check(world)
    assert check, str(check)
    flat = replace(leap, positions=np.linspace([-0.9, 0, 0], [0.9, 0, 0], 31))
    only(plan_of(world, flat).check(world), Fault.FLIGHT, "is 0.31 m off the parabola")
    short = jump(world, here(-0.9), here(0.5))
    only(plan_of(world, short).check(world), Fault.FLIGHT, "lands on (0.50, 0.00, 0.00), where")


@pytest.mark.parametrize(
    ("end", "air", "message"),
    [
        ((4.0, 0.0), 0.6, "has a length of 4.00, 'jump' allows 2.41"),
        ((2.0, 0.0), 0.3, "has a run-up speed of 6.67"),
        ((1.0, 0.8), 0.8, "has a rise of 0.80, 'jump' allows 0.46"),
        ((1.0, -2.0), 0.7, "has a drop of 2.00, 'jump' allows 0.93"),
        ((1.0, 0.0), 1.0, "has a height of the arc of 1.23"),
    ],
)
def test_jumps_beyond_the_capability(
    end: tuple[float, float], air: float, message: str, plan_of: PlanOf
) -> None:
    x, z = end
    world = World(
        [
            Body(name="from", mesh=slab((1.0, 2.0, 0.1))),
            Body(name="to", mesh=slab((0.5, 2.0, 0.1), (x, 0.0, z))),
        ]
    )
    leap = jump(world, here(0.0), here(x, z=z), air=air)
    check = plan_of(world, leap).check(world)
    assert Fault.FLIGHT in faults(check)
    assert message in str(check)


def test_a_jump_off_a_train_has_its_speed_for_nothing(plan_of: PlanOf) -> None:
    world = train()
    # In the train's frame it is a metre to the side; over the ground 1.4 m.
    t = 10.0
    leap = jump(world, here(0.0, -0.5, 0.0, "car"), here(1.0, 0.5), t=t)
    assert plan_of(world, leap).check(world)
    fast = Keyframed([0.0, 20.0], [[-200.0, 2.0, 0.0], [200.0, 2.0, 0.0]])
    world.move("car", fast)
    world.remove("carpet")
    leap = jump(world, here(0.0, -0.5, 0.0, "car"), here(1.0, 0.5), t=t)
    # Whoever lands at rest beside a train at 20 m/s has leapt backwards at nearly that.
    only(plan_of(world, leap).check(world), Fault.FLIGHT, "has a length of 9.0")


def test_only_jumpers_jump(plan_of: PlanOf) -> None:
    world = two_slabs(1.0)
    leap = jump(world, here(-0.7), here(0.7), capability="walk")
    assert "'walk' allows 0.00" in str(plan_of(world, leap).check(world))


# -------------------------------------------------------------------------------- footsteps


def feet(*steps: tuple[str, float, float, float, float], body: str | None = None) -> list[Footstep]:
    return [
        Footstep(foot=f, place=here(x, y, 0.0, body), heading=0.0, start=a, end=b)
        for f, x, y, a, b in steps
    ]


GOOD_FEET = [
    ("left", 0.0, 0.1, 0.0, 0.4),
    ("right", 0.4, -0.1, 0.3, 0.9),
    ("left", 0.9, 0.1, 0.8, 1.4),
    ("right", 1.5, -0.1, 1.3, inf),
]


def test_right_footsteps(floor: World, go: Go, plan_of: PlanOf) -> None:
    plan = plan_of(floor, go((0, 0, 0), (2, 0, 0)), footsteps=feet(*GOOD_FEET))
    assert plan.check(floor)
    world = train()
    plan = plan_of(
        world, go((0, 0, 0), (2, 0, 0), frame="car"), footsteps=feet(*GOOD_FEET, body="car")
    )
    assert plan.check(world), str(plan.check(world))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (("left", 0.9, 30.0, 0.8, 1.4), "the left foot has no ground within 0.03 m"),
        (("left", 0.9, 3.0, 0.8, 1.4), "the left foot is 3.0"),
        (("left", 0.9, 0.1, 0.3, 1.4), "the left foot is put down before it was lifted"),
    ],
)
def test_wrong_footsteps(
    step: tuple[str, float, float, float, float],
    message: str,
    floor: World,
    go: Go,
    plan_of: PlanOf,
) -> None:
    steps = feet(*GOOD_FEET[:2], step)
    check = plan_of(floor, go((0, 0, 0), (2, 0, 0)), footsteps=steps).check(floor)
    only(check, Fault.FOOTSTEP, message)


def test_a_foot_that_says_it_rests_while_its_ground_leaves(go: Go, plan_of: PlanOf) -> None:
    world = train()
    walk = go((0, 0, 0), (2, 0, 0), 9.0, frame="car")
    step = Footstep(foot="left", place=here(0.5, 2.0), heading=0.0, start=9.2, end=9.6)
    check = plan_of(world, walk, footsteps=[step]).check(world)
    only(check, Fault.FOOTSTEP, "the left foot slides on 'ca")


def test_no_foot_stands_in_flight(plan_of: PlanOf) -> None:
    world = two_slabs(1.0)
    leap = jump(world, here(-0.7), here(0.7))
    step = Footstep(foot="left", place=here(-0.7), heading=0.0, start=0.1, end=0.4)
    check = plan_of(world, leap, footsteps=[step]).check(world)
    only(check, Fault.FOOTSTEP, "is on the ground during a flight")


# ------------------------------------------------------------------------- goals and horizons


def test_goals_that_are_not_reached(floor: World, go: Go, plan_of: PlanOf) -> None:
    walk = go((0, 0, 0), (2, 0, 0))
    near = Goal(here(2.2), heading=0.0, arrive=(0.0, 5.0))
    assert plan_of(floor, walk, goal=near).check(floor)
    for goal, message in (
        (replace(near, place=here(2.5)), "which is not (2.50, 0.00, 0.00) (within 0.25 m"),
        (replace(near, heading=1.0), "facing 1.00 rad"),
        (replace(near, arrive=(3.0, 5.0)), "between 3 s and 5 s"),
        (Region(low=(5, 5, -1), high=(6, 6, 1)), "the box [5.0, 5.0, -1.0]"),
        (AllOf((near, Goal(here(5.0)))), "which is not (2.20, 0.00, 0.00) and (5.00"),
    ):
        only(plan_of(floor, walk, goal=goal).check(floor), Fault.GOAL, message)
    failed = Status(Outcome.UNREACHABLE, "there is no way")
    assert plan_of(floor, walk, goal=Goal(here(9.0)), status=failed).check(floor), (
        "a plan that says it fails claims no arrival"
    )


def test_goals_on_the_way(floor: World, go: Go, plan_of: PlanOf) -> None:
    walk = go((0, 0, 0), (2, 0, 0))
    passed, end = Goal(here(1.0)), Goal(here(2.0))
    assert plan_of(floor, walk, goal=AllOf((end, passed))).check(floor)
    assert plan_of(floor, walk, goal=AllOf((passed, end), ordered=True)).check(floor)
    assert not plan_of(floor, walk, goal=AllOf((end, passed), ordered=True)).check(floor)
    assert plan_of(floor, walk, goal=AnyOf((Goal(here(9.0)), end))).check(floor)
    assert not plan_of(floor, walk, goal=passed).check(floor), "passing by is not arriving"


def test_nothing_is_relied_on_beyond_its_horizon(floor: World, go: Go, plan_of: PlanOf) -> None:
    slide = Function(lambda t: Pose.at(t, 5.0), horizon=3.0, max_speed=1.0)
    floor.add(Body(name="sled", mesh=slab((2, 2, 0.1)), trajectory=slide))
    stay = go((0, 0, 0), (0, 0, 0), 0.0, seconds=2.5, kind="ride", frame="sled")
    assert plan_of(floor, stay).check(floor)
    longer = go((0, 0, 0), (0, 0, 0), 0.0, seconds=4.0, kind="ride", frame="sled")
    check = plan_of(floor, longer).check(floor)
    only(
        check, Fault.HORIZON, "relies on 'sled' until 4.00 s, but its motion is known only until 3"
    )


# ------------------------------------------------------------------------------------ causes


def test_a_body_that_moves_otherwise_than_planned(ride: Plan, yard: World) -> None:
    yard.move("lift", Static(Pose.at(5.0)))
    check = ride.check(yard)
    assert check.world_changed
    assert not check.plan_was_wrong, str(check)
    assert any("'lift' is 3.00 m from where it was expected" in str(v) for v in check.violations)


def test_a_late_lift(ride: Plan, yard: World) -> None:
    lift = yard["lift"].trajectory
    yard.move("lift", replace(lift, times=lift.times + 1.0))
    assert ride.check(yard), "a second late is still up in time"
    yard.move("lift", replace(lift, times=lift.times + 3.0))
    check = ride.check(yard)
    assert {v.cause for v in check.violations} == {Cause.WORLD}, str(check)


def test_a_new_body_in_the_way(floor: World, go: Go, plan_of: PlanOf) -> None:
    plan = plan_of(floor, go((0, 0, 0), (6, 0, 0)))
    floor.add(Body(name="couch", mesh=box((1.0, 2.0, 1.0), (3.0, 0.0, 0.5))))
    only(plan.check(floor), Fault.COLLISION, "runs into 'couch'; 'couch' is new", Cause.WORLD)


def test_a_body_that_is_gone(ride: Plan, yard: World) -> None:
    yard.remove("lift")
    check = ride.check(yard)
    assert Fault.MISSING in faults(check)
    assert not check.plan_was_wrong, str(check)


def test_a_floor_that_is_gone_was_nobodys_frame(floor: World, go: Go, plan_of: PlanOf) -> None:
    floor.add(Body(name="bridge", mesh=slab((4.0, 2.0, 0.1), (12.0, 0.0, 0.0))))
    plan = plan_of(floor, go((8, 0, 0), (13, 0, 0)))
    assert plan.check(floor)
    floor.remove("bridge")
    check = plan.check(floor)
    only(check, Fault.SUPPORT, "nothing to stand on within 0.35 m; 'bridge' is gone", Cause.WORLD)


def test_a_body_of_another_shape(floor: World, go: Go, plan_of: PlanOf) -> None:
    floor.add(Body(name="crate", mesh=box((0.5, 0.5, 1.0), (3.0, 1.0, 0.5))))
    plan = plan_of(floor, go((0, 0, 0), (6, 0, 0)))
    assert plan.check(floor)
    floor.remove("crate")
    floor.add(Body(name="crate", mesh=box((0.5, 3.0, 1.0), (3.0, 0.0, 0.5))))
    only(plan.check(floor), Fault.COLLISION, "'crate' has another shape", Cause.WORLD)


def test_both_causes_at_once(floor: World, go: Go, plan_of: PlanOf) -> None:
    floor.add(Body(name="wall", mesh=box((0.2, 4.0, 2.0), (3.0, 0.0, 1.0))))
    first = go((0, 0, 0), (6, 0, 0))
    plan = plan_of(floor, first, go((6, 0, 0), (9, 0, 0), first.end))
    floor.add(Body(name="couch", mesh=box((1.0, 2.0, 1.0), (7.5, 0.0, 0.5))))
    check = plan.check(floor)
    assert [v.cause for v in check.violations] == [Cause.PLAN, Cause.WORLD]
    assert check.plan_was_wrong
    assert check.world_changed


def test_another_description_of_the_same_motion_is_no_change(ride: Plan, yard: World) -> None:
    yard.move("lift", yard["lift"].trajectory.sampled(-5.0, 25.0, rate=40.0))
    assert ride.check(yard)
    for known in ride.assumes:
        assert known.change(yard) == ""


def test_a_plan_that_kept_no_assumptions_is_to_blame(floor: World, go: Go, plan_of: PlanOf) -> None:
    plan = plan_of(floor, go((0, 0, 0), (6, 0, 0)), assumes=())
    floor.add(Body(name="couch", mesh=box((1.0, 2.0, 1.0), (3.0, 0.0, 0.5))))
    only(plan.check(floor), Fault.COLLISION, "runs into 'couch'", Cause.PLAN)


def test_violations_come_in_order_of_time(floor: World, go: Go, plan_of: PlanOf) -> None:
    floor.add(Body(name="wall", mesh=box((0.2, 4.0, 2.0), (3.0, 0.0, 1.0))))
    check = plan_of(floor, go((0, 0, 0), (12, 0, 0)), goal=Goal(here(0.0))).check(floor)
    assert [v.fault for v in check.violations] == [Fault.COLLISION, Fault.SUPPORT, Fault.GOAL]
