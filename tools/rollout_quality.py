"""Plays random rollouts of the built-in controllers, and lists those that are not in order.

    python tools/rollout_quality.py [--count 20] [--seed 0] [controller ...]

Feet that slide, joints beyond their limits, knees that pop: the bounds are those that clips of the
default library keep; see `surefoot.motion.quality`.
"""

from __future__ import annotations

import argparse
from math import degrees

import numpy as np

from surefoot import control
from surefoot.character import people
from surefoot.motion.quality import Quality, assess, knee_bounds
from surefoot.world import Body, World
from surefoot.world.primitives import slab

LEVEL = World([Body(name="ground", mesh=slab((80.0, 80.0, 0.2)))])
RATE = 60.0


def scene(
    controller: control.Controller, rng: np.random.Generator
) -> tuple[control.Obstacle | None, tuple[float, float, float]]:
    """A random obstacle of the controller's own kind, and a target."""
    angle = rng.uniform(-np.pi, np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    task = controller.task
    if isinstance(task, control.Jump):
        near = rng.uniform(1.2, 3.0) if task.name == "jump" else rng.uniform(5.0, 7.0)
        x, y = (near * way).tolist()
        end = (near + task.size + rng.uniform(1.5, 4.0)) * way
        return control.Obstacle(x, y, angle, (0.0,)), (float(end[0]), float(end[1]), 0.0)
    away = rng.uniform(1.0, 9.0)
    if isinstance(task, control.Avoid):
        away = rng.uniform(5.0, 9.0)
        x, y = (0.5 * away * way + rng.normal(0.0, 0.4, 2)).tolist()
        return control.Obstacle(x, y), (float(away * way[0]), float(away * way[1]), 0.0)
    if isinstance(task, control.Corner):
        along = rng.uniform(1.5, 6.0) * np.array([-way[1], way[0]])
        x, y = (rng.uniform(1.0, 5.0) * way + along).tolist()
        return control.Obstacle(x, y, angle + np.pi), (x, y, 0.0)
    return None, (float(away * way[0]), float(away * way[1]), 0.0)


def played(
    controller: control.Controller, rng: np.random.Generator
) -> tuple[control.Rollout, Quality]:
    """A random rollout from a stand or any move of the controller's own, and how it looks."""
    repertoire = controller.repertoire
    start = control.Configuration.standing(repertoire)
    if rng.random() < 0.5:
        own = controller.learned.actions
        start = control.Configuration.after(repertoire, int(rng.choice(own)), (0.0, 0.0, 0.0))
    obstacle, target = scene(controller, rng)
    rollout = controller.rollout(start, target, obstacle=obstacle, longest=12.0)
    engine = control.play(rollout, start)
    times = np.arange(engine.start, engine.end, 1 / RATE)
    return rollout, assess(engine.at(times), repertoire.footage.measures)


def main() -> None:
    """Prints the worst, and all that have problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("controllers", nargs="*")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    who = people.adult()
    fastest, sharpest = knee_bounds(who.measures.leg_length)
    trained = control.load(who, control.moving_tasks(), threads=2)
    total = bad = 0
    for name, controller in trained.items():
        if asked.controllers and name not in asked.controllers:
            continue
        rng = np.random.default_rng(asked.seed)
        worst = [0.0, 0.0, 0.0]
        for _ in range(asked.count):
            rollout, quality = played(controller, rng)
            total, bad = total + 1, bad + bool(quality.problems)
            figures = (degrees(quality.beyond_limits), quality.knee_speed,
                       quality.knee_acceleration)  # fmt: skip
            worst = [max(a, b) for a, b in zip(worst, figures, strict=True)]
            if quality.problems:
                print(name, "; ".join(quality.problems), "|", ", ".join(rollout.clips), flush=True)
        print(
            f"{name}: at worst {worst[0]:.1f} deg beyond limits, knees {worst[1]:.1f} of"
            f" {fastest:.1f} rad/s, {worst[2]:.0f} of {sharpest:.0f} rad/s^2",
            flush=True,
        )
    print(f"{total} rollouts, {bad} of them with problems")


if __name__ == "__main__":
    main()
