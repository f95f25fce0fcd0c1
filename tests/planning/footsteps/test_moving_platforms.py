"""Feet on floors that move: planted in their frames, stepped onto, stood and walked on, left."""

import numpy as np
import pytest

import surefoot as sf
from surefoot.math import Pose
from surefoot.planning.footsteps import LiveFootsteps
from surefoot.planning.footsteps.crossings import crossings_of
from surefoot.planning.footsteps.performing import Performers
from surefoot.planning.footsteps.playing import play
from surefoot.planning.live import Asked
from surefoot.world import Keyframed, Observed, Static
from surefoot.world.primitives import slab


@pytest.fixture(scope="module")
def adult():
    return sf.people.adult()


def bank(name, x, y, size=(6.0, 4.0, 0.2), z=0.0):
    return sf.Body(name=name, mesh=slab(size), trajectory=Static(Pose(np.array([x, y, z]))))


def walkway(speed=0.4, gap=0.06, wide=2.0):
    """Two banks along x, and a floor between them that moves along."""
    way = Keyframed(np.array([0.0, 100.0]), np.array([[0.0, 0.0, 0.0], [100 * speed, 0.0, 0.0]]))
    return sf.World(
        [
            bank("south", 0.0, -(wide / 2 + gap + 2.0)),
            bank("north", 0.0, wide / 2 + gap + 2.0),
            sf.Body(name="walkway", mesh=slab((60.0, wide, 0.2)), trajectory=way),
        ]
    )


def lift():
    """From a floor to another one, 2 m higher; it stops at both for 6 s."""
    times = np.array([0.0, 6.0, 11.0, 17.0, 22.0])
    heights = np.array([0.0, 0.0, 2.0, 2.0, 0.0])
    way = Keyframed(times, np.column_stack([np.zeros(5), np.zeros(5), heights]), repeat="loop")
    return sf.World(
        [
            bank("below", 0.0, -3.55),
            bank("above", 0.0, 3.55, z=2.0),
            sf.Body(name="lift", mesh=slab((3.0, 3.0, 0.1)), trajectory=way),
        ]
    )


def planned(world, adult, start, goal, **more):
    problem = sf.Problem(
        world=world, character=adult, start=start, goal=sf.Goal(goal, **more), horizon=60.0
    )
    return sf.plan(problem, sf.Footsteps())


def on(body, *point):
    return sf.Place(body, point)


def checked(plan, world, adult):
    """A plan whose claims hold, and whose feet do not slide over what carries them."""
    assert plan, plan.status.message
    assert plan.check(world), str(plan.check(world))
    animation = sf.animate(plan, world, adult, rate=60.0)
    assert np.nanmax(animation.foot_slide()) < 1e-3
    return animation


def test_across_a_floor_that_moves(adult):
    world = walkway()
    plan = planned(world, adult, on(None, 0.0, -3.0, 0.0), on(None, 0.0, 3.0, 0.0))
    checked(plan, world, adult)
    kinds = [segment.kind.value for segment in plan.segments]
    assert kinds.count("board") == 2
    # Footholds are places in the frames of what carries them.
    bodies = [step.place.body for step in plan.footsteps]
    assert {"south", "walkway", "north"} == set(bodies)
    for step in plan.footsteps:
        if step.place.body == "walkway" and step.end < 60.0:
            carried = world.position(step.place, step.end) - world.position(step.place, step.start)
            assert carried[0] == pytest.approx(0.4 * (step.end - step.start))


def test_start_and_goal_on_a_floor_that_moves(adult):
    world = walkway()
    plan = planned(world, adult, on("walkway", 0.0, 0.0, 0.0), on("walkway", 4.0, 0.3, 0.0))
    checked(plan, world, adult)
    assert {segment.frame for segment in plan.segments} == {"walkway"}
    assert plan.segments[-1].kind == "ride"
    # Effort is that of the way over the floor, whatever the floor does.
    still = sf.World([sf.Body(name="walkway", mesh=slab((60.0, 2.0, 0.2)))])
    same = planned(still, adult, on(None, 0.0, 0.0, 0.0), on(None, 4.0, 0.3, 0.0))
    assert plan.cost == pytest.approx(same.cost, rel=1e-6)


def test_a_lift_is_waited_for_and_ridden(adult):
    world = lift()
    plan = planned(world, adult, on(None, 0.0, -5.0, 0.0), on(None, 0.0, 5.0, 2.0))
    checked(plan, world, adult)
    kinds = [segment.kind.value for segment in plan.segments]
    assert kinds.count("board") == 2
    assert "ride" in kinds[kinds.index("board") :]
    assert plan.position(plan.end, world)[2] == pytest.approx(2.0, abs=1e-3)
    # Who comes when it has gone waits for its return.
    late = sf.Problem(
        world=world, character=adult, start=on(None, 0.0, -5.0, 0.0),
        goal=sf.Goal(on(None, 0.0, 5.0, 2.0)), start_time=6.0, horizon=60.0,
    )  # fmt: skip
    later = sf.plan(late, sf.Footsteps())
    checked(later, world, adult)
    assert later.segments[1].kind == "wait"
    assert later.segments[1].end > 20.0


def test_what_is_too_fast_or_unknown_is_not_stepped_onto(adult):
    # Too wide to be jumped over.
    start, goal = on(None, 0.0, -5.0, 0.0), on(None, 0.0, 5.0, 0.0)
    assert planned(walkway(wide=5.0), adult, start, goal)
    fast = planned(walkway(speed=1.5, wide=5.0), adult, start, goal)
    assert not fast
    assert "no way joins" in fast.status.message
    world = walkway(wide=5.0)
    world.observe("walkway", 0.0, Pose())
    assert isinstance(world["walkway"].trajectory, Observed)
    assert not planned(world, adult, start, goal)


def test_wide_gaps_between_floors_are_no_crossing(adult):
    skill = adult.capability("walk")
    assert len(crossings_of(walkway(), skill, 0.0, 4.0).times) > 0
    assert len(crossings_of(walkway(gap=0.8), skill, 0.0, 4.0).times) == 0


def test_crossings_are_places_beside_each_other(adult):
    world = lift()
    found = crossings_of(world, adult.capability("walk"), 0.0, 22.0)
    assert len(found.times) > 0
    for index in np.random.default_rng(0).choice(len(found.times), 40).tolist():
        t = float(found.times[index])
        sides = []
        for body, place in (
            (found.leave[index], found.leave_at[index]),
            (found.enter[index], found.enter_at[index]),
        ):  # fmt: skip
            name = None if body < 0 else world.names[int(body)]
            sides.append(world.position(sf.Place(name, place), t))
        apart = sides[1] - sides[0]
        assert 0.6 < np.hypot(*apart[:2]) < 1.0
        assert abs(apart[2]) <= adult.capability("walk").step_height + 1e-9
        # Only while it is level, or nearly so.
        height = world["lift"].trajectory.pose(t).position[2]
        assert min(height, 2.0 - height) < 0.31


def live_path(world, adult, goal, begin=0.5, horizon=30):
    planner = LiveFootsteps(world)
    first = planner.admit(0, adult, on(None, 0.0, -3.0, 0.0), 1.57, 0.0)
    asked = Asked(agent=0, plan=first, begin=begin, goal=sf.Goal(goal), horizon=horizon, nodes=9000)
    answer = planner.plan([asked], {0: first}, 0.0)[0]
    assert answer.plan is not None, answer.why
    return planner, answer.plan


def test_native_bodies_do_what_the_engine_does_on_what_moves(adult):
    world = walkway()
    _, path = live_path(world, adult, on("walkway", 2.0, 0.3, 0.0))
    assert path.reached
    assert path.rides
    x, y, z, heading, t = path.start_state[:5].tolist()
    engine = play(path.repertoire.footage, world, path.parts, on(None, x, y, z), heading, t)
    performers = Performers()
    times = np.arange(path.start, path.end - 0.5, 1 / 60)
    expected = engine.at(times)
    for index, moment in enumerate(times.tolist()):
        poses = performers.poses([7], [path], moment, threads=1)
        assert np.abs(poses.root[0] - expected.root[index]).max() < 3e-3, moment
        same = np.abs((poses.rotations[0] * expected.rotations[index]).sum(axis=-1))
        assert same.min() > 1 - 2e-4, moment
        assert np.array_equal(poses.contacts[0], expected.contacts[index])


def test_others_see_who_is_carried_on_after_the_plan_is_over(adult):
    world = walkway()
    planner, path = live_path(world, adult, on("walkway", 2.0, 0.3, 0.0))
    times = path.end + np.array([0.0, 1.0, 5.0, 40.0])
    figures, (spots, _) = path.figures(times), path.spots(times)
    shift = 0.4 * (times - path.end)
    assert np.allclose(figures[:, :, 0] - figures[0, :, 0], shift[:, None], atol=0.02)
    assert np.allclose(spots[:, 0] - spots[0, 0], shift, atol=1e-6)
    poses = [planner.poses({0: path}, t).root[0, 0] for t in (path.end + 1.0, path.end + 3.0)]
    assert poses[1] - poses[0] == pytest.approx(0.8, abs=0.02)


def test_plans_go_along_with_what_was_put_on_another_way(adult):
    """Feet are places: when the future of what carries them is corrected, they follow."""
    world = walkway()
    _, path = live_path(world, adult, on("walkway", 2.0, 0.3, 0.0))
    stop = path.end + 2.0
    here = world["walkway"].trajectory.pose(stop).position
    world.move(
        "walkway",
        Keyframed(np.array([0.0, stop, stop + 1.0]), np.array([[0.0, 0.0, 0.0], here, here])),
    )
    spots, _ = path.spots([stop, stop + 10.0])
    assert np.allclose(spots[0], spots[1])
    assert np.allclose(path.figures([stop + 5.0]), path.figures([stop + 10.0]))


def test_a_sole_is_not_put_on_two_floors_of_which_one_moves(adult):
    """All of it is on what carries it: nothing is torn."""
    world = walkway(gap=0.005)
    plan = planned(world, adult, on(None, 0.0, -3.0, 0.0), on(None, 0.0, 3.0, 0.0))
    checked(plan, world, adult)
    size = adult.measures
    half = size.foot_length / 2
    for step in plan.footsteps:
        point = world.position(step.place, step.start)
        turn = step.heading
        for ahead in (-half, half):
            toe = point + ahead * np.array([np.cos(turn), np.sin(turn), 0.0])
            under = world.support(toe, step.start, up=0.1, down=0.1)
            if under.hit:
                name = world.names[int(under.body)]
                moves = "walkway" in (name, step.place.body)
                assert name == step.place.body or not moves
