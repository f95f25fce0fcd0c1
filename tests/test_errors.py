"""What an error says about an unknown name."""

from __future__ import annotations

import pytest

from surefoot.errors import close_names, one_of

PLANNERS = ("footsteps", "grid", "space-time", "topology")
SCENES = ("train yard 1", "train yard 2", "yard", "stair house", "staircase")


@pytest.mark.parametrize(
    "given", ["spacetime", "space time", "SpaceTime", "space_time", "sapce-time"]
)
def test_other_spellings_of_a_planner(given: str) -> None:
    said = one_of("planner", given, PLANNERS)
    assert said == (
        f"unknown planner {given!r}; did you mean 'space-time'? There are: footsteps, grid,"
        " space-time, topology"
    )


def test_the_beginning_of_several_names() -> None:
    assert one_of("scene", "train yard", SCENES).startswith(
        "unknown scene 'train yard'; did you mean 'train yard 1' or 'train yard 2'? There are: "
    )
    assert close_names("Stair", SCENES) == ["stair house", "staircase"]


def test_the_same_name_wins_over_longer_ones() -> None:
    assert close_names("Yard", (*SCENES, "yard 2")) == ["yard"]


@pytest.mark.parametrize("given", ["", " ", "-", "x", "moon", 3, None, ["grid"]])
def test_what_resembles_nothing_gets_the_list_alone(given: object) -> None:
    said = one_of("planner", given, PLANNERS)
    assert said == f"unknown planner {given!r}; there are: footsteps, grid, space-time, topology"


def test_no_choices() -> None:
    assert one_of("animation", "walk", ()) == "unknown animation 'walk'; there are: none"


def test_long_names_and_many_choices_are_cut() -> None:
    said = one_of("body", "b" * 100_000, [f"part {i:04}" for i in range(5000)])
    assert len(said) < 600
    assert said.endswith("part 0039 and 4960 more")
