"""Travellers in worlds whose future nobody knows, to look at.

python examples/pictures_of_topology.py disconnected 0 out/topology
python examples/pictures_of_topology.py "physics 2" 1 out/topology
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
from surefoot.planning.topology import travel
from surefoot.world import World

WATCH = 20.0
"""[s]"""


def journey(name: str, seed: int) -> tuple[sf.Plan, World]:
    """What somebody half a metre tall did in a scene, and the scene as it happened."""
    little = sf.people.little()
    if name.startswith("physics"):
        from surefoot.physics import scenes

        scene = scenes.load(name, seed=seed)
        scene.live.record()
        traveller = travel(
            scene, little, scene.places["start"], sf.Goal(scene.places["goal"]), seconds=60.0,
            settings=sf.TopologySettings(watch=scene.settle),
        )  # fmt: skip
        world = scene.live.recording()
        return traveller.plan(world), world
    from surefoot.world.scenes import disconnected, living_room

    world, places = (living_room if name == "living room" else disconnected).made(seed)
    problem = sf.Problem(
        world=world, character=little, start=places["start"], goal=sf.Goal(places["goal"]),
        horizon=180.0,
    )  # fmt: skip
    return sf.Topology(sf.TopologySettings(watch=WATCH)).plan(problem), world


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
    camera = Camera.framing(animation.path, azimuth=-2.0, elevation=0.9, size=(560, 420))
    times = np.linspace(animation.plan.start, animation.plan.end, count)
    shots = [shot(animation, world, float(t), camera) for t in times]
    return filmstrip(shots, [f"{t:.1f} s" for t in times], columns=3)


def close_by(animation: Animation, world: World, count: int = 9) -> Picture:
    """Through the second jump; where nobody jumps, through a crouch or the middle of the way."""
    plan = animation.plan
    flights = [f for s in plan.segments if s.kind is Kind.JUMP for f in s.flights]
    crouched = [s for s in plan.segments if s.kind is Kind.CROUCH]
    middle = 0.5 * (plan.start + plan.end)
    span = (
        (crouched[0].start - 0.6, crouched[0].end + 0.6) if crouched else (middle - 1, middle + 1)
    )
    if flights:
        flight = flights[min(1, len(flights) - 1)]
        span = (flight.start - 0.5, flight.end + 0.5)
    tall = animation.character.measures.height
    points, _ = plan.track(np.linspace(*span, 9), world)
    box = np.array([points.min(axis=0), points.max(axis=0)])
    box = box + tall * np.array([[-1.0, -1.0, -0.3], [1.0, 1.0, 1.2]])
    camera = Camera.framing(box, azimuth=-pi / 3, elevation=0.35, size=(400, 360))
    times = np.linspace(*span, count)
    shots = [shot(animation, world, float(t), camera) for t in times]
    return filmstrip(shots, [f"{t:.2f} s" for t in times], columns=3)


def main(name: str = "disconnected", seed: str = "0", folder: str = "out/topology") -> None:
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    plan, world = journey(name, int(seed))
    print(plan.status, dict(plan.statistics))
    print(str(plan.check(world)).splitlines()[0])
    animation = sf.animate(plan, world, sf.people.little())
    overview(animation, world).save(target / f"{name} overview.png")
    close_by(animation, world).save(target / f"{name} close.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
