"""Going round a cylinder, and round a corner (levine2011, Appendix A)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.control.going import Go, going_anyhow, running
from surefoot.control.task import NEVER, Actions, Task, Worth, columns_of, elapsed, time_of
from surefoot.learning import Axis, Early, Solution, TaskSpace
from surefoot.motion.steps.step import Mode

FINE_CIRCLE = np.array([
    *(-3.12, -2.84, -2.56, -2.28, -2.0, -1.72, -1.46, -1.2, -0.95, -0.7, -0.46, -0.23, 0.0),
    *(0.23, 0.46, 0.7, 0.95, 1.2, 1.46, 1.72, 2.0, 2.28, 2.56, 2.84),
])  # fmt: skip
"""[rad] Directions, denser ahead."""

TWICE = np.sort(np.concatenate([FINE_CIRCLE, 0.5 * (FINE_CIRCLE[1:] + FINE_CIRCLE[:-1])]))
"""[rad] Directions of cylinders: past what is 4 m away, a tenth makes the difference."""

AWAY = (0.0, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.8, 2.2, 2.8, 3.5)
"""Distances of a cylinder, in radii; and one that is 2 m farther away."""

APART = (1.0, 1.6, 2.5, 4.0, 7.0, 12.0)
"""How far targets are from its axis, in radii; farther ones are as if they were there."""

DEEP = 0.2
"""Of a cylinder's radius: who is that far inside might as well be anywhere in it."""


def plain(modes: Collection[Mode]) -> Go:
    """Going to a target without an obstacle, with moves of these modes."""
    if "run" in modes:
        return going_anyhow() if "walk" in modes else running()
    return Go()


def circle(name: str) -> Axis:
    """All directions, denser ahead."""
    return Axis(name=name, points=FINE_CIRCLE, period=2 * np.pi, change="turn")


def progress(actions: Actions, directions: Floats) -> Floats:
    """`(a, t)` [m]: how far actions go in each direction `(t,)` [rad]."""
    ends = actions.paths[:, -1]
    return ends[:, :1] * np.cos(directions) + ends[:, 1:2] * np.sin(directions)


@dataclass(frozen=True, kw_only=True)
class Avoid(Task):
    """Go round a cylinder of a fixed radius to a target.

    Task parameters: how far away the cylinder's axis is and in which direction; in which direction
    the target is from there, and how far. (A cylinder looks the same from all sides, so that the
    paper's four are three, which know the direction of the target only: whoever runs passes by what
    is near behind the cylinder.)
    """

    name: str = "avoid"
    size: float = 1.0

    subject = "obstacle"
    sources = ("bearing", "apart")
    sides = True
    native_fit = 1
    handover = "clear"

    @property
    def then(self) -> Task:
        """Straight to the target."""
        return plain(self.modes)

    @property
    def space(self) -> TaskSpace:
        """Distance and direction of the cylinder, direction and distance of the target from it."""
        points = np.array(AWAY) * self.size
        distance = Axis(name="distance", points=np.append(points, points[-1] + 2.0))
        direction = replace(circle("direction"), points=TWICE)
        apart = Axis(name="apart", points=np.array(APART) * self.size)
        axes = (distance, direction, circle("bearing"), apart)
        return TaskSpace(axes=axes, place="polar")

    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """The time it takes; never through the cylinder."""
        inside, depth = self.depth(actions)
        reward = -actions.elapsed(actions.durations)[:, None] - 2.0 * inside
        columns = columns_of(self.space, ("distance", "direction"))
        return Worth(reward, None, depth, columns, self.arrivals(actions, tasks))

    def arrivals(self, actions: Actions, tasks: Floats) -> Early:
        """Which targets actions come by on their way, and what it saves that they end there."""
        target = target_of(tasks)
        away = np.hypot(*target.T)
        found, saved = list[Ints](), list[Floats]()
        for path, times in zip(actions.paths, actions.times, strict=True):
            reach = float(np.hypot(path[:, 0], path[:, 1]).max()) + self.arrival
            near = np.flatnonzero(away <= reach)
            there = np.hypot(*(path[:, :2] - target[near, None]).transpose(2, 0, 1))
            reached = there <= self.arrival
            ends = reached.any(axis=1)
            when = times[np.argmax(reached[ends], axis=1)]
            found.append(near[ends].astype(np.int32))
            saved.append(actions.elapsed(times[-1:]) - actions.elapsed(when))
        return Early(
            np.cumsum([0, *map(len, found)], dtype=np.int32),
            np.concatenate(found),
            np.concatenate(saved).astype(np.float32),
        )

    @property
    def known_from(self) -> Task:
        """Who goes on once the straight way is clear."""
        return self.then

    def known(self, solution: Solution) -> tuple[Floats, Bools]:
        """What is known where the straight way is clear: how long that takes."""
        tasks = self.space.points()
        target = target_of(tasks)
        clear = ~blocks(tasks, target, self.size)
        go = np.column_stack([
            np.hypot(*target[clear].T), np.arctan2(target[clear, 1], target[clear, 0]),
        ])  # fmt: skip
        # Elsewhere nobody has got anywhere yet: from there on values rise, in few sweeps.
        never = -elapsed(np.array(NEVER), self.discount)
        values = np.full((len(solution.values), len(tasks)), never)
        for state in range(len(values)):
            times = time_of(-solution.many(state, go), self.then.discount)
            values[state, clear] = -elapsed(times, self.discount)
        return values, clear

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
        arrival=0.8, size=1.2,
    )  # fmt: skip


def target_of(tasks: Floats) -> Floats:
    """`(t, 2)` [m]: where the targets of tasks `(t, 4)` are, as the character sees them."""
    away, direction, bearing, apart = tasks.T
    x = away * np.cos(direction) + apart * np.cos(bearing)
    y = away * np.sin(direction) + apart * np.sin(bearing)
    return np.column_stack([x, y])


def blocks(tasks: Floats, target: Floats, radius: float) -> Bools:
    """`(t,)`: where the cylinder of a task is in the straight way to the target `(t, 2)`."""
    centre = tasks[:, :1] * np.column_stack([np.cos(tasks[:, 1]), np.sin(tasks[:, 1])])
    length = np.maximum((target**2).sum(axis=1), 1e-12)
    share = np.clip((centre * target).sum(axis=1) / length, 0.0, 1.0)
    return np.hypot(*(centre - share[:, None] * target).T) < radius - 1e-9


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
