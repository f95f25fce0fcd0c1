"""Pushes: states at the foot strike after one, and balls thrown at a body that a policy leads.

coros2009 5.6 trusts the states at the next foot contact after balls of 10 and 15 kg. What a ball
leaves is a change of speed, so that is what these bodies are given, from every side and at every
moment of a step.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.physics.policies.mirroring import Mirror
from surefoot.physics.policies.policy import Policy
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import States
from surefoot.physics.trials import Throws, ball_of, thrown_at

_SURE = 3.0  # [s] that a body must stay up afterwards, with some action


def pushed(
    stage: Stage,
    origins: States,
    actions: Sequence[Action],
    *,
    kick: float,
    count: int = 240,
    seed: int = 0,
    threads: int = 1,
) -> States:
    """Canonical states at the first foot strike after a push, from which some action recovers.

    Args:
        stage: where.
        origins: canonical states at foot strikes before it.
        actions: any of which a body is doing, and may recover with.
        kick: [m/s] that a push changes the speed by at most, in any direction over the floor.
        count: of pushes.
        seed: of everything about them.
        threads: to use.
    """
    rng = np.random.default_rng([15, seed])
    states = origins[rng.integers(0, len(origins), count).astype(np.int32)]
    doing = [actions[int(i)] for i in rng.integers(0, len(actions), count)]
    states = stage.advance(states, doing, rng.uniform(0.0, 0.3, count), threads=threads).states
    bearing, size = rng.uniform(-np.pi, np.pi, count), rng.uniform(0.2, 1.0, count) * kick
    states.velocities[:, 0] += size * np.cos(bearing)
    states.velocities[:, 1] += size * np.sin(bearing)
    run = stage.step(states, doing, threads=threads)
    good = run.standing & np.isfinite(run.states.positions).all(axis=1)
    after, _ = Mirror(stage).canonical(run.states[good])
    saved = np.zeros(len(after), dtype=np.bool_)
    for action in actions:
        left = np.flatnonzero(~saved).astype(np.int32)
        if len(left):
            saved[left] = stage.advance(after[left], action, _SURE, threads=threads).standing
    return after[saved]


def throw_balls_at_policy(
    policy: Policy,
    task: Sequence[float],
    *,
    mass: float,
    speed: float,
    throws: int = 200,
    seconds: float = 6.0,
    seed: int = 0,
    threads: int = 1,
) -> Throws:
    """Balls at a body that walks as a policy tells it; as `throw_balls`, which has no policy.

    Args:
        policy: decides at every foot strike after the throw.
        task: that it is given.
        mass: [kg] of a ball, > 0.
        speed: [m/s] of a ball against the body, > 0.
        throws: how many.
        seconds: for which the body is watched.
        seed: of directions and moments.
        threads: to use.
    """
    stage, states = thrown_at(
        policy.body, policy.steady, mass=mass, speed=speed, throws=throws, seed=seed,
        threads=threads,
    )  # fmt: skip
    ball, dof = ball_of(stage)
    begun = states.positions[:, ball : ball + 2], states.velocities[:, dof : dof + 2]
    fell, hit = np.zeros(throws, dtype=np.bool_), np.zeros(throws, dtype=np.bool_)
    left, clock = np.arange(throws, dtype=np.int32), np.zeros(throws)
    wanted = np.tile(np.array(task, dtype=np.float64), (throws, 1))
    actions: list[Action] = [policy.steady] * throws
    while len(left):
        run = stage.step(states, actions, threads=threads)
        clock[left] += run.of("duration")
        fell[left] = ~run.standing
        hit[left] |= _turned_aside(run.states.positions[:, ball : ball + 2], begun, clock, left)
        going = run.standing & (clock[left] < seconds)
        left, states = left[going], run.states[going]
        if len(left):
            actions = policy.decide(_alone(states, ball, dof), wanted[left])
    return Throws(fell=fell, hit=hit)


def _turned_aside(places: Floats, begun: tuple[Floats, Floats], clock: Floats, left: Ints) -> Bools:
    """Which balls are not where they would be if they had met nobody."""
    free = begun[0][left] + begun[1][left] * clock[left, None]
    return np.linalg.norm(places - free, axis=1) > 0.05


def _alone(states: States, places: int, speeds: int) -> States:
    """The body without the ball, which comes after it in the model."""
    return States(
        positions=states.positions[:, :places],
        velocities=states.velocities[:, :speeds],
        beats=states.beats,
    )
