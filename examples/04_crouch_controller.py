"""A controller of one's own: going under what is too low to walk under.

It takes a few clips (a crouched walk, and getting down and up), what they are worth, and a fit. It
is trained in a second or two, adapts to a beam that walkers cannot pass, and is played by the step
engine like any other.

    python examples/04_crouch_controller.py
"""

from __future__ import annotations

import numpy as np

from surefoot import Body, Place, World, control, people, primitives
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.control.default import default_moves
from surefoot.learning import Axis, TaskSpace
from surefoot.math import Pose
from surefoot.motion.default import default_families
from surefoot.world import Static

DEPTH = 0.9


class CrouchUnder(control.Task):
    """Go to a place, low all the way."""

    @property
    def space(self) -> TaskSpace:
        """How far away the target is, and in which direction."""
        distance = Axis(name="distance", points=np.array([0, 0.3, 0.6, 1, 1.5, 2, 3, 4.5, 7, 10.0]))
        return TaskSpace(axes=(distance, Axis.circle("direction", 32)), place="polar")

    def reward(self, actions: control.Actions, tasks: Floats) -> control.Worth:
        """The time it takes until the target is near."""
        target = tasks[:, :1] * np.column_stack([np.cos(tasks[:, 1]), np.sin(tasks[:, 1])])
        ends = actions.paths[:, -1, :2]
        away = np.linalg.norm(target - ends[:, None], axis=-1)
        here = np.broadcast_to(tasks[:, 0] <= self.arrival, away.shape)
        spent = np.where(here, 0.0, actions.elapsed(actions.durations)[:, None])
        return control.Worth(-spent, here | (away <= self.arrival))

    def fit(
        self, samples: Floats, start: Floats, target: Floats, side: int
    ) -> control.Obstacle | None:
        """Whatever a crouched body bumps into, it cannot go under."""
        del start, target, side
        return None if len(samples) else control.Obstacle(0.0, 0.0)


def crouching() -> CrouchUnder:
    """The task: which moves it uses, and whose room it needs."""
    return CrouchUnder(
        name="crouch under", capability="crouch", modes=("crouch",), required=("crouch",)
    )


def low_repertoire(who: Character) -> control.Repertoire:
    """The default moves, and those of a crouch."""
    footage, moves = default_moves(who)
    families = default_families(who)
    low = families["crouched walk"].made("low walk", speed=0.6, depth=DEPTH)
    down = families["crouch down"].made("get down", depth=DEPTH)
    up = families["crouch up"].made("get up", depth=DEPTH)
    for made in (low, down, up):
        made.add_to(footage)
    landed = sorted(hold.start for hold in low.footholds if hold.start > 0.1)[0]
    sides = (False, True)
    turns = (-0.5, -0.25, 0.0, 0.25, 0.5)
    own = [
        control.Move(clip="get down", start=0.0, end=down.blending, mode="crouch"),
        control.Move(clip="get up", start=0.0, end=up.blending, mode="turn"),
        *(
            control.Move(clip="low walk", start=0.0, end=landed, mode="crouch", mirrored=mirrored,
                         turns=turns)
            for mirrored in sides
        ),
    ]  # fmt: skip
    return control.connected(footage, [*moves, *own])


def beam() -> World:
    """Ground, and a beam across the way that leaves 1.5 m."""
    over = Static(Pose((3.0, 0.0, 1.75), (1.0, 0.0, 0.0, 0.0)))
    return World([
        Body(name="ground", mesh=primitives.slab((40.0, 40.0, 0.2))),
        Body(name="beam", mesh=primitives.box((0.3, 30.0, 0.5)), trajectory=over),
    ])  # fmt: skip


def main() -> None:
    who, world = people.adult(), beam()
    repertoire = low_repertoire(who)
    trained = control.train(repertoire, [control.Go(), crouching()])
    start = control.Configuration.standing(repertoire)
    target = Place(None, np.array([5.5, 0.5, 0.0]))
    for name, controller in trained.items():
        adapted = controller.adapt(world, who, start, target)
        print(f"{name}: {adapted.why}, {adapted.rollout.duration:.1f} s")
    low = trained["crouch under"].adapt(world, who, start, target)
    engine = control.play(low.rollout, start)
    heads = engine.at(np.linspace(engine.start, engine.end, 60)).root[:, 2]
    print(f"the hips are {heads.max():.2f} m up at first and {heads.min():.2f} m under the beam")


if __name__ == "__main__":
    main()
