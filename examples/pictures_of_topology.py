"""Travellers in worlds whose future nobody knows, to look at.

python examples/pictures_of_topology.py disconnected 0 out/topology
"""

from __future__ import annotations

import sys
from math import pi
from pathlib import Path

import numpy as np

import surefoot as sf
from surefoot.animation import Animation
from surefoot.animation.pictures import Camera, Picture, filmstrip, path, person, render
from surefoot.planning import Kind
from surefoot.world import World


def shot(animation: Animation, world: World, t: float, camera: Camera) -> Picture:
    """The traveller at a moment, and the way it has gone."""
    motion = animation.motion
    index = int(np.argmin(np.abs(np.asarray(motion.times) - t)))
    cast = [person(animation.character, motion.root[index], motion.rotations[index])]
    gone = animation.path[: index + 1 : 3]
    if len(gone) > 2:
        cast.append(path(gone, radius=0.02))
    return render(world, t, camera, extras=cast, quality="draft")


def overview(animation: Animation, world: World, count: int = 6) -> Picture:
    """All of it from above, as time goes by."""
    points = animation.path
    camera = Camera.framing(points, azimuth=-2.0, elevation=0.9, size=(560, 420))
    times = np.linspace(animation.plan.start, animation.plan.end, count)
    shots = [shot(animation, world, float(t), camera) for t in times]
    return filmstrip(shots, [f"{t:.1f} s" for t in times], columns=3)


def jumps(animation: Animation, world: World, count: int = 9) -> Picture:
    """Close by, through the first jump that leaves one moving thing for another."""
    plan = animation.plan
    flights = [f for s in plan.segments if s.kind is Kind.JUMP for f in s.flights]
    flight = flights[min(1, len(flights) - 1)]
    middle = plan.position(0.5 * (flight.start + flight.end), world)
    tall = animation.character.measures.height
    box = middle + tall * np.array([[-1.6, -1.6, -0.4], [1.6, 1.6, 1.2]])
    camera = Camera.framing(box, azimuth=-pi / 3, elevation=0.35, size=(400, 360))
    times = np.linspace(flight.start - 0.5, flight.end + 0.5, count)
    shots = [shot(animation, world, float(t), camera) for t in times]
    return filmstrip(shots, [f"{t:.2f} s" for t in times], columns=3)


def main(name: str = "disconnected", seed: str = "0", folder: str = "out/topology") -> None:
    from surefoot.world.scenes import disconnected

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    character = sf.people.little()
    world, places = disconnected.made(int(seed))
    problem = sf.Problem(
        world=world, character=character, start=places["start"], goal=sf.Goal(places["goal"]),
        horizon=180.0,
    )  # fmt: skip
    plan = sf.Topology().plan(problem)
    print(plan)
    print(plan.check(world))
    animation = sf.animate(plan, world, character)
    overview(animation, world).save(target / f"{name} overview.png")
    jumps(animation, world).save(target / f"{name} jump.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
