"""Bodies that wander: random actions, each kept up for a few steps, and what is learned from them.

Where a body is in the next steps depends on what it does and on the state that it is in. A linear
model of that tells what of a state counts: two states are near when the same actions lead to the
same places. coros2009 (section 6) leaves a learned metric to future work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.errors import InputError
from surefoot.physics.policies.metric import Learned, numbers_of
from surefoot.physics.policies.mirroring import Mirror, displacement, twins
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import States, gathered

AHEAD = 4
"""Steps over which the effect of a state is looked at."""

WIDTH = 8
"""Numbers that a learned metric keeps of a state."""

_SWITCH = 0.35  # chance of another action at a strike
_SURE = 8  # steps before a fall that are no good motion
_TURN = 1.0  # [m/rad] that a turn counts, beside places
_WAIT = 0.5  # [m/s] that a delay counts
_RIDGE = 3.0  # of the regression, in standard deviations of a single state


@dataclass(frozen=True, eq=False, kw_only=True)
class Wandered:
    """What bodies passed through: `bodies` of them, `steps` each.

    Attributes:
        states: canonical, `steps` times all bodies.
        actions: `(steps, bodies)` indices, as seen on the left foot.
        motion: `(steps, bodies, 3)` likewise: ahead, to the left, turned.
        durations: `(steps, bodies)` [s].
        good: `(steps, bodies)`: still up, and for a while longer.
    """

    states: Sequence[States]
    actions: Ints
    motion: Floats
    durations: Floats
    good: Bools

    @property
    def passed(self) -> States:
        """All good states."""
        return gathered([each[good] for each, good in zip(self.states, self.good, strict=True)])


def wander(
    stage: Stage,
    origins: States,
    actions: Sequence[Action],
    *,
    bodies: int = 64,
    steps: int = 40,
    seed: int = 0,
    threads: int = 1,
) -> Wandered:
    """Bodies from canonical states, with random actions.

    Args:
        stage: where.
        origins: canonical states to begin in.
        actions: with all mirror images.
        bodies: how many.
        steps: of each.
        seed: of the choices.
        threads: to use.
    """
    rng = np.random.default_rng([14, seed])
    mirror, swapped = Mirror(stage), np.array(twins(stage.body, actions), dtype=np.intp)
    states = origins[rng.integers(0, len(origins), bodies).astype(np.int32)]
    chosen = rng.integers(0, len(actions), bodies)
    up = np.ones(bodies, dtype=np.bool_)
    passed: list[States] = []
    picks, motions, durations, alive = list[Ints](), list[Floats](), list[Floats](), list[Bools]()
    for _ in range(steps):
        canonical, right = mirror.canonical(states)
        again = rng.random(bodies) < _SWITCH
        chosen = np.where(again, rng.integers(0, len(actions), bodies), chosen)
        run = stage.step(states, [actions[int(i)] for i in chosen], threads=threads)
        up = up & run.standing & np.isfinite(run.states.positions).all(axis=1)
        after = _kept(run.states, states, up)
        signs = np.where(right[:, None], [1.0, -1.0, -1.0], 1.0)
        passed.append(canonical)
        picks.append(np.where(right, swapped[chosen], chosen).astype(np.int32))
        motions.append(displacement(states, after) * signs)
        durations.append(run.of("duration"))
        alive.append(up)
        states = after
    ends = np.array(alive).sum(axis=0)
    good = np.arange(steps)[:, None] < np.where(ends == steps, steps, ends - _SURE)
    return Wandered(
        states=passed, actions=np.array(picks), motion=np.array(motions),
        durations=np.array(durations), good=good,
    )  # fmt: skip


def learned(wandered: Wandered, actions: int, *, ahead: int = AHEAD, width: int = WIDTH) -> Learned:
    """The metric that tells apart what will be in different places.

    Args:
        wandered: what to learn from.
        actions: how many there are.
        ahead: steps to look at.
        width: numbers to keep.
    """
    steps, bodies = wandered.actions.shape
    numbers = np.stack([numbers_of(each) for each in wandered.states])
    effects = np.concatenate(
        [wandered.motion * [1.0, 1.0, _TURN], _WAIT * wandered.durations[..., None]], axis=-1
    )
    chosen = np.eye(actions)[wandered.actions]
    last = steps - ahead + 1
    usable = wandered.good[ahead - 1 :].reshape(-1) if last > 0 else np.zeros(0, dtype=np.bool_)
    if usable.sum() < 4 * numbers.shape[-1]:
        raise InputError("too few steps to learn a metric from: the gaits fall too soon")

    def future(array: Floats) -> Floats:
        whole = np.concatenate([array[k : k + last] for k in range(ahead)], axis=-1)
        return whole.reshape(last * bodies, -1)[usable]

    x = numbers[:last].reshape(last * bodies, -1)[usable]
    scale = np.maximum(x.std(axis=0), 1e-6)
    x = (x - x.mean(axis=0)) / scale
    others = future(chosen)
    inputs = np.concatenate([x, others - others.mean(axis=0)], axis=1)
    outputs = future(effects)
    outputs = outputs - outputs.mean(axis=0)
    normal = inputs.T @ inputs + _RIDGE * np.eye(inputs.shape[1])
    effect = np.linalg.pinv(normal)[: x.shape[1]] @ (inputs.T @ outputs)
    _, strengths, rows = np.linalg.svd(effect.T, full_matrices=False)
    return Learned(matrix=(strengths[:width, None] * rows[:width]) / scale)


def _kept(after: States, before: States, good: Bools) -> States:
    """Where things went wrong the state before: numbers that ran away cannot be simulated."""
    pick = good[:, None]
    return States(
        positions=np.where(pick, after.positions, before.positions),
        velocities=np.where(pick, after.velocities, before.velocities),
        beats=np.where(pick, after.beats, before.beats),
    )
