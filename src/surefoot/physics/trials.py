"""Trials of gaits: long walks from many starts, changes between gaits, thrown balls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.errors import InputError
from surefoot.physics.body import Body
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import Run, States, gathered
from surefoot.physics.tuning import disturbed

SETTLE = 10.0
"""[s] after which a gait is taken to be in its limit cycle."""

ENTRIES = ("in place", "walk")
"""Gaits from which others are entered."""

_BALL = (
    '<body name="ball" pos="50 0 {radius:g}"><freejoint name="ball"/>'
    '<geom name="ball" type="sphere" size="{radius:g}" mass="{mass:g}"/></body>'
)
_PLANK = (
    '<body name="plank {index}" pos="50 {index} {half:g}"><freejoint/>'
    '<geom type="box" size="0.15 0.06 {half:g}" mass="1"/></body>'
)
_GRAVITY = 9.81


def limit_cycle(stage: Stage, action: Action, *, settle: float = SETTLE) -> States:
    """The state at a foot strike after the gait has settled; the left foot stands.

    Fast gaits and turns are not entered from standing: if that fails they are entered from stepping
    in place, or from the walk.
    """
    entries = [name for name in ENTRIES if name in {gait.name for gait in stage.gaits}]
    for entry in (action, *entries):
        states = stage.starting(entry)
        if entry != action:
            entered = stage.step(stage.advance(states, entry, 4.0).states, entry)
            if not entered.standing[0]:
                continue
            states = entered.states
        run = stage.advance(states, action, settle)
        for _ in range(3):
            if run.standing[0]:
                run = stage.step(run.states, action)
            if run.standing[0] and run.states.beats[0, 0] == 0:
                return run.states
    raise InputError(f"{stage.body.name} does not keep up {action} for {settle:g} s")


def long_walks(
    stage: Stage,
    action: Action,
    *,
    seconds: float = 60.0,
    starts: int = 20,
    kick: float = 0.05,
    seed: int = 0,
    threads: int = 1,
) -> Run:
    """From the limit cycle, disturbed a little in as many ways as there are starts."""
    cycle = limit_cycle(stage, action).repeated(starts)
    return stage.advance(disturbed(cycle, kick=kick, seed=seed), action, seconds, threads=threads)


def transitions(
    stage: Stage,
    actions: Sequence[Action],
    *,
    seconds: float = 8.0,
    phases: int = 4,
    threads: int = 1,
) -> Floats:
    """`(n, n)`: the share of changes from a row's action to a column's that stay up.

    The change is made at a foot strike, as policies do, from several strikes after one another.
    """
    origins = [_strikes(stage, action, phases) for action in actions]
    states = gathered([each for each in origins for _ in actions])
    chosen = [to for _ in actions for to in actions for _ in range(phases)]
    run = stage.advance(states, chosen, seconds, threads=threads)
    return run.standing.reshape(len(actions), len(actions), phases).mean(axis=2)


def _strikes(stage: Stage, action: Action, count: int) -> States:
    found = [limit_cycle(stage, action)]
    while len(found) < count:
        found.append(stage.step(found[-1], action).states)
    return gathered(found)


@dataclass(frozen=True, eq=False)
class Throws:
    """Balls thrown at a body.

    Attributes:
        fell: `(n,)` whether it fell within the seconds that it was watched.
        hit: `(n,)` whether the ball touched it.
    """

    fell: Bools
    hit: Bools

    @property
    def rate(self) -> float:
        """Share of throws that made it fall."""
        return float(self.fell.mean())

    def interval(self) -> tuple[float, float]:
        """95% confidence interval of the rate, after Wilson."""
        n, p, z = len(self.fell), self.rate, 1.959964
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return float(max(0.0, middle - half)), float(min(1.0, middle + half))


def thrown_at(
    body: Body,
    action: Action,
    *,
    mass: float,
    speed: float,
    throws: int,
    seed: int = 0,
    threads: int = 1,
) -> tuple[Stage, States]:
    """A stage with a ball, and walking bodies each with one a metre away that flies at them."""
    if not (mass > 0 and speed > 0 and throws > 0):
        raise InputError(f"mass, speed and throws must be above 0: {mass:g}, {speed:g}, {throws}")
    rng = np.random.default_rng([11, seed])
    calm = Stage(body)
    cycle = limit_cycle(calm, action)
    # Two steps hold every moment of a gait.
    moments = rng.uniform(0.0, 2 * _step_time(calm, action), throws)
    before = calm.advance(cycle.repeated(throws), action, moments, threads=threads).states

    radius = 0.12 * (mass / 10.0) ** (1 / 3)
    stage = Stage(body, scenery=_BALL.format(radius=radius, mass=mass))
    bearing = rng.uniform(-np.pi, np.pi, throws)
    height = rng.uniform(-0.05, 0.25, throws)
    away = np.stack([np.cos(bearing), np.sin(bearing), np.zeros(throws)], axis=1)
    places = before.places + away + np.stack([0 * height, 0 * height, height], axis=1)
    flight = 1.0 / speed
    pace = before.velocities[:, :3] * [1.0, 1.0, 0.0]
    velocities = pace - away * speed + np.array([0.0, 0.0, 0.5 * _GRAVITY * flight])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (throws, 1))
    states = States(
        positions=np.concatenate([before.positions, places, still], axis=1),
        velocities=np.concatenate([before.velocities, velocities, np.zeros((throws, 3))], axis=1),
        beats=before.beats,
    )
    return stage, states


def ball_of(stage: Stage) -> tuple[int, int]:
    """Where the ball's numbers begin among positions and among velocities."""
    joint = stage.model.joint("ball")
    return int(joint.qposadr[0]), int(joint.dofadr[0])


def throw_balls(
    body: Body,
    action: Action,
    *,
    mass: float,
    speed: float,
    throws: int = 200,
    seconds: float = 6.0,
    seed: int = 0,
    threads: int = 1,
) -> Throws:
    """Balls at a walking body, from random directions and in random moments of its steps.

    Each starts a metre away and flies to where the middle of the trunk will be.

    Args:
        body: who.
        action: how it walks.
        mass: [kg] of a ball, > 0.
        speed: [m/s] of a ball against the body, > 0.
        throws: how many.
        seconds: for which the body is watched.
        seed: of directions and moments.
        threads: to use.
    """
    stage, states = thrown_at(
        body, action, mass=mass, speed=speed, throws=throws, seed=seed, threads=threads
    )
    hit = were_hit(stage, states, action, speed, threads=threads)
    run = stage.advance(states, action, seconds, threads=threads)
    return Throws(fell=~run.standing, hit=hit)


def strewn_before(
    body: Body,
    action: Action,
    *,
    height: float,
    walks: int,
    planks: int = 8,
    seed: int = 0,
    threads: int = 1,
) -> tuple[Stage, States]:
    """A stage with loose planks, and walking bodies with those strewn in their way.

    Args:
        body: who.
        action: how it walks.
        height: [m] of a plank, > 0; they are 30 by 12 cm and weigh 1 kg.
        walks: how many bodies.
        planks: before each, between half a metre and 4 m ahead, up to 0.35 m to either side.
        seed: of their places.
        threads: to use.
    """
    if not (height > 0 and walks > 0 and planks > 0):
        raise InputError(f"height, walks and planks must be above 0: {height:g}, {walks}, {planks}")
    rng = np.random.default_rng([18, seed])
    calm = Stage(body)
    moments = rng.uniform(0.0, 2 * _step_time(calm, action), walks)
    cycle = limit_cycle(calm, action).repeated(walks)
    before = calm.advance(cycle, action, moments, threads=threads).states
    half = height / 2
    scenery = "".join(_PLANK.format(index=i, half=half) for i in range(planks))
    ahead = np.sort(rng.uniform(0.5, 4.0, (walks, planks)), axis=1)
    aside = rng.uniform(-0.35, 0.35, (walks, planks))
    heading = before.headings[:, None]
    turn = rng.uniform(-np.pi, np.pi, (walks, planks)) / 2
    places = np.zeros((walks, planks, 7))
    places[..., 0] = before.places[:, :1] + np.cos(heading) * ahead - np.sin(heading) * aside
    places[..., 1] = before.places[:, 1:2] + np.sin(heading) * ahead + np.cos(heading) * aside
    # One above the other, so that none begins inside another; they drop before anybody is there.
    places[..., 2] = half + 1.2 * height * np.arange(planks)
    places[..., 3], places[..., 6] = np.cos(turn), np.sin(turn)
    states = States(
        positions=np.concatenate([before.positions, places.reshape(walks, -1)], axis=1),
        velocities=np.concatenate([before.velocities, np.zeros((walks, 6 * planks))], axis=1),
        beats=before.beats,
    )
    return Stage(body, scenery=scenery), states


def were_hit(
    stage: Stage, states: States, action: Action, speed: float, *, threads: int = 1
) -> Bools:
    """Which of the balls of `thrown_at` touch the body."""
    soon = 2.5 / speed
    ball, moving = ball_of(stage)
    # What a ball that misses would have done tells whether this one did.
    run = stage.advance(states, action, soon, threads=threads)
    missed = states.positions[:, ball : ball + 2]
    missed = missed + states.velocities[:, moving : moving + 2] * soon
    return np.linalg.norm(run.states.positions[:, ball : ball + 2] - missed, axis=1) > 0.05


def _step_time(stage: Stage, action: Action) -> float:
    names = (action, action) if isinstance(action, str) else (action.first, action.second)
    return max(stage.body.gait(name).step_time for name in names)
