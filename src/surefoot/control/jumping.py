"""Jumping over a ditch (levine2011, Appendix A)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, number
from surefoot.control.default import JUMP_RISES
from surefoot.control.obstacles import nearing, plain
from surefoot.control.task import TOO_BAD, Actions, Task, Worth
from surefoot.learning import Axis, TaskSpace
from surefoot.motion.steps.step import Mode

SOLE = 0.14
"""[m] from the middle of a foot to its ends: so far from an edge it stands with all of its sole."""

BEFORE = 0.05
"""[m] before the edge: nobody's body stops nearer to it."""

GROWING = 1.15
"""How much farther apart distances become, each from the one before, where that matters less."""

MISSED = 8.0
"""[s/m] What it costs to jump higher or lower than the other side is: knees give way there."""

_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Jump(Task):
    """Jump over a straight ditch of a fixed width, towards a target on the other side.

    Task parameters: how far away the ditch is along the normal of its edge, the direction of the
    normal, the direction of the target, and how much higher the other side is. `size` is the width
    of the ditch.

    Attributes:
        rises: [m] that the other side may be higher.
        spacing: [m] between distances up to `near`: what is jumped off from is a matter of
            centimetres, also for who is still some steps away.
        near: [m].
        far: [m]: ditches that are farther away are as if they were there.
        edge: [m]: a foot that is farther over than this might as well be anywhere in the ditch.
        away: [m]: how far away the target is taken to be, whose direction alone is known.
        beyond: [m] behind the ditch until which time counts: who lands in a stand has to start.
    """

    name: str = "jump"
    capability: str = "jump"
    modes: tuple[Mode, ...] = ("stand", "turn", "walk", "jump")
    required: tuple[Mode, ...] = ("jump", "walk")
    discount: float = 0.97
    arrival: float = 0.8
    size: float = 0.6
    rises: tuple[float, ...] = JUMP_RISES
    spacing: float = 0.06
    near: float = 2.5
    far: float = 7.5
    edge: float = 0.1
    away: float = 6.0
    beyond: float = 1.5

    subject = "obstacle"
    sources = ("target", "constant")
    native_fit = 2
    handover = "beyond"

    @property
    def then(self) -> Task:
        """Straight to the target, at any gait."""
        return plain({*self.modes, "walk"})

    @property
    def space(self) -> TaskSpace:
        """Distance and direction of the ditch, direction of the target, height difference."""
        before = list(np.arange(0.0, self.near, self.spacing))
        apart = 2 * self.spacing
        while before[-1] < self.far:
            before.append(before[-1] + apart)
            apart *= GROWING
        after = -self.size - np.array([1.0, 0.6, 0.3, 0.0]) * self.beyond
        points = np.array([*after, -self.size / 2, *before])
        turned = np.array([-2.2, -1.4, -0.9, -0.5, -0.25, 0.0, 0.25, 0.5, 0.9, 1.4, 2.2, 3.1])
        normal = Axis(name="normal", points=turned, period=2 * np.pi, change="turn")
        target = Axis(name="target", points=turned, period=2 * np.pi, change="turn", away=self.away)
        rise = Axis(name="rise", points=np.array(self.rises))
        axes = (Axis(name="distance", points=points), normal, target, rise)
        return TaskSpace(axes=axes, place="line")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("spacing", "near", "edge", "away", "beyond"):
            number(getattr(self, name), f"{self.name}: {name}", above=0.0)
        number(self.far, f"{self.name}: far", at_least=self.near)

    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """What the way towards the target saves; no foot in the ditch, no jump but over it."""
        edge, _, target, rise = tasks.T
        reward = nearing(actions, target, self.away) / actions.top_speed
        reward -= actions.elapsed(actions.durations)[:, None]
        apart = 1.01 * float(np.max(np.diff(self.rises))) if len(self.rises) > 1 else 0.2
        depth = self.depth(actions)
        before = -edge < self.size - _ROUNDING
        for a, mode in enumerate(actions.modes):
            # A stride over a ditch goes neither up nor down; jumps go where they are made for.
            apart_now = np.abs(float(actions.paths[a, -1, 2]) - rise)
            over = before & (along(actions.paths[a], tasks[:, 1])[-1] - edge > self.size)
            bad = over & (apart_now > (apart if mode == "jump" else 0.16))
            if mode == "jump":
                reward[a] -= np.where(over, MISSED * apart_now, 0.0)
            reward[a] += np.where(bad, TOO_BAD, 0.0)
        # What comes after the ditch counts for a while: who lands in a stand is later there.
        done = np.broadcast_to(-edge > self.size + self.beyond - _ROUNDING, reward.shape)
        reward[done] = 0.0
        return Worth(reward, done, depth)

    def depth(self, actions: Actions) -> Floats:
        """`(a, places)`: how deep feet and bodies get into the ditch; see `Worth`."""
        distance, normals = self.space.axes[:2]
        edge = np.repeat(distance.points, len(normals.points))
        normal = np.tile(normals.points, len(distance.points))
        behind = -edge > self.size - _ROUNDING
        depths = np.empty((len(actions), len(edge)))
        for a, mode in enumerate(actions.modes):
            feet = actions.feet(a)
            # How far feet and body are along the normal, from the near edge on.
            stands = feet[:, 3, None] * np.cos(normal) + feet[:, 4, None] * np.sin(normal) - edge
            body = along(actions.paths[a], normal) - edge
            deep = np.minimum(stands, self.size - stands).max(axis=0, initial=-1.0) + SOLE
            deep[behind] = -1.0  # where somebody has landed they have landed
            inside = np.minimum(body + BEFORE, self.size - body).max(axis=0)
            short = np.maximum(body[0], self.size - body[-1])
            # A jump leads over it, and nothing else ends in it or goes there and back.
            deep = np.maximum(deep, short if mode == "jump" else np.minimum(inside, short))
            if mode == "jump":
                deep[behind] = self.edge
            depths[a] = deep / self.edge
        # Who is farther on has to do with no ditch any more.
        depths[:, -edge > self.size + self.beyond - _ROUNDING] = -1.0
        return depths


def leaping() -> Jump:
    """Jump over a wide ditch out of a run; who stands too near goes back for a run-up first."""
    return Jump(
        name="leap", modes=("stand", "turn", "walk", "run", "jump"),
        required=("jump", "run", "walk"), size=1.0, arrival=1.0, spacing=0.12, near=7.0, far=10.0,
        edge=0.01, away=6.0,
    )  # fmt: skip


def along(path: Floats, directions: Floats) -> Floats:
    """`(samples, t)` [m]: how far along each direction `(t,)` a path `(samples, 4)` has come."""
    return path[:, :1] * np.cos(directions) + path[:, 1:2] * np.sin(directions)
