"""Rollouts as they are played: no skating, no joints beyond their limits, no knees that pop."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot import control
from surefoot.motion.quality import Quality, assess, knee_bounds

Trained = Callable[[str], control.Controller]


def played(
    controller: control.Controller, obstacle: control.Obstacle | None, target: np.ndarray,
    start: control.Configuration,
) -> Quality:  # fmt: skip
    rollout = controller.rollout(start, (*target, 0.0), obstacle=obstacle, longest=12.0)
    engine = control.play(rollout, start)
    times = np.arange(engine.start, engine.end, 1 / 60)
    return assess(engine.at(times), controller.repertoire.footage.measures)


@pytest.mark.parametrize("name", ["walk", "run", "avoid", "jump"])
def test_random_rollouts_are_in_order(trained: Trained, name: str) -> None:
    """The bounds are those of the clips themselves; see tools/rollout_quality.py."""
    rng = np.random.default_rng(31)
    controller = trained(name)
    repertoire = controller.repertoire
    _, sharpest = knee_bounds(repertoire.footage.measures.leg_length)
    bad: list[tuple[str, ...]] = []
    for _ in range(16):
        start = control.Configuration.standing(repertoire)
        if rng.random() < 0.5:
            action = int(rng.choice(controller.learned.actions))
            start = control.Configuration.after(repertoire, action, (0.0, 0.0, 0.0))
        angle = rng.uniform(-np.pi, np.pi)
        way = np.array([np.cos(angle), np.sin(angle)])
        away = rng.uniform(3.0, 9.0)
        obstacle = None
        if name == "avoid":
            obstacle = control.Obstacle(*(0.5 * away * way + rng.normal(0.0, 0.4, 2)))
        elif name == "jump":
            near = rng.uniform(1.5, 3.0)
            obstacle = control.Obstacle(*(near * way), angle, (0.0,))
            away = near + controller.task.size + 2.0
        quality = played(controller, obstacle, away * way, start)
        assert quality.slide < 1e-3
        assert quality.knee_acceleration < 1.2 * sharpest
        if quality.problems:
            bad.append(quality.problems)
    assert len(bad) <= 1, bad
