"""From a track and its footholds to poses of the whole body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from surefoot import arrays
from surefoot.arrays import ArrayLike, Bools, Floats
from surefoot.character.legs import place_feet, soft_reach, solve_leg
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.curves import Indices, smoothstep
from surefoot.motion.footholds import SIDES, Foothold, Holds, Side
from surefoot.motion.gait.course import Course
from surefoot.motion.gait.edges import on_edge
from surefoot.motion.gait.feet import Feet, FootPath
from surefoot.motion.gait.flow import Flows
from surefoot.motion.gait.flown import FlownSwings
from surefoot.motion.gait.heels import Heels, heel_needed
from surefoot.motion.gait.pelvis import REACH, Pelvis, PelvisPath
from surefoot.motion.gait.rolling import rolls, sole_points
from surefoot.motion.gait.track import Track
from surefoot.motion.gait.upper_body import pose_upper_body

# Paths that no legs can follow make feet leave the ground early; once or twice is enough.
_TRIMMINGS = 3
_MARGIN = 0.02  # [s for a leg of 0.93 m]
_SHORTEST = 0.1  # [s likewise] of a stance that is trimmed
_ADJUSTMENTS = 4


@dataclass(frozen=True, eq=False)
class Motion:
    """Poses of a body at `n` moments, and which parts of its feet are on the ground.

    Attributes:
        times: `(n,)` [s].
        root: `(n, 3)` [m], the pelvis in the world.
        rotations: `(n, joints, 4)`, local.
        contacts: `(n, 2, 2)`: left and right foot; heel and toes.
        holds: `(n, 2)` the foothold each foot is on or comes from: indices into `footholds`.
        footholds: in order of contact.
    """

    times: Floats
    root: Floats
    rotations: Floats
    contacts: Bools
    holds: Indices
    footholds: tuple[Foothold, ...]


class Walker:
    """A body that walks along a track on its footholds; ask it for any moments.

    Args:
        track: where the body goes.
        footholds: both feet, each from the start on; see `place_footsteps`.
        skeleton: with the canonical joints.
        measures: of the body.
    """

    def __init__(
        self, track: Track, footholds: Sequence[Foothold], skeleton: Skeleton, measures: Measures
    ) -> None:
        self.skeleton, self.measures, self.track = skeleton, measures, track
        self.course = Course(track, measures)
        self.footholds = tuple(sorted(footholds, key=lambda hold: hold.start))
        for _ in range(_TRIMMINGS):
            self._prepare()
            trimmed = [self._trimmed(hold) for hold in self.footholds]
            if all(new is old for new, old in zip(trimmed, self.footholds, strict=True)):
                break
            self.footholds = tuple(sorted(trimmed, key=lambda hold: hold.start))

    def _prepare(self) -> None:
        track, measures = self.track, self.measures
        sides: list[Holds] = []
        for side in SIDES:
            own = [hold for hold in self.footholds if hold.foot == side]
            _check(own, side, track.start)
            tilted = [on_edge(self.course, hold, measures) for hold in own]
            sides.append(Holds(track.world, tilted))
        left, right = sides
        self._index = [
            np.array([i for i, hold in enumerate(self.footholds) if hold.foot == side])
            for side in SIDES
        ]
        self.flows = Flows(self.course, Holds(track.world, self.footholds), measures.leg_length)
        grid = self.flows.grid
        first, step = float(grid[0]), float(grid[1] - grid[0])
        heels = [Heels(first, step, len(grid), measures.leg_length) for _ in SIDES]
        self.feet = (
            Feet(left, rolls(self.course, left, right, measures), heels[0], measures, 1.0),
            Feet(right, rolls(self.course, right, left, measures), heels[1], measures, -1.0),
        )
        self._pelvis = Pelvis(self.flows, self.feet, self.skeleton, measures)
        pelvis = self._pelvis.at(self.flows.at(grid))
        self._flown: list[FlownSwings] = []
        for side, foot in zip(SIDES, self.feet, strict=True):
            for _ in range(_ADJUSTMENTS):
                foot.swings.clear(partial(self._hips, side))
                if not self._raise_heels(side, foot, pelvis):
                    break
            hip = self.skeleton.offsets[self.skeleton.index(f"{side}_thigh")]
            flies = FlownSwings(foot, self.flows.airtimes, self._pelvis, hip, measures)
            self._flown.append(flies)
            for _ in range(_ADJUSTMENTS):
                if not flies.clear(partial(self._soles, side)):
                    break

    def _raise_heels(self, side: str, foot: Feet, pelvis: PelvisPath) -> bool:
        """Raises a heel where its ankle would bend too far; returns whether it had to."""
        raised = False
        # Feet of a flying body hang as they like.
        hangs = foot.flown(self.flows.airtimes) > 0
        for _ in range(_ADJUSTMENTS):
            path = foot.at(self.flows.grid)
            ankle = self._within_reach(side, pelvis, path)
            beyond = heel_needed(
                self.skeleton, side, pelvis.position, pelvis.rotation, ankle, path.rotation
            )
            if hangs.any():
                swing = np.minimum(path.hold, len(hangs) - 1)
                beyond = np.where(~path.stance & hangs[swing], 0.0, beyond)
            if beyond.max() < 1e-3:
                break
            foot.heels.need(beyond)
            raised = True
        return raised

    def _trimmed(self, hold: Foothold) -> Foothold:
        """A foothold without the moments at which the body is too far away for its leg."""
        grid = self.flows.grid
        inside = (grid >= hold.start) & (grid <= hold.end)
        times = grid[inside & self._pelvis.out_of_reach[SIDES.index(hold.foot)]]
        if len(times) == 0:
            return hold
        start, end = hold.start, min(hold.end, float(grid[-1]))
        late = times[times > (start + end) / 2]
        early = times[times <= (start + end) / 2]
        end = hold.end if len(late) == 0 else float(late[0]) - self.flows.slow * _MARGIN
        start = hold.start if len(early) == 0 else float(early[-1]) + self.flows.slow * _MARGIN
        known = hold.start <= self.track.start
        return (
            hold
            if end - start < self.flows.slow * _SHORTEST
            else replace(hold, start=hold.start if known else start, end=end)
        )

    def at(self, times: ArrayLike) -> Motion:
        """The body at `times` `(n,)` [s], inside the track."""
        times = arrays.times(times, "times").reshape(-1)
        flow = self.flows.at(times)
        pelvis = self._pelvis.at(flow)
        paths = [
            flown.at(foot.at(times), pelvis.position, flow.track.heading)
            for foot, flown in zip(self.feet, self._flown, strict=True)
        ]
        local = np.tile(rotations.IDENTITY, (len(times), len(self.skeleton), 1))
        local[:, 0] = pelvis.rotation
        pose_upper_body(self.skeleton, flow, pelvis, self._pelvis.arms(times), local)
        ankles = [
            self._within_reach(side, pelvis, path) for side, path in zip(SIDES, paths, strict=True)
        ]
        local, _ = place_feet(
            self.skeleton,
            pelvis.position,
            local,
            np.stack(ankles, axis=1),
            np.stack([path.rotation for path in paths], axis=1),
        )
        for side, path in zip(SIDES, paths, strict=True):
            foot, toe = self.skeleton.indices([f"{side}_foot", f"{side}_toe"])
            # Only a foot in the air is free to turn back to what its ankle can do.
            air = np.flatnonzero(~path.stance)
            local[air, foot] = self.skeleton.limited(local[air, foot, None], [foot])[:, 0]
            local[:, toe] = rotations.from_axis_angle([0.0, 1.0, 0.0], path.toes)
        return Motion(
            times=times,
            root=pelvis.position,
            rotations=local,
            contacts=np.stack(
                [np.stack([path.heel, path.ball], axis=-1) for path in paths], axis=1
            ),
            holds=np.stack(
                [own[path.hold] for own, path in zip(self._index, paths, strict=True)], axis=1
            ),
            footholds=self.footholds,
        )

    def path(self, times: ArrayLike) -> tuple[Floats, Floats]:
        """Where the body really goes: points `(n, 3)` [m] on the floor, and headings `(n,)`."""
        flow = self.flows.at(arrays.times(times, "times").reshape(-1))
        positions = flow.track.position.copy()
        positions[:, 2] = flow.floor
        return positions, flow.track.heading

    def _soles(self, side: Side, times: Floats) -> Floats:
        """Heel, ball and toe tip `(n, 3, 3)` [m] of a foot in the air, as its leg lets it be."""
        flow, index = self.flows.at(times), SIDES.index(side)
        pelvis, foot = self._pelvis.at(flow), self.skeleton.index(f"{side}_foot")
        path = self._flown[index].at(
            self.feet[index].at(times), pelvis.position, flow.track.heading
        )
        leg = solve_leg(
            self.skeleton, side, pelvis.position, pelvis.rotation,
            self._within_reach(side, pelvis, path), path.rotation,
        )  # fmt: skip
        bent = self.skeleton.limited(leg.foot[:, None], [foot])[:, 0]
        shin = rotations.multiply(path.rotation, rotations.inverse(leg.foot))
        return sole_points(self.measures, leg.ankle, rotations.multiply(shin, bent), path.toes)

    def _hips(self, side: str, times: Floats) -> Floats:
        """Where a hip is `(n, 3)` [m]."""
        return self._hip(side, self._pelvis.at(self.flows.at(times)))

    def _hip(self, side: str, pelvis: PelvisPath) -> Floats:
        offset = self.skeleton.offsets[self.skeleton.index(f"{side}_thigh")]
        return pelvis.position + rotations.rotate(pelvis.rotation, offset)

    def _within_reach(self, side: str, pelvis: PelvisPath, path: FootPath) -> Floats:
        """Ankles `(n, 3)`; in the air they give way softly where the leg would be too short."""
        away = path.ankle - self._hip(side, pelvis)
        distance = np.linalg.norm(away, axis=1)
        longest = REACH * (self.measures.thigh + self.measures.shin)
        reached = soft_reach(distance, longest, 0.03)
        pull = _in_air(path) * (reached / np.maximum(distance, 1e-9) - 1)
        return path.ankle + pull[:, None] * away


def _in_air(path: FootPath) -> Floats:
    """How freely `(n,)` a foot moves: 1 in the air, 0 where it leaves and meets the ground."""
    swing = np.where(path.stance, 0.0, path.swing)
    return smoothstep(swing / 0.2) * smoothstep((1 - swing) / 0.15)


def _check(own: Sequence[Foothold], side: str, start: float) -> None:
    if not own or own[0].start > start:
        raise InputError(f"the {side} foot must be on the ground at the start, {start:g} s")
    for first, second in pairwise(own):
        if first.end >= second.start:
            raise InputError(
                f"the {side} foot leaves one foothold at {first.end:g} s, after it meets the next"
                f" at {second.start:g} s"
            )
