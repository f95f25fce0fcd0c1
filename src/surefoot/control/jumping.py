"""Jumping over a ditch (levine2011, Appendix A)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, Ints, number
from surefoot.control.default import JUMP_RISES
from surefoot.control.obstacles import plain
from surefoot.control.task import (
    NEVER,
    TOO_BAD,
    Actions,
    Task,
    Worth,
    columns_of,
    elapsed,
    time_of,
)
from surefoot.learning import Axis, Early, Solution, TaskSpace
from surefoot.motion.steps.step import Mode

SOLE = 0.14
"""[m] from the middle of a foot to its ends: so far from an edge it stands with all of its sole."""

BEFORE = 0.05
"""[m] before the edge: nobody's body stops nearer to it."""

GROWING = 1.15
"""How much farther apart distances become, each from the one before, where that matters less."""

MISSED = 8.0
"""[s/m] What it costs to jump higher or lower than the other side is: knees give way there."""

BEHIND = (0.4, 1.2, 2.0, 3.0, 4.5, 7.0)
"""[m] that targets are behind the ditch; farther ones are as if they were there."""

ASIDE = (0.4, 1.0, 2.2, 4.5)
"""[m] that they are to either side, along the edge."""

LANDED = (0.0, 0.7, 1.5, 2.5, 3.5, 5.0, 7.0)
"""[m] behind the ditch where somebody may come to be with the move that leads over it."""

_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Jump(Task):
    """Jump over a straight ditch of a fixed width, to a target on the other side.

    Task parameters: how far away the ditch is along the normal of its edge, the direction of the
    normal, how far the target is aside along the edge and how far behind the ditch, and how much
    higher the other side is. `size` is the width of the ditch. (The paper knows the direction of
    the target only: who leaps seven metres at once passes by what is near behind the ditch.)

    Attributes:
        rises: [m] that the other side may be higher.
        spacing: [m] between distances up to `near`: what is jumped off from is a matter of
            centimetres, also for who is still some steps away.
        near: [m].
        far: [m]: ditches that are farther away are as if they were there.
        edge: [m]: a foot that is farther over than this might as well be anywhere in the ditch.
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

    subject = "obstacle"
    sources = ("aside", "behind", "constant")
    native_fit = 2
    handover = "beyond"

    @property
    def then(self) -> Task:
        """Straight to the target, at any gait."""
        return plain({*self.modes, "walk"})

    @property
    def space(self) -> TaskSpace:
        """Distance and direction of the ditch, where the target is, height difference."""
        before = list(np.arange(0.0, self.near, self.spacing))
        apart = 2 * self.spacing
        while before[-1] < self.far:
            before.append(before[-1] + apart)
            apart *= GROWING
        after = -self.size - np.array(LANDED[::-1])
        points = np.array([*after, -self.size / 2, *before])
        turned = np.array([-2.2, -1.4, -0.9, -0.5, -0.25, 0.0, 0.25, 0.5, 0.9, 1.4, 2.2, 3.1])
        normal = Axis(name="normal", points=turned, period=2 * np.pi, change="turn")
        sideways = np.array([*(-far for far in ASIDE[::-1]), 0.0, *ASIDE])
        aside = Axis(name="aside", points=sideways, change="along")
        behind = Axis(name="behind", points=np.array(BEHIND))
        rise = Axis(name="rise", points=np.array(self.rises))
        axes = (Axis(name="distance", points=points), normal, aside, behind, rise)
        return TaskSpace(axes=axes, place="line")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("spacing", "near", "far", "edge"):
            number(getattr(self, name), f"{self.name}: {name}", above=0.0)
        number(self.far, f"{self.name}: far", at_least=self.near)

    def reward(self, actions: Actions, tasks: Floats) -> Worth:
        """The time it takes; no foot in the ditch, no jump but over it."""
        del tasks
        distances, normals = self.space.axes[:2]
        grid = np.meshgrid(distances.points, normals.points, self.rises, indexing="ij")
        edge, normal, rise = (axis.ravel() for axis in grid)
        reward = np.repeat(-actions.elapsed(actions.durations)[:, None], len(edge), axis=1)
        apart = 1.01 * float(np.max(np.diff(self.rises))) if len(self.rises) > 1 else 0.2
        before = -edge < self.size - _ROUNDING
        for a, mode in enumerate(actions.modes):
            # A stride over a ditch goes neither up nor down; jumps go where they are made for.
            apart_now = np.abs(float(actions.paths[a, -1, 2]) - rise)
            over = before & (along(actions.paths[a], normal)[-1] - edge > self.size)
            bad = over & (apart_now > (apart if mode == "jump" else 0.16))
            if mode == "jump":
                reward[a] -= np.where(over, MISSED * apart_now, 0.0)
            reward[a] += np.where(bad, TOO_BAD, 0.0)
        columns = columns_of(self.space, ("distance", "normal", "rise"))
        return Worth(reward, None, self.depth(actions), columns, self.arrivals(actions))

    def arrivals(self, actions: Actions) -> Early:
        """Which targets actions come by on their way, and what it saves that they end there."""
        edge, normal, aside, behind, _ = self.space.points()[:: len(self.rises)].T
        ahead = edge + self.size + behind
        x = ahead * np.cos(normal) - aside * np.sin(normal)
        y = ahead * np.sin(normal) + aside * np.cos(normal)
        away = np.hypot(x, y)
        first, tasks, saved = [0], list[Ints](), list[Floats]()
        for a, (path, times) in enumerate(zip(actions.paths, actions.times, strict=True)):
            reach = float(np.hypot(path[:, 0], path[:, 1]).max()) + self.arrival
            near = np.flatnonzero((away <= reach) & (-edge < self.size - _ROUNDING))
            there = np.hypot(path[:, 0] - x[near, None], path[:, 1] - y[near, None])
            # On the other side, and not in the air.
            c, s = np.cos(normal[near, None]), np.sin(normal[near, None])
            over = path[:, 0] * c + path[:, 1] * s > edge[near, None] + self.size
            reached = (there <= self.arrival) & over & actions.standing(a)
            ends = reached.any(axis=1)
            when = times[np.argmax(reached[ends], axis=1)]
            sooner = actions.elapsed(times[-1:]) - actions.elapsed(when)
            own = near[ends][:, None] * len(self.rises) + np.arange(len(self.rises))
            tasks.append(own.ravel().astype(np.int32))
            saved.append(np.repeat(sooner, len(self.rises)))
            first.append(first[-1] + own.size)
        return Early(
            np.array(first, dtype=np.int32),
            np.concatenate(tasks).astype(np.int32),
            np.concatenate(saved).astype(np.float32),
        )

    @property
    def known_from(self) -> Task:
        """Who goes on behind the ditch."""
        return self.then

    def known(self, solution: Solution) -> tuple[Floats, Bools]:
        """What is known behind the ditch: how long it takes from there straight to the target."""
        tasks = self.space.points()
        landed: Bools = -tasks[:, 0] > self.size - _ROUNDING
        own = tasks[landed]
        ahead = own[:, 0] + self.size + own[:, 3]
        # Who is content with less is there sooner by that.
        away = np.hypot(ahead, own[:, 2]) - (self.arrival - self.then.arrival)
        direction = own[:, 1] + np.arctan2(own[:, 2], ahead)
        go = np.column_stack([np.clip(away, 0.0, None), direction])
        # Elsewhere nobody has got anywhere yet: from there on values rise, in few sweeps.
        never = -elapsed(np.array(NEVER), self.discount)
        values = np.full((len(solution.values), len(tasks)), never)
        for state in range(len(values)):
            times = time_of(-solution.many(state, go), self.then.discount)
            values[state, landed] = -elapsed(times, self.discount)
        return values, landed

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
        return depths


def leaping() -> Jump:
    """Jump over a wide ditch out of a run; who stands too near goes back for a run-up first."""
    return Jump(
        name="leap", modes=("stand", "turn", "walk", "run", "jump"),
        required=("jump", "run", "walk"), size=1.0, arrival=1.0, spacing=0.12, near=7.0, far=10.0,
        edge=0.01,
    )  # fmt: skip


def striding() -> Jump:
    """Walk over a gap that a step spans: with feet on either side of it, and none in it."""
    return Jump(
        name="stride", capability="walk", modes=("stand", "turn", "walk"), required=("walk",),
        size=0.4, rises=(0.0,), far=5.0,
    )  # fmt: skip


def along(path: Floats, directions: Floats) -> Floats:
    """`(samples, t)` [m]: how far along each direction `(t,)` a path `(samples, 4)` has come."""
    return path[:, :1] * np.cos(directions) + path[:, 1:2] * np.sin(directions)
