"""Makes the pictures of simulated bodies: `python docs/make_body_pictures.py [BODY [GAIT ...]]`.

One filmstrip for each gait: a row from the side and a row from the front, over two steps.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from surefoot.animation.pictures import Camera, Picture, filmstrip, render
from surefoot.physics import Stage, load_body
from surefoot.physics.showing import world_of
from surefoot.physics.trials import thrown_at

FOLDER = Path(__file__).parent / "pictures" / "bodies"
RATE, MOMENTS = 50.0, 7
SIZES = {"humanoid": (170, 230), "bird": (210, 210), "raptor": (330, 200)}
NEAR = {"humanoid": 3.6, "bird": 3.9, "raptor": 4.0}
"""Distances of the camera, in heights of a standing body."""

SHOWN = {
    "humanoid": ("walk", "walk backward", "run", "turn left", "sidestep left"),
    "bird": ("walk", "turn left sharply"),
    "raptor": ("walk",),
}
"""Those that the documentation shows."""


def strip(body: str, gait: str, *, settle: float = 6.0) -> Picture:
    """Two steps of a gait after it has settled."""
    stage = Stage(load_body(body))
    settled = stage.advance(stage.starting(gait), gait, settle)
    stepped = stage.step(settled.states, gait)
    span = 2 * stage.body.gait(gait).step_time + 0.1
    run = stage.advance(stepped.states, gait, span, frames_per_second=RATE)
    seen = max(2, int(float(run.of("duration")[0]) * RATE))
    frames = run.frames[0, :seen]
    world = world_of(stage, frames, RATE)
    heading = float(stepped.states.headings[0])
    pictures: list[Picture] = []
    tall = 1.25 * float(stage.body.standing()[2])
    for azimuth in (heading - np.pi / 2, heading + 0.15):
        for t in np.linspace(0, (len(frames) - 1) / RATE, MOMENTS):
            root = frames[int(t * RATE)][:3]
            target = np.array([root[0], root[1], 0.75 * tall])
            away = np.array([np.cos(azimuth), np.sin(azimuth), 0.12]) * NEAR[body] * tall
            camera = Camera(target + away, target, size=SIZES[body], field_of_view=0.5)
            pictures.append(render(world, float(t), camera, quality="draft"))
    return filmstrip(pictures, columns=MOMENTS, gap=2)


def pushed(*, up: bool, mass: float = 10.0, speed: float = 8.0) -> Picture:
    """A walking humanoid that is hit by a ball and stays up, or does not."""
    stage, states = thrown_at(load_body("humanoid"), "walk", mass=mass, speed=speed, throws=12)
    run = stage.advance(states, "walk", 2.5)
    which = int(np.flatnonzero(run.standing == up)[0])
    film = stage.advance(states[[which]], "walk", 1.5, frames_per_second=RATE)
    frames = film.frames[0, : int(float(film.of("duration")[0]) * RATE)]
    world = world_of(stage, frames, RATE)
    ball = int(stage.model.joint("ball").qposadr[0])
    thrown = frames[0, ball : ball + 2] - frames[0, :2]
    side = np.array([-thrown[1], thrown[0]]) / np.linalg.norm(thrown)
    pictures: list[Picture] = []
    for t in np.linspace(0, (len(frames) - 1) / RATE, MOMENTS):
        root = frames[int(t * RATE)][:3]
        target = np.array([root[0], root[1], 0.85])
        camera = Camera(
            target + np.array([*side, 0.12]) * 4.2, target, size=(230, 230), field_of_view=0.5
        )
        pictures.append(render(world, float(t), camera, quality="draft"))
    return filmstrip(pictures, columns=MOMENTS, gap=2)


def main() -> None:
    """Those that the documentation shows, or those that are named."""
    bodies = sys.argv[1:2] or list(SHOWN)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for body in bodies:
        for gait in sys.argv[2:] or SHOWN[body]:
            path = FOLDER / f"{body}_{gait.replace(' ', '_')}.png"
            strip(body, gait).save(path)
            print(path)
    if len(sys.argv) < 2:
        sheet = filmstrip([pushed(up=True), pushed(up=False)], columns=1, gap=2)
        sheet.save(FOLDER / "pushed.png")


if __name__ == "__main__":
    main()
