"""Going round a cylinder, and round a corner (levine2011, Appendix A)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.control.going import Go, going_anyhow, running
from surefoot.control.task import Actions, Task, Worth
from surefoot.learning import Axis, TaskSpace
from surefoot.motion.steps.step import Mode

FINE_CIRCLE = np.array([
    *(-3.12, -2.84, -2.56, -2.28, -2.0, -1.72, -1.46, -1.2, -0.95, -0.7, -0.46, -0.23, 0.0),
    *(0.23, 0.46, 0.7, 0.95, 1.2, 1.46, 1.72, 2.0, 2.28, 2.56, 2.84),
])  # fmt: skip
"""[rad] Directions, denser ahead."""

AHEAD = np.array([-0.82, -0.58, -0.345, -0.115, 0.115, 0.345, 0.58, 0.82])
"""[rad] More of them: past what is 4 m away, a tenth makes the difference."""

DEEP = 0.2
"""Of a cylinder's radius: who is that far inside might as well be anywhere in it."""


def plain(modes: Collection[Mode]) -> Go:
    """Going to a target without an obstacle, with moves of these modes."""
    if "run" in modes:
        return going_anyhow() if "walk" in modes else running()
    return Go()


def circle(name: str, away: float | None = None) -> Axis:
    """All directions, denser ahead; of what is `away` [m], or far away."""
    return Axis(name=name, points=FINE_CIRCLE, period=2 * np.pi, change="turn", away=away)


def progress(actions: Actions, directions: Floats) -> Floats:
    """`(a, t)` [m]: how far actions go in each direction `(t,)` [rad]."""
    ends = actions.paths[:, -1]
    return ends[:, :1] * np.cos(directions) + ends[:, 1:2] * np.sin(directions)


def nearing(actions: Actions, directions: Floats, away: float) -> Floats:
    """`(a, t)` [m]: how much nearer actions come to what is `away` [m] in each direction `(t,)`."""
    x, y = actions.paths[:, -1, :1], actions.paths[:, -1, 1:2]
    return away - np.hypot(away * np.cos(directions) - x, away * np.sin(directions) - y)


@dataclass(frozen=True, kw_only=True)
class Avoid(Task):
    """Go round a cylinder of a fixed radius towards a target.

    Task parameters: how far away the cylinder's axis is and in which direction, and the direction
    of the target, as if that lay some way ahead. (The paper's four are these three: a cylinder
    looks the same from all sides.)

    Attributes:
        away: [m]: how far away the target is taken to be, whose direction alone is known: of one
            far away it would not matter how far to the side of the straight way anybody gets.
    """

    name: str = "avoid"
    discount: float = 0.9
    size: float = 1.0
    away: float = 4.0

    subject = "obstacle"
    sources = ("target",)
    sides = True
    native_fit = 1
    handover = "clear"

    @property
    def then(self) -> Task:
        """Straight to the target."""
        return plain(self.modes)

    @property
    def space(self) -> TaskSpace:
        """Distance and direction of the cylinder, direction of the target."""
        points = np.array([0.0, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.8, 2.2, 2.8, 3.5]) * (
            self.size
        )
        distance = Axis(name="distance", points=np.append(points, points[-1] + 2.0))
        finer = np.sort(np.concatenate([FINE_CIRCLE, AHEAD]))
        direction = replace(circle("direction"), points=finer)
        axes = (distance, direction, circle("target", self.away))
        return TaskSpace(axes=axes, place="polar")

    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """What the way towards the target saves, less the time; never through the cylinder."""
        reward = nearing(actions, tasks[:, 2], self.away) / actions.top_speed
        reward -= actions.elapsed(actions.durations)[:, None]
        inside, depth = self.depth(actions)
        each = reward.shape[1] // depth.shape[1]
        return Worth(reward - 2.0 * np.repeat(inside, each, axis=1), None, depth)

    def depth(self, actions: Actions) -> tuple[Floats, Floats]:
        """`(a, places)`: the share of the time and the depth inside, and what that is worth."""
        distance, direction = self.space.axes[:2]
        away = np.repeat(distance.points, len(direction.points))[:, None]
        angle = np.tile(direction.points, len(distance.points))
        centre = away * np.column_stack([np.cos(angle), np.sin(angle)])
        insides = np.empty((len(actions), len(centre)))
        depths = np.empty_like(insides)
        for a, path in enumerate(actions.paths):
            from_it = np.hypot(*(centre[:, None] - path[:, :2]).transpose(2, 0, 1))
            # From inside, the way out is what counts.
            insides[a] = np.clip(self.size - from_it[:, 1:], 0.0, None).mean(axis=1) / self.size
            deeper = np.minimum(self.size, from_it[:, 0]) - from_it[:, 1:].min(axis=1)
            # Little by little, so that what lies between points of the grid is known.
            share = np.minimum(deeper / (DEEP * self.size), 1.0)
            depths[a] = share * (0.3 + insides[a])
        return insides, depths


def avoid_running() -> Avoid:
    """Go round a cylinder at a run."""
    return Avoid(
        name="avoid running", capability="run", modes=("stand", "turn", "run"), required=("run",),
        arrival=0.8, size=1.2, away=6.0,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Corner(Task):
    """Go to a line at a right angle, then follow it.

    Task parameters: how far away the line is along its normal, and the direction of the normal. It
    is followed to the right of the normal.
    """

    name: str = "corner"
    discount: float = 0.9
    size: float = 0.6

    subject = "obstacle"
    sides = True
    native_fit = 3
    handover = "near"

    @property
    def then(self) -> Task:
        """Straight to the target."""
        return plain(self.modes)

    @property
    def space(self) -> TaskSpace:
        """Distance of the line and direction of its normal."""
        half = np.array([0.15, 0.3, 0.5, 0.75, 1.0, 1.4, 2.0, 3.0, 4.5, 7.0])
        distance = Axis(name="distance", points=np.concatenate([-half[::-1], [0.0], half]))
        return TaskSpace(axes=(distance, Axis.circle("normal", 32)), place="line")

    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """Nearer to the line, and along it once it is near.

        Before that, drifting to either side costs as much as it would gain later: fits count on a
        right angle, and a way that cuts it runs into what they kept clear of.
        """
        speed = actions.top_speed
        distance, normal = tasks[:, 0], tasks[:, 1]
        after = distance - progress(actions, normal)
        nearer = np.abs(distance) - np.abs(after)
        along = progress(actions, normal - np.pi / 2)
        away = 0.5 * (np.abs(distance) + np.abs(after))
        on_line = np.clip(1.6 - away / 0.35, 0.0, 1.0)
        followed = on_line * along - (1.0 - on_line) * np.abs(along)
        gained = 1.2 * nearer + followed - 0.3 * away
        return Worth(gained / speed - actions.elapsed(actions.durations)[:, None])
