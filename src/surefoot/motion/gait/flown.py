"""Swings of runs and jumps: a foot that hangs on its hip, not one that steps over the ground.

In a walk a swinging foot goes from foothold to foothold. When the body flies, the leg swings under
the body instead: the foot's way is given as seen from its hip, with the speeds of the stances that
it joins, and so follows whatever the body does in the air.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.curves import Indices, over, smoothstep
from surefoot.motion.gait import pace
from surefoot.motion.gait.airtimes import Airtimes, flown
from surefoot.motion.gait.arcs import Ends, arcs
from surefoot.motion.gait.feet import Feet, FootPath
from surefoot.motion.gait.pelvis import Pelvis
from surefoot.motion.gait.rolling import pitched
from surefoot.motion.gait.similarity import size, slowness
from surefoot.motion.gait.swing import CLEARANCE, NEAR, QUICKEST

FOLLOWING = (0.9, 0.6)
"""Running and jumping: how much of its speed on the ground a foot has taken up as it lands.

In the clips knees bend before they land, by 20 degrees in jumps, at 0.6 to 0.9 of that speed."""

MOST_TOES = 1.3
"""[rad] that toes bend up against the foot."""

DESCENT = 0.12
"""[m/s for a leg of 0.93 m] at which a foot comes down, at least."""

_ABOVE = 0.3  # [m] above the higher foothold from where the ground is looked for
_LITTLE = 0.001  # [m]
_SAMPLES = 32
_STEP = 0.004  # [s] over which speeds are measured


class FlownSwings:
    """The flown swings of one foot.

    Args:
        feet: the foot, as it walks.
        airtimes: of the body.
        pelvis: of the body.
        hip: `(3,)` [m], the hip joint in the pelvis' frame.
        measures: of the body.
    """

    def __init__(
        self, feet: Feet, airtimes: Airtimes, pelvis: Pelvis, hip: Floats, measures: Measures
    ) -> None:
        self.feet, self.pelvis, self.leg = feet, pelvis, measures.leg_length
        self._side = float(hip[1])
        holds = feet.holds
        self._starts, self._ends_at = holds.ends[:-1], holds.starts[1:]
        self.share, self._long = flown(self._starts, self._ends_at, airtimes)
        """`(swings,)`: how much of a run's swing each one is, 0..1."""
        self._which = np.cumsum(self.share > 0) - 1
        each = np.flatnonzero(self.share > 0)
        self._extra = np.zeros((len(each), _SAMPLES + 1))
        self._needed = np.zeros((len(each), _SAMPLES + 1))
        if len(each):
            self._measured(each, airtimes)

    def at(self, path: FootPath, pelvis: Floats, headings: Floats) -> FootPath:
        """The foot's path with its flown swings.

        Args:
            path: as the foot would walk.
            pelvis: `(n, 3)` [m], its positions.
            headings: `(n,)` [rad] of the body.
        """
        if len(self._extra) == 0:
            return path
        swing = np.minimum(path.hold, len(self.share) - 1)
        at = np.flatnonzero(~path.stance & (self.share[swing] > 0))
        if len(at) == 0:
            return path
        swing = swing[at]
        swung = self._swung(
            swing, path.swing[at], self._hips(pelvis[at], headings[at]), headings[at]
        )
        swung.ankle[:, 2] += self._raised(swing, path.swing[at])
        share = self.share[swing]
        ankle, rotation, toes = path.ankle.copy(), path.rotation.copy(), path.toes.copy()
        ankle[at] += share[:, None] * (swung.ankle - ankle[at])
        rotation[at] = rotations.slerp(rotation[at], swung.rotation, share)
        toes[at] += share * (swung.toes - toes[at])
        return replace(path, ankle=ankle, rotation=rotation, toes=toes)

    def _hips(self, pelvis: Floats, headings: Floats) -> Floats:
        """The hip joints `(n, 3)` [m], as if the pelvis were level."""
        left = np.stack([-np.sin(headings), np.cos(headings), np.zeros_like(headings)], axis=-1)
        return pelvis + self._side * left

    def _body(self, times: Floats) -> tuple[Floats, Floats]:
        """Hips `(n, 3)` [m] and headings `(n,)` at any times."""
        flow = self.pelvis.flows.at(times)
        headings = flow.track.heading
        return self._hips(self.pelvis.at(flow).position, headings), headings

    def _seen(self, times: Floats) -> tuple[Floats, Floats, Floats]:
        """Feet on the ground from their hips: ankles, rotations, pitches about level ground."""
        path = self.feet.at(times)
        hips, headings = self._body(times)
        back = rotations.from_yaw(-headings)
        pitch = self.feet.pitch(times)
        return rotations.rotate(back, path.ankle - hips), back, pitch

    def _measured(self, each: Indices, airtimes: Airtimes) -> None:
        """Looks at both ends of every flown swing, and makes the arcs in between."""
        ends: list[Ends] = []
        turns: list[Floats] = []
        for times, way, hold in ((self._starts, -1, each), (self._ends_at, 1, each + 1)):
            moments = times[each][:, None] + way * _STEP * np.array([0.0, 1.0, 2.0])
            ankles, back, pitch = self._seen(moments.reshape(-1))
            ankles, pitch = ankles.reshape(-1, 3, 3), pitch.reshape(-1, 3)
            speed = way * (4 * ankles[:, 1] - 3 * ankles[:, 0] - ankles[:, 2]) / (2 * _STEP)
            rate = way * (4 * pitch[:, 1] - 3 * pitch[:, 0] - pitch[:, 2]) / (2 * _STEP)
            if way > 0:
                # A foot comes down to the ground from above, also where the hip goes up.
                rises = np.minimum(speed[:, 2], 0.0)
                speed *= pace.blended(self._long[each], *FOLLOWING)[:, None]
                speed[:, 2] = np.where(rises < 0, 1.1 * rises, speed[:, 2])
                speed[:, 2] -= slowness(self.leg) * DESCENT
            _, turned = self.feet.holds.frames(hold, moments[:, 0])
            turns.append(rotations.multiply(back.reshape(-1, 3, 4)[:, 0], turned))
            ends.append(Ends(moments[:, 0], ankles[:, 0], speed, pitch[:, 0], rate))
        self._turns = turns[0], turns[1]
        self._lands_on_toes = ends[1].pitch > 0
        first, second = (
            self.feet.holds.frames(hold, times[each])[0]
            for hold, times in ((each, self._starts), (each + 1, self._ends_at))
        )
        drops = (first - second)[:, 2] / self.leg
        self._arcs = arcs(ends[0], ends[1], self._long[each], drops, airtimes, self.leg)

    def _swung(self, swing: Indices, progress: Floats, hips: Floats, headings: Floats) -> FootPath:
        """Swings at their `progress`, with the ankles `(n, 3)` [m] in the world."""
        which = self._which[swing]
        times = self._starts[swing] + progress * (self._ends_at - self._starts)[swing]
        ankle, pitch = self._arcs.at(which, times)
        turned = rotations.slerp(self._turns[0][which], self._turns[1][which], smoothstep(progress))
        facing = rotations.from_yaw(headings)
        # The toes let go of the ground's plane, and take it up again where they land first.
        keep = smoothstep(5 * progress - 4) * self._lands_on_toes[which]
        keep = keep + 1 - smoothstep((progress - 0.05) / 0.45)
        none = np.zeros(len(swing), dtype=np.bool_)
        return FootPath(
            ankle=hips + rotations.rotate(facing, ankle),
            rotation=rotations.multiply(facing, rotations.multiply(turned, pitched(pitch))),
            toes=-np.clip(pitch * keep, 0.0, MOST_TOES),
            hold=swing,
            swing=progress,
            heel=none,
            ball=none,
        )

    def _raised(self, swing: Indices, progress: Floats) -> Floats:
        """What a foot is raised by [m] to clear the ground."""
        table = self._extra[self._which[swing]]
        at = progress * _SAMPLES
        below = np.clip(at.astype(np.intp), 0, _SAMPLES - 1)
        rows = np.arange(len(swing))
        return table[rows, below] + (at - below) * (table[rows, below + 1] - table[rows, below])

    def clear(self, soles: Callable[[Floats], Floats]) -> bool:
        """Raises each flown swing over what is below it; returns whether it had to.

        Args:
            soles: heel, ball and toe tip `(n, 3, 3)` [m] at times `(n,)` [s], as they are now.
        """
        each = np.flatnonzero(self.share > 0)
        if len(each) == 0:
            return False
        grid = np.linspace(0.0, 1.0, _SAMPLES + 1)
        swing, progress = np.repeat(each, len(grid)), np.tile(grid, len(each))
        times = self._starts[swing] + progress * (self._ends_at - self._starts)[swing]
        points, holds = soles(times), self.feet.holds
        first, _ = holds.frames(swing, times)
        second, _ = holds.frames(swing + 1, times)
        asked = points.copy()
        asked[..., 2] = np.maximum(np.maximum(first[:, 2], second[:, 2])[:, None], points[..., 2])
        asked[..., 2] += _ABOVE
        ground = holds.world.support(asked, times[:, None], down=_ABOVE + 1.5)
        heights = np.where(ground.hit, ground.height, -np.inf).reshape(len(each), len(grid), -1)
        points = points.reshape(len(each), len(grid), -1, 3)
        # Close to where it stands a foot may touch what rises before its toes or behind its heel.
        near_by, clearance = size(self.leg) * NEAR, size(self.leg) * CLEARANCE
        for end in (0, -1):
            near = np.linalg.norm((points - points[:, [end]])[..., :2], axis=-1) < near_by
            heights = np.where(near, np.minimum(heights, heights[:, [end]]), heights)
        missing = (heights - points[..., 2]).max(axis=2) + clearance * np.sin(np.pi * grid) ** 2
        if missing[:, 1:-1].max() < _LITTLE:
            return False
        # An edge may lie between two of the moments that are looked at.
        missing[:, 1:-1] = np.max([missing[:, :-2], missing[:, 1:-1], missing[:, 2:]], axis=0)
        more = np.clip(missing / np.maximum(self.share[each], 0.3)[:, None], 0.0, _ABOVE + 0.5)
        self._needed = np.where(more > 0, self._extra + more, self._needed)
        steps = (self._ends_at - self._starts)[each] / _SAMPLES
        arch = over(self._needed.T, steps, peaks=QUICKEST, valleys=0.25 * QUICKEST).T
        self._extra = arch * smoothstep(grid / 0.08) * smoothstep((1 - grid) / 0.08)
        return True
