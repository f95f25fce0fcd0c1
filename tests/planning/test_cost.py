from __future__ import annotations

from dataclasses import replace
from math import inf, nan, sqrt

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from surefoot import schema
from surefoot.character import Character, people
from surefoot.errors import FileError, ProblemError
from surefoot.planning import Cost, costs
from surefoot.world import Body, World
from surefoot.world.primitives import slab

ADULT = people.adult()
ROAD = World(
    [
        Body(name="verge", mesh=slab((4.0, 4.0, 0.2))),
        Body(name="road", mesh=slab((4.0, 4.0, 0.2), (4.0, 0.0, 0.0)), tags={"road": True}),
        Body(name="mud", mesh=slab((4.0, 4.0, 0.2), (8.0, 0.0, 0.0)), tags={"road": 2.5}),
    ]
)
ON = {"verge": (0.0, 0.0, 0.0), "road": (4.0, 0.0, 0.0), "mud": (8.0, 0.0, 0.0)}


def rate(cost: Cost, mode: str = "walk", on: str = "verge", speed: float = 0.0) -> float:
    return cost.rate(ROAD, ADULT, mode, ON[on], 0.0, (speed, 0.0, 0.0))


def test_each_cost_charges_what_it_says() -> None:
    assert rate(costs.time()) == rate(costs.time(), "wait", "road", 3.0) == 1.0
    assert rate(costs.effort(), speed=2.0) == pytest.approx(2.23 + 1.26 * 4.0)
    assert rate(costs.effort(), "wait") == pytest.approx(2.23)
    assert rate(costs.least_motion()) == pytest.approx(1.0)
    assert rate(costs.least_motion(waiting=0.25), "wait") == 0.25
    assert rate(costs.avoid("road")) == 0.0
    assert rate(costs.avoid("road"), on="road") == 1.0
    assert rate(costs.avoid("road"), on="mud") == 2.5
    assert rate(costs.avoid("road"), "wait", on="road") == 0.0
    assert rate(costs.prefer("walk")) == 0.0
    assert rate(costs.prefer("walk"), "run") == 1.0
    assert rate(costs.prefer("walk"), "wait") == 0.0


def test_riding_costs_what_standing_costs() -> None:
    slow, tired = ADULT, replace(ADULT, standing_energy=3.0, moving_energy=2.0)
    assert costs.effort().lower("walk", slow) == 2.23
    assert costs.effort().rate(ROAD, tired, "walk", ON["verge"], 0.0, (2, 0, 0)) == 11.0


def test_costs_add_and_scale() -> None:
    cost = costs.time() + 2 * costs.avoid("road") + costs.prefer("walk") * 0.5
    assert rate(cost, "run", "mud") == pytest.approx(1 + 2 * 2.5 + 0.5)
    assert rate(cost, "wait", "mud") == 1.0
    for bad in (-1, nan, inf):
        with pytest.raises(ProblemError, match="a cost's factor"):
            bad * costs.time()


def hill(position: np.ndarray, t: float, mode: str, velocity: np.ndarray) -> float:
    return 2.0 + position[0] + float(velocity @ velocity) + (0.0 if mode == "wait" else t)


def test_a_function_of_ones_own_is_held_to_its_bounds() -> None:
    cost = costs.function(hill, lower={"walk": 2.0, "run": 3.0}, waiting_upper=4.0)
    assert cost.rate(ROAD, ADULT, "walk", (1.0, 0, 0), 0.5, (1.0, 0, 0)) == pytest.approx(4.5)
    assert (2 * cost).rate(ROAD, ADULT, "wait", (1.0, 0, 0), 0.0) == pytest.approx(6.0)
    with pytest.raises(
        ProblemError, match=r"'hill' gave 1 for 'walk' at \(-1.00, 0.00, 0.00\), 0.0"
    ):
        (3 * cost).rate(ROAD, ADULT, "walk", (-1.0, 0, 0), 0.0)
    with pytest.raises(ProblemError, match=r"'hill' gave 6 for 'wait' .*waiting_upper is 4"):
        cost.rate(ROAD, ADULT, "wait", ON["road"], 0.0)
    with pytest.raises(ProblemError, match="states no lower bound for 'crouch'; it has: run, walk"):
        cost.lower("crouch", ADULT)
    not_a_number = costs.function(lambda *_: nan, lower=0.0, waiting_upper=1.0)
    with pytest.raises(ProblemError, match="gave nan"):
        not_a_number.rate(ROAD, ADULT, "walk", ON["road"], 0.0)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"lower": -1.0, "waiting_upper": 1.0}, "lower must be at least 0"),
        ({"lower": {"walk": nan}, "waiting_upper": 1.0}, "lower bound of 'walk' must be finite"),
        ({"lower": 0.0, "waiting_upper": inf}, "waiting_upper must be finite"),
    ],
)
def test_bounds_that_bound_nothing_are_refused(bounds: dict[str, float], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        costs.function(hill, **bounds)


def test_unknown_modes_and_tags_name_the_choices() -> None:
    with pytest.raises(
        ProblemError, match="unknown capability 'jog'; there are: crouch, jump, run"
    ):
        rate(costs.prefer("jog"))
    with pytest.raises(
        ProblemError, match="unknown mode 'jog'; there are: crouch, jump, run, wait"
    ):
        rate(costs.time(), "jog")
    bad = World([Body(name="a", mesh=slab((1, 1, 1)), tags={"road": "yes"})])
    with pytest.raises(
        ProblemError, match="tag 'road' must be true, false or a number >= 0, got 'yes'"
    ):
        costs.avoid("road").table(bad, ADULT)
    with pytest.raises(ProblemError, match="waiting must be at most 1"):
        costs.least_motion(waiting=2.0)


builtin = st.sampled_from(
    [
        costs.time(),
        costs.effort(),
        costs.least_motion(),
        costs.least_motion(waiting=0.0),
        costs.avoid("road"),
        costs.prefer("walk"),
        costs.prefer("crouch"),
    ]
)
sums = st.lists(st.tuples(st.floats(0, 10), builtin), min_size=1, max_size=4).map(
    lambda parts: sum((weight * cost for weight, cost in parts[1:]), parts[0][0] * parts[0][1])
)


@given(sums, st.sampled_from(list(ON)), st.floats(0, 5))
def test_built_in_costs_keep_waits_cheapest_and_bounds_true(
    cost: Cost, on: str, speed: float
) -> None:
    verdict = cost.waits_are_cheapest(ADULT)
    assert verdict, verdict.message
    assert verdict.closest is cost
    waiting = rate(cost, "wait", on, speed)
    assert waiting <= cost.waiting_upper(ADULT) + 1e-12
    for mode in ADULT.capabilities:
        acting = rate(cost, mode, on, speed)
        assert acting >= cost.lower(mode, ADULT) - 1e-12
        assert acting >= waiting - 1e-9


def test_a_cost_that_makes_acting_cheaper_is_named_and_mended() -> None:
    cost = costs.time() + costs.function(hill, lower={"walk": 0.5, "run": 3.0}, waiting_upper=2.0)
    verdict = cost.waits_are_cheapest(ADULT, ["walk", "run"])
    assert not verdict
    assert "'walk' may cost only 1.5 per second while waiting may cost 3" in verdict.message
    assert verdict.closest.waits_are_cheapest(ADULT, ["walk", "run"])
    assert verdict.closest.lower("walk", ADULT) == verdict.closest.waiting_upper(ADULT) == 3.0
    assert cost.waits_are_cheapest(ADULT, ["run"]), "a mode that is not used does not matter"


def test_the_table_says_the_same_in_numbers() -> None:
    cost = 2 * costs.time() + costs.effort() + 3 * costs.avoid("road") + costs.prefer("walk")
    table = cost.table(ROAD, ADULT)
    assert table.modes == ("wait", *ADULT.capabilities)
    assert table.per_speed_squared == 1.26
    np.testing.assert_allclose(table.on_body, [0.0, 3.0, 7.5])
    assert table.waiting_upper == cost.waiting_upper(ADULT)
    assert not table.functions
    rng = np.random.default_rng(5)
    bodies = rng.integers(-1, 3, 40).astype(np.int32)
    velocities = rng.normal(size=(40, 3))
    for mode in table.modes:
        found = table.rates(mode, np.zeros((40, 3)), np.zeros(40), velocities, bodies)
        m = table.modes.index(mode)
        squared = (velocities**2).sum(axis=1)
        extra = np.array([table.on_body[b] if b >= 0 else 0.0 for b in bodies])
        moving = mode != "wait"
        expected = table.constant[m] + moving * (table.per_speed_squared * squared + extra)
        np.testing.assert_allclose(found, expected)


@given(st.floats(0.1, 8.0), st.floats(0.05, 8.0))
def test_no_metre_is_cheaper_than_the_cheapest(max_speed: float, speed: float) -> None:
    table = (costs.time() + costs.effort()).table(ROAD, ADULT)
    least = table.cheapest_metre("run", max_speed)
    speed = min(speed, max_speed)
    assert (3.23 + 1.26 * speed**2) / speed >= least - 1e-9
    best = min(max_speed, sqrt(3.23 / 1.26))
    assert least == pytest.approx(3.23 / best + 1.26 * best)


def test_costs_round_trip_and_functions_say_why_not() -> None:
    cost = costs.time() + 2 * costs.avoid("road") + 0.1 * costs.prefer("walk") + costs.effort()
    text = schema.dumps(cost, kind="cost", version=1)
    assert schema.loads(text, Cost, kind="cost", version=1) == cost
    own = cost + costs.function(hill, lower=2.0, waiting_upper=4.0)
    with pytest.raises(FileError, match=r"terms\[4\] 'hill': a cost function is code"):
        schema.dumps(own, kind="cost", version=1)


def test_a_removed_body_leaves_the_others_their_charge() -> None:
    world = World(list(ROAD))
    world.remove("verge")
    table = costs.avoid("road").table(world, ADULT)
    np.testing.assert_allclose(table.on_body, [0.0, 1.0, 2.5])


def test_a_character_is_asked_for_its_own_modes() -> None:
    hopper: Character = replace(
        ADULT, capabilities={"hop": replace(ADULT.capability("jump"), name="hop")}
    )
    assert costs.time().table(ROAD, hopper).modes == ("wait", "hop")
