"""The tuner: a gait as wished, by CMA-ES over several disturbed starts and long windows."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.physics.body import Body
from surefoot.physics.evolution import Evolution
from surefoot.physics.gait import KNOTS, Curve, Gait, target_names
from surefoot.physics.stage import Stage
from surefoot.physics.states import Run, States, gathered
from surefoot.physics.wishes import Wish

Progress = Callable[[int, float], None]
"""Called with the generation that is done and the least cost so far."""

_CURVES = {
    "swing hip bend": 0.12,
    "swing knee": 0.15,
    "stance knee": 0.08,
    "stance ankle": 0.08,
    "swing ankle": 0.1,
}
_ANGLES = {
    "root bend": 0.05,
    "waist bend": 0.05,
    "swing hip out": 0.05,
    "neck bend": 0.03,
}


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How long the tuner tries.

    Attributes:
        generations: of candidates.
        seeds: disturbed starts for each candidate.
        settle: [s] before anything is measured.
        window: [s] that is measured.
        kick: [m/s] spread of the roots' speeds at the start.
        sigma: spread of the first generation, in each parameter's own scale.
        threads: to use.
        seed: of all random numbers.
    """

    generations: int = 40
    seeds: int = 4
    settle: float = 3.0
    window: float = 12.0
    kick: float = 0.25
    sigma: float = 0.5
    threads: int = 1
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Measured:
    """What some bodies did, for each: means over a window.

    Attributes:
        share: of the window survived.
        speed, sideways: [m/s] in the body's own frame.
        turn: [rad/s].
        flight, light, touching: shares of the time.
        width: [m]. tilt: [rad]. effort: torques squared. peak: [rad/s].
    """

    share: Floats
    speed: Floats
    sideways: Floats
    turn: Floats
    flight: Floats
    light: Floats
    touching: Floats
    width: Floats
    tilt: Floats
    effort: Floats
    peak: Floats


def disturbed(states: States, *, kick: float, seed: int) -> States:
    """The same with random speeds: roots' of `kick` [m/s], joints' of 0.3 rad/s."""
    rng = np.random.default_rng([7, seed])
    moved = states.copy()
    velocities = moved.velocities
    velocities[:, 0:2] += rng.normal(0.0, kick, (len(moved), 2))
    velocities[:, 3:6] += rng.normal(0.0, kick / 2, (len(moved), 3))
    velocities[:, 6:] += rng.normal(0.0, min(0.3, 2 * kick), velocities[:, 6:].shape)
    return moved


def measure(run: Run, window: float, rate: float) -> Measured:
    """Reads a run that recorded `rate` frames a second over `window` seconds."""
    seconds = np.maximum(run.of("duration"), 1e-9)
    strikes = np.maximum(run.of("strikes"), 1.0)
    n = len(seconds)
    speed, sideways, turn = np.zeros(n), np.zeros(n), np.zeros(n)
    for i in range(n):
        frames = run.frames[i, : max(2, int(seconds[i] * rate))]
        w, x, y, z = frames[:, 3:7].T
        yaw = np.unwrap(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
        moved = np.diff(frames[:, :2], axis=0)
        c, s = np.cos(yaw[:-1]), np.sin(yaw[:-1])
        span = (len(frames) - 1) / rate
        speed[i] = (c * moved[:, 0] + s * moved[:, 1]).sum() / span
        sideways[i] = (c * moved[:, 1] - s * moved[:, 0]).sum() / span
        turn[i] = (yaw[-1] - yaw[0]) / span
    return Measured(
        share=np.where(run.standing, 1.0, run.of("duration") / window),
        speed=speed,
        sideways=sideways,
        turn=turn,
        flight=run.of("flight") / seconds,
        light=run.of("light") / seconds,
        touching=run.of("touching") / seconds,
        width=run.of("width") / strikes,
        tilt=run.of("tilt") / seconds,
        effort=run.of("effort") / seconds,
        peak=run.of("peak"),
    )


def cost(wish: Wish, seen: Measured, mass: float) -> Floats:
    """For each body: falls first, then what was wished, then looks and effort."""
    ground = np.abs(seen.speed - wish.speed) + np.abs(seen.sideways - wish.sideways)
    lean = 0.0 if wish.lean is None else abs(wish.lean)
    looks = (
        8 * np.maximum(0, seen.width - wish.width)
        + 8 * np.maximum(0, 0.07 - seen.width)
        + 5 * np.maximum(0, seen.tilt - 0.08 - lean)
        + 5 * seen.touching
        + 0.3 * seen.effort / (1e4 * mass / 10)
    )
    if wish.flight > 0:
        # Near flight shows the way to a walk that has none.
        looks = looks + 20 * np.maximum(0, wish.flight - seen.flight)
        looks = looks + 10 * np.maximum(0, wish.flight + 0.1 - seen.light)
    else:
        looks = looks + 12 * np.maximum(0, seen.flight - 0.01)
    fallen = seen.share < 1
    return (
        30 * (1 - seen.share) + 10 * fallen + 6 * ground + 4 * np.abs(seen.turn - wish.turn) + looks
    )


class Tuner:
    """Makes a gait of a body as wished, or repairs one."""

    def __init__(self, body: Body, base: Gait, wish: Wish, effort: Effort | None = None) -> None:
        """The search for a gait near `base`."""
        self.body, self.base, self.wish = body, base, wish
        self.effort = effort or Effort()
        known = target_names(body.anatomy)
        self._curves = {name: s for name, s in _CURVES.items() if name in known}
        self._angles = {name: s for name, s in _ANGLES.items() if name in known}
        size = len(self._scales())
        self.search = Evolution(mean=np.zeros(size), sigma=self.effort.sigma, seed=self.effort.seed)

    def _scales(self) -> list[float]:
        scales = [0.04, 0.1, 0.06, 0.3, 0.1, 0.06, 0.15, 0.12]
        scales += list(self._angles.values())
        for scale in self._curves.values():
            scales += [scale] * KNOTS
        return scales

    def gait(self, point: Floats, name: str) -> Gait:
        """The gait that a point of the search stands for."""
        base, wish = self.base, self.wish
        moved = iter(np.asarray(point) * np.array(self._scales()))
        step_time = float(np.clip(base.step_time + next(moved), 0.15, 1.0))
        a = replace(
            base.ahead,
            place=base.ahead.place + next(moved),
            speed=base.ahead.speed + next(moved),
            wanted=base.ahead.wanted + next(moved),
        )
        aside = next(moved), next(moved), next(moved)
        b = replace(
            base.sideways,
            place=base.sideways.place + aside[0],
            speed=base.sideways.speed + aside[1],
            # Straight gaits stay mirror images of themselves.
            wanted=base.sideways.wanted + (aside[2] if wish.sideways or wish.turn else 0.0),
        )
        turn = next(moved)
        targets = dict(base.targets)
        flat: Curve = (0.0,) * KNOTS
        for key in self._angles:
            offset = next(moved)
            targets[key] = tuple(v + offset for v in targets.get(key, flat))
        for key in self._curves:
            targets[key] = tuple(v + next(moved) for v in targets.get(key, flat))
        return replace(
            base,
            name=name,
            step_time=step_time,
            turn=base.turn + (turn if wish.turn else 0.0),
            # Who flies lets go of half the stance hip's torque, which nothing would carry.
            hold=min(base.hold, 0.5) if wish.flight > 0 else base.hold,
            ahead=a,
            sideways=b,
            targets=targets,
        )

    def costs(self, points: Floats) -> Floats:
        """Of each point: the mean over the disturbed starts, and how far it left the base."""
        effort, rate = self.effort, 20.0
        gaits = [self.gait(point, f"candidate {i}") for i, point in enumerate(points)]
        stage = Stage(self.body, gaits=gaits)
        starts = gathered(
            [disturbed(stage.starting(g.name, effort.seeds), kick=effort.kick, seed=effort.seed)
             for g in gaits]
        )  # fmt: skip
        actions = [g.name for g in gaits for _ in range(effort.seeds)]
        settled = stage.advance(starts, actions, effort.settle, threads=effort.threads)
        window = np.where(settled.standing, effort.window, 0.0)
        run = stage.advance(
            settled.states, actions, window, threads=effort.threads, frames_per_second=rate
        )
        # Who fell before the window survived none of it, however little of that was simulated.
        early = 30.0 + 30.0 * (1 - settled.of("duration") / effort.settle) + 10.0
        costs = np.where(
            settled.standing,
            cost(self.wish, measure(run, effort.window, rate), self.body.anatomy.mass),
            early,
        )
        away = 0.02 * (np.asarray(points) ** 2).mean(axis=1) * 10
        return costs.reshape(len(gaits), -1).mean(axis=1) + away

    def run(
        self,
        name: str,
        *,
        keep: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
    ) -> Gait:
        """Searches, and gives the best gait.

        Args:
            name: of the gait.
            keep: a file that the search is kept in after each generation, and resumed from.
            progress: told after each generation.
        """
        if self.effort.generations < 1:
            raise InputError(f"generations must be at least 1, got {self.effort.generations}")
        key = self._key()
        if keep is not None:
            self.search.resume(keep, key)
        while self.search.generation < self.effort.generations:
            points = self.search.ask()
            self.search.tell(points, self.costs(points))
            if keep is not None:
                self.search.save(keep, key)
            if progress is not None:
                progress(self.search.generation, self.search.best_cost)
        return self.gait(self.search.best, name)

    def _key(self) -> str:
        """What is searched: another body, base, wish or effort is another search."""
        same = replace(self.effort, generations=0, threads=1)
        text = repr((self.body.anatomy, self.base, self.wish, same))
        return hashlib.sha256(text.encode()).hexdigest()
