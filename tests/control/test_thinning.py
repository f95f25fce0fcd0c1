"""A captured library: as much of it as training can do with, and still everywhere to be reached."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from surefoot import control
from surefoot.control.thinning import thinned
from surefoot.errors import InputError
from surefoot.motion import build_library


@pytest.fixture(scope="module")
def captured(data: Path) -> control.Repertoire:
    return control.repertoire(build_library(data / "mocap" / "cmu"))


def test_a_captured_library_is_thinned_and_that_is_said(captured: control.Repertoire) -> None:
    assert len(captured.moves) <= control.Thinning().most
    assert {"walk", "run", "stand", "turn", "jump"} <= set(captured.modes)
    assert any("nearly the same as others" in line for line in captured.left_out)
    assert any("at most 170 are kept" in line for line in captured.left_out)


def test_nothing_of_it_is_a_trap(captured: control.Repertoire) -> None:
    """Every move can be come by from every other."""
    leads = captured.viable[captured.ends].astype(np.float32)
    reach = leads + np.eye(len(leads), dtype=np.float32)
    for _ in range(10):
        reach = ((reach @ reach) > 0).astype(np.float32)
    assert reach.all()


@pytest.mark.parametrize("name", ["walk", pytest.param("run", marks=pytest.mark.slow)])
def test_captured_controllers_reach_their_targets(captured: control.Repertoire, name: str) -> None:
    tasks = {task.name: task for task in control.moving_tasks()}
    controller = control.train(captured, [tasks[name]], threads=2)[name]
    own = [a for a in controller.learned.actions.tolist()
           if captured.move(a).mode in controller.task.modes]  # fmt: skip
    rng = np.random.default_rng(3)
    reached = 0
    for _ in range(200):
        start = control.Configuration.after(captured, int(rng.choice(own)), (0.0, 0.0, 0.0))
        away, bearing = rng.uniform(0.5, 12.0), rng.uniform(-np.pi, np.pi)
        target = (away * np.cos(bearing), away * np.sin(bearing), 0.0)
        reached += bool(controller.rollout(start, target))
    assert reached >= 0.99 * 200


def test_what_is_the_same_is_kept_once(repertoire: control.Repertoire) -> None:
    """The default moves twice are the default moves."""
    moves, cuts = repertoire.moves * 2, repertoire.cuts * 2
    how = control.Thinning(most=1000, pose=1e-3, way=1e-3, turn=1e-3, lasting=1e-3)
    kept, told = thinned(moves, cuts, 0.2, how)
    assert kept.sum() <= len(repertoire.moves)
    assert "nearly the same" in told[0]
    few, told = thinned(moves, cuts, 0.2, control.Thinning(most=40))
    assert 20 <= few.sum() <= 60
    modes = {move.mode for move, keep in zip(moves, few, strict=True) if keep}
    assert modes == set(repertoire.modes)
    assert "at most 40 are kept" in told[-1]


def test_bad_settings() -> None:
    with pytest.raises(InputError, match="most moves must be at least 2"):
        control.Thinning(most=1)
