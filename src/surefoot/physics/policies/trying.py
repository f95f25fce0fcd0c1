"""Policies tried: many bodies, each with a task, until it is done or they fall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.physics.policies.instancing import moved, sight
from surefoot.physics.policies.mirroring import displacement
from surefoot.physics.policies.policy import Policy
from surefoot.physics.policies.tasks import Task
from surefoot.physics.policies.training import Trained
from surefoot.physics.stage import Stage
from surefoot.physics.states import States

LONGEST = 30.0
"""[s] within which a task should be done."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Tried:
    """What became of them.

    Attributes:
        done: `(n,)`: who did the task in time.
        fell: `(n,)`: who fell before that.
        seconds: `(n,)` that it took, or that passed.
        steps: `(n,)` likewise.
        tasks: `(n, axes)`: what was asked for.
        actions: `(a,)`: how often each was chosen.
    """

    done: Bools
    fell: Bools
    seconds: Floats
    steps: Floats
    tasks: Floats
    actions: Floats

    def __str__(self) -> str:
        times = self.seconds[self.done]
        took = f"{times.mean():.1f} s on average, {times.max():.1f} at most" if len(times) else ""
        return (
            f"{self.done.sum()} of {len(self.done)} done ({self.done.mean():.1%}), {took};"
            f" {self.fell.sum()} fell, {(~self.done & ~self.fell).sum()} ran out of time"
        )


def attempt(
    policy: Policy,
    task: Task,
    starts: States,
    tasks: Floats,
    *,
    seconds: float = LONGEST,
    threads: int = 1,
    chooses: Callable[[States, Floats], tuple[Ints, Floats]] | None = None,
) -> Tried:
    """Bodies on a bare floor.

    Args:
        policy: decides.
        task: says when it is done.
        starts: states at foot strikes.
        tasks: `(n, axes)`, one for each start.
        seconds: after which an attempt ends.
        threads: to use.
        chooses: decides instead: indices of actions for states and tasks.
    """
    stage = Stage(policy.body)
    metric = policy.metric
    look = sight(stage, policy.steady)
    signs = np.array([-1.0 if axis.name in policy.sided else 1.0 for axis in policy.space.axes])
    n = len(starts)
    done, fell = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    taken, steps = np.zeros(n), np.zeros(n)
    used = np.zeros(len(policy.actions))
    now, wanted = starts.copy(), np.array(tasks, dtype=np.float64)
    going = np.arange(n, dtype=np.int32)
    decide = chooses or policy.chosen
    while len(going):
        states = now[going]
        canonical, mirrored = metric.mirror.canonical(states)
        own = np.where(mirrored[:, None], wanted[going] * signs, wanted[going])
        there = task.done(look(canonical), own)
        done[going] = there & (taken[going] <= seconds)
        left = ~there & (taken[going] < seconds)
        going, states = going[left], states[left]
        if not len(going):
            break
        picked = decide(states, wanted[going])[0]
        np.add.at(used, picked, 1)
        run = stage.step(states, [policy.actions[int(i)] for i in picked], threads=threads)
        wanted[going] = moved(policy.space, wanted[going], displacement(states, run.states))
        taken[going] += run.of("duration")
        steps[going] += 1
        fell[going] = ~run.standing
        now.positions[going], now.velocities[going] = run.states.positions, run.states.velocities
        now.beats[going] = run.states.beats
        going = going[run.standing]
    return Tried(done=done, fell=fell, seconds=taken, steps=steps, tasks=tasks, actions=used)


def tried(trained: Trained, task: Task, count: int, *, seed: int = 0, threads: int = 1) -> Tried:
    """A trained policy from random explored states, on both feet, with random tasks.

    All of them are starts, those too from which every action leads out of trust.
    """
    rng = np.random.default_rng([12, seed])
    explored = trained.explored
    starts = explored.states[rng.integers(0, len(explored.states), count).astype(np.int32)]
    mirrored = trained.policy.metric.mirror.mirrored(starts)
    right = rng.random(count) < 0.5
    starts = States(
        positions=np.where(right[:, None], mirrored.positions, starts.positions),
        velocities=np.where(right[:, None], mirrored.velocities, starts.velocities),
        beats=np.where(right[:, None], mirrored.beats, starts.beats),
    )
    return attempt(trained.policy, task, starts, task.draw(rng, count), threads=threads)
