"""Exploration: the same states however it is done, and however often it is interrupted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.physics import Blend, Body, Stage, load_body
from surefoot.physics.policies import Explored, Limits, Metric, Workers, explore
from surefoot.physics.policies.trusted import cycles
from surefoot.physics.states import States, gathered

ACTIONS = ("in place", "walk", Blend("in place", "walk", 0.5))
LIMITS = Limits(trust=2.0, novelty=0.25, states=100)


@pytest.fixture(scope="module")
def body() -> Body:
    return load_body("bird")


@pytest.fixture(scope="module")
def trusted(body: Body) -> States:
    found = cycles(Stage(body), ACTIONS[:2])
    return gathered(list(found.values()))


@pytest.fixture(scope="module")
def whole(body: Body, trusted: States) -> Explored:
    return explore(body, ACTIONS, trusted, LIMITS)


def same(a: Explored, b: Explored) -> None:
    np.testing.assert_array_equal(a.states.positions, b.states.positions)
    np.testing.assert_array_equal(a.states.velocities, b.states.velocities)
    np.testing.assert_array_equal(a.outcomes, b.outcomes)
    np.testing.assert_array_equal(a.motion, b.motion)
    np.testing.assert_array_equal(a.viable, b.viable)


def test_the_states_are_a_closure(body: Body, whole: Explored) -> None:
    assert whole.closed
    assert whole.trusted < len(whole.states) < LIMITS.states
    metric = Metric(Stage(body))
    samples = metric.samples()
    samples.add(whole.features)
    _, away = samples.nearest(np.ascontiguousarray(whole.outcomes[whole.viable]), 1)
    assert away.max() <= LIMITS.novelty
    # Explored states are apart from each other.
    _, apart = samples.nearest(whole.features, 2)
    assert apart[whole.trusted :, 1].min() > LIMITS.novelty
    # What an outcome says is what a simulation does.
    run = Stage(body).step(whole.states[[5]], "walk")
    np.testing.assert_allclose(metric.features(run.states)[0][0], whole.outcomes[5, 1], atol=1e-9)


def test_workers_do_not_matter(body: Body, trusted: States, whole: Explored) -> None:
    same(whole, explore(body, ACTIONS, trusted, LIMITS, workers=Workers(count=3)))


def test_a_dask_cluster_finds_the_same_states(
    body: Body, trusted: States, whole: Explored, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("DASK_DISTRIBUTED__DIAGNOSTICS__NVML", "False")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        found = explore(body, ACTIONS, trusted, LIMITS, workers=Workers(count=2, backend="dask"))
    same(whole, found)


def test_killed_and_resumed_is_the_same(
    body: Body, trusted: States, whole: Explored, tmp_path: Path
) -> None:
    path, told = tmp_path / "a.journal", list[str]()

    class KilledError(Exception):
        pass

    def kill(_stage: str, _share: float) -> None:
        raise KilledError

    with pytest.raises(KilledError):
        explore(body, ACTIONS, trusted, LIMITS, keep=path, told=told.append, progress=kill)
    first = path.stat().st_size
    assert first > 1000
    # Killed while writing: the last record is cut off.
    with path.open("ab") as stream:
        stream.write(path.read_bytes()[-500:])
    same(whole, explore(body, ACTIONS, trusted, LIMITS, keep=path, told=told.append))
    assert any("cut off" in line for line in told)
    # Finished: nothing is simulated, and the file stays as it is.
    size = path.stat().st_size
    same(whole, explore(body, ACTIONS, trusted, LIMITS, keep=path, told=told.append))
    assert path.stat().st_size == size > first


def test_a_file_of_something_else_is_begun_anew_and_said(
    body: Body, trusted: States, whole: Explored, tmp_path: Path
) -> None:
    path, told = tmp_path / "a.journal", list[str]()
    path.write_bytes(b"surefoot journal 0 of long ago\n" + bytes(5000))
    same(whole, explore(body, ACTIONS, trusted, LIMITS, keep=path, told=told.append))
    assert "begun anew" in told[0]
    assert len(told) == 1


def test_what_does_not_close_says_what_to_do(body: Body, trusted: States) -> None:
    few = explore(body, ACTIONS, trusted, replace(LIMITS, states=12))
    assert len(few.states) == 12
    assert not few.closed
    assert "Less trust (now 2) or more novelty (now 0.25) closes it" in few.warning()
    assert few.viable.shape == (12, 3)


def test_an_edited_gait_alone_is_simulated_again(
    body: Body, trusted: States, whole: Explored
) -> None:
    walk = body.gait("walk")
    edited = replace(walk, ahead=replace(walk.ahead, wanted=walk.ahead.wanted + 0.02))
    other = replace(body, gaits={**body.gaits, "walk": edited})
    again = explore(other, ACTIONS, trusted, LIMITS, earlier=whole)
    # All old states are there, and stepping in place does what it did.
    n = len(whole.states)
    np.testing.assert_array_equal(again.states.positions[:n], whole.states.positions)
    np.testing.assert_array_equal(again.outcomes[:n, 0], whole.outcomes[:, 0])
    assert not np.array_equal(again.outcomes[:n, 1], whole.outcomes[:, 1])
    assert again.steps == 2 * n + 3 * (len(again.states) - n)


def test_bad_input_is_named(body: Body, trusted: States) -> None:
    with pytest.raises(InputError, match="novelty must be greater than 0"):
        Limits(trust=1.0, novelty=0.0)
    with pytest.raises(InputError, match="unknown backend 'spark'; there are: threads"):
        Workers(backend="spark")
    with pytest.raises(InputError, match="at least one trusted state"):
        explore(body, ACTIONS, trusted[slice(0, 0)], LIMITS)
