"""Walking discs: a small live planner that proves the live loop without feet.

Discs walk straight for one action at a time in one of twelve directions, or stand. Their plans
are searched best-first over time, around the world's bodies and each other's published plans.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import cos, hypot, inf, pi, sin

import numpy as np

from surefoot.character.humanoid import JOINTS
from surefoot.errors import ProblemError
from surefoot.math import rotations
from surefoot.planning import standing
from surefoot.planning.live import Answer, Asked, LivePoses, Moving
from surefoot.world import Cylinder, Place, TimedPath, World

ACTION = 0.4  # [s]
SPEED = 1.3  # [m/s]
DIRECTIONS = np.array(
    [(cos(i * pi / 6), sin(i * pi / 6), 0.0) for i in range(12)] + [(0.0, 0.0, 0.0)]
)
MARGIN = 0.02  # [m] more than touching
AHEAD = 4.0  # [s] how far stands are looked ahead for bodies


@dataclass(frozen=True, eq=False)
class DiscPlan:
    """A way made of straight pieces; see `Moving`."""

    times: np.ndarray  # (k + 1,) [s]
    points: np.ndarray  # (k + 1, 3) [m]
    heading: float
    radius: float
    reached: bool = False
    rides = False

    @property
    def start(self) -> float:
        return float(self.times[0])

    @property
    def end(self) -> float:
        return float(self.times[-1])

    @property
    def actions(self) -> np.ndarray:
        return self.times[:-1]

    def soonest(self, t: float) -> float:
        return t

    @property
    def footsteps(self) -> tuple[()]:
        return ()

    def spots(self, times):
        times = np.asarray(times, dtype=float).reshape(-1)
        columns = [np.interp(times, self.times, column) for column in self.points.T]
        piece = np.clip(np.searchsorted(self.times, times, "right") - 1, 0, len(self.times) - 1)
        ways = np.diff(self.points, axis=0, append=self.points[-1:])
        moving = np.hypot(ways[:, 0], ways[:, 1]) > 1e-9
        headings = np.where(moving, np.arctan2(ways[:, 1], ways[:, 0]), self.heading)
        return np.stack(columns, axis=-1), headings[piece]


def gap(one: DiscPlan, two: DiscPlan, start: float, end: float) -> float:
    """[m] The least distance between the rims of two discs; exact: pieces are straight."""
    last = max(one.end, two.end, start)
    cuts = np.unique(np.clip(np.concatenate([one.times, two.times, [start, last]]), start, end))
    apart = one.spots(cuts)[0][:, :2] - two.spots(cuts)[0][:, :2]
    best = float(np.hypot(*apart.T).min())
    for p, q in itertools.pairwise(apart):
        way = q - p
        length = float(way @ way)
        if length > 1e-18:
            share = min(max(-float(p @ way) / length, 0.0), 1.0)
            best = min(best, float(np.hypot(*(p + share * way))))
    return best - one.radius - two.radius


class Discs:
    """A `LivePlanner` of walking discs."""

    name = "discs"
    identity: Mapping[str, str] = {"speed": str(SPEED)}

    def __init__(self, world: World) -> None:
        self.world = world
        self.shapes: dict[int, Cylinder] = {}
        self.hips: dict[int, float] = {}

    def admit(self, agent, character, place: Place, heading: float, t: float) -> DiscPlan:
        skill = character.capability("walk")
        point = self.world.position(place, t)
        reason = standing.why_not(self.world, point, t, skill)
        if reason:
            raise ProblemError(f"{place} {reason}")
        self.shapes[agent] = standing.cylinder(skill)
        self.hips[agent] = character.measures.leg_length
        return DiscPlan(np.array([t]), point[None], heading, skill.radius, True)

    def dismiss(self, agent: int) -> None:
        del self.shapes[agent], self.hips[agent]

    def plan(
        self, asked: Sequence[Asked], published: Mapping[int, Moving], t: float, *, threads: int = 1
    ) -> list[Answer]:
        del t
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(lambda question: self._answer(question, published), asked))

    def clear(self, agent, plan, others, start, end=inf) -> bool:
        return all(
            other == agent or gap(plan, known, start, end) >= MARGIN / 2
            for other, known in others.items()
        )

    def threats(self, plans, bodies, t):
        some = World([self.world[name] for name in bodies])
        paths = [self._path(plan, t, t + AHEAD) for plan in plans.values()]
        struck = []
        for agent, path in zip(plans, paths, strict=True):
            contact = some.sweep(path, self.shapes[agent])
            struck.append(inf if contact is None else contact.time)
        return np.array(struck)

    def spots(self, plans, t):
        found = [plan.spots([t]) for plan in plans]
        return np.concatenate([p for p, _ in found]), np.concatenate([h for _, h in found])

    def poses(self, plans, t, *, threads=1) -> LivePoses:
        del threads
        if not plans:
            none = np.empty((0, 3))
            return LivePoses(none, np.empty((0, len(JOINTS), 4)), np.empty((0, 2, 2), bool))
        points, headings = self.spots(list(plans.values()), t)
        local = np.tile(rotations.IDENTITY, (len(plans), len(JOINTS), 1))
        local[:, 0] = rotations.from_yaw(headings)
        points[:, 2] += [self.hips[agent] for agent in plans]
        return LivePoses(points, local, np.ones((len(plans), 2, 2), bool))

    @staticmethod
    def _path(plan: DiscPlan, start: float, end: float) -> TimedPath:
        times = np.unique(np.clip(np.concatenate([plan.times, [start, end]]), start, end))
        return TimedPath(times, plan.spots(times)[0])

    def _answer(self, question: Asked, published: Mapping[int, Moving]) -> Answer:
        """Best-first over places and times; the best end that can be stood at for ever."""
        old, begin, agent = question.plan, question.begin, question.agent
        shape, goal = self.shapes[agent], question.goal
        others = [plan for other, plan in published.items() if other != agent]
        aim = self.world.position(goal.place, begin)
        first, headings = old.spots([begin])
        here = first[0]
        kept = [(old.times[i], old.points[i]) for i in np.flatnonzero(old.times < begin)]

        def left(point) -> float:
            return max(hypot(*(point - aim)[:2]) - goal.tolerance, 0.0) / SPEED

        def whole(way, reached) -> DiscPlan:
            keys = [*kept, *way]
            times, points = np.array([k for k, _ in keys]), np.array([p for _, p in keys])
            return DiscPlan(times, points, float(headings[0]), shape.radius, reached)

        def can_end(way) -> bool:
            t, point = way[-1]
            stand = DiscPlan(np.array([t]), point[None], 0.0, shape.radius)
            if any(gap(stand, other, t, inf) < MARGIN for other in others):
                return False
            return self.world.sweep(self._path(stand, t, t + AHEAD), shape) is None

        queue = [(left(here), 0, 0, ((begin, here),))]
        best, count, nodes, seen = None, 0, 0, set()
        while queue and nodes < question.nodes:
            _, _, depth, way = heapq.heappop(queue)
            t, point = way[-1]
            key = (round(point[0] / 0.1), round(point[1] / 0.1), depth)
            if key in seen:
                continue
            seen.add(key)
            nodes += 1
            reached = left(point) == 0.0
            if (best is None or (left(point), depth) < best[0]) and can_end(way):
                best = ((left(point), depth), way, reached)
                if reached:
                    break
            if depth == question.horizon:
                continue
            ends = point + DIRECTIONS * (SPEED * ACTION)
            times = np.array([t, t + ACTION])
            paths = [TimedPath(times, np.array([point, end])) for end in ends]
            ground = self.world.support(ends, t, up=0.1, down=0.1).hit
            # Who is farther away than two strides cannot be met within this action.
            near = [
                other
                for other in others
                if hypot(*(other.spots([t])[0][0] - point)[:2]) < 3.0 * SPEED * ACTION + 1.0
            ]
            for end, path, struck, firm in zip(
                ends, paths, self.world.sweeps(paths, shape), ground, strict=True
            ):
                piece = DiscPlan(times, path.positions, 0.0, shape.radius)
                if struck is not None or not firm:
                    continue
                if any(gap(piece, other, t, t + ACTION) < MARGIN for other in near):
                    continue
                count += 1
                # Standing first would win ties for ever: time spent counts.
                score = (depth + 1) * ACTION + 1.2 * left(end)
                heapq.heappush(queue, (score, count, depth + 1, (*way, (t + ACTION, end))))
        if best is None:
            return Answer(agent=agent, plan=None, nodes=nodes, why="no room even to stand")
        _, way, reached = best
        hopeless = not queue and nodes < question.nodes and len(seen) == 1
        why = "" if reached else f"{left(way[-1][1]) * SPEED:.1f} m are left"
        return Answer(
            agent=agent, plan=whole(way, reached), nodes=nodes, why=why, hopeless=hopeless
        )
