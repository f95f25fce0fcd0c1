"""A simulated body: it walks, is pushed, steps on, and changes its gait; many at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from surefoot import animation, physics
from surefoot.physics.playing import play


def main(folder: Path) -> None:
    body = physics.load_body("bird")
    stage = physics.Stage(body)
    print(f"{body.name}: {body.anatomy.mass:.1f} kg, {body.anatomy.freedom} degrees of freedom")

    # Ten of them walk; then each is pushed to the left, harder from one to the next.
    run = stage.advance(stage.starting("walk", 10), "walk", 3.0, threads=2)
    pushed = run.states.copy()
    pushed.velocities[:, 1] += np.linspace(0.0, 1.8, 10)
    run = stage.advance(pushed, "walk", 4.0, threads=2)
    print("still up after a push:", run.standing.tolist())

    # One step at a time, as policies decide: until the next foot strike.
    step = stage.step(run.states[run.standing], physics.Blend("walk", "turn left", 0.5))
    print("the rest of their steps took", step.of("duration").round(3).tolist(), "s")

    played = play(body, ["walk", "turn left sharply", "in place"], 2.0)
    print("\n".join(played.told()))
    animation.save_world(folder / "bird.glb", played.world(), end=played.seconds)


if __name__ == "__main__":
    main(Path())
