"""How a crowd holds its budget: what frames were allowed, what they took, and at whose cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.agents.loop import Frame
from surefoot.agents.settings import CrowdSettings


@dataclass(frozen=True, kw_only=True)
class CrowdReport:
    """What some frames did; all of it counted, so a replay has the same.

    Attributes:
        agents: how many there are now.
        frames: how many were looked at.
        allowance: nodes that a frame might take, on average.
        nodes: that it took, on average.
        most_nodes: that a frame took at most.
        over: frames that took more than they might.
        plans: that were made.
        refused: plans that were not clear of those taken up before them in the same frame.
        reactions: plans taken up that are out of the ordinary: something was about to strike.
        waiting: how many waited for a plan in a frame, on average.
        most_waiting: at most.
        longest: [frames] that anybody waited at most.
        standing: how many stood in a frame though they have somewhere to go, on average.
        horizon: [actions] that plans looked ahead, on average over plans.
        least_horizon: at least.
        full_horizon: where there is time.
    """

    agents: int
    frames: int
    allowance: float
    nodes: float
    most_nodes: int
    over: int
    plans: int
    refused: int
    reactions: int
    waiting: float
    most_waiting: int
    longest: int
    standing: float
    horizon: float
    least_horizon: int
    full_horizon: int

    @classmethod
    def of(cls, frames: Sequence[Frame], agents: int, settings: CrowdSettings) -> CrowdReport:
        """The report on some frames."""

        def mean(values: Sequence[int]) -> float:
            return float(np.mean(values)) if values else 0.0

        def most(values: Sequence[int]) -> int:
            return max(values, default=0)

        made = [frame for frame in frames if frame.asked]
        plans = sum(len(frame.asked) for frame in made)
        looked = sum(frame.horizon * len(frame.asked) for frame in made)
        full = settings.horizon
        return cls(
            agents=agents,
            frames=len(frames),
            allowance=mean([frame.allowance for frame in frames]),
            nodes=mean([frame.nodes for frame in frames]),
            most_nodes=most([frame.nodes for frame in frames]),
            over=sum(frame.nodes > frame.allowance for frame in frames),
            plans=plans,
            refused=sum(len(frame.refused) for frame in frames),
            reactions=sum(len(frame.reacted) for frame in frames),
            waiting=mean([frame.waiting for frame in frames]),
            most_waiting=most([frame.waiting for frame in frames]),
            longest=most([frame.longest for frame in frames]),
            standing=mean([frame.standing for frame in frames]),
            horizon=looked / plans if plans else float(full),
            least_horizon=min((frame.horizon for frame in made), default=full),
            full_horizon=full,
        )

    @property
    def shortened(self) -> bool:
        """Whether plans looked less far ahead than they would with more time."""
        return self.least_horizon < self.full_horizon

    def __str__(self) -> str:
        lines = [
            f"{self.agents} agents, {self.frames} frames, {self.plans} plans,"
            f" {self.reactions} reactions",
            f"nodes a frame: {self.nodes:.0f} of {self.allowance:.0f}, at most {self.most_nodes}"
            + (f"; {self.over} frames took more than they might" if self.over else ""),
            f"waiting: {self.waiting:.1f} on average, {self.most_waiting} at most,"
            f" nobody longer than {self.longest} frames; {self.standing:.1f} stand meanwhile",
            f"plans look {self.horizon:.1f} actions ahead"
            + (
                f", {self.least_horizon} at least: there is no time for {self.full_horizon}"
                if self.shortened
                else ""
            ),
        ]
        return "\n".join(lines)
