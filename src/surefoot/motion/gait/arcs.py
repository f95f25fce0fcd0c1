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
"""[s] that a foot is in the air before a flight, or after it, for its leg to lead or to trail."""

# Over which share of an arc the speeds of its ends fade, running and jumping: those with which the
# leg turns about the hip, with which it stretches, and with which the foot pitches.
_TURNING, _STRETCHING, _PITCHING = (1.0, 0.6), (0.3, 0.25), (0.75, 0.25)
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
            for speed, share in ((end.speed - stretching, _TURNING), (stretching, _STRETCHING)):
                weight = way * duration * _fading(past, pace.blended(jumps, *share))
                ankle += weight[:, None] * speed[which]
            fades = pace.blended(jumps, *_PITCHING) if way > 0 else np.ones_like(jumps)
            pitch += way * duration * _fading(past, fades) * end.rate[which]
        bump, late = 16 * done**2 * (1 - done) ** 2, done - 0.5
        runs = bump * self.runs[which]
        ankle[:, 0] += self.leg * runs * (run.SWING_AHEAD[0] + run.SWING_AHEAD[1] * late)
        ankle[:, 2] += self.leg * runs * (run.SWING_UP[0] + run.SWING_UP[1] * late)
        ankle[:, 2] += self.leg * bump * self.tucks[which] * jump.TUCK
        pitch += runs * (run.SWING_PITCH[0] + run.SWING_PITCH[1] * late)
        return ankle, pitch


def arcs(
    start: Ends, end: Ends, jumps: Floats, drops: Floats, airtimes: Airtimes, leg: float
) -> tuple[Arcs, Floats]:
    """The arcs of `k` swings, and for each swing `(k, 2)` its first arc and when the next begins.

    Args:
        start: of the swings.
        end: of the swings.
        jumps: `(k,)` how much of a jump each one is.
        drops: `(k,)` [L] that it ends lower than it begins.
        airtimes: of the body.
        leg: [m].
    """
    # A short hop leaves no time to draw the feet up.
    tucks = jumps * np.minimum((end.time - start.time) / jump.TUCK_TIME, 1.0)
    whole = Arcs(start, end, jumps, 1 - jumps, tucks, leg)
    rows: list[tuple[Ends, Ends, float, float, float]] = []
    begins = np.empty((len(jumps), 2))
    for index in range(len(jumps)):
        begins[index] = len(rows), np.inf
        first, last, share = _one(start, index), _one(end, index), float(jumps[index])
        via = _via(whole, index, float(drops[index]), airtimes) if share > 0 else None
        if via is None:
            rows.append((first, last, share, 1 - share, float(tucks[index])))
            continue
        begins[index, 1] = via.time[0]
        for one, two in ((first, via), (via, last)):
            travel = float((two.ankle - one.ankle)[0, 0]) / (_TRAVEL * leg)
            rows.append((one, two, 0.0, share * min(max(travel, 0.0), 1.0), 0.0))
    made = Arcs(
        _joined([row[0] for row in rows]),
        _joined([row[1] for row in rows]),
        np.array([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
        np.array([row[4] for row in rows]),
        leg,
    )
    return made, begins


def _via(whole: Arcs, index: int, drop: float, airtimes: Airtimes) -> Ends | None:
    """Where a leg waits in a leap, if it does."""
    start, end = float(whole.first.time[index]), float(whole.last.time[index])
    both = np.minimum(airtimes.ends, end) - np.maximum(airtimes.starts, start)
    longest = int(np.argmax(both))
    before = float(airtimes.starts[longest]) - start
    after = end - float(airtimes.ends[longest])
    if (before > APART) == (after > APART):
        return None
    share, leg = float(whole.jumps[index]), whole.leg
    pose = jump.LEADING if before > APART else jump.trailing(drop)
    done = jump.WAITS[0] if before > APART else jump.WAITS[1]
    time = float(airtimes.starts[longest]) + done * float(airtimes.durations[longest])
    which, step = np.array([index] * 3), 0.01
    ankle, pitch = whole.at(which, time + step * np.array([-1.0, 0.0, 1.0]))
    aside = ankle[1, 1]
    target = np.array([pose[0] * leg, aside, pose[1] * leg])
    return Ends(
        time=np.array([time]),
        ankle=(ankle[1] + share * (target - ankle[1]))[None],
        speed=((1 - share) * (ankle[2] - ankle[0]) / (2 * step))[None],
        pitch=np.array([pitch[1] + share * (pose[2] - pitch[1])]),
        rate=np.array([(1 - share) * (pitch[2] - pitch[0]) / (2 * step)]),
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
