"""A way mended where the world has changed under it (bandi2000, 8.3 and Fig. 15)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.character import Capability
from surefoot.planning.grid.errands import Leaf
from surefoot.planning.grid.leaps import Leap
from surefoot.planning.grid.legs import Found, Leg, Legs
from surefoot.planning.grid.map import GridMap
from surefoot.planning.grid.paths import Ends
from surefoot.planning.grid.postures import Prices
from surefoot.planning.grid.smoothing import rounded
from surefoot.planning.grid.targets import reached
from surefoot.planning.grid.way import Piece, Route, Way
from surefoot.planning.plan import Outcome, Plan
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Kind, Segment

_BESIDE = 0.05
"""[m] from an old way that one may be and still be on it."""

_RISEN = 0.03
"""[m] by which the ground under an old way may be higher or lower now."""

_POINTS = 6
"""Points of a path that are looked at in one: about half a metre."""


@dataclass(frozen=True, eq=False)
class _Part:
    """A short part of an old way, and whether it can still be gone."""

    piece: Piece
    sound: bool

    @property
    def length(self) -> float:
        """[m]."""
        return Route.through(self.piece.points).length


class Rerouter:
    """Mends old plans.

    Args:
        problem: as it is now.
        grid: the map of its world, up to date.
        legs: which search it.
        speed: [m/s] of walking.
        count: told what was done.
    """

    def __init__(
        self,
        problem: Problem,
        grid: GridMap,
        legs: Legs,
        speed: float,
        count: Callable[[str, float], None],
    ) -> None:
        self._problem, self._grid, self._legs = problem, grid, legs
        self._speed, self._count = speed, count

    def leg(self, old: Plan, start: Floats, options: Sequence[Leaf]) -> Leg | None:
        """The way on to a goal with what is sound of an old plan; None where nothing is.

        Args:
            old: the plan, from now on.
            start: `(3,)` [m] where one is.
            options: the goals, any one of which will do.
        """
        parts = self._parts(old)
        if not parts:
            return None
        broken = [i for i, part in enumerate(parts) if not part.sound]
        head = parts[: broken[0]] if broken else parts
        tail = parts[broken[-1] + 1 :] if broken else []
        if np.linalg.norm(parts[0].piece.points[0] - start) > _BESIDE:
            # One is not on the old way any more: all that is sound to its end may be joined.
            head, tail, broken = [], tail if broken else parts, [0]
        end = parts[-1].piece.points[-1]
        goal = self._goal_at(end, options)
        if goal is not None and not broken:
            self._told(head, [])
            return self._leg([part.piece for part in parts], start, goal, narrow=False)
        if goal is None:
            # The goal has moved: leave the old way wherever the new end is joined best.
            return self._joined(head, [], start, options, None)
        return self._joined(head, tail, start, options, goal)

    # --- the old way -----------------------------------------------------------------------------

    def _parts(self, old: Plan) -> list[_Part]:
        """The old way in short parts, each asked whether it is still there."""
        pieces: list[Piece] = []
        for segment in old.segments:
            if segment.kind.waits or segment.kind is Kind.TURN:
                continue
            skill = self._problem.skills.get(segment.capability)
            if skill is None or segment.frame is not None:
                return []
            pieces += _pieces(segment, skill, self._speed)
        sound = np.zeros(len(pieces), dtype=np.bool_)
        for skill in {piece.skill for piece in pieces}:
            for gap in (0.0, 0.45 * skill.height):
                rows = [
                    i
                    for i, piece in enumerate(pieces)
                    if piece.skill == skill and not piece.leap and piece.kind.bridges == (gap > 0.0)
                ]
                lines = [pieces[i].points for i in rows]
                found = self._grid.walkable(skill).lines(lines, gap=gap)
                sound[rows] = [line is not None for line in found]
        for i, piece in enumerate(pieces):
            if piece.leap is not None:
                sound[i] = self._grid.leaps.holds(piece.leap)
            elif sound[i]:
                # Where one is now may be between two stairs.
                sound[i] = self._level(piece, first=1 if i == 0 else 0)
        return [_Part(piece, bool(good)) for piece, good in zip(pieces, sound, strict=True)]

    def _level(self, piece: Piece, *, first: int) -> bool:
        """Whether the ground along a piece is as high as it was.

        A way over something low that has come is another way, with other heights and steps.
        """
        points = piece.points[[0, -1]] if piece.kind.bridges else piece.points
        points, step = points[first:], piece.skill.step_height
        ground = self._grid.cells.still.support(points, up=step, down=step)
        return bool((ground.hit & (np.abs(ground.height - points[:, 2]) < _RISEN)).all())

    def _goal_at(self, point: Floats, options: Sequence[Leaf]) -> Leaf | None:
        world, now = self._problem.world, self._problem.start_time
        there = (leaf for leaf in options if reached(leaf, world, point[None], now)[0])
        return next(there, None)

    # --- the new way -----------------------------------------------------------------------------

    def _joined(
        self,
        head: list[_Part],
        tail: list[_Part],
        start: Floats,
        options: Sequence[Leaf],
        goal: Leaf | None,
    ) -> Leg | None:
        """The head as far as it is good, a new way, and the tail from where that joins it."""
        # A goal that has moved may lie anywhere beside the old way.
        whole = goal is None or self._grid.settings.rerouting == "whole"
        for narrow in (False, True):
            prices = self._legs.prices(narrow=narrow)
            starts = self._starts(head, prices, whole=whole)
            if whole or not head:
                starts = Ends.joined([self._legs.starts(start, narrow=narrow), starts])
            ends = self._ends(tail, prices) if goal else self._legs.goals(options, narrow=narrow)
            if len(starts) and len(ends):
                found = self._legs.between(starts, ends, narrow=narrow)
                if found.reached:
                    return self._composed(found, starts, ends, head, tail, start, options, narrow)
            if self._grid.settings.borders == "closed":
                break
        return None

    def _starts(self, head: list[_Part], prices: Prices, *, whole: bool) -> Ends:
        """Where the head may be left: at its end, or for the best `whole` anywhere."""
        points = np.array([part.piece.points[-1] for part in head]).reshape(-1, 3)
        costs = np.cumsum([part.length for part in head])
        if not whole:
            points, costs = points[-1:], np.zeros(len(points[-1:]))
        return self._open(points, costs, prices)

    def _ends(self, tail: list[_Part], prices: Prices) -> Ends:
        """Where the tail may be joined, with what is left to go from there."""
        lengths = np.array([part.length for part in tail])
        left = np.cumsum(lengths[::-1])[::-1]
        points = np.array([part.piece.points[0] for part in tail]).reshape(-1, 3)
        if self._grid.settings.rerouting == "nearest":
            left = np.zeros(len(tail))
        return self._open(points, left, prices)

    def _open(self, points: Floats, costs: Floats, prices: Prices) -> Ends:
        """The open cells that points are in."""
        step = self._grid.actions.walk.step_height
        cells: Ints = self._grid.cells.voxels.locate(points, step, step)
        good = cells >= 0
        good[good] = np.isfinite(prices[cells[good]])
        return Ends(cells[good], costs[good], points[good])

    def _composed(
        self,
        found: Found,
        starts: Ends,
        ends: Ends,
        head: list[_Part],
        tail: list[_Part],
        start: Floats,
        options: Sequence[Leaf],
        narrow: bool,
    ) -> Leg | None:
        left = starts.points[starts.at(int(found.path.cells[0]))]
        joint = ends.points[ends.at(int(found.path.cells[-1]))]
        kept = _until(head, left, start)
        rest = _since(tail, joint)
        self._told(kept, rest)
        pieces = self._met([part.piece for part in kept], list(found.way.pieces))
        pieces = self._met(pieces, [part.piece for part in rest])
        end = pieces[-1].points[-1] if pieces else start
        goal = self._goal_at(end, options)
        return None if goal is None else self._leg(pieces, start, goal, narrow=narrow)

    def _met(self, first: list[Piece], second: list[Piece]) -> list[Piece]:
        """Pieces one after the other, the corner where they meet rounded."""
        first, second = list(Way(first).pieces), list(Way(second).pieces)
        if not first or not second:
            return first + second
        a, b = first[-1], second[0]
        if a.joined(b) is None:
            return first + second
        walkable, radius = self._grid.walkable(a.skill), self._grid.settings.rounding
        points = rounded([a.points, b.points], walkable, radius, self._legs.metres.points)
        return [*first[:-1], Piece(a.kind, a.skill, points, a.speed), *second[1:]]

    def _leg(self, pieces: list[Piece], start: Floats, goal: Leaf, *, narrow: bool) -> Leg:
        way = Way(pieces)
        end = way.line.points[-1] if way.pieces else start
        return Leg(start, way, end, goal, Outcome.REACHED, True, narrow, Ends.joined([]))

    def _told(self, head: list[_Part], tail: list[_Part]) -> None:
        self._count("metres_kept", round(sum(part.length for part in head + tail), 3))


def _until(head: list[_Part], left: Floats, start: Floats) -> list[_Part]:
    """The head as far as a point at the end of one of its parts."""
    if np.allclose(left, start):
        return []
    ends = [np.allclose(part.piece.points[-1], left) for part in head]
    return head[: ends.index(True) + 1]


def _since(tail: list[_Part], joint: Floats) -> list[_Part]:
    """The tail from a point at the start of one of its parts."""
    begins = [np.allclose(part.piece.points[0], joint) for part in tail]
    return tail[begins.index(True) :] if True in begins else []


def _pieces(segment: Segment, skill: Capability, speed: float) -> list[Piece]:
    """A segment as pieces: short ones on the ground, a jump in one."""
    speed = speed if segment.kind is Kind.WALK else skill.speed
    if segment.flights:
        flight = segment.flights[0]
        before = segment.positions[segment.times <= flight.start + 1e-9]
        after = segment.positions[segment.times >= flight.end - 1e-9]
        run_up, run_out = Route.through(before).points, Route.through(after).points
        across = float(np.hypot(*(run_out[0] - run_up[-1])[:2]))
        airborne = flight.end - flight.start
        standing = len(run_up) == 1
        return [Piece.jump(skill, Leap(run_up, run_out, airborne, across / airborne, standing))]
    points = Route.through(segment.positions).points
    if segment.kind.bridges:
        return [Piece(segment.kind, skill, points, speed)]
    cuts = range(0, max(len(points) - 1, 1), _POINTS - 1)
    return [
        Piece(segment.kind, skill, points[i : i + _POINTS], speed)
        for i in cuts
        if len(points[i : i + _POINTS]) > 1
    ]
