"""Trajectories of a crowd: where each agent is in each frame, written as CSV."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from surefoot.arrays import Floats
from surefoot.files import write_atomic

if TYPE_CHECKING:
    from surefoot.agents.crowd import Crowd

COLUMNS = ("agent", "t", "x", "y", "z", "heading")
"""Id; [s]; [m] of the point between the feet on the ground; [rad], counterclockwise from +x."""


class Trajectories:
    """Collects where agents are, frame by frame."""

    def __init__(self) -> None:
        self._rows: dict[int, list[tuple[float, ...]]] = {}

    def add(self, crowd: Crowd) -> None:
        """Adds where all agents of a crowd are now."""
        if not crowd.agents:
            return
        positions, headings = crowd.spots()
        for agent, position, heading in zip(crowd.agents, positions, headings, strict=True):
            self.append(agent, crowd.t, position, float(heading))

    def append(self, agent: int, t: float, position: Floats, heading: float) -> None:
        """Adds one agent at `t` [s], later than before: position `(3,)` [m], heading [rad]."""
        self._rows.setdefault(agent, []).append((t, *position.tolist(), heading))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a CSV file with the columns `COLUMNS`: a row for each agent and frame.

        Agents are in the order of their ids, the times of each ascend. Numbers have as many digits
        as it takes to read them again to the last bit.
        """
        lines = [",".join(COLUMNS)]
        for agent, rows in sorted(self._rows.items()):
            lines += [f"{agent}," + ",".join(map(repr, row)) for row in rows]
        write_atomic(path, ("\n".join(lines) + "\n").encode())
