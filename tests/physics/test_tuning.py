"""The tuner: its search finds minima, goes on where it stopped, and judges gaits as it says."""

from __future__ import annotations

import shlex
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from surefoot import cli
from surefoot.errors import FileError, InputError
from surefoot.physics import Stage, load_body, load_gait
from surefoot.physics.evolution import Evolution
from surefoot.physics.trials import limit_cycle
from surefoot.physics.tuning import Effort, Tuner, cost, measure
from surefoot.physics.wishes import Wish, wish


def ellipsoid(points: np.ndarray) -> np.ndarray:
    """A long and narrow valley that lies askew; least at (1, ..., 1)."""
    n = points.shape[1]
    turn, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(n, n)))
    scales = 10.0 ** np.linspace(0, 3, n)
    return (((points - 1.0) @ turn) ** 2 * scales).sum(axis=1)


def searched(generations: int, search: Evolution | None = None) -> Evolution:
    search = search or Evolution(mean=np.zeros(8), sigma=0.5, seed=2)
    while search.generation < generations:
        points = search.ask()
        search.tell(points, ellipsoid(points))
    return search


def test_the_search_finds_the_least_cost() -> None:
    early, late = searched(5), searched(250)
    assert late.best_cost < 1e-8 < early.best_cost
    assert late.best == pytest.approx(np.ones(8), abs=1e-4)


def test_a_kept_search_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    path = tmp_path / "search.npz"
    searched(20).save(path, "what")
    again = Evolution(mean=np.zeros(8), sigma=0.5, seed=2)
    assert not again.resume(tmp_path / "nothing.npz", "what")
    assert not again.resume(path, "another")
    assert again.resume(path, "what")
    whole = searched(40)
    np.testing.assert_array_equal(searched(40, again).mean, whole.mean)
    assert again.best_cost == whole.best_cost
    path.write_bytes(b"no numbers")
    with pytest.raises(FileError, match="no search of a gait"):
        again.resume(path, "what")


def test_falls_cost_more_than_any_wish_missed() -> None:
    body = load_body("humanoid")
    stage = Stage(body)
    starts = stage.starting("walk", 2)
    starts.velocities[1, 3:6] = (0.0, 9.0, 0.0)
    seen = measure(stage.advance(starts, "walk", 4.0, frames_per_second=20.0), 4.0, 20.0)
    assert seen.share[0] == 1.0 > seen.share[1]
    right, wrong = wish("walk at 1 m/s"), wish("walk backward at 0.5 m/s")
    assert cost(right, seen, 70.4)[0] < cost(wrong, seen, 70.4)[0] < cost(right, seen, 70.4)[1]
    # A walk is no run.
    assert cost(replace(right, flight=0.2), seen, 70.4)[0] > cost(right, seen, 70.4)[0] + 3


def test_the_middle_of_the_search_is_the_base() -> None:
    body = load_body("humanoid")
    base = body.gait("walk")
    tuner = Tuner(body, base, Wish(speed=1.0), Effort(generations=1))
    still = tuner.gait(tuner.search.mean, "walk")
    assert still.step_time == base.step_time
    assert {**base.targets} == {name: still.targets[name] for name in base.targets}
    moved = tuner.gait(np.ones_like(tuner.search.mean), "moved")
    assert moved.targets["swing knee"] != base.targets["swing knee"]
    # Straight gaits stay mirror images of themselves.
    assert (moved.turn, moved.sideways.wanted) == (0.0, 0.0)
    with pytest.raises(InputError, match="generations must be at least 1"):
        Tuner(body, base, Wish(), Effort(generations=0)).run("x")


def again(gait: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What the commands that a gait keeps make of it in an empty folder."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    for command in load_gait(gait).made:
        assert cli.main(shlex.split(command)[1:]) == 0
    return (folder / gait.name).read_bytes()


def test_the_kept_commands_make_the_gait_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    little = ["--generations", "1", "--seeds", "1", "--window", "0.4", "--body", "bird"]
    first = ["--set", "hold=0.7", "--like", "run at 2 m/s", "-o", "first.toml"]
    second = ["--from", "first.toml", "--like", "run at 2.1 m/s", "--seed", "3", "-o", "fast.toml"]
    for words in (first, second):
        assert cli.main(["train", "gait", *little, *words, "--gait-threads", "1"]) == 0
    made = load_gait("fast.toml").made
    assert [command.split(" -o ")[1] for command in made] == ["first.toml", "fast.toml"]
    assert load_gait("fast.toml").hold == 0.5
    gait = tmp_path / "fast.toml"
    assert again(gait, tmp_path / "again", monkeypatch) == gait.read_bytes()


@pytest.mark.slow
def test_the_run_is_made_again_by_its_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gait = Path(str(files("surefoot.physics"))) / "gaits" / "humanoid" / "run.toml"
    assert again(gait, tmp_path / "again", monkeypatch) == gait.read_bytes()


def test_near_flight_leads_to_flight() -> None:
    stage = Stage(load_body("bird"))
    seen = {
        gait: measure(
            stage.advance(limit_cycle(stage, gait), gait, 2.0, frames_per_second=20.0), 2.0, 20.0
        )
        for gait in ("walk", "walk fast", "run")
    }
    assert seen["run"].flight[0] > 0.2 > 0.05 > seen["walk"].flight[0]
    light = [float(seen[gait].light[0]) for gait in ("walk", "walk fast", "run")]
    assert light == sorted(light)
    assert all(seen[gait].light[0] >= seen[gait].flight[0] for gait in seen)
