"""What bandi2000's figures of its scenes state as an outcome (Figs. 16 to 18)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import surefoot as sf
from surefoot.arrays import Floats
from surefoot.character import Character, people
from surefoot.world import scenes
from surefoot.world.primitives import box

ADULT = people.adult()
# Who wants a metre of room: as much as a border on each side of a cell may take.
WIDE = replace(
    ADULT,
    capabilities={
        **ADULT.capabilities,
        "walk": replace(ADULT.capability("walk"), radius=0.5),
    },
)


def walked(
    scene: scenes.Scene, goal: str = "goal", character: Character = ADULT
) -> tuple[sf.Plan, Floats]:
    """A plan from the scene's start, checked, and points along it."""
    problem = sf.Problem(
        world=scene.world,
        character=character,
        start=scene.start,
        goal=sf.Goal(scene.place(goal)),
        capabilities=("walk",),
        horizon=200.0,
    )
    plan = sf.plan(problem, planner=sf.Grid())
    assert plan, plan.status.message
    check = plan.check(scene.world)
    assert check, str(check)
    return plan, plan.track(np.linspace(plan.start, plan.end, 2_000), scene.world)[0]


def near(points: Floats, scene: scenes.Scene, place: str) -> float:
    """How near a way comes to a place [m]."""
    at = scene.world.position(scene.place(place), 0.0)
    return float(np.linalg.norm(points - at, axis=1).min())


@pytest.mark.parametrize("character", [ADULT, WIDE], ids=["adult", "wide"])
def test_the_labyrinths_way_avoids_a_for_lack_of_border(character: Character) -> None:
    # Fig. 16: cells fit through A, and so does an adult, but their borders do not.
    scene = scenes.load("labyrinth")
    _, points = walked(scene, character=character)
    assert near(points, scene, "A") > 1.0
    assert near(points, scene, "B") < 0.9


def test_the_staircase_is_climbed_on_the_nearer_side() -> None:
    # Fig. 17, lower left.
    scene = scenes.load("staircase")
    _, points = walked(scene)
    assert near(points, scene, "A") < 2.0
    assert points[-1, 2] == pytest.approx(3.6)


def test_an_obstacle_on_the_stairs_is_walked_around_on_the_other_side() -> None:
    # Fig. 17, lower right: something that fills the nearer side.
    scene = scenes.load("staircase")
    x, y, z = scene.world.position(scene.place("A"), 0.0)
    crate = box((3.6, 1.0, 1.2), (x, y, z + 0.4))
    scene.world.add(sf.Body(name="crate", mesh=crate, tags={"forbidden": True}))
    _, points = walked(scene)
    assert near(points, scene, "A") > 2.0
    assert near(points, scene, "B") < 2.0


def test_the_factorys_low_tank_is_walked_around() -> None:
    # Fig. 18, right.
    scene = scenes.load("factory")
    _, points = walked(scene)
    assert near(points, scene, "A") > 1.0
    assert near(points, scene, "B") < 1.5
    up = np.array([0.0, 0.0, 1.0])
    room = scene.world.ray(points + 0.01 * up, up)
    assert room.distance.min() > ADULT.capability("walk").height - 0.02


def test_the_factorys_office_is_reached_by_its_stairs() -> None:
    scene = scenes.load("factory")
    _, points = walked(scene, "office")
    assert points[-1, 2] == pytest.approx(2.7)


def test_the_supermarket_is_entered_from_outside() -> None:
    # Fig. 18, left: from the car park up the kerb, in at the door, along an aisle.
    scene = scenes.load("supermarket")
    _, points = walked(scene)
    assert points[0, 2] == pytest.approx(0.0)
    assert near(points, scene, "entrance") < 1.5
    assert near(points, scene, "A") > 1.0


@pytest.mark.parametrize("name", ["labyrinth", "staircase", "factory", "supermarket"])
def test_tiles_are_joined_by_ways_with_room(name: str) -> None:
    scene = scenes.load(name, tiles=(2, 2))
    walked(scene, "goal", character=WIDE)
