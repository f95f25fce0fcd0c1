"""Times near the best possible: against brute force over all sequences of moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from references.brute_force import Blocked, best_time, small
from references.own_tasks import cylinder
from surefoot import control
from surefoot.control.going import running

Scene = tuple[np.ndarray, control.Obstacle | None, Blocked | None]

WALKS = ("idle", "start 1.25", "walk 1.25", "stop 1.25", "turn 0.6", "turn 1.2")
RUNS = ("idle", "start running 2.5", "run 2.5", "stop running 2.5", "turn 0.6", "turn 1.2")


def over_best(
    controller: control.Controller, scene: Callable[[np.random.Generator], Scene], count: int
) -> np.ndarray:
    """Times of random rollouts from a stand, over the least times that there are."""
    rng = np.random.default_rng(0)
    found: list[float] = []
    for _ in range(count):
        target, obstacle, blocked = scene(rng)
        start = control.Configuration.standing(controller.repertoire)
        rollout = controller.rollout(start, (*target, 0.0), obstacle=obstacle)
        assert rollout
        least = best_time(controller, target, rollout.duration + 0.1, blocked)
        found.append(rollout.duration / least)
    return np.array(found)


def somewhere(near: float, far: float) -> Callable[[np.random.Generator], Scene]:
    """Targets all around, with nothing in the way."""

    def scene(rng: np.random.Generator) -> Scene:
        away, bearing = rng.uniform(near, far), rng.uniform(-np.pi, np.pi)
        return away * np.array([np.cos(bearing), np.sin(bearing)]), None, None

    return scene


def behind_a_cylinder(task: control.Task) -> Callable[[np.random.Generator], Scene]:
    """Targets behind a cylinder, into which nobody cuts by more than a tenth of its radius."""

    def scene(rng: np.random.Generator) -> Scene:
        target, centre = cylinder(rng, task)

        def blocked(way: np.ndarray, _: np.ndarray) -> bool:
            return bool(np.hypot(*(way - centre).T).min() < 0.9 * task.size)

        return target, control.Obstacle(*centre), blocked

    return scene


def near_the_best(ratios: np.ndarray) -> None:
    assert np.median(ratios) <= 1.02
    # Between the points of the grid a target is missed by a little now and then.
    assert np.percentile(ratios, 90) <= 1.05
    assert np.mean(ratios) <= 1.05


def walking(repertoire: control.Repertoire) -> control.Controller:
    return control.train(small(repertoire, WALKS), [control.Go(smoothness=0.0)])["walk"]


def test_walks_are_near_the_best(repertoire: control.Repertoire) -> None:
    near_the_best(over_best(walking(repertoire), somewhere(1.0, 4.0), 30))


@pytest.mark.slow
@pytest.mark.parametrize("far", [2.5, 6.0])
def test_many_walks_are_near_the_best(repertoire: control.Repertoire, far: float) -> None:
    near_the_best(over_best(walking(repertoire), somewhere(1.0, far), 150))


@pytest.mark.slow
def test_many_runs_are_near_the_best(repertoire: control.Repertoire) -> None:
    task = replace(running(), smoothness=0.0)
    controller = control.train(small(repertoire, RUNS), [task])["run"]
    near_the_best(over_best(controller, somewhere(1.0, 5.0), 150))


@pytest.mark.slow
def test_many_ways_round_a_cylinder_are_near_the_best(repertoire: control.Repertoire) -> None:
    task = control.Avoid(smoothness=0.0)
    controller = control.train(small(repertoire, WALKS), [task])["avoid"]
    ratios = over_best(controller, behind_a_cylinder(task), 120)
    # It goes on as if the target were far away until the cylinder is behind.
    assert np.median(ratios) <= 1.03
    assert np.percentile(ratios, 90) <= 1.1
