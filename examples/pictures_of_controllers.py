"""Controllers, to look at: filmstrips of rollouts, where they go, and what their values are.

    python examples/pictures_of_controllers.py out/controllers

Bodies should turn with their steps, feet should stay where they stand, and nothing should jerk
where one move follows another.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np

from surefoot import control
from surefoot.animation.pictures import Camera, Picture, filmstrip, path, person, render
from surefoot.animation.plots.controllers import rollouts_plot, value_plot
from surefoot.arrays import Floats
from surefoot.character import Character, people
from surefoot.world import Body, Place, World
from surefoot.world.primitives import slab

COUNT = 14  # pictures in a row

_ditch = control.Obstacle(-5.0, 0.0, np.pi, (0.0,))


def strip(
    who: Character, rollout: control.Rollout, start: control.Configuration, world: World
) -> Picture:  # fmt: skip
    """Moments of a rollout, played by the step engine, seen from the right of its way."""
    engine = control.play(rollout, start)
    times = np.linspace(engine.start, engine.end, COUNT)
    motion = engine.at(times)
    _, way = rollout.path(10.0)
    pictures: list[Picture] = []
    for i in range(COUNT):
        target: Floats = motion.root[i] * [1.0, 1.0, 0.0] + [0.0, 0.0, 0.9]
        camera = Camera(target + np.array([2.5, -7.0, 2.5]), target, size=(150, 260),
                        view_height=2.4)  # fmt: skip
        extras = [person(who, motion.root[i], motion.rotations[i])]
        if np.ptp(way[:, :2], axis=0).max() > 0.05:
            line = way[:, :3] + [0.0, 0.0, 0.01]
            extras.append(path(line, color=(0.8, 0.1, 0.05), radius=0.012))
        pictures.append(render(world, float(times[i]), camera, extras=extras, quality="draft"))
    return filmstrip(pictures, gap=2)


def scenes() -> list[tuple[str, control.Obstacle | None, tuple[float, float, float], World]]:
    """What each controller is shown doing: its obstacle, its target, and ground for it."""
    level = World([Body(name="ground", mesh=slab((60.0, 60.0, 0.2)))])

    def ditch(near: float, width: float, rise: float) -> World:
        return World([
            Body(name="near", mesh=slab((30.0, 30.0, 0.4), (near - 15.0, 0.0, 0.0))),
            Body(name="far", mesh=slab((30.0, 30.0, 0.4), (near + width + 15.0, 0.0, rise))),
        ])  # fmt: skip

    return [
        ("walk", None, (-1.0, 3.0, 0.0), level),
        ("run", None, (2.0, 8.0, 0.0), level),
        ("corner", control.Obstacle(5.0, 3.0, np.pi / 2), (5.0, 3.0, 0.0), level),
        ("avoid", control.Obstacle(2.6, 0.2), (5.5, 0.0, 0.0), level),
        ("jump", control.Obstacle(1.6, 0.0, 0.0, (0.15,)), (3.6, 0.0, 0.15), ditch(1.6, 0.6, 0.15)),
        ("avoid running", control.Obstacle(4.0, 0.2), (8.0, 0.0, 0.0), level),
        ("leap", control.Obstacle(6.0, 0.0, 0.0, (-0.3,)), (9.5, 0.0, -0.3), ditch(6.0, 1.0, -0.3)),
    ]


def crouched(folder: Path, who: Character) -> None:
    """The controller of examples/04_crouch_controller.py, under its beam."""
    own = runpy.run_path(str(Path(__file__).with_name("04_crouch_controller.py")))
    world, repertoire = own["beam"](), own["low_repertoire"](who)
    under = control.train(repertoire, [own["crouching"]()])["crouch under"]
    start = control.Configuration.standing(repertoire)
    target = Place(None, np.array([5.5, 0.5, 0.0]))
    rollout = under.adapt(world, who, start, target).rollout
    print("crouch under", rollout.ending, f"{rollout.duration:.1f} s", *rollout.clips, sep=", ")
    strip(who, rollout, start, world).save(folder / "crouch under.png")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    who = people.adult()
    controllers = control.load(who, threads=2)
    start = control.Configuration.standing(controllers.repertoire)
    for name, obstacle, target, world in scenes():
        controller = controllers[name]
        rollout = controller.rollout(start, target, obstacle=obstacle, world=world, character=who)
        print(name, rollout.ending, f"{rollout.duration:.1f} s", *rollout.clips, sep=", ")
        if rollout.pieces:
            strip(who, rollout, start, world).save(folder / f"{name}.png")
    level = World([Body(name="ground", mesh=slab((60.0, 60.0, 0.2)))])
    running = controllers.repertoire.action("run 3.3")
    runs = control.Configuration.after(controllers.repertoire, running, (0.0, 0.0, 0.0))
    # All of them get ready for what is behind them, and one comes running.
    behind = {
        "corner": control.Obstacle(-5.0, 3.0, np.pi / 2),
        "jump": _ditch,
        "leap": _ditch,
        "avoid": control.Obstacle(-3.0, 0.2),
        "avoid running": control.Obstacle(-4.0, 0.2),
    }
    for next_ in ("walk", "run", "corner", "avoid", "avoid running", "jump", "leap"):
        for name, before in ((f"wait to {next_}", start), (f"wait to {next_}, running", runs)):
            if before is runs and next_ not in ("walk", "leap"):
                continue
            wait = controllers.waiting_for(next_).rollout(
                before, (-8.0, 1.0, 0.0), obstacle=behind.get(next_), wait=4.5
            )
            print(name, *wait.clips, sep=", ")
            strip(who, wait, before, level).save(folder / f"{name}.png")
    crouched(folder, who)
    for name in ("walk", "avoid", "jump"):
        value_plot(controllers[name]).save(folder / f"{name}_values.png")
    rollouts_plot(controllers["walk"]).save(folder / "walk_rollouts.png")
    rollouts_plot(controllers["avoid"], control.Obstacle(3.0, 0.3)).save(
        folder / "avoid_rollouts.png"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
