"""A body in a live world: carried by what it stands on, flying when it jumps or falls.

It knows nothing of plans. Wherever it is told to go, it goes only where nothing is in the way and
something carries it; whatever the world does, it stands, falls, or lies for a while.
"""

from __future__ import annotations

from math import atan2, cos, sin

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Capability
from surefoot.math import rotations
from surefoot.motion.flight import Flight
from surefoot.planning.frames import turn_between
from surefoot.planning.segments import Kind
from surefoot.planning.topology.capabilities import Skills
from surefoot.planning.topology.states import Airborne, Counts, State
from surefoot.planning.topology.trace import Trace
from surefoot.world import Cylinder, Place, World

HOLD = 12.0
"""[m/s] What goes away faster leaves behind who stands on it."""

TURN_RATE = 5.0
"""[rad/s] The fastest turn on the spot."""

GRAZE = 0.01
"""[m] By which a body may be grazed before it counts as struck."""

BELOW = 0.005
"""[m] Under an edge, where what is below is looked for."""

SLIDE = 0.8
"""[m/s] At which somebody slides off what is too steep to stand on."""

STUMBLE = 0.5
"""[s] Within which several falls are one."""

DEPTH = 30.0
"""[m] Below where somebody left the ground: nothing is there to land on."""


class Figure:
    """Stands at a place of a live world and does what it is told, as far as that can be."""

    def __init__(
        self, world: World, skills: Skills, place: Place, heading: float, t: float, recovery: float
    ) -> None:
        self.world, self.skills, self.recovery = world, skills, recovery
        self.place, self.heading, self.time = place, heading, t
        self.skill = 0
        self.state = State.STANDS
        self.counts = Counts()
        self.trace = Trace()
        self.airborne: Airborne | None = None
        self.up_at = t
        """[s] When somebody who lies is up again."""
        self._fell_at = -np.inf
        self._board: tuple[float, Floats, float, Floats] | None = None
        self.point = world.position(place, t)
        """`(3,)` [m] Where the feet are, in the world."""
        self.velocity = np.zeros(3)
        self._note(Kind.WAIT, place.position, t)

    @property
    def capability(self) -> Capability:
        """How it goes about now."""
        return self.skills.ground[self.skill]

    @property
    def busy(self) -> bool:
        """Whether it does something that cannot be broken off."""
        return self.state is not State.STANDS

    # --- on the ground ---------------------------------------------------------------------------

    def go(self, local: Floats | None, t: float, *, facing: float | None = None) -> bool:
        """To a position of what carries it, at `t` [s]; whether nothing was in the way.

        Args:
            local: `(3,)` [m] in the carrier's frame; None to stay.
            t: [s], after the time of the figure.
            facing: [rad] in the world; where it goes when not given.
        """
        dt = t - self.time
        if not self._carried(t, dt):
            return False
        stay, body = self.place.position, self.place.body
        assert body is not None
        free = True
        wanted = stay if local is None else local
        point = self.world.position(Place(body, wanted), t)
        if local is not None and self._blocked(point, t, body):
            free, wanted = False, stay
            point = self.world.position(self.place, t)
        moved = float(np.linalg.norm((wanted - stay)[:2]))
        if (not free or local is None) and self._blocked(point, t, body):
            self._pushed(point, t, dt, body)
            self.time = t
            return False
        carrier = self._firm(point, t, body)
        if carrier is None:
            self._fall(t)
            return False
        self._turn(point, t, dt, moved, facing)
        self.velocity = (point - self.point) / dt
        self.point = point
        self.place = Place(body, wanted)
        kind = Kind.WALK if moved > 1e-4 * dt else Kind.WAIT
        if kind is Kind.WAIT and np.linalg.norm(self.velocity) > 0.02:
            kind = Kind.RIDE
        if kind is Kind.WALK and self.skill > 0:
            kind = Kind.CROUCH
        self._note(kind, wanted, t)
        if carrier != body:
            # Another body has come to carry: go on with it.
            self.place = self.world.attach(point, carrier, t)
            self.time = t
            self._note(kind, self.place.position, t)
        self.time = t
        return free

    def _carried(self, t: float, dt: float) -> bool:
        """Whether what carries is still there, and did not go away too fast to stay on."""
        body = self.place.body
        if body is not None and body in self.world:
            point = self.world.position(self.place, t)
            if np.linalg.norm(point - self.point) <= HOLD * dt + 0.05:
                return True
        self.counts.left_behind += 1
        self._fall(t)
        return False

    def _blocked(self, point: Floats, t: float, carrier: str) -> bool:
        size = self.capability
        shape = Cylinder(size.radius - GRAZE, size.height - GRAZE, size.step_height)
        if not self.world.overlap(point, t, shape=shape):
            return False
        # What carries is in nobody's way: its roadmap keeps clear of it.
        return int(self.world.overlapping(point, t, shape=shape)) != self.world.id(carrier)

    def _firm(self, point: Floats, t: float, carrier: str) -> str | None:
        """What carries somebody at a point: preferably who did; None for nothing."""
        size = self.capability
        reach = max(size.step_height, 0.02)
        ground = self.world.support(point, t, up=reach, down=reach)
        if ground.hit and float(ground.slope) > size.max_slope + 0.05:
            # An edge of something that leans over the foot: what is below may still carry.
            under = np.array([point[0], point[1], float(ground.height) - BELOW])
            left = float(under[2] - point[2]) + reach
            ground = self.world.support(under, t, down=max(left, 0.0))
        if not ground.hit or float(ground.slope) > size.max_slope + 0.05:
            return None
        found = self.world.names[int(ground.body)]
        if found == carrier:
            return carrier
        # What lies on the carrier and moves with it is as good as the carrier itself.
        speed = self.world.velocity(carrier, point[None], np.array([t]))[0] - ground.velocity
        return carrier if np.linalg.norm(speed) < 0.02 else found

    def _pushed(self, point: Floats, t: float, dt: float, carrier: str) -> None:
        """Something came over somebody: aside, to where there is room, as fast as one can."""
        self.counts.struck += 1
        far = self.capability.max_speed * dt
        for away in (0.3 * far, 0.6 * far, far):
            for k in range(8):
                angle = self.heading + k * np.pi / 4
                spot = point + np.array([away * cos(angle), away * sin(angle), 0.0])
                if not self._blocked(spot, t, carrier) and self._firm(spot, t, carrier) == carrier:
                    self.place = self.world.attach(spot, carrier, t)
                    self.point = spot
                    self._note(Kind.WALK, self.place.position, t)
                    return
        self.point = point
        self._note(Kind.WAIT, self.place.position, t)

    def _turn(self, point: Floats, t: float, dt: float, moved: float, facing: float | None) -> None:
        wanted = facing
        if moved > 1e-4 and self.place.body is not None:
            ground = self.world.position(self.place, t)
            way = point - ground
            wanted = atan2(way[1], way[0])
        if wanted is not None:
            turn = float(turn_between(self.heading, wanted))
            self.heading += float(np.clip(turn, -TURN_RATE * dt, TURN_RATE * dt))

    # --- in the air ------------------------------------------------------------------------------

    def step_over(self, target: str, landing: Floats, lasts: float) -> None:
        """On foot to a position `(3,)` [m] of another body."""
        self.counts.steps += 1
        here = self.world.attach(self.point, target, self.time)
        self.trace.begin(Kind.BOARD, target, self.capability.name)
        self.place = here
        self._board = (self.time, here.position, self.time + lasts, landing)
        self.state = State.STEPS
        self._last_local = here.position
        self.trace.add(self.time, here.position, self._local_heading(target, self.time))

    def jump(self, target: str, launch: Floats) -> None:
        """Off the ground at `launch` `(3,)` [m/s], to land on a body."""
        self.counts.jumps += 1
        self._leave(launch, target)

    def _fall(self, t: float) -> None:
        """Nothing carries any more, since the last frame."""
        if self.time - self._fell_at > STUMBLE:
            self.counts.falls += 1
        self._fell_at = self.time
        self._leave(self.velocity.clip(-HOLD, HOLD) + self._downhill(t), None)
        self.fly(t)

    def _downhill(self, t: float) -> Floats:
        """`(3,)` [m/s] Off what is too steep to stand on."""
        ground = self.world.support(self.point, t, up=0.05, down=0.05)
        if not ground.hit or float(ground.slope) <= self.capability.max_slope:
            return np.zeros(3)
        way = np.array([*ground.normal[:2], 0.0])
        return SLIDE * way / np.linalg.norm(way)

    def _leave(self, launch: Floats, target: str | None) -> None:
        name = (self.skills.jump or self.capability).name
        self.airborne = Airborne(
            self.time, self.point.copy(), np.array(launch), self.place, target, self.point.copy()
        )
        self.state = State.FLIES
        self.skill = 0
        self.trace.begin(Kind.JUMP, None, name)
        self.trace.add(self.time, self.point, self.heading)

    def advance(self, t: float) -> None:
        """Goes on with what cannot be broken off: a flight, a step over a gap, lying."""
        if self.state is State.FLIES:
            self.fly(t)
        elif self.state is State.STEPS:
            self._step(t)
        elif self.state is State.LIES:
            self.go(None, t)
            if self.state is State.LIES and t >= self.up_at:
                self.state = State.STANDS
        self.time = t

    def _step(self, t: float) -> None:
        assert self._board is not None
        assert self.place.body is not None
        begin, first, end, last = self._board
        target = self.place.body
        if not self._carried(t, t - self.time):
            return
        share = min((t - begin) / (end - begin), 1.0)
        local = first + (last - first) * share
        point = self.world.position(Place(self.place.body, local), t)
        if self._blocked(point, t, self.place.body):
            # Back, if the way is shut: on foot one can.
            self._board = (t, self.place.position, t + (t - begin), first)
            local, point = self.place.position, self.world.position(self.place, t)
        way = point - self.world.position(self.place, t)
        if np.hypot(way[0], way[1]) > 1e-5:
            turn = float(turn_between(self.heading, atan2(way[1], way[0])))
            most = TURN_RATE * (t - self.time)
            self.heading += float(np.clip(turn, -most, most))
        self.velocity = (point - self.point) / (t - self.time)
        self.place, self.point = Place(self.place.body, local), point
        self._last_local = local
        self.trace.add(t, local, self._local_heading(self.place.body, t))
        if share >= 1.0:
            self._board = None
            self.state = State.STANDS
            carrier = self._firm(point, t, target)
            if carrier is None:
                self.time = t
                self._fall(t)
            elif carrier != target:
                self.place = self.world.attach(point, carrier, t)

    def fly(self, t: float) -> None:
        """In the air until `t` [s]: lands on what comes under the feet, falls off what is hit."""
        air = self.airborne
        assert air is not None
        before, point = max(self.time, air.start), air.at(t)
        landed = self._landing(air, before, t)
        if landed is not None:
            self._land(air, *landed)
            if self.state is not State.FLIES:
                self.time = landed[0]
                if self.state is not State.LOST and t > landed[0] + 1e-6:
                    self.go(None, t)
                return
        body = self.skills.jump or self.skills.ground[0]
        shape = Cylinder(body.radius - GRAZE, body.height - GRAZE, max(body.step_height, 0.02))
        if self.world.overlap(point, t, shape=shape) and not self.world.overlap(
            air.last, before, shape=shape
        ):
            # Against a wall: down along it.
            hit = int(self.world.overlapping(point, t, shape=shape))
            speed = self.world.velocity(self.world.names[hit], point[None], np.array([t]))[0]
            self.counts.struck += 1
            launch = np.array([speed[0], speed[1], min(-air.sinking(before), 0.0)])
            self.airborne = Airborne(before, air.last, launch, air.take_off, None, air.last)
            point = self.airborne.at(t)
        self.airborne.last = point  # pyright: ignore[reportOptionalMemberAccess]
        self.point = point
        self.trace.add(t, point, self.heading)
        if point[2] < air.origin[2] - DEPTH:
            self.state = State.LOST
        self.time = t

    def _landing(self, air: Airborne, before: float, t: float) -> tuple[float, Floats, str] | None:
        """When, where and on what the feet meet the ground between two times."""

        def below(s: float) -> tuple[float, str | None, Floats]:
            point = air.at(s)
            # As deep as one can sink into something between two frames.
            deep = 0.05 + abs(air.sinking(t)) * (t - before) + 2.0 * (t - before)
            ground = self.world.support(point, s, up=deep, down=0.02)
            if not ground.hit:
                return -1.0, None, point
            return float(ground.height) - point[2], self.world.names[int(ground.body)], point

        if air.sinking(t) < -1.0 or t - air.start < 0.03:
            return None
        over, body, point = below(t)
        if body is None or over < 0.0:
            return None
        first, last = before, t
        for _ in range(14):
            middle = 0.5 * (first + last)
            deep, found, spot = below(middle)
            if found is not None and deep >= 0.0:
                last, body, point = middle, found, spot
            else:
                first = middle
        rest = self.world.support(point, last, up=0.2, down=0.05)
        if rest.hit:
            point = np.array([point[0], point[1], float(rest.height)])
            body = self.world.names[int(rest.body)]
        return last, point, body

    def _land(self, air: Airborne, t: float, point: Floats, body: str) -> None:
        ground = self.world.support(point, t, up=0.05, down=0.05)
        self.trace.add(t, point, self.heading)
        self.point, self.velocity = point, np.zeros(3)
        self.place = self.world.attach(point, body, t)
        self.airborne = None
        self.state = State.STANDS
        if t > air.start:
            flight = Flight(take_off=air.take_off, landing=self.place, start=air.start, end=t)
            self.trace.flew(flight)
        hard = air.sinking(t) + float(ground.velocity[2]) > 1.1 * self.skills.limits.landing
        steep = float(ground.slope) > self.skills.ground[0].max_slope + 0.05
        if air.target is not None and body != air.target:
            self.counts.missed += 1
            self.counts.falls += 1
        if hard or steep:
            self.state, self.up_at = State.LIES, t + self.recovery
        self._note(Kind.WAIT, self.place.position, t)

    # --- the record ------------------------------------------------------------------------------

    def _note(self, kind: Kind, local: Floats, t: float) -> None:
        body, name = self.place.body, self.capability.name
        heading = self._local_heading(body, t)
        doing = self.trace.doing
        if doing != (kind, body, name):
            if doing is not None and doing[1] == body:
                # What was done until now ends here.
                self.trace.add(self.time, self._last_local, self._local_heading(body, self.time))
            self.trace.begin(kind, body, name)
            if doing is not None and doing[1] == body and doing[0] is not Kind.JUMP:
                self.trace.add(self.time, self._last_local, self._local_heading(body, self.time))
        self.trace.add(t, local, heading)
        self._last_local = np.array(local)

    def _local_heading(self, body: str | None, t: float) -> float:
        if body is None:
            return self.heading
        turned = self.world[body].trajectory.pose(t).rotation
        forward = rotations.rotate(
            rotations.inverse(turned), np.array([cos(self.heading), sin(self.heading), 0.0])
        )
        return atan2(forward[1], forward[0])
