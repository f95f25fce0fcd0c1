"""The two levels of planning: which surfaces to cross, and the way on the one at hand (4.3)."""

from __future__ import annotations

import time
from collections.abc import Collection
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
    """

    body: str
    times: Floats
    positions: Floats
    skills: Ints
    relation: int = -1
    ends: tuple[int, int] = (-1, -1)

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


def find_way(
    atlas: Atlas, place: Place, goal: Goal, t: float, *, skill: int, shut: Collection[int],
    avoid: Collection[int], efforts: Efforts,
) -> tuple[Way | None, str]:  # fmt: skip
    """The way on the surface at hand towards the goal, or why there is none.

    Args:
        atlas: as of `t`.
        place: where somebody stands.
        goal: where to.
        t: [s].
        skill: how it goes about now.
        shut: relations not to take.
        avoid: take-offs not to go to.
        efforts: are added to.
    """
    # Of a core: what else the machine does is no planning.
    begun, clock = time.process_time(), time.perf_counter()
    try:
        return _find_way(atlas, place, goal, t, skill, shut, avoid, efforts)
    finally:
        took = time.process_time() - begun
        efforts.plans += 1
        efforts.seconds += took
        efforts.clock_seconds += time.perf_counter() - clock
        efforts.slowest = max(efforts.slowest, took)


def _find_way(
    atlas: Atlas, place: Place, goal: Goal, t: float, skill: int, shut: Collection[int],
    avoid: Collection[int], efforts: Efforts,
) -> tuple[Way | None, str]:  # fmt: skip
    here, _ = atlas.surface(place)
    there, end = atlas.surface(goal.place)
    if here < 0 or place.body is None:
        return None, "what is stood on is no surface to go about on"
    if there < 0:
        return None, "the goal is on no surface now"
    relation, ends = -1, (here, there)
    if here == there:
        targets = _around(atlas, goal, end)
    else:
        efforts.routes += 1
        reached, route = atlas.route(here, there, shut)
        if not reached or not route:
            return None, "no surfaces are known that lead to the goal"
        relation = route[0]
        row = atlas.native.relation(relation)
        ends = (int(row[0]), int(row[1]))
        targets = atlas.take_offs(relation)
        fresh = targets[~np.isin(targets, list(avoid))]
        targets = fresh if len(fresh) else targets
    if len(targets) == 0:
        return None, "no take-off is known"
    start = np.ascontiguousarray(place.position[None])
    reached, _, positions, times, skills, expanded, tests, seconds = atlas.native.search(
        here, start, t, skill, targets, atlas.settings.search_nodes, WAIT, CHANGE
    )
    efforts.expanded += expanded
    efforts.tests += tests
    efforts.test_seconds += seconds
    if not reached:
        return None, "the way on the surface is obstructed"
    return Way(place.body, times, positions, skills, relation, ends), ""


def _around(atlas: Atlas, goal: Goal, nearest: int) -> Ints:
    """Configurations at the goal; the nearest where none is near enough."""
    assert goal.place.body is not None
    nodes = atlas.nodes(goal.place.body)
    away = np.linalg.norm(nodes - goal.place.position, axis=1)
    near = np.flatnonzero(away < 0.9 * goal.tolerance).astype(np.int32)
    return near if len(near) else np.array([nearest], dtype=np.int32)
