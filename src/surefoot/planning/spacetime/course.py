"""Courses: what a character has done and is about to do, where the rest may be planned anew.

A planner that plans again and again, towards what moves or is seen only later, begins each plan in
the middle of the last one. What was done stays; all of it together is one plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from surefoot.character import Capability
from surefoot.control import Configuration, Piece
from surefoot.control.rollout import ended
from surefoot.errors import InputError
from surefoot.planning.assumptions import assume
from surefoot.planning.frames import headings_to_world
from surefoot.planning.goals import AnyGoal
from surefoot.planning.plan import Plan, Status
from surefoot.planning.spacetime.assembly import segments_of
from surefoot.planning.spacetime.playing import Played, between
from surefoot.planning.spacetime.timeline import Timeline
from surefoot.world import Place, World

ASTRIDE = (0.7, 0.5)
"""[s] before and after somebody is carried by another body, in which a step is not broken off."""

TICK = 0.05
"""[s] between moments at which it is looked whether something can be broken off."""

_MOMENT = 1e-6


class Course:
    """Runs of controllers in a row, from where somebody stands.

    Args:
        start: what it does at first.
        t: [s] when.
    """

    def __init__(self, start: Configuration, t: float) -> None:
        self.start, self.begins = start, t
        self.played: tuple[Played, ...] = ()

    @property
    def end(self) -> float:
        """[s] until when it is known what is done."""
        return self.played[-1].run.end if self.played else self.begins

    @property
    def last(self) -> Configuration:
        """What is done at the end."""
        return self.played[-1].rollout.last if self.played else self.start

    @property
    def nodes(self) -> tuple[float, ...]:
        """[s] at which ways to landmarks begin and end."""
        return (self.begins, *(one.run.end for one in self.played))

    def node(self, t: float) -> float:
        """[s]: the first node from `t` on; the end after it."""
        later = [node for node in self.nodes if node >= t - _MOMENT]
        return min(later, default=self.end)

    def going(self, t: float) -> bool:
        """Whether it is on its way at `t` [s], and does not wait."""
        one = self._at(t)
        return one is not None and not one.waits

    def seam(self, t: float) -> float:
        """[s]: the first moment from `t` on at which something else can be begun.

        Between runs, in waits, and between steps on one body; nobody turns back in the air, or
        with a foot on either of two bodies.
        """
        while t < self.end - _MOMENT:
            one = self._at(t)
            if one is None or abs(one.run.end - t) < _MOMENT or abs(one.run.begin - t) < _MOMENT:
                return t
            if self.steady(t):
                return t
            t = min(t + TICK, one.run.end)
        return self.end

    def readies(self, t: float) -> float | None:
        """[s]: when one departs who gets ready for it at `t` [s]; None where nobody does."""
        for one, after in pairwise(self.played):
            inside = one.run.begin + _MOMENT < t < one.run.end - _MOMENT
            if inside and one.waits and not after.waits:
                return one.run.end
        return None

    def landed(self, t: float) -> bool:
        """Whether nothing is cut off at `t` [s], a `seam`, that only the next run brings to an end.

        A run may end in the air: its jump lands in the next one.
        """
        ends = [one for one in self.played if abs(one.run.end - t) < _MOMENT]
        return t >= self.end - _MOMENT or not any(between(one) for one in ends)

    def cut(self, t: float) -> Configuration:
        """Forgets what would be done from `t` [s] on, a `seam`; gives what is done there."""
        kept = [one for one in self.played if one.run.end <= t + _MOMENT]
        under_way = [one for one in self.played if one.run.begin < t - _MOMENT
                     and one.run.end > t + _MOMENT]  # fmt: skip
        kept += [broken_off(one, t) for one in under_way]
        self.played = tuple(kept)
        if t < self.begins - _MOMENT or t > self.end + _MOMENT:
            raise InputError(f"a course that ends at {self.end:.2f} s cannot be cut at {t:.2f} s")
        return self.last

    def configuration(self, t: float) -> Configuration:
        """What is done at `t` [s], a `seam`, without forgetting what comes after."""
        other = Course(self.start, self.begins)
        other.played = self.played
        return other.cut(t)

    def go_on(self, played: Sequence[Played]) -> None:
        """Adds what is done next."""
        self.played = (*self.played, *played)

    def place(self, t: float) -> Place:
        """Where the body is at `t` [s]; where it starts and ends before and after."""
        if not self.played or t <= self.begins:
            return self.start.place
        if t >= self.end:
            return self.last.place
        one = self._at(t)
        assert one is not None
        piece = _piece(one, t)
        until = piece.begin + min(max(t - piece.start, 0.0), piece.until - piece.start)
        return ended(one.rollout.repertoire, replace(piece, end=until))[0]

    def heading(self, t: float, world: World) -> float:
        """[rad] in the world at `t` [s]."""
        one = self._at(t)
        heading, body = self.start.heading, self.start.place.body
        if one is not None:
            piece = _piece(one, t)
            until = piece.begin + min(max(t - piece.start, 0.0), piece.until - piece.start)
            heading = ended(one.rollout.repertoire, replace(piece, end=until))[1]
            body = piece.place.body
        return float(headings_to_world(world, body, np.array([heading]), np.array([t]))[0])

    def plan(
        self,
        world: World,
        *,
        character: str,
        skills: Mapping[str, Capability],
        goal: AnyGoal,
        status: Status,
        statistics: Mapping[str, int | float],
        planner: str,
    ) -> Plan:
        """All of it as one plan.

        Args:
            world: where it was done.
            character: whose name.
            skills: capabilities by name.
            goal: what it was for.
            status: what came of it.
            statistics: counts and times.
            planner: which made it.
        """
        segments = ()
        if self.played:
            timeline = Timeline(self.played, world, self.played[0].rollout.repertoire)
            segments = segments_of(self.played, timeline, world, skills)
        return Plan(
            character=character,
            capabilities=dict(skills),
            origin=self.start.place,
            start=self.begins,
            goal=goal,
            segments=segments,
            status=status,
            cost=sum(segment.cost for segment in segments),
            statistics=statistics,
            assumes=assume(world, self.begins, self.end, segments=segments),
            planner=planner,
        )

    def _at(self, t: float) -> Played | None:
        begun = [one for one in self.played if one.run.begin <= t + _MOMENT]
        return begun[-1] if begun else None

    def steady(self, t: float) -> bool:
        """Whether one body carries it for a while, with its feet on the ground."""
        before, after = ASTRIDE
        around = [
            piece
            for one in self.played
            if one.run.end > t - after and one.run.begin < t + before
            for piece in one.rollout.pieces
            if piece.until > t - after and piece.start < t + before
        ]
        bodies = {piece.place.body for piece in around}
        modes = [one.rollout.repertoire.move for one in self.played[:1]]
        jumps = any(move(piece.action).mode == "jump" for move in modes for piece in around)
        return len(bodies) <= 1 and not jumps


def broken_off(one: Played, t: float) -> Played:
    """A run up to a moment [s] within it."""
    rollout = one.rollout.broken_off(t)
    share = (t - one.run.begin) / (one.run.end - one.run.begin)
    run = replace(one.run, end=t, broken_off=True)
    return Played(run, rollout, one.capability, one.waits, one.cost * share)


def _piece(one: Played, t: float) -> Piece:
    begun = [piece for piece in one.rollout.pieces if piece.start <= t + _MOMENT]
    return begun[-1] if begun else one.rollout.pieces[0]
