"""Timed boardings through a world that was only watched: the union of lopez2012 and levine2011.

Motions that repeat themselves are expected to go on. A timetable of what will then be in reach of
what tells which surfaces lead to the goal soonest; the space-time planner plans the boardings up to
the next stop, wherever that costs no time, and who finds none goes as those who only watch, but
knows what for. Plans are held against what happens, and made anew when something is elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.control import Controllers
from surefoot.errors import ProblemError
from surefoot.math import rotations
from surefoot.planning.goals import Goal, Region
from surefoot.planning.limits import Limits
from surefoot.planning.plan import Plan
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Kind, Segment
from surefoot.planning.spacetime import SpaceTime
from surefoot.planning.topology.atlas import Atlas
from surefoot.planning.topology.foreseeing import Expectation, History, foreseen
from surefoot.planning.topology.settings import TopologySettings
from surefoot.planning.topology.timetable import Itinerary, Ride, Surface, Timetable
from surefoot.planning.topology.traveller import Traveller
from surefoot.planning.topology.travelling import Source
from surefoot.world import Place, World

OFF = 0.08
"""[m] By which what carries may be elsewhere than expected before a plan is made anew."""

PATIENCE = 10.0
"""[s] After which somebody who goes on without foresight looks whether there is some by now."""

LATE = 1.0
"""[s] After the last moment for a change at which somebody looks for another one."""

TRUST = 5.0
"""[s] For which a change that was not possible is not counted on, twice as long each time."""

NEAR = 0.15
"""[m] From a take-off at which somebody waits for what was never seen yet."""

MISSED = 0.15
"""[m] By which a landing may be elsewhere than planned; feet make up for less."""

SLOWER = 0.5
"""[s] By which a planned boarding may make the whole way later than it seemed possible."""

EVALUATIONS = 1000
"""Trajectories that are tried for the boardings of one stage."""


@dataclass
class Foresight:
    """What came of it.

    Attributes:
        reached: whether the goal was reached.
        time: [s] from the start until then, or until it was given up.
        outlooks: how often a timetable was made.
        plans: timed boardings that were planned and taken.
        repairs: how many of them were left because something was elsewhere than expected.
        followed: stretches gone by the timetable without such a plan.
        unforeseen: stretches gone without either, for lack of foresight.
        missed: landings on what was not there.
        segments: what was carried out, in order.
        expected: what was expected of each body when it was last asked.
        why: it did not go on, where that is so.
    """

    reached: bool = False
    time: float = 0.0
    outlooks: int = 0
    plans: int = 0
    repairs: int = 0
    followed: int = 0
    unforeseen: int = 0
    missed: int = 0
    segments: list[Segment] = field(default_factory=list[Segment])
    expected: dict[str, Expectation] = field(default_factory=dict[str, Expectation])
    why: str = ""


def travel_with_foresight(
    source: Source, character: Character, start: Place, goal: Goal, *,
    controllers: Controllers | None = None, settings: TopologySettings | None = None,
    seconds: float = 120.0,
) -> Foresight:  # fmt: skip
    """Watches, plans through what is expected, and goes; plans anew when surprised."""
    journey = _Journey(source, character, start, goal, controllers, settings, seconds)
    journey.watch()
    while not journey.over:
        journey.go_on()
    return journey.out


class _Journey:
    """One way to a goal."""

    def __init__(
        self, source: Source, character: Character, start: Place, goal: Goal,
        controllers: Controllers | None, settings: TopologySettings | None, seconds: float,
    ) -> None:  # fmt: skip
        self.source, self.character, self.goal = source, character, goal
        self.controllers, self.settings = controllers, settings or TopologySettings()
        world = source.world
        self.atlas = Atlas(world, character.capabilities, self.settings)
        self.history = History(world, [body.name for body in world if body.trajectory.moving])
        self.place, self.heading = start, 0.0
        self.out = Foresight()
        self.timetable: Timetable | None = None
        self.seconds = seconds
        self.begun = self.end = source.time
        self._barred: dict[tuple[Surface, Surface], float] = {}
        self._failed: dict[tuple[Surface, Surface], int] = {}
        self._done = False

    @property
    def over(self) -> bool:
        """Whether it arrived, or has no more time."""
        done = self._done or self.out.reached or self.source.time >= self.end
        if done:
            self.out.time = self.source.time - self.begun
        return done

    def watch(self) -> None:
        """Looks on before the first step."""
        self.atlas.update(self.source.time)
        self._look_on(self.source.time + self.settings.watch)
        self.begun, self.end = self.source.time, self.source.time + self.seconds

    def go_on(self) -> None:
        """To the next stop, or as far as things go as expected."""
        itinerary = self._itinerary()
        if itinerary is not None:
            plan = self._timed(itinerary)
            if plan is not None:
                self._carry_out(plan)
                return
        self._on_foot(itinerary)

    # --- what is expected ------------------------------------------------------------------------

    def _frame(self) -> None:
        self.source.step(1.0 / self.settings.rate)
        self.atlas.update(self.source.time)
        self.history.add(self.source.time)

    def _look_on(self, until: float) -> None:
        while self.source.time < until - 1e-9:
            self._frame()

    def _itinerary(self) -> Itinerary | None:
        """The soonest way by what is expected now; None where nothing is known to lead there."""
        now = self.source.time
        self._barred = {pair: until for pair, until in self._barred.items() if until > now}
        found = self._asked(now) if self.timetable is not None else None
        if found is None or any(self._off(ride.source[0]) > OFF for ride in found.rides) or any(
            self._off(ride.target[0]) > OFF for ride in found.rides
        ):  # fmt: skip
            ahead, self.out.expected = foreseen(self.source.world, self.history)
            skills = self.character.capabilities
            self.timetable = Timetable(ahead, skills, self.settings, now)
            self.out.outlooks += 1
            found = self._asked(now)
        return found

    def _asked(self, now: float, place: Place | None = None) -> Itinerary | None:
        assert self.timetable is not None
        return self.timetable.earliest(
            place or self.place, self.goal.place, now, latest=self.end, barred=self._barred
        )

    def _off(self, name: str, *, turned: float = 1.0) -> float:
        """[m] By which a body is elsewhere than expected."""
        assert self.timetable is not None
        world, ahead, now = self.source.world, self.timetable.world, self.source.time
        if name not in world or name not in ahead:
            return np.inf
        expected, seen = ahead[name].trajectory.pose(now), world[name].trajectory.pose(now)
        spin = rotations.multiply(seen.rotation, rotations.inverse(expected.rotation))
        angle = 2.0 * float(np.arccos(np.clip(abs(spin[0]), 0.0, 1.0)))
        return float(np.linalg.norm(expected.position - seen.position)) + turned * angle

    # --- timed boardings -------------------------------------------------------------------------

    def _timed(self, itinerary: Itinerary) -> Plan | None:
        """Boardings to the next stop, by the space-time planner; None where they take longer."""
        assert self.timetable is not None
        ahead, now = self.timetable.world, self.source.time
        stage = _to_next_stop(itinerary, ahead)
        last = len(stage) == len(itinerary.rides)
        goal: Goal | Region = self.goal
        if not last:
            goal = Region(body=stage[-1].target[0])
        names = {name for ride in stage for name in (ride.source[0], ride.target[0])}
        names |= {str(self.place.body)}
        # What is not on the way is in the way.
        through = ahead.copy(
            body if body.name in names else body.tagged(forbidden=True) for body in ahead
        )
        due = itinerary.arrive if last else stage[-1].arrive
        try:
            problem = Problem(
                world=through, character=self.character, start=self.place, goal=goal,
                start_time=now, horizon=due - now + 10.0, start_heading=self._facing(now),
                limits=Limits(evaluations=EVALUATIONS),
            )  # fmt: skip
        except ProblemError as reason:
            self.out.why = str(reason)
            return None
        plan = SpaceTime(controllers=self.controllers).plan(problem)
        if not plan:
            self.out.why = plan.status.message
            return None
        if last:
            return plan if plan.end <= itinerary.arrive + SLOWER else None
        rest = self._asked(plan.end, _ending(plan, plan.end))
        return plan if rest is not None and rest.arrive <= itinerary.arrive + SLOWER else None

    def _carry_out(self, plan: Plan) -> None:
        """Carries a plan out while it holds."""
        self.out.plans += 1
        for index, segment in enumerate(plan.segments):
            self._look_on(segment.end)
            self.out.segments.append(segment)
            rest = plan.segments[index + 1 :]
            landing = rest[0].place(segment.end) if rest else segment.place(segment.end)
            flew = segment.kind in (Kind.JUMP, Kind.BOARD)
            if flew and landing.body is not None and self._off(landing.body) > MISSED:
                self.out.missed += 1
            self._stand(segment, landing)
            if landing.body is not None and landing.body not in self.source.world:
                self.out.why, self._done = f"{landing.body!r} is gone", True
                return
            frames = {other.frame for other in rest} - {None}
            if not flew and any(self._off(str(name)) > OFF for name in frames):
                self.out.repairs += 1
                return
        self.out.reached = self._at_goal()

    def _stand(self, segment: Segment, place: Place) -> None:
        """Where somebody is after a segment of a plan, on what carries it."""
        now = segment.end
        world = self.source.world
        self.heading = float(segment.headings[-1]) + self._turned(segment.frame, now)
        if place.body is None:
            place = world.place(place.position, now)
        self.place = place

    def _turned(self, body: str | None, t: float) -> float:
        """[rad] By which a body is turned about the vertical."""
        if body is None or body not in self.source.world:
            return 0.0
        way = rotations.rotate(
            self.source.world[body].trajectory.pose(t).rotation, np.array([1.0, 0.0, 0.0])
        )
        return float(np.arctan2(way[1], way[0]))

    def _facing(self, t: float) -> float:
        return self.heading - self._turned(self.place.body, t)

    def _at_goal(self) -> bool:
        world, now = self.source.world, self.source.time
        point: Floats = world.position(self.place, now)
        return bool(self.goal.reached(world, point[None], np.array([now]))[0])

    # --- as those who only watch -----------------------------------------------------------------

    def _on_foot(self, itinerary: Itinerary | None) -> None:
        """To the next surface of an itinerary, or for a while, deciding at each take-off."""
        ride = itinerary.rides[0] if itinerary is not None and itinerary.rides else None
        goal, seen = self.goal, False
        until = self.end if itinerary is not None else self.source.time + PATIENCE
        if ride is not None:
            until = max(self.source.time, ride.end) + LATE
            goal = Goal(Place(ride.target[0], ride.landing))
            seen = not self._never_seen(ride)
            if not seen:
                # To where it will be possible; it is seen soon enough.
                goal = Goal(Place(ride.source[0], ride.take_off), tolerance=NEAR)
                until = max(self.source.time + LATE, ride.begin)
        traveller = Traveller(
            self.atlas, self.character, self.place, goal, heading=self.heading, t=self.source.time
        )
        if ride is not None:
            spot = Place(ride.source[0], ride.take_off)
            traveller.keep_to({(ride.source, ride.target)}, take_off=spot)
        self._go(traveller, min(until, self.end))
        if itinerary is None:
            self.out.unforeseen += 1
        else:
            self.out.followed += 1
        if ride is not None and seen and self.place.body == ride.source[0]:
            # It was not possible after all; each time it is trusted less.
            pair = ride.source, ride.target
            self._failed[pair] = self._failed.get(pair, 0) + 1
            self._barred[pair] = self.source.time + TRUST * 2 ** self._failed[pair]

    def _never_seen(self, ride: Ride) -> bool:
        """Whether nobody has found a way between two surfaces yet."""
        pair = ride.source, ride.target
        return not any((r.source, r.target) == pair and r.found for r in self.atlas.relations)

    def _go(self, traveller: Traveller, until: float) -> None:
        """Lets a traveller go on until it stands on something else, or for so long."""
        begun = self.place.body
        while (self.source.time < until or traveller.figure.busy) and not traveller.done:
            self._frame()
            traveller.step(self.source.time)
            if not traveller.figure.busy and traveller.figure.place.body != begun:
                break
        self.out.segments += traveller.plan().segments
        self.out.missed += traveller.figure.counts.falls
        self.place, self.heading = traveller.figure.place, traveller.figure.heading
        self.out.reached = traveller.arrived and traveller.goal.place == self.goal.place
        self._done = traveller.lost
        if traveller.lost:
            self.out.why = traveller.plan().status.message


def _to_next_stop(itinerary: Itinerary, ahead: World) -> tuple[Ride, ...]:
    """Changes of surfaces up to one that rests."""
    for k, ride in enumerate(itinerary.rides, 1):
        if not ahead[ride.target[0]].trajectory.moving:
            return itinerary.rides[:k]
    return itinerary.rides


def _ending(plan: Plan, t: float) -> Place:
    last = plan.segments[-1]
    place = last.place(t)
    if place.body is None and isinstance(plan.goal, Region):
        # What rests: its frame is the world's.
        return Place(plan.goal.body, place.position)
    return place
