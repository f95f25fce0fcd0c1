"""Jumping over a ditch (levine2011, Appendix A)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.control.default import JUMP_RISES
from surefoot.control.obstacles import plain, progress
from surefoot.control.task import TOO_BAD, Actions, Task, Worth
from surefoot.learning import Axis, TaskSpace
from surefoot.motion.steps.step import Mode

SOLE = 0.14
"""[m] from the middle of a foot to its ends: so far from an edge it stands with all of its sole."""


@dataclass(frozen=True, kw_only=True)
class Jump(Task):
    """Jump over a straight ditch of a fixed width, towards a target on the other side.

    Task parameters: how far away the ditch is along the normal of its edge, the direction of the
    normal, the direction of the target, and how much higher the other side is. `size` is the width
    of the ditch.
    """

    name: str = "jump"
    capability: str = "jump"
    modes: tuple[Mode, ...] = ("stand", "turn", "walk", "jump")
    required: tuple[Mode, ...] = ("jump", "walk")
    discount: float = 0.97
    arrival: float = 0.8
    size: float = 0.6
    rises: tuple[float, ...] = JUMP_RISES

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
        near = np.concatenate([np.arange(0.0, 0.75, 0.1), np.arange(0.85, 2.0, 0.15)])
        before = [*near, *np.arange(2.2, 4.0, 0.25), *np.arange(4.2, 5.9, 0.27), 6.5, 7.5]
        points = np.array([-self.size - 0.6, -self.size - 0.3, -self.size, -self.size / 2, *before])
        turned = np.array([-2.2, -1.4, -0.9, -0.5, -0.25, 0.0, 0.25, 0.5, 0.9, 1.4, 2.2, 3.1])
        normal = Axis(name="normal", points=turned, period=2 * np.pi, change="turn")
        target = Axis(name="target", points=turned, period=2 * np.pi, change="turn")
        rise = Axis(name="rise", points=np.array(self.rises))
        axes = (Axis(name="distance", points=points), normal, target, rise)
        return TaskSpace(axes=axes, place="line")

    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """What the way towards the target saves; no foot in the ditch, no jump but over it."""
        edge, normal, target, rise = tasks.T
        reward = progress(actions, target) / actions.top_speed
        reward -= actions.elapsed(actions.durations)[:, None]
        ends = np.empty(reward.shape, dtype=np.bool_)
        apart = 1.01 * float(np.max(np.diff(self.rises))) if len(self.rises) > 1 else 0.2
        for a, mode in enumerate(actions.modes):
            feet = actions.feet(a)
            # How far feet and body are along the normal, from the near edge on.
            stands = feet[:, 3, None] * np.cos(normal) + feet[:, 4, None] * np.sin(normal) - edge
            body = along(actions.paths[a], normal) - edge
            behind = body[0] > self.size
            over = ~behind & (body[0] < 0) & (body[-1] > self.size)
            in_ditch = ((stands > -SOLE) & (stands < self.size + SOLE)).any(axis=0)
            in_ditch |= ~over & ((body > -0.05) & (body < self.size)).any(axis=0)
            up = float(actions.paths[a, -1, 2])
            apart_now = np.abs(up - rise)
            # A stride over a ditch goes neither up nor down; jumps go where they are made for.
            bad = in_ditch | (over & (apart_now > (apart if mode == "jump" else 0.16)))
            if mode == "jump":
                bad |= ~over
                reward[a] -= np.where(over, 2.0 * apart_now, 0.0)
            reward[a] = np.where(behind, 0.0, reward[a] + np.where(bad, TOO_BAD, 0.0))
            ends[a] = behind | over
        return Worth(reward, ends)


def leaping() -> Jump:
    """Jump over a wide ditch out of a run."""
    return Jump(
        name="leap", modes=("stand", "turn", "run", "jump"), required=("jump", "run", "walk"),
        size=1.0, arrival=1.0,
    )  # fmt: skip


def along(path: Floats, directions: Floats) -> Floats:
    """`(samples, t)` [m]: how far along each direction `(t,)` a path `(samples, 4)` has come."""
    return path[:, :1] * np.cos(directions) + path[:, 1:2] * np.sin(directions)
