"""Planned footsteps, to look at: one character that goes to a goal, moment by moment.

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
from surefoot.world.primitives import slab


def hall() -> sf.World:
    """A floor."""
    return sf.World([sf.Body(name="floor", mesh=slab((30.0, 30.0, 0.1)))])


def walked(goal: tuple[float, float], heading: float) -> sf.Animation:
    """A character on its way to a goal."""
    world, adult = hall(), sf.people.adult()
    problem = sf.Problem(
        world=world, character=adult, start=sf.Place(None, (0.0, 0.0, 0.0)),
        goal=sf.Goal(sf.Place(None, (*goal, 0.0))), start_heading=heading,
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
    for name, goal, heading in (
        ("ahead", (4.0, 1.0), 0.0),
        ("round", (-2.5, 1.5), 0.0),
        ("aside", (0.6, 1.2), 0.0),
    ):
        strip(walked(goal, heading)).save(target / f"{name}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
