"""Arcs: the pieces that a flown swing is made of, as seen from the hip.

A swing of a run or of a jump with both feet is one arc. In a leap from one foot it is two: the free
leg has come forward by the take-off and waits there for the landing; the other one stays behind
until the landing and comes through after it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.curves import Indices, hermite
from surefoot.motion.gait import jump, pace, run
from surefoot.motion.gait.airtimes import Airtimes

APART = 0.1
"""[s for a leg of 0.93 m] that a foot is in the air before a flight, or after it, for its leg to
lead or to trail."""

# Over which share of an arc the speeds of its ends fade, running and jumping: those with which the
# leg turns about the hip, with which it stretches and shortens, and with which the foot pitches.
_TURNING, _PITCHING = (1.0, 0.6), (0.35, 0.25)
_STRETCHING, _SHORTENING = (0.5, 0.4), (0.3, 0.4)
_TRAVEL = 0.55  # [L] that a foot goes ahead in an arc of a run


@dataclass(frozen=True, eq=False)
class Ends:
    """One end of each of `k` swings, in the frame of hip and heading.

    Attributes:
        time: `(k,)` [s].
        ankle: `(k, 3)` [m].
        speed: `(k, 3)` [m/s].
        pitch: `(k,)` [rad].
        rate: `(k,)` [rad/s].
    """

    time: Floats
    ankle: Floats
    speed: Floats
    pitch: Floats
    rate: Floats


@dataclass(frozen=True, eq=False)
class Arcs:
    """What a foot does in the air, in pieces that follow each other.

    Attributes:
        first: one end of every arc.
        last: the other.
        jumps: `(m,)` how much of a jump it is, 0..1.
        runs: `(m,)` how much it does what a run's swing does, 0..1.
        tucks: `(m,)` how much it is drawn up, 0..1.
        leg: [m].
    """

    first: Ends
    last: Ends
    jumps: Floats
    runs: Floats
    tucks: Floats
    leg: float

    def at(self, which: Indices, times: Floats) -> tuple[Floats, Floats]:
        """Ankles `(n, 3)` [m] and pitches `(n,)` [rad] of arcs `which` `(n,)` at `times` [s]."""
        first, last, jumps = self.first, self.last, self.jumps[which]
        duration = last.time[which] - first.time[which]
        done = np.clip((times - first.time[which]) / duration, 0.0, 1.0)
        smooth = hermite(done)[2]
        ankle = first.ankle[which] + smooth[:, None] * (last.ankle - first.ankle)[which]
        pitch = first.pitch[which] + smooth * (last.pitch - first.pitch)[which]
        for end, way, past in ((first, 1.0, done), (last, -1.0, 1 - done)):
            # A leg soon stops getting longer, or has only begun to get shorter.
            along = end.ankle / np.linalg.norm(end.ankle, axis=1, keepdims=True)
            stretching = (end.speed * along).sum(axis=1, keepdims=True) * along
            fading = _STRETCHING if way > 0 else _SHORTENING
            for speed, share in ((end.speed - stretching, _TURNING), (stretching, fading)):
                weight = way * duration * _fading(past, pace.blended(jumps, *share))
                ankle += weight[:, None] * speed[which]
            fades = pace.blended(jumps, *_PITCHING) if way > 0 else np.ones_like(jumps)
            pitch += way * duration * _fading(past, fades) * end.rate[which]
        rise, late = bump(done), done - 0.5
        runs = rise * self.runs[which]
        ankle[:, 0] += self.leg * runs * (run.SWING_AHEAD[0] + run.SWING_AHEAD[1] * late)
        ankle[:, 2] += self.leg * runs * (run.SWING_UP[0] + run.SWING_UP[1] * late)
        ankle[:, 2] += self.leg * rise * self.tucks[which] * jump.TUCK
        pitch += runs * (run.SWING_PITCH[0] + run.SWING_PITCH[1] * late)
        return ankle, pitch


@dataclass(frozen=True, eq=False)
class Swung:
    """The arcs of `k` swings.

    Attributes:
        whole: each swing as one arc.
        parts: both arcs of those in which a leg waits.
        waits: `(k,)` how much each one does that, 0..1.
        first: `(k,)` which of the parts it begins with.
        change: `(k,)` [s] when the second one begins.
    """

    whole: Arcs
    parts: Arcs | None
    waits: Floats
    first: Indices
    change: Floats

    def at(self, which: Indices, times: Floats) -> tuple[Floats, Floats]:
        """Ankles `(n, 3)` [m] and pitches `(n,)` [rad] of swings `which` `(n,)` at `times` [s]."""
        ankle, pitch = self.whole.at(which, times)
        waits = self.waits[which]
        at = np.flatnonzero(waits > 0)
        if self.parts is not None and len(at):
            part = self.first[which[at]] + (times[at] > self.change[which[at]])
            there, pitched = self.parts.at(part, times[at])
            ankle[at] += waits[at, None] * (there - ankle[at])
            pitch[at] += waits[at] * (pitched - pitch[at])
        return ankle, pitch


def arcs(
    start: Ends, end: Ends, jumps: Floats, drops: Floats, airtimes: Airtimes, leg: float
) -> Swung:
    """The arcs of `k` swings.

    Args:
        start: of the swings.
        end: of the swings.
        jumps: `(k,)` how much of a jump each one is.
        drops: `(k,)` [L] that it ends lower than it begins.
        airtimes: of the body.
        leg: [m].
    """
    count = len(jumps)
    # A short hop leaves no time to draw the feet up.
    tucks = jumps * np.minimum((end.time - start.time) / (airtimes.slow * jump.TUCK_TIME), 1.0)
    whole = Arcs(start, end, jumps, 1 - jumps, tucks, leg)
    waits, change = np.zeros(count), np.full(count, np.inf)
    first = np.zeros(count, dtype=np.intp)
    begins: list[Ends] = []
    finishes: list[Ends] = []
    for index in np.flatnonzero(jumps > 0):
        via = _via(whole, int(index), float(drops[index]), airtimes)
        if via is not None:
            waits[index], change[index], first[index] = jumps[index], via.time[0], len(begins)
            begins += [_one(start, int(index)), via]
            finishes += [via, _one(end, int(index))]
    if not begins:
        return Swung(whole, None, waits, first, change)
    one, two = _joined(begins), _joined(finishes)
    travel = (two.ankle - one.ankle)[:, 0] / (_TRAVEL * leg)
    none = np.zeros(len(begins))
    parts = Arcs(one, two, none + 1, np.clip(travel, 0.0, 1.0), none, leg)
    return Swung(whole, parts, waits, first, change)


def bump(done: Floats) -> Floats:
    """0 at 0 and 1, where it begins and ends without a jerk, and 1 in the middle."""
    return 64 * done**3 * (1 - done) ** 3


def _via(whole: Arcs, index: int, drop: float, airtimes: Airtimes) -> Ends | None:
    """Where a leg waits in a leap, if it does."""
    start, end = float(whole.first.time[index]), float(whole.last.time[index])
    both = np.minimum(airtimes.ends, end) - np.maximum(airtimes.starts, start)
    longest = int(np.argmax(both))
    before = float(airtimes.starts[longest]) - start
    after = end - float(airtimes.ends[longest])
    apart = airtimes.slow * APART
    if (before > apart) == (after > apart):
        return None
    leading = before > apart
    pose = jump.LEADING if leading else jump.trailing(drop)
    done = jump.WAITS[0] if leading else jump.WAITS[1]
    time = float(airtimes.starts[longest]) + done * float(airtimes.durations[longest])
    # To the side it goes as it would.
    aside = whole.at(np.array([index]), np.array([time]))[0][0, 1]
    return Ends(
        time=np.array([time]),
        ankle=np.array([[pose[0] * whole.leg, aside, pose[1] * whole.leg]]),
        speed=np.zeros((1, 3)),
        pitch=np.array([pose[2]]),
        rate=np.zeros(1),
    )


def _one(ends: Ends, index: int) -> Ends:
    at = slice(index, index + 1)
    return Ends(ends.time[at], ends.ankle[at], ends.speed[at], ends.pitch[at], ends.rate[at])


def _joined(parts: list[Ends]) -> Ends:
    return Ends(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("time", "ankle", "speed", "pitch", "rate")
        )
    )


def _fading(progress: Floats, share: Floats) -> Floats:
    """The weight of a speed at the start that fades over a share of the way."""
    past = np.minimum(progress / share, 1.0)
    return share * past * (1 - past) ** 2
