"""Footwork: what each foot does while a cue plays, from how the last one left it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.motion.playing import feet
from surefoot.motion.playing.feet import Phase, Stance, Swing
from surefoot.motion.playing.footage import Footfall
from surefoot.motion.playing.frames import LevelFrame
from surefoot.motion.playing.legs import TOLERANCE, Cue, Ground, Landing, Places

SHORTEST = 0.1
"""[s] that a foot is on the ground for it to be put there in a crossfade."""

FAR_OFF = 0.28
"""[leg lengths] from where the next clip has it, from which on a foot steps there."""

CAUGHT = -2
"""The number of a landing that is not the clip's own."""


class Footwork:
    """Both feet of one character.

    Args:
        ground: what they stand on.
        leg: [m], length.
    """

    def __init__(self, ground: Ground, leg: float) -> None:
        self.ground, self.leg = ground, leg
        self.last: list[Phase | None] = [None, None]
        """What each foot does at the end of what is played."""

    def enter(
        self, foot: int, cue: Cue, blend: float, frame: LevelFrame, places: Places, *, first: bool
    ) -> tuple[Stance | None, Swing | None, list[Landing]]:
        """What a foot does when a cue begins, and the landings that follow.

        Args:
            foot: 0 or 1.
            cue: what is played.
            blend: [s] of its crossfade.
            frame: where its clip lies when it begins.
            places: footholds to take.
            first: whether nothing was played before.
        """
        before, footfall = self.last[foot], cue.planted(foot)
        own = [
            Landing(foot, number, landed, min(cue.when(landed.start), cue.until))
            for number, landed in enumerate(cue.landings(foot))
        ]
        standing = -1
        soon = footfall is None and own and own[0].t < cue.start + SHORTEST
        stays = isinstance(before, Stance) and (foot, 0) not in places
        if soon and (first or stays):
            # Nothing is known of the foot before: where it is about to land, it has landed. One
            # that stands has no time to be lifted: it stays.
            footfall, standing = own.pop(0).footfall, 0
        late = min(max(blend, SHORTEST), 0.7 * cue.duration)
        if isinstance(before, Stance):
            off = footfall is not None and self._far_off(before.hold, footfall, frame, cue.start)
            if off:
                own = [*_caught(foot, cue, footfall, late), *own]
                footfall = None
            leaves = cue.start if footfall is None else self._leaving(cue, footfall)
            return Stance(before.start, leaves, before.hold, footfall, before.footfall), None, own
        if footfall is not None and first:
            given = places.get((foot, standing))
            hold = (
                self.ground.land(foot, footfall, frame, cue.start)
                if given is None
                else self.ground.put(foot, replace(given, start=cue.start, end=np.inf))
            )
            stance = Stance(cue.start, self._leaving(cue, footfall), hold, footfall, None)
            return stance, None, own
        return None, self._goes_on(foot, cue), [*_caught(foot, cue, footfall, late), *own]

    def _far_off(self, hold: int, footfall: Footfall, frame: LevelFrame, t: float) -> bool:
        """Whether a foothold is too far from where a clip has the foot for it to stay there."""
        away = self.ground.position(hold, t) - frame.apply(self.ground.world, t, footfall.position)
        return float(np.hypot(away[0], away[1])) > FAR_OFF * self.leg

    def _leaving(self, cue: Cue, footfall: Footfall) -> float:
        return cue.when(footfall.end) if footfall.end < cue.end - TOLERANCE else np.inf

    def _goes_on(self, foot: int, cue: Cue) -> Swing:
        """A foot that is in the air when a cue begins: its offset fades on from where it is."""
        leave = feet.no_ease()
        before = self.last[foot]
        if isinstance(before, Swing):
            value, rate = feet.eased(before, cue.start)
            leave["start"], leave["duration"] = cue.start, feet.EASING
            leave["value"], leave["rate"] = value, rate
        return Swing(cue.start, cue.until, False, leave, feet.no_ease())

    def phases(
        self, foot: int, cue: Cue, first: Stance | None, swing: Swing | None,
        landings: list[Landing],
    ) -> list[Phase]:  # fmt: skip
        """What a foot does from the beginning of a cue to its end, without gaps."""
        phases: list[Phase] = []
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
        self.last[foot] = phases[-1]
        return phases

    def _close(self, stance: Stance) -> None:
        """Tells a foothold when the foot leaves it."""
        holds = self.ground.footholds
        if stance.end < np.inf:
            hold = holds[stance.hold]
            holds[stance.hold] = replace(hold, end=max(stance.end, hold.start + 1e-6))


def _caught(foot: int, cue: Cue, footfall: Footfall | None, late: float) -> list[Landing]:
    """A landing in the crossfade: of a foot in the air, or far off, that the clip has standing."""
    if footfall is None or (footfall.end - cue.begin) / cue.speed < late + SHORTEST:
        return []
    return [Landing(foot, CAUGHT, footfall, cue.start + late)]
