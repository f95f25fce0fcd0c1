from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from surefoot import control
from surefoot.control import keeping
from surefoot.control.training import possible
from surefoot.errors import InputError


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    return tmp_path


def test_what_was_trained_is_kept(repertoire: control.Repertoire, cache: Path) -> None:
    seen: list[str] = []
    first = control.train(repertoire, [control.Go()], progress=lambda name, _: seen.append(name))
    assert seen
    assert len(list(cache.glob("controller-*.npz"))) == 1
    again = control.train(repertoire, [control.Go()], progress=lambda *_: pytest.fail("trained"))
    one, two = first["walk"].learned.solution, again["walk"].learned.solution
    assert one.values.tobytes() == two.values.tobytes()
    assert one.policy.tobytes() == two.policy.tobytes()
    assert one.report == two.report
    # Another task is another file.
    control.train(repertoire, [control.Go(arrival=0.7)])
    assert len(list(cache.glob("controller-*.npz"))) == 2


def test_rewards_are_not_worked_out_again(
    repertoire: control.Repertoire, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del cache
    first = control.train(repertoire, [control.Jump()])["jump"].learned.solution
    monkeypatch.setattr(control.Jump, "reward", lambda *_: pytest.fail("worked out again"))
    again = control.train(repertoire, [control.Jump()])["jump"].learned.solution
    task = [0.5 * (axis.points[0] + axis.points[-1]) for axis in first.space.axes]
    for state in range(len(repertoire.states)):
        assert first.worth(state, task).tobytes() == again.worth(state, task).tobytes()


def test_what_cannot_be_used_is_trained_anew_and_said(
    repertoire: control.Repertoire, cache: Path
) -> None:
    control.train(repertoire, [control.Go()])
    (file,) = cache.glob("controller-*.npz")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    said: list[str] = []
    control.train(repertoire, [control.Go()], told=said.append)
    assert "or a damaged one" in said[0]
    assert "trained anew" in said[0]
    assert len(file.read_bytes()) == len(whole)
    with np.load(file) as arrays:
        old = dict(arrays)
    np.savez(file, **old | {"version": np.array(keeping.VERSION + 1)})
    said.clear()
    control.train(repertoire, [control.Go()], told=said.append)
    assert f"is of version {keeping.VERSION + 1}" in said[0]
    np.savez(file, **old | {"values": np.full_like(old["values"], np.nan)})
    said.clear()
    control.train(repertoire, [control.Go()], told=said.append)
    assert "damaged: values that are no numbers" in said[0]
    said.clear()
    control.train(repertoire, [control.Go()], told=said.append)
    assert not said


def test_threads_do_not_matter(repertoire: control.Repertoire, cache: Path) -> None:
    del cache
    one, two = (
        control.train(repertoire, [control.Corner()], threads=threads, fresh=True)
        for threads in (1, 2)
    )
    assert (
        one["corner"].learned.solution.values.tobytes()
        == two["corner"].learned.solution.values.tobytes()
    )


def test_training_can_be_cancelled(repertoire: control.Repertoire, cache: Path) -> None:
    asked: list[int] = []

    def cancel() -> bool:
        asked.append(1)
        return len(asked) > 3

    found = control.train(repertoire, [control.Go()], cancel=cancel)
    assert not found.complete
    assert len(found) == 0
    assert not list(cache.glob("controller-*.npz"))
    with pytest.raises(InputError, match="unknown controller 'walk'"):
        found["walk"]


def test_runners_slow_down_before_they_walk(repertoire: control.Repertoire) -> None:
    """Where nothing that is allowed can follow, what leads there soonest can."""
    allowed = repertoire.of_modes(("stand", "turn", "walk"))
    viable = possible(repertoire, allowed)
    running = repertoire.ends[repertoire.action_moves[repertoire.action("run 3.3")]]
    used = {repertoire.move(a).clip for a in np.flatnonzero(viable[running])}
    assert used == {"stop running 3.3", "run to walk 3.3 1.7"}
    assert viable.any(axis=1).all()


@pytest.mark.parametrize(("before", "wanted"), [("walk 1.7", "run"), ("run 3.3", "walk")])
def test_walks_and_runs_lead_into_each_other(
    repertoire: control.Repertoire, before: str, wanted: str
) -> None:
    """Without a stop: the body never becomes slower than the slower of the two."""
    tasks = {task.name: task for task in control.moving_tasks()}
    controller = control.train(repertoire, [tasks[wanted]], threads=2)[wanted]
    start = control.Configuration.after(repertoire, repertoire.action(before), (0.0, 0.0, 0.0))
    rollout = controller.rollout(start, (15.0, 0.0, 0.0))
    assert rollout
    assert not any("stop" in clip for clip in rollout.clips)
    times, way = rollout.path(10.0)
    speeds = np.hypot(*np.diff(way[:, :2], axis=0).T)[:-1] / np.diff(times)[:-1]
    assert speeds.min() > 1.4
    assert speeds.max() > 2.2


@dataclass(frozen=True, kw_only=True)
class Confused(control.Go):
    name: str = "confused"

    def reward(self, actions: control.Actions, tasks: np.ndarray) -> control.Worth:
        worth = super().reward(actions, tasks)
        worth.reward[3, 5] = np.nan
        return worth


def test_a_reward_that_is_no_number(repertoire: control.Repertoire, cache: Path) -> None:
    del cache
    with pytest.raises(InputError, match="the reward of action 3 is nan at distance = 0"):
        control.train(repertoire, [Confused()])


def test_bad_tasks() -> None:
    with pytest.raises(InputError, match="walk: discount must be at most 1"):
        control.Go(discount=1.5)
    with pytest.raises(InputError, match="arrival must be greater than 0"):
        control.Go(arrival=0.0)
