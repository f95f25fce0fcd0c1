"""Makes the pictures of the README and the docs: `python docs/make_pictures.py [NAME ...]`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import surefoot as sf
from surefoot.animation.highlights import highlights
from surefoot.animation.pictures import (
    Camera,
    Extra,
    Moment,
    exposures,
    filmstrip,
    footprint,
    frames,
    path,
    person,
    render,
    ring,
    save_moving,
    time_label,
)
from surefoot.animation.pictures.cells import cells_picture
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
    """A moving picture: the whole walk through the yard, at twice its speed."""
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


def train_yard(saved: sf.Plan | None = None) -> None:
    """The README's first picture, as `surefoot demo` makes it: across the first train yard."""
    scene, adult = sf.scenes.load("train yard 1"), sf.people.adult()
    problem = sf.Problem(
        world=scene.world, character=adult, start=scene.start, goal=sf.Goal(scene.goal)
    )
    plan = saved or sf.plan(problem, planner=sf.SpaceTime())
    animation = sf.animate(plan, scene.world, adult)
    highlights(animation, size=(300, 240)).save(FOLDER / "train_yard.png", colors=255)


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


def grid_cells() -> None:
    """The cells of the factory: where one can be, borders, and the front to the goal."""
    scene = sf.scenes.load("factory")
    problem = sf.Problem(
        world=scene.world, character=sf.people.adult(), start=scene.start, goal=sf.Goal(scene.goal)
    )
    planner = sf.Grid()
    plan = planner.plan(problem)
    picture = cells_picture(plan, scene.world, planner.map(problem), size=(640, 560))
    picture.save(FOLDER / "grid_cells.png", colors=160)


def course() -> sf.World:
    """A gap to step over, and one to jump onto something higher."""
    box = sf.primitives.box
    meshes = {
        "first": box((3.0, 2.4, 1.0), (-1.5, 0, -0.5)),
        "second": box((3.6, 2.4, 1.0), (2.15, 0, -0.5)),
        "third": box((4.4, 2.4, 1.3), (7.35, 0, -0.35)),
    }
    return sf.World([sf.Body(name=name, mesh=mesh) for name, mesh in meshes.items()])


def grid_actions() -> None:
    """A walk over gaps: one stepped over, one jumped at a run."""
    world, adult = course(), sf.people.adult()
    problem = sf.Problem(
        world=world,
        character=adult,
        start=world.place((-2.6, 0, 0.1)),
        goal=sf.Goal(world.place((8.8, 0, 0.5))),
    )
    plan = sf.plan(problem, sf.Grid())
    print(plan)
    animation = sf.animate(plan, world, adult)
    jump = next(segment for segment in plan.segments if segment.flights)
    in_the_air = (jump.flights[0].start + jump.flights[0].end) / 2
    times = sorted([*np.linspace(plan.start, plan.end, 11).tolist(), in_the_air])
    points = np.concatenate([segment.positions for segment in plan.segments])
    camera = Camera(
        eye=np.array([3.1, -8.2, 2.0]), target=np.array([3.1, 0.0, 0.6]), size=(1100, 300)
    )
    moments = [Moment(t, [at(animation, t)]) for t in times]
    picture = exposures(world, moments, camera, extras=[path(points + ABOVE)], quality="good")
    picture.save(FOLDER / "grid_actions.png", colors=200)


def grid_repair() -> None:
    """Fig. 15 of bandi2000: a crate comes down on a way, which is mended around it."""
    floor = sf.Body(name="floor", mesh=sf.primitives.ground(16, 10))
    wall = sf.Body(name="wall", mesh=sf.primitives.box((0.2, 6, 2), (0, -2, 1)))
    world, planner = sf.World([floor, wall]), sf.Grid()
    problem = sf.Problem(
        world=world,
        character=sf.people.adult(),
        start=world.place((-6, -3, 0)),
        goal=sf.Goal(world.place((6, -3, 0))),
    )
    camera = Camera(eye=np.array([0, -11.0, 13.5]), target=np.array([0, -0.6, 0]), size=(620, 400))
    plan = planner.plan(problem)
    old = np.concatenate([segment.positions for segment in plan.segments]) + ABOVE
    before = render(world, 0.0, camera, extras=[path(old), ring(old[-1])])
    mesh = sf.primitives.box((1.2, 1.2, 1.2), (-3.0, -0.9, 0.6))
    world.add(sf.Body(name="crate", mesh=mesh, color=(0.55, 0.3, 0.08)))
    mended = planner.repair(plan, problem, 1.0)
    new = np.concatenate([segment.positions for segment in mended.segments]) + ABOVE
    grey = path(old, color=(0.25, 0.25, 0.25), radius=0.018, opacity=0.5, through=0.1)
    marks = [grey, path(new + 2 * ABOVE), ring(new[-1])]
    after = render(world, 0.0, camera, extras=marks)
    strip = filmstrip([before, after], ["planned", "mended around a crate"])
    strip.save(FOLDER / "grid_repair.png", colors=160)


PICTURES: dict[str, Callable[[], None]] = {
    "yard": yard,
    "train yard": train_yard,
    "stairs": stairs,
    "clip": clip,
    "grid_cells": grid_cells,
    "grid_actions": grid_actions,
    "grid_repair": grid_repair,
}


def main(names: list[str]) -> None:
    """Makes the named pictures, all by default."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or PICTURES:
        PICTURES[name]()
        print(f"made {FOLDER / name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
