"""Legs of a way: from one contact to the next, where a clip lies and where its feet come down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from surefoot.arrays import Floats
from surefoot.math import rotations
from surefoot.motion.curves import wrapped
from surefoot.motion.footholds import SIDES, Foothold, attached
from surefoot.motion.gait.soles import UNEVEN, Soles, off_steps, rest
from surefoot.motion.playing.footage import Footage, Footfall, Take
from surefoot.motion.playing.frames import LevelFrame, moving_body, turned
from surefoot.world import World

TOLERANCE = 0.02
"""[s]: contacts this close to each other, or to the end of a clip, are at the same moment."""


@dataclass(frozen=True, eq=False)
class Cue:
    """What is to be played: a clip from one of its times to another.

    Attributes:
        take: the clip.
        begin: [s] in the clip.
        end: [s] in the clip, > begin.
        start: [s] when it begins.
        speed: how fast it plays, > 0.
    """

    take: Take
    begin: float
    end: float
    start: float
    speed: float

    @property
    def duration(self) -> float:
        """[s]."""
        return (self.end - self.begin) / self.speed

    @property
    def until(self) -> float:
        """[s] when it ends."""
        return self.start + self.duration

    def when(self, clip_time: float) -> float:
        """[s] when the clip is at one of its times."""
        return self.start + (clip_time - self.begin) / self.speed

    def clip_time(self, t: float) -> float:
        """[s] in the clip at `t` [s]."""
        return self.begin + self.speed * (t - self.start)

    def planted(self, foot: int) -> Footfall | None:
        """The footfall that a foot is on when the cue begins, if any."""
        for footfall in self.take.footfalls[foot]:
            if footfall.start <= self.begin + TOLERANCE and footfall.end > self.begin + TOLERANCE:
                return footfall
        return None

    def landings(self, foot: int) -> list[Footfall]:
        """The footfalls that a foot comes down to while the cue plays, in order."""
        return [
            footfall
            for footfall in self.take.footfalls[foot]
            if self.begin + TOLERANCE < footfall.start <= self.end + TOLERANCE
        ]


@dataclass(frozen=True, eq=False)
class Leg:
    """A part of a cue between contacts.

    Attributes:
        start: [s].
        end: [s].
        begin: where the clip lies at the start.
        finish: where it lies at the end.
    """

    start: float
    end: float
    begin: LevelFrame
    finish: LevelFrame


@dataclass(eq=False)
class Ground:
    """What both feet stand on, or stood on last; grows as they come down.

    Attributes:
        world: where that is.
        footage: whose body the feet belong to.
        footholds: all of them, in order of contact.
        current: of left and right foot, the index of the foothold they are on or come from.
        reach: [m], how far up and down a landing foot looks for ground; 0: it does not.
    """

    world: World | None
    footage: Footage
    reach: float
    footholds: list[Foothold] = field(default_factory=lambda: list[Foothold]())
    current: list[int | None] = field(default_factory=lambda: [None, None])

    def land(self, foot: int, footfall: Footfall, frame: LevelFrame, t: float) -> int:
        """Puts a foot down where a clip says, or on the ground there; the foothold's index."""
        position = frame.apply(self.world, t, footfall.position)
        facing = frame.heading(self.world, t)
        sole = rotations.multiply(rotations.from_yaw(facing), footfall.rotation)
        body = frame.body
        if self.world is not None and self.reach > 0:
            found = self._rests(self.world, position, float(rotations.yaw(sole)), t)
            if found.hit[0]:
                position, sole = found.position[0], found.rotation[0]
                body = self.world.names[int(found.body[0])]
        if self.world is None:
            hold = Foothold(
                foot=SIDES[foot], body=None, position=position, rotation=sole, start=t, end=np.inf
            )
        else:
            hold = attached(self.world, SIDES[foot], body, position, sole, t, np.inf)
        return self.put(foot, hold)

    def _rests(self, world: World, position: Floats, heading: float, t: float) -> Soles:
        """How a sole rests on the ground at a place, or beside it where a step is in its way."""
        measures, reach = self.footage.measures, self.reach
        headings, times = np.array([heading]), np.array([t])
        found = rest(world, measures, position[None], headings, times, reach=reach)
        if not found.hit[0]:
            return found
        away = off_steps(world, measures, found.position, headings, times)
        if not away.any():
            return found
        beside = rest(world, measures, found.position + away, headings, times, reach=reach)
        if not beside.hit[0] or abs(beside.position[0, 2] - found.position[0, 2]) > UNEVEN:
            return found
        here, there = (moving_body(world, world.names[int(one.body[0])]) for one in (found, beside))
        return beside if here == there else found

    def put(self, foot: int, hold: Foothold) -> int:
        """Puts a foot on a given foothold; its index."""
        self.footholds.append(hold)
        self.current[foot] = len(self.footholds) - 1
        return len(self.footholds) - 1

    def height(self, t: float) -> float | None:
        """The mean height [m] of what both feet are on or come from at `t` [s]."""
        heights = [self.position(index, t)[2] for index in self.current if index is not None]
        return float(np.mean(heights)) if heights else None

    def heading(self, index: int, t: float) -> float:
        """Where the toes on a foothold point [rad] in the world at `t` [s]."""
        hold = self.footholds[index]
        if hold.body is None or self.world is None:
            return hold.heading
        turn = self.world[hold.body].trajectory.pose(t).rotation
        return float(rotations.yaw(rotations.multiply(turn, hold.rotation)))

    def position(self, index: int, t: float) -> Floats:
        """Where a foothold is `(3,)` [m] in the world at `t` [s]."""
        hold = self.footholds[index]
        if hold.body is None or self.world is None:
            return hold.position
        return self.world[hold.body].trajectory.pose(t).apply(hold.position)


Places = Mapping[tuple[int, int], Foothold]
"""Given footholds: those of foot 0 or 1, for its landing number 0, 1, ... in a cue; -1 is what it
stands on at first. Their times are not used."""


def floor(take: Take, t: float) -> float:
    """The mean height [m] in the clip of what its feet are on or come from at `t` [s]."""
    heights: list[float] = []
    for footfalls in take.footfalls:
        before = [footfall for footfall in footfalls if footfall.start <= t + TOLERANCE]
        if footfalls:
            heights.append(float((before[-1] if before else footfalls[0]).position[2]))
    return float(np.mean(heights)) if heights else 0.0


def travel_frame(frame: LevelFrame, take: Take, t: float) -> LevelFrame:
    """Where a clip that lies in `frame` travels at its time `t` [s]: the tracked root."""
    place, heading = take.frame(t)
    at = frame.local(np.array([place[0], place[1], floor(take, t)]))
    return LevelFrame(frame.body, at, frame.yaw + heading)


def aligned(going: LevelFrame, take: Take, t: float) -> LevelFrame:
    """Where a clip must lie to travel as `going` does, at its time `t` [s]."""
    place, heading = take.frame(t)
    return going.placing(place, heading, floor(take, t))


def corrected(frame: LevelFrame, cue: Cue, clip_time: float, turn: float) -> LevelFrame:
    """Where a clip lies at its end when the whole character has been turned by `turn` [rad].

    It turns evenly, so its way is turned by half of that (beacco2013, section 6).
    """
    going = travel_frame(frame, cue.take, clip_time)
    end = travel_frame(frame, cue.take, cue.end)
    way = turned(end.position - going.position, turn / 2)
    return aligned(LevelFrame(frame.body, going.position + way, end.yaw + turn), cue.take, cue.end)


def between(start: LevelFrame, end: LevelFrame, take: Take, t: float, share: float) -> LevelFrame:
    """A frame part of the way between two on the same body, for a clip at its time `t` [s]."""
    first, last = travel_frame(start, take, t), travel_frame(end, take, t)
    position = (1 - share) * first.position + share * last.position
    yaw = first.yaw + share * float(wrapped(last.yaw - first.yaw))
    return aligned(LevelFrame(start.body, position, yaw), take, t)


@dataclass(eq=False)
class Landing:
    """A foot that comes down.

    Attributes:
        foot: 0 or 1.
        number: which of its landings in the cue this is, from 0.
        footfall: what it comes down to in the clip.
        t: [s] when.
        hold: index of the foothold, once it is known.
    """

    foot: int
    number: int
    footfall: Footfall
    t: float
    hold: int = -1


def fitted(frame: LevelFrame, take: Take, t: float, ground: Ground, when: float) -> LevelFrame:
    """Where a clip lies so that its feet are, on average, on what they stand on or come from.

    Args:
        frame: where it lies about.
        take: the clip.
        t: [s] in the clip.
        ground: what the feet stand on.
        when: [s] at which they do.
    """
    places: list[Floats] = []
    sources: list[Floats] = []
    turns: list[float] = []
    for foot, hold in enumerate(ground.current):
        before = [footfall for footfall in take.footfalls[foot] if footfall.start <= t + TOLERANCE]
        if hold is None or not before:
            continue
        foothold = ground.footholds[hold]
        moved = LevelFrame(
            moving_body(ground.world, foothold.body), foothold.position, foothold.heading
        )
        if moved.body is None:
            moved = LevelFrame(None, ground.position(hold, when), ground.heading(hold, when))
        moved = moved.on(ground.world, frame.body, when)
        places.append(moved.position)
        sources.append(before[-1].position)
        turns.append(moved.yaw - float(rotations.yaw(before[-1].rotation)))
    if not turns:
        return frame
    yaw = turns[0] + float(np.mean([wrapped(turn - turns[0]) for turn in turns]))
    shift = np.mean(places, axis=0) - turned(np.mean(sources, axis=0), yaw)
    return LevelFrame(frame.body, shift, yaw)


def walk_legs(
    cue: Cue, frame: LevelFrame, ground: Ground, landings: list[Landing], *, turn: float = 0.0,
    target: LevelFrame | None = None, places: Places | None = None,
) -> list[Leg]:  # fmt: skip
    """The legs of a cue; its landings get their footholds, and the times of the legs' ends.

    Args:
        cue: what is played.
        frame: where its clip lies when it begins.
        ground: grows by the landings.
        landings: of both feet, in order.
        turn: [rad] by which the whole character is turned meanwhile, beyond what the clip does.
        target: where the character's travel should end, instead.
        places: footholds to take, instead of where the clip's feet come down.
    """
    times = [cue.start]
    for landing in landings:
        if landing.t > times[-1] + TOLERANCE:
            times.append(landing.t)
    if len(times) > 1 and times[-1] > cue.until - TOLERANCE:
        times[-1] = cue.until
    else:
        times.append(cue.until)
    legs: list[Leg] = []
    world, left = ground.world, turn
    for start, end in pairwise(times):
        share = (end - start) / (cue.until - start)
        clip_time = cue.clip_time(end)
        if target is not None:
            goal = aligned(target.on(world, frame.body, end), cue.take, cue.end)
            finish = between(frame, goal, cue.take, clip_time, share)
        else:
            goal = corrected(frame, cue, cue.clip_time(start), left)
            finish = between(frame, goal, cue.take, clip_time, share) if left else frame
            left -= share * left
        body, given_any = frame.body, False
        for landing in landings:
            if not start + TOLERANCE < landing.t <= end + TOLERANCE:
                continue
            foot, given = landing.foot, (places or {}).get((landing.foot, landing.number))
            landing.t, given_any = end, given_any or given is not None
            landing.hold = (
                ground.land(foot, landing.footfall, finish, end)
                if given is None
                else ground.put(foot, replace(given, start=end, end=np.inf))
            )
            body = moving_body(world, ground.footholds[landing.hold].body)
        if given_any and target is None:
            finish = fitted(finish, cue.take, clip_time, ground, end)
        # The clip's floor goes along with what the feet stand on.
        height = ground.height(end)
        if height is not None:
            going = travel_frame(finish, cue.take, clip_time)
            lift = height - going.apply(world, end, np.zeros(3))[2]
            raised = LevelFrame(going.body, going.position + np.array([0.0, 0.0, lift]), going.yaw)
            finish = aligned(raised, cue.take, clip_time)
        finish = finish.on(world, body, end)
        legs.append(Leg(start, end, frame, finish))
        frame = finish
    return legs
