"""Legs: what of a journey is to be walked now, and what is waited for (beacco2013, 5.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning.footsteps.footpath import carrier_id
from surefoot.planning.footsteps.journeys import SPEED, Hop, Journey, Journeys
from surefoot.planning.footsteps.waypoints import Way
from surefoot.planning.frames import headings_to_world
from surefoot.planning.goals import Goal
from surefoot.world import World

SET_OUT = 1.0
"""[s] before a crossing opens at which somebody who is there sets out."""

_LATE = 0.8
"""[s] before it closes from which on it is missed."""

_ASTRIDE = 1.2
"""[m] from where one comes to stand after a crossing, within which a foot may be behind still."""

_CLOSE = 0.5
"""[m] to the place from which one crosses that is there."""


WAITING = 0.6
"""[m] around the place where something is waited for."""


@dataclass(frozen=True, eq=False)
class Leg:
    """Points to come by, up to a goal or to where something is waited for.

    Attributes:
        way: `(k, 5)`: as in `Errand.way`.
        rough: whether the ground there asks for platform actions.
        until: [s] until when it is to be waited at its end; None where it ends at the goal.
        waits_for: id of what is waited for; -1 where nothing is, or what rests.
    """

    way: Floats
    rough: bool
    until: float | None = None
    waits_for: int = -1

    @property
    def final(self) -> bool:
        """Whether it ends at the goal."""
        return self.until is None


def leg_of(journeys: Journeys, journey: Journey, at: Floats) -> tuple[Leg, Journey] | None:
    """What is to be walked of a journey now, and what is left of it; None where it is missed.

    Args:
        journeys: of who travels.
        journey: what is left of it.
        at: `(10,)`: where the body is; see `footpath.STATE`.
    """
    body, place, t = int(at[7]), at[:3], float(at[4])
    hops, landed = journey.hops, journey.landed
    if hops and body != hops[0].leave:
        # Who has crossed is on what comes next.
        passed = [i for i, hop in enumerate(hops) if hop.enter == body]
        if not passed:
            return None
        hops, landed = hops[passed[0] + 1 :], hops[passed[0]].enter_at
    left = replace(journey, hops=hops, landed=landed)
    if landed is not None and np.linalg.norm(place - landed) < _ASTRIDE:
        # Still over the edge: the way begins where both feet will be.
        target = hops[0].leave_at if hops else journey.goal
        place = place if journeys.way(body, place, target) is not None else landed
    rows: list[Floats] = []
    rough = False
    for number, hop in enumerate(hops):
        way = journeys.way(body, place, hop.leave_at)
        if way is None or t > hop.closes - _LATE:
            return None if number == 0 else (_waiting(rows, rough, hop), left)
        rough = rough or way.rough
        length = _length(place, way)
        if length > _CLOSE:
            rows.append(_rows(way, body))
        t += length / SPEED
        if t < hop.opens - SET_OUT:
            if not rows:
                rows.append(_rows(Way(hop.leave_at[None], ("walk",), False), body))
            return _waiting(rows, rough, hop), left
        rows.append(np.array([[*hop.enter_at, 0.0, hop.enter]]))
        body, place, t = hop.enter, hop.enter_at, max(t, hop.opens) + 0.8 / SPEED
    way = journeys.way(body, place, journey.goal)
    if way is None:
        return None
    rows.append(_rows(way, body))
    return Leg(np.concatenate(rows), rough or way.rough), left


def facing_at(world: World, goal: Goal, t: float) -> float:
    """Where [rad] to face at a goal, in the frame that a search has it in; NaN for any."""
    if goal.heading is None:
        return nan
    if carrier_id(world, goal.place.body) >= 0:
        return goal.heading
    heading = np.array([goal.heading])
    return float(headings_to_world(world, goal.place.body, heading, np.array([t]))[0])


def _waiting(rows: list[Floats], rough: bool, hop: Hop) -> Leg:
    way = np.concatenate(rows)
    return Leg(way, rough, hop.opens, hop.enter if hop.enter >= 0 else hop.leave)


def _rows(way: Way, body: int) -> Floats:
    rows = way.tolled
    rows[:, 4] = body
    return rows


def _length(start: Floats, way: Way) -> float:
    points = np.concatenate([start[None], way.points])
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
