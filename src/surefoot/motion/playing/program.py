"""Programs: what one character plays, one cue after the other, and the beats that come of it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.motion.curves import smootherstep
from surefoot.motion.footholds import Foothold
from surefoot.motion.playing.beats import Beats, Poses, joined, perform
from surefoot.motion.playing.feet import Stance
from surefoot.motion.playing.footage import Footage
from surefoot.motion.playing.footwork import Footwork
from surefoot.motion.playing.frames import LevelFrame, moving_body
from surefoot.motion.playing.legs import (
    Cue,
    Ground,
    Places,
    aligned,
    between,
    fitted,
    travel_frame,
    walk_legs,
)
from surefoot.motion.playing.writing import Entry, Manner, Writer, leg_at
from surefoot.world import World

__all__ = ["Entry", "Manner", "Program"]


class Program:
    """The schedule of one character; pure: the same cues give the same poses, asked in any order.

    Args:
        footage: what can be played, shared.
        world: where.
        start: the level frame that the character travels in at first.
        begin: [s] when.
        manner: how.
    """

    def __init__(
        self, footage: Footage, world: World | None, start: LevelFrame, begin: float,
        manner: Manner,
    ) -> None:  # fmt: skip
        self.footage, self.world, self.begin, self.manner = footage, world, begin, manner
        self.entries: list[Entry] = []
        self.ground = Ground(world, footage, manner.reach)
        self._beats: list[Beats] = []
        self._holds: list[tuple[int, int]] = []
        self._rest: Beats | None = None
        self._joined: tuple[Beats, npt.NDArray[np.intp]] | None = None
        self.version = 0
        """Counts what is appended and forgotten."""
        self._start = start
        self._footwork = Footwork(self.ground, footage.measures.leg_length)
        self._writer = Writer(footage, world, self.ground, manner)

    @property
    def beats(self) -> Beats:
        """`(n,)` of `BEAT`, in order of time."""
        return self._rows()[0]

    def _rows(self) -> tuple[Beats, npt.NDArray[np.intp]]:
        """All beats, and the footholds `(n, 2)` that the feet are on or come from in them."""
        if self._joined is None:
            beats, holds = list(self._beats), list(self._holds)
            if self._rest is not None:
                beats.append(self._rest)
                holds.append(self._standing())
            self._joined = (joined(beats), np.array(holds, dtype=np.intp).reshape(-1, 2))
        return self._joined

    @property
    def end(self) -> float:
        """[s] when the last cue ends."""
        return self.entries[-1].cue.until if self.entries else self.begin

    def going(self) -> LevelFrame:
        """The level frame that the character travels in at the end: the tracked root."""
        if not self.entries:
            return self._start
        entry = self.entries[-1]
        return travel_frame(entry.legs[-1].finish, entry.cue.take, entry.cue.end)

    def travelling(self, t: float) -> LevelFrame:
        """The level frame that the character travels in at `t` [s]: the tracked root."""
        if not self.entries or t <= self.entries[0].cue.start:
            return self._start
        entry = [one for one in self.entries if one.cue.start <= t][-1]
        cue = entry.cue
        t = min(t, cue.until)
        leg = entry.legs[leg_at(entry.legs, t, True)]
        share = float(smootherstep((t - leg.start) / max(leg.end - leg.start, 1e-9)))
        finish = leg.finish.on(self.world, leg.begin.body, t)
        clip_time = cue.clip_time(t)
        frame = between(leg.begin, finish, cue.take, clip_time, share)
        return travel_frame(frame, cue.take, clip_time)

    def forget(self, before: float) -> None:
        """Lets go of what was played before `before` [s]; it cannot be asked for any more."""
        keep = next(
            (i for i, beat in enumerate(self._beats) if float(beat["end"]) > before),
            max(len(self._beats) - 1, 0),
        )
        self._beats, self._holds = self._beats[keep:], self._holds[keep:]
        entries = [i for i, one in enumerate(self.entries) if one.cue.until > before]
        self.entries = self.entries[min([*entries, len(self.entries) - 1]) :]
        used = [index for pair in self._holds for index in pair]
        used += [index for index in self.ground.current if index is not None]
        gone = min(used, default=0)
        del self.ground.footholds[:gone]
        current = self.ground.current
        self.ground.current = [None if i is None else i - gone for i in current]
        self._holds = [(left - gone, right - gone) for left, right in self._holds]
        for phase in self._footwork.last:
            if isinstance(phase, Stance):
                phase.hold -= gone
        if self._beats:
            self.begin = max(self.begin, float(self._beats[0]["start"]))
        self._joined = None
        self.version += 1

    def append(
        self, cue: Cue, *, blend: float = 0.3, turn: float = 0.0,
        target: LevelFrame | None = None, places: Places | None = None,
    ) -> Entry:  # fmt: skip
        """Plays a cue after all others; poses before it begins stay as they are.

        Args:
            cue: begins when the last one ends, or later.
            blend: [s] of the crossfade; at most as long as the cue.
            turn: [rad], see `walk_legs`.
            target: see `walk_legs`.
            places: see `walk_legs`.
        """
        if cue.start < self.end - 1e-9:
            raise InputError(
                f"a cue begins at {cue.start:g} s, before the last one ends at {self.end:g} s"
            )
        if self._rest is not None and cue.start > self.end + 1e-9:
            self._rest["end"] = cue.start
            self._holds.append(self._standing())
            self._beats.append(self._rest)
        blend = min(blend, cue.duration) if self.entries else 0.0
        frame = aligned(self.going(), cue.take, cue.begin)
        feet = self._footwork
        given, first = places or {}, not self.entries
        starts = [feet.enter(foot, cue, blend, frame, given, first=first) for foot in range(2)]
        if first:
            frame = self._first_frame(frame, cue, fits=bool(places) and target is None)
        landings = sorted(
            (landing for _, _, own in starts for landing in own), key=lambda one: (one.t, one.foot)
        )
        legs = walk_legs(cue, frame, self.ground, landings, turn=turn, target=target, places=places)
        entry = Entry(cue, tuple(legs), blend)
        phases = [feet.phases(foot, cue, *start) for foot, start in enumerate(starts)]
        beats, holds = self._writer.write(entry, None if first else self.entries[-1], phases)
        self._beats += beats
        self._holds += holds
        self._rest = self._writer.at_rest(beats[-1], cue.until, [own[-1] for own in phases])
        self._joined = None
        self.entries.append(entry)
        self.version += 1
        return entry

    def _first_frame(self, frame: LevelFrame, cue: Cue, *, fits: bool) -> LevelFrame:
        """Where the first clip lies, on what carries its feet."""
        bodies = [
            moving_body(self.world, self.ground.footholds[index].body)
            for index in self.ground.current
            if index is not None
        ]
        if bodies:
            frame = frame.on(self.world, bodies[-1], cue.start)
        return fitted(frame, cue.take, cue.begin, self.ground, cue.start) if fits else frame

    def at(self, times: Floats) -> tuple[Poses, npt.NDArray[np.intp]]:
        """Poses at `times` `(n,)` [s], and which footholds `(n, 2)` the feet are on or come from.

        After the end the last cue comes to rest; feet stay on what carries them.
        """
        if not self.entries:
            raise InputError("nothing is played yet")
        times = np.maximum(times, self.begin)
        beats, holds = self._rows()
        index = np.searchsorted(beats["start"], times + 1e-12, side="right") - 1
        index = np.clip(index, 0, None)
        poses = perform(self.footage, beats[index], times, self.world)
        return poses, holds[index]

    def beat(self, t: float) -> Beats:
        """The beat that `t` [s] is in: one of `BEAT`."""
        beats, _ = self._rows()
        if not len(beats):
            raise InputError("nothing is played yet")
        return beats[max(int(np.searchsorted(beats["start"], t + 1e-12, side="right")) - 1, 0)]

    def footholds(self) -> tuple[Foothold, ...]:
        """All footholds, in order of contact."""
        return tuple(self.ground.footholds)

    def _standing(self) -> tuple[int, int]:
        """The footholds that the feet are on or come from at the end."""
        left, right = self.ground.current
        return left or 0, right or 0
