"""The two levels of planning: which surfaces to cross, and the way on the one at hand (4.3)."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.planning.goals import Goal
from surefoot.planning.topology.atlas import Atlas
from surefoot.world import Place

CHANGE = 0.4
"""[s] That a change of posture takes."""

WAIT = 0.25
"""[s] Grain of waiting on the way."""

OBSTRUCTED = "the way on the surface is obstructed"
UNKNOWN = "no surfaces are known that lead to the goal"


@dataclass(frozen=True)
class Hop:
    """A change of surfaces: the relation that is taken, and its take-off and landing as nodes."""

    relation: int
    take_off: int
    landing: int


@dataclass(frozen=True)
class Way:
    """A timed way on one body, and where it leads next.

    Attributes:
        body: that it is on.
        times: `(n,)` [s].
        positions: `(n, 3)` [m] in the body's frame.
        skills: `(n,)`: which way of going about leads to each point.
        relation: the relation to take at its end; -1 where it ends at the goal.
        ends: the surfaces of that relation.
        hops: changes of surfaces from here on, the next one first, where it matters which: what
            fell may have parted a surface, so that it is to be landed on beyond.
    """

    body: str
    times: Floats
    positions: Floats
    skills: Ints
    relation: int = -1
    ends: tuple[int, int] = (-1, -1)
    hops: tuple[Hop, ...] = ()

    @property
    def landing(self) -> int:
        """The node to land at; -1 where any will do."""
        return self.hops[0].landing if self.hops else -1

    def at(self, t: float) -> Floats:
        """`(3,)` [m] where it is at `t` [s]."""
        return np.array([np.interp(t, self.times, self.positions[:, k]) for k in range(3)])

    def skill(self, t: float) -> int:
        """Which way of going about is used at `t` [s]."""
        i = int(np.searchsorted(self.times, t, side="left"))
        return int(self.skills[min(i, len(self.skills) - 1)])

    @property
    def end(self) -> float:
        """[s] when it is over."""
        return float(self.times[-1])


@dataclass
class Efforts:
    """What planning took so far: of a core, and by the clock, as tests are timed."""

    plans: int = 0
    expanded: int = 0
    tests: int = 0
    seconds: float = 0.0
    clock_seconds: float = 0.0
    test_seconds: float = 0.0
    slowest: float = 0.0
    routes: int = 0
    reasons: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True)
class Answer:
    """What came of a look for a way.

    Attributes:
        way: the way on the surface at hand; None where there is none.
        why: there is none.
        barred: the change of surfaces that could not be got to, where that is why.
    """

    way: Way | None
    why: str = ""
    barred: Hop | None = None


def find_way(
    atlas: Atlas, place: Place, goal: Goal, t: float, *, skill: int, shut: Collection[int],
    spent: Collection[Hop], avoid: Collection[int], hops: Sequence[Hop], efforts: Efforts,
    take_off: Place | None = None,
) -> Answer:  # fmt: skip
    """The way on the surface at hand towards the goal, or why there is none.

    Args:
        atlas: as of `t`.
        place: where somebody stands.
        goal: where to.
        t: [s].
        skill: how it goes about now.
        shut: relations not to take.
        spent: changes of surfaces that were tried in vain.
        avoid: take-offs not to go to.
        hops: changes of surfaces that were planned before.
        efforts: are added to.
        take_off: to leave the surface at hand from; None for the nearest that is known.
    """
    # Of a core: what else the machine does is no planning.
    begun, clock = time.process_time(), time.perf_counter()
    try:
        return _Look(atlas, place, goal, t, skill, efforts, take_off).find(shut, spent, avoid, hops)
    finally:
        took = time.process_time() - begun
        efforts.plans += 1
        efforts.seconds += took
        efforts.clock_seconds += time.perf_counter() - clock
        efforts.slowest = max(efforts.slowest, took)


@dataclass(frozen=True)
class _Look:
    atlas: Atlas
    place: Place
    goal: Goal
    t: float
    skill: int
    efforts: Efforts
    take_off: Place | None = None

    def find(
        self, shut: Collection[int], spent: Collection[Hop], avoid: Collection[int],
        hops: Sequence[Hop],
    ) -> Answer:  # fmt: skip
        here, _ = self.atlas.surface(self.place)
        there, end = self.atlas.surface(self.goal.place)
        if here < 0 or self.place.body is None:
            return Answer(None, "what is stood on is no surface to go about on")
        if there < 0:
            return Answer(None, "the goal is on no surface now")
        way = self._onward(here, hops, avoid) if self._hold(here, hops) else None
        if way is not None:
            return Answer(way)
        targets = _around(self.atlas, self.goal, end)
        reached, found = self._passage(here, there, targets, shut, spent)
        if not reached:
            return Answer(None, self._why_not(here, there, shut))
        if not found:
            way = self._local(here, targets, -1, (here, there))
            return Answer(way, "" if way else OBSTRUCTED)
        way = self._onward(here, found, avoid)
        return Answer(way) if way else Answer(None, OBSTRUCTED, found[0])

    def _why_not(self, here: int, there: int, shut: Collection[int]) -> str:
        self.efforts.routes += 1
        known, _ = self.atlas.route(here, there, shut)
        return OBSTRUCTED if known else UNKNOWN

    def _hold(self, here: int, hops: Sequence[Hop]) -> bool:
        """Whether changes of surfaces that were planned before are still possible."""
        return bool(hops) and self.atlas.ends(hops[0].relation)[0] == here and all(
            self.atlas.has_jump(hop.relation, hop.take_off, hop.landing) for hop in hops
        )  # fmt: skip

    def _onward(self, here: int, hops: Sequence[Hop], avoid: Collection[int]) -> Way | None:
        """To the first of several changes of surfaces.

        Between what is at rest exactly as planned, for the landing may be parted from the rest of
        its surface; where something moves, to the nearest take-off, and what comes is taken.
        """
        relation = hops[0].relation
        ends = self.atlas.ends(relation)
        if self.atlas.at_rest(relation):
            target = np.array([hops[0].take_off], dtype=np.int32)
            return self._local(here, target, relation, ends, tuple(hops))
        targets = self.atlas.take_offs(relation)
        if self.take_off is not None and self.take_off.body == self.place.body:
            _, node = self.atlas.surface(self.take_off)
            targets = np.array([node], dtype=np.int32) if node >= 0 else targets
        fresh = targets[~np.isin(targets, list(avoid))]
        return self._local(here, fresh if len(fresh) else targets, relation, ends)

    def _local(
        self, here: int, targets: Ints, relation: int, ends: tuple[int, int],
        hops: tuple[Hop, ...] = (),
    ) -> Way | None:  # fmt: skip
        assert self.place.body is not None
        start = np.ascontiguousarray(self.place.position[None])
        reached, _, positions, times, skills, expanded, tests, seconds = self.atlas.native.search(
            here, start, self.t, self.skill, targets, self.atlas.settings.search_nodes, WAIT,
            CHANGE,
        )  # fmt: skip
        self._count(expanded, tests, seconds)
        if not reached:
            return None
        return Way(self.place.body, times, positions, skills, relation, ends, hops)

    def _passage(
        self, here: int, there: int, targets: Ints, shut: Collection[int], spent: Collection[Hop]
    ) -> tuple[bool, list[Hop]]:
        """Whether what is at rest leaves a way, and where it changes surfaces."""
        s = self.atlas.settings
        tired = np.array(
            [[h.relation, h.take_off, h.landing] for h in spent], dtype=np.int32
        ).reshape(-1, 3)
        reached, hops, expanded, tests, seconds = self.atlas.native.passage(
            here, np.ascontiguousarray(self.place.position[None]), self.skill, there, targets,
            CHANGE, s.max_relative_speed, s.min_valid, np.array(list(shut), dtype=np.int32), tired,
        )  # fmt: skip
        self._count(expanded, tests, seconds)
        return reached, [Hop(*row) for row in hops.tolist()]

    def _count(self, expanded: int, tests: int, seconds: float) -> None:
        self.efforts.expanded += expanded
        self.efforts.tests += tests
        self.efforts.test_seconds += seconds


def _around(atlas: Atlas, goal: Goal, nearest: int) -> Ints:
    """Configurations at the goal; the nearest where none is near enough."""
    assert goal.place.body is not None
    nodes = atlas.nodes(goal.place.body)
    away = np.linalg.norm(nodes - goal.place.position, axis=1)
    near = np.flatnonzero(away < 0.9 * goal.tolerance).astype(np.int32)
    return near if len(near) else np.array([nearest], dtype=np.int32)
