"""Slow and simple twins of the native footstep search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, hypot, inf, sin

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats

State = tuple[float, float, float, float]  # x, y [m], heading [rad], t [s]


@dataclass
class Table:
    """A few actions; the first one stands."""

    moves: Floats
    durations: Floats
    efforts: Floats
    follows: Floats
    """`(n, n)` [J/kg] of each change; infinite where it is not allowed."""
    samples: Floats
    """`(n, 9, 6, 3)` [m]."""
    price: float = 2.0 * (2.23 * 1.26) ** 0.5

    def native(self) -> _native.StepTable:
        count = len(self.moves)
        allowed = np.isfinite(self.follows)
        excess, stop = self.ways_to_stand()
        offsets = np.zeros(count + 1, dtype=np.int32)
        np.cumsum(allowed.sum(axis=1), out=offsets[1:])
        stands = np.zeros(count, dtype=np.bool_)
        stands[0] = True
        radii = np.array([0.2, 0.1, 0.08, 0.08, 0.1, 0.1])
        away = self.samples[..., :2] - self.samples[:, :, :1, :2]
        girths = (np.linalg.norm(away, axis=-1) + radii).max(axis=(1, 2))
        steps = np.linalg.norm(np.diff(self.samples[..., :2], axis=1), axis=-1).max(axis=(1, 2))
        return _native.StepTable(
            moves=self.moves, durations=self.durations, efforts=self.efforts, excess=excess,
            stop=stop, kinds=np.arange(count, dtype=np.int32), stands=stands, girths=girths,
            paces=steps * 8 / np.maximum(self.durations, 1e-9),
            offsets=offsets, usual=offsets[1:].copy(),
            successors=np.nonzero(allowed)[1].astype(np.int32),
            flags=np.zeros(count, dtype=np.int32), feet=np.zeros((count, 15)), sole=0.05,
            changes=self.follows[allowed],
            samples=np.ascontiguousarray(self.samples.reshape(count, -1)),
            colliders=np.stack([radii, np.full(6, -0.1), np.full(6, 0.1)]), price=self.price,
        )  # fmt: skip

    def ways_to_stand(self) -> tuple[Floats, np.ndarray]:
        """By repeating until nothing changes: excess effort, and the first step of a quick way."""
        beyond = np.maximum(self.efforts - self.price * np.hypot(*self.moves[:, :2].T), 0.0)
        result = []
        for price in (beyond, self.durations):
            best, first = np.full(len(self.moves), inf), np.full(len(self.moves), -1, np.int32)
            best[0], first[0] = 0.0, 0
            for _ in range(len(self.moves)):
                for a in range(1, len(self.moves)):
                    extra = self.follows[a] if price is beyond else 0.0
                    own = np.where(np.arange(len(price)) == 0, 0.0, price)
                    total = np.where(np.isfinite(self.follows[a]), extra + own + best, inf)
                    if total.min() < best[a]:
                        best[a], first[a] = total.min(), int(np.argmin(total))
            result.append((best, first))
        return result[0][0], result[1][1]

    def moved(self, state: State, action: int) -> State:
        x, y, heading, t = state
        dx, dy, turn = self.moves[action].tolist()
        return (
            x + cos(heading) * dx - sin(heading) * dy,
            y + sin(heading) * dx + cos(heading) * dy,
            heading + turn,
            t + float(self.durations[action]),
        )


Free = Callable[[State, int], bool]


def exhaustive(
    table: Table, start: State, goal: tuple[float, float], tolerance: float, deepest: int,
    free: Free = lambda _state, _action: True, most: float = inf,
) -> float:  # fmt: skip
    """The least cost [J/kg] of all sequences of at most `deepest` actions that end at the goal."""
    best = most

    def go(state: State, action: int, cost: float, depth: int) -> None:
        nonlocal best
        away = hypot(goal[0] - state[0], goal[1] - state[1])
        if action == 0 and away <= tolerance:
            best = min(best, cost)
            return
        if depth == deepest:
            return
        for after in np.flatnonzero(np.isfinite(table.follows[action])).tolist():
            total = cost + float(table.efforts[after] + table.follows[action, after])
            if total < best and free(state, after):
                go(table.moved(state, after), after, total, depth + 1)

    go(start, 0, 0.0, 0)
    return best


def random_table(rng: np.random.Generator, count: int) -> Table:
    """A stand, and steps that go somewhere."""
    moves = np.column_stack(
        [rng.uniform(0.2, 0.8, count), rng.uniform(-0.2, 0.2, count), rng.uniform(-0.6, 0.6, count)]
    )
    durations = rng.uniform(0.4, 0.8, count)
    moves[0], durations[0] = 0.0, 0.5
    speeds = np.hypot(*moves[:, :2].T) / durations
    efforts = durations * (2.23 + 1.26 * speeds**2) * rng.uniform(1.0, 1.3, count)
    follows = np.where(
        rng.uniform(size=(count, count)) < 0.7, rng.uniform(0, 1, (count, count)), inf
    )
    follows[:, 0] = rng.uniform(0.0, 1.0, count)  # everybody may stand next
    follows[0, 1:] = rng.uniform(0.0, 1.0, count - 1)
    share = np.linspace(0.0, 1.0, 9)
    body = np.array(
        [[0, 0, 0.9], [0, 0, 1.6], [0, 0.25, 0.8], [0, -0.25, 0.8], [0, 0.1, 0.1], [0, -0.1, 0.1]]
    )
    samples = np.empty((count, 9, 6, 3))
    for action, (dx, dy, turn) in enumerate(moves):
        for k, u in enumerate(share):
            c, s = cos(u * turn), sin(u * turn)
            turned = body[:, :2] @ np.array([[c, s], [-s, c]])
            samples[action, k, :, :2] = turned + np.array([u * dx, u * dy])
            samples[action, k, :, 2] = body[:, 2]
    return Table(moves, durations, efforts, follows, samples)
