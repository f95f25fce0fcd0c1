"""Recovery: nets learn which action keeps a body up, and policies that have them obey them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from surefoot.arrays import Bools, Floats
from surefoot.errors import InputError
from surefoot.learning import Axis, TaskSpace
from surefoot.physics import Stage, load_body
from surefoot.physics.policies import Policy
from surefoot.physics.policies.lessons import Led, Lessons, learned_recovery
from surefoot.physics.policies.metric import Learned, numbers_of
from surefoot.physics.policies.mirroring import Mirror
from surefoot.physics.policies.pushed import led, throw_balls_at_policy
from surefoot.physics.policies.recovery import Recovery, fitted

HUMANOID = load_body("humanoid")
NUMBERS = Stage(HUMANOID).model.nq - 2 + Stage(HUMANOID).model.nv


def lesson() -> tuple[Floats, Bools]:
    """The first action holds where the first number is above 0, the second one elsewhere."""
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(600, 5))
    stayed = np.stack([numbers[:, 0] > 0, numbers[:, 0] < 0, numbers[:, 0] > 9], axis=1)
    return numbers, stayed


def test_nets_learn_which_action_holds() -> None:
    numbers, stayed = lesson()
    learned = fitted(numbers[:500], stayed[:500], calm=2, epochs=40)
    chosen = learned.chosen(numbers[500:])
    assert stayed[500:][np.arange(100), chosen].mean() > 0.9
    again = fitted(numbers[:500], stayed[:500], calm=2, epochs=40)
    np.testing.assert_array_equal(learned.chances(numbers), again.chances(numbers))


def test_the_calm_action_is_taken_where_it_is_as_safe() -> None:
    numbers, stayed = lesson()
    stayed[:, 2] = True
    learned = fitted(numbers, stayed, calm=2, epochs=40)
    assert (learned.chosen(numbers) == 2).mean() > 0.9
    # Where nothing is sure enough it is the safest one that counts.
    strict = replace(learned, sure=1.1)
    assert (strict.chosen(numbers) == learned.chances(numbers).argmax(axis=1)).all()


def of_the_side() -> Recovery:
    """Braces where a body goes to the left, as it is seen on the left foot; strolls elsewhere."""
    rng = np.random.default_rng(2)
    states = Stage(HUMANOID).starting("stroll", 400)
    states.velocities[:, 1] = rng.uniform(-1.0, 1.0, 400)
    left = states.velocities[:, 1] > 0
    return fitted(numbers_of(states), np.stack([~left, left], axis=1), calm=0, epochs=30)


def policy(recovery: Recovery | None) -> Policy:
    return Policy(
        body=HUMANOID, task="robust-walk", actions=("stroll", "brace"),
        space=TaskSpace(axes=(Axis(name="nothing", points=np.zeros(1)),)), sided=(),
        steady="stroll", weights=Learned(matrix=np.eye(4, NUMBERS)),
        features=np.zeros((1, 4), dtype=np.float32), best=np.zeros((1, 1), dtype=np.int8),
        recovery=recovery,
    )  # fmt: skip


def test_a_policy_obeys_its_recovery_on_both_feet_and_from_a_file(tmp_path: Path) -> None:
    states = Stage(HUMANOID).starting("stroll", 2)
    states.velocities[:, 1] = -0.6, 0.6
    both = [states, Mirror(Stage(HUMANOID)).mirrored(states)]
    path = tmp_path / "robust.policy"
    policy(of_the_side()).save(path)
    loaded = Policy.load(path)
    for obeying in (policy(of_the_side()), loaded):
        for seen in both:
            assert obeying.decide(seen, np.zeros((2, 1))) == ["stroll", "brace"]
            assert [obeying.act(seen[[i]], [0.0]) for i in range(2)] == ["stroll", "brace"]
    assert policy(None).decide(states, np.zeros((2, 1))) == ["stroll", "stroll"]


def test_lessons_are_learned_the_same_way_twice() -> None:
    small = Lessons(balls=((10.0, 8.0),), throws=3, strikes=2, rounds=2, seconds=0.6)
    told: list[float] = []
    first = learned_recovery(
        HUMANOID, ("stroll", "brace"), "stroll", small, progress=lambda _, share: told.append(share)
    )
    second = learned_recovery(HUMANOID, ("stroll", "brace"), "stroll", small, threads=2)
    np.testing.assert_array_equal(first.last, second.last)
    assert told == sorted(told)
    assert told[-1] == 1.0
    with pytest.raises(InputError, match="must be among the actions"):
        learned_recovery(HUMANOID, ("brace",), "stroll", small)
    with pytest.raises(InputError, match="throws must be greater than 0"):
        Lessons(throws=0)
    with pytest.raises(InputError, match="lessons need a ball"):
        Lessons(balls=())


def test_led_bodies_do_what_they_are_told_until_they_fall() -> None:
    stage = Stage(HUMANOID)
    states = stage.starting("stroll", 3)
    states.velocities[2, 0] = -6.0
    fallen = np.zeros(3, dtype=np.bool_)
    steps = 0
    for fell, rows, after in led(
        stage, states, None, lambda own: ["brace"] * len(own), 1.0, threads=1
    ):
        fallen[rows[fell]] = True
        assert len(after) == (~fell).sum()
        steps += 1
    assert fallen.tolist() == [False, False, True]
    assert steps >= 2


def test_who_is_led_by_chance_is_led_by_the_seed() -> None:
    wild = Led(HUMANOID, ("stroll", "brace"), None)
    states = Stage(HUMANOID).starting("stroll", 20)
    one, two = (wild(states, np.random.default_rng(3)) for _ in range(2))
    assert one == two
    assert set(one) == {"stroll", "brace"}


def test_throws_at_a_policy_count_who_falls() -> None:
    thrown = throw_balls_at_policy(
        policy(of_the_side()), [0.0], mass=60.0, speed=12.0, throws=4, seconds=1.0
    )
    assert thrown.hit.all()
    assert thrown.fell.all()
