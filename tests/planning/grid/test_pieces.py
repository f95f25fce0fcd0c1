"""What plans are made of: walks, steps over gaps, bends and jumps, each where it is needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.character import people
from surefoot.errors import ProblemError
from surefoot.planning import Goal, Kind, Outcome, Plan, Problem
from surefoot.planning.grid import Grid, GridSettings
from surefoot.world import Body, World
from surefoot.world.primitives import box, ground, slab

ADULT = people.adult()
JUMP = ADULT.capability("jump")
FLOOR = Body(name="floor", mesh=ground(12, 12))


def platforms(gap: float, rise: float = 0.0, width: float = 3.0) -> World:
    """Two platforms of 5 m, high above nothing, the second one beyond a gap and higher."""
    first = slab((5, width, 0.3), (-2.5, 0, 0))
    second = slab((5, width, 0.3), (2.5 + gap, 0, rise))
    return World([Body(name="near", mesh=first), Body(name="far", mesh=second)])


def cross(world: World, settings: GridSettings | None = None, **given: object) -> Plan:
    end = max(float(body.mesh.bounds[1, 0]) for body in world) - 0.7
    top = float(world.support(np.array([end, 0.0, 3.0]), down=9.0).height)
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-4, 0, 0.1)),
        goal=Goal(world.place((end, 0, top + 0.1))),
        **given,
    )
    plan = Grid(settings or GridSettings()).plan(problem)
    check = plan.check(world)
    assert check, str(check)
    return plan


def kinds(plan: Plan) -> list[Kind]:
    return [segment.kind for segment in plan.segments]


@pytest.mark.parametrize("gap", [0.13, 0.2, 0.3, 0.4])
def test_a_gap_is_stepped_over(gap: float) -> None:
    plan = cross(platforms(gap))
    assert plan
    assert kinds(plan) == [Kind.WALK, Kind.STEP_OVER, Kind.WALK]


def test_a_crack_is_not_even_noticed() -> None:
    assert kinds(cross(platforms(0.05))) == [Kind.WALK]


@pytest.mark.parametrize(("rise", "kind"), [(0.25, Kind.STEP_UP), (-0.25, Kind.STEP_DOWN)])
def test_a_step_over_a_gap_may_lead_up_or_down(rise: float, kind: Kind) -> None:
    assert kind in kinds(cross(platforms(0.3, rise)))


@pytest.mark.parametrize("rise", [0.0, 0.3, -0.5])
def test_a_wide_gap_is_jumped_from_a_stand(rise: float) -> None:
    plan = cross(platforms(0.8, rise))
    assert kinds(plan) == [Kind.WALK, Kind.JUMP, Kind.WALK]
    (flight,) = plan.segments[1].flights
    assert flight.take_off.body == "near"
    assert flight.landing.body == "far"
    # It is prepared for and recovered from, on the spot.
    jump = plan.segments[1]
    before, after = (jump.sample(np.array([t]))[0][0] for t in (jump.start, jump.end))
    assert np.allclose(before, flight.take_off.position)
    assert np.allclose(after, flight.landing.position)
    assert flight.start - jump.start > 0.2
    assert jump.end - flight.end > 0.2


def test_a_wider_one_is_jumped_at_a_run() -> None:
    plan = cross(platforms(1.6))
    jump = next(segment for segment in plan.segments if segment.kind is Kind.JUMP)
    (flight,) = jump.flights
    before = jump.times <= flight.start + 1e-9
    run_up = jump.positions[before]
    steps = np.diff(jump.times[before])
    speeds = np.hypot(*np.diff(run_up[:, :2], axis=0).T) / steps
    launch = np.hypot(*flight.launch(platforms(1.6))[:2])
    # One speeds up along the run-up, as fast as one can and no faster, to the speed in the air.
    assert np.all(np.diff(speeds) > -1e-9)
    assert speeds[-1] == pytest.approx(launch, rel=0.1)
    between = (steps[1:] + steps[:-1]) / 2
    assert np.all(np.diff(speeds) <= JUMP.acceleration * between + 1e-6)


def test_a_jump_that_needs_a_run_needs_room_for_it() -> None:
    # On a ledge of 0.9 m there is none.
    ledge = slab((0.9, 3, 0.3), (-0.45, 0, 0))
    far = slab((5, 3, 0.3), (2.5 + 1.6, 0, 0))
    world = World([Body(name="ledge", mesh=ledge), Body(name="far", mesh=far)])
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-0.45, 0, 0.1)),
        goal=Goal(world.place((5, 0, 0.1))),
    )
    plan = Grid().plan(problem)
    assert plan.status.outcome is Outcome.UNREACHABLE
    assert kinds(plan).count(Kind.JUMP) == 0


def test_what_was_found_out_about_jumps_is_remembered_until_the_world_changes() -> None:
    world = World([*platforms(1.6), Body(name="wall", mesh=box((0.2, 3, 2), (-1, 0, 1)))])
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-0.5, 0, 0.1)),
        goal=Goal(world.place((5, 0, 0.1))),
    )
    first = Grid().plan(problem)
    assert first.status.outcome is Outcome.UNREACHABLE
    looked_at = Grid().map(problem).leaps.looked_at
    assert looked_at > 0
    # No jump is looked at twice, in one search after the other or in the next plan.
    assert first.statistics["searches"] > 1
    Grid().plan(problem)
    assert Grid().map(problem).leaps.looked_at == looked_at
    world.remove("wall")
    assert Grid().plan(problem)


def test_nobody_jumps_farther_than_they_can() -> None:
    plan = cross(platforms(JUMP.max_jump_length + 0.1))
    assert plan.status.outcome is Outcome.UNREACHABLE
    assert "walk, bend, step over, jump" in plan.status.message


def test_something_in_the_way_is_jumped_over() -> None:
    hurdle = Body(name="hurdle", mesh=box((0.12, 20, 0.42), (0, 0, 0.21)))
    plan = cross(World([Body(name="floor", mesh=slab((12, 20, 0.2))), hurdle]))
    assert plan
    assert Kind.JUMP in kinds(plan)


def test_a_ceiling_is_not_jumped_into() -> None:
    low = Body(name="beam", mesh=box((1.2, 3, 0.2), (0.4, 0, ADULT.measures.height + 0.15)))
    plan = cross(World([*platforms(0.8), low]))
    # A flat jump at a run fits under what a jump from a stand would hit.
    assert all(
        np.max(flight.positions(platforms(0.8), np.linspace(flight.start, flight.end, 20))[:, 2])
        < 0.06
        for segment in plan.segments
        for flight in segment.flights
    )


def test_a_low_passage_is_gone_bent() -> None:
    roof = Body(name="roof", mesh=box((2, 12, 0.3), (0, 0, 1.55)))
    plan = cross(World([FLOOR, roof]))
    assert plan
    assert kinds(plan) == [Kind.WALK, Kind.BEND, Kind.WALK]
    bend = plan.segments[1]
    assert bend.capability == "crouch"
    # Bent as long as any of the body is under it.
    radius = ADULT.capability("walk").radius
    assert bend.positions[0, 0] < -1.0 - radius
    assert bend.positions[-1, 0] > 1.0 + radius


def test_a_step_over_something_under_a_low_roof_is_made_bent() -> None:
    # Too narrow for the cells of 0.175 m to see, too wide not to be noticed.
    first, second = slab((5, 3, 0.3), (0.035 - 2.5, 0, 0)), slab((5, 3, 0.3), (0.14 + 2.5, 0, 0))
    roof = Body(name="roof", mesh=box((2, 3, 0.3), (0, 0, 1.55)))
    plan = cross(
        World([Body(name="near", mesh=first), Body(name="far", mesh=second), roof]),
        GridSettings(cell=0.175),
    )
    assert plan
    (step,) = (segment for segment in plan.segments if segment.kind is Kind.STEP_OVER)
    assert step.capability == "crouch"


def test_who_starts_under_a_table_comes_out_bent() -> None:
    table = Body(name="table", mesh=box((3, 3, 0.1), (-4, 0, 1.4)))
    world = World([FLOOR, table])
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-4, 0, 0.1)),
        goal=Goal(world.place((4, 0, 0.1))),
    )
    plan = Grid().plan(problem)
    assert plan
    assert plan.check(world)
    assert kinds(plan) == [Kind.BEND, Kind.WALK]


def test_a_way_around_is_rather_walked_than_gone_bent_or_jumped() -> None:
    roof = Body(name="roof", mesh=box((2, 3, 0.3), (0, 0, 1.55)))
    assert kinds(cross(World([FLOOR, roof]))) == [Kind.WALK]
    hurdle = Body(name="hurdle", mesh=box((0.12, 3, 0.42), (0, 0, 0.21)))
    assert kinds(cross(World([FLOOR, hurdle]))) == [Kind.WALK]


@pytest.mark.parametrize(
    ("world", "needed"),
    [
        (platforms(0.8), "jump"),
        (World([FLOOR, Body(name="roof", mesh=box((2, 12, 0.3), (0, 0, 1.55)))]), "crouch"),
    ],
    ids=["jump", "crouch"],
)  # fmt: skip
def test_only_capabilities_that_are_allowed_are_used(world: World, needed: str) -> None:
    others = tuple(name for name in ADULT.capabilities if name != needed)
    assert cross(world).capabilities.keys() == {"walk", needed}
    assert not cross(world, capabilities=others)


def test_only_actions_that_are_allowed_are_taken() -> None:
    assert not cross(platforms(0.3), GridSettings(actions=("walk",)))
    jumped = cross(platforms(0.3), GridSettings(actions=("walk", "jump")))
    assert kinds(jumped) == [Kind.WALK, Kind.JUMP, Kind.WALK]
    with pytest.raises(ProblemError, match="unknown grid action 'fly'; there are: bend, jump"):
        GridSettings(actions=("walk", "fly"))
    with pytest.raises(ProblemError, match="must hold 'walk'"):
        GridSettings(actions=("jump",))


def test_a_dear_jump_is_not_made() -> None:
    # A way of 9 m round the end of a gap of 0.8 m.
    bridge = Body(name="bridge", mesh=slab((1.4, 1.5, 0.3), (0.4, 5.25, 0)))
    world = World([*platforms(0.8, width=12.0), bridge])
    assert Kind.JUMP in kinds(cross(world))
    assert Kind.JUMP not in kinds(cross(world, GridSettings(jump_price=30.0)))


def test_a_thin_rail_is_nothing_to_step_on() -> None:
    # bandi2000, 9.1: a rail of 4 cm across a gap that is too wide to jump.
    rail = Body(name="rail", mesh=slab((3, 0.04, 0.04), (1.25, 0, 0)))
    world = World([*platforms(2.5), rail])
    assert not cross(world)
    # Without a demand on the support, the cells would go over it.
    grid = Grid(GridSettings(support=0.0, actions=("walk",)))
    problem = Problem(
        world=world,
        character=ADULT,
        start=world.place((-4, 0, 0.1)),
        goal=Goal(world.place((6, 0, 0.1))),
    )
    cells = grid.map(problem)
    narrow = cells.path((-4, 0, 0), (6, 0, 0), narrow=True)
    assert narrow.reached
    assert not Grid().map(problem).path((-4, 0, 0), (6, 0, 0), narrow=True).reached


def test_a_narrow_passage_is_the_last_resort() -> None:
    # A door of 0.62 m: room for the body and not for borders beside it.
    walls = box((0.2, 5.69, 2), (0, -3.155, 1)), box((0.2, 5.69, 2), (0, 3.155, 1))
    world = World([FLOOR, *(Body(name=f"wall {i}", mesh=mesh) for i, mesh in enumerate(walls))])
    assert cross(world)
    closed = cross(world, GridSettings(borders="closed"))
    assert closed.status.outcome is Outcome.UNREACHABLE
    # With a wide door beside it, the narrow one is not taken.
    walls = box((0.2, 5.69, 2), (0, -3.155, 1)), box((0.2, 3.69, 2), (0, 2.155, 1))
    world = World([FLOOR, *(Body(name=f"wall {i}", mesh=mesh) for i, mesh in enumerate(walls))])
    plan = cross(world)
    points, _ = plan.track(np.linspace(plan.start, plan.end, 500), world)
    assert points[np.argmin(np.abs(points[:, 0])), 1] > 4.0


def test_short_people_go_where_tall_ones_cannot() -> None:
    roof = Body(name="roof", mesh=box((2, 12, 0.3), (0, 0, 1.55)))
    world = World([FLOOR, roof])
    child = people.child()
    problem = Problem(
        world=world,
        character=child,
        start=world.place((-4, 0, 0.1)),
        goal=Goal(world.place((4, 0, 0.1))),
    )
    assert kinds(Grid().plan(problem)) == [Kind.WALK]
    # And cannot jump as far.
    world = platforms(1.6)
    wide = replace(
        problem,
        world=world,
        start=world.place((-4, 0, 0.1)),
        goal=Goal(world.place((6, 0, 0.1))),
    )
    assert not Grid().plan(wide)
