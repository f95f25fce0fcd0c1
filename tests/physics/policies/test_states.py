"""Mirror images, the metric of states, trusted states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.physics import Blend, Stage, load_body
from surefoot.physics.policies.metric import Metric, Weights
from surefoot.physics.policies.mirroring import displacement, twins
from surefoot.physics.policies.trusted import chosen, cycles, sequences
from surefoot.physics.policies.wandering import learned, wander
from surefoot.physics.states import States, gathered
from surefoot.physics.tuning import disturbed


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(load_body("bird"))


@pytest.fixture(scope="module")
def walking(stage: Stage) -> States:
    """Strikes on both feet, in all places and directions."""
    states = disturbed(stage.starting("walk", 12), kick=0.1, seed=2)
    states = stage.advance(states, "turn left", np.linspace(1.0, 2.0, 12)).states
    return stage.step(states, "walk").states


def test_a_mirrored_state_takes_the_mirrored_step(stage: Stage, walking: States) -> None:
    metric = Metric(stage)
    run = stage.step(walking, "turn left sharply")
    twin = stage.step(metric.mirror.mirrored(walking), "turn right sharply")
    expected = metric.mirror.mirrored(run.states)
    np.testing.assert_allclose(twin.states.positions, expected.positions, atol=1e-5)
    moved = displacement(walking, run.states)
    other = displacement(metric.mirror.mirrored(walking), twin.states)
    np.testing.assert_allclose(other, moved * [1, -1, -1], atol=1e-5)


def test_canonical_states_stand_on_the_left_at_the_origin(stage: Stage, walking: States) -> None:
    metric = Metric(stage)
    canonical, right = metric.mirror.canonical(walking)
    assert 0 < right.sum() < len(right)
    np.testing.assert_allclose(canonical.headings, 0.0, atol=1e-12)
    np.testing.assert_allclose(canonical.places[:, :2], 0.0)
    # What happens next does not depend on where and which way.
    there = metric.features(stage.step(walking[~right], "walk").states)[0]
    here = metric.features(stage.step(canonical[~right], "walk").states)[0]
    np.testing.assert_allclose(here, there, atol=0.05)


def test_one_state_s_features_are_those_of_many(stage: Stage, walking: States) -> None:
    metric = Metric(stage)
    features, mirrored = metric.features(walking)
    for i in range(len(walking)):
        one, right = metric.feature(walking[[i]])
        np.testing.assert_allclose(one[0], features[i], atol=1e-12)
        assert right == mirrored[i]


def test_a_learned_metric_tells_apart_what_will_be_elsewhere(stage: Stage) -> None:
    actions = ("in place", "walk slowly", "walk")
    origins = gathered(list(cycles(stage, actions).values()))
    wandered = wander(stage, origins, actions, bodies=24, steps=24)
    assert wandered.good.mean() > 0.8
    metric = Metric(stage, learned(wandered, len(actions)))
    states = wandered.passed
    features = metric.of_canonical(states)
    # Where they are after two steps of one action, and how far apart their features are.
    some = np.random.default_rng(0).choice(len(states), 60).astype(np.int32)
    here = states[some]
    there = stage.step(stage.step(here, "walk").states, "walk").states
    apart = np.abs(displacement(here, there)[:, None, 0] - displacement(here, there)[None, :, 0])
    near = np.linalg.norm(features[some][:, None] - features[some][None, :], axis=2)
    assert np.corrcoef(apart.ravel(), near.ravel())[0, 1] > 0.7
    # One alone gives the same bits as many, on either foot, whichever way it faces.
    mixed = stage.advance(here, "turn left", np.linspace(1.5, 2.2, 60)).states
    mixed = stage.step(mixed, "walk").states
    many, right = metric.features(mixed)
    assert 0 < right.sum() < len(right)
    for i in range(0, 60, 7):
        np.testing.assert_allclose(metric.feature(mixed[[i]])[0][0], many[i], atol=1e-9)
    with pytest.raises(InputError, match="too few steps to learn a metric"):
        learned(wander(stage, origins, actions, bodies=4, steps=6), len(actions))


def test_the_native_metric_equals_the_readable_one(stage: Stage, walking: States) -> None:
    metric = Metric(stage)
    features = metric.features(walking)[0]
    samples = metric.samples()
    samples.add(features)
    who, away = samples.nearest(features, len(features))
    for i in range(len(features)):
        expected = metric.distances(
            np.repeat(features[i : i + 1], len(who[i]), 0), features[who[i]]
        )
        np.testing.assert_allclose(away[i], expected, atol=1e-6)


def test_weights_name_joints_that_there_are(stage: Stage) -> None:
    with pytest.raises(InputError, match=r"unknown joint 'kneee'; did you mean 'knee'"):
        Metric(stage, Weights(joints={"kneee": (1.0, 1.0)}))
    other = Stage(replace(stage.body, anatomy=replace(stage.body.anatomy, name="dodo")))
    with pytest.raises(InputError, match="unknown body with weights 'dodo'"):
        Metric(other)


def test_actions_need_their_mirror_images(stage: Stage) -> None:
    body = stage.body
    actions = ("walk", "turn left", "turn right", Blend("walk", "turn left", 0.5))
    with pytest.raises(InputError, match="not its mirror image, walk 50%, turn right 50%"):
        twins(body, actions)
    assert twins(body, actions[:3]) == (0, 2, 1)
    lonely = replace(body, gaits={n: body.gaits[n] for n in ("walk", "turn left")})
    with pytest.raises(InputError, match="no gait that is the mirror image of 'turn left'"):
        twins(lonely, ("turn left",))


def test_good_sequences_leave_out_those_that_fall(stage: Stage) -> None:
    metric = Metric(stage)
    states = stage.step(stage.advance(stage.starting("walk"), "walk", 3.0).states, "walk").states
    fallen = States(
        positions=states.positions, velocities=states.velocities.copy(), beats=states.beats
    )
    fallen.velocities[:, 3:6] = (0.0, 9.0, 0.0)
    good = sequences(stage, states, ["walk", "in place"], steps=3)
    assert len(good) == 6
    assert len(sequences(stage, fallen, ["walk", "in place"], steps=3)) == 0
    kept = chosen(metric, [good], 0.5)
    features = metric.of_canonical(kept)
    apart = [metric.distances(features[:1], features[i : i + 1])[0] for i in range(1, len(kept))]
    assert 1 < len(kept) <= 6
    assert min(apart) > 0.5


def test_ambling_feet_do_not_trip_over_each_other() -> None:
    stage = Stage(load_body("humanoid"))
    actions = ("amble in place", "amble left", "amble right", "curve left", "curve right")
    origins = cycles(stage, actions[:1])[0]
    wandered = wander(stage, origins, actions, bodies=16, steps=15)
    assert wandered.good.all()
    # A foot that comes down on the other ends its step at once, or hangs there for a second.
    assert wandered.durations.min() > 0.2
    assert wandered.durations.max() < 0.6
