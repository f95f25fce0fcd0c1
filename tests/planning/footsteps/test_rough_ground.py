"""Ground that is not level: stairs, slopes, kerbs, and platform actions."""

import numpy as np
import pytest

import surefoot as sf
from surefoot.motion.quality.slide import sole_points
from surefoot.planning.footsteps import LiveFootsteps
from surefoot.planning.live import Asked
from surefoot.world.primitives import box, placed, ramp, slab, stairs

RATE = 60.0


@pytest.fixture(scope="module")
def adult():
    return sf.people.adult()


def flight(riser, tread, count=8):
    high, far = count * riser, count * tread
    world = sf.World(
        [
            sf.Body(name="ground", mesh=slab((12.0, 8.0, 0.2))),
            sf.Body(name="stairs", mesh=placed(stairs(count, 2.0, riser, tread))),
            sf.Body(name="top", mesh=slab((6.0, 4.0, 0.2), (far + 3.0, 0.0, high))),
        ]
    )
    return world, (-1.5, 0.0, 0.0), (far + 1.5, 0.0, high)


def hill():
    world = sf.World(
        [
            sf.Body(name="ground", mesh=slab((12.0, 8.0, 0.2), (-6.0, 0.0, 0.0))),
            sf.Body(name="ramp", mesh=ramp(5.0, 3.0, 1.2)),
            sf.Body(name="top", mesh=slab((6.0, 4.0, 0.2), (8.0, 0.0, 1.2))),
        ]
    )
    return world, (-1.5, 0.0, 0.0), (6.5, 0.0, 1.2)


def floor_with(*bodies):
    return sf.World([sf.Body(name="ground", mesh=slab((14.0, 6.0, 0.2))), *bodies])


def block(name, length, height, x):
    return sf.Body(name=name, mesh=slab((length, 6.0, height), (x, 0.0, height)))


def gap(wide):
    world = sf.World(
        [
            sf.Body(name="near", mesh=slab((6.0, 6.0, 0.2), (-3.0, 0.0, 0.0))),
            sf.Body(name="far", mesh=slab((6.0, 6.0, 0.2), (3.0 + wide, 0.0, 0.0))),
        ]
    )
    return world, (-2.5, 0.0, 0.0), (wide + 2.5, 0.0, 0.0)


def planned(world, adult, start, goal, **settings):
    problem = sf.Problem(
        world=world, character=adult, start=sf.Place(None, start),
        goal=sf.Goal(sf.Place(None, goal)),
    )  # fmt: skip
    plan = sf.plan(problem, sf.Footsteps(sf.FootstepSettings(**settings)))
    assert plan, plan.status.message
    assert plan.check(world), str(plan.check(world))
    return plan


def depths(world, adult, times, root, local):
    """How deep `(n, 2, 3)` [m] heels, balls and toes are in the ground."""
    points = sole_points(adult.skeleton, adult.measures, root, local)
    points[:, :, 1, 2] -= adult.measures.ball_height
    when = np.broadcast_to(times[:, None, None], points.shape[:-1])
    below = world.support(points, when, up=0.3, down=2.0)
    return np.where(below.hit, below.height - points[..., 2], -1.0)


def slides(adult, root, local, contacts):
    """How fast [m/s] the heels and balls of feet that stand go."""
    points = sole_points(adult.skeleton, adult.measures, root, local)[:, :, :2]
    moved = np.linalg.norm(np.diff(points, axis=0), axis=-1) * RATE
    return np.where(contacts[1:] & contacts[:-1], moved, 0.0).max()


def assert_sound(plan, world, adult, deepest=0.02):
    animation = sf.animate(plan, world, adult, rate=RATE)
    times = animation.start + np.arange(len(animation.root)) / RATE
    contacts = animation.motion.contacts
    found = depths(world, adult, times, animation.root, animation.rotations)
    stands = contacts.any(axis=-1)[..., None]
    assert np.where(stands, found, -1.0).max() < 0.01
    assert found.max() < deepest
    assert slides(adult, animation.root, animation.rotations, contacts) < 1e-3


@pytest.mark.parametrize(("riser", "tread"), [(0.17, 0.29), (0.12, 0.4)])
@pytest.mark.parametrize("down", [False, True])
def test_stairs(adult, riser, tread, down):
    world, low, high = flight(riser, tread)
    start, goal = (high, low) if down else (low, high)
    plan = planned(world, adult, start, goal)
    assert_sound(plan, world, adult)
    on = [world.position(step.place, step.start) for step in plan.footsteps]
    climbing = [point for point in on if 0.05 < point[2] < high[2] - 0.05]
    # Each foot is on a tread of its own.
    assert len(climbing) >= 3
    levels = np.array([point[2] for point in climbing]) / riser
    assert np.abs(levels - np.rint(levels)).max() < 1e-6


@pytest.mark.parametrize("down", [False, True])
def test_slopes_tilt_the_feet(adult, down):
    world, low, high = hill()
    start, goal = (high, low) if down else (low, high)
    plan = planned(world, adult, start, goal)
    assert_sound(plan, world, adult)


def test_a_kerb_is_stepped_onto(adult):
    world = floor_with(block("kerb", 4.0, 0.15, 3.0))
    plan = planned(world, adult, (-1.5, 0.0, 0.0), (2.5, 0.0, 0.15))
    assert_sound(plan, world, adult)


def test_a_box_is_stepped_up_to(adult):
    world = floor_with(block("box", 1.0, 0.3, 1.0))
    plan = planned(world, adult, (-1.5, 0.0, 0.0), (1.0, 0.0, 0.3))
    assert_sound(plan, world, adult)


def test_nobody_steps_higher_than_legs_do(adult):
    world = floor_with(block("box", 1.0, 0.3, 1.0))
    problem = sf.Problem(
        world=world, character=adult, start=sf.Place(None, (-1.5, 0.0, 0.0)),
        goal=sf.Goal(sf.Place(None, (1.0, 0.0, 0.3))),
    )  # fmt: skip
    settings = sf.FootstepSettings(rise=0.2, modes=("walk", "turn"), nodes=2000)
    assert not sf.plan(problem, sf.Footsteps(settings))


def test_a_gap_is_stepped_over(adult):
    world, start, goal = gap(0.5)
    plan = planned(world, adult, start, goal)
    assert "step over" in [segment.kind for segment in plan.segments]
    assert_sound(plan, world, adult)


def test_a_wide_gap_is_jumped(adult):
    world, start, goal = gap(0.95)
    plan = planned(world, adult, start, goal)
    jumps = [segment for segment in plan.segments if segment.kind == "jump"]
    assert len(jumps) == 1
    assert len(jumps[0].flights) == 1
    assert_sound(plan, world, adult)


def test_a_low_bar_is_crouched_under(adult):
    world = floor_with(sf.Body(name="bar", mesh=placed(box((0.3, 6.0, 1.0)), 0.8, 0.0, 2.1)))
    plan = planned(world, adult, (-2.0, 0.0, 0.0), (3.5, 0.0, 0.0))
    assert "crouch" in [segment.kind for segment in plan.segments]
    assert_sound(plan, world, adult)
    # The top of the head stays below the bar while it is under it.
    animation = sf.animate(plan, world, adult, rate=RATE)
    places, _ = adult.skeleton.forward(animation.root, animation.rotations)
    head = places[:, adult.skeleton.index("head")]
    under = np.abs(head[:, 0] - 0.8) < 0.25
    top = head[under, 2] + adult.measures.height - adult.measures.head_height
    assert under.any()
    assert top.max() < 1.6


def test_what_a_character_may_not_do_is_no_action(adult):
    world, start, goal = gap(0.95)
    problem = sf.Problem(
        world=world, character=adult, start=sf.Place(None, start),
        goal=sf.Goal(sf.Place(None, goal)), capabilities=("walk", "run"),
    )  # fmt: skip
    assert not sf.plan(problem, sf.Footsteps(sf.FootstepSettings(nodes=2000)))


def test_live_bodies_climb_stairs(adult):
    """Native poses: feet on their own treads, also where plans are exchanged on the way."""
    world, low, high = flight(0.17, 0.29)
    planner = LiveFootsteps(world)
    plan = planner.admit(0, adult, sf.Place(None, low), 0.0, 0.0)
    target = sf.Goal(sf.Place(None, high))
    shots, times, next_replan = [], np.arange(0.0, 12.0, 1 / RATE), 0.0
    for t in times.tolist():
        if (t >= next_replan and not plan.reached) or t == 0.0:
            begin = next((float(a) for a in plan.actions if a >= t), max(t, plan.end))
            asked = Asked(
                agent=0, plan=plan, begin=begin, goal=target, horizon=6, nodes=4000
            )  # fmt: skip
            answer = planner.plan([asked], {0: plan}, t)[0]
            plan = answer.plan or plan
            next_replan = t + 1.2
        poses = planner.poses({0: plan}, t)
        shots.append((poses.root[0], poses.rotations[0], poses.contacts[0]))
    root, local, contacts = (np.array([shot[i] for shot in shots]) for i in range(3))
    assert np.hypot(*(root[-1, :2] - np.array(high[:2]))) < 0.4
    found = depths(world, adult, times, root, local)
    assert np.where(contacts.any(axis=-1)[..., None], found, -1.0).max() < 0.01
    assert slides(adult, root, local, contacts) < 1e-3
