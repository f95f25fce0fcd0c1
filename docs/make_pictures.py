"""Makes the pictures of the README and the docs: `python docs/make_pictures.py [NAME ...]`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import surefoot as sf
from surefoot.animation.pictures import (
    Camera,
    Extra,
    Moment,
    filmstrip,
    footprint,
    frames,
    path,
    person,
    ring,
    save_moving,
    time_label,
)
from surefoot.animation.plots import plot_clip
from surefoot.motion import Clip, find_steps
from surefoot.motion.plants import foot_paths

ABOVE = np.array([0.0, 0.0, 0.02])
"""[m] So that marks lie on the ground and not in it."""

FOLDER = Path(__file__).parent / "pictures"


def walked(scene: str) -> sf.Animation:
    """The walk of a built-in scene."""
    loaded = sf.scenes.load(scene)
    adult = sf.people.adult()
    problem = sf.Problem(
        world=loaded.world, character=adult, start=loaded.start, goal=sf.Goal(loaded.goal)
    )
    return sf.animate(sf.plan(problem), loaded.world, adult)


def at(animation: sf.Animation, t: float) -> Extra:
    """The person at a moment."""
    return person(animation.character, *animation.pose(t))


def prints(animation: sf.Animation, until: float) -> list[Extra]:
    """The footprints left so far, where their ground has taken them."""
    world = animation.world
    return [
        footprint(world.position(step.place, until), step.heading, step.foot)
        for step in animation.footsteps
        if step.start <= until
    ]


def yard() -> None:
    """The README's moving picture: the whole walk, at twice its speed."""
    animation = walked("yard")
    times = np.arange(animation.start, animation.end, 0.2)
    way = animation.path[::6] + ABOVE
    goal = ring(animation.path[-1] + ABOVE, 0.35)
    moments = [
        Moment(float(t), [at(animation, float(t)), *prints(animation, float(t))]) for t in times
    ]
    camera = Camera(
        eye=np.array([6.5, -7.5, 6.6]), target=np.array([-0.9, 2.3, 0.2]), size=(720, 405)
    )
    pictures = frames(
        animation.world, moments, camera, extras=[path(way, opacity=0.6), goal], quality="good"
    )
    save_moving(FOLDER / "yard.png", list(pictures), frame_rate=10, colors=128)


def stairs() -> None:
    """A filmstrip: up the stairs of the stair house, its walls and upper floor taken away."""
    animation = walked("stair house")
    hidden = ("outer walls", "inner walls", "upper floor", "stair guard", "parapet", "sliding door")
    world = sf.World(body for body in animation.world if body.name not in hidden)
    pictures = []
    times = np.linspace(9.0, 11.4, 7)
    for t in times:
        root, _ = animation.pose(float(t))
        camera = Camera(
            eye=root + np.array([0.6, -3.6, 0.5]),
            target=root + np.array([0.0, 0.0, -0.15]),
            size=(230, 330),
        )
        moments = [Moment(float(t), [at(animation, float(t))])]
        pictures.extend(frames(world, moments, camera, quality="good"))
    strip = filmstrip(pictures, [time_label(float(t)) for t in times])
    strip.save(FOLDER / "stairs.png", colors=200)


def clip() -> None:
    """What `surefoot clips inspect` draws: here of a walk up the stairs of the stair house."""
    animation = walked("stair house")
    times = np.arange(animation.start + 5.0, animation.start + 13.0, 1 / 120)
    poses = [animation.pose(float(t)) for t in times]
    walk = Clip(
        name="up the stairs",
        skeleton=animation.character.skeleton,
        rate=120.0,
        root=np.array([root for root, _ in poses]),
        rotations=np.array([turned for _, turned in poses]),
    )
    measures = animation.character.measures
    steps, plants = find_steps(walk, measures)
    picture = plot_clip(
        foot_paths(walk, measures),
        plants,
        steps,
        title=f"{walk.name}   {walk.duration:.2f} s at {walk.rate:.0f} frames a second",
        notes=f"{len(plants)} plants, {len(steps)} steps",
    )
    picture.save(FOLDER / "clip.png", colors=96)


PICTURES: dict[str, Callable[[], None]] = {"yard": yard, "stairs": stairs, "clip": clip}


def main(names: list[str]) -> None:
    """Makes the named pictures, all by default."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or PICTURES:
        PICTURES[name]()
        print(f"made {FOLDER / name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
