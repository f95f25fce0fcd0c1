"""Trusted states: what motion should look like (coros2009 section 5).

They are the steady states of the actions, and what good sequences of actions pass through. A
sequence is good when the body is still up some seconds after its last action.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot.errors import InputError
from surefoot.physics.policies.metric import Metric
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import States, gathered
from surefoot.physics.trials import limit_cycle

_SURE = 4.0  # [s] that a body must stay up after a sequence


def cycle(stage: Stage, action: Action) -> States | None:
    """The strikes of an action's limit cycle on the left and the right foot; None without one."""
    try:
        left = limit_cycle(stage, action)
    except InputError:
        return None
    right = stage.step(left, action)
    return gathered([left, right.states]) if right.standing[0] else None


def cycles(stage: Stage, actions: Sequence[Action]) -> dict[int, States]:
    """Canonical limit cycles, by the index of the action; actions that have none are left out."""
    metric = Metric(stage)
    found: dict[int, States] = {}
    for index, action in enumerate(actions):
        states = cycle(stage, action)
        if states is not None:
            found[index] = metric.mirror.canonical(states)[0]
    return found


def sequences(
    stage: Stage, origins: States, actions: Sequence[Action], *, steps: int = 5, threads: int = 1
) -> States:
    """Canonical states of all good changes: from each origin, each action for some steps."""
    metric = Metric(stage)
    states = origins.repeated(len(actions))
    chosen = list(actions) * len(origins)
    good = np.ones(len(states), dtype=np.bool_)
    passed: list[States] = []
    for _ in range(steps):
        run = stage.step(states, chosen, threads=threads)
        good &= run.standing
        states = _kept(run.states, states, good)
        passed.append(metric.mirror.canonical(states)[0])
    later = stage.advance(states, chosen, _SURE, threads=threads)
    good &= later.standing
    return gathered([each[good] for each in passed])


def _kept(
    after: States, before: States, good: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> States:
    """Where things went wrong the state before: numbers that ran away cannot be simulated."""
    pick = good[:, None]
    return States(
        positions=np.where(pick, after.positions, before.positions),
        velocities=np.where(pick, after.velocities, before.velocities),
        beats=np.where(pick, after.beats, before.beats),
    )


def chosen(metric: Metric, sets: Sequence[States], apart: float) -> States:
    """Of canonical states, those that are farther than that from all chosen before them."""
    samples = metric.samples()
    kept: list[States] = []
    for states in sets:
        new = samples.novel(metric.of_canonical(states), apart)
        kept.append(states[new])
    return gathered(kept)
