"""A policy played: one body after one goal after the other, recorded to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.math import Pose
from surefoot.physics.policies.instancing import moved, sight
from surefoot.physics.policies.mirroring import displacement, turned
from surefoot.physics.policies.policy import Policy
from surefoot.physics.policies.tasks import Task
from surefoot.physics.policies.trusted import cycle
from surefoot.physics.showing import world_of
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import States
from surefoot.world import Body, Static, World, primitives

_RATE = 50.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Performance:
    """What a body did.

    Attributes:
        stage: where.
        frames: `(n, nq)` recorded positions.
        rate: [1/s] of them.
        actions: one for each step.
        goals: `(g, 3)` places [m] and directions [rad] in the world, where tasks have such.
        times: [s] at which each goal was done; shorter than the goals where one was not.
        standing: whether the body is still up.
    """

    stage: Stage
    frames: Floats
    rate: float
    actions: Sequence[Action]
    goals: Floats
    times: Sequence[float]
    standing: bool

    @property
    def seconds(self) -> float:
        """[s] that were recorded."""
        return (len(self.frames) - 1) / self.rate

    def told(self) -> list[str]:
        """A line for each goal, and how it ended."""
        lines = [f"goal {i} done after {time:.1f} s" for i, time in enumerate(self.times, start=1)]
        if not self.standing:
            lines.append(f"it fell after {self.seconds:.1f} s")
        elif len(self.times) < len(self.goals):
            lines.append(f"goal {len(self.times) + 1} not done after {self.seconds:.1f} s")
        lines.append(f"{len(self.actions)} steps with {len(set(self.actions))} actions")
        return lines

    def world(self) -> World:
        """To look at: the body on its floor, and its goals as flat marks."""
        world = world_of(self.stage, self.frames, self.rate)
        marks = [
            Body(
                name=f"goal {i}",
                mesh=primitives.cylinder(0.1, 0.02),
                trajectory=Static(Pose.at(float(x), float(y), 0.001)),
                color=(0.9, 0.5, 0.1),
                solid=False,
            )
            for i, (x, y, _) in enumerate(self.goals, start=1)
        ]
        return world.copy([*world, *marks])


def perform(
    policy: Policy,
    task: Task,
    goals: Sequence[Sequence[float]],
    *,
    seconds: float = 30.0,
    start: str = "in place",
) -> Performance:
    """A body that is given one task after the other, each when the one before is done.

    Args:
        policy: decides.
        task: says when it is done.
        goals: task parameters, as the body sees them when each is given.
        seconds: for each, > 0.
        start: a gait whose steady state it begins in.
    """
    if not goals:
        raise InputError("play needs at least one goal")
    stage = Stage(policy.body)
    begin = cycle(stage, start)
    if begin is None:
        raise InputError(f"{policy.body.name} has no steady {start}")
    metric = policy.metric
    look = sight(stage, policy.steady)
    signs = np.array([-1.0 if axis.name in policy.sided else 1.0 for axis in policy.space.axes])
    now = begin[[0]]
    frames: list[Floats] = []
    actions: list[Action] = []
    times: list[float] = []
    marks: list[tuple[float, float, float]] = []
    clock, standing = 0.0, True
    for goal in goals:
        wanted = np.array([goal], dtype=np.float64)
        if wanted.shape != (1, len(policy.space.axes)):
            named = ", ".join(axis.name for axis in policy.space.axes)
            raise InputError(f"{task.name}: a goal has {wanted.shape[1]} numbers, needs: {named}")
        marks.append(_mark(policy, now, wanted[0]))
        given, reached = clock, False
        while standing and not reached and clock - given < seconds:
            action = policy.act(now, wanted[0].tolist())
            run = stage.step(now, action, frames_per_second=_RATE)
            seen = int(np.ceil(float(run.of("duration")[0]) * _RATE - 1e-6))
            frames.append(run.frames[0, : max(1, seen)])
            actions.append(action)
            clock += float(run.of("duration")[0])
            standing = bool(run.standing[0])
            if standing:
                wanted = moved(policy.space, wanted, displacement(now, run.states))
                now = run.states
                canonical, mirrored = metric.mirror.canonical(now)
                own = wanted * signs if mirrored[0] else wanted
                reached = bool(task.done(look(canonical), own)[0])
        if not reached:
            break
        times.append(clock)
    whole = np.concatenate([*frames, now.positions])
    return Performance(
        stage=stage, frames=whole[np.isfinite(whole).all(axis=1)], rate=_RATE, actions=actions,
        goals=np.array(marks), times=times, standing=standing,
    )  # fmt: skip


def _mark(policy: Policy, state: States, task: Floats) -> tuple[float, float, float]:
    """Where a goal lies in the world; tasks without a place are marked three metres ahead."""
    heading = float(state.headings[0])
    names = [axis.name for axis in policy.space.axes]
    turn = float(task[names.index("heading")]) if "heading" in names else 0.0
    if policy.space.place == "plane":
        offset = turned(task[None, :2], np.array([heading]))[0]
    else:
        offset = 3.0 * np.array([np.cos(heading + turn), np.sin(heading + turn)])
    x, y = state.places[0, :2] + offset
    return float(x), float(y), heading + turn
