"""Planned footsteps, to look at: one character on its way to a goal, moment by moment.

    python examples/pictures_of_footsteps.py out/footsteps

Numbers cannot tell whether motion looks like a person; these pictures can.
"""

from __future__ import annotations

import sys
from math import pi
from pathlib import Path

import numpy as np

import surefoot as sf
from surefoot.animation.pictures import Camera, Picture, filmstrip, footprint, person, render
from surefoot.world.primitives import box, placed, slab, stairs


def hall() -> sf.World:
    """A floor."""
    return sf.World([sf.Body(name="floor", mesh=slab((30.0, 30.0, 0.1)))])


Spot = tuple[float, float, float]


def rough() -> dict[str, tuple[sf.World, Spot, Spot]]:
    """Worlds that are not level, each with a way through it."""
    ground = sf.Body(name="ground", mesh=slab((14.0, 6.0, 0.2)))
    flight = sf.Body(name="stairs", mesh=placed(stairs(8, 2.0, 0.17, 0.29)))
    top = sf.Body(name="top", mesh=slab((6.0, 4.0, 0.2), (5.32, 0.0, 1.36)))
    block = sf.Body(name="box", mesh=slab((1.0, 6.0, 0.3), (1.0, 0.0, 0.3)))
    bar = sf.Body(name="bar", mesh=placed(box((0.3, 6.0, 1.0)), 0.8, 0.0, 2.1))
    near = sf.Body(name="near", mesh=slab((6.0, 6.0, 0.2), (-3.0, 0.0, 0.0)))
    far = sf.Body(name="far", mesh=slab((6.0, 6.0, 0.2), (3.95, 0.0, 0.0)))
    low, high = (-1.5, 0.0, 0.0), (3.82, 0.0, 1.36)
    return {
        "stairs up": (sf.World([ground, flight, top]), low, high),
        "stairs down": (sf.World([ground, flight, top]), high, low),
        "step up": (sf.World([ground, block]), low, (1.0, 0.0, 0.3)),
        "jump": (sf.World([near, far]), (-2.0, 0.0, 0.0), (3.0, 0.0, 0.0)),
        "crouch": (sf.World([ground, bar]), (-2.0, 0.0, 0.0), (3.5, 0.0, 0.0)),
    }


def walked(world: sf.World, start: Spot, goal: Spot, heading: float | None = None) -> sf.Animation:
    """A character on its way to a goal."""
    adult = sf.people.adult()
    problem = sf.Problem(
        world=world, character=adult, start=sf.Place(None, start),
        goal=sf.Goal(sf.Place(None, goal)), start_heading=heading,
    )  # fmt: skip
    plan = sf.plan(problem, sf.Footsteps())
    return sf.animate(plan, world, adult)


def strip(animation: sf.Animation, count: int = 18) -> Picture:
    """Moments of a way, seen from its side."""
    world = animation.world
    prints = [
        footprint(world.position(step.place, 0.0), step.heading, step.foot)
        for step in animation.footsteps
    ]
    camera = Camera.framing(
        np.concatenate([animation.path, animation.root + np.array([0.0, 0.0, 0.9])]),
        azimuth=-pi / 2, elevation=0.25, size=(360, 260),
    )  # fmt: skip
    shots: list[Picture] = []
    times = np.linspace(animation.start, animation.end - 0.5, count)
    for t in times.tolist():
        figure = person(animation.character, *animation.pose(t))
        shots.append(render(world, t, camera, extras=[figure, *prints], quality="draft"))
    return filmstrip(shots, [f"{t:.2f} s" for t in times], columns=6)


def main(folder: str = "out/footsteps") -> None:
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, goal in (
        ("ahead", (4.0, 1.0, 0.0)),
        ("round", (-2.5, 1.5, 0.0)),
        ("aside", (0.6, 1.2, 0.0)),
    ):
        strip(walked(hall(), (0.0, 0.0, 0.0), goal, 0.0)).save(target / f"{name}.png")
    for name, (world, start, goal) in rough().items():
        strip(walked(world, start, goal)).save(target / f"{name.replace(' ', '_')}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
