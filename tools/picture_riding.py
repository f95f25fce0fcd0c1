"""A person walks on a train that starts: `python tools/picture_riding.py [FILE.png]`."""

from __future__ import annotations

import sys

import numpy as np

from surefoot.animation.pictures import Camera, filmstrip, render
from surefoot.physics import Platform, Stage, load_body
from surefoot.physics.showing import world_of
from surefoot.world import Keyframed

RATE, SECONDS, ACCELERATION = 50.0, 7.0, 0.6


def starting() -> Keyframed:
    """At rest for a second, then faster and faster."""
    times = np.arange(0.0, SECONDS + 1, 0.02)
    x = 0.5 * ACCELERATION * np.maximum(0.0, times - 1.0) ** 2
    places = np.stack([x, 0 * x, 0 * x + 0.4], axis=1)
    return Keyframed(times, places, np.tile([1.0, 0.0, 0.0, 0.0], (len(times), 1)))


def main() -> None:
    """Draws the filmstrip."""
    train = Platform(
        name="train", low=(-3.0, -1.2, -0.3), high=(9.0, 1.2, 0.0), trajectory=starting()
    )
    stage = Stage(load_body("humanoid"), platforms=[train])
    states = stage.aboard(stage.starting("walk"), "train")
    run = stage.advance(states, "walk", SECONDS, frames_per_second=RATE)
    on = stage.seen_from(run.states, "train", SECONDS)
    print(f"up {run.standing[0]}, {on.places[0, 0]:.2f} m along the train, which went "
          f"{run.states.positions[0, -7]:.2f} m")  # fmt: skip
    world = world_of(stage, run.frames[0], RATE)
    shots = []
    for t in np.linspace(0.4, SECONDS - 0.6, 7):
        frame = run.frames[0, int(t * RATE)]
        target = np.array([frame[0], frame[1], 1.1])
        eye = target + np.array([0.8, -4.6, 0.7])
        camera = Camera(eye=eye, target=target, size=(200, 260), view_height=2.5)
        shots.append(render(world, float(t), camera, quality="draft"))
    filmstrip(shots).save(sys.argv[1] if len(sys.argv) > 1 else "riding.png")


if __name__ == "__main__":
    main()
