from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from surefoot.errors import ProblemError
from surefoot.planning import Goal, Problem, planners
from surefoot.planning.grid import Grid, GridSettings
from surefoot.world import World


def test_every_planner_is_made_without_settings() -> None:
    for name in planners.names():
        assert planners.make(name).name == name
        assert planners.kind(name).description


def test_settings_reach_the_planner() -> None:
    planner = planners.make("grid", {"cell": 0.5, "layers": 3})
    assert planner == Grid(GridSettings(cell=0.5, layers=3))


def test_a_planner_plans(floor: World, adult: Any) -> None:
    problem = Problem(
        world=floor,
        character=adult,
        start=floor.place((-3.0, 0.0, 0.1)),
        goal=Goal(floor.place((3.0, 0.0, 0.1))),
    )
    assert planners.make("grid", {"cell": 0.5}).plan(problem)


def test_an_unknown_planner_lists_the_known() -> None:
    with pytest.raises(ProblemError, match="unknown planner 'gird'; did you mean 'grid'") as told:
        planners.make("gird")
    assert str(told.value).endswith("There are: automatic, footsteps, grid, space-time, topology")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"sell": 1.0},
            r"sell: unknown setting 'sell'; did you mean 'cell'\? There are: actions, ",
        ),
        ({"cell": "0.25"}, r"cell: expected a number, got '0.25'"),
        ({"cell": True}, r"cell: expected a number, got True"),
        ({"cell": 0}, r"cell: grid cell must be greater than 0, got 0"),
        ({"cell": float("nan")}, r"cell: grid cell must be finite"),
        ({"cell": 10**400}, r"cell: expected a number, got a larger one"),
        ({"layers": 2.5}, r"layers: expected a whole number, got 2.5"),
        ({"layers": 1 << 70}, r"layers: expected a whole number, got a larger one"),
        ({"speed": "fast"}, r"speed: expected a number, got 'fast'"),
        ({"capability": 3}, r"capability: expected text, got 3"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError, match=rf"planner 'grid': {message}"):
        planners.make("grid", settings)


@dataclass(frozen=True, kw_only=True)
class _Settings:
    order: Literal["near", "far"] = "near"
    mirror: bool = False
    most: int | None = None


def test_every_wrong_field_is_told() -> None:
    wrong = planners.wrong_fields(_Settings, {"order": "up", "mirror": 1, "most": None, "more": 0})
    assert wrong == {
        "order": "expected 'near' or 'far', got 'up'",
        "mirror": "expected true or false, got 1",
        "more": "unknown setting 'more'; did you mean 'order'? There are: mirror, most, order",
    }
