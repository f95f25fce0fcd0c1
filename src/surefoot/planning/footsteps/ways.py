"""Ways of many characters: way-points that are kept while they hold (beacco2013, 5.1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.planning.footsteps.footpath import carrier_id
from surefoot.planning.footsteps.journeys import Journey, Journeys
from surefoot.planning.footsteps.legs import Leg, leg_of
from surefoot.planning.footsteps.settings import FootstepSettings
from surefoot.planning.footsteps.waypoints import Sight, Way, WayFinder
from surefoot.planning.goals import Goal
from surefoot.world import World

_ASTRAY = 3.0
"""[m] off its way, from which on somebody looks for a new one."""

_SEEN = 16
"""Cells of a map that take about as long to look at as a metre of a straight line."""

_JOURNEY = 800
"""Likewise as a journey over what moves."""


@dataclass(eq=False)
class _Way:
    goal: Goal
    target: Floats
    found: Way | None
    rests: int
    start: Floats
    following: int = 0
    journey: Journey | None = None


class Ways:
    """The ways that agents are on.

    Args:
        world: where.
        settings: of the planner.
        capabilities: those that may be used; None for all.
    """

    def __init__(
        self,
        world: World,
        settings: FootstepSettings,
        capabilities: Collection[str] | None = None,
    ) -> None:
        self.world, self.settings, self.capabilities = world, settings, capabilities
        self._ways: dict[int, _Way] = {}
        self._sights: dict[object, tuple[int, Sight]] = {}
        self._journeys: dict[object, Journeys] = {}
        self.looked = 0
        """How many cells were looked at for all ways so far."""

    def forget(self, agent: int) -> None:
        """An agent is gone."""
        self._ways.pop(agent, None)

    def way(self, agent: int, character: Character, state: Floats, goal: Goal) -> Leg | None:
        """What is still to come by; None where there is no way.

        Args:
            agent: its id.
            character: who it is.
            state: `(10,)`: where it is; see `footpath.STATE`.
            goal: where to.
        """
        if state[7] >= 0 or carrier_id(self.world, goal.place.body) >= 0:
            return self._travelled(agent, character, state, goal)
        target = self.world.position(goal.place, float(state[4]))
        known = self._ways.get(agent)
        if known is not None and known.journey is not None and known.rests == self._rests:
            return self._travelled(agent, character, state, goal)
        # What moves may come to lead there later.
        hopeless = known is not None and known.found is None and self._carries()
        if known is None or hopeless or self._stale(known, character, goal, target, state):
            found = self._found(character, state[:3], target)
            if found is None and self._carries():
                return self._travelled(agent, character, state, goal)
            known = _Way(goal, target, found, self._rests, state[:3].copy())
            self._ways[agent] = known
        if known.found is None:
            return None
        points = known.found.points
        while known.following < len(points) - 1:
            here, after = points[known.following, :2], points[known.following + 1, :2]
            if not _passed(state[:2], here, after, self.settings.way_point):
                break
            known.following += 1
        return Leg(known.found.tolled[known.following :], known.found.rough)

    @property
    def _rests(self) -> int:
        return self.world.native.rests

    def _carries(self) -> bool:
        """Whether anything that moves could carry somebody."""
        return any(body.trajectory.moving for body in self.world)

    def _travelled(self, agent: int, character: Character, state: Floats, goal: Goal) -> Leg | None:
        """Likewise, over what moves."""
        skill = character.capability("walk")
        journeys = self._journeys.get(skill)
        if journeys is None:
            journeys = self._journeys[skill] = Journeys(self.world, character)
        known = self._ways.get(agent)
        if known is not None and known.journey is not None and known.goal.place == goal.place:
            found = leg_of(journeys, known.journey, state)
            if found is not None:
                known.journey = found[1]
                return found[0]
        target = goal.place.position
        body = carrier_id(self.world, goal.place.body)
        if body < 0:
            target = self.world.position(goal.place, float(state[4]))
        self.looked += _JOURNEY
        journey = journeys.find(int(state[7]), state[:3], float(state[4]), body, target)
        found = None if journey is None else leg_of(journeys, journey, state)
        self._ways[agent] = _Way(goal, target, None, self._rests, state[:3].copy())
        if found is None:
            return None
        self._ways[agent].journey = found[1]
        return found[0]

    def _found(self, character: Character, start: Floats, goal: Floats) -> Way | None:
        self.looked += int(_SEEN * float(np.hypot(*(goal - start)[:2])))
        straight = self._sight(character).straight(start, goal)
        if straight is not None:
            return straight
        finder = WayFinder(self.world, character, self.capabilities)
        found = finder.way(start, goal)
        self.looked += finder.looked
        return found

    def _sight(self, character: Character) -> Sight:
        skill, rests = character.capability("walk"), self._rests
        known = self._sights.get(skill)
        if known is None or known[0] != rests:
            known = self._sights[skill] = (rests, Sight(self.world, character))
        return known[1]

    def _stale(
        self, known: _Way, character: Character, goal: Goal, target: Floats, state: Floats
    ) -> bool:
        if known.rests != self._rests:
            return True
        if goal is not known.goal and goal.place != known.goal.place:
            return True
        if np.linalg.norm(target - known.target) > 0.5 * goal.tolerance:
            return True
        if known.found is None:
            return False
        points = known.found.points
        before = known.start if known.following == 0 else points[known.following - 1]
        following = points[known.following]
        off = _off(state[:2], before[:2], following[:2])
        if off <= self.settings.way_point or off > _ASTRAY:
            return off > _ASTRAY
        # Who stepped aside may have come behind something.
        self.looked += int(_SEEN * float(np.hypot(*(following - state[:3])[:2])))
        return self._sight(character).straight(state[:3], following) is None


def _passed(point: Floats, way_point: Floats, after: Floats, near: float) -> bool:
    """Whether a point is at a way-point, or beside what comes after it.

    Planning is done now and then: somebody may be past a way-point without having been seen there.
    """
    if np.hypot(*(way_point - point)) <= near:
        return True
    beyond = float((point - way_point) @ (after - way_point)) > 0.0
    return beyond and _off(point, way_point, after) <= near


def _off(point: Floats, start: Floats, end: Floats) -> float:
    """How far a point is from a line."""
    way = end - start
    length = float(way @ way)
    share = 0.0 if length == 0 else min(max(float((point - start) @ way) / length, 0.0), 1.0)
    return float(np.hypot(*(point - start - share * way)))
