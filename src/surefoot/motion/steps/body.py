"""A body over time, as steps see it: a few points, and where it faces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.character.humanoid import JOINTS, PARENTS
from surefoot.character.measures import Measures
from surefoot.motion.clip import Clip
from surefoot.motion.footholds import SIDES
from surefoot.motion.plants.paths import USUAL_LEG
from surefoot.motion.plants.plants import Plants

if TYPE_CHECKING:
    import numpy.typing as npt


_PARENTS = np.array(PARENTS, dtype=np.int32)
_JOINTS = np.array(
    [
        JOINTS.index(joint)
        for joint in (
            "chest", "head", "left_hand", "right_hand", "left_foot", "right_foot", "left_toe",
            "right_toe",
        )
    ],
    dtype=np.int32,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Body:
    """Points of a canonical clip.

    Attributes:
        rate: [1/s].
        points: `(n, 6, 3)` [m]: root, head, left hand, right hand, left foot, right foot; feet
            midway between heel and ball.
        headings: `(n,)` [rad], continuous: halfway between hips and chest, which turn against each
            other in every stride.
        crouch: `(n,)`: the root's height above the lower foot, over the leg.
        speed: `(n,)` [m/s] of the root.
        scale: the leg over a usual one.
    """

    rate: float
    points: Floats
    headings: Floats
    crouch: Floats
    speed: Floats
    scale: float

    def frame(self, time: float) -> int:
        """The frame at or before `time` [s]; the first or the last one beyond."""
        return min(max(int(time * self.rate), 0), len(self.points) - 1)

    def at(self, times: Floats) -> tuple[npt.NDArray[np.intp], Floats]:
        """The frames before `times` (any shape) [s], and how far they are towards the next."""
        place = np.minimum(np.maximum(times * self.rate, 0.0), len(self.points) - 1)
        frame = np.minimum(place.astype(np.intp), max(len(self.points) - 2, 0))
        return frame, place - frame

    def travelled(self, start: float, end: float) -> tuple[float, float]:
        """How far [rad] the body turns, and how fast [m/s] it goes, between two moments [s]."""
        first, last = self.frame(start), self.frame(end)
        x, y, _ = (self.points[last, 0] - self.points[first, 0]).tolist()
        turn = float(self.headings[last] - self.headings[first])
        return turn, hypot(x, y) / (end - start)

    def crouched(self, start: float, end: float) -> float:
        """The root's height over the leg, on average between two moments [s]."""
        first, last = self.frame(start), self.frame(end) + 1
        return float(self._heights[last] - self._heights[first]) / (last - first)

    @cached_property
    def _heights(self) -> Floats:
        """Sums of `crouch` up to each frame."""
        sums = np.zeros(len(self.crouch) + 1)
        np.cumsum(self.crouch, out=sums[1:])
        return sums


def body_of(clip: Clip, measures: Measures) -> tuple[Body, Floats]:
    """The body of a canonical clip, and heels, balls and toe tips of its feet `(n, 2, 3, 3)`."""
    skeleton = clip.skeleton
    tips = [skeleton.tip(f"{side}_toe_tip").offset for side in SIDES]
    points, feet, headings, crouch, speed = _native.body_paths(
        _PARENTS,
        np.ascontiguousarray(skeleton.offsets),
        np.ascontiguousarray(clip.root),
        np.ascontiguousarray(clip.rotations),
        _JOINTS,
        np.array([measures.heel, *tips]),
        measures.leg_length,
        clip.rate,
    )
    scale = measures.leg_length / USUAL_LEG
    return Body(clip.rate, points, headings, crouch, speed, scale), feet


def off_the_belt(body: Body, plants: Plants) -> Body:
    """The body as it would go on a floor that rests."""
    if plants.floor_velocity is None:
        return body
    points = body.points.copy()
    points[..., :2] -= plants.carried()[:, None]
    moved = np.gradient(points[:, 0], axis=0)
    return Body(
        body.rate,
        points,
        body.headings,
        body.crouch,
        np.sqrt((moved * moved).sum(axis=1)) * body.rate,
        body.scale,
    )
