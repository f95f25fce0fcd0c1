"""The grid planner on worlds small enough to know the answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.character import people
from surefoot.errors import ProblemError
from surefoot.planning import AnyOf, Goal, Kind, Limits, Outcome, Plan, Problem, Region, costs
from surefoot.planning.grid import Grid, GridSettings
from surefoot.world import Body, Keyframed, Place, World, scenes
from surefoot.world.primitives import box, ground, ramp, slab, stairs

ADULT = people.adult()
FLOOR = Body(name="floor", mesh=ground(12, 12))


def solve(world: World, start: tuple[float, ...], goal: tuple[float, ...], **given: object) -> Plan:
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place(start),
        goal=Goal(world.place(goal)),
        **given,
    )
    return Grid().plan(problem)


def length(plan: Plan) -> float:
    return sum(segment.length for segment in plan.segments)


def test_an_open_floor_is_crossed_straight() -> None:
    world = World([FLOOR])
    plan = solve(world, (-4, -3, 0), (4, 3, 0))
    assert plan
    assert plan.check(world)
    assert length(plan) == pytest.approx(10.0, abs=0.02)
    walk = ADULT.capability("walk")
    # From rest to rest: the way at walking speed, plus what speeding up and slowing down cost.
    assert plan.duration == pytest.approx(
        10 / walk.speed + walk.speed / walk.acceleration, rel=0.01
    )


def test_a_wall_is_walked_around_with_room() -> None:
    wall = Body(name="wall", mesh=box((0.2, 8, 2), (0, -2, 1)))
    world = World([FLOOR, wall])
    plan = solve(world, (-3, -3, 0), (3, -3, 0))
    assert plan
    assert plan.check(world)
    radius = ADULT.capability("walk").radius
    # Around the wall's end at (0, 2), at least a body's radius away.
    shortest = 2 * np.hypot(3 - 0.1, 5) + 0.2
    assert shortest < length(plan) < shortest + 3 * radius


def test_stairs_and_ramps_are_climbed() -> None:
    flight = stairs(10, 2.0, 0.17, 0.3)
    deck = slab((3, 3, 0.2), (4.5, 0, 1.7))
    world = World([FLOOR, Body(name="stairs", mesh=flight), Body(name="deck", mesh=deck)])
    plan = solve(world, (-3, 0, 0), (5, 0, 2))
    assert plan
    assert plan.check(world)
    slope = Body(name="ramp", mesh=ramp(3.0, 2.0, 1.2))
    top = Body(name="top", mesh=slab((3, 3, 0.2), (4.5, 0, 1.2)))
    world = World([FLOOR, slope, top])
    plan = solve(world, (-3, 0, 0), (5, 0, 2))
    assert plan
    assert plan.check(world)


def test_low_ceilings_are_avoided() -> None:
    beam = Body(name="beam", mesh=box((0.5, 8, 0.3), (0, -2, 1.5)))
    world = World([FLOOR, beam])
    plan = solve(world, (-3, 0, 0), (3, 0, 0), capabilities=("walk",))
    assert plan
    assert plan.check(world)
    assert length(plan) > 6.5  # straight would be 6, under a beam of 1.35 m


def test_a_gate_is_waited_for() -> None:
    walls = box((0.2, 5.2, 2), (0, -3.4, 1)), box((0.2, 5.2, 2), (0, 3.4, 1))
    gate = Keyframed(np.array([0.0, 9.0, 10.0]), np.array([[0, 0, 0], [0, 0, 0], [0, 0, 3.0]]))
    world = World(
        [
            FLOOR,
            *(Body(name=f"wall {i}", mesh=mesh) for i, mesh in enumerate(walls)),
            Body(name="gate", mesh=box((0.1, 1.6, 2), (0, 0, 1)), trajectory=gate),
        ]
    )
    plan = solve(world, (-4, 0, 0), (4, 0, 0))
    assert plan
    assert plan.check(world)
    waits = [segment for segment in plan.segments if segment.kind is Kind.WAIT]
    assert len(waits) == 1
    assert "gate" in waits[0].because
    assert plan.position(waits[0].start, world)[0] < -0.2


def test_a_gate_that_never_opens_ends_in_a_partial_plan() -> None:
    shut = Keyframed(
        np.array([0.0, 1.0]), np.array([[0, 0, 0], [0.01, 0, 0.0]]), repeat="ping-pong"
    )
    walls = box((0.2, 5.2, 2), (0, -3.4, 1)), box((0.2, 5.2, 2), (0, 3.4, 1))
    world = World(
        [
            FLOOR,
            *(Body(name=f"wall {i}", mesh=mesh) for i, mesh in enumerate(walls)),
            Body(name="gate", mesh=box((0.1, 1.6, 2), (0, 0, 1)), trajectory=shut),
        ]
    )
    plan = solve(world, (-4, 0, 0), (4, 0, 0), horizon=20.0)
    assert not plan
    assert plan.status.outcome is Outcome.OUT_OF_TIME
    assert "'gate' does not let it pass" in plan.status.message
    assert plan.position(plan.end, world)[0] > -2.0


def test_an_unreachable_goal_gives_the_way_towards_it() -> None:
    island = Body(name="island", mesh=slab((2, 2, 0.5), (10, 0, 0)))
    world = World([FLOOR, island])
    plan = solve(world, (-4, 0, 0), (10, 0, 0))
    assert not plan
    assert plan.check(world)
    assert plan.status.outcome is Outcome.UNREACHABLE
    assert "regions of" in plan.status.message
    assert plan.position(plan.end, world)[0] > 5.0


def test_a_goal_in_something_is_not_reached() -> None:
    crate = Body(name="crate", mesh=box((2, 2, 1), (3, 0, 0.5)))
    world = World([FLOOR, crate])
    goal = Goal(Place("floor", np.array([3.0, 0.0, 0.0])))
    problem = Problem(world=world, character=ADULT, start=world.place((-4, 0, 0)), goal=goal)
    plan = Grid().plan(problem)
    assert not plan
    assert "nobody can stand at (3.00, 0.00, 0.00) on floor" in plan.status.message


def test_a_tolerance_finer_than_the_cells_is_kept() -> None:
    world = World([FLOOR])
    goal = Goal(world.place((3.13, 0.07, 0)), tolerance=0.01)
    problem = Problem(world=world, character=ADULT, start=world.place((-4, 0, 0)), goal=goal)
    plan = Grid().plan(problem)
    assert plan
    assert plan.check(world)


def test_forbidden_bodies_are_not_walked_on() -> None:
    rug = Body(name="rug", mesh=slab((2, 8, 0.02), (0, -2, 0.02)), tags={"forbidden": True})
    world = World([FLOOR, rug])
    plan = solve(world, (-3, -3, 0), (3, -3, 0))
    assert plan
    times = np.linspace(plan.start, plan.end, 400)
    points, _ = plan.track(times, world)
    on = world.support(points, times, up=0.1, down=0.1).body
    assert not (on == world.id("rug")).any()


def test_the_way_follows_the_cost() -> None:
    road = Body(name="road", mesh=slab((2, 8, 0.02), (0, -2, 0.02)), tags={"road": True})
    world = World([FLOOR, road])
    quick = solve(world, (-3, -3, 0), (3, -3, 0))
    shy = solve(world, (-3, -3, 0), (3, -3, 0), cost=costs.time() + 20 * costs.avoid("road"))
    assert length(quick) == pytest.approx(6.0, abs=0.1)
    assert length(shy) > 9.0
    times = np.linspace(shy.start, shy.end, 400)
    on = world.support(shy.track(times, world)[0], times, up=0.1, down=0.1).body
    # Prices belong to cells: a corner of the road may be cut by a part of one.
    assert (on == world.id("road")).mean() < 0.01


def test_the_nearest_of_several_goals_is_chosen() -> None:
    world = World([FLOOR])
    goals = AnyOf((Goal(world.place((5, 5, 0))), Goal(world.place((-2, 0, 0)))))
    problem = Problem(world=world, character=ADULT, start=world.place((-4, 0, 0)), goal=goals)
    plan = Grid().plan(problem)
    assert np.allclose(plan.position(plan.end, world), [-2, 0, 0], atol=0.3)


def test_heading_and_arrival_window_are_kept() -> None:
    world = World([FLOOR])
    goal = Goal(world.place((2, 0, 0)), heading=np.pi / 2, arrive=(20.0, 30.0))
    problem = Problem(
        world=world, character=ADULT, start=world.place((-4, 0, 0)), goal=goal, start_heading=np.pi
    )
    plan = Grid().plan(problem)
    assert plan
    assert plan.check(world)
    kinds = [segment.kind for segment in plan.segments]
    assert kinds == [Kind.TURN, Kind.WALK, Kind.TURN, Kind.WAIT]
    assert plan.heading(plan.end, world) == pytest.approx(np.pi / 2)
    assert plan.end == pytest.approx(20.0)


WALKED = ("factory", "highway", "labyrinth", "stair house", "staircase", "supermarket", "yard")
"""Scenes whose goal is reached over bodies at rest."""


def test_cost_follows_the_problem() -> None:
    world = World([FLOOR])
    time = solve(world, (-4, 0, 0), (4, 0, 0))
    assert time.cost == pytest.approx(time.duration)
    effort = solve(world, (-4, 0, 0), (4, 0, 0), cost=costs.effort())
    speed = 8.0 / effort.duration
    assert effort.cost == pytest.approx((2.23 + 1.26 * speed**2) * effort.duration, rel=0.05)


@pytest.mark.parametrize("name", WALKED)
def test_built_in_scenes_are_walked(name: str) -> None:
    scene = scenes.load(name)
    problem = Problem(world=scene.world, character=ADULT, start=scene.start, goal=Goal(scene.goal))
    plan = Grid().plan(problem)
    assert plan, plan.status.message
    check = plan.check(scene.world)
    assert check, str(check)


def test_the_same_problem_gives_the_same_plan() -> None:
    scene = scenes.load("yard")
    problem = Problem(world=scene.world, character=ADULT, start=scene.start, goal=Goal(scene.goal))
    assert Grid().plan(problem) == Grid().plan(problem)


def test_what_it_cannot_do_is_said() -> None:
    scene = scenes.load("yard")
    on_lift = Goal(Place("lift", np.zeros(3)))
    problem = Problem(world=scene.world, character=ADULT, start=scene.start, goal=on_lift)
    with pytest.raises(ProblemError, match="goal rides on 'lift', which moves"):
        Grid().plan(problem)
    anywhere = replace(problem, goal=Region(body="lift"))
    with pytest.raises(ProblemError, match="goal rides on 'lift', which moves"):
        Grid().plan(anywhere)
    with pytest.raises(ProblemError, match=r"0\.0\d+ m"):
        Grid(GridSettings(cell=0.001)).plan(
            Problem(world=scene.world, character=ADULT, start=scene.start, goal=Goal(scene.goal))
        )
    crouching = Problem(
        world=scene.world,
        character=ADULT,
        start=scene.start,
        goal=Goal(scene.goal),
        capabilities=("crouch",),
    )
    with pytest.raises(ProblemError, match="unknown capability 'walk'; there are: crouch"):
        Grid().plan(crouching)
    with pytest.raises(ProblemError, match="grid cell must be greater than 0"):
        GridSettings(cell=0.0)


@pytest.mark.parametrize("off", [0.02, 0.3, -0.1])
def test_a_start_given_a_little_above_or_below_the_ground_is_on_it(off: float) -> None:
    world = World([FLOOR])
    start, goal = Place("floor", np.array([-4, 0, off])), Place("floor", np.array([4, 0, off]))
    problem = Problem(world=world, character=ADULT, start=start, goal=Goal(goal))
    plan = Grid().plan(problem)
    assert plan
    check = plan.check(world)
    assert check, str(check)


@pytest.mark.parametrize("size", [0.5, 0.1, 0.04])
@pytest.mark.parametrize("at", [2.0, 2.03, 2.11])
def test_a_region_smaller_than_cells_is_gone_to(size: float, at: float) -> None:
    mat = Body(name="mat", mesh=slab((size, size, 0.02), (at, 1, 0.02)))
    world = World([FLOOR, mat])
    half = np.array([size / 2, size / 2, 1])
    centre = np.array([at, 1, 0])
    for goal in (Region(body="mat"), Region(low=centre - half, high=centre + half)):
        start = world.place((-4, 0, 0))
        plan = Grid().plan(Problem(world=world, character=ADULT, start=start, goal=goal))
        assert plan, plan.status.message
        assert plan.check(world)
        end = plan.position(plan.end, world)
        assert np.all(np.abs(end - centre)[:2] <= size / 2 + 1e-9)


def test_a_budget_is_for_the_whole_plan() -> None:
    # In a passage too narrow for borders the search is repeated with them.
    walls = [Body(name=f"wall {y}", mesh=box((0.3, 6, 2), (0, y, 1))) for y in (-3.3, 3.3)]
    world = World([FLOOR, *walls])
    free = solve(world, (-4, 0, 0), (4, 0, 0))
    assert free
    assert free.statistics["searches"] > 1
    enough = int(free.statistics["nodes_expanded"])
    for nodes in (1, 100, enough // 2):
        plan = solve(world, (-4, 0, 0), (4, 0, 0), limits=Limits(nodes=nodes))
        assert plan.status.outcome is Outcome.EXHAUSTED
        assert "raise limits.nodes" in plan.status.message
        assert plan.statistics["nodes_expanded"] <= nodes
    assert solve(world, (-4, 0, 0), (4, 0, 0), limits=Limits(nodes=enough))


def test_limits_and_cancelling() -> None:
    world = World([FLOOR])
    plan = solve(world, (-4, 0, 0), (4, 0, 0), limits=Limits(nodes=5))
    assert plan.status.outcome is Outcome.EXHAUSTED
    assert "limits.nodes" in plan.status.message
