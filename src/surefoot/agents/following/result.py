"""What became of a simulated body that followed a plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.agents.following.ground import Ground
from surefoot.arrays import Floats
from surefoot.physics.showing import parts_of
from surefoot.physics.stage import Action
from surefoot.planning import Plan
from surefoot.world import World


@dataclass(frozen=True, eq=False, kw_only=True)
class Followed:
    """What a body did. Truthy when it stands at the goal.

    Attributes:
        ground: what it walked on.
        plans: that it followed, one after the other; all but the first since it had gone astray.
        start: [s] of the first frame.
        frames: `(n, nq)` recorded positions.
        rate: [1/s] of them.
        actions: one for each step.
        carriers: what was under it, in order.
        off: `(steps,)` [m] from where the plan had it, at each foot strike.
        arrived: whether it stands at the goal.
        standing: whether it did not fall.
    """

    ground: Ground
    plans: tuple[Plan, ...]
    start: float
    frames: Floats
    rate: float
    actions: tuple[Action, ...]
    carriers: tuple[str, ...]
    off: Floats
    arrived: bool
    standing: bool

    def __bool__(self) -> bool:
        return self.arrived

    @property
    def end(self) -> float:
        """[s] of the last frame."""
        return self.start + (len(self.frames) - 1) / self.rate

    def told(self) -> list[str]:
        """What happened, in lines."""
        if self.arrived:
            how = f"it is there after {self.end - self.start:.1f} s"
        elif not self.standing:
            how = f"it fell after {self.end - self.start:.1f} s"
        else:
            how = f"it is not there after {self.end - self.start:.1f} s"
        far = self.off if len(self.off) else np.zeros(1)
        return [
            how,
            f"{len(self.actions)} steps over {', '.join(repr(name) for name in self.carriers)}",
            f"{far.mean():.2f} m from where the plan had it on average, {far.max():.2f} m at most",
            *([f"it planned anew {len(self.plans) - 1} times"] if len(self.plans) > 1 else []),
        ]

    def world(self) -> World:
        """To look at: the world, and the parts of the body in it."""
        frames = self.ground.lowered(self.frames)
        parts = parts_of(self.ground.stage, frames, self.rate, start=self.start)
        return self.ground.world.copy([*self.ground.world, *parts])
