"""Filmstrips of every controller: what a person does who means it.

    python tools/picture_controllers.py [--out out/controllers] [--frames 24] [controller ...]

Each is played by the step engine in a world with its own kind of obstacle, from a stand that faces
elsewhere: a pillar, the corner of a wall, a ditch. Waits get ready and then go. Beside each picture
it prints the clips, and what the quality report says about feet, joints and knees.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from surefoot import control
from surefoot.animation.pictures import Camera, Picture, filmstrip, person, render, time_label
from surefoot.character import Character, people
from surefoot.math import Pose
from surefoot.motion.quality import assess
from surefoot.motion.quality.slide import foot_slide
from surefoot.world import Body, Place, Static, World
from surefoot.world.primitives import box, cylinder, slab

ROOT = Path(__file__).resolve().parents[1]
RATE = 60.0
EYE = 1.3  # [m] up


@dataclass(frozen=True)
class Shot:
    """Where a controller is shown: the world, and where it goes from a stand with a heading."""

    world: World
    target: tuple[float, float, float]
    heading: float
    waits: float | None = None


def thing(name: str, mesh: object, x: float, y: float, z: float) -> Body:
    """A body at rest."""
    return Body(name=name, mesh=mesh, trajectory=Static(Pose((x, y, z), (1.0, 0.0, 0.0, 0.0))))


def shots() -> dict[str, Shot]:
    """For each controller."""
    ground = thing("ground", slab((60.0, 60.0, 0.2)), 0.0, 0.0, 0.0)
    plain = World([ground])
    pillar = World([ground, thing("pillar", cylinder(0.45, 1.4), 3.5, 0.1, 0.0)])
    wide = World([ground, thing("pillar", cylinder(0.45, 1.4), 4.5, 0.1, 0.0)])
    wall = World([ground, thing("wall", box((0.3, 4.0, 1.2)), 2.4, 1.3, 0.6)])

    def ditch(near: float, width: float) -> World:
        return World([
            thing("near", slab((40.0, 30.0, 0.6)), near - 20.0, 0.0, 0.0),
            thing("far", slab((40.0, 30.0, 0.6)), near + width + 20.0, 0.0, 0.0),
        ])  # fmt: skip

    return {
        "walk": Shot(plain, (4.0, 2.5, 0.0), -0.8),
        "run": Shot(plain, (9.0, 3.0, 0.0), -0.8),
        "arrive": Shot(plain, (4.0, 2.5, 0.0), -0.8),
        "arrive running": Shot(plain, (9.0, 3.0, 0.0), -0.8),
        "corner": Shot(wall, (5.5, 1.0, 0.0), 0.8),
        "avoid": Shot(pillar, (7.0, 0.0, 0.0), 0.6),
        "avoid running": Shot(wide, (9.0, 0.0, 0.0), 0.6),
        "jump": Shot(ditch(2.4, 0.4), (5.0, 0.5, 0.0), 0.7),
        "leap": Shot(ditch(7.0, 0.7), (11.5, 0.5, 0.0), 0.5),
        "wait to walk": Shot(plain, (-4.0, 1.0, 0.0), 0.3, waits=4.0),
        "wait to jump": Shot(ditch(2.4, 0.4), (5.0, 0.5, 0.0), 2.5, waits=4.0),
    }


def acted(
    trained: control.Controllers, name: str, shot: Shot, who: Character
) -> tuple[list[control.Rollout], control.Configuration]:
    """What it does; a wait and what it waits for."""
    start = control.Configuration.standing(trained.repertoire, (0.0, 0.0, 0.0), shot.heading)
    target = Place(None, np.array(shot.target))
    if shot.waits is None:
        adapted = trained[name].adapt(shot.world, who, start, target)
        if not adapted:
            sys.exit(f"{name}: {adapted.why}")
        return [adapted.rollout], start
    then = trained[name.removeprefix("wait to ")]
    about = then.adapt(shot.world, who, start, target).obstacle
    wait = trained[name].rollout(
        start, target, obstacle=about, wait=shot.waits, world=shot.world, character=who
    )
    return [wait, then.adapt(shot.world, who, wait.last, target, t=wait.end).rollout], start


def strip(
    rollouts: Sequence[control.Rollout], start: control.Configuration, world: World,
    who: Character, frames: int,
) -> tuple[Picture, str]:  # fmt: skip
    """Moments of what is played, seen from beside the way; and what there is to say about it."""
    engine = control.play(rollouts, start)
    motion = engine.at(np.arange(engine.start, engine.end, 1 / RATE))
    quality = assess(motion, who.measures, world=world)
    slide = np.nanmax(foot_slide(motion, world, who.skeleton, who.measures))
    way = motion.root[-1, :2] - motion.root[0, :2]
    across = np.array([way[1], -way[0]]) / np.hypot(*way)
    # From the side to which the way bends: what it bends round is behind it.
    if ((motion.root[:, :2] - motion.root[0, :2]) @ across).mean() < 0.0:
        across = -across
    pictures, labels = list[Picture](), list[str]()
    for k in np.linspace(0, len(motion.root) - 1, frames).round().astype(int):
        root = motion.root[k]
        camera = Camera(
            eye=np.array([*(root[:2] + 3.6 * across), EYE]),
            target=np.array([*root[:2], 0.85]),
            size=(210, 250),
        )
        body = person(who, root, motion.rotations[k])
        pictures.append(render(world, float(motion.times[k]), camera, extras=[body]))
        labels.append(time_label(float(motion.times[k])))
    clips = [clip for rollout in rollouts for clip in rollout.clips]
    said = "; ".join(quality.problems) or "nothing wrong"
    told = f"{', '.join(clips)} | feet slide at most {1000 * slide:.1f} mm/s; {said}"
    return filmstrip(pictures, labels, columns=8, gap=3), told


def crouched(
    who: Character,
) -> tuple[list[control.Rollout], control.Configuration, World]:
    """The controller that examples/04_crouch_controller.py adds."""
    sys.path.insert(0, str(ROOT / "examples"))
    example = import_module("04_crouch_controller")
    world = example.beam()
    repertoire = example.low_repertoire(who)
    trained = control.train(repertoire, [example.crouching()])
    start = control.Configuration.standing(repertoire)
    target = Place(None, np.array([5.5, 0.5, 0.0]))
    adapted = trained["crouch under"].adapt(world, who, start, target)
    return [adapted.rollout], start, world


def main() -> None:
    """Draws all, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("controllers", nargs="*")
    parser.add_argument("--out", type=Path, default=Path("out/controllers"))
    parser.add_argument("--frames", type=int, default=24)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    who = people.adult()
    trained = control.load(who)
    chosen = asked.controllers or [*shots(), "crouch under"]
    for name in chosen:
        if name == "crouch under":
            rollouts, start, world = crouched(who)
        else:
            shot = shots()[name]
            world = shot.world
            rollouts, start = acted(trained, name, shot, who)
        picture, told = strip(rollouts, start, world, who, asked.frames)
        file = asked.out / f"{name.replace(' ', '_')}.png"
        picture.save(file)
        print(f"{file}: {told}", flush=True)


if __name__ == "__main__":
    main()
