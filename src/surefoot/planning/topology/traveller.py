"""Somebody who goes through a live world: walks, crouches, waits, jumps, falls, and plans anew."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from math import atan2, inf

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.errors import ProblemError
from surefoot.planning.goals import Goal
from surefoot.planning.plan import Plan
from surefoot.planning.topology.atlas import Atlas
from surefoot.planning.topology.dodging import contact, dodged
from surefoot.planning.topology.figure import Figure
from surefoot.planning.topology.outcome import as_plan
from surefoot.planning.topology.search import CHANGE, Answer, Efforts, Hop, Way, find_way
from surefoot.planning.topology.states import State
from surefoot.world import Place, World

LOOK_AHEAD = 1.0
"""[s] How far ahead somebody looks for what has come in the way."""

LOOKS = 6
"""Frames between two such looks."""

CALM = 0.25
"""[m/s] Surfaces that move slower past each other are as good as at rest."""

SHUT = 6.0
"""[s] For which a relation is left alone that was waited for in vain."""

AT_REST = 1.0
"""[s] For which a way over is waited for between surfaces that do not move."""

SPENT = 20.0
"""[s] For which a change of surfaces that was not possible is not tried again."""


Pair = tuple[tuple[str, int], tuple[str, int]]
"""Two surfaces, each a body and the number of its connected part."""


class Traveller:
    """Goes to its goal on the surfaces that an atlas knows; `step` after each update of it."""

    def __init__(
        self, atlas: Atlas, character: Character, place: Place, goal: Goal, *,
        heading: float = 0.0, t: float | None = None,
    ) -> None:  # fmt: skip
        now = atlas.now if t is None else t
        self.atlas, self.character, self.settings = atlas, character, atlas.settings
        self.origin, self.start = _carried(atlas, place, now), now
        self.goal = Goal(
            _carried(atlas, goal.place, now), goal.heading, goal.tolerance, goal.arrive
        )
        self.figure = Figure(
            atlas.world, atlas.skills, self.origin, heading, now, atlas.settings.recovery
        )
        self.way: Way | None = None
        self.efforts = Efforts()
        self.replans = 0
        """Times that a way was left because something came into it."""
        self.why = ""
        """Why nobody goes anywhere, where that is so."""
        self.arrived_at: float | None = None
        self._retry_at = now
        self._waits_since: float | None = None
        self._shut: dict[int, float] = {}
        self._spent: dict[Hop, float] = {}
        self._hops: tuple[Hop, ...] = ()
        self._avoid: list[int] = []
        self._frames = 0
        self._only: Collection[Pair] | None = None
        self._take_off: Place | None = None

    def keep_to(self, pairs: Collection[Pair] | None, *, take_off: Place | None = None) -> None:
        """Changes surfaces only between these, as soon as that is possible; None for any.

        For those who know more of what will come than an atlas has seen, and so perhaps from where
        the surface at hand is best left.
        """
        self._only, self._take_off = pairs, take_off
        if not self.figure.busy:
            self._drop()

    @property
    def arrived(self) -> bool:
        """Whether it is at its goal."""
        return self.arrived_at is not None

    @property
    def lost(self) -> bool:
        """Whether it fell where nothing is to land on."""
        return self.figure.state is State.LOST

    @property
    def done(self) -> bool:
        """Whether it arrived, or never will."""
        return self.arrived or self.lost

    def step(self, t: float) -> None:
        """Goes on to `t` [s], that of the atlas's last update."""
        figure = self.figure
        self._frames += 1
        if self.lost or t <= figure.time:
            return
        if figure.busy:
            figure.advance(t)
            if not figure.busy:
                hops = self._hops
                self._drop()
                # What was planned for beyond still holds.
                self._hops = hops
            return
        if self.arrived:
            figure.go(None, t)
            return
        if self._at_goal():
            self.arrived_at = figure.time
            figure.go(None, t)
            return
        if self.way is None and t >= self._retry_at:
            self._think(figure.time)
        way = self.way
        if way is None:
            figure.go(None, t)
        elif figure.time < way.end - 1e-9:
            self._follow(way, t)
        else:
            self._wait(way, t)

    # --- thinking --------------------------------------------------------------------------------

    def _think(self, t: float) -> None:
        self._shut = {r: until for r, until in self._shut.items() if until > t}
        self._spent = {hop: until for hop, until in self._spent.items() if until > t}
        answer = self._find(t, {*self._shut, *self._others()})
        self.way, self.why = answer.way, answer.why
        self._hops = () if self.way is None else self.way.hops
        self._waits_since = None
        if self.way is None:
            self._retry_at = t + self.settings.retry
            reasons = self.efforts.reasons
            reasons[self.why] = reasons.get(self.why, 0) + 1
            if answer.barred is not None:
                # Another way, if there is one, while this one is obstructed.
                self._bar(answer.barred, t + 0.5 * SHUT)

    def _find(self, t: float, shut: Collection[int]) -> Answer:
        return find_way(
            self.atlas, self.figure.place, self.goal, t, skill=self.figure.skill, shut=shut,
            spent=self._spent, avoid=self._avoid, hops=self._hops, efforts=self.efforts,
            take_off=self._take_off,
        )  # fmt: skip

    def _others(self) -> list[int]:
        """Relations that it is told to leave alone."""
        if self._only is None:
            return []
        return [r.index for r in self.atlas.relations if (r.source, r.target) not in self._only]

    def _bar(self, hop: Hop, until: float) -> None:
        """Leaves a change of surfaces alone: just that one between what does not move."""
        if self.atlas.at_rest(hop.relation):
            self._spent[hop] = until
        else:
            self._shut[hop.relation] = until

    def _drop(self, *, wait: float = 0.0) -> None:
        """The way is none any more."""
        self.way = None
        self._waits_since = None
        self._avoid = []
        self._hops = ()
        self._retry_at = self.figure.time + wait

    def _at_goal(self) -> bool:
        if self.way is not None and self.figure.time < self.way.end - 1e-9:
            return False
        point = self.figure.point
        world = self.atlas.world
        if self.goal.place.body not in world:
            return False
        on = self.figure.place.body == self.goal.place.body
        return on and bool(self.goal.reached(world, point[None], np.array([self.figure.time]))[0])

    # --- doing -----------------------------------------------------------------------------------

    def _follow(self, way: Way, t: float) -> None:
        figure = self.figure
        if figure.place.body != way.body or (way.relation >= 0 and not self._same(way)):
            # Carried by something else, or what it leads to was forgotten on the way there.
            self._drop()
            figure.go(None, t)
            return
        if self._frames % LOOKS == 0 and self._meets(way):
            self.replans += 1
            self._drop()
            self._think(figure.time)
            if self.way is None:
                figure.go(None, t)
                return
            way = self.way
        if way.relation >= 0 and self._frames % LOOKS == 3 and self._passes(way, t):
            return
        # Where the posture changes between two frames, first to there.
        between = (way.times > figure.time + 1e-6) & (way.times < t - 1e-6)
        for moment in [*way.times[between].tolist(), t]:
            # By the middle of it: at either end another one may begin.
            figure.skill = way.skill(0.5 * (figure.time + moment))
            if not figure.go(way.at(moment), moment):
                self.replans += 1
                self._drop(wait=0.1)
                break
        if figure.state is State.STANDS and figure.time < t:
            figure.go(None, t)

    def _meets(self, way: Way) -> bool:
        """Whether something is about to come into the way."""
        now = self.figure.time
        last = min(now + LOOK_AHEAD, way.end)
        inside = way.times[(way.times > now) & (way.times < last)]
        times = np.concatenate([[now], inside, [last]])
        positions = np.array([way.at(s) for s in times])
        skills = [way.skill(0.5 * (a + b)) for a, b in pairwise(times.tolist())]
        first = 0
        # Each stretch in the posture that it is gone in.
        for i in range(1, len(times)):
            if i == len(times) - 1 or skills[i] != skills[first]:
                part = slice(first, i + 1)
                if times[i] - times[first] > 1e-6 and np.isfinite(
                    contact(self.atlas, way.body, times[part], positions[part], skills[first])
                ):
                    return True
                first = i
        return False

    def _wait(self, way: Way, t: float) -> None:
        """At the end of a way: for the moment at which it goes on."""
        figure = self.figure
        if way.relation < 0:
            # Beside the goal: the last bit in a straight line.
            figure.go(self._towards_goal(t), t)
            if self._waits_since is None:
                self._waits_since = t
            elif t - self._waits_since > 3.0:
                self._drop(wait=self.settings.retry)
            return
        if self._waits_since is None:
            self._waits_since = t
        if figure.place.body != way.body or not self._same(way):
            self._drop()
            figure.go(None, t)
            return
        if self._passes(way, t):
            return
        relation = self.atlas.relation(way.relation)
        if self._frames % LOOKS == 0 and self._threatened(t):
            self.replans += 1
            self.way = dodged(self.atlas, figure, way, t) or way
        waited = t - self._waits_since
        limit = max(self.settings.patience, 2.0 * relation.periodicity)
        if self.atlas.at_rest(way.relation):
            limit = AT_REST
        elif self._only is not None:
            # Whoever told it what to keep to knows how long that may last.
            limit = inf
        if waited > limit:
            self._give_up(way, t)
        elif waited > 0.6 * limit and not self._avoid:
            # From elsewhere it may be possible.
            _, node = self.atlas.surface(figure.place)
            since = self._waits_since
            self._avoid = [node]
            self._think(t)
            self._waits_since = since
        figure.go(None, t, facing=self._facing(way, t))

    def _give_up(self, way: Way, t: float) -> None:
        """What was waited for did not come."""
        if way.hops:
            self._spent[way.hops[0]] = t + SPENT
        else:
            self._shut[way.relation] = t + SHUT
        self._drop()

    def _same(self, way: Way) -> bool:
        """Whether the relation is still there: numbers are used again."""
        row = self.atlas.native.relation(way.relation)
        return (int(row[0]), int(row[1])) == way.ends

    def _passes(self, way: Way, t: float) -> bool:
        """Takes the step or jump at the end of a way, if that is possible now (4.3)."""
        figure = self.figure
        if figure.skill != 0:
            if self._waits_since is not None and t - self._waits_since > CHANGE:
                figure.skill = 0
            return False
        if self._unsteady(way, t):
            return False
        here = np.ascontiguousarray(figure.place.position[None])
        possible, node, on_foot, lasts, _, launch = self.atlas.native.decide(
            way.relation, here, figure.time, way.landing
        )
        if not possible:
            return False
        target, _ = self.atlas.surface_name(way.ends[1])
        landing = self.atlas.nodes(target)[node]
        if on_foot:
            figure.step_over(target, landing, lasts)
        elif self.atlas.skills.jump is None:
            return False
        else:
            figure.heading = atan2(launch[1], launch[0])
            figure.jump(target, launch)
        self.way, self._hops = None, way.hops[1:]
        figure.advance(t)
        return True

    def _unsteady(self, way: Way, t: float) -> bool:
        """Whether surfaces are apart, or move fast past each other and there is time to wait."""
        relation = self.atlas.relation(way.relation)
        if not relation.valid:
            return True
        # Who has a time to keep takes the first moment there is.
        calm = 0.0 if self._only is not None else self.settings.calm
        if relation.stable or t - relation.since > calm * relation.mean_valid:
            return False
        target, world, point = relation.target[0], self.atlas.world, self.figure.point[None]
        if target not in world or way.body not in world:
            return False
        now = np.array([t])
        past = world.velocity(target, point, now) - world.velocity(way.body, point, now)
        return float(np.linalg.norm(past)) > CALM

    def _threatened(self, t: float) -> bool:
        body = self.figure.place.body
        assert body is not None
        here = np.stack([self.figure.place.position] * 2)
        return contact(self.atlas, body, np.array([t, t + 0.7]), here, self.figure.skill) < inf

    def _towards_goal(self, t: float) -> Floats | None:
        figure = self.figure
        way = self.goal.place.position - figure.place.position
        far = float(np.linalg.norm(way))
        if figure.place.body != self.goal.place.body or far < 1e-6:
            return None
        most = figure.capability.speed * (t - figure.time)
        return figure.place.position + way * min(most / far, 1.0)

    def _facing(self, way: Way, t: float) -> float | None:
        target, _ = self.atlas.surface_name(way.ends[1])
        if target not in self.atlas.world:
            return None
        nodes = self.atlas.nodes(target)
        if len(nodes) == 0:
            return None
        pose = self.atlas.world[target].trajectory.pose(t)
        points = pose.apply(nodes)
        shift = points[np.argmin(np.linalg.norm(points - self.figure.point, axis=1))]
        shift = shift - self.figure.point
        return atan2(shift[1], shift[0]) if np.hypot(shift[0], shift[1]) > 0.05 else None

    # --- what came of it -------------------------------------------------------------------------

    def plan(self, world: World | None = None) -> Plan:
        """What was done until now, as a plan.

        Args:
            world: as it happened. The traveller knows it as it is now, and not where what moves
                was before: without this the plan says nothing about those bodies.
        """
        return as_plan(self, world)


def _carried(atlas: Atlas, place: Place, t: float) -> Place:
    """A place on a body: what carries it where it is."""
    if place.body is not None:
        if place.body not in atlas.world:
            raise ProblemError(f"{place.body!r} is not in the world")
        return place
    return atlas.world.place(place.position, t)
