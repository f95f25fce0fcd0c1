"""Small random worlds that move, as timetables, and the exhaustive search over every tick."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surefoot import _native

TICK = 0.5
WAITING = ("safe intervals", "paper", "no culling")


@dataclass
class World:
    """When which way is open, in ticks; see `_native.search_timetable`."""

    durations: np.ndarray  # (n, controllers, n, ticks) int32, 0 where there is no way
    safe: np.ndarray  # (n, ticks) bool
    rates: np.ndarray  # (controllers,)
    waiting: float
    goal: int
    looseness: float

    @property
    def ticks(self) -> int:
        return self.safe.shape[1]

    @cached_property
    def until(self) -> np.ndarray:
        """(n, ticks): the last tick to which one can stay."""
        n, ticks = self.safe.shape
        until = np.zeros((n, ticks), dtype=np.int32)
        for k in reversed(range(ticks)):
            goes_on = (k + 1 < ticks) & (self.safe[:, min(k + 1, ticks - 1)])
            until[:, k] = np.where(goes_on, until[:, min(k + 1, ticks - 1)], k)
        return until

    @cached_property
    def ahead(self) -> np.ndarray:
        """(n,): the cheapest ways of all times, one after the other (levine2011, 5.5)."""
        open_ = np.where(self.durations > 0, self.durations, np.iinfo(np.int32).max)
        least = open_.min(axis=3).astype(float)
        least[least == np.iinfo(np.int32).max] = np.inf
        cost = (self.looseness * TICK * least * self.rates[None, :, None]).min(axis=1)
        ahead = np.full(len(cost), np.inf)
        ahead[self.goal] = 0.0
        for _ in range(len(cost)):
            ahead = np.minimum(ahead, (cost + ahead[None, :]).min(axis=1))
        return ahead


def random_world(rng: np.random.Generator, n: int = 9, ticks: int = 90) -> World:
    """Landmarks on bodies that shuttle to and fro, among discs that pass."""
    bodies = int(rng.integers(2, 5))
    own = rng.integers(0, bodies, n)
    spots = rng.uniform(-1.5, 1.5, (n, 2))
    times = TICK * np.arange(ticks)
    centres = np.stack([_shuttle(rng, times, still=i == 0) for i in range(bodies)])
    points = centres[own] + spots[:, None]  # (n, ticks, 2)
    discs = np.stack([_shuttle(rng, times, fast=True) for _ in range(int(rng.integers(1, 4)))])
    clear = 0.7
    away = _length(points[:, None] - discs[None])  # (n, discs, ticks)
    safe = (away > clear).all(axis=1)
    safe[0, 0] = True
    speeds = np.array([1.0, 2.0])
    rates = np.array([1.0, float(rng.choice([1.0, 1.6]))])
    reach = float(rng.uniform(2.0, 4.0))
    near = _length(points[:, None] - points[None]) <= reach  # (n, n, ticks)
    near &= safe[:, None] & ~np.eye(n, dtype=bool)[:, :, None]
    ways = [_ways(points, safe, discs, speed, clear) for speed in speeds]
    durations = np.ascontiguousarray(
        np.where(near[:, None], np.stack(ways, axis=1), 0), dtype=np.int32
    )
    return World(
        durations, safe, rates, float(rng.choice([1.0, 0.4])), n - 1,
        float(rng.choice([1.0, 0.6])),
    )  # fmt: skip


def _shuttle(rng, times, *, still=False, fast=False) -> np.ndarray:
    start = rng.uniform(-4.0, 4.0, 2)
    if still:
        return np.tile(start, (len(times), 1))
    end = start + rng.uniform(-6.0, 6.0, 2) * (2.0 if fast else 1.0)
    period = float(rng.uniform(6.0, 20.0))
    share = np.abs((times / period + rng.uniform()) % 1.0 * 2.0 - 1.0)
    return start + share[:, None] * (end - start)


def _length(vectors: np.ndarray) -> np.ndarray:
    """Of vectors `(..., 2)`: what `np.linalg.norm` gives, which is slow over an axis of two."""
    return np.sqrt(vectors[..., 0] ** 2 + vectors[..., 1] ** 2)


def _ways(points, safe, discs, speed, clear) -> np.ndarray:
    """(n, n, ticks) [ticks]: straight ways that meet soonest; 0 where there is none, or blocked."""
    n, ticks = safe.shape
    found = np.zeros((n, n, ticks), dtype=np.int32)
    met = np.zeros((n, n, ticks), dtype=bool)
    for lasts in range(1, 12):
        later = np.minimum(np.arange(ticks) + lasts, ticks - 1)
        inside = np.arange(ticks) + lasts < ticks
        shift = points[None, :, later] - points[:, None]  # (from, to, ticks, 2)
        meets = _length(shift) <= speed * TICK * lasts
        meets &= inside & ~met
        free = meets & safe[None, :, later]
        for m in range(1, lasts):
            way = points[:, None] + shift * (m / lasts)
            passing = discs[:, np.minimum(np.arange(ticks) + m, ticks - 1)]
            for disc in passing:
                free &= _length(way - disc) > clear
        found[free] = lasts
        met |= meets
    return found


def to_go(world: World) -> np.ndarray:
    """(n, ticks): what the best way to the goal costs from everywhere, tick by tick backward."""
    n, ticks = world.safe.shape
    best = np.full((n, ticks), np.inf)
    for k in reversed(range(ticks)):
        best[world.goal, k] = 0.0
        if k + 1 < ticks:
            stays = np.where(world.safe[:, k + 1], best[:, k + 1] + world.waiting * TICK, np.inf)
            best[:, k] = np.minimum(best[:, k], stays)
        for c, rate in enumerate(world.rates):
            lasts = world.durations[:, c, :, k]
            arrives = np.minimum(k + lasts, ticks - 1)
            cost = rate * TICK * lasts + best[np.arange(n)[None], arrives]
            best[:, k] = np.minimum(best[:, k], np.where(lasts > 0, cost, np.inf).min(axis=1))
    return best


def search(world: World, waiting: str, **changes) -> _native.Found:
    """The native search from the first landmark."""
    settings = _native.SearchSettings()
    settings.waiting = WAITING.index(waiting)
    settings.latest = TICK * (world.ticks - 1)
    settings.tick = settings.wait = TICK
    settings.preparation = 0.0
    settings.waiting_cost = world.waiting
    settings.recorded = True
    for name, value in changes.items():
        setattr(settings, name, value)
    goals = np.zeros(len(world.safe), dtype=np.bool_)
    goals[world.goal] = True
    return _native.search_timetable(
        world.durations.reshape(-1), world.until.reshape(-1), world.rates, world.ahead, goals,
        TICK, world.looseness, 0, settings,
    )  # fmt: skip
