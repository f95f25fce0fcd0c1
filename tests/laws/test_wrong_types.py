"""Values of another kind than expected: one sentence that names what is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import surefoot as sf
from surefoot.agents.settings import MAX_STEP
from surefoot.errors import InputError
from surefoot.world import primitives

FLOOR = sf.Body(
    name="floor",
    mesh=primitives.box((20.0, 20.0, 0.2)),
    trajectory=sf.Static(sf.Pose((0.0, 0.0, -0.1))),
)
WALL = sf.Body(
    name="wall",
    mesh=primitives.box((2.0, 2.0, 2.0)),
    trajectory=sf.Static(sf.Pose((3.0, 0.0, 1.0))),
)


def world() -> sf.World:
    return sf.World([FLOOR, WALL], name="hall")


def crowd() -> sf.Crowd:
    return sf.Crowd(world(), [sf.Entrant(sf.people.adult(), (0.0, 0.0, 0.0))])


@pytest.fixture(scope="module")
def problem() -> sf.Problem:
    return sf.Problem(
        world=world(), character=sf.people.adult(), start=(0.0, 0.0, 0.0), goal=(-4.0, 0.0, 0.0)
    )


@pytest.fixture(scope="module")
def plan(problem: sf.Problem) -> sf.Plan:
    return sf.plan(problem, "grid")


MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "entrants as tuples": (
        lambda: sf.Crowd(world(), [(sf.people.adult(), (-4, 0, 0), (4, 0, 0))]),
        r"characters must be a list of Entrant objects, found \(Character.* at index 0",
    ),
    "one entrant": (
        lambda: sf.Crowd(world(), sf.Entrant(sf.people.adult(), (0, 0, 0))),
        r"characters must be a list of Entrant objects, got Entrant\('adult'",
    ),
    "a crowd in a body": (lambda: sf.Crowd(FLOOR), "world: expected a World, got Body"),
    "an entrant's name": (
        lambda: sf.Entrant("child", (0, 0, 0)),
        r"character: expected a Character such as sf.people.adult\(\), got 'child'",
    ),
    "a name to add": (
        lambda: crowd().add("child", (1, 1, 0)),
        r"character: expected a Character such as sf.people.adult\(\), got 'child'",
    ),
    "poses of a number": (
        lambda: crowd().poses(0),
        "agents must be a list of ids of agents, got 0",
    ),
    "a body alone": (lambda: sf.World(FLOOR), "a world takes a list of bodies, got Body"),
    "a world to plan": (lambda: sf.plan(world()), "problem: expected a Problem, got World"),
    "a number to load": (lambda: sf.load_world(3), "expected the path of a file, .* got 3"),
    "a number as a rig": (
        lambda: sf.Character.from_gltf(3),
        "expected the path of a file, .* got 3",
    ),
    "a number to save": (lambda: world().save(3), "expected the path of a file, .* got 3"),
    "a step of 31 years": (lambda: crowd().step(1e9), "dt must be at most 10, got 1e"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_value_is_named(mistake: str) -> None:
    call, message = MISTAKES[mistake]
    with pytest.raises(InputError, match=message):
        call()


def test_plans_and_animations(problem: sf.Problem, plan: sf.Plan) -> None:
    for wrong in ("yard", sf.scenes.load("yard")):
        with pytest.raises(InputError, match=r"world: expected a World such as .*scene\.world"):
            plan.check(wrong)
    animation = sf.animate(plan, problem.world, problem.character)
    for save in (plan.save, animation.save):
        with pytest.raises(InputError, match=r"expected the path of a file, .* got 3"):
            save(3)
    assert repr(animation).startswith("Animation('adult', 0.00 s to ")
    assert len(repr(animation)) < 120


def test_representations_are_short(problem: sf.Problem) -> None:
    adult = problem.character
    assert repr(adult) == f"Character('adult', 1.75 m, {len(adult.skeleton.joints)} joints)"
    entrant = sf.Entrant(adult, (0, 0, 0), goal="deck")
    assert repr(entrant) == "Entrant('adult', (0, 0, 0), goal=deck)"
    assert repr(problem) == (
        "Problem('adult', (0.00, 0.00, 0.00) on floor to (-4.00, 0.00, 0.00) on floor in"
        " World('hall', 2 bodies, 0 moving))"
    )


def test_a_crowd_takes_the_longest_step_and_goes_on() -> None:
    made = crowd()
    made.step(MAX_STEP)
    made.step(1 / 30)
    assert made.t == pytest.approx(MAX_STEP + 1 / 30)


def test_places_of_entrants_are_said_in_the_world() -> None:
    adult = sf.people.adult()
    inside = sf.Place("wall", (0.0, 0.8, -1.0))
    with pytest.raises(
        InputError,
        match=r"entrant 0: \(3\.00, 0\.80, 0\.00\) on wall is inside 'wall'.*; the nearest place"
        r" to stand is \([^)]*\) on floor",
    ):
        sf.Crowd(world(), [sf.Entrant(adult, inside)])
    above = sf.Goal(sf.Place("wall", (-2.0, 0.0, 3.0)))
    with pytest.raises(
        InputError,
        match=r"entrant 0: goal \(1\.00, 0\.00, 4\.00\) on wall has no floor; the nearest place",
    ):
        sf.Crowd(world(), [sf.Entrant(adult, (0, 0, 0), goal=above)])
