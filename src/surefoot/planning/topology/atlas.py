"""The world as a traveller sees it: surfaces, and which can be reached from which, how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats, Ints
from surefoot.character import Capability
from surefoot.planning.topology.capabilities import Skills
from surefoot.planning.topology.settings import TopologySettings
from surefoot.world import Place, World

STILL = 0.2
"""[rad/s] Slower leaning is no tumbling."""


@dataclass(frozen=True)
class Relation:
    """How one surface could be reached from another, as far as it was watched (4.2).

    Attributes:
        index: its number.
        source: the surface it starts from: a body's name and the number of its connected part.
        target: the surface it leads to.
        valid: whether it holds now.
        stable: whether it has held ever since it was first seen.
        since: [s] since when it holds, or does not.
        times_valid: how often it was seen to begin.
        mean_valid: [s] for which it holds, on average.
        mean_invalid: [s] for which it does not.
        mean_speed: [m/s] of the surfaces relative to each other while it holds.
        periods: how many times from one beginning to the next were seen.
        period: [s] their mean.
        deviation: [s] their standard deviation.
        onset: [s] when it last began; -inf when that was never seen.
        tried: jumps that were tried.
        found: jumps that were possible.
    """

    index: int
    source: tuple[str, int]
    target: tuple[str, int]
    valid: bool
    stable: bool
    since: float
    times_valid: int
    mean_valid: float
    mean_invalid: float
    mean_speed: float
    periods: int
    period: float
    deviation: float
    onset: float
    tried: int
    found: int

    @property
    def periodicity(self) -> float:
        """[s] The sum of the mean times for which it holds and does not: the paper's estimate."""
        return self.mean_valid + self.mean_invalid

    @property
    def periodic(self) -> bool:
        """Whether it comes again like clockwork, as far as was seen."""
        return self.periods >= 2 and self.deviation < 0.08 * self.period


@dataclass(frozen=True)
class Frame:
    """What the last frame took and met; times in seconds."""

    looking: float
    building: float
    relating: float
    sampling: float
    awake: int
    tumbling: int
    rebuilt: int
    pairs: int
    obstructions: int
    tried: int


class Atlas:
    """Watches a world for travellers of the same abilities; many can share one."""

    def __init__(
        self, world: World, skills: Mapping[str, Capability], settings: TopologySettings
    ) -> None:
        self.world, self.settings = world, settings
        self.skills = Skills.of(skills)
        narrow = self.skills.ground[0]
        spacing = settings.spacing or max(1.5 * narrow.radius, 0.3)
        stride = 0.4 * narrow.height
        self.native = _native.Atlas(
            world.native,
            self.skills.rows,
            self.skills.leap,
            np.array([spacing, 0.3 * narrow.radius, settings.most_nodes, stride, 0, 0, 0.0]),
            np.array(
                [settings.tilt, STILL, settings.settling, settings.ahead, settings.forget, 0, 0.0]
            ),
            settings.rebuilds,
            settings.samples,
            settings.kept,
            settings.seed,
        )
        self._admitted = 0
        self._begun = False

    def update(self, t: float) -> None:
        """Takes in the world as it is at `t` [s]."""
        names = self.world.names
        for body in range(self._admitted, len(names)):
            if names[body] in self.world and self.world.id(names[body]) == body:
                self.native.admit(body, self.world[names[body]].has("forbidden"))
        self._admitted = len(names)
        self.native.update(t, not self._begun)
        self._begun = True

    @property
    def now(self) -> float:
        """[s] Of the last update."""
        return self.native.now

    @property
    def frame(self) -> Frame:
        """What the last update took and met."""
        row = self.native.frame().tolist()
        return Frame(*row[:4], *(int(n) for n in row[4:]))

    def roadmap(self, body: str) -> _native.Roadmap | None:
        """The navigable surface of a body; None while it tumbles or nobody may stand on it."""
        return self.native.roadmap(self.world.id(body))

    def tumbling(self, body: str) -> bool:
        """Whether a body is only in the way, for it turns over."""
        return self.native.state(self.world.id(body))[2]

    def surface(self, place: Place, *, within: float = 2.0) -> tuple[int, int]:
        """The number of the surface nearest to a place on a body, and its node; -1 for none."""
        if place.body is None or place.body not in self.world:
            return -1, -1
        return self.native.nearest(self.world.id(place.body), place.position[None].copy(), within)

    def surface_name(self, surface: int) -> tuple[str, int]:
        """A surface's body and the number of its connected part."""
        row = self.native.surface(surface)
        return self.world.names[row[0]], row[1]

    def relation(self, index: int) -> Relation:
        """What was seen of a relation."""
        row = self.native.relation(index).tolist()
        return Relation(
            index, self.surface_name(int(row[0])), self.surface_name(int(row[1])),
            bool(row[2]), bool(row[3]), row[4], int(row[5]), row[6], row[7], row[8], int(row[9]),
            row[10], row[11], row[12], int(row[13]), int(row[14]),
        )  # fmt: skip

    @property
    def relations(self) -> Sequence[Relation]:
        """All relations there are."""
        return [self.relation(index) for index in self.native.relations()]

    def ends(self, index: int) -> tuple[int, int]:
        """The numbers of a relation's two surfaces."""
        row = self.native.relation(index)
        return int(row[0]), int(row[1])

    def has_jump(self, index: int, take_off: int, landing: int) -> bool:
        """Whether a way over between two nodes is among those that a relation remembers."""
        jumps = self.native.jumps(index)
        return bool(((jumps[:, 0] == take_off) & (jumps[:, 1] == landing)).any())

    def at_rest(self, index: int) -> bool:
        """Whether neither of a relation's surfaces has moved of late."""
        bodies = (self.native.surface(end)[0] for end in self.ends(index))
        return not any(self.native.state(body)[1] for body in bodies)

    def take_offs(self, index: int) -> Ints:
        """Nodes from which a relation was seen to be passed, the latest first."""
        jumps = self.native.jumps(index)
        order = np.argsort(-jumps[:, 3], kind="stable")
        return np.array(list(dict.fromkeys(jumps[order, 0].astype(int).tolist())), dtype=np.int32)

    def route(self, start: int, goal: int, shut: Iterable[int] = ()) -> tuple[bool, list[int]]:
        """Whether there is a way between surfaces, and the relations to take in order (4.3)."""
        s = self.settings
        return self.native.route(
            start, goal, s.max_relative_speed, s.min_valid, np.array(list(shut), dtype=np.int32)
        )

    def nodes(self, body: str) -> Floats:
        """`(n, 3)` [m]: the configurations on a body, in its frame."""
        roadmap = self.roadmap(body)
        return np.zeros((0, 3)) if roadmap is None else roadmap.nodes()[0]
