"""Policies: from a small exploration to a body that does what it is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from surefoot.errors import FileError, InputError, VersionError
from surefoot.learning.iteration import seen as seen_values
from surefoot.physics import Blend, load_body
from surefoot.physics.policies import (
    TASKS,
    GoToPoint,
    GoToPointWithHeading,
    Limits,
    Policy,
    Setup,
    Sweeping,
    Trained,
    train,
)
from surefoot.physics.policies import (
    policy as module,
)
from surefoot.physics.policies.exploring import explore
from surefoot.physics.policies.instancing import moved
from surefoot.physics.policies.playing import perform
from surefoot.physics.policies.pushed import throw_balls_at_policy
from surefoot.physics.policies.tasks import GoToLine, Heading, Seen
from surefoot.physics.policies.trying import attempt, tried
from surefoot.physics.trials import Throws

SETUP = Setup(
    name="small",
    basic=("in place", "walk slowly", "walk backward"),
    between=(Blend("in place", "walk slowly", 0.5),),
    limits=Limits(trust=0.3, novelty=0.02, states=80),
    wandering=16,
)
LINE = GoToLine()


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(load_body("bird"), LINE, setup=SETUP, keep=None, told=lambda _: None)


def test_files_round_trip(trained: Trained, tmp_path: Path) -> None:
    policy, path = trained.policy, tmp_path / "a.policy"
    policy.save(path)
    again = Policy.load(path)
    assert path.stat().st_size < 200_000
    np.testing.assert_array_equal(again.best, policy.best)
    np.testing.assert_array_equal(again.features, policy.features)
    assert (again.actions, again.task, again.sided) == (policy.actions, policy.task, policy.sided)
    states = trained.explored.states[[3, 4, 5]]
    tasks = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]])
    assert again.decide(states, tasks) == policy.decide(states, tasks)
    # One at a time, and on the other foot.
    mirrored = policy.metric.mirror.mirrored(states)
    for i in range(3):
        assert again.act(states[[i]], tasks[i].tolist()) == policy.decide(states, tasks)[i]
        assert again.act(mirrored[[i]], tasks[i].tolist()) == policy.decide(states, tasks)[i]


def test_the_paper_s_policy_needs_no_model(trained: Trained, tmp_path: Path) -> None:
    plain, path = replace(trained.policy, model=None), tmp_path / "a.policy"
    plain.save(path)
    again = Policy.load(path)
    assert again.model is None
    states = trained.explored.states[[3, 4, 5]]
    tasks = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]])
    assert again.decide(states, tasks) == plain.decide(states, tasks)
    for i in range(3):
        assert again.act(states[[i]], tasks[i].tolist()) == plain.decide(states, tasks)[i]


def test_looking_ahead_weighs_what_neighbours_do(trained: Trained) -> None:
    solution = trained.solution
    values = seen_values(solution.values.reshape(len(solution.values), -1), solution.mirror)
    who, shares, task = np.array([4, 9], dtype=np.int32), np.array([0.25, 0.75]), np.array([1.0, 0])
    among = solution.native.look_ahead_among(values, who, shares, task)
    apart = [solution.native.look_ahead(values, int(i), task) for i in who]
    np.testing.assert_allclose(among, 0.25 * apart[0] + 0.75 * apart[1], rtol=1e-12)
    with pytest.raises(ValueError, match="no such state"):
        solution.native.look_ahead_among(values, who + 1000, shares, task)


def test_lines_ahead_are_reached(trained: Trained) -> None:
    starts = trained.explored.states[[0, 1, 2, 3]]
    result = attempt(trained.policy, LINE, starts, np.array([[x, 0.0] for x in (1, 1.7, 2.4, 3)]))
    assert result.done.all()


def test_bad_files_are_refused(
    trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.policy"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(FileError, match="damaged"):
        Policy.load(path)
    with monkeypatch.context() as patch:
        patch.setattr(module, "VERSION", 99)
        trained.policy.save(path)
    with pytest.raises(VersionError, match="policy of version 99; this reads version 2"):
        Policy.load(path)


def test_tasks_outside_the_range_are_said(trained: Trained) -> None:
    assert trained.policy.clamped(np.array([[3.0, 0.0]])) == []
    (told,) = trained.policy.clamped(np.array([[9.0, 0.0]]))
    assert "line 9 is outside -2.5 to 6" in told


def test_a_policy_is_played(trained: Trained) -> None:
    played = perform(trained.policy, LINE, [[0.0, 0.0], [1.0, 0.0]], seconds=4.0)
    assert played.standing
    # It steps in place already: the first goal is done with the first step.
    assert 0.1 < played.times[0] < 1.0
    assert played.goals[1, 0] == pytest.approx(played.goals[0, 0] + 1.0, abs=0.1)
    assert len(played.frames) == pytest.approx(played.seconds * played.rate + 1)
    assert "goal 1 done" in played.told()[0]
    with pytest.raises(InputError, match="a goal has 1 numbers, needs: line, left"):
        perform(trained.policy, LINE, [[1.5]])


def test_tries_count_what_happened(trained: Trained) -> None:
    result = tried(trained, LINE, 6, seed=3)
    assert (result.done & result.fell).sum() == 0
    assert (result.seconds[~result.done & ~result.fell] >= 30.0).all()
    assert result.steps.sum() == result.actions.sum()
    again = tried(trained, LINE, 6, seed=3)
    np.testing.assert_array_equal(result.seconds, again.seconds)


def test_hopeless_states_are_starts_too(trained: Trained) -> None:
    away = np.full_like(trained.explored.away, np.inf)
    hopeless = replace(trained, explored=replace(trained.explored, away=away))
    assert not hopeless.explored.viable.any()
    assert len(tried(hopeless, LINE, 2).done) == 2


def test_headings_near_the_goal_s_are_told_apart() -> None:
    # Between samples values are mixed: one at 34 degrees made headings out of tolerance look done.
    heading = GoToPointWithHeading().space.axes[2].points
    assert np.sort(np.abs(heading))[1] < np.deg2rad(12.0)


@pytest.mark.parametrize("name", TASKS)
def test_samples_are_the_paper_s(name: str) -> None:
    sizes = {
        "go-to-line": 35, "heading": 25, "go-to-point": 729, "go-to-point-with-heading": 2048,
        "heading-with-speed": 125, "robust-walk": 1,
    }  # fmt: skip
    task = TASKS[name]()
    assert task.space.size == sizes[name]
    # Alike on both sides, and denser near the goal.
    assert len(task.space.mirror(task.sided)) == task.space.size
    for axis in task.space.axes:
        gaps = np.diff(axis.points)
        if len(gaps) > 4 and axis.name != "speed":
            middle = int(np.abs(axis.points).argmin())
            assert gaps[max(middle - 1, 0)] < gaps[0]
    drawn = task.draw(np.random.default_rng(0), 50)
    assert drawn.shape == (50, len(task.space.axes))


def test_tasks_move_with_the_body() -> None:
    tasks = np.array([[2.0, 1.0, 3.0]])
    space = TASKS["go-to-point-with-heading"]().space
    out = moved(space, tasks, np.array([[1.0, 1.0, np.pi / 2]]))
    np.testing.assert_allclose(out, [[0.0, -1.0, 3.0 - np.pi / 2]], atol=1e-12)
    out = moved(Heading().space, np.array([[-3.0]]), np.array([[0.0, 0.0, 0.5]]))
    np.testing.assert_allclose(out, [[2 * np.pi - 3.5]])


def test_turning_near_the_place_costs() -> None:
    motion = np.zeros((2, 2, 3))
    motion[:, 1, 2] = 0.4
    task = GoToPoint(turning=0.5)
    worth = task.acting(motion, np.ones((2, 2), dtype=bool))
    assert worth is not None
    points = task.space.points()
    near = np.hypot(points[:, 0], points[:, 1]) < 1.5
    np.testing.assert_allclose(worth[1], np.where(near, -0.2, 0.0))
    np.testing.assert_allclose(worth[0], 0.0)
    assert GoToPoint().acting(motion, np.ones((2, 2), dtype=bool)) is None
    with pytest.raises(InputError, match="turning must be at least 0"):
        GoToPoint(turning=-1.0)


def test_goals_need_the_right_state_and_task() -> None:
    seen = Seen(np.array([[0.0, 0.2], [1.0, 0.2]]), np.array([1.0, 0.2]))
    at = np.zeros((2, 2))
    assert LINE.done(seen, at).tolist() == [True, False]
    assert GoToPoint().done(seen, at).tolist() == [True, False]
    assert Heading().done(seen, at[:, :1]).tolist() == [False, True]
    assert Heading().done(seen, at[:, :1] + 0.1).tolist() == [False, False]
    through, past = GoToPointWithHeading(), np.array([[-0.2, 0.05, 0.0]] * 2)
    assert through.done(seen, past).tolist() == [False, True]
    assert through.done(seen, past * [3.0, 1.0, 1.0]).tolist() == [False, False]
    assert through.done(seen, past * [1.0, 3.0, 1.0]).tolist() == [False, False]
    assert LINE.reward(seen, LINE.space.points()).sum(axis=1).tolist() == [3.0, 0.0]


def test_an_edited_reward_starts_from_the_values_before(trained: Trained) -> None:
    from surefoot.physics.policies.instancing import solved

    explored, seen = trained.explored, trained.seen
    values = trained.solution.values.reshape(len(explored.states), -1)
    other = GoToLine()
    other.tolerance = 0.15
    cold = solved(explored, other, seen, Sweeping())
    warm = solved(explored, other, seen, Sweeping(), start=values)
    assert warm.report.sweeps <= cold.report.sweeps
    np.testing.assert_allclose(warm.values, cold.values, atol=0.2)


def test_an_edited_gait_is_trained_without_wandering_again(trained: Trained) -> None:
    body, before = load_body("bird"), trained.explored
    slow = body.gait("walk slowly")
    edited = replace(slow, ahead=replace(slow.ahead, wanted=slow.ahead.wanted + 0.02))
    other = replace(body, gaits={**body.gaits, "walk slowly": edited})
    again = train(
        other, LINE, setup=SETUP, earlier=before, keep=None, told=lambda _: None
    ).explored  # fmt: skip
    # The metric is the one before, so that steps of other gaits can stay as they are.
    assert again.weights.key == before.weights.key
    bits = {row.tobytes(): i for i, row in enumerate(again.states.positions)}
    rows = [bits[row.tobytes()] for row in before.states.positions]
    np.testing.assert_array_equal(again.outcomes[rows][:, [0, 2]], before.outcomes[:, [0, 2]])
    new = len(again.states) - len(before.states)
    assert again.steps == 2 * len(before.states) + 4 * new
    with pytest.raises(InputError, match="the same metric"):
        explore(other, SETUP.actions, before.states, SETUP.limits, earlier=before)


def test_who_is_late_has_not_done_it(trained: Trained) -> None:
    start, task = trained.explored.states[[0]], np.array([[1.0, 0.0]])
    whole = attempt(trained.policy, LINE, start, task)
    late = attempt(trained.policy, LINE, start, task, seconds=float(whole.seconds[0]) - 0.05)
    assert whole.done.all()
    assert not late.done.any()
    assert not late.fell.any()


def test_heavy_balls_throw_down_whom_light_ones_do_not(trained: Trained) -> None:
    def thrown(mass: float) -> Throws:
        return throw_balls_at_policy(
            trained.policy, [3.0, 0.0], mass=mass, speed=8.0, throws=8, seconds=2.0
        )

    light, heavy = thrown(0.1), thrown(60.0)
    assert heavy.hit.sum() >= 6
    assert heavy.fell.sum() > light.fell.sum()
    np.testing.assert_array_equal(thrown(60.0).fell, heavy.fell)
