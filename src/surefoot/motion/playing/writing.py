"""Writing: a cue, its legs and its feet as beats."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.footholds import SIDES
from surefoot.motion.playing import feet, lowering
from surefoot.motion.playing.beats import DROPS, Beats, joined, perform
from surefoot.motion.playing.feet import Phase, Stance, Swing
from surefoot.motion.playing.footage import Footage
from surefoot.motion.playing.legs import Cue, Ground, Leg
from surefoot.world import World

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


class Writer:
    """Writes the beats of one character.

    Args:
        footage: what is played.
        world: where.
        ground: what its feet stand on.
        manner: how.
    """

    def __init__(
        self, footage: Footage, world: World | None, ground: Ground, manner: Manner
    ) -> None:
        self.footage, self.world, self.ground, self.manner = footage, world, ground, manner
        self._lowering = lowering.Lowering()

    def write(
        self, entry: Entry, before: Entry | None, phases: list[list[Phase]]
    ) -> tuple[list[Beats], list[tuple[int, int]]]:
        """The beats of an entry, and the footholds that feet are on or come from in them.

        Args:
            entry: what is played.
            before: what it takes over from.
            phases: what left and right foot do meanwhile; their offsets are filled in.
        """
        rows = [self._row(entry, before, leg) for leg in entry.legs]
        self._ease(entry.legs, rows, phases)
        self._raise_swings(entry.legs, rows, phases)
        beats: list[Beats] = []
        holds: list[tuple[int, int]] = []
        cue = entry.cue
        cuts = {leg.start for leg in entry.legs}
        for own in phases:
            cuts |= {max(phase.start, cue.start) for phase in own}
        starts = _no_longer(sorted(cut for cut in cuts if cut < cue.until - 1e-9), cue.until)
        for start, end in pairwise([*starts, cue.until]):
            row = rows[leg_at(entry.legs, start, False)].copy()
            row["start"], row["end"] = start, end
            stands: list[int] = []
            for foot, own in enumerate(phases):
                which = max(
                    i for i, phase in enumerate(own) if phase.start <= start + 1e-9 or i == 0
                )
                self._put_foot(row, foot, own[which])
                stood = [p.hold for p in own[: which + 1] if isinstance(p, Stance)]
                stands.append(stood[-1] if stood else self._held(foot, start))
            beats.append(row)
            holds.append((stands[0], stands[1]))
        self._lower(beats)
        return beats, holds

    def at_rest(self, beat: Beats, start: float, last: list[Phase]) -> Beats:
        """The beat after the last one, until more is played.

        Args:
            beat: the last one.
            start: [s] when it ends.
            last: what left and right foot do then.
        """
        rest = beat.copy()
        rest["start"], rest["end"] = start, np.inf
        rest["feet"] = feet.empty_row()["feet"]
        for foot, phase in enumerate(last):
            self._put_foot(rest, foot, phase)
        rest["drops"] = self._lowering.at(np.array([start]))[0]
        return rest

    def _row(self, entry: Entry, before: Entry | None, leg: Leg) -> Beats:
        """One of `BEAT` for a leg, without its feet."""
        row = feet.empty_row()
        row["slack"], row["follow"] = self.manner.slack, self.manner.follow
        row["start"], row["end"] = leg.start, leg.end
        self._put_playback(row["in"], entry.cue, leg, 1.0)
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

    def _ease(self, legs: tuple[Leg, ...], rows: list[Beats], phases: list[list[Phase]]) -> None:
        """Measures how far feet are from the clips when they leave the ground and meet it."""
        asked: list[tuple[Beats, float, int]] = []
        eases: list[tuple[Beats, bool]] = []
        for foot, own in enumerate(phases):
            for before, phase in pairwise(own):
                if isinstance(phase, Stance) and isinstance(before, Swing):
                    ease, stance, t = before.land, phase, phase.start
                    before.go(self._way(foot, phase))
                    ease["start"], ease["duration"] = before.start, t - before.start
                elif isinstance(phase, Swing) and isinstance(before, Stance):
                    ease, stance, t = phase.leave, before, phase.start
                    ease["start"] = t
                    ease["duration"] = phase.end - t if phase.lands else feet.EASING
                else:
                    continue
                # A landing is seen from the leg that it ends, a lift from the leg that it is in.
                lands = phase is stance
                row = rows[leg_at(legs, t, lands)].copy()
                hold = self.ground.footholds[stance.hold]
                feet.put_hold(row, foot, hold, self.world, stance)
                asked.append((row, t, foot))
                eases.append((ease, lands))
        if not asked:
            return
        values, rates = feet.standing_offsets(
            self.footage, self.world, joined([row for row, _, _ in asked]),
            np.array([t for _, t, _ in asked]), [foot for _, _, foot in asked],
            np.array([1.0 if lands else -1.0 for _, lands in eases]),
        )  # fmt: skip
        for (ease, lands), value, rate in zip(eases, values, rates, strict=True):
            ease["value"], ease["rate"] = value, rate
            if lands:
                ease["rate"][-3:] = 0.0  # the body arrives at rest

    def _raise_swings(
        self, legs: tuple[Leg, ...], rows: list[Beats], phases: list[list[Phase]]
    ) -> None:
        """Raises swings over what lies in their way."""
        if self.world is None or not self.manner.clear:
            return
        found = [
            (foot, phase)
            for foot, own in enumerate(phases)
            for phase in own
            if isinstance(phase, Swing) and phase.end > phase.start
        ]
        if not found:
            return
        swings: list[Beats] = []
        for foot, swing in found:
            row = rows[leg_at(legs, swing.end, True)].copy()
            self._put_foot(row, foot, swing)
            swings.append(row)
        feet.clear_ground(
            self.footage, self.world, joined(swings), [swing for _, swing in found],
            [foot for foot, _ in found],
        )  # fmt: skip

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

    def _held(self, foot: int, t: float) -> int:
        """The foothold that a foot in the air came from before this cue; any, when from none."""
        own = [
            i
            for i, hold in enumerate(self.ground.footholds)
            if hold.foot == SIDES[foot] and hold.start <= t + 1e-9
        ]
        return own[-1] if own else 0

    def _put_foot(self, row: Beats, foot: int, phase: Phase) -> None:
        if isinstance(phase, Stance):
            feet.put_hold(row, foot, self.ground.footholds[phase.hold], self.world, phase)
            return
        own = row["feet"][foot]
        own["leave"], own["land"] = phase.leave, phase.land
        own["arch_start"], own["arch_duration"] = phase.start, phase.arch_duration
        own["arch_height"] = phase.arch
        own["arch_rise"], own["arch_fall"] = phase.arch_ends
        own["held_back"] = phase.held_back


def leg_at(legs: tuple[Leg, ...], t: float, ends: bool) -> int:
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
