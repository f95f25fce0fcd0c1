"""Rollouts on one clock: where the body and its feet are, on what, and when it is in the air."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.control.repertoire import Repertoire
from surefoot.motion.flight import Flight
from surefoot.planning.frames import headings_to_frame, headings_to_world, to_frame, to_world
from surefoot.planning.spacetime.playing import Played
from surefoot.world import Place, World

LEAN = 0.4
"""[s] before a take-off and after a landing in which the path goes over to the foot."""

BOARDING = 0.5
"""[s] that a step from body to body takes on either side, where no foot tells."""

LEAPING = 0.25
"""[s] in the air of a leap; runners are in the air for less."""

LEVEL = 0.15
"""[m] above or below a foot in which the ground is that it lands on."""

_MOMENT = 1e-9


@dataclass(frozen=True, eq=False)
class Leap:
    """A flight, and how far the feet are from the body at its ends, each in its own frame."""

    flight: Flight
    before: Floats
    after: Floats


@dataclass(frozen=True, eq=False)
class _Foot:
    """A foot on the ground, as far as it is played."""

    lands: float
    leaves: float
    place: Place
    offset: Floats


class Timeline:
    """The pieces of several rollouts in a row.

    Args:
        played: the rollouts.
        world: where.
        repertoire: of whose actions.
    """

    def __init__(self, played: Sequence[Played], world: World, repertoire: Repertoire) -> None:
        self._world, self._repertoire = world, repertoire
        self.pieces = [
            piece
            for one in played
            for piece in one.rollout.pieces
            if piece.until - piece.start > _MOMENT
        ]
        self._starts = np.array([piece.start for piece in self.pieces])
        self._begins = np.array([piece.begin for piece in self.pieces])
        self._actions = np.array([piece.action for piece in self.pieces], dtype=np.int32)
        self._headings = np.array([piece.heading for piece in self.pieces])
        self._origins = np.array([piece.place.position for piece in self.pieces]).reshape(-1, 3)
        self._drifts = np.array([piece.drift for piece in self.pieces]).reshape(-1, 3)
        self._feet = self._footing()
        self.carriers = self._carriers()
        self.leaps = self._leaps()

    @property
    def start(self) -> float:
        """[s]."""
        return self.pieces[0].start

    @property
    def end(self) -> float:
        """[s]."""
        return self.pieces[-1].until

    def carrier(self, t: float) -> str | None:
        """What carries the body at a time, or did before it left the ground."""
        return self.carriers[self._index(t)]

    def boardings(self) -> list[tuple[float, float]]:
        """From when to when the body steps from one carrier to another without a leap."""
        found: list[tuple[float, float]] = []
        for i in range(1, len(self.pieces)):
            at = self.pieces[i].start
            if self.carriers[i] == self.carriers[i - 1]:
                continue
            if any(leap.flight.start - 1e-6 <= at <= leap.flight.end + 1e-6
                   for leap in self.leaps):  # fmt: skip
                continue
            # From where the foot was lifted that lands there, to where the other one lands.
            lifted = [foot.leaves for foot in self._feet if at - 1.0 < foot.leaves < at - _MOMENT]
            landed = [foot.lands for foot in self._feet if at + 0.05 < foot.lands < at + 1.2]
            begin = max(lifted, default=at - BOARDING)
            end = min(landed, default=at + BOARDING)
            begin, end = self._grounded(begin, at, -1.0), self._grounded(end, at, 1.0)
            begin, end = self._between_leaps(max(begin, self.start), min(end, self.end), at)
            if found and begin < found[-1][1]:
                found[-1] = (found[-1][0], end)
            else:
                found.append((begin, end))
        return found

    def _grounded(self, t: float, at: float, way: float) -> float:
        """The first moment from `t` on, forward or back, with ground below that carries then."""
        for later in np.arange(0.0, 0.8, 1.0 / 30.0).tolist():
            moment = min(max(t + way * later, self.start), self.end)
            carrier = self.carrier(moment)
            if (moment - at) * way < 0.05:
                continue
            point = to_world(self._world, carrier, self.sample(np.array([moment]), carrier)[0],
                             [moment])  # fmt: skip
            ground = self._world.support(point, moment, up=0.3, down=0.3)
            if ground.hit[0] and self._carries(int(ground.body[0]), carrier):
                return moment
        return t

    def _carries(self, body: int, carrier: str | None) -> bool:
        name = self._world.names[body]
        return name == carrier if self._world[name].trajectory.moving else carrier is None

    def _between_leaps(self, begin: float, end: float, at: float) -> tuple[float, float]:
        for leap in self.leaps:
            if leap.flight.end <= at:
                begin = max(begin, leap.flight.end)
            else:
                end = min(end, leap.flight.start)
        return begin, end

    def sample(self, times: Floats, frame: str | None) -> tuple[Floats, Floats]:
        """Positions `(n, 3)` [m] and headings `(n,)` [rad] in a frame at `times` `(n,)` [s]."""
        indices = self._indices(times)
        positions, headings = self._local(indices, times)
        used: list[int] = np.unique(indices).tolist()
        for carrier in dict.fromkeys(self.carriers[i] for i in used):
            at = np.array([other == carrier for other in self.carriers])[indices]
            positions[at] += self._leaning(times[at], carrier)
        bodies = [piece.place.body for piece in self.pieces]
        for body in dict.fromkeys(bodies[i] for i in used):
            elsewhere = np.array([
                other == body and (body != frame or bool(drift.any()))
                for other, drift in zip(bodies, self._drifts, strict=True)
            ])  # fmt: skip
            at = elsewhere[indices]
            if not at.any():
                continue
            then, of = times[at], indices[at]
            points = to_world(self._world, body, positions[at], then)
            points = points + self._drifts[of] * (then - self._starts[of])[:, None]
            turned = headings_to_world(self._world, body, headings[at], then)
            positions[at] = to_frame(self._world, frame, points, then)
            headings[at] = headings_to_frame(self._world, frame, turned, then)
        return positions, headings

    def moments(self, begin: float, end: float, rate: float = 30.0) -> Floats:
        """Even times [s] from `begin` to `end`, and where pieces meet."""
        count = max(int(np.ceil((end - begin) * rate)), 1)
        times = np.linspace(begin, end, count + 1)
        meets = self._starts[(self._starts > begin + 1e-4) & (self._starts < end - 1e-4)]
        times = np.unique(np.concatenate([times, meets]))
        apart = np.concatenate([[True], np.diff(times) > 1e-4])
        times = times[apart]
        times[-1] = end
        return times

    def _index(self, t: float) -> int:
        return int(self._indices(np.array([t]))[0])

    def _indices(self, times: Floats) -> Ints:
        found = np.searchsorted(self._starts, times + _MOMENT, side="right") - 1
        return np.clip(found, 0, len(self.pieces) - 1).astype(np.int32)

    def _local(self, indices: Ints, times: Floats) -> tuple[Floats, Floats]:
        """Where the body is at `times`, each in the frame of its piece."""
        actions = self._actions[indices]
        lasts = self._repertoire.durations[actions]
        into = np.clip(self._begins[indices] + times - self._starts[indices], 0.0, lasts)
        rows = self._repertoire.native.levels(actions, into)
        headings = self._headings[indices]
        return self._origins[indices] + _turned(rows[:, :3], headings), headings + rows[:, 3]

    def _leaning(self, times: Floats, carrier: str | None) -> Floats:
        """`(n, 3)` [m]: how far the path is moved towards feet that take off and land."""
        total = np.zeros((len(times), 3))
        for leap in self.leaps:
            flight = leap.flight
            if flight.take_off.body == carrier:
                share = _smooth(1.0 - (flight.start - times) / LEAN)
                total += np.where(times <= flight.start + _MOMENT, share, 0.0)[:, None] * (
                    leap.before
                )
            if flight.landing.body == carrier:
                share = _smooth(1.0 - (times - flight.end) / LEAN)
                total += np.where(times >= flight.end - _MOMENT, share, 0.0)[:, None] * leap.after
        return total

    def _footing(self) -> list[_Foot]:
        found: list[tuple[int, float, float, Floats]] = []
        for i, piece in enumerate(self.pieces):
            if piece.drift.any():
                continue
            for row in self._repertoire.native.feet(piece.action):
                begin, end = max(row[1], piece.begin), min(row[2], piece.end)
                if end - begin <= _MOMENT:
                    continue
                lands, leaves = piece.start + begin - piece.begin, piece.start + end - piece.begin
                found.append((i, float(lands), float(leaves), row[3:6]))
        if not found:
            return []
        of = np.array([i for i, *_ in found])
        spots = np.array([spot for *_, spot in found])
        spots = self._origins[of] + _turned(spots, self._headings[of])
        moments = np.array([(lands, leaves) for _, lands, leaves, _ in found])
        bodies, _ = self._local(np.repeat(of, 2), moments.ravel())
        offsets = spots[:, None] - bodies.reshape(-1, 2, 3)
        return _joined([
            _Foot(lands, leaves, Place(self.pieces[i].place.body, spot), offset)
            for (i, lands, leaves, _), spot, offset in zip(found, spots, offsets, strict=True)
        ])  # fmt: skip

    def _carriers(self) -> list[str | None]:
        carriers: list[str | None] = []
        for piece in self.pieces:
            stands = any(foot.lands < piece.until - _MOMENT and foot.leaves > piece.start + _MOMENT
                         for foot in self._feet)  # fmt: skip
            before = carriers[-1] if carriers else piece.place.body
            airborne = piece.drift.any() or (not stands and piece.place.body is None)
            carriers.append(before if airborne else piece.place.body)
        return carriers

    def _leaps(self) -> list[Leap]:
        """Flights of jumps: no foot is on the ground from the last that leaves to the next."""
        found: list[Leap] = []
        for piece in self.pieces:
            if self._repertoire.move(piece.action).mode != "jump":
                continue
            for foot in self._feet:
                if not piece.start - _MOMENT <= foot.lands <= piece.until + _MOMENT:
                    continue
                others = [o for o in self._feet if o.lands < foot.lands - _MOMENT]
                if not others:
                    continue
                last = max(others, key=lambda o: o.leaves)
                if not LEAPING < foot.lands - last.leaves < 1.5:
                    continue
                if found and found[-1].flight.end >= foot.lands - _MOMENT:
                    continue
                leaves, up = self._on_ground(last.place, last.leaves)
                lands, down = self._on_ground(foot.place, foot.lands)
                flight = Flight(take_off=leaves, landing=lands, start=last.leaves, end=foot.lands)
                found.append(Leap(flight, last.offset[1] + up, foot.offset[0] + down))
        return found

    def _on_ground(self, place: Place, t: float) -> tuple[Place, Floats]:
        """A foot's place on the surface that is there, and how far that moves it `(3,)` [m].

        Clips are played on a level; what is landed on may be a little higher or lower.
        """
        point = self._world.position(place, t)
        below = self._world.support(point, t, up=LEVEL, down=LEVEL)
        shift = np.zeros(3)
        if below.hit:
            shift[2] = float(below.height) - float(point[2])
        return Place(place.body, place.position + shift), shift


def _joined(feet: list[_Foot]) -> list[_Foot]:
    """Feet that stand on over several pieces, once each."""
    joined: list[_Foot] = []
    leaving: dict[int, list[int]] = {}  # by when they leave, in hundred thousandths of a second

    def goes_on(foot: _Foot, known: _Foot) -> bool:
        near = np.abs(known.place.position - foot.place.position).max() < 0.02
        return bool(near) and known.place.body == foot.place.body

    for foot in feet:
        at = round(foot.lands * 1e5)
        then = sorted(k for key in (at - 1, at, at + 1) for k in leaving.get(key, ()))
        at_once = [k for k in then if abs(joined[k].leaves - foot.lands) < 1e-6]
        k = next((k for k in at_once if goes_on(foot, joined[k])), len(joined))
        if k < len(joined):
            known = joined[k]
            offset = np.stack([known.offset[0], foot.offset[1]])
            joined[k] = _Foot(known.lands, foot.leaves, known.place, offset)
        else:
            joined.append(foot)
        leaving.setdefault(round(foot.leaves * 1e5), []).append(k)
    return joined


def _turned(points: Floats, headings: Floats) -> Floats:
    """Points `(n, 3)` [m] turned about the vertical by `(n,)` [rad]."""
    c, s = np.cos(headings), np.sin(headings)
    x, y, z = points.T
    return np.column_stack([c * x - s * y, s * x + c * y, z])


def _smooth(share: Floats) -> Floats:
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)
