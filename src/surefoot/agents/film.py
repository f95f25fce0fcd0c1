"""Films: all poses of a crowd over time, kept to be checked, scored and shown."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from surefoot.agents.crowd import Crowd
from surefoot.agents.trajectories import Trajectories
from surefoot.arrays import Bools, Floats
from surefoot.character import Character
from surefoot.errors import InputError, one_of
from surefoot.motion.quality.slide import contact_speed, sole_points
from surefoot.planning.frames import to_frame
from surefoot.world import World

_UNDER = 0.12
"""[m] above and below a foot in which its ground is looked for."""


@dataclass(frozen=True, eq=False)
class Take:
    """One agent over time.

    Attributes:
        agent: its id.
        character: whose body.
        times: `(n,)` [s], while it was there.
        root: `(n, 3)` [m]: the pelvis.
        rotations: `(n, joints, 4)`: local.
        contacts: `(n, 2, 2)`: left and right foot; heel and toes.
        spots: `(n, 3)` [m]: where it is over the ground.
        headings: `(n,)` [rad].
        arrived: `(n,)`: whether it stood at its goal.
        world: where.
    """

    agent: int
    character: Character
    times: Floats
    root: Floats
    rotations: Floats
    contacts: Bools
    spots: Floats
    headings: Floats
    arrived: Bools
    world: World

    def foot_slide(self) -> Floats:
        """How fast feet slide over what carries them `(n - 1, 2)` [m/s]; NaN in the air."""
        skeleton, measures = self.character.skeleton, self.character.measures
        points = sole_points(skeleton, measures, self.root, self.rotations)
        movers = [body for body in self.world if body.trajectory.moving]
        if not movers:
            return contact_speed(self.times, points, self.contacts)
        # The ground under the middle of each foot, and the foot as that sees it.
        middles = (points[:, :, 0] + points[:, :, 2]) / 2.0
        times = np.repeat(self.times[:, None], 2, axis=1)
        under = self.world.support(middles, times, up=_UNDER, down=_UNDER).body
        for body in movers:
            on = under == self.world.id(body.name)
            if on.any():
                when = np.repeat(times[on][:, None], 3, axis=1)
                local = to_frame(self.world, body.name, points[on].reshape(-1, 3), when.reshape(-1))
                points[on] = local.reshape(-1, 3, 3)
        moving = np.isin(under, [self.world.id(body.name) for body in movers])
        carrier = np.where(moving, under, -1)
        return contact_speed(self.times, points, self.contacts, carrier[1:] == carrier[:-1])


class Film:
    """Collects the poses of a crowd, frame by frame.

    Args:
        world: where; as it is at the end when the film is shown.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.times: list[float] = []
        self.characters: dict[int, Character] = {}
        self._rows: dict[int, list[tuple[int, int]]] = {}
        self._frames: list[tuple[Floats, Floats, Bools, Floats, Floats, Bools]] = []
        self._agents: list[tuple[int, ...]] = []

    def __len__(self) -> int:
        return len(self.times)

    @property
    def agents(self) -> tuple[int, ...]:
        """All who were ever there, in order."""
        return tuple(sorted(self.characters))

    def shoot(self, crowd: Crowd) -> None:
        """Keeps the crowd as it is now."""
        agents = crowd.agents
        poses = crowd.poses()
        spots, headings = crowd.spots() if agents else (np.empty((0, 3)), np.empty(0))
        arrived = np.array([crowd.arrived(agent) for agent in agents], dtype=np.bool_)
        for row, agent in enumerate(agents):
            if agent not in self.characters:
                self.characters[agent] = crowd.character(agent)
            self._rows.setdefault(agent, []).append((len(self.times), row))
        self.times.append(crowd.t)
        self._agents.append(agents)
        self._frames.append((poses.root, poses.rotations, poses.contacts, spots, headings, arrived))

    def frame(self, index: int) -> tuple[tuple[int, ...], Floats, Floats]:
        """Who is there in a frame, their pelvises `(n, 3)` and rotations `(n, joints, 4)`."""
        root, rotations, *_ = self._frames[index]
        return self._agents[index], root, rotations

    def take(self, agent: int) -> Take:
        """One agent over time."""
        if agent not in self.characters:
            raise InputError(one_of("agent", agent, map(str, self.characters)))
        where = self._rows.get(agent, [])
        parts = [
            np.array([self._frames[frame][part][row] for frame, row in where]) for part in range(6)
        ]
        times = np.array([self.times[frame] for frame, _ in where])
        return Take(agent, self.characters[agent], times, *parts, world=self.world)

    def save_trajectories(self, path: str | os.PathLike[str]) -> None:
        """Writes where each agent is in each frame as CSV; see `Trajectories`."""
        found = Trajectories()
        for t, agents, (_, _, _, spots, headings, _) in zip(
            self.times, self._agents, self._frames, strict=True
        ):
            for agent, spot, heading in zip(agents, spots, headings, strict=True):
                found.append(agent, t, spot, float(heading))
        found.save(path)

    def rows(self, agent: int) -> dict[int, int]:
        """The index of each frame that an agent is in, and its row in the agent's take."""
        return {frame: index for index, (frame, _) in enumerate(self._rows.get(agent, []))}

    def every(self, step: int) -> Film:
        """Every `step`-th frame, from the first on."""
        fewer = Film(self.world)
        fewer.characters = self.characters
        fewer.times = self.times[::step]
        fewer._frames, fewer._agents = self._frames[::step], self._agents[::step]
        for agent, rows in self._rows.items():
            kept = [(frame // step, row) for frame, row in rows if frame % step == 0]
            fewer._rows[agent] = kept
        return fewer
