"""Which planner is chosen where none is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import surefoot as sf
from surefoot.character import Character
from surefoot.errors import ProblemError
from surefoot.planning import AllOf, Outcome, Plan
from surefoot.planning.automatic import Automatic
from surefoot.planning.grid import Grid, GridSettings
from surefoot.planning.spacetime import SpaceTime
from surefoot.world import World, scenes

Tracked = list[str]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Tracked:
    """The names of the planners that were asked, in order; they plan as ever."""
    names: Tracked = []
    for planner in (Grid, SpaceTime):
        monkeypatch.setattr(planner, "plan", _noted(planner.plan, planner.name, names))
    return names


def _noted(plan: Callable[..., Plan], name: str, names: Tracked) -> Callable[..., Plan]:
    def noted(self: Any, problem: Any, **more: Any) -> Plan:
        names.append(name)
        return plan(self, problem, **more)

    return noted


def crossing(name: str, adult: Character, **fields: Any) -> sf.Problem:
    scene = scenes.load(name)
    usual = {"start": "start", "goal": "goal", "horizon": scene.horizon}
    return sf.Problem(world=scene.world, character=adult, **(usual | fields))


def test_the_grid_where_it_reaches(adult: Character, asked: Tracked) -> None:
    plan = sf.plan(crossing("yard", adult))
    assert (bool(plan), plan.planner, asked) == (True, "grid", ["grid"])
    assert plan.choice == "the grid planner reaches the goal"
    assert "The planner is grid, because the grid planner reaches the goal." in plan.explain()


def test_the_grid_where_it_can_wait_for_what_moves(adult: Character, asked: Tracked) -> None:
    """Cars cross the way, and leave it again: nothing has to be timed but the waits."""
    problem = crossing("highway", adult)
    plan = sf.plan(problem)
    assert (bool(plan), plan.planner, asked) == (True, "grid", ["grid"])
    assert plan.check(problem.world)


def test_space_time_where_only_what_moves_leads_there(adult: Character, asked: Tracked) -> None:
    problem = crossing("train yard 1", adult)
    plan = sf.plan(problem)
    assert (bool(plan), plan.planner, asked) == (True, "space-time", ["grid", "space-time"])
    assert plan.choice.startswith("the grid planner does not reach the goal: no way over bodies ")
    assert plan.check(problem.world)


def test_the_grid_alone_where_nothing_moves(adult: Character, asked: Tracked) -> None:
    scene = scenes.load("yard")
    problem = sf.Problem(world=scene.world.at(0.0), character=adult, start="start", goal="silo")
    plan = sf.plan(problem)
    assert (plan.status.outcome, asked) == (Outcome.UNREACHABLE, ["grid"])
    assert plan.choice.endswith("; nothing moves whose future is known")


def test_what_space_time_refuses_is_said(adult: Character, asked: Tracked) -> None:
    """It goes to one goal; the grid planner visits several."""
    plan = sf.plan(crossing("yard", adult, goal=AllOf(["goal", "silo"])))
    assert (plan.planner, asked) == ("grid", ["grid", "space-time"])
    assert not plan
    assert "; the space-time planner refuses: " in plan.choice


def test_what_is_cancelled_ends(adult: Character, asked: Tracked) -> None:
    plan = sf.plan(crossing("train yard 1", adult), cancel=lambda: True)
    assert (plan.status.outcome, asked) == (Outcome.CANCELLED, ["grid"])


def test_the_settings_are_the_grid_planners(floor: World, adult: Character) -> None:
    problem = sf.Problem(world=floor, character=adult, start=(-3, 0, 0), goal=(3, 0, 0))
    coarse = GridSettings(cell=0.5)
    assert Automatic(coarse).plan(problem) == Grid(coarse).plan(problem)
    with pytest.raises(ProblemError, match=r"the automatic planner takes GridSettings\(...\), got"):
        Automatic("grid")  # type: ignore[arg-type]


def test_the_choice_is_written_and_does_not_make_plans_differ(
    floor: World, adult: Character, tmp_path: Any
) -> None:
    problem = sf.Problem(world=floor, character=adult, start=(-3, 0, 0), goal=(3, 0, 0))
    plan = sf.plan(problem)
    plan.save(tmp_path / "plan.json")
    assert Plan.load(tmp_path / "plan.json").choice == plan.choice != ""
    assert plan == replace(plan, choice="") == sf.plan(problem, "grid")
    assert sf.plan(problem, "grid").choice == ""


@pytest.mark.parametrize("planner", [3, Grid, object()])
def test_what_is_no_planner(floor: World, adult: Character, planner: Any) -> None:
    problem = sf.Problem(world=floor, character=adult, start=(-3, 0, 0), goal=(3, 0, 0))
    with pytest.raises(
        ProblemError, match=r"planner: expected a planner such as sf.Grid\(\), or on"
    ):
        sf.plan(problem, planner)


def test_a_goal_that_rides_is_left_to_space_time(adult: Character, asked: Tracked) -> None:
    """The grid planner takes no goal on what moves, and says so with an error."""
    plan = sf.plan(crossing("yard", adult, goal="lift", horizon=90.0))
    assert (bool(plan), plan.planner, asked) == (True, "space-time", ["grid", "space-time"])
    assert plan.choice.startswith("the grid planner refuses: the goal rides on 'lift', which moves")
