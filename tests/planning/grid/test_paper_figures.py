"""The figures of bandi2000 that state an outcome, as whole plans that pass their check.

What they say about cells alone is in test_figures.py; the scenes of Table 1 are in test_table_1.py.
"""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.arrays import Floats
from surefoot.character import people
from surefoot.planning import Goal, Kind, Outcome, Plan, Problem
from surefoot.planning.grid import Grid, GridSettings
from surefoot.planning.grid.postures import Posture
from surefoot.world import Body, World, scenes
from surefoot.world.primitives import box, ground, slab, stairs

ADULT = people.adult()
WALK = ADULT.capability("walk")
FLOOR = Body(name="floor", mesh=ground(14, 14))


def solve(
    world: World,
    start: tuple[float, ...],
    goal: tuple[float, ...],
    settings: GridSettings | None = None,
    **given: object,
) -> Plan:
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place(start),
        goal=Goal(world.place(goal)),
        **given,
    )
    plan = Grid(settings or GridSettings()).plan(problem)
    check = plan.check(world)
    assert check, str(check)
    return plan


def track(plan: Plan, world: World) -> Floats:
    return plan.track(np.linspace(plan.start, plan.end, 1_000), world)[0]


def length(plan: Plan) -> float:
    return sum(segment.length for segment in plan.segments)


def test_figure_5_nobody_squeezes_between_two_corners() -> None:
    # Two blocks that meet in a corner, and a way round of some metres.
    blocks = box((3, 3, 2), (-1.5, 1.5, 1)), box((3, 3, 2), (1.5, -1.5, 1))
    bodies = [Body(name=f"block {i}", mesh=mesh) for i, mesh in enumerate(blocks)]
    world = World([FLOOR, *bodies])
    plan = solve(world, (-1.5, -1.5, 0), (1.5, 1.5, 0))
    assert plan
    assert np.linalg.norm(track(plan, world)[:, :2], axis=1).min() > 1.0


@pytest.mark.parametrize("metric", ["euclidean", "steps"])
@pytest.mark.parametrize("connectivity", [8, 4])
def test_figure_6_and_13_smoothed_ways_are_nearly_straight(metric: str, connectivity: int) -> None:
    settings = GridSettings(metric=metric, connectivity=connectivity)
    plan = solve(World([FLOOR]), (-5, -5, 0), (5, -1.5, 0), settings)
    assert length(plan) == pytest.approx(np.hypot(10, 3.5), rel=0.01)


def test_figure_13_junctions_smooth_less_than_line_of_sight() -> None:
    hole = Body(name="block", mesh=box((3, 3, 2), (0.2, 0, 1)))
    world = World([FLOOR, hole])
    lengths = {
        smoothing: length(
            solve(world, (-3, -4, 0), (4, 3, 0), GridSettings(smoothing=smoothing, shyness=0.0))
        )
        for smoothing in ("line of sight", "junctions")
    }
    octile = min(7, 7) * np.sqrt(2)
    assert lengths["line of sight"] <= lengths["junctions"] + 1e-6
    assert lengths["line of sight"] < 1.2 * octile


def balcony() -> World:
    """Fig. 9: stairs up to a balcony in two parts with a gap, over a floor."""
    flight = stairs(12, 1.6, 0.18, 0.3)
    high = flight.bounds[1]
    top = float(high[2])
    near = slab((2.0, 1.6, 0.2), (float(high[0]) + 1.0, 0, top))
    far = slab((2.0, 1.6, 0.2), (float(high[0]) + 3.3, 0, top))
    meshes = {"stairs": flight, "near": near, "far": far}
    floor = Body(name="floor", mesh=ground(20, 14))
    return World([floor, *(Body(name=name, mesh=mesh) for name, mesh in meshes.items())])


def test_figure_9_over_the_gap_of_a_balcony_and_eventually_to_the_floor_below() -> None:
    world = balcony()
    x = float(world["stairs"].mesh.bounds[1, 0])
    b2, a2, a1 = (x + 1.0, 0, 3.0), (x + 3.6, 0, 3.0), (x + 3.6, 0, 0.1)
    plan = solve(world, b2, a2)
    assert plan
    assert any(segment.kind is Kind.STEP_OVER for segment in plan.segments)
    assert length(plan) < 3.0
    # The floor below is within the same columns and eventually reached by the stairs.
    plan = solve(world, a2, a1, capabilities=("walk",))
    assert plan
    assert track(plan, world)[:, 0].min() < 0.5


def blocks(gap: float = 0.3) -> World:
    """Fig. 11 and 19a: two low blocks, and between them one that the floor does not lead onto."""
    meshes = {
        "left": box((3, 3, 0.3), (-1.5 - gap - 0.6, 0, 0.15)),
        "middle": box((1.2, 1.2, 0.6), (0, 0, 0.3)),
        "right": box((3, 3, 0.3), (1.5 + gap + 0.6, 0, 0.15)),
    }
    return World([FLOOR, *(Body(name=name, mesh=mesh) for name, mesh in meshes.items())])


def test_figure_11_the_middle_block_is_reached_from_the_left_one() -> None:
    world = blocks()
    settings = GridSettings(actions=("walk", "step over"))
    plan = solve(world, (-5, 0, 0), (0, 0, 0.7), settings)
    assert plan
    assert [segment.kind for segment in plan.segments][-2:] == [Kind.STEP_UP, Kind.WALK]
    on = world.support(track(plan, world), up=0.05, down=0.05).body
    assert world.id("left") in on


def test_figure_19a_with_jumps_the_gaps_may_be_wider() -> None:
    world = blocks(gap=0.9)
    plan = solve(world, (-5, 0, 0), (0, 0, 0.7))
    assert plan
    assert any(segment.kind is Kind.JUMP for segment in plan.segments)


def test_figure_12_a_platform_has_borders_and_the_floor_below_has_none() -> None:
    platform = Body(name="platform", mesh=slab((3, 3, 0.2), (0, 0, 3.0)))
    world = World([FLOOR, platform])
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-5, 0, 0.1)),
        goal=Goal(world.place((5, 0, 0.1))),
    )
    grid = Grid().map(problem)
    above = grid.positions[:, 2] > 2.5
    edge = np.abs(grid.positions[:, :2]).max(axis=1) > 1.5 - grid.cell
    postures = grid.postures().each
    assert (postures[above & edge & grid.cells.live] == Posture.CLOSED).all()
    below = ~above & (np.abs(grid.positions[:, :2]).max(axis=1) < 3.0) & grid.cells.live
    assert (postures[below] == Posture.WALK).all()


def test_figure_14_and_19c_a_forbidden_table_is_walked_around() -> None:
    table = Body(name="table", mesh=box((2, 4, 0.3), (0, 0, 0.15)))
    over = solve(World([FLOOR, table]), (-4, 0, 0), (4, 0, 0))
    assert length(over) < 9.0
    world = World([FLOOR, table.tagged(forbidden=True)])
    plan = solve(world, (-4, 0, 0), (4, 0, 0))
    assert plan
    points = track(plan, world)
    assert np.abs(points[np.abs(points[:, 0]) < 1.0, 1]).min() > 2.0
    assert [segment.kind for segment in plan.segments] == [Kind.WALK]


def test_figure_16_without_room_for_borders_the_longer_way_is_taken() -> None:
    # A: 0.6 m between two walls; B: 1.5 m at the far end.
    walls = box((0.3, 5.7, 2), (0, -3.15, 1)), box((0.3, 3.7, 2), (0, 2.15, 1))
    bodies = [Body(name=f"wall {i}", mesh=mesh) for i, mesh in enumerate(walls)]
    floor = Body(name="floor", mesh=ground(14, 12))
    world = World([floor, *bodies])
    plan = solve(world, (-4, -1, 0), (4, -1, 0))
    points = track(plan, world)
    assert points[np.argmin(np.abs(points[:, 0])), 1] > 4.0


def test_figure_17_an_obstacle_appears_on_the_stairs() -> None:
    scene = scenes.load("staircase")
    world = scene.world
    problem = Problem(
        world=world,
        character=ADULT,
        start=scene.start,
        goal=Goal(scene.goal),
        capabilities=("walk",),
        horizon=200.0,
    )
    plan = Grid().plan(problem)
    assert plan
    # Where the way is half-way up, something comes down.
    points = track(plan, world)
    half = (points[0, 2] + points[-1, 2]) / 2
    at = points[np.argmax(points[:, 2] > half)]
    world.add(Body(name="crate", mesh=box((0.7, 0.7, 1.2), (*at[:2].tolist(), at[2] + 0.5))))
    assert not plan.check(world)
    mended = Grid().repair(plan, problem, 1.0)
    assert mended, mended.status.message
    check = mended.check(world)
    assert check, str(check)


def test_figure_18_nobody_stands_under_an_overhang() -> None:
    tank = Body(name="tank", mesh=box((4, 4, 1), (0, 0, 1.9)))
    world = World([FLOOR, tank])
    plan = solve(world, (-5, 0, 0), (5, 0, 0), capabilities=("walk",))
    points = track(plan, world)
    assert np.abs(points[:, :2]).max(axis=1).min() > 2.0 + WALK.radius - 1e-6


def test_an_unreachable_goal_says_so_and_the_way_goes_as_near_as_it_can() -> None:
    shelf = Body(name="shelf", mesh=slab((2, 2, 0.2), (0, 0, 3.0)))
    world = World([FLOOR, shelf])
    plan = solve(world, (-5, 0, 0), (0, 0, 3.1))
    assert plan.status.outcome is Outcome.UNREACHABLE
    assert "that nothing connects" in plan.status.message
    assert np.linalg.norm(plan.position(plan.end, world)[:2]) < 0.4
