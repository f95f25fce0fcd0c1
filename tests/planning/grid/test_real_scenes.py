"""Rooms and furniture made by others: a house, a warehouse, and Recast's own test mesh."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import radians
from pathlib import Path

import numpy as np
import pytest

import surefoot as sf
from references.real_scenes import furnished, recast_queries
from surefoot.character import people
from surefoot.world import World

ADULT = people.adult()

# Places on the floors, by the room [m].
HOUSE = {
    "bedroom": (-8.4, 0.3, 0.0),
    "study": (-7.0, -3.8, 0.0),
    "sofa": (-1.6, -1.9, 0.0),
    "balcony": (-1.7, 5.0, 0.0),
    "gym": (4.0, 4.6, 0.0),
    "dining": (8.4, 2.4, 0.0),
    "kitchen": (7.6, -3.6, 0.0),
    "door": (5.9, -5.0, 0.0),
}
WAREHOUSE = {
    "corner": (-3.6, 9.6, 0.03),
    "crates": (1.5, 5.8, 0.03),
    "between shelves": (5.4, -2.2, 0.03),
    "pallet jack": (1.2, -9.8, 0.03),
    "behind the bucket": (-3.6, -7.6, 0.03),
}


@pytest.fixture(scope="module")
def house(data: Path) -> World:
    return furnished(data, "small_house")


@pytest.fixture(scope="module")
def warehouse(data: Path) -> World:
    return furnished(data, "small_warehouse")


def plan(world: World, start: tuple[float, ...], goal: tuple[float, ...]) -> sf.Plan:
    up = np.array([0.0, 0.0, 0.3])
    problem = sf.Problem(
        world=world,
        character=ADULT,
        start=world.place(np.array(start) + up),
        goal=sf.Goal(world.place(np.array(goal) + up)),
    )
    return sf.plan(problem, planner=sf.Grid())


def kept_to_the_floor(world: World, made: sf.Plan) -> None:
    """Reached, every claim verified anew, and nothing but floors under the way."""
    assert made, made.status.message
    check = made.check(world)
    assert check, str(check)
    times = np.linspace(made.start, made.end, 2_000)
    points, _ = made.track(times, world)
    under = world.support(points, times, up=0.1, down=0.1)
    names = {world.names[i] for i in np.unique(under.body[under.hit])}
    assert not [name for name in names if world[name].has("forbidden")]
    assert np.ptp(points[:, 2]) < 0.06


@pytest.mark.parametrize(("first", "second"), list(pairwise([*HOUSE, "bedroom"])))
def test_the_house_is_walked_from_room_to_room(house: World, first: str, second: str) -> None:
    kept_to_the_floor(house, plan(house, HOUSE[first], HOUSE[second]))


@pytest.mark.parametrize(("first", "second"), list(pairwise([*WAREHOUSE, "corner"])))
def test_the_warehouse_is_walked_among_shelves_and_clutter(
    warehouse: World, first: str, second: str
) -> None:
    kept_to_the_floor(warehouse, plan(warehouse, WAREHOUSE[first], WAREHOUSE[second]))


def test_the_sofa_and_its_table_are_walked_around_and_not_over(house: World) -> None:
    start, goal = (0.9, -3.9, 0.0), (1.3, 0.3, 0.0)
    made = plan(house, start, goal)
    kept_to_the_floor(house, made)
    straight = float(np.hypot(goal[0] - start[0], goal[1] - start[1]))
    walked = sum(segment.length for segment in made.segments)
    assert 1.1 * straight < walked < 3 * straight


def test_names_say_what_is_furniture(house: World, warehouse: World) -> None:
    for name in ("Bed_01_001", "SofaC_01_001", "CoffeeTable_01_001", "Trash_01_001"):
        assert house[name].has("furniture"), name
    assert not house["Carpet_01_001"].has("forbidden")
    assert not house["FloorB_01_001"].has("forbidden")
    assert not house["FoldingDoor_01_001"].has("furniture")
    assert warehouse["aws_robomaker_warehouse_PalletJackB_01_001"].has("furniture")
    assert not warehouse["aws_robomaker_warehouse_GroundB_01_001"].has("forbidden")


def test_every_foot_of_a_walk_through_the_house_stands_on_the_floor(house: World) -> None:
    made = plan(house, HOUSE["bedroom"], HOUSE["kitchen"])
    animation = sf.animate(made, house, ADULT)
    assert len(animation.footsteps) > 20
    for step in animation.footsteps:
        point = house.position(step.place, step.start)
        ground = house.support(point, step.start, up=0.05, down=0.05)
        assert ground.hit, point
        assert not house[house.names[int(ground.body)]].has("forbidden")


# --- Recast's own mesh ---------------------------------------------------------------------------

# What Recast 1.5.1 (Debian's librecast-dev) answers to its own queries with its demo's settings:
# cells of 0.3 m and 0.2 m, an agent of 0.6 m and 2.0 m that climbs 0.9 m and 45 degrees. All are
# reached; these are the lengths of the straightened ways [m]. `surefoot bench grid` asks again.
RECAST_LENGTHS = (
    60.32, 49.97, 43.70, 45.29, 43.96, 17.35, 45.14, 42.17, 40.13, 39.31, 19.89, 30.20, 16.90,
    24.90, 23.03, 34.56, 28.21, 39.18, 24.97, 28.25, 16.89,
)  # fmt: skip
AGENT = replace(
    ADULT,
    capabilities={
        "walk": replace(
            ADULT.capability("walk"),
            radius=0.6,
            height=2.0,
            step_height=0.9,
            max_slope=radians(45.0),
        )
    },
)


@pytest.fixture(scope="module")
def nav_test(data: Path) -> World:
    return sf.load_world(data / "scenes" / "recast" / "nav_test.obj")


@pytest.mark.parametrize("query", range(len(RECAST_LENGTHS)))
def test_recasts_own_queries_are_answered_as_recast_does(
    data: Path, nav_test: World, query: int
) -> None:
    starts, ends = recast_queries(data)
    assert len(starts) == len(RECAST_LENGTHS)
    up = np.array([0.0, 0.0, 0.5])
    problem = sf.Problem(
        world=nav_test,
        character=AGENT,
        start=nav_test.place(starts[query] + up),
        goal=sf.Goal(nav_test.place(ends[query] + up)),
        horizon=300.0,
    )
    made = sf.plan(problem, planner=sf.Grid(sf.GridSettings(cell=0.3)))
    assert made, made.status.message
    assert made.check(nav_test)
    walked = sum(segment.length for segment in made.segments)
    # Detour's way is shortest among polygons' corners, not of all ways: either may be the longer.
    assert 0.93 < walked / RECAST_LENGTHS[query] < 1.10
