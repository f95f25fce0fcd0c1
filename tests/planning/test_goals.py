from __future__ import annotations

from math import inf, nan, pi

import numpy as np
import pytest

from surefoot.errors import ProblemError
from surefoot.planning import AllOf, AnyOf, Goal, Region
from surefoot.planning.goals import first_reached, leaves
from surefoot.world import Body, Place, World
from surefoot.world.primitives import slab


def reached(
    goal: Goal | Region, world: World, point: object, t: float, heading: float = 0.0
) -> bool:
    return bool(goal.reached(world, np.array([point]), np.array([t]), np.array([heading]))[0])


def test_a_place_is_reached_within_its_tolerance(floor: World) -> None:
    goal = Goal(Place(None, np.array([1.0, 2.0, 0.0])), tolerance=0.5)
    assert reached(goal, floor, [1.3, 2.3, 0.1], 0.0)
    assert not reached(goal, floor, [1.4, 2.4, 0.0], 0.0)
    assert not reached(goal, floor, [1.0, 2.0, 3.0], 0.0), "a storey above is elsewhere"


def test_a_goal_on_a_lift_moves_with_it(yard: World) -> None:
    goal = Goal(Place("lift", np.zeros(3)))
    assert reached(goal, yard, [5, 0, 0], 1.0)
    assert reached(goal, yard, [5, 0, 1.5], 5.0)
    assert not reached(goal, yard, [5, 0, 0], 5.0)


def test_windows_and_headings(floor: World) -> None:
    place = Place(None, np.zeros(3))
    goal = Goal(place, heading=pi, arrive=(2.0, 4.0), heading_tolerance=0.2)
    assert reached(goal, floor, [0, 0, 0], 3.0, -pi + 0.1)
    assert not reached(goal, floor, [0, 0, 0], 3.0, pi / 2)
    assert not reached(goal, floor, [0, 0, 0], 1.9, pi)
    assert not reached(goal, floor, [0, 0, 0], 4.1, pi)
    assert goal.reached(floor, [[0, 0, 0]], 3.0)[0], "without a heading, any will do"


def test_a_region_is_on_a_body_a_tag_or_a_box(yard: World) -> None:
    on_deck = Region(body="deck")
    assert reached(on_deck, yard, [8, 1, 3.0], 0.0)
    assert not reached(on_deck, yard, [0, 0, 0], 0.0)
    corner = Region(body="deck", low=(9.0, -inf, -inf), high=(inf, inf, inf))
    assert reached(corner, yard, [9.5, 0, 3], 0.0)
    assert not reached(corner, yard, [8.5, 0, 3], 0.0)
    box = Region(low=(-1.0, -1.0, -0.5), high=(1.0, 1.0, 0.5))
    assert reached(box, yard, [0.5, 0.5, 0.0], 0.0)
    assert not reached(box, yard, [1.5, 0.5, 0.0], 0.0)
    yard.add(Body(name="exit", mesh=slab((2.0, 2.0, 0.1), (0.0, 12.0, 0.0)), tags={"exit": True}))
    tagged = Region(tag="exit")
    assert reached(tagged, yard, [0, 12, 0], 0.0)
    assert not reached(tagged, yard, [0, 0, 0], 0.0)


def test_a_region_on_a_moving_body_is_in_its_frame(yard: World) -> None:
    half = Region(body="lift", low=(-inf, 0.0, -inf), high=(inf, inf, inf), heading=0.0)
    assert reached(half, yard, [5, 0.5, 1.5], 5.0)
    assert not reached(half, yard, [5, -0.5, 1.5], 5.0)
    assert not reached(half, yard, [5, 0.5, 1.5], 5.0, heading=1.0)


def test_any_and_all_along_a_walk(floor: World) -> None:
    a, b, c = (Goal(Place(None, np.array([x, 0.0, 0.0]))) for x in (1.0, 3.0, 9.0))
    points = np.linspace([0, 0, 0], [4, 0, 0], 81)
    times, headings = np.linspace(0, 4, 81), np.zeros(81)

    def when(goal: object) -> float | None:
        i = first_reached(goal, floor, points, times, headings)
        return None if i is None else float(times[i])

    assert when(a) == pytest.approx(0.75)
    assert when(c) is None
    assert when(AnyOf((b, c))) == pytest.approx(2.75)
    assert when(AnyOf((b, a))) == pytest.approx(0.75)
    assert when(AllOf((b, a))) == pytest.approx(2.75)
    assert when(AllOf((a, b), ordered=True)) == pytest.approx(2.75)
    assert when(AllOf((b, a), ordered=True)) is None
    assert when(AllOf((a, AnyOf((c, b))))) == pytest.approx(2.75)
    assert when(AllOf((a, c))) is None
    assert leaves(AllOf((a, AnyOf((c, b))))) == (a, c, b)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: Goal(p, tolerance=0.0), "goal tolerance must be greater than 0"),
        (lambda p: Goal(p, heading=nan), "goal heading must be finite"),
        (lambda p: Goal(p, arrive=(5.0, 4.0)), "arrive must be .earliest, latest., got 5, 4"),
        (lambda p: Goal(p, arrive=(nan, 4.0)), "goal arrive must be a number"),
        (lambda p: Goal(p, arrive=3.0), "arrive must be .earliest, latest."),
        (lambda p: Region(), "needs a body, a tag or a box"),  # noqa: ARG005
        (lambda p: Region(body="a", tag="b"), "got both: 'a', 'b'"),  # noqa: ARG005
        (lambda p: Region(low=(0, 0, 0), high=(1, 0, 1)), "low must be below high"),  # noqa: ARG005
        (lambda p: Region(low=(0, 0)), "region low must be three numbers"),  # noqa: ARG005
        (lambda p: AnyOf(()), "any of needs at least one goal"),  # noqa: ARG005
        (lambda p: AllOf(()), "all of needs at least one goal"),  # noqa: ARG005
    ],
)
def test_bad_goals_say_what_is_wrong(make: object, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        make(Place(None, np.zeros(3)))


def test_regions_that_are_nowhere_name_the_choices(yard: World) -> None:
    with pytest.raises(ProblemError, match="unknown body 'roof'; there are: deck, floor, lift"):
        Region(body="roof").bodies(yard)
    with pytest.raises(ProblemError, match="unknown tag 'exit'; there are: none"):
        Region(tag="exit").bodies(yard)


def test_goals_read_as_a_person_would_say_them() -> None:
    a, b = (Goal(Place("lift", np.full(3, x))) for x in (1.0, 2.0))
    assert str(AnyOf((a, b))) == "(1.00, 1.00, 1.00) on lift or (2.00, 2.00, 2.00) on lift"
    assert ", then " in str(AllOf((a, b), ordered=True))
    assert " and " in str(AllOf((a, b)))
    assert str(Region(tag="exit")) == "anywhere on any body tagged 'exit'"
    assert str(Region(body="deck")) == "anywhere on 'deck'"
    assert (
        str(Region(low=(0, 0, 0), high=(1, 1, 1))) == "the box [0.0, 0.0, 0.0] to [1.0, 1.0, 1.0]"
    )
