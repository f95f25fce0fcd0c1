"""Maps: cut once, kept while a world lives, and right again after every change of it."""

from __future__ import annotations

import gc
from dataclasses import replace

import numpy as np
import pytest

from references.walkable_worlds import random_world
from surefoot.character import people
from surefoot.errors import ProblemError
from surefoot.math import Pose
from surefoot.planning import Goal, Limits, Problem
from surefoot.planning.grid import Grid, GridMap, GridSettings, keeping
from surefoot.planning.grid.postures import Posture
from surefoot.world import Body, Keyframed, Static, World
from surefoot.world.primitives import box, ground, slab

ADULT = people.adult()
FLOOR = Body(name="floor", mesh=ground(12, 12))
CRATE = Body(name="crate", mesh=box((1, 1, 1), (0, 0, 0.5)))


def problem(world: World, goal: tuple[float, ...] = (4, 3, 0), **given: object) -> Problem:
    return Problem(
        world=world,
        character=ADULT,
        start=world.place((-4, -3, 0)),
        goal=Goal(world.place(goal)),
        **given,
    )


def same(first: GridMap, second: GridMap) -> bool:
    """Whether two maps have the same cells, whatever their rows."""

    def cells(grid: GridMap) -> set[tuple[float, ...]]:
        live = grid.cells.live
        postures = grid.postures()
        rows = np.column_stack(
            [grid.positions[live].round(6), postures.each[live], postures.layers[live]]
        )
        return set(map(tuple, rows.tolist()))

    return cells(first) == cells(second)


def test_cells_are_as_far_apart_as_the_feet() -> None:
    for who in (ADULT, people.child()):
        assert GridMap(World([FLOOR]), who).cell == pytest.approx(who.measures.hip_width)
    assert GridMap(World([FLOOR]), ADULT, GridSettings(cell=0.3)).cell == 0.3


def test_borders_keep_the_body_away_from_walls() -> None:
    wall = Body(name="wall", mesh=box((0.2, 8, 2), (0.03, 0, 1)))
    for cell in (0.1, 0.175, 0.25, 0.5):
        grid = GridMap(World([FLOOR, wall]), ADULT, GridSettings(cell=cell))
        inside = grid.postures().each == Posture.WALK
        beside = inside & (np.abs(grid.positions[:, 1]) < 3.5) & (grid.positions[:, 2] < 0.1)
        away = np.abs(grid.positions[beside, 0] - 0.03) - 0.1
        assert away.min() >= ADULT.capability("walk").radius - 1e-9
        # And no farther than they must.
        assert away.min() < ADULT.capability("walk").radius + 2 * cell


@pytest.mark.parametrize("seed", range(8))
def test_a_map_that_followed_changes_is_like_a_new_one(seed: int) -> None:
    rng = np.random.default_rng([seed, 3])
    world = random_world(rng)
    grid = GridMap(world, ADULT)
    for step in range(6):
        if rng.random() < 0.4:
            mesh = box(tuple(rng.uniform(0.2, 2.0, 3)))
            at = Static(Pose(np.array([*rng.uniform(-4, 4, 2), 0.3])))
            world.add(Body(name=f"new {step}", mesh=mesh, trajectory=at))
        else:
            name = str(rng.choice([name for name in world.bodies if name not in ("floor",)]))
            if rng.random() < 0.3:
                world.remove(name)
            else:
                world.move(name, Static(Pose(rng.uniform(-2, 2, 3) * [1, 1, 0.1])))
        grid.update()
        assert same(grid, GridMap(world, ADULT))


@pytest.mark.parametrize("seed", range(6))
def test_plans_do_not_depend_on_what_a_map_has_seen(seed: int) -> None:
    rng = np.random.default_rng([seed, 5])
    crates = [
        Body(
            name=f"crate {i}",
            mesh=box((*rng.uniform(0.3, 2.0, 2), 1.0), (0, 0, 0.5)),
            trajectory=Static(Pose(np.array([*rng.uniform(-3, 3, 2), 0.0]))),
        )
        for i in range(6)
    ]
    live = World([FLOOR, *crates[::-1]])
    Grid().plan(problem(live))
    for crate in crates:
        live.move(crate.name, Static(Pose(np.array([0.0, 0.0, 50.0]))))
        Grid().plan(problem(live))
        live.move(crate.name, crate.trajectory)
    fresh = World([FLOOR, *crates])
    assert Grid().plan(problem(live)).segments[0].positions == pytest.approx(
        Grid().plan(problem(fresh)).segments[0].positions
    )


def test_only_what_changed_is_looked_at_again() -> None:
    floor = Body(name="floor", mesh=ground(60, 60))
    world = World([floor, CRATE])
    grid = GridMap(world, ADULT)
    assert grid.update() == 0
    world.move("crate", Static(Pose(np.array([2.0, 0.0, 0.0]))))
    looked = grid.update()
    # The crate, where it was and is, as far as anybody jumps from there.
    reach = 2 * (1.0 + 2 * ADULT.capability("jump").max_jump_length + 1.0)
    assert 0 < looked < (reach / grid.cell) ** 2
    assert looked < 0.05 * grid.cells.voxels.count


def test_bodies_that_move_are_no_cells() -> None:
    away = Keyframed(np.array([0.0, 9.0]), np.array([[0, 0, 0], [5, 0, 0.0]]))
    world = World([FLOOR, CRATE])
    grid = GridMap(world, ADULT)
    blocked = grid.postures().each[grid.cells.around(np.zeros(3), 0, 0.1)]
    assert (blocked == Posture.CLOSED).all()
    world.move("crate", away)
    grid.update()
    free = grid.postures().each[grid.cells.around(np.zeros(3), 0, 0.1)]
    assert (free == Posture.WALK).all()
    with pytest.raises(ProblemError, match="every body of this world moves"):
        GridMap(World([CRATE.moved(away)]), ADULT)


def test_maps_are_kept_with_their_world_and_go_with_it() -> None:
    world = World([FLOOR, CRATE])
    first = Grid().map(problem(world))
    assert Grid().map(problem(world)) is first
    assert Grid(GridSettings(cell=0.4)).map(problem(world)) is not first
    assert Grid().map(replace(problem(world), capabilities=("walk",))) is not first
    assert Grid().map(problem(World([FLOOR, CRATE]))) is not first
    key = id(world)
    assert key in keeping._kept  # pyright: ignore[reportPrivateUsage]
    del world, first
    gc.collect()
    assert key not in keeping._kept  # pyright: ignore[reportPrivateUsage]


def test_a_map_without_its_world_says_so() -> None:
    world = World([FLOOR])
    grid = GridMap(world, ADULT)
    del world
    gc.collect()
    with pytest.raises(ProblemError, match="the world of this map is gone"):
        grid.update()
    assert grid.update(World([FLOOR, CRATE])) > 0


def test_one_front_serves_all_who_have_the_same_goal() -> None:
    world = World([FLOOR, CRATE])
    planner = Grid(GridSettings(search="front"))
    first = planner.plan(problem(world))
    fronts = planner.map(problem(world))._fronts  # pyright: ignore[reportPrivateUsage]
    (front,) = fronts.values()
    # Others start elsewhere; nothing is searched again.
    for start in ((-4, 4, 0), (0, -5, 0), (5, -5, 0)):
        asked = replace(problem(world), start=world.place(start))
        plan = planner.plan(asked)
        assert plan
        assert plan.check(world)
        assert plan.statistics["nodes_expanded"] == 0
        searched = Grid().plan(asked)
        assert plan.statistics["metres"] == pytest.approx(searched.statistics["metres"], abs=0.3)
    assert list(fronts.values()) == [front]
    assert planner.plan(problem(world)) == first
    # Until the world changes.
    world.move("crate", Static(Pose(np.array([1.0, 0.0, 0.0]))))
    planner.plan(problem(world))
    assert front not in fronts.values()


def test_paths_and_fronts_of_a_map_agree() -> None:
    world = World([FLOOR, CRATE])
    grid = GridMap(world, ADULT)
    path = grid.path((-4, 0, 0), (4, 0, 0))
    assert path.reached
    field = grid.front((4, 0, 0))
    near = grid.near(np.array([-4.0, 0.0, 0.0]), grid.prices())
    assert path.cost == pytest.approx((field[near.cells] + near.costs).min(), rel=1e-6)
    along = field[path.cells]
    assert np.all(np.diff(along) < 0)
    with pytest.raises(ProblemError, match=r"\(0.00, 0.00, 0.00\) is not next to ground"):
        grid.path((0, 0, 0), (4, 0, 0))


def test_cells_beyond_the_memory_limit_are_refused_with_the_size_that_fits() -> None:
    world = World([FLOOR])
    small = problem(world, limits=Limits(memory=200_000))
    with pytest.raises(ProblemError) as refused:
        Grid(GridSettings(cell=0.02)).plan(small)
    sizes = [float(word) for word in str(refused.value).split() if word.startswith("0.")]
    fits = max(sizes)
    assert fits > 0.02
    assert Grid(GridSettings(cell=fits)).plan(small)


@pytest.mark.parametrize("altitude", [0.0, -1e3, 1e4, 1e5])
def test_worlds_high_above_their_origin_are_walked_like_others(altitude: float) -> None:
    step = ADULT.capability("walk").step_height
    low, high = slab((6, 6, 0.3), (-3, 0, altitude)), slab((6, 6, 0.3), (3, 0, altitude + step))
    world = World([Body(name="low", mesh=low), Body(name="high", mesh=high)])
    plan = Grid(GridSettings(actions=("walk",))).plan(
        Problem(
            world=world,
            character=ADULT,
            start=world.place((-4, 0, altitude)),
            goal=Goal(world.place((4, 0, altitude + step))),
        )
    )
    assert plan, plan.status.message
    assert plan.check(world)


def test_after_a_change_that_was_refused_a_map_is_right_again() -> None:
    world = World([FLOOR, CRATE])
    grid = GridMap(world, ADULT, GridSettings(memory=5_000_000))
    world.remove("crate")
    world.add(Body(name="plain", mesh=ground(2_000, 2_000)))
    with pytest.raises(ProblemError, match="more than the limit"):
        grid.update()
    world.remove("plain")
    assert grid.update() > 0
    assert same(grid, GridMap(world, ADULT, GridSettings(memory=5_000_000)))
    assert grid.path((-4, 0, 0), (4, 0, 0)).reached


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cell": 0.0}, "grid cell must be greater than 0"),
        ({"rise": -1.0}, "grid rise must be greater than 0"),
        ({"metric": "miles"}, "unknown grid metric 'miles'; there are: euclidean, steps"),
        ({"connectivity": 6}, "unknown grid connectivity 6; there are: 4, 8"),
        ({"support": 1.5}, "grid support must be at most 1"),
        ({"jump_price": 0.5}, "grid jump_price must be at least 1"),
        ({"tries": 0}, "grid tries must be at least 1"),
        ({"actions": "walk"}, "grid actions must be a list of names"),
        ({"rise": None}, "grid rise must be a number, got None"),
        ({"support": None}, "grid support must be a number, got None"),
        ({"layers": 1.5}, "grid layers must be a whole number, got 1.5"),
        ({"layers": 300}, "grid layers must be at most 200"),
        ({"tries": 2.5}, "grid tries must be a whole number, got 2.5"),
        ({"cell": True}, "grid cell must be a number, got True"),
    ],
)
def test_settings_out_of_bounds_are_named(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        GridSettings(**settings)


def test_what_no_body_and_no_memory_has_room_for_is_refused() -> None:
    world = World([FLOOR])
    with pytest.raises(ProblemError, match=r"at most the body's height of 1\.75 m, got 100"):
        GridMap(world, ADULT, GridSettings(step_over=100.0))
    with pytest.raises(ProblemError, match=r"borders of 250 of them .* cells of 0\.0013 m fit"):
        GridMap(World([CRATE]), ADULT, GridSettings(cell=0.001, actions=("walk",)))
    giant = replace(ADULT.capability("jump"), max_jump_length=100.0)
    far = replace(ADULT, capabilities={**ADULT.capabilities, "jump": giant})
    with pytest.raises(ProblemError, match=r"spans 571 cells .* more than 128; cells of 0\.78"):
        GridMap(world, far)
    # A wish for more room than there is anywhere is a wish like others.
    assert GridMap(world, ADULT, GridSettings(clearance=1e6)).path((-4, 0, 0), (4, 0, 0)).reached
    with pytest.raises(ProblemError, match="nowhere to stand: this world is empty"):
        GridMap(World(), ADULT)
    with pytest.raises(ProblemError, match=r"takes GridSettings\(...\), got 0\.3"):
        Grid(0.3)  # pyright: ignore[reportArgumentType]
