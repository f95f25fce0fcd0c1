"""Programs: what one character plays, one cue after the other, and the beats that come of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.motion.curves import smootherstep
from surefoot.motion.footholds import SIDES, Foothold
from surefoot.motion.playing import feet, lowering
from surefoot.motion.playing.beats import DROPS, Beats, Poses, joined, perform
from surefoot.motion.playing.feet import Stance, Swing
from surefoot.motion.playing.footage import Footage, Footfall
from surefoot.motion.playing.frames import LevelFrame, moving_body
from surefoot.motion.playing.legs import (
    TOLERANCE,
    Cue,
    Ground,
    Landing,
    Leg,
    Places,
    aligned,
    between,
    fitted,
    travel_frame,
    walk_legs,
)
from surefoot.world import World

SHORTEST = 0.1
"""[s] that a foot is on the ground for it to be put there in a crossfade."""

FAR_OFF = 0.28
"""[leg lengths] from where the next clip has it, from which on a foot steps there."""

LONGEST = 0.4
"""[s] of a beat: the pelvis is lowered along a few samples in each."""


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How clips are played.

    Attributes:
        reach: [m], >= 0: how far up and down a landing foot looks for ground; 0: it comes down
            where the clip says.
        slack: [rad], >= 0: pitch that a standing foot does not follow: noise of captured feet.
        follow: 0 to 1: how much the body goes with its feet across the ground, where those are
            not where the clip has them.
        clear: whether swinging feet are raised over what lies in their way.
    """

    reach: float = 0.35
    slack: float = 0.0
    follow: float = 1.0
    clear: bool = True


@dataclass(frozen=True, eq=False)
class Entry:
    """A cue as it is played: from where to where.

    Attributes:
        cue: what is played.
        legs: where its clip lies.
        blend: [s] of its crossfade with what was before.
    """

    cue: Cue
    legs: tuple[Leg, ...]
    blend: float


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
        self._last: list[Stance | Swing | None] = [None, None]
        self._lowering = lowering.Lowering()

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
        leg = entry.legs[_leg_at(list(entry.legs), t, True)]
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
        for phase in self._last:
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
        starts = [self._enter(foot, cue, blend, frame, places or {}) for foot in range(2)]
        if not self.entries:
            frame = self._first_frame(frame, cue, fits=bool(places) and target is None)
        landings = sorted(
            (landing for _, _, own in starts for landing in own), key=lambda one: (one.t, one.foot)
        )
        legs = walk_legs(cue, frame, self.ground, landings, turn=turn, target=target, places=places)
        entry = Entry(cue, tuple(legs), blend)
        rows = [self._row(entry, leg) for leg in legs]
        phases = [
            self._phases(foot, cue, first, swing, own)
            for foot, (first, swing, own) in enumerate(starts)
        ]
        self._ease(legs, rows, phases)
        self._write(entry, rows, phases)
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

    def _enter(
        self, foot: int, cue: Cue, blend: float, frame: LevelFrame, places: Places
    ) -> tuple[Stance | None, Swing | None, list[Landing]]:
        """What a foot does when a cue begins, and the landings that follow."""
        before, footfall = self._last[foot], cue.planted(foot)
        landings = cue.landings(foot)
        stance: Stance | None = None
        swing: Swing | None = None
        late = min(max(blend, SHORTEST), 0.7 * cue.duration)
        # In the air, or far off, where the clip has it on the ground: it comes down meanwhile.
        stays = footfall is not None and (footfall.end - cue.begin) / cue.speed > late + SHORTEST
        if isinstance(before, Stance):
            if footfall is not None and self._far_off(before.hold, footfall, frame, cue.start):
                if stays:
                    landings = [replace(footfall, start=cue.begin + late * cue.speed), *landings]
                footfall = None
            leaves = cue.start if footfall is None else self._leaving(cue, footfall)
            stance = Stance(before.start, leaves, before.hold, footfall, before.footfall)
        elif footfall is not None and not self.entries:
            given = places.get((foot, -1))
            hold = (
                self.ground.land(foot, footfall, frame, cue.start)
                if given is None
                else self.ground.put(foot, replace(given, start=cue.start, end=np.inf))
            )
            stance = Stance(cue.start, self._leaving(cue, footfall), hold, footfall, None)
        else:
            swing = self._goes_on(foot, cue)
            if footfall is not None and stays:
                landings = [replace(footfall, start=cue.begin + late * cue.speed), *landings]
        own = [
            Landing(foot, number, footfall, min(cue.when(footfall.start), cue.until))
            for number, footfall in enumerate(landings)
        ]
        return stance, swing, own

    def _far_off(self, hold: int, footfall: Footfall, frame: LevelFrame, t: float) -> bool:
        """Whether a foothold is too far from where a clip has the foot for it to stay there."""
        away = self.ground.position(hold, t) - frame.apply(self.world, t, footfall.position)
        return float(np.hypot(away[0], away[1])) > FAR_OFF * self.footage.measures.leg_length

    def _leaving(self, cue: Cue, footfall: Footfall) -> float:
        return cue.when(footfall.end) if footfall.end < cue.end - TOLERANCE else np.inf

    def _goes_on(self, foot: int, cue: Cue) -> Swing:
        """A foot that is in the air when a cue begins: its offset fades on from where it is."""
        leave = feet.no_ease()
        if self._beats:
            value, rate = feet.eased(self._beats[-1]["feet"][foot], cue.start)
            leave["start"], leave["duration"] = cue.start, feet.EASING
            leave["value"], leave["rate"] = value, rate
        return Swing(cue.start, cue.until, False, leave, feet.no_ease())

    def _phases(
        self, foot: int, cue: Cue, first: Stance | None, swing: Swing | None,
        landings: list[Landing],
    ) -> list[Stance | Swing]:  # fmt: skip
        """What a foot does from the beginning of a cue to its end, without gaps."""
        phases: list[Stance | Swing] = []
        if first is not None:
            phases.append(first)
            self._close(first)
        elif swing is not None:
            phases.append(swing)
        for landing in landings:
            last = phases[-1]
            if isinstance(last, Stance):
                if not last.end < landing.t - TOLERANCE:
                    # Set down anew without having been lifted: it needs a moment in the air.
                    last.end = max(landing.t - SHORTEST, (cue.start + landing.t) / 2)
                    self._close(last)
                phases.append(Swing(last.end, landing.t, True, feet.no_ease(), feet.no_ease()))
            else:
                last.end, last.lands = landing.t, True
                if float(last.leave["duration"]) > 0:
                    last.leave["duration"] = max(landing.t - last.start, 1e-3)
            footfall = landing.footfall
            stance = Stance(landing.t, self._leaving(cue, footfall), landing.hold, footfall, None)
            self._close(stance)
            phases.append(stance)
        last = phases[-1]
        if isinstance(last, Stance) and last.end < np.inf:
            phases.append(Swing(last.end, cue.until, False, feet.no_ease(), feet.no_ease()))
        self._last[foot] = phases[-1]
        return phases

    def _close(self, stance: Stance) -> None:
        """Tells a foothold when the foot leaves it."""
        holds = self.ground.footholds
        if stance.end < np.inf:
            hold = holds[stance.hold]
            holds[stance.hold] = replace(hold, end=max(stance.end, hold.start + 1e-6))

    def _row(self, entry: Entry, leg: Leg) -> Beats:
        """One of `BEAT` for a leg, without its feet."""
        row = feet.empty_row()
        row["slack"], row["follow"] = self.manner.slack, self.manner.follow
        row["start"], row["end"] = leg.start, leg.end
        self._put_playback(row["in"], entry.cue, leg, 1.0)
        before = self.entries[-1] if self.entries else None
        if before is None or entry.blend <= 0:
            row["out"] = row["in"]
            return row
        halts = 1.0 if entry.cue.start > before.cue.until + 1e-9 else 0.0
        self._put_playback(row["out"], before.cue, before.legs[-1], halts)
        row["blend_start"], row["blend_duration"] = entry.cue.start, entry.blend
        return row

    def _put_playback(self, row: Beats, cue: Cue, leg: Leg, halts: float) -> None:
        take = cue.take
        row["first"], row["frames"], row["rate"] = take.first, take.frames, take.rate
        row["from"], row["speed"] = cue.begin, cue.speed
        row["start"], row["end"], row["halts"] = cue.start, cue.until, halts
        row["frame_start"], row["frame_end"] = leg.start, leg.end
        for name, frame in (("begin", leg.begin), ("finish", leg.finish)):
            moving = frame.body is not None and self.world is not None
            row[name]["body"] = self.world.id(frame.body) if moving and self.world else -1.0
            row[name]["position"], row[name]["yaw"] = frame.position, frame.yaw

    def _ease(self, legs: list[Leg], rows: list[Beats], phases: list[list[Stance | Swing]]) -> None:
        """Measures how far feet are from the clips when they leave the ground and meet it."""
        asked: list[tuple[Beats, float, int]] = []
        eases: list[tuple[Beats, bool]] = []
        for foot, own in enumerate(phases):
            for before, phase in pairwise(own):
                if isinstance(phase, Stance) and isinstance(before, Swing):
                    ease, stance, t = before.land, phase, phase.start
                    before.way = self._way(foot, phase)
                    ease["start"], ease["duration"] = before.start, t - before.start
                elif isinstance(phase, Swing) and isinstance(before, Stance):
                    ease, stance, t = phase.leave, before, phase.start
                    ease["start"] = t
                    ease["duration"] = phase.end - t if phase.lands else feet.EASING
                else:
                    continue
                # A landing is seen from the leg that it ends, a lift from the leg that it is in.
                lands = phase is stance
                row = rows[_leg_at(legs, t, lands)].copy()
                hold = self.ground.footholds[stance.hold]
                feet.put_hold(row, foot, hold, self.world, stance)
                asked.append((row, t, foot))
                eases.append((ease, lands))
        if not asked:
            return
        values, rates = feet.standing_offsets(
            self.footage, self.world, joined([row for row, _, _ in asked]),
            np.array([t for _, t, _ in asked]), [foot for _, _, foot in asked],
        )  # fmt: skip
        for (ease, lands), value, rate in zip(eases, values, rates, strict=True):
            # Feet meet the ground as fast as in the clip, and leave it as they were rolling.
            ease["value"], ease["rate"] = value, 0.0 if lands else rate

    def _write(self, entry: Entry, rows: list[Beats], phases: list[list[Stance | Swing]]) -> None:
        """Cuts a cue into beats, each with its feet."""
        self._raise_swings(entry, rows, phases)
        cue, first = entry.cue, len(self._beats)
        cuts = {leg.start for leg in entry.legs}
        for own in phases:
            cuts |= {max(phase.start, cue.start) for phase in own}
        starts = _no_longer(sorted(cut for cut in cuts if cut < cue.until - 1e-9), cue.until)
        for index, start in enumerate(starts):
            row = rows[_leg_at(list(entry.legs), start, False)].copy()
            row["start"] = start
            row["end"] = starts[index + 1] if index + 1 < len(starts) else cue.until
            stands: list[int] = []
            for foot, own in enumerate(phases):
                which = max(
                    i for i, phase in enumerate(own) if phase.start <= start + 1e-9 or i == 0
                )
                self._put_foot(row, foot, own[which])
                stood = [p.hold for p in own[: which + 1] if isinstance(p, Stance)]
                stands.append(stood[-1] if stood else self._held(foot))
            self._beats.append(row)
            self._holds.append((stands[0], stands[1]))
        self._lower(self._beats[first:])
        self._rest = self._at_rest(rows[-1], cue.until)
        self._joined = None

    def _at_rest(self, row: Beats, start: float) -> Beats:
        """The beat after the last one, until more is played."""
        rest = row.copy()
        rest["start"], rest["end"] = start, np.inf
        for foot, phase in enumerate(self._last):
            if phase is not None:
                self._put_foot(rest, foot, phase)
        rest["drops"] = self._lowering.at(np.array([start]))[0]
        return rest

    def _standing(self) -> tuple[int, int]:
        """The footholds that the feet are on or come from at the end."""
        left, right = self.ground.current
        return left or 0, right or 0

    def _lower(self, beats: list[Beats]) -> None:
        """Lowers the pelvis in the newest beats, as far as the legs ask for."""
        begin, end = float(beats[0]["start"]), float(beats[-1]["end"])
        times = np.linspace(begin, end, max(int(np.ceil((end - begin) / lowering.STEP)), 2) + 1)
        starts = np.array([float(beat["start"]) for beat in beats])
        which = np.clip(np.searchsorted(starts, times, side="right") - 1, 0, None)
        needed = perform(self.footage, joined(beats)[which], times, self.world).needed
        self._lowering.grow(times, needed)
        ends = np.append(starts[1:], end)
        fraction = (np.arange(DROPS) - 1) / (DROPS - 3)
        asked = starts[:, None] + (ends - starts)[:, None] * fraction
        for beat, drops in zip(beats, self._lowering.at(asked), strict=True):
            beat["drops"] = drops

    def _way(self, foot: int, stance: Stance) -> Floats:
        """The way `(3,)` [m] to a foothold from the one of the same foot before it."""
        holds = self.ground.footholds[: stance.hold]
        earlier = [i for i, hold in enumerate(holds) if hold.foot == SIDES[foot]]
        if not earlier:
            return np.zeros(3)
        place = self.ground.position
        return place(stance.hold, stance.start) - place(earlier[-1], stance.start)

    def _held(self, foot: int) -> int:
        """The foothold that a foot in the air came from before this cue; any, when from none."""
        if self._holds:
            return self._holds[-1][foot]
        own = [i for i, hold in enumerate(self.ground.footholds) if hold.foot == SIDES[foot]]
        return own[0] if own else 0

    def _put_foot(self, row: Beats, foot: int, phase: Stance | Swing) -> None:
        if isinstance(phase, Stance):
            feet.put_hold(row, foot, self.ground.footholds[phase.hold], self.world, phase)
            return
        own = row["feet"][foot]
        own["leave"], own["land"] = phase.leave, phase.land
        if phase.lands:
            own["arch_start"], own["arch_duration"] = phase.start, phase.end - phase.start
            own["arch_height"] = phase.arch
            own["arch_rise"], own["arch_fall"] = phase.arch_ends
            own["held_back"] = phase.held_back

    def _raise_swings(
        self, entry: Entry, rows: list[Beats], phases: list[list[Stance | Swing]]
    ) -> None:
        if self.world is None or not self.manner.clear:
            return
        found = [
            (foot, phase)
            for foot, own in enumerate(phases)
            for phase in own
            if isinstance(phase, Swing) and phase.lands
        ]
        if not found:
            return
        swings: list[Beats] = []
        for foot, swing in found:
            row = rows[_leg_at(list(entry.legs), swing.end, True)].copy()
            self._put_foot(row, foot, swing)
            swings.append(row)
        arches = feet.clear_ground(
            self.footage, self.world, joined(swings), [swing for _, swing in found],
            [foot for foot, _ in found],
        )  # fmt: skip
        for (_, swing), arch in zip(found, arches, strict=True):
            swing.arch = float(arch)


def _leg_at(legs: list[Leg], t: float, ends: bool) -> int:
    """The leg that `t` is in; of two that meet there, the one that ends, or the one that starts."""
    for index, leg in enumerate(legs):
        if t < leg.end - 1e-9 or (ends and t <= leg.end + 1e-9):
            return index
    return len(legs) - 1


def _no_longer(starts: list[float], end: float) -> list[float]:
    """The same starts of beats, and more where beats would be longer than `LONGEST`."""
    cuts: list[float] = []
    for first, last in pairwise([*starts, end]):
        parts = max(int(np.ceil((last - first) / LONGEST)), 1)
        cuts += [first + (last - first) * part / parts for part in range(parts)]
    return cuts
