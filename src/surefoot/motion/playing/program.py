"""Programs: what one character plays, one cue after the other, and the beats that come of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.motion.footholds import SIDES, Foothold
from surefoot.motion.playing import feet
from surefoot.motion.playing.beats import BEAT, Beats, Poses, perform
from surefoot.motion.playing.feet import Stance, Swing
from surefoot.motion.playing.footage import Footage, Plant
from surefoot.motion.playing.frames import LevelFrame
from surefoot.motion.playing.legs import (
    TOLERANCE,
    Cue,
    Ground,
    Landing,
    Leg,
    Places,
    aligned,
    travel_frame,
    walk_legs,
)
from surefoot.world import World

SHORTEST = 0.1
"""[s] that a foot is on the ground for it to be put there in a crossfade."""


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
        self.beats: Beats = np.zeros(0, dtype=BEAT)
        self.holds: npt.NDArray[np.intp] = np.zeros((0, 2), dtype=np.intp)
        self._start = start
        self._last: list[Stance | Swing | None] = [None, None]

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
        blend = min(blend, cue.duration) if self.entries else 0.0
        frame = aligned(self.going(), cue.take, cue.begin)
        starts = [self._enter(foot, cue, blend, frame) for foot in range(2)]
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
        return entry

    def at(self, times: Floats) -> tuple[Poses, npt.NDArray[np.intp]]:
        """Poses at `times` `(n,)` [s], and which footholds `(n, 2)` the feet are on or come from.

        After the end the last cue comes to rest; feet stay on what carries them.
        """
        if not self.entries:
            raise InputError("nothing is played yet")
        times = np.maximum(times, self.begin)
        index = np.searchsorted(self.beats["start"], times + 1e-12, side="right") - 1
        index = np.clip(index, 0, None)
        poses = perform(self.footage, self.beats[index], times, self.world)
        return poses, self.holds[index]

    def footholds(self) -> tuple[Foothold, ...]:
        """All footholds, in order of contact."""
        return tuple(self.ground.footholds)

    def _enter(
        self, foot: int, cue: Cue, blend: float, frame: LevelFrame
    ) -> tuple[Stance | None, Swing | None, list[Landing]]:
        """What a foot does when a cue begins, and the landings that follow."""
        before, plant = self._last[foot], cue.planted(foot)
        landings = cue.landings(foot)
        stance: Stance | None = None
        swing: Swing | None = None
        if isinstance(before, Stance):
            leaves = cue.start if plant is None else self._leaving(cue, plant)
            flat = before.flat if plant is None else plant.flat
            stance = Stance(before.start, leaves, before.hold, flat, before.flat)
        elif plant is not None and not self.entries:
            hold = self.ground.land(foot, plant, frame, cue.start)
            stance = Stance(cue.start, self._leaving(cue, plant), hold, plant.flat, plant.flat)
        else:
            swing = self._goes_on(foot, cue)
            late = min(max(blend, SHORTEST), 0.7 * cue.duration)
            if plant is not None and (plant.end - cue.begin) / cue.speed > late + SHORTEST:
                # In the air, where the clip has it on the ground: it comes down in the crossfade.
                landings = [replace(plant, start=cue.begin + late * cue.speed), *landings]
        own = [
            Landing(foot, number, plant, min(cue.when(plant.start), cue.until))
            for number, plant in enumerate(landings)
        ]
        return stance, swing, own

    def _leaving(self, cue: Cue, plant: Plant) -> float:
        return cue.when(plant.end) if plant.end < cue.end - TOLERANCE else np.inf

    def _goes_on(self, foot: int, cue: Cue) -> Swing:
        """A foot that is in the air when a cue begins: its offset fades on from where it is."""
        leave = feet.no_ease()
        if len(self.beats):
            value, rate = feet.eased(self.beats[-1]["feet"][foot], cue.start)
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
            plant = landing.plant
            stance = Stance(
                landing.t, self._leaving(cue, plant), landing.hold, plant.flat, plant.flat
            )
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
            self.footage, self.world, np.array([row for row, _, _ in asked]),
            np.array([t for _, t, _ in asked]), [foot for _, _, foot in asked],
        )  # fmt: skip
        for (ease, lands), value, rate in zip(eases, values, rates, strict=True):
            # Feet meet the ground as fast as in the clip, and leave it as they were rolling.
            ease["value"], ease["rate"] = value, 0.0 if lands else rate

    def _write(self, entry: Entry, rows: list[Beats], phases: list[list[Stance | Swing]]) -> None:
        """Cuts a cue into beats, each with its feet."""
        self._raise_swings(entry, rows, phases)
        cue = entry.cue
        cuts = {leg.start for leg in entry.legs}
        for own in phases:
            cuts |= {max(phase.start, cue.start) for phase in own}
        starts = sorted(cut for cut in cuts if cut < cue.until - 1e-9)
        beats = np.zeros(len(starts), dtype=BEAT)
        holds = np.zeros((len(starts), 2), dtype=np.intp)
        for index, start in enumerate(starts):
            row = rows[_leg_at(list(entry.legs), start, False)].copy()
            row["start"] = start
            row["end"] = starts[index + 1] if index + 1 < len(starts) else cue.until
            for foot, own in enumerate(phases):
                which = max(
                    i for i, phase in enumerate(own) if phase.start <= start + 1e-9 or i == 0
                )
                self._put_foot(row, foot, own[which])
                stood = [p.hold for p in own[: which + 1] if isinstance(p, Stance)]
                holds[index, foot] = stood[-1] if stood else self._held(foot)
            beats[index] = row
        self.beats = np.concatenate([self.beats, beats])
        self.holds = np.concatenate([self.holds, holds])

    def _held(self, foot: int) -> int:
        """The foothold that a foot in the air came from before this cue; any, when from none."""
        if len(self.holds):
            return int(self.holds[-1, foot])
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
        stacks: list[Beats] = []
        for foot, swing in found:
            row = rows[_leg_at(list(entry.legs), swing.end, True)].copy()
            self._put_foot(row, foot, swing)
            stacks.append(feet.samples(row))
        arches = feet.clear_ground(
            self.footage, self.world, np.stack(stacks),
            np.array([swing.start for _, swing in found]),
            np.array([swing.end for _, swing in found]), [foot for foot, _ in found],
        )  # fmt: skip
        for (_, swing), arch in zip(found, arches, strict=True):
            swing.arch = float(arch)


def _leg_at(legs: list[Leg], t: float, ends: bool) -> int:
    """The leg that `t` is in; of two that meet there, the one that ends, or the one that starts."""
    for index, leg in enumerate(legs):
        if t < leg.end - 1e-9 or (ends and t <= leg.end + 1e-9):
            return index
    return len(legs) - 1
