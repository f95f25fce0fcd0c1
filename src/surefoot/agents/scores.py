"""Scores of a film: how well a crowd went, by SteerBench's measures.

Sums over frames depend on the frame rate: compare scores at the same rate only.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from surefoot.agents.collisions import Touches
from surefoot.agents.film import Film, Take

STANDING, MOVING = 2.23, 1.26
"""e_s [J/kg/s] and e_w [J s/kg/m^2] of an average person (beacco2013 5.3)."""


@dataclass(frozen=True)
class AgentScore:
    """How one agent did.

    Attributes:
        agent: its id.
        arrived: whether it stands at its goal in the end.
        collisions: contacts with others and with the world, each counted once.
        time: [s] until it stood at its goal, or all the time.
        distance: [m] that it went.
        turned: [degrees] that its heading turned.
        speed_changes: [m/s] sum of changes of speed, up or down.
        velocity_changes: [m/s] sum of changes of velocity.
        kinetic: sum over frames of v^2 / 2 [m^2/s^2].
        acceleration: sum over frames of |a| [m/s^2].
        effort: [J/kg] sum of (e_s + e_w v^2) dt.
    """

    agent: int
    arrived: bool
    collisions: int
    time: float
    distance: float
    turned: float
    speed_changes: float
    velocity_changes: float
    kinetic: float
    acceleration: float
    effort: float


@dataclass(frozen=True)
class Scores:
    """How a crowd did.

    Attributes:
        agents: one for each.
        frame_rate: [1/s] that sums over frames go by.
    """

    agents: tuple[AgentScore, ...]
    frame_rate: float

    def mean(self, name: str) -> float:
        """The mean of one of the scores over all agents."""
        return float(np.mean([getattr(each, name) for each in self.agents]))

    @property
    def arrived(self) -> float:
        """The share of those who stand at their goal."""
        return self.mean("arrived")

    @property
    def collisions(self) -> int:
        """Of all agents; contacts of two are counted for both."""
        return sum(each.collisions for each in self.agents)

    @property
    def composite01(self) -> float:
        """SteerBench's: 50 collisions + time + kinetic energy, on average; less is better."""
        return 50.0 * self.mean("collisions") + self.mean("time") + self.mean("kinetic")

    @property
    def composite02(self) -> float:
        """The same and accelerations."""
        return self.composite01 + self.mean("acceleration")

    @property
    def composite_effort(self) -> float:
        """50 collisions + time + effort, on average: does not depend on the frame rate."""
        return 50.0 * self.mean("collisions") + self.mean("time") + self.mean("effort")

    def table(self) -> str:
        """Means over all agents, a line for each score."""
        names = [field.name for field in fields(AgentScore)[1:]]
        lines = [f"{name.replace('_', ' '):<18}{self.mean(name):10.3f}" for name in names]
        totals = ("composite01", "composite02", "composite_effort")
        lines += [f"{name.replace('_', ' '):<18}{getattr(self, name):10.3f}" for name in totals]
        return "\n".join(lines)


def score(film: Film, touches: Touches) -> Scores:
    """The scores of a film of at least two frames."""
    steps = np.diff(film.times)
    rate = 1.0 / float(np.mean(steps)) if len(steps) else 0.0
    each = tuple(_score(film.take(agent), touches) for agent in film.agents)
    return Scores(each, rate)


def _score(take: Take, touches: Touches) -> AgentScore:
    there = np.flatnonzero(~take.arrived)
    last = min(int(there[-1]) + 1, len(take.times) - 1) if len(there) else 0
    times = take.times[: last + 1]
    dt = np.diff(times)
    way = np.diff(take.spots[: last + 1, :2], axis=0)
    velocity = way / dt[:, None]
    speed = np.hypot(velocity[:, 0], velocity[:, 1])
    turns = np.diff(np.unwrap(take.headings[: last + 1]))
    change = np.linalg.norm(np.diff(velocity, axis=0), axis=1)
    return AgentScore(
        agent=take.agent,
        arrived=bool(take.arrived[-1]),
        collisions=sum(take.agent in contact.agents for contact in touches.contacts),
        time=float(times[-1] - times[0]),
        distance=float(np.hypot(way[:, 0], way[:, 1]).sum()),
        turned=float(np.degrees(np.abs(turns).sum())),
        speed_changes=float(np.abs(np.diff(speed)).sum()),
        velocity_changes=float(change.sum()),
        kinetic=float((0.5 * speed**2).sum()),
        acceleration=float((change / dt[1:]).sum()) if len(dt) > 1 else 0.0,
        effort=float(((STANDING + MOVING * speed**2) * dt).sum()),
    )
