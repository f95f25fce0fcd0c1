"""Senses: each limit changes what is known, and what is done, in its own way."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import surefoot as sf
from surefoot.agents.senses import Belief
from surefoot.errors import InputError
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import box, slab


@pytest.fixture(scope="module")
def adult() -> sf.Character:
    return sf.people.adult()


def crossing(turns: bool = False) -> World:
    """A floor with a wall, and a cart that comes from behind it across the way.

    Args:
        turns: whether the cart stops just before the way, against all appearance.
    """
    far = -1.2 if turns else 6.0
    keys = np.array([0.0, 1.5, 1.5 + (far + 6.0) / 2.5, 30.0])  # at 2.5 m/s
    ways = np.array([[0.0, -6.0, 0.0], [0.0, -6.0, 0.0], [0.0, far, 0.0], [0.0, far, 0.0]])
    return World([
        Body(name="floor", mesh=slab((16.0, 16.0, 0.4))),
        Body(name="wall", mesh=slab((3.0, 0.3, 2.5), (-2.5, -3.0, 2.5))),
        Body(name="cart", mesh=box((1.2, 1.2, 1.2), (0.0, 0.0, 0.65)),
             trajectory=Keyframed(keys, ways)),
    ])  # fmt: skip


def test_who_knows_all_believes_the_world() -> None:
    belief = Belief(crossing(), sf.Senses())
    belief.look(1.0, np.zeros(3), 0.0)
    for t in (0.5, 3.0, 9.0):
        assert belief.world["cart"].trajectory.pose(t).position == pytest.approx(
            belief.true["cart"].trajectory.pose(t).position
        )


def test_short_foresight_takes_things_to_go_on() -> None:
    true = crossing(turns=True)["cart"].trajectory
    belief = Belief(crossing(turns=True), sf.Senses(foresight=1.0))
    belief.look(2.0, np.zeros(3), 0.0)
    believed = belief.world["cart"].trajectory
    assert believed.pose(2.9).position == pytest.approx(true.pose(2.9).position)
    # It will stop, which nobody knows yet: from 3 s on it is taken to come on at 2.5 m/s.
    assert believed.pose(6.0).position[1] == pytest.approx(-2.25 + 3.0 * 2.5)
    belief.look(4.5, np.zeros(3), 0.0)
    assert belief.world["cart"].trajectory.pose(6.0).position == pytest.approx(
        true.pose(6.0).position, abs=1e-9
    )


def test_what_is_behind_a_wall_is_not_known_until_it_is_seen() -> None:
    belief = Belief(crossing(), sf.Senses(view=20.0))
    eye = np.array([-5.0, 0.0, 0.0])
    assert belief.look(0.0, eye, 0.0) == ()
    assert "cart" not in belief.world
    assert belief.look(3.5, eye, 0.0) == ("cart",)
    assert "cart" in belief.world
    assert belief.look(3.6, eye, 0.0) == ()  # known already


def test_nothing_is_seen_too_far_away_or_behind_ones_back() -> None:
    eye = np.array([4.0, -6.0, 0.0])
    assert Belief(crossing(), sf.Senses(view=3.0)).look(0.0, eye, 0.0) == ()
    assert Belief(crossing(), sf.Senses(view=5.0)).look(0.0, eye, 0.0) == ("cart",)
    narrow = sf.Senses(field=pi / 2)
    assert Belief(crossing(), narrow).look(0.0, eye, 0.0) == ()
    assert Belief(crossing(), narrow).look(0.0, eye, pi) == ("cart",)


def test_reaction_is_how_late_it_is_seen() -> None:
    eye = np.array([-5.0, 0.0, 0.0])
    quick, slow = (Belief(crossing(), sf.Senses(view=20.0, reaction=r)) for r in (0.0, 1.0))
    first = [next(t for t in np.arange(0.0, 9.0, 0.1) if b.look(float(t), eye, 0.0))
             for b in (quick, slow)]  # fmt: skip
    assert first[1] - first[0] == pytest.approx(1.0, abs=0.11)


def across(adult: sf.Character, world: World, senses: sf.Senses | None) -> sf.Pursuit:
    problem = sf.Problem(
        world=world, character=adult, start=world.place((-5.0, 0.0, 0.2)), horizon=12.0,
        goal=sf.Goal(world.place((5.0, 0.0, 0.2)), tolerance=0.5), capabilities=("walk",),
    )  # fmt: skip
    return sf.travel(problem, senses=senses)


def test_whoever_does_not_know_of_a_cart_plans_as_if_there_were_none(adult: sf.Character) -> None:
    world = crossing()
    knowing, surprised = across(adult, world, None), across(adult, world, sf.Senses(view=20.0))
    assert knowing
    assert surprised
    assert knowing.plan.check(world)
    assert surprised.plan.check(world), surprised.plan.check(world)
    empty = World([body for body in world if body.name != "cart"])
    # The first plan is that of an empty floor, and another one follows when the cart is seen.
    free = across(adult, empty, None)
    assert surprised.episodes[0].evaluations == free.episodes[0].evaluations
    assert surprised.plan != free.plan
    assert surprised.plan != knowing.plan


def test_late_eyes_aim_at_where_the_target_was(adult: sf.Character) -> None:
    world = World([Body(name="floor", mesh=slab((30.0, 16.0, 0.4)))])

    def walks(t: float) -> tuple[float, float, float]:
        return t, 4.0, 0.0

    start = world.place((0.0, -5.0, 0.2))
    settings = sf.PursuitSettings(lead=0.0)
    quick, slow = (
        sf.pursue(world, adult, start, walks, settings=settings, duration=2.0,
                  senses=sf.Senses(reaction=r)) for r in (0.0, 0.8)
    )  # fmt: skip
    for one, other in zip(quick.episodes, slow.episodes, strict=False):
        assert one.target is not None
        assert other.target is not None
        assert one.target.position[0] - other.target.position[0] == pytest.approx(0.8)


@pytest.mark.parametrize("wrong", [{"reaction": -1.0}, {"foresight": 0.0}, {"view": -2.0},
                                   {"field": 9.0}])  # fmt: skip
def test_bad_senses(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        sf.Senses(**wrong)
