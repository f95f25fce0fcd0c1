"""Recordings: what came into a crowd, frame by frame, and proof of what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from surefoot import arrays, schema
from surefoot.agents.inputs import Input
from surefoot.agents.settings import CrowdSettings
from surefoot.agents.trajectories import Trajectories
from surefoot.arrays import Floats, frozen, shortened
from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.planning.live import LivePlanner
from surefoot.world import World

if TYPE_CHECKING:
    from surefoot.agents.crowd import Crowd

VERSION = 2
"""Of the recordings that this surefoot writes and reads."""

PlannerMaker = Callable[[World], LivePlanner]
"""Gives the planner for a world."""


@schema.record("recording")
@dataclass(frozen=True, kw_only=True, eq=False)
class Recording:
    """A run of a crowd.

    Attributes:
        planner: the name of the planner that planned it.
        identity: what its plans depended on: its settings, the library, the steps of each body.
        settings: how it was run.
        start: [s].
        world: as it was at the start.
        characters: whose bodies the agents have.
        inputs: in order; each comes before its frame.
        steps: `(n,)` [s], how long each frame lasted.
        nodes: `(n,)`, that each frame was allowed.
        digests: one for each frame: a hash of all that was planned until its end.
    """

    planner: str
    identity: Mapping[str, str]
    settings: CrowdSettings
    start: float
    world: World
    characters: tuple[Character, ...]
    inputs: tuple[Input, ...]
    steps: Floats
    nodes: npt.NDArray[np.int64]
    digests: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "steps", frozen(arrays.times(self.steps, "recording: steps").reshape(-1)))
        if not isinstance(self.nodes, np.ndarray) or self.nodes.dtype != np.int64:  # pyright: ignore[reportUnnecessaryIsInstance]
            given = shortened(self.nodes)
            raise InputError(f"recording: nodes must be an array of int64, got {given}")
        put(self, "digests", arrays.several(self.digests, str, "recording: digests"))
        count = len(self.steps)
        if len(self.nodes) != count or len(self.digests) != count:
            raise InputError(
                f"a recording needs steps, nodes and digests for each frame, got {count},"
                f" {len(self.nodes)} and {len(self.digests)}"
            )
        put(self, "inputs", arrays.several(self.inputs, object, "recording: inputs"))
        frames = [change.frame for change in self.inputs]
        if frames != sorted(frames) or (frames and not 0 <= frames[0] <= frames[-1] <= count):
            raise InputError("inputs of a recording must be in the order of their frames")

    def __len__(self) -> int:
        return len(self.steps)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the recording as JSON."""
        schema.write(path, self, kind="recording", version=VERSION)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recording:
        """The recording in a file, to the same bits."""
        return schema.read(path, cls, kind="recording", version=VERSION)

    def replay(
        self, planner: PlannerMaker | None = None, *, threads: int | None = None
    ) -> Iterator[Crowd]:
        """Runs it again; the crowd at the start and after each frame.

        Args:
            planner: gives the planner for a world, with the settings and the library that it was
                recorded with; the planner of footsteps as it comes when not given.
            threads: how many to use; as recorded when not given. The bits are the same.

        Raises:
            ReplayError: the planner is another one, or has other settings or another library; or
                a frame came out differently: names the frame.
        """
        from surefoot.agents.replay import replayed

        return replayed(self, planner, threads=threads)

    def save_trajectories(
        self,
        path: str | os.PathLike[str],
        planner: PlannerMaker | None = None,
        *,
        threads: int | None = None,
    ) -> None:
        """Runs it again, and writes where each agent is at the start and after each frame as CSV.

        See `surefoot.agents.trajectories`. The other arguments are those of `replay`.
        """
        found = Trajectories()
        for crowd in self.replay(planner, threads=threads):
            found.add(crowd)
        found.save(path)
