"""CMA-ES: covariance matrix adaptation (Hansen 2016), with a state that can be kept and resumed.

The numbers of generation g depend on the seed and g alone, so a search that was stopped goes on
with the same bits.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from surefoot.archives import packed, unpacked
from surefoot.arrays import Floats
from surefoot.errors import FileError
from surefoot.files import read_bytes, write_atomic

_STATE = ("mean", "covariance", "path", "step_path", "sigma", "generation", "best", "best_cost")


@dataclass(eq=False, kw_only=True)
class Evolution:
    """A search for the least cost.

    Attributes:
        mean: `(n,)` the middle of the next generation.
        sigma: how far it spreads.
        seed: of the random numbers.
        population: candidates in a generation.
    """

    mean: Floats
    sigma: float
    seed: int = 0
    population: int = 0
    generation: int = 0
    best: Floats = field(init=False)
    best_cost: float = np.inf

    def __post_init__(self) -> None:
        self.mean = np.array(self.mean, dtype=np.float64)
        n = len(self.mean)
        self.population = self.population or 4 + int(3 * np.log(n))
        self.best = self.mean.copy()
        self.covariance: Floats = np.eye(n)
        self.path: Floats = np.zeros(n)
        self.step_path: Floats = np.zeros(n)
        parents = self.population // 2
        weights = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
        self._weights: Floats = weights / weights.sum()
        self._mass = float(1.0 / (self._weights**2).sum())

    def ask(self) -> Floats:
        """`(population, n)` candidates to evaluate."""
        rng = np.random.default_rng([self.seed, self.generation])
        values, axes = np.linalg.eigh(self.covariance)
        steps = rng.standard_normal((self.population, len(self.mean)))
        spread = axes * np.sqrt(np.maximum(values, 1e-20))
        return self.mean + self.sigma * steps @ spread.T

    def tell(self, candidates: Floats, costs: Floats) -> None:
        """Learns from what the candidates of `ask` cost."""
        n, mass = len(self.mean), self._mass
        order = np.argsort(costs, kind="stable")
        if costs[order[0]] < self.best_cost:
            self.best, self.best_cost = candidates[order[0]].copy(), float(costs[order[0]])
        chosen = (candidates[order[: len(self._weights)]] - self.mean) / self.sigma
        moved = self._weights @ chosen
        self.mean = self.mean + self.sigma * moved

        rate = (mass + 2) / (n + mass + 5)
        damping = 1 + 2 * max(0.0, np.sqrt((mass - 1) / (n + 1)) - 1) + rate
        values, axes = np.linalg.eigh(self.covariance)
        whitened = axes @ ((axes.T @ moved) / np.sqrt(np.maximum(values, 1e-20)))
        self.step_path = (1 - rate) * self.step_path + np.sqrt(rate * (2 - rate) * mass) * whitened
        expected = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        long = float(np.linalg.norm(self.step_path))
        self.sigma *= float(np.exp((rate / damping) * (long / expected - 1)))

        aged = np.sqrt(1 - (1 - rate) ** (2 * (self.generation + 1)))
        steady = float(long / aged < (1.4 + 2 / (n + 1)) * expected)
        slow = (4 + mass / n) / (n + 4 + 2 * mass / n)
        self.path = (1 - slow) * self.path + steady * np.sqrt(slow * (2 - slow) * mass) * moved
        one = 2 / ((n + 1.3) ** 2 + mass)
        many = min(1 - one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
        self.covariance = (
            (1 - one - many + (1 - steady) * one * slow * (2 - slow)) * self.covariance
            + one * np.outer(self.path, self.path)
            + many * (chosen.T * self._weights) @ chosen
        )
        self.generation += 1

    def save(self, path: str | os.PathLike[str], key: str) -> None:
        """Keeps the search, whole or not at all; `key` says what it searches."""
        state = {name: np.asarray(getattr(self, name)) for name in _STATE}
        write_atomic(path, packed({"key": np.array(key), **state}))

    def resume(self, path: str | os.PathLike[str], key: str) -> bool:
        """Goes on where `save` stopped; False when there is nothing, or it searched another."""
        if not Path(path).exists():
            return False
        try:
            kept = unpacked(read_bytes(path), str(path))
            if str(kept["key"]) != key:
                return False
            state = {name: kept[name] for name in _STATE}
        except (FileError, KeyError) as reason:
            raise FileError(f"{path}: no search of a gait: {reason}") from reason
        for name, value in state.items():
            setattr(self, name, value if value.ndim else value.item())
        return True
