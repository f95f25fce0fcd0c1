"""Plans in worlds that change under them (bandi2000, 8.3), and the limits that the paper states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.arrays import Floats
from surefoot.character import people
from surefoot.errors import ProblemError
from surefoot.math import Pose
from surefoot.planning import AllOf, Goal, Kind, Outcome, Plan, Problem
from surefoot.planning.grid import Grid, GridSettings
from surefoot.world import Body, Place, Static, World
from surefoot.world.primitives import box, ground, slab, stairs

ADULT = people.adult()


def walled() -> World:
    """A floor with a wall across most of it: the way leads round its end."""
    wall = Body(name="wall", mesh=box((0.2, 10, 2), (0, -3, 1)))
    return World([Body(name="floor", mesh=ground(16, 16)), wall])


def crate(size: tuple[float, ...], at: tuple[float, float]) -> Body:
    return Body(name="crate", mesh=box(size, (*at, size[2] / 2)))


def planned(world: World) -> tuple[Problem, Plan]:
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-6, -5, 0)),
        goal=Goal(world.place((6, -5, 0))),
        horizon=120.0,
    )
    return problem, Grid().plan(problem)


def track(plan: Plan, world: World, count: int = 800) -> Floats:
    return plan.track(np.linspace(plan.start, plan.end, count), world)[0]


def apart(points: Floats, others: Floats) -> Floats:
    """How far each of `points` is from the nearest of `others` [m]."""
    return np.linalg.norm(points[:, None] - others[None], axis=2).min(axis=1)


def test_nothing_is_searched_when_nothing_is_broken() -> None:
    world = walled()
    problem, plan = planned(world)
    world.add(crate((1, 1, 1), (-6, 6)))
    later = Grid().repair(plan, problem, 2.0)
    assert later
    assert later.check(world)
    assert "searches" not in later.statistics
    assert later.start == 2.0
    assert np.allclose(later.position(2.0, world), plan.position(2.0, world))
    assert apart(track(later, world), track(plan, world)).max() < 0.02


def test_figure_15_the_broken_part_alone_is_new() -> None:
    world = walled()
    problem, plan = planned(world)
    whole = plan.statistics["nodes_expanded"]
    world.add(crate((1, 1, 1), (-3.2, -2.0)))
    assert not plan.check(world)
    mended = Grid().repair(plan, problem, 2.0)
    assert mended
    check = mended.check(world)
    assert check, str(check)
    # Before C and after D it is the old way, and the search was a local one.
    old, new = track(plan, world), track(mended, world)
    off = apart(new, old) > 0.05
    assert off.any()
    centre = np.array([-3.2, -2.0, 0.0])
    assert np.linalg.norm(new[off] - centre, axis=1).max() < 2.5
    assert mended.statistics["metres_kept"] > 0.8 * mended.statistics["metres"]
    assert mended.statistics["nodes_expanded"] < 0.2 * whole


def test_the_whole_may_be_made_shortest_instead() -> None:
    world = walled()
    problem, plan = planned(world)
    world.add(crate((3, 3, 1), (-2.5, -1.0)))
    nearest = Grid().repair(plan, problem, 1.0)
    whole = Grid(GridSettings(rerouting="whole")).repair(plan, problem, 1.0)
    for mended in (nearest, whole):
        assert mended
        assert mended.check(world)
    assert whole.statistics["metres"] <= nearest.statistics["metres"] + 0.05


def test_behind_the_obstacle_one_just_goes_on() -> None:
    # "If the human happens to be on the segment D-B, no action is necessary."
    world = walled()
    problem, plan = planned(world)
    world.add(crate((1, 1, 1), (-3.2, -2.0)))
    mended = Grid().repair(plan, problem, 8.0)
    assert mended
    assert mended.check(world)
    assert "searches" not in mended.statistics


def test_an_obstacle_over_the_person_is_stepped_out_of() -> None:
    world = walled()
    problem, plan = planned(world)
    t = 3.0
    x, y, _ = plan.position(t, world)
    world.add(crate((1.2, 1.2, 2), (x + 0.2, y)))
    mended = Grid().repair(plan, problem, t)
    assert mended
    first = mended.segments[0]
    assert np.allclose(first.positions[0], plan.position(t, world))
    assert first.length < 1.5
    assert "come over where the person is" in first.because
    # Nothing but the first segment is in the crate, and there is no other way.
    violations = mended.check(world).violations
    assert violations
    assert all(first.start <= found.time <= first.end for found in violations)
    # The rest of the old way is joined again.
    assert mended.statistics["metres_kept"] > 0.5 * mended.statistics["metres"]


def test_an_obstacle_over_the_goal_is_gone_to_as_near_as_one_can() -> None:
    world = walled()
    problem, plan = planned(world)
    world.add(crate((1, 1, 2), (6, -5)))
    mended = Grid().repair(plan, problem, 2.0)
    assert mended.status.outcome is Outcome.UNREACHABLE
    assert "nobody can stand at (6.00, -5.00, 0.00) on floor" in mended.status.message
    assert mended.check(world)
    end = mended.position(mended.end, world)
    assert 0.5 < np.linalg.norm(end[:2] - [6, -5]) < 1.3


def test_an_obstacle_over_the_start_is_of_no_concern() -> None:
    world = walled()
    problem, plan = planned(world)
    world.add(crate((1, 1, 2), (-6, -5)))
    mended = Grid().repair(plan, problem, 4.0)
    assert mended
    assert mended.check(world)


def test_a_very_large_obstacle() -> None:
    world = walled()
    problem, plan = planned(world)
    world.add(crate((5, 5, 2), (-2, 1.5)))
    mended = Grid().repair(plan, problem, 1.0)
    assert mended
    assert mended.check(world)
    world.move("crate", Static(Pose(np.array([3.0, 0.0, 0.0]))))
    world.add(Body(name="fence", mesh=box((0.2, 16, 2), (-3, 0, 1))))
    shut_in = Grid().repair(plan, problem, 1.0)
    assert shut_in.status.outcome is Outcome.UNREACHABLE
    assert shut_in.check(world)


def test_a_goal_that_keeps_moving_is_followed() -> None:
    world = walled()
    problem, plan = planned(world)
    whole = plan.statistics["nodes_expanded"]
    t = 1.0
    for step in range(1, 7):
        goal = Goal(world.place((6 + 0.2 * step, -5 + 0.7 * step, 0)))
        problem = replace(problem, goal=goal)
        plan = Grid().repair(plan, problem, t)
        assert plan
        check = plan.check(world)
        assert check, str(check)
        end = plan.position(plan.end, world)
        assert np.linalg.norm(end - world.position(goal.place, 0.0)) < 0.26
        # Most of the way is the last one; what is looked at is less than the first time.
        assert plan.statistics["metres_kept"] > 0.3 * plan.statistics["metres"]
        assert plan.statistics["nodes_expanded"] < whole
        t += 1.5


def test_obstacles_come_one_after_the_other_while_one_walks() -> None:
    world = walled()
    problem, plan = planned(world)
    rng = np.random.default_rng(11)
    now = 0.5
    for i in range(6):
        ahead = plan.position(min(now + 2.5, plan.end), world)
        size = tuple(rng.uniform(0.3, 0.9, 2))
        mesh = box((*size, 1.5), (float(ahead[0]), float(ahead[1]), 0.75))
        here = plan.position(now, world)
        if np.linalg.norm(ahead - here) > 1.2:
            world.add(Body(name=f"crate {i}", mesh=mesh))
        plan = Grid().repair(plan, problem, now)
        check = plan.check(world)
        assert check, str(check)
        now += 1.0
    assert plan


def test_a_bridge_that_is_gone_is_a_gap() -> None:
    banks = [
        Body(name="west", mesh=slab((5, 8, 0.3), (-3.5, 0, 0))),
        Body(name="east", mesh=slab((5, 8, 0.3), (3.5, 0, 0))),
    ]
    bridges = [
        Body(name="near", mesh=slab((2.4, 1.5, 0.3), (0, 0, 0))),
        Body(name="far", mesh=slab((2.4, 1.5, 0.3), (0, 3, 0))),
    ]
    world = World([*banks, *bridges])
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-5, 0, 0.1)),
        goal=Goal(world.place((5, 0, 0.1))),
        capabilities=("walk",),
    )
    plan = Grid().plan(problem)
    world.remove("near")
    mended = Grid().repair(plan, problem, 1.0)
    assert mended
    assert mended.check(world)
    assert track(mended, world)[:, 1].max() > 2.0


def over_a_gap(width: float) -> tuple[World, Problem, Plan]:
    """A jump from one platform to another, `width` [m] away."""
    world = World(
        [
            Body(name="near", mesh=slab((5, 3, 0.3), (-2.5, 0, 0))),
            Body(name="far", mesh=slab((6, 6, 0.3), (3.0 + width, 0, 0))),
        ]
    )
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-4, 0, 0.1)),
        goal=Goal(world.place((6, 0, 0.1))),
    )
    return world, problem, Grid().plan(problem)


def test_in_a_jump_one_goes_on_after_landing() -> None:
    world, problem, plan = over_a_gap(0.8)
    jump = next(segment for segment in plan.segments if segment.kind is Kind.JUMP)
    world.add(crate((0.6, 0.6, 1), (4.0, 0.0)))
    mended = Grid().repair(plan, problem, jump.flights[0].start + 0.1)
    assert mended
    assert mended.start == pytest.approx(jump.end)
    assert mended.check(world)


def test_a_jump_that_is_still_to_come_is_kept() -> None:
    world, problem, plan = over_a_gap(1.2)
    old = next(segment for segment in plan.segments if segment.kind is Kind.JUMP)
    world.add(crate((0.6, 0.6, 1), (5.0, 2.5)))
    mended = Grid().repair(plan, problem, 0.5)
    new = next(segment for segment in mended.segments if segment.kind is Kind.JUMP)
    assert mended.check(world)
    assert np.allclose(old.flights[0].take_off.position, new.flights[0].take_off.position)
    # With something where one would land, there is another one.
    world.move("crate", Static(Pose(np.array([-3.4, -2.5, 0.0]))))
    assert not plan.check(world)
    mended = Grid().repair(plan, problem, 0.5)
    assert mended
    assert mended.check(world)


def test_of_several_goals_those_that_were_visited_are_done() -> None:
    world = World([Body(name="floor", mesh=ground(16, 16))])
    goals = tuple(Goal(Place(None, np.array([x, 0.0, 0.0]))) for x in (-3.0, 0.0, 5.0))
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-6, 0, 0)),
        goal=AllOf(goals, ordered=True),
    )
    plan = Grid().plan(problem)
    times = np.linspace(plan.start, plan.end, 2_000)
    past = times[np.argmax(plan.track(times, world)[0][:, 0] > -1.5)]
    mended = Grid().repair(plan, problem, float(past))
    assert mended
    assert isinstance(mended.goal, AllOf)
    assert mended.goal.goals == goals[1:]
    assert track(mended, world)[:, 0].min() > -1.6


def test_who_is_between_two_stairs_or_on_something_new_goes_on_from_there() -> None:
    up = Body(name="stairs", mesh=stairs(10, 2.0, 0.18, 0.28))
    deck = Body(name="deck", mesh=slab((3, 6, 0.1), (2.8 + 1.5, 0, 1.8)))
    world = World([Body(name="floor", mesh=ground(16, 16)), up, deck])
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-2, 0, 0)),
        goal=Goal(world.place((4.5, 2.5, 1.8))),
    )
    plan = Grid().plan(problem)
    assert plan
    back = replace(problem, goal=Goal(world.place((-5, 0, 0))))
    for t in np.linspace(2.0, plan.end - 1.0, 12):
        mended = Grid().repair(plan, back, float(t))
        assert mended
        assert np.allclose(mended.segments[0].positions[0], plan.position(float(t), world))
        check = mended.check(world)
        assert check, str(check)
    # A low crate under the feet is no wall around them.
    t = plan.start + 0.5
    x, y, z = plan.position(t, world)
    world.add(Body(name="crate", mesh=box((1, 1, 0.3), (x, y, z + 0.15))))
    mended = Grid().repair(plan, problem, t)
    assert mended
    assert np.allclose(mended.segments[0].positions[0], (x, y, z))
    assert mended.check(world)


def test_a_way_over_something_low_that_came_is_another_way() -> None:
    world = walled()
    problem, plan = planned(world)
    x, y, _ = plan.position(6.0, world)
    # A step up, and from there another one, which from the floor is none.
    world.add(Body(name="plate", mesh=box((4, 4, 0.28), (x, y, 0.14))))
    world.add(Body(name="block", mesh=box((1, 1, 0.62), (x, y, 0.31))))
    mended = Grid().repair(plan, problem, 1.0)
    assert mended
    check = mended.check(world)
    assert check, str(check)
    assert mended.statistics["searches"] > 0


def test_what_is_no_time_is_refused() -> None:
    world = walled()
    problem, plan = planned(world)
    with pytest.raises(ProblemError, match="t must be a number"):
        Grid().repair(plan, problem, "soon")  # pyright: ignore[reportArgumentType]
