"""Lessons: balls are thrown, every action is tried from where they leave a body, and nets learn it.

Policy iteration by trials (Lagoudakis and Parr 2003): who stays up is simulated, first with each
action kept up, then with each for one step and what was learned before from there on. The states
are those that the body comes through as it is led so far, some of them by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.errors import InputError
from surefoot.physics.body import Body
from surefoot.physics.policies.metric import numbers_of
from surefoot.physics.policies.mirroring import Mirror, twins
from surefoot.physics.policies.pushed import alone, led
from surefoot.physics.policies.recovery import Recovery, fitted
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import States, gathered
from surefoot.physics.trials import ball_of, thrown_at

_FIRST_SEED = 7000  # of throws: others are free for tests of what was learned


@dataclass(frozen=True, kw_only=True)
class Lessons:
    """What a recovery is learned from.

    Attributes:
        balls: mass [kg] and speed [m/s] of those that are thrown.
        throws: of each ball in each round.
        strikes: after a throw, from whose states all actions are tried.
        rounds: of trials; in the first one every action is kept up.
        seconds: [s] that a body must stay up.
        wild: share of actions by chance on the way to those states.
    """

    balls: tuple[tuple[float, float], ...] = (
        (5.0, 8.0), (10.0, 7.0), (10.0, 9.0), (15.0, 6.0), (15.0, 8.0), (15.0, 9.0),
    )  # fmt: skip
    throws: int = 20
    strikes: int = 3
    rounds: int = 3
    seconds: float = 2.5
    wild: float = 0.15

    def __post_init__(self) -> None:
        for name in ("throws", "strikes", "rounds", "seconds"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name} must be greater than 0, got {getattr(self, name):g}")
        if not self.balls:
            raise InputError("lessons need a ball: a mass and a speed")


class Led:
    """Bodies led by a recovery, or by chance while there is none yet."""

    def __init__(
        self, body: Body, actions: Sequence[Action], recovery: Recovery | None, wild: float = 0.0
    ) -> None:
        """Among actions, a share of them by chance."""
        self.actions, self.recovery = tuple(actions), recovery
        self.wild = 1.0 if recovery is None else wild
        self._mirror, self._twins = Mirror(Stage(body)), np.array(twins(body, actions))

    def __call__(self, states: States, rng: np.random.Generator | None = None) -> list[Action]:
        """The action of each state at a foot strike."""
        chosen = np.zeros(len(states), dtype=np.int32)
        if self.recovery is not None:
            canonical, right = self._mirror.canonical(states)
            best = self.recovery.chosen(numbers_of(canonical))
            chosen = np.where(right, self._twins[best], best).astype(np.int32)
        if rng is not None and self.wild > 0:
            any_one = rng.integers(0, len(self.actions), len(chosen))
            chosen = np.where(rng.random(len(chosen)) < self.wild, any_one, chosen)
        return [self.actions[int(i)] for i in chosen]


def learned_recovery(
    body: Body,
    actions: Sequence[Action],
    steady: str,
    lessons: Lessons | None = None,
    *,
    threads: int = 1,
    progress: Callable[[str, float], None] | None = None,
) -> Recovery:
    """Which action keeps a body up, after balls of all kinds.

    Args:
        body: who.
        actions: among which to choose, with all mirror images.
        steady: the one of them that it walks with, and goes back to.
        lessons: what to learn from.
        threads: to use.
        progress: told how much is done, 0 to 1.
    """
    lessons = lessons or Lessons()
    if steady not in actions:
        raise InputError(f"the steady walk, {steady}, must be among the actions")
    stage, calm = Stage(body), list(actions).index(steady)
    recovery: Recovery | None = None
    numbers, stayed = list[Floats](), list[Bools]()
    for number in range(lessons.rounds):
        chooser = Led(body, actions, recovery, lessons.wild)
        states = _passed(body, steady, chooser, lessons, number, threads)
        rows = list[Bools]()
        # In parts, so that it can be told how far this is.
        parts = np.array_split(np.arange(len(states), dtype=np.int32), 8)
        for part, mine in enumerate(parts):
            rows.append(_tried(stage, states[mine], chooser, lessons.seconds, threads))
            if progress is not None:
                progress("recovering", (number + (part + 1) / len(parts)) / lessons.rounds)
        numbers.append(numbers_of(states))
        stayed.append(np.concatenate(rows))
        recovery = fitted(np.concatenate(numbers), np.concatenate(stayed), calm=calm)
    assert recovery is not None
    return recovery


def _passed(
    body: Body, steady: str, chooser: Led, lessons: Lessons, number: int, threads: int
) -> States:
    """Canonical states at the first foot strikes after throws."""
    rng = np.random.default_rng([17, number])
    kept: list[States] = []
    for index, (mass, speed) in enumerate(lessons.balls):
        seed = _FIRST_SEED + 100 * number + index
        stage, states = thrown_at(
            body, steady, mass=mass, speed=speed, throws=lessons.throws, seed=seed,
            threads=threads,
        )  # fmt: skip
        ball = ball_of(stage)
        passing = led(
            stage, states, steady, lambda own: chooser(own, rng), lessons.seconds, threads=threads
        )
        for _, (_, _, after) in zip(range(lessons.strikes), passing, strict=False):
            kept.append(alone(after, *ball))
    return Mirror(Stage(body)).canonical(gathered(kept))[0]


def _tried(stage: Stage, states: States, chooser: Led, seconds: float, threads: int) -> Bools:
    """`(n, actions)`: who stays up with each action, kept up, or for a step and then as led."""
    many = states.repeated(len(chooser.actions))
    actions = list(chooser.actions) * len(states)
    if chooser.recovery is None:
        up = stage.advance(many, actions, seconds, threads=threads).standing
        return up.reshape(len(states), len(chooser.actions))
    run = stage.step(many, actions, threads=threads)
    up = run.standing.copy()
    going: Ints = np.flatnonzero(up).astype(np.int32)
    after = run.states[going]
    for fell, rows, _ in led(stage, after, None, chooser, seconds, threads=threads):
        up[going[rows[fell]]] = False
    return up.reshape(len(states), len(chooser.actions))
