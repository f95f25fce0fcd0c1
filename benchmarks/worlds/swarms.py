"""Many platforms that drift about, pushed into a live world frame by frame."""

from __future__ import annotations

import numpy as np

from surefoot.math import Pose
from surefoot.world import Body, Feed, World
from surefoot.world.primitives import slab


class Swarm:
    """Platforms of 0.8 m over a plane, each on an ellipse of its own; as dense however many."""

    def __init__(self, count: int, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        side = 1.3 * np.sqrt(count)
        self._middle = rng.uniform((0, 0, -0.2), (side, side, 0.2), (count, 3))
        self._sway = rng.uniform(0.2, 0.9, (count, 3)) * np.array([1, 1, 0.15])
        self._rate, self._phase = rng.uniform(0.5, 1.2, (2, count, 1)) * np.array([[[1]], [[6]]])
        self.time = 0.0
        self.world = World(name="swarm")
        self.feed = Feed(self.world)
        self._turned = np.tile([1.0, 0, 0, 0], (count, 1))
        mesh = slab((0.8, 0.8, 0.1))
        for k, where in enumerate(self._where(0.0)):
            self.feed.add(Body(name=f"platform {k}", mesh=mesh), Pose(where), 0.0)

    def _where(self, t: float) -> np.ndarray:
        angle = self._rate * t + self._phase
        turns = np.concatenate([np.cos(angle), np.sin(angle), np.sin(1.7 * angle)], axis=1)
        return self._middle + self._sway * turns

    def step(self, dt: float) -> None:
        """Goes on by `dt` [s]."""
        self.time += dt
        self.feed.push(self.time, self._where(self.time), self._turned)
