"""Pushes: states at the foot strike after one, and balls thrown at a body that a policy leads.

coros2009 5.6 trusts the states at the next foot contact after balls of 10 and 15 kg. What a ball
leaves is a change of speed, so that is what these bodies are given, from every side and at every
moment of a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from surefoot.arrays import Bools, Ints
from surefoot.physics.policies.mirroring import Mirror
from surefoot.physics.policies.policy import Policy
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import States
from surefoot.physics.trials import Throws, thrown_at, were_hit

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


def led(
    stage: Stage,
    states: States,
    begun: Action | None,
    choose: Callable[[States], Sequence[Action]],
    seconds: float,
    *,
    threads: int = 1,
) -> Iterator[tuple[Bools, Ints, States]]:
    """Bodies that are told what to do at every foot strike, until their time is over or they fall.

    Args:
        stage: where; a ball may be on it, of which those who choose are told nothing.
        states: of the bodies.
        begun: what they do until the first strike; None: that is chosen as well.
        choose: gives the actions of bodies at foot strikes.
        seconds: after which a body is no longer led.
        threads: to use.

    Yields:
        after each step: who of those that took it fell, which of all bodies they are, and the
        states of who did not fall.
    """
    bare = Stage(stage.body).model
    own = int(bare.nq), int(bare.nv)
    left, clock = np.arange(len(states), dtype=np.int32), np.zeros(len(states))
    actions = [begun] * len(states) if begun is not None else choose(alone(states, *own))
    while len(left):
        run = stage.step(states, actions, threads=threads)
        clock[left] += run.of("duration")
        up = run.standing & np.isfinite(run.states.positions).all(axis=1)
        yield ~up, left, run.states[up]
        going = up & (clock[left] < seconds)
        left, states = left[going], run.states[going]
        if len(left):
            actions = choose(alone(states, *own))


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
    fell = falls(policy, task, stage, states, seconds, threads=threads)
    return Throws(fell=fell, hit=were_hit(stage, states, policy.steady, speed, threads=threads))


def falls(
    policy: Policy,
    task: Sequence[float],
    stage: Stage,
    states: States,
    seconds: float,
    *,
    threads: int = 1,
) -> Bools:
    """`(n,)`: who falls, led by a policy from the steady walk, whatever else is on the stage."""
    wanted = np.array(task, dtype=np.float64)[None]
    fell = np.zeros(len(states), dtype=np.bool_)
    for down, rows, _ in led(
        stage, states, policy.steady,
        lambda own: policy.decide(own, np.repeat(wanted, len(own), axis=0)),
        seconds, threads=threads,
    ):  # fmt: skip
        fell[rows[down]] = True
    return fell


def alone(states: States, places: int, speeds: int) -> States:
    """The body without what else is on the stage, which comes after it in the model."""
    return States(
        positions=states.positions[:, :places],
        velocities=states.velocities[:, :speeds],
        beats=states.beats,
    )
