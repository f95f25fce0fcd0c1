"""Every family over its whole range: feet exact, joints in their limits, no pops."""

from __future__ import annotations

from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from surefoot.character import CHILD, Character, people
from surefoot.errors import InputError
from surefoot.motion.default import default_families
from surefoot.motion.families import Family
from surefoot.motion.quality import assess

EVERYWHERE: list[tuple[str, dict[str, float]]] = [
    ("walk", {"speed": 0.25}), ("walk", {"speed": 0.6}), ("walk", {"speed": 1.4}),
    ("walk", {"speed": 1.99}), ("walk", {"speed": 0.4, "turn": 1.5}),
    ("walk", {"speed": 1.3, "turn": -1.5}), ("walk", {"speed": 1.9, "turn": 1.0}),
    ("walk", {"speed": 0.85, "direction": 1.5}), ("walk", {"speed": 0.5, "direction": -1.6}),
    ("walk", {"speed": 0.9, "direction": 0.8}), ("walk", {"speed": 0.6, "direction": -2.4}),
    ("walk", {"speed": 1.15, "direction": 3.1}), ("walk", {"speed": 0.5, "turn": 0.8,
                                                           "direction": -1.0}),
    ("run", {"speed": 2.2}), ("run", {"speed": 3.4}), ("run", {"speed": 5.0}),
    ("run", {"speed": 3.0, "turn": -1.0}), ("run", {"speed": 5.1, "turn": 1.0}),
    ("run", {"speed": 2.2, "turn": 1.0}),
    ("start", {"speed": 0.4}), ("start", {"speed": 1.3}), ("start", {"speed": 1.9}),
    ("stop", {"speed": 0.4}), ("stop", {"speed": 1.3}), ("stop", {"speed": 1.9}),
    ("start running", {"speed": 2.4}), ("start running", {"speed": 4.0}),
    ("stop running", {"speed": 2.4}), ("stop running", {"speed": 2.7}),
    ("stop running", {"speed": 4.0}),
    ("turn left", {"angle": 0.2}), ("turn left", {"angle": 1.2}), ("turn right", {"angle": 0.7}),
    ("turn round left", {"angle": 1.0}), ("turn round right", {"angle": np.pi}),
    ("quick turn left", {"angle": 1.3}), ("about turn right", {"angle": np.pi}),
    ("halt", {"speed": 0.4}), ("halt", {"speed": 1.9}), ("halt running", {"speed": 2.3}),
    ("halt running", {"speed": 4.1}), ("set off left", {"speed": 1.3, "angle": 3.1}),
    ("set off right", {"speed": 0.5, "angle": 0.5}),
    ("set off running left", {"speed": 4.1, "angle": 1.9}),
    ("walk to walk", {"before": 0.6, "speed": 1.9}), ("walk to run", {"before": 1.0, "speed": 3.0}),
    ("walk to run", {"before": 1.9, "speed": 2.3}), ("run to walk", {"before": 4.1, "speed": 1.0}),
    ("run to walk", {"before": 2.3, "speed": 1.7}), ("run to run", {"before": 2.3, "speed": 4.1}),
    ("run to run", {"before": 4.1, "speed": 2.3}),
    ("step left", {"distance": 0.12}), ("step left", {"distance": 0.38}),
    ("step right", {"distance": 0.25}), ("step back", {"distance": 0.45}),
    ("step ahead", {"distance": 0.55}), ("idle", {}),
    ("stairs up", {"riser": 0.1}), ("stairs up", {"riser": 0.15}), ("stairs up", {"riser": 0.199}),
    ("stairs down", {"riser": 0.1}), ("stairs down", {"riser": 0.17}),
    ("stairs down", {"riser": 0.199}),
    ("slope", {"slope": 0.34}), ("slope", {"slope": -0.34}), ("slope", {"slope": 0.1,
                                                                        "speed": 1.3}),
    ("crouched walk", {"speed": 0.3, "depth": 0.45}),
    ("crouched walk", {"speed": 1.08, "depth": 1.0}),
    ("crouched walk", {"speed": 0.8, "depth": 0.5, "turn": -1.5}),
    ("crouched walk", {"speed": 0.4, "depth": 0.9, "turn": 1.2}), ("duck", {"depth": 1.0}),
    ("crouch down", {"depth": 0.5}), ("crouch up", {"depth": 1.0}),
    ("standing jump", {"distance": 0.0}), ("standing jump", {"distance": 1.4}),
    ("standing jump", {"distance": 0.6, "rise": -0.9}), ("standing jump", {"distance": 1.49,
                                                                            "rise": -0.92}),
    ("standing jump", {"distance": 0.5, "rise": 0.3}),
    ("running jump", {"distance": 1.3}), ("running jump", {"distance": 2.4}),
    ("running jump", {"distance": 1.8, "rise": -0.6}), ("running jump", {"distance": 2.0,
                                                                          "rise": -0.03}),
    ("running jump", {"distance": 1.2, "rise": -0.92}), ("running jump", {"distance": 2.4,
                                                                           "rise": -0.92}),
    ("running jump", {"distance": 1.2, "rise": 0.46}),
    ("landing", {"drop": 0.0}), ("landing", {"drop": 0.87}), ("landing", {"drop": 0.92}),
]  # fmt: skip


def everywhere() -> list[ParameterSet]:
    """Every second case always, the others when there are minutes."""
    return [
        pytest.param(name, values, marks=[pytest.mark.slow] if index % 2 else [])
        for index, (name, values) in enumerate(EVERYWHERE)
    ]


@pytest.mark.parametrize(("name", "values"), everywhere())
def test_feet_limits_and_knees(
    families: dict[str, Family], adult: Character, name: str, values: dict[str, float]
) -> None:
    made = families[name].made(**values)
    quality = assess(made.clip, adult.measures, contacts=made.contacts)
    assert quality.problems == ()
    # Feet that stand are on their footholds, in the clip's own space.
    assert made.contacts.any()
    for hold in made.footholds:
        assert np.isfinite(hold.position).all()


BODIES = {
    "child": people.child,
    "tall adult": people.tall_adult,
    "small child": partial(people.person, "small child", 1.1, proportions=CHILD),
}
FAMILIES = sorted(default_families(people.adult()))


@cache
def body(who: str) -> tuple[Character, dict[str, Family]]:
    character = BODIES[who]()
    return character, default_families(character)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize(
    "who", ["child", "tall adult", pytest.param("small child", marks=pytest.mark.slow)]
)
def test_other_bodies_do_the_same(who: str, name: str) -> None:
    character, families = body(who)
    made = families[name].made()
    assert assess(made.clip, character.measures, contacts=made.contacts).problems == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("who", list(BODIES))
def test_other_bodies_at_the_corners_of_their_ranges(who: str, name: str) -> None:
    character, families = body(who)
    family = families[name]
    names = [one.name for one in family.parameters]
    possible = 0
    for corner in product(*((one.low, one.high) for one in family.parameters)):
        values = dict(zip(names, corner, strict=True))
        try:
            made = family.made(**values)
        except InputError:
            continue  # Not all of a range goes together: see `Family.limits`.
        possible += 1
        quality = assess(made.clip, character.measures, contacts=made.contacts)
        assert quality.problems == (), values
    assert possible > 0


@pytest.mark.parametrize("speed", [3.15, 3.2, 3.25])
def test_a_child_comes_to_rest_out_of_a_fast_run(speed: float) -> None:
    """In an adult's times its leg was left 10 degrees behind what a hip can."""
    character, families = body("child")
    made = families["stop running"].made(speed=speed)
    assert assess(made.clip, character.measures, contacts=made.contacts).problems == ()


@pytest.mark.parametrize("name", ["stairs up", "stairs down"])
@pytest.mark.parametrize("who", list(BODIES))
def test_steep_stairs_hold_whole_feet(who: str, name: str) -> None:
    """A child's feet are long for its legs: on treads of an adult's shape toes are in risers."""
    character, families = body(who)
    made = families[name].made(riser=families[name].parameter("riser").high)
    steps = np.array([hold.position for hold in made.footholds])
    treads = np.abs(np.diff(steps[:, 0]))
    assert (np.abs(np.diff(steps[:, 2])) > 0.05).all()
    assert (treads >= character.measures.foot_length).all()
    assert assess(made.clip, character.measures, contacts=made.contacts).problems == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "shares"),
    [
        ("run", (0.0, 1.0)), ("run", (1.0, 1.0)), ("run", (1.0, 0.0)),
        ("start running", (1.0,)), ("stop running", (0.0,)), ("stop running", (0.3,)),
        ("stop running", (1.0,)), ("standing jump", (1.0, 0.0)), ("standing jump", (0.5, 0.2)),
        ("running jump", (0.0, 0.0)), ("running jump", (1.0, 0.0)), ("running jump", (0.7, 0.65)),
    ],
)  # fmt: skip
def test_long_legs_run_and_jump(name: str, shares: tuple[float, ...]) -> None:
    character = people.tall_adult()
    family = default_families(character)[name]
    values = {
        one.name: one.low + share * (one.high - one.low)
        for one, share in zip(family.parameters, shares, strict=True)
    }
    made = family.made(**values)
    assert assess(made.clip, character.measures, contacts=made.contacts).problems == ()


def test_there_is_an_edge_between_two_heights(families: dict[str, Family]) -> None:
    """Who drops straight down, or rises, would go through the ground."""
    jump = families["standing jump"]
    for rise in (-0.9, -0.3, 0.3):
        with pytest.raises(InputError, match=r"distance \[m\] must be at least 0\.[345].*edge"):
            jump.clip(distance=0.0, rise=rise)
    assert jump.values(distance=0.0)["rise"] == 0.0
    deepest, highest = jump.parameter("rise").low, jump.parameter("rise").high
    assert jump.values(distance=0.6, rise=deepest)
    assert jump.values(distance=0.6, rise=highest)
