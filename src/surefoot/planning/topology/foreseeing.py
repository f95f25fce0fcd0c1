"""From what was watched to what is expected: periodic motions become trajectories.

lopez2012 names the union with levine2011 as its next step: relations that come again like
clockwork are predicted, with a confidence, so that a planner that needs the future has one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning.topology.atlas import Atlas
from surefoot.world import Body, Keyframed, Observed, Static, World

STILL = 0.01
"""[m] What has not moved farther is at rest."""

ALIKE = 0.06
"""[m] By which rounds of a periodic motion may differ, on average."""

SHARE = 0.03
"""Or, of those that go far, as a share of how far they go."""

STEP, RECENT = 0.12, 2.5
"""By which a round may have been longer or shorter, as a share; [s] over which that is told."""

SEARCH = 0.06
"""By which a period is looked for around what relations say, as a share of it."""


@dataclass(frozen=True)
class Expectation:
    """What is expected of a body.

    Attributes:
        body: on its expected trajectory.
        kind: "still", "periodic" or "unknown".
        period: [s], 0 where there is none.
        error: [m] by which the last round differed from the one before, on average.
    """

    body: Body
    kind: str
    period: float = 0.0
    error: float = 0.0


class History:
    """Where live bodies were, frame by frame, for so many seconds."""

    def __init__(self, world: World, names: Iterable[str], seconds: float = 90.0) -> None:
        self.world, self.seconds = world, seconds
        self.names = [name for name in names if name in world]
        self._ids = np.array([world.id(name) for name in self.names], dtype=np.int32)
        self._times: list[float] = []
        self._positions: list[Floats] = []
        self._rotations: list[Floats] = []

    def add(self, t: float) -> None:
        """Notes where all of them are at `t` [s]."""
        positions, turned = self.world.native.poses(self._ids, np.full(len(self._ids), t))
        self._times.append(t)
        self._positions.append(positions)
        self._rotations.append(turned)
        if self._times[-1] - self._times[0] > self.seconds:
            for kept in (self._times, self._positions, self._rotations):
                kept.pop(0)

    def of(self, name: str) -> tuple[Floats, Floats, Floats]:
        """Times `(n,)` [s], positions `(n, 3)` [m] and rotations `(n, 4)` of a body."""
        i = self.names.index(name)
        return (
            np.array(self._times),
            np.array([row[i] for row in self._positions]),
            np.array([row[i] for row in self._rotations]),
        )


def expect(history: History, atlas: Atlas) -> dict[str, Expectation]:
    """What is expected of each body of a history, by name."""
    periods: dict[str, set[float]] = {name: set() for name in history.names}
    for relation in atlas.relations:
        if relation.periods >= 1 and relation.deviation < 0.15 * relation.period:
            for name in (relation.source[0], relation.target[0]):
                if name in periods:
                    periods[name].add(relation.period)
    # What nobody stands on has no relations, but may be part of what has.
    every = {period for own in periods.values() for period in own}
    return {name: _expected(history, name, periods[name] or every) for name in history.names}


def foreseen(world: World, history: History, atlas: Atlas) -> tuple[World, dict[str, Expectation]]:
    """A world in which all goes on as expected; what is not known is nothing to stand on."""
    known = expect(history, atlas)
    bodies = [known[body.name].body if body.name in known else body for body in world]
    return World(bodies, name=world.name), known


def _expected(history: History, name: str, periods: Iterable[float]) -> Expectation:
    body = history.world[name]
    times, positions, turned = history.of(name)
    now = float(times[-1])
    recent = times > now - 8.0
    if np.ptp(positions[recent], axis=0).max() < STILL:
        return Expectation(body.moved(Static(body.trajectory.pose(now))), "still")
    best = min((_fitted(times, positions, p) for p in periods), default=(np.inf, 0.0))
    error, period = best
    most = max(ALIKE, SHARE * float(np.linalg.norm(np.ptp(positions, axis=0))))
    if error > most or period <= 0.0:
        seen = _seen(times, positions, turned)
        rates = body.trajectory.velocity(now)
        guess = Observed(seen, linear=rates[0], angular=rates[1], ahead=1.5)
        return Expectation(body.moved(guess).tagged(forbidden=True), "unknown", error=error)
    period = _in_step(times, positions, period)
    # The last round, again and again; what it differs from itself by is spread over it.
    last = times >= now - period - 1e-9
    round_times = times[last]
    begin = now - period
    start = np.array([np.interp(begin, times, positions[:, k]) for k in range(3)])
    keys = np.concatenate([[begin], round_times[round_times > begin + 1e-6]])
    spots = np.concatenate([start[None], positions[last][round_times > begin + 1e-6]])
    spots = spots + (spots[-1] - spots[0]) * ((now - keys) / period)[:, None]
    spins = np.concatenate([turned[last][:1], turned[last][round_times > begin + 1e-6]])
    spins[0] = spins[-1]
    future = Keyframed(keys, spots, spins, repeat="loop")
    trust = float(np.clip(1.0 - error / most, 0.05, 1.0))
    guess = Observed(
        _seen(times, positions, turned), linear=np.zeros(3), angular=np.zeros(3), ahead=8 * period,
        trust=trust, future=future,
    )  # fmt: skip
    return Expectation(body.moved(guess), "periodic", period, error)


def _seen(times: Floats, positions: Floats, turned: Floats) -> Keyframed:
    return Keyframed(times[-16:], positions[-16:], turned[-16:])


def _fitted(times: Floats, positions: Floats, about: float) -> tuple[float, float]:
    """The mean difference between rounds [m], and the period near `about` at which it is least."""
    now = times[-1]
    best = (np.inf, 0.0)
    for period in about * np.linspace(1 - SEARCH, 1 + SEARCH, 49):
        # All that was seen at least a period ago, two rounds at most.
        at = times[(times - period >= times[0]) & (times > now - 2.0 * period)]
        if len(at) < 10 or at[-1] - at[0] < 0.5 * period:
            continue
        here, then = (_between(times, positions, at - shift) for shift in (0.0, float(period)))
        error = float(np.linalg.norm(here - then, axis=1).mean())
        best = min(best, (error, float(period)))
    return best


def _in_step(times: Floats, positions: Floats, period: float) -> float:
    """The length of the last round [s]: what was seen of late as it was then."""
    at = times[times > times[-1] - RECENT]
    here = _between(times, positions, at)
    best = (np.inf, np.inf, period)
    for length in period * np.linspace(1 - STEP, 1 + STEP, 97):
        if at[0] - length < times[0]:
            continue
        then = _between(times, positions, at - float(length))
        error = round(float(np.linalg.norm(here - then, axis=1).mean()), 2)
        best = min(best, (error, abs(length - period), float(length)))
    return best[2]


def _between(times: Floats, positions: Floats, at: Floats) -> Floats:
    """`(n, 3)` [m]: positions at other times, linear in between."""
    columns = [np.asarray(np.interp(at, times, positions[:, k])) for k in range(3)]
    return np.stack(columns, axis=1).astype(np.float64)
