"""Starts and goals given as places, points and names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.errors import FileError, ProblemError
from surefoot.planning import AllOf, AnyOf, Goal, Problem, Region
from surefoot.planning.goals import leaves
from surefoot.world import Body, Keyframed, Place, World
from surefoot.world.primitives import box, slab


@pytest.fixture
def level(yard: World) -> World:
    """The yard with its lift and deck, and three places."""
    deck = Place("deck", np.array([9.0, 0.0, 3.0]))
    door = Place(None, np.array([-3.0, 1.0, 0.0]))
    return yard.copy(places={"Upper floor": deck, "door": door, "lift": door})


def pose(world: World, adult: Character, /, **fields: Any) -> Problem:
    return Problem(
        **({"world": world, "character": adult, "start": (0, 0, 0), "goal": (2, 0, 0)} | fields)
    )


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_a_point_is_dropped_onto_the_surface_below(
    level: World, adult: Character, kind: Any
) -> None:
    found = pose(level, adult, start=kind([-2.0, 1.0, 0.5]), goal=kind([9, 0, 4]))
    assert found.start == level.place((-2.0, 1.0, 0.5))
    assert found.goal == Goal(level.place((9.0, 0.0, 4.0)))


def test_a_point_is_where_it_is_at_the_start_time(level: World, adult: Character) -> None:
    found = pose(level, adult, goal=(5.0, 0.0, 3.2), start_time=10.0)
    (goal,) = leaves(found.goal)
    assert isinstance(goal, Goal)
    assert goal.place.body == "lift"


def test_a_place_of_the_world(level: World, adult: Character) -> None:
    found = pose(level, adult, start="door", goal="Upper floor")
    assert found.start is level.places["door"]
    assert found.goal == Goal(level.places["Upper floor"])


def test_a_place_wins_over_a_body_of_the_same_name(level: World, adult: Character) -> None:
    assert pose(level, adult, start="lift").start is level.places["lift"]


def test_a_body_is_its_top(yard: World, adult: Character) -> None:
    found = pose(yard, adult, start="lift", goal="deck")
    assert found.start.body == "lift"
    assert found.start.position == pytest.approx([0.0, 0.0, 0.0])
    assert found.goal == Goal(yard.place((8.0, 0.0, 3.0)))


def test_beside_what_stands_at_the_centre_of_a_body(floor: World, adult: Character) -> None:
    floor.add(Body(name="pillar", mesh=box((2.0, 1.0, 2.5), (0.0, 0.0, 1.25))))
    start = pose(floor, adult, start="floor").start
    assert start.body == "floor"
    x, y, z = start.position
    assert z == pytest.approx(0.0)
    radius = adult.capabilities["walk"].radius
    assert 0.5 + radius <= abs(y) <= 0.5 + radius + 0.5
    assert abs(x) <= 1.0


def test_a_goal_on_a_body_may_become_free_later(yard: World, adult: Character) -> None:
    """Until 8 s the raft is under a roof that is too low to stand under."""
    out = Keyframed([0.0, 8.0, 12.0], [[-2, 6, 0.1], [-2, 6, 0.1], [-2, -6, 0.1]])
    yard.add(Body(name="raft", mesh=slab((2.0, 2.0, 0.1)), trajectory=out))
    yard.add(Body(name="roof", mesh=slab((4.0, 4.0, 0.2), (-2.0, 6.0, 1.2))))
    goal = pose(yard, adult, goal="raft").goal
    assert isinstance(goal, Goal)
    assert goal.place.body == "raft"
    with pytest.raises(
        ProblemError, match="start: on top of body 'raft' there is no room to stand"
    ):
        pose(yard, adult, start="raft")


def test_goals_inside_goals(level: World, adult: Character) -> None:
    region = Region(tag=None, body="deck")
    goal = AllOf([AnyOf([(1, 0, 0), "Upper floor"]), Goal("door", tolerance=0.5), region])
    found = pose(level, adult, goal=goal).goal
    first, second, third, fourth = leaves(found)
    assert first == Goal(level.place((1, 0, 0)))
    assert second == Goal(level.places["Upper floor"])
    assert third == Goal(level.places["door"], tolerance=0.5)
    assert fourth is region


def test_a_goal_that_needs_no_world_stays_the_same(level: World, adult: Character) -> None:
    goal = AnyOf([Goal(level.place((1, 0, 0))), Region(body="deck")])
    assert pose(level, adult, goal=goal).goal is goal


def test_goals_of_the_same_point_are_equal() -> None:
    assert Goal((1, 2, 3)) == Goal(np.array([1.0, 2.0, 3.0]))
    assert hash(Goal("lift")) == hash(Goal("lift"))
    assert Goal("lift") != Goal((1, 2, 3))
    assert f"{Goal((1, 2.5, 3))} and {Goal('lift')}" == "(1, 2.5, 3) and 'lift'"


TAKES = r"expected a Place, a point of three numbers \[m\], or the name of a place or a body, got "
GOALS = (
    r"expected a Goal, Region, AnyOf or AllOf, a Place, a point of three numbers \[m\], or the name"
    r" of a place or a body, got "
)
WRONG = [
    None, 3, True, "", (), (1, 2), (1, 2, 3, 4), [[1, 2, 3]], (1, 2, float("nan")), (1, 2, "3"),
    (True, False, True), [[1], [2, 3]], {"x": 1}, b"lift", (1, 2, float("inf")),
]  # fmt: skip


@pytest.mark.parametrize("given", WRONG)
def test_anything_else_is_refused_by_the_name_of_its_field(
    level: World, adult: Character, given: Any
) -> None:
    with pytest.raises(ProblemError, match=f"^start: {TAKES}"):
        pose(level, adult, start=given)
    with pytest.raises(ProblemError, match=f"^goal: {GOALS}"):
        pose(level, adult, goal=given)
    with pytest.raises(ProblemError, match=f"^goal: {TAKES}"):
        Goal(given)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AnyOf("lift"), "any of takes a list of goals, got 'lift'"),  # type: ignore[arg-type]
        (lambda: AllOf(3), "all of takes a list of goals, got 3"),  # type: ignore[arg-type]
        (lambda: AnyOf((1, 2, 3)), "any of: goal 1: expected a Goal, Region, .*, got 1"),  # type: ignore[arg-type]
        (lambda: AnyOf([]), "any of needs at least one goal"),
    ],
)
def test_several_goals_are_a_list(make: Any, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        make()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"start": "Uper floor"},
            "start: unknown place or body 'Uper floor'; did you mean 'Upper f",
        ),
        ({"goal": "Lfit"}, "goal: unknown place or body 'Lfit'; did you mean 'lift'"),
        ({"start": (0, 0, 9)}, r"start: \(0, 0, 9\) is in mid-air at t = 0 s"),
        ({"goal": Goal((0, 0, 9))}, r"goal: \(0, 0, 9\) is in mid-air at t = 0 s"),
        ({"world": "yard"}, "world: expected a World, got 'yard'"),
        ({"character": "adult"}, "character: expected a Character, got 'adult'"),
    ],
)
def test_what_is_not_there_is_named(
    level: World, adult: Character, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(ProblemError, match=message):
        pose(level, adult, **fields)


def test_a_goal_without_a_world_says_what_it_needs(level: World) -> None:
    goal = Goal("lift")
    with pytest.raises(ProblemError, match=r"goal .lift. is a point or a name, which needs"):
        goal.reached(level, [[0, 0, 0]], [0.0])
    with pytest.raises(ProblemError, match="needs a world"):
        _ = Goal((1, 2, 3)).place.body


def test_a_problem_with_names_is_written_as_places(
    level: World, adult: Character, tmp_path: Path
) -> None:
    found = pose(level, adult, start="door", goal="Upper floor")
    found.save(tmp_path / "problem.json")
    again = Problem.load(tmp_path / "problem.json")
    assert (again.start, again.goal) == (found.start, found.goal)


def test_a_file_holds_places_alone(level: World, adult: Character, tmp_path: Path) -> None:
    pose(level, adult).save(tmp_path / "problem.json")
    text = (tmp_path / "problem.json").read_text()
    spoilt = text.replace('"start": {', '"start": "door", "other": {', 1)
    assert spoilt != text
    (tmp_path / "problem.json").write_text(spoilt)
    with pytest.raises(FileError):
        Problem.load(tmp_path / "problem.json")
