"""Times near the best possible: against brute force over all sequences of moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from references.brute_force import Blocked, Search, small
from references.own_tasks import cylinder
from surefoot import control
from surefoot.control.going import running
from surefoot.control.jumping import SOLE, leaping
from surefoot.control.obstacles import avoid_running

WALKS = ("idle", "start 1.25", "walk 1.25", "stop 1.25", "turn 0.6", "turn 1.2")
RUNS = ("idle", "start running 2.5", "run 2.5", "stop running 2.5", "turn 0.6", "turn 1.2")
JUMPS = (*WALKS, "jump 0.9 0.0", "jump 1.15 0.0", "jump 1.4 0.0")
STEPS = (
    *(*JUMPS, "start 0.85", "walk 0.85", "stop 0.85", "turn 0.3", "turn round 2.1"),
    *("step ahead 0.18", "step ahead 0.36", "step back 0.36", "step left 0.18"),
)
OVER = 0.6 + 2 * SOLE  # [m] between feet on either side of a ditch
UNSEEN = 7  # a seed that nothing was tuned on; 0, 100 and 101 were


class Scene:
    """Where to go, and what is in the way."""

    def __init__(
        self, target: np.ndarray, obstacle: control.Obstacle | None = None,
        blocked: Blocked | None = None,
        crossed: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> None:  # fmt: skip
        self.target, self.obstacle = target, obstacle
        self.blocked, self.crossed = blocked, crossed


def over_best(
    controller: control.Controller, scene: Callable[[np.random.Generator, Search], Scene],
    count: int, *, over: float = 0.0, seed: int = UNSEEN,
) -> np.ndarray:  # fmt: skip
    """Times of random rollouts from a stand, over the least times that there are."""
    rng = np.random.default_rng(seed)
    search = Search(controller, over=over)
    found: list[float] = []
    for _ in range(count):
        own = scene(rng, search)
        start = control.Configuration.standing(controller.repertoire)
        rollout = controller.rollout(start, (*own.target, 0.0), obstacle=own.obstacle, longest=40.0)
        assert rollout
        least = search.best_time(own.target, rollout.duration + 0.1, own.blocked, own.crossed)
        found.append(rollout.duration / least)
    return np.array(found)


def somewhere(near: float, far: float) -> Callable[[np.random.Generator, Search], Scene]:
    """Targets all around, with nothing in the way."""

    def scene(rng: np.random.Generator, _: Search) -> Scene:
        away, bearing = rng.uniform(near, far), rng.uniform(-np.pi, np.pi)
        return Scene(away * np.array([np.cos(bearing), np.sin(bearing)]))

    return scene


def behind_a_cylinder(rng: np.random.Generator, search: Search) -> Scene:
    """Targets behind a cylinder, into which nobody cuts by more than a tenth of its radius."""
    task = search.controller.task
    target, centre = cylinder(rng, task)

    def blocked(_: np.ndarray, ways: np.ndarray, __: np.ndarray) -> np.ndarray:
        away = np.hypot(*np.moveaxis(ways - centre, -1, 0))
        return away.min(axis=1) < 0.9 * task.size

    return Scene(target, control.Obstacle(*centre), blocked)


def behind_a_ditch(
    near: float, far: float, behind: tuple[float, float] = (1.5, 4.0), askew: float = np.pi
) -> Callable[[np.random.Generator, Search], Scene]:
    """Targets behind a ditch that no foot stands in, jumped over and nothing else."""

    def scene(rng: np.random.Generator, search: Search) -> Scene:
        size, angle = search.controller.task.size, rng.uniform(-askew, askew)
        normal = np.array([np.cos(angle), np.sin(angle)])
        edge = rng.uniform(near, far)
        beyond = edge + size + rng.uniform(*behind)
        target = beyond * normal + rng.normal(0.0, 0.7) * np.array([-normal[1], normal[0]])

        def blocked(ids: np.ndarray, ways: np.ndarray, feet: np.ndarray) -> np.ndarray:
            body, stands = ways @ normal - edge, feet @ normal - edge
            behind = body[:, 0] > size
            over = (body[:, 0] < 0) & (body[:, -1] > size)
            deep = np.nan_to_num(np.minimum(stands, size - stands), nan=-9.0).max(axis=1)
            inside = ((body > -0.05) & (body < size)).any(axis=1)
            bad = ~behind & ((deep > -SOLE) | (~over & inside))
            return bad | (search.jumps[ids] & ~over)

        ditch = control.Obstacle(*(edge * normal), angle, (0.0,))
        return Scene(target, ditch, blocked, lambda places: places @ normal - edge > size)

    return scene


def near_the_best(
    ratios: np.ndarray, *, median: float = 1.02, most: float = 1.05, mean: float = 1.05
) -> None:
    """`most`: of nine in ten. Between points of the grid a target is missed now and then."""
    assert np.median(ratios) <= median
    assert np.percentile(ratios, 90) <= most
    assert np.mean(ratios) <= mean


def walking(repertoire: control.Repertoire) -> control.Controller:
    return control.train(small(repertoire, WALKS), [control.Go(smoothness=0.0)])["walk"]


def jumping(
    repertoire: control.Repertoire, task: control.Jump, clips: tuple[str, ...]
) -> control.Controller:
    plain = replace(task, smoothness=0.0, rises=(0.0,))
    return control.train(small(repertoire, clips), [plain])[task.name]


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
    # It goes on as if the target were some way ahead until the cylinder is behind.
    near_the_best(over_best(controller, behind_a_cylinder, 120), median=1.03, most=1.1)


@pytest.mark.slow
def test_many_runs_round_a_cylinder_are_near_the_best(repertoire: control.Repertoire) -> None:
    """With all clips that run: a runner who has to stop has seen the cylinder too late."""
    task = replace(avoid_running(), smoothness=0.0)
    controller = control.train(repertoire, [task])[task.name]
    ratios = over_best(controller, behind_a_cylinder, 60)
    near_the_best(ratios, median=1.03, most=1.4, mean=1.12)


def test_jumps_are_near_the_best(repertoire: control.Repertoire) -> None:
    controller = jumping(repertoire, control.Jump(), JUMPS)
    ditch = behind_a_ditch(1.0, 3.0, askew=1.0)
    near_the_best(over_best(controller, ditch, 20, over=OVER), median=1.04, most=1.16)


@pytest.mark.slow
@pytest.mark.parametrize("clips", [JUMPS, STEPS], ids=["few clips", "more clips"])
def test_many_jumps_are_near_the_best(
    repertoire: control.Repertoire, clips: tuple[str, ...]
) -> None:
    controller = jumping(repertoire, control.Jump(), clips)
    ratios = over_best(controller, behind_a_ditch(1.0, 4.0), 40, over=OVER)
    near_the_best(ratios, median=1.04, most=1.16)


@pytest.mark.slow
def test_many_leaps_are_near_the_best(repertoire: control.Repertoire) -> None:
    """With all clips on level ground: a leap is one move of 7 to 9 m, and lands by the target."""
    level = [move.clip for move in repertoire.moves
             if move.mode != "jump" or move.clip.endswith(" 0.0")]  # fmt: skip
    controller = jumping(repertoire, leaping(), tuple(level))
    ratios = over_best(controller, behind_a_ditch(5.0, 8.0, askew=0.4), 80, over=1.0 + 2 * SOLE)
    near_the_best(ratios, median=1.03, most=1.25, mean=1.08)
