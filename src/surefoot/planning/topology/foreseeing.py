"""From what was watched to what is expected: periodic and steady motions become trajectories.

lopez2012 names the union with levine2011 as its next step: what comes again like clockwork is
predicted, with a confidence, so that a planner that needs the future has one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.world import Body, Keyframed, Observed, Static, World

STILL, LATELY = 0.01, 8.0
"""[m] What has not moved farther in the last so many seconds [s] is at rest."""

ALIKE = 0.06
"""[m] By which rounds of a periodic motion may differ, on average."""

SHARE = 0.05
"""Or, of those that go far, as a share of how far they go."""

STEP, RECENT = 0.12, 2.5
"""By which a round may have been longer or shorter, as a share; [s] over which that is told."""

GRAIN = 0.1
"""[s] At which periods are looked for, before they are told more exactly."""

STEADY, CONSTANT = 2.0, 0.03
"""[s] For which a motion must have been even to go on so; [m/s] by which it may vary."""

AHEAD = 1.5
"""[s] For which what nobody can tell is taken to go on."""

ROUNDS = 8.0
"""Rounds for which a periodic motion is expected to go on."""


@dataclass(frozen=True)
class Expectation:
    """What is expected of a body.

    Attributes:
        body: on its expected trajectory.
        kind: "still", "periodic", "steady" or "unknown".
        period: [s], 0 where there is none.
        error: [m] by which the last round differed from the one before, on average.
    """

    body: Body
    kind: str
    period: float = 0.0
    error: float = 0.0


class History:
    """Where live bodies were, for so many seconds; the last entry is always the latest frame."""

    def __init__(
        self, world: World, names: Iterable[str], seconds: float = 90.0, grain: float = 0.05
    ) -> None:
        self.world, self.seconds, self.grain = world, seconds, grain
        self.names = [name for name in names if name in world]
        self._ids = np.array([world.id(name) for name in self.names], dtype=np.int32)
        self._times: list[float] = []
        self._positions: list[Floats] = []
        self._rotations: list[Floats] = []

    def add(self, t: float) -> None:
        """Notes where all of them are at `t` [s]."""
        positions, turned = self.world.native.poses(self._ids, np.full(len(self._ids), t))
        kept = (self._times, self._positions, self._rotations)
        # Frames nearer together than the grain take the place of the one before.
        if len(self._times) > 1 and t - self._times[-2] < self.grain - 1e-9:
            for entries in kept:
                entries.pop()
        self._times.append(t)
        self._positions.append(positions)
        self._rotations.append(turned)
        if self._times[-1] - self._times[0] > self.seconds:
            for entries in kept:
                entries.pop(0)

    def all(self) -> tuple[Floats, Floats, Floats]:
        """Times `(n,)` [s], positions `(n, bodies, 3)` [m] and rotations `(n, bodies, 4)`."""
        return np.array(self._times), np.array(self._positions), np.array(self._rotations)


def expect(history: History) -> dict[str, Expectation]:
    """What is expected of each body of a history, by name; those that are gone are left out."""
    times, positions, turned = history.all()
    return {
        name: _expected(history.world[name], times, positions[:, i], turned[:, i])
        for i, name in enumerate(history.names)
        if name in history.world
    }


def foreseen(world: World, history: History) -> tuple[World, dict[str, Expectation]]:
    """A world in which all goes on as expected; what is not known is nothing to stand on."""
    known = expect(history)
    bodies = [known[body.name].body if body.name in known else body for body in world]
    return world.copy(bodies), known


def _expected(body: Body, times: Floats, positions: Floats, turned: Floats) -> Expectation:
    now = float(times[-1])
    if np.ptp(positions[times > now - LATELY], axis=0).max() < STILL:
        return Expectation(body.moved(Static(body.trajectory.pose(now))), "still")
    most = max(ALIKE, SHARE * float(np.linalg.norm(np.ptp(positions, axis=0))))
    error, period = _period(times, positions, most)
    if period <= 0.0:
        return _without_period(body, times, positions, turned)
    period = _in_step(times, positions, period)
    trust = float(np.clip(1.0 - error / most, 0.05, 1.0))
    guess = Observed(
        _seen(times, positions, turned), linear=np.zeros(3), angular=np.zeros(3),
        ahead=ROUNDS * period, trust=trust, future=_round(times, positions, turned, period),
    )  # fmt: skip
    return Expectation(body.moved(guess), "periodic", period, error)


def _without_period(body: Body, times: Floats, positions: Floats, turned: Floats) -> Expectation:
    """Of what goes evenly for some time: for as long again; else nobody can tell."""
    now = float(times[-1])
    seen = _seen(times, positions, turned)
    linear, angular = body.trajectory.velocity(now)
    gone = now - times
    off = np.linalg.norm(positions + gone[:, None] * linear - positions[-1], axis=1)
    uneven = np.flatnonzero(off > np.maximum(CONSTANT * gone, 1e-3))
    even = float(gone[uneven[-1]]) if len(uneven) else float(gone[0])
    if even >= STEADY:
        guess = Observed(seen, linear=linear, angular=angular, ahead=even)
        return Expectation(body.moved(guess), "steady")
    guess = Observed(seen, linear=linear, angular=angular, ahead=AHEAD)
    return Expectation(body.moved(guess).tagged(forbidden=True), "unknown")


def _round(times: Floats, positions: Floats, turned: Floats, period: float) -> Keyframed:
    """The last round, again and again; what it differs from itself by is spread over it."""
    now = float(times[-1])
    begin = now - period
    last = times > begin + 1e-6
    start = _between(times, positions, np.array([begin]))
    keys = np.concatenate([[begin], times[last]])
    spots = np.concatenate([start, positions[last]])
    spots = spots + (spots[-1] - spots[0]) * ((now - keys) / period)[:, None]
    spins = np.concatenate([turned[-1:], turned[last]])
    return Keyframed(keys, spots, spins, repeat="loop")


def _seen(times: Floats, positions: Floats, turned: Floats) -> Keyframed:
    return Keyframed(times[-8:], positions[-8:], turned[-8:])


def _period(times: Floats, positions: Floats, most: float) -> tuple[float, float]:
    """The least period after which a motion is back, and by how much rounds differ [m].

    Nothing is back that has not been away: the difference rises before it falls.
    """
    grid = np.arange(times[-1], times[0], -GRAIN)[::-1]
    spots = _between(times, positions, grid)
    # Half of a round is to be seen again.
    lags = np.arange(1, max(int(len(grid) / 1.5), 2))
    errors = np.full(len(lags), np.inf)
    for k, lag in enumerate(lags):
        shown = spots[lag:][-2 * lag :]
        errors[k] = np.linalg.norm(shown - spots[:-lag][-2 * lag :], axis=1).mean()
    away = np.flatnonzero(errors > 3.0 * most)
    if len(away) == 0:
        return np.inf, 0.0
    back = np.flatnonzero((errors < most) & (lags > lags[away[0]]))
    if len(back) == 0:
        return np.inf, 0.0
    # To the bottom of the first valley.
    k = int(back[0])
    while k + 1 < len(errors) and errors[k + 1] <= errors[k]:
        k += 1
    return _fitted(times, positions, float(lags[k]) * GRAIN)


def _fitted(times: Floats, positions: Floats, about: float) -> tuple[float, float]:
    """The mean difference between rounds [m], and the period near `about` at which it is least."""
    best = (np.inf, about)
    for period in about + 1.5 * GRAIN * np.linspace(-1.0, 1.0, 31):
        # All that was seen at least a period ago, two rounds at most.
        at = times[(times - period >= times[0]) & (times > times[-1] - 2.0 * period)]
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
