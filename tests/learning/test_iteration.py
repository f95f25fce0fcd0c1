from __future__ import annotations

import numpy as np
import pytest

from references import value_iteration as reference
from surefoot.errors import InputError
from surefoot.learning import Axis, Early, TaskSpace, TransitionTable, nearest, solve

NO_TASK = TaskSpace(axes=(Axis(name="nothing", points=[0.0]),))


def random_space(rng: np.random.Generator) -> TaskSpace:
    """Any combination of place, circles and lines, with uneven points."""

    def line(name: str, change: str = "shift") -> Axis:
        return Axis(name=name, points=np.sort(rng.normal(0, 2, rng.integers(1, 5))), change=change)

    place = rng.choice([None, "plane", "polar", "line"])
    first: list[Axis] = []
    if place == "plane":
        first = [line("x"), line("y")]
    elif place is not None:
        distances = Axis(name="distance", points=np.sort(rng.uniform(0, 5, 3)))
        bearing = Axis.circle("bearing", 5) if rng.random() < 0.5 else line("bearing")
        first = [distances, bearing]
    rest = [
        line("speed"),
        Axis.circle("heading", 4),
        line("lean", "turn"),
    ]
    if place == "line" and rng.random() < 0.5:
        first.append(line("aside", "along"))
    chosen = [axis for axis in rest if rng.random() < 0.5]
    return TaskSpace(axes=(*first, *chosen) or (rest[0],), place=place)


def random_table(rng: np.random.Generator, space: TaskSpace) -> TransitionTable:
    s, a, k = rng.integers(1, 4), rng.integers(1, 4), rng.integers(1, 4)
    weights = rng.random((s, a, k))
    return TransitionTable(
        successors=rng.integers(0, s, (s, a, k)),
        weights=weights / weights.sum(axis=-1, keepdims=True),
        motion=rng.normal(0, 1, (s, a, 3)),
        rewards=rng.normal(0, 1, (s, a)),
        durations=rng.uniform(0.1, 1.0, (s, a)),
        viable=rng.random((s, a)) < 0.8,
        shifts=rng.normal(0, 1, (s, a, space.shifts)),
    )


@pytest.mark.parametrize("seed", range(30))
def test_a_sweep_equals_the_slow_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    space = random_space(rng)
    table = random_table(rng, space)
    here, there = rng.normal(size=(2, space.size))
    values = rng.normal(size=(table.states, space.size))
    found = solve(
        table, space, here=here, there=there, stuck=-3.0, discount=0.8, start=values, sweeps=1
    )
    single = values.astype(np.float32)
    expected, _ = reference.backup(table, space, single, here, there, -3.0, 0.8)
    np.testing.assert_allclose(found.values.reshape(expected.shape), expected, atol=2e-5)
    # The policy is greedy for the values after the sweep.
    after, best = reference.backup(
        table, space, found.values.reshape(expected.shape), here, there, -3.0, 0.8
    )
    chosen = found.policy.reshape(best.shape)
    assert ((chosen == -1) == (best == -1)).all()
    for s, w in np.argwhere(chosen != best):
        # Only where two actions are as good.
        assert found.worth(s, space.points()[w])[chosen[s, w]] == pytest.approx(
            after[s, w], abs=2e-5
        )


@pytest.mark.parametrize("seed", range(20))
def test_looking_ahead_equals_a_sweep_at_grid_points(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    space = random_space(rng)
    table = random_table(rng, space)
    here, there = rng.normal(size=(2, space.size))
    start = rng.normal(size=(table.states, space.size))
    still = solve(table, space, here=here, there=there, discount=0.7, start=start, sweeps=0)
    swept = solve(table, space, here=here, there=there, discount=0.7, start=start, sweeps=1)
    for s in range(table.states):
        if not table.viable[s].any():
            assert still.best(s, space.points()[0]) == -1
            continue
        for w, task in enumerate(space.points()):
            assert still.worth(s, task).max() == pytest.approx(
                swept.values.reshape(table.states, -1)[s, w], abs=2e-5
            )


@pytest.mark.parametrize("seed", range(20))
def test_rewards_of_actions_and_ends_equal_the_slow_reference(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    space = random_space(rng)
    table = random_table(rng, space)
    here, there = rng.normal(size=(2, space.size))
    acting = rng.normal(size=(table.actions, space.size))
    ends = rng.random((table.actions, space.size)) < 0.3
    start = rng.normal(size=(table.states, space.size)).astype(np.float32)
    given = {"here": here, "there": there, "acting": acting, "ends": ends, "stuck": -3.0}
    swept = solve(table, space, **given, discount=0.8, start=start, sweeps=1)
    expected, _ = reference.backup(
        table, space, start, here, there, -3.0, 0.8, acting=acting, ends=ends
    )
    np.testing.assert_allclose(swept.values.reshape(expected.shape), expected, atol=2e-5)
    still = solve(table, space, **given, discount=0.8, start=start, sweeps=0)
    for s in np.flatnonzero(table.viable.any(axis=1)):
        for w, task in enumerate(space.points()):
            assert still.worth(s, task).max() == pytest.approx(expected[s, w], abs=2e-5)


@pytest.mark.parametrize("seed", range(20))
def test_shared_rewards_and_early_ends_equal_the_slow_reference(seed: int) -> None:
    """Rewards that differ by some columns only, and tasks that actions end on their way."""
    rng = np.random.default_rng(300 + seed)
    space = random_space(rng)
    table = random_table(rng, space)
    columns = rng.integers(0, 3, space.size)
    columns[-1] = 2
    acting = rng.normal(size=(table.actions, 3))
    ends = rng.random((table.actions, 3)) < 0.3
    early = rng.random((table.actions, space.size)) < 0.3
    saved = rng.uniform(0.0, 1.0, early.shape).astype(np.float32)
    start = rng.normal(size=(table.states, space.size)).astype(np.float32)
    sparse = Early(
        np.concatenate([[0], np.cumsum(early.sum(axis=1))]).astype(np.int32),
        np.nonzero(early)[1].astype(np.int32),
        saved[early],
    )
    nothing = np.zeros(space.size)
    expected, _ = reference.backup(
        table, space, start, nothing, nothing, -3.0, 0.8,
        acting=acting[:, columns] + np.where(early, saved, 0.0), ends=ends[:, columns] | early,
    )  # fmt: skip
    given = {"acting": acting, "ends": ends, "columns": columns, "early": sparse, "stuck": -3.0}
    swept = solve(table, space, **given, discount=0.8, start=start, sweeps=1)
    np.testing.assert_allclose(swept.values.reshape(expected.shape), expected, atol=2e-5)
    still = solve(table, space, **given, discount=0.8, start=start, sweeps=0)
    for s in np.flatnonzero(table.viable.any(axis=1)):
        for w, task in enumerate(space.points()):
            assert still.worth(s, task).max() == pytest.approx(expected[s, w], abs=2e-5)
        np.testing.assert_allclose(still.many(s, space.points()), start[s], atol=1e-6)


def test_a_task_that_ends_is_worth_its_last_reward() -> None:
    """Steps of one metre to a place three metres away, and nothing after it."""
    table = TransitionTable(
        successors=[[[0]]], weights=[[[1.0]]], motion=np.zeros((1, 1, 3)), rewards=[[0.0]],
        durations=[[1.0]], viable=[[True]], shifts=[[[-1.0]]],
    )  # fmt: skip
    space = TaskSpace(axes=(Axis(name="left", points=[0.0, 1.0, 2.0, 3.0]),))
    found = solve(
        table, space, acting=[[0.0, -1, -1, -1]], ends=[[True, False, False, False]], discount=1.0
    )
    assert found.values[0].tolist() == [0.0, -1.0, -2.0, -3.0]


def chain(n: int, reward: float = 1.0) -> TransitionTable:
    """States in a row; actions: to the left, to the right. The last state pays for staying."""
    s = np.arange(n)
    successors = np.stack([np.maximum(s - 1, 0), np.minimum(s + 1, n - 1)], axis=1)[..., None]
    rewards = np.zeros((n, 2))
    rewards[-1, 1] = reward
    return TransitionTable(
        successors=successors,
        weights=np.ones((n, 2, 1)),
        motion=np.zeros((n, 2, 3)),
        rewards=rewards,
        durations=np.ones((n, 2)),
        viable=np.ones((n, 2), dtype=bool),
        shifts=np.zeros((n, 2, 1)),
    )


def test_a_chain_has_its_closed_form() -> None:
    found = solve(chain(8), NO_TASK, discount=0.9, tolerance=1e-6)
    expected = 0.9 ** np.arange(7, -1, -1) / (1 - 0.9)
    np.testing.assert_allclose(found.values[:, 0], expected, rtol=1e-5)
    assert (found.policy == 1).all()
    assert found.report.converged
    assert np.abs(found.values[:, 0] - expected).max() <= found.report.bound + 1e-5


def test_durations_discount() -> None:
    """Two ways to the same reward: many short actions or one long one of the same time."""
    table = TransitionTable(
        successors=[[[1], [2]], [[2], [2]], [[2], [2]]],
        weights=np.ones((3, 2, 1)),
        motion=np.zeros((3, 2, 3)),
        rewards=[[0, 0], [0, 0], [1, 1]],
        durations=[[0.5, 1.0], [0.5, 0.5], [1.0, 1.0]],
        viable=np.ones((3, 2), dtype=bool),
        shifts=np.zeros((3, 2, 1)),
    )
    found = solve(table, NO_TASK, discount=0.5, tolerance=1e-7)
    assert found.values[:, 0] == pytest.approx([0.5 * 2, 0.5**0.5 * 2, 2.0], rel=1e-5)
    assert found.worth(0, [0.0]) == pytest.approx([1.0, 1.0], rel=1e-5)


def test_a_continuous_toy_with_nearest_states() -> None:
    """A point on a circle of states goes to a target on a line: |x| falls as fast as it can.

    The state does not matter to the motion, so neighbours and their weights must not either.
    """
    angles = 2 * np.pi * np.arange(12) / 12
    after = angles[:, None] + np.array([0.3, -0.4, 0.1])
    away = np.abs(np.exp(1j * after.reshape(-1, 1)) - np.exp(1j * angles))
    order, weights = nearest(away, 3)
    table = TransitionTable(
        successors=order.reshape(12, 3, 3),
        weights=weights.reshape(12, 3, 3),
        motion=np.zeros((12, 3, 3)),
        rewards=np.zeros((12, 3)),
        durations=np.full((12, 3), 0.5),
        viable=np.ones((12, 3), dtype=bool),
        shifts=np.tile([-0.5, 0.0, 0.5], (12, 1))[..., None],
    )
    space = TaskSpace(axes=(Axis(name="x", points=np.arange(-6, 7) * 0.5),))
    found = solve(
        table, space, there=space.rewards(lambda p: -np.abs(p[:, 0])), discount=0.81, tolerance=1e-6
    )
    factor = 0.81**0.5
    steps = np.abs(np.arange(-6, 7))
    expected = [-sum(factor**i * 0.5 * (n - 1 - i) for i in range(n)) for n in steps]
    np.testing.assert_allclose(found.values, np.tile(expected, (12, 1)), atol=1e-4)
    assert found.best(5, [1.2]) == 0
    assert found.best(5, [-1.2]) == 2


@pytest.mark.parametrize("seed", range(10))
def test_laws(seed: int) -> None:
    """Sweeps contract, keep order, and shift by a constant as they should."""
    rng = np.random.default_rng(seed)
    space = random_space(rng)
    table = random_table(rng, space)
    u, v = rng.normal(0, 3, (2, table.states, space.size))

    def sweep(start: np.ndarray) -> np.ndarray:
        found = solve(table, space, discount=0.6, start=start, sweeps=1, stuck=0.5)
        return found.values.reshape(u.shape).astype(float)

    used = table.durations[table.viable]
    factor = 0.6 ** used.min() if len(used) else 0.0
    assert np.abs(sweep(u) - sweep(v)).max() <= factor * np.abs(u - v).max() + 1e-5
    low, high = np.minimum(u, v), np.maximum(u, v)
    assert (sweep(low) <= sweep(high) + 1e-5).all()
    # What is worth more by the same everywhere is worth that more, as late as it comes.
    acts = table.viable.any(axis=1)
    raised = (sweep(u + 2.0) - sweep(u))[acts]
    assert (raised >= 2.0 * 0.6 ** used.max(initial=0.0) - 1e-5).all()
    assert (raised <= 2.0 * factor + 1e-5).all()
    assert np.abs(sweep(u)[~acts] - 0.5).max(initial=0.0) < 1e-5
    found = solve(table, space, discount=0.6, tolerance=1e-6)
    flat = found.values.reshape(u.shape)
    again = solve(table, space, discount=0.6, start=flat, sweeps=1)
    np.testing.assert_allclose(again.values, found.values, atol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_threads_and_places_of_update_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    space = random_space(rng)
    table = random_table(rng, space)
    there = rng.normal(size=space.size)
    one = solve(table, space, there=there, discount=0.5, rate=0.8)
    two = solve(table, space, there=there, discount=0.5, rate=0.8, threads=2)
    assert one.values.tobytes() == two.values.tobytes()
    assert one.policy.tobytes() == two.policy.tobytes()
    assert one.report == two.report
    placed = solve(table, space, there=there, discount=0.5, in_place=True)
    np.testing.assert_allclose(placed.values, one.values, atol=2e-3)


def test_in_place_needs_fewer_sweeps() -> None:
    table = chain(30)
    backwards = TransitionTable(
        successors=29 - table.successors[::-1, :],
        weights=table.weights,
        motion=table.motion,
        rewards=table.rewards[::-1],
        durations=table.durations,
        viable=table.viable,
        shifts=table.shifts,
    )
    plain = solve(backwards, NO_TASK, discount=0.5, tolerance=1e-9, sweeps=200)
    placed = solve(backwards, NO_TASK, discount=0.5, tolerance=1e-9, sweeps=200, in_place=True)
    assert placed.report.sweeps < plain.report.sweeps
    np.testing.assert_allclose(placed.values, plain.values, atol=1e-6)


def test_known_values_stay_and_others_follow_from_them() -> None:
    """A place three metres away is known to be worth 5; steps of one metre lead there."""
    table = TransitionTable(
        successors=[[[0]]], weights=[[[1.0]]], motion=np.zeros((1, 1, 3)), rewards=[[-1.0]],
        durations=[[1.0]], viable=[[True]], shifts=[[[-1.0]]],
    )  # fmt: skip
    space = TaskSpace(axes=(Axis(name="left", points=[0.0, 1.0, 2.0, 3.0]),))
    start = [[5.0, -9.0, -9.0, -9.0]]
    found = solve(table, space, start=start, known=[True, False, False, False], discount=0.5)
    assert found.values[0] == pytest.approx([5.0, 1.5, -0.25, -1.125], abs=1e-4)
    with pytest.raises(InputError, match="known must be"):
        solve(table, space, start=start, known=[True, False])


def test_progress_and_cancel() -> None:
    seen: list[float] = []
    found = solve(
        chain(5),
        NO_TASK,
        discount=0.9,
        progress=lambda _, share: seen.append(share),
        cancel=lambda: len(seen) >= 3,
    )
    assert found.report.sweeps == 3
    assert not found.report.converged
    assert seen == sorted(seen)
    assert 0 <= seen[0] <= seen[-1] <= 1


def test_what_cannot_be_done_is_not_looked_at() -> None:
    table = TransitionTable(
        successors=[[[7], [0]]],
        weights=[[[np.nan], [1.0]]],
        motion=np.full((1, 2, 3), [[np.inf], [0.0]]),
        rewards=[[np.nan, 1.0]],
        durations=[[np.nan, 1.0]],
        viable=[[False, True]],
        shifts=np.zeros((1, 2, 1)),
    )
    found = solve(table, NO_TASK, discount=0.5, tolerance=1e-6)
    assert found.values[0, 0] == pytest.approx(2.0, rel=1e-5)
    assert found.worth(0, [0.0]).tolist() == pytest.approx([-np.inf, 2.0], rel=1e-5)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"rewards": [[0.0, np.nan]]}, "rewards of state 0, action 1 is not finite"),
        ({"weights": np.full((1, 2, 1), 0.5)}, "add up to 1"),
        ({"successors": [[[0], [3]]]}, "leads to state 3; there are 1"),
        ({"durations": [[-1.0, 1.0]]}, "duration of state 0, action 0 is negative"),
        ({"motion": np.zeros((1, 2, 2))}, r"motion must have shape \(1, 2, 3\)"),
    ],
)
def test_bad_tables(changed: dict[str, object], says: str) -> None:
    good = {
        "successors": [[[0], [0]]],
        "weights": np.ones((1, 2, 1)),
        "motion": np.zeros((1, 2, 3)),
        "rewards": [[0.0, 0.0]],
        "durations": [[1.0, 1.0]],
        "viable": [[True, True]],
    }
    with pytest.raises(InputError, match=says):
        TransitionTable(**good | changed)


def test_bad_rewards_and_shifts() -> None:
    space = TaskSpace(axes=(Axis(name="x", points=[0.0, 1.0]),))
    with pytest.raises(InputError, match="the reward is nan at x = 1"):
        solve(chain(2), space, there=[0.0, np.nan])
    with pytest.raises(InputError, match="here must be"):
        solve(chain(2), space, here=[0.0])
    with pytest.raises(InputError, match="1 shifts, the tasks need 0"):
        solve(chain(2), TaskSpace(axes=(Axis.circle("heading", 4),)))
    with pytest.raises(InputError, match="the reward of action 1 is nan at x = 0"):
        solve(chain(2), space, acting=[[0.0, 0.0], [np.nan, 0.0]])
    with pytest.raises(InputError, match=r"ends must be \(2, 2\)"):
        solve(chain(2), space, ends=[True, False])
    with pytest.raises(InputError, match=r"columns must be \(2,\)"):
        solve(chain(2), space, acting=[[0.0], [0.0]], columns=[0])
    with pytest.raises(InputError, match="the reward of action 0 is inf at x = 1"):
        solve(chain(2), space, acting=[[0.0, np.inf], [0.0, 0.0]], columns=[0, 1])
    none = np.zeros(3, dtype=np.int32)
    early = Early(none, none[:0], np.zeros(0, dtype=np.float32))
    with pytest.raises(InputError, match="early is about what actions are worth"):
        solve(chain(2), space, early=early)
    found = solve(chain(2), space)
    with pytest.raises(InputError, match=r"a task has 1 numbers \(x\)"):
        found.value(0, [0.0, 0.0])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Axis(name="x", points=[1.0, 0.0]), "increase"),
        (lambda: Axis(name="x", points=[0.0, 7.0], period=6.0), "do not fit into one period"),
        (lambda: Axis(name="x", points=[0.0], change="spin"), "along, shift, turn"),
        (
            lambda: TaskSpace(axes=(Axis(name="x", points=[0.0], change="along"),)),
            "right after the two axes of a place 'line'",
        ),
        (lambda: TaskSpace(axes=()), "different names"),
        (lambda: TaskSpace(axes=NO_TASK.axes, place="plane"), "needs two axes"),
        (lambda: TaskSpace(axes=NO_TASK.axes, place="cone"), "line, plane, polar"),
    ],
)
def test_bad_tasks(make, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()


def test_nearest_states_and_their_weights() -> None:
    order, weights = nearest([[2.0, 1.0, 4.0], [0.0, 0.0, 1.0], [1e-300, 2e-300, 1.0]], 2)
    assert order.tolist() == [[1, 0], [0, 1], [0, 1]]
    assert weights == pytest.approx(np.array([[0.8, 0.2], [1.0, 0.0], [0.8, 0.2]]))
    with pytest.raises(InputError, match="k"):
        nearest([[1.0]], 2)


@pytest.mark.parametrize("seed", range(20))
def test_actions_that_do_the_same_everywhere_are_worked_out_once(seed: int) -> None:
    """With the same bits as when each state asks for itself."""
    rng = np.random.default_rng(seed)
    space = random_space(rng)
    s, a = int(rng.integers(1, 5)), int(rng.integers(1, 70))
    one = {
        "successors": rng.integers(0, s, (1, a, 1)),
        "motion": rng.normal(0, 1, (1, a, 3)),
        "durations": rng.uniform(0.1, 1.0, (1, a)),
        "shifts": rng.normal(0, 1, (1, a, space.shifts)),
    }
    same = {name: np.repeat(array, s, axis=0) for name, array in one.items()}
    viable, rewards = rng.random((s, a)) < 0.6, rng.normal(0, 1, (s, a))
    table = TransitionTable(**same, weights=np.ones((s, a, 1)), rewards=rewards, viable=viable)
    # One more action, which nobody wants, does something else in every state.
    more = {name: np.concatenate([array, array[:, :1]], axis=1) for name, array in same.items()}
    more["motion"][:, -1] += np.arange(s)[:, None]
    unwanted = np.full((s, 1), -1e9)
    other = TransitionTable(
        **more, weights=np.ones((s, a + 1, 1)), rewards=np.hstack([rewards, unwanted]),
        viable=np.hstack([viable, viable.any(axis=1, keepdims=True)]),
    )  # fmt: skip
    acting = rng.normal(size=(a + 1, space.size))
    ends = rng.random((a + 1, space.size)) < 0.2
    start = rng.normal(size=(s, space.size))
    found, expected = (
        solve(one, space, acting=acting[:n], ends=ends[:n], start=start, stuck=-3.0, sweeps=3,
              tolerance=1e-9, threads=threads)
        for one, n, threads in ((table, a, 2), (other, a + 1, 1))
    )  # fmt: skip
    assert found.native.shared
    if s > 1 and viable.any(axis=1).sum() > 1:
        assert not expected.native.shared
    assert found.values.tobytes() == expected.values.tobytes()
    assert found.policy.tobytes() == expected.policy.tobytes()
    assert found.report.changes == expected.report.changes
