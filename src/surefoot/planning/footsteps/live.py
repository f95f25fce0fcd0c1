"""The footstep planner for many characters, live (beacco2013, sections 3 and 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from math import inf, nan
from typing import cast

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.errors import InputError, ProblemError, one_of
from surefoot.motion.library import Library
from surefoot.planning import wording
from surefoot.planning.footsteps.footpath import Footpath, carrier_id, lost, state, staying
from surefoot.planning.footsteps.keeping import repertoire_of
from surefoot.planning.footsteps.legs import WAITING, Leg, facing_at
from surefoot.planning.footsteps.performing import Performers
from surefoot.planning.footsteps.repertoire import Repertoire
from surefoot.planning.footsteps.search import Errand, Found, find
from surefoot.planning.footsteps.settings import FootstepSettings
from surefoot.planning.footsteps.terrain import Terrains
from surefoot.planning.footsteps.ways import Ways
from surefoot.planning.frames import headings_to_frame, headings_to_world, to_frame
from surefoot.planning.goals import Goal
from surefoot.planning.live import Answer, Asked, LivePoses, Moving
from surefoot.planning.standing import why_not
from surefoot.world import Place, World

PLAYED = 0.03
"""[m] kept between bodies as they will be played, for what they do between two moments. The search
keeps more (`FootstepSettings.room`): its samples of a step do not know what came before it."""

CLOSE = 0.02
"""[m] kept from everything by who is about to be struck and finds nothing else."""

CELLS = 8
"""Cells of a map that take about as long to look at as one node of steps."""


class LiveFootsteps:
    """Plans every foot of many characters in one world; see `planning.live`.

    Args:
        world: where; it may change between calls.
        settings: what may be done; horizon and nodes come with each question.
        library: whose steps are taken; each character's default library when not given.
    """

    name = "footsteps"

    def __init__(
        self,
        world: World,
        settings: FootstepSettings | None = None,
        *,
        library: Library | None = None,
    ) -> None:
        self.world, self.settings = world, settings or FootstepSettings()
        self.library = library
        self.traffic = _native.FootstepTraffic()
        self._terrains = Terrains(world, self.settings)
        self._agents: dict[int, Character] = {}
        self._known: dict[int, Footpath] = {}
        self._ways = Ways(world, self.settings)
        self._performers = Performers()
        self._steps: dict[str, str] = {}

    @property
    def identity(self) -> Mapping[str, str]:
        """Its settings, its library, and the steps of those who were admitted."""
        found = {f.name: repr(getattr(self.settings, f.name)) for f in fields(self.settings)}
        found["library"] = "each body's own" if self.library is None else self.library.hash
        return found | self._steps

    # --- who is there ----------------------------------------------------------------------------

    def admit(
        self, agent: int, character: Character, place: Place, heading: float, t: float
    ) -> Footpath:
        """A new agent's first plan: standing at a place from `t` [s] on."""
        if place.body is not None and place.body not in self.world:
            raise ProblemError(one_of("body", place.body, self.world.bodies))
        spot = self.world.position(place, t)
        walk = character.capability("walk")
        reason = why_not(self.world, spot, t, walk)
        if reason:
            here = wording.place(place, self.world, t)
            raise ProblemError(f"{here} {reason}{wording.instead(self.world, spot, t, [walk])}")
        repertoire = repertoire_of(character, self.settings, self.library)
        at = self._standing(place, spot, heading, t)
        end = staying(at)
        end[4] += float(repertoire.durations[repertoire.stand])
        self._agents[agent] = character
        body = f"steps of {character.name!r}, {character.measures.height:g} m"
        if body not in self._steps:
            self._steps[body] = _fingerprint(repertoire)
        return Footpath(
            repertoire, at, np.array([repertoire.stand], np.int32), end[None], self.world, True
        )

    def _standing(self, place: Place, spot: Floats, heading: float, t: float) -> Floats:
        """A state `(10,)` of somebody who stands at a place, on what carries it."""
        times = np.array([t])
        facing = headings_to_world(self.world, place.body, np.array([heading]), times)
        ground = self.world.support(spot, t, up=0.3, down=0.3)
        height = float(ground.height) if ground.hit else float(spot[2])
        point = np.array([[spot[0], spot[1], height]])
        below = self.world.names[int(ground.body)] if ground.hit else None
        carrier = carrier_id(self.world, below)
        if carrier < 0:
            return state(point[0], float(facing[0]), t)
        local = to_frame(self.world, below, point, times)
        turned = headings_to_frame(self.world, below, facing, times)
        return state(local[0], float(turned[0]), t, body=carrier)

    def dismiss(self, agent: int) -> None:
        """An agent is gone."""
        self._agents.pop(agent, None)
        if self._known.pop(agent, None) is not None:
            self.traffic.remove(agent)
        self._ways.forget(agent)
        self._performers.forget(agent)

    # --- plans -----------------------------------------------------------------------------------

    def plan(
        self,
        asked: Sequence[Asked],
        published: Mapping[int, Moving],
        t: float,
        *,
        threads: int = 1,
    ) -> list[Answer]:
        """Answers to all questions, in their order, each for itself; see `LivePlanner`."""
        self._publish(published, t)
        errands: list[Errand | None] = []
        legs: list[Leg | None] = []
        ways: list[int] = []
        for question in asked:
            before = self._ways.looked
            leg, errand = self._errand(question)
            way = (self._ways.looked - before) // CELLS
            if errand is not None and way:
                # A new way is part of what the plan may cost.
                left = max(question.nodes - way, question.nodes // 4, 1)
                errand = replace(errand, nodes=left)
            errands.append(errand)
            legs.append(leg)
            ways.append(way)
        found = iter(self._found(asked, errands, t, threads))
        return [
            Answer(agent=question.agent, plan=None, nodes=way, why=self._hopeless(question),
                   hopeless=True)
            if errand is None or leg is None
            else self._answer(question, errand, leg, next(found), way, t)
            for question, errand, leg, way in zip(asked, errands, legs, ways, strict=True)
        ]  # fmt: skip

    def _hopeless(self, question: Asked) -> str:
        at, _ = _taking_over(_footpath(question.plan), question.begin)
        if lost(self.world, at):
            return f"{self.world.names[int(at[7])]!r}, which carried it, is gone"
        if self._gone(question.goal):
            return f"its goal is on {question.goal.place.body!r}, which is gone"
        return "no way joins it and its goal"

    def _gone(self, goal: Goal) -> bool:
        return goal.place.body is not None and goal.place.body not in self.world

    def _found(
        self, asked: Sequence[Asked], errands: Sequence[Errand | None], t: float, threads: int
    ) -> list[Found]:
        """What searches find; for who is about to be struck, also with less room (section 8)."""
        pairs = [(q, e) for q, e in zip(asked, errands, strict=True) if e is not None]
        doubts = self._terrains.doubts(t)

        def searched(some: list[Errand], settings: FootstepSettings, doubts: Floats) -> list[Found]:
            return find(
                some, settings, terrain=self._terrains, traffic=self.traffic, doubts=doubts,
                threads=threads,
            )  # fmt: skip

        found = searched([errand for _, errand in pairs], self.settings, doubts)
        rows = [i for i, (question, _) in enumerate(pairs) if question.urgent and found[i].stuck]
        if rows:
            # Taken as they are seen to move now, bodies leave ways that doubt closes.
            certain = doubts * np.array([1.0, 0.0, 0.0, 1.0])
            close = replace(self.settings, room=CLOSE)
            again = searched([pairs[i][1] for i in rows], close, certain)
            for row, one in zip(rows, again, strict=True):
                more = one.expanded + found[row].expanded
                found[row] = replace(one, expanded=more, close=True)
        return found

    def _publish(self, published: Mapping[int, Moving], t: float) -> None:
        for agent, plan in published.items():
            known = self._known.get(agent)
            if known is None or known is not plan or known.carried:
                path = _footpath(plan)
                track = path.track
                if path.rides:
                    track.cover(t)
                self.traffic.put(agent, track)
                self._known[agent] = path
        if len(self._known) > len(published):
            for agent in [one for one in self._known if one not in published]:
                self.traffic.remove(agent)
                del self._known[agent]

    def _errand(self, question: Asked) -> tuple[Leg | None, Errand | None]:
        path, goal = _footpath(question.plan), question.goal
        at, action = _taking_over(path, question.begin)
        if lost(self.world, at):
            return None, None
        leg = None
        if not self._gone(goal):
            leg = self._ways.way(question.agent, self._agents[question.agent], at, goal)
        if leg is None and path.lost:
            # What it was to be carried by is gone: it goes no farther.
            leg = Leg(np.array([[*at[:3], 0.0, at[7]]]), False, inf)
        if leg is None:
            return None, None
        wanted, tolerance, arrive = nan, WAITING, (-inf, inf)
        if leg.final:
            wanted = facing_at(self.world, goal, question.begin)
            tolerance, arrive = goal.tolerance, goal.arrive
        return leg, Errand(
            repertoire=path.repertoire, state=at, action=action, way=leg.way, rough=leg.rough,
            tolerance=tolerance, heading=wanted, heading_tolerance=goal.heading_tolerance,
            arrive=arrive, horizon=question.horizon, nodes=question.nodes, agent=question.agent,
        )  # fmt: skip

    def _answer(
        self, question: Asked, errand: Errand, leg: Leg, found: Found, way: int, t: float
    ) -> Answer:
        nodes = found.expanded + way
        if found.stuck:
            why = "not even a stop is clear of what others do"
            return Answer(agent=question.agent, plan=None, nodes=nodes, why=why)
        path = _continued(_footpath(question.plan), errand, found, t, leg.final)
        room = min(PLAYED, CLOSE) if found.close else PLAYED
        if not self.traffic.clear(question.agent, path.track, question.begin, room):
            why = "its steps, as they would be played, are not clear of what others do"
            return Answer(agent=question.agent, plan=None, nodes=nodes, why=why)
        why = ""
        if leg.until == inf:
            why = self._hopeless(question)
        elif found.reached and not leg.final:
            name = "its moment" if leg.waits_for < 0 else repr(self.world.names[leg.waits_for])
            why = f"waits for {name} until {leg.until:.1f} s"
        elif not found.reached:
            why = f"{found.chosen} steps lead towards it, {found.left:.0f} J/kg are left"
            if found.exhausted:
                why = f"stopped after {found.expanded} nodes: {why}"
        return Answer(
            agent=question.agent, plan=path, nodes=nodes, why=why,
            reaction=found.close or _broken_off(_footpath(question.plan), question.begin),
        )  # fmt: skip

    def clear(
        self,
        agent: int,
        plan: Moving,
        others: Mapping[int, Moving],
        start: float,
        end: float = inf,
    ) -> bool:
        """Whether a plan keeps clear of other agents' plans from `start` to `end` [s]."""
        tracks = [_footpath(other).track for key, other in others.items() if key != agent]
        return _native.clear_footsteps(_footpath(plan).track, tracks, start, end, PLAYED)

    def threats(self, plans: Mapping[int, Moving], bodies: Sequence[str], t: float) -> Floats:
        """`(n,)` [s]: when each plan is struck by one of some bodies; infinite where it is not."""
        paths = [_footpath(plan) for plan in plans.values()]
        result = np.full(len(paths), inf)
        result[[path.lost for path in paths]] = t
        ids = np.array([self.world.id(name) for name in bodies], dtype=np.int32)
        if not len(ids):
            return result
        kinds = {id(path.repertoire): path.repertoire for path in paths}
        for repertoire in kinds.values():
            rows = [i for i, path in enumerate(paths) if path.repertoire is repertoire]
            struck = _native.footstep_strikes(
                self._terrains(repertoire), self._terrains.doubts(t), ids,
                [paths[i].track for i in rows], t, self.settings.foresight, self.settings.room,
            )  # fmt: skip
            result[rows] = np.minimum(result[rows], struck)
        return result

    # --- where everybody is ----------------------------------------------------------------------

    def spots(self, plans: Sequence[Moving], t: float) -> tuple[Floats, Floats]:
        """Where bodies are at `t` [s]: `(n, 3)` [m] and headings `(n,)` [rad]."""
        rows = _native.footstep_spots([path.track for path in _footpaths(plans)], t)
        return rows[:, :3], rows[:, 3]

    def poses(self, plans: Mapping[int, Moving], t: float, *, threads: int = 1) -> LivePoses:
        """The skeletal poses of some agents at `t` [s], rows in the order of `plans`.

        Steps are played as they begin, so ask in the order of time; a body that is not asked for
        while it takes several steps finds into its motion anew.
        """
        paths = _footpaths(plans.values())
        return self._performers.poses(list(plans), paths, t, threads=threads)


def _fingerprint(repertoire: Repertoire) -> str:
    """A hash of all that a character can do."""
    total = hashlib.sha256()
    follow = repertoire.successors
    for array in (
        repertoire.moves, repertoire.durations, repertoire.efforts, repertoire.samples,
        follow.offsets, follow.actions, follow.costs,
    ):  # fmt: skip
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


def _footpaths(plans: Collection[Moving]) -> list[Footpath]:
    """Everybody's, looked at together: there may be thousands in every frame."""
    if not {type(plan) for plan in plans} <= {Footpath}:
        return [_footpath(plan) for plan in plans]
    return cast("list[Footpath]", list(plans))


def _footpath(plan: Moving) -> Footpath:
    if not isinstance(plan, Footpath):
        raise InputError(f"the footstep planner plans with footpaths, got {type(plan).__name__}")
    return plan


def _taking_over(path: Footpath, begin: float) -> tuple[Floats, int]:
    """Where a body is when a new plan takes over from `begin` [s] on, and what it did before."""
    states = path.states
    if begin > path.end:
        last = states[-1].copy()
        last[4] = begin
        return last, int(path.ids[-1])
    index = _first_at(states, begin)
    if _broken_off(path, begin):
        state = states[path.index(begin)].copy()
        state[4] = begin
        return state, path.repertoire.stand
    return states[index], int(path.ids[index - 1]) if index > 0 else path.before


def _continued(path: Footpath, errand: Errand, found: Found, t: float, final: bool) -> Footpath:
    """The plan that goes on with what was found, after what its body does until then."""
    repertoire, begin = errand.repertoire, float(errand.state[4])
    ids, ends = found.ids, found.ends
    if len(ids) == 0:
        ids = np.array([repertoire.stand], dtype=np.int32)
        ends = staying(errand.state)[None]
        ends[0, 4] += float(repertoire.durations[repertoire.stand])
    first = last = 0
    if begin <= path.end and not _broken_off(path, begin):
        last = _first_at(path.states, begin)
        first = min(path.index(t), last)
    start = errand.state if first == last else path.states[first]
    before = errand.action if first == last else int(path.ids[first - 1]) if first else path.before
    return Footpath(
        repertoire, start, np.concatenate([path.ids[first:last], ids]),
        np.concatenate([path.ends[first:last], ends]), path.world, found.reached and final,
        before, path.track,
    )  # fmt: skip


def _broken_off(path: Footpath, begin: float) -> bool:
    """Whether a stand is not over yet when another plan takes over at `begin` [s]."""
    inside = path.start < begin < path.end and path.stands(begin)
    return inside and bool(np.abs(path.states[:, 4] - begin).min() > 1e-9)


def _first_at(states: Floats, t: float) -> int:
    """The first of `states` `(n, 8)` at or after `t` [s]; n where all are before."""
    return int(np.searchsorted(states[:, 4], t - 1e-9))
