"""A body over time, as steps see it: a few points, and where it faces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.motion.clip import Clip
from surefoot.motion.facing import facing
from surefoot.motion.footholds import SIDES
from surefoot.motion.plants.clips import canonical_feet
from surefoot.motion.plants.paths import USUAL_LEG, FootPaths
from surefoot.motion.plants.plants import Plants

if TYPE_CHECKING:
    import numpy.typing as npt


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

    def at(self, times: Floats) -> tuple[npt.NDArray[np.intp], Floats]:
        """The frames before `times` (any shape) [s], and how far they are towards the next."""
        place = np.clip(times * self.rate, 0.0, len(self.points) - 1)
        frame = np.minimum(place.astype(np.intp), max(len(self.points) - 2, 0))
        return frame, place - frame

    def travelled(self, start: float, end: float) -> tuple[float, float]:
        """How far [rad] the body turns, and how fast [m/s] it goes, between two moments [s]."""
        (first, last), _ = self.at(np.array([start, end]))
        went = self.points[last, 0, :2] - self.points[first, 0, :2]
        turn = float(self.headings[last] - self.headings[first])
        return turn, float(np.hypot(went[0], went[1])) / (end - start)

    def crouched(self, start: float, end: float) -> float:
        """The root's height over the leg, on average between two moments [s]."""
        first, last = max(int(start * self.rate), 0), int(end * self.rate) + 1
        within = self.crouch[min(first, len(self.crouch) - 1) : max(last, 1)]
        return float(within.mean())


def body_of(clip: Clip, measures: Measures) -> tuple[Body, FootPaths]:
    """The body of a canonical clip, and its feet."""
    positions, turned = clip.forward()
    skeleton = clip.skeleton
    feet = {side: canonical_feet(skeleton, side, positions, turned, measures) for side in SIDES}
    joints = skeleton.indices(["pelvis", "head", "left_hand", "right_hand"])
    points = np.empty((len(clip), 6, 3))
    points[:, :4] = positions[:, joints]
    lower = np.full(len(clip), np.inf)
    for index, side in enumerate(SIDES):
        parts = feet[side]
        points[:, 4 + index] = (parts["heel"] + parts["toe"]) / 2
        lower = np.minimum(lower, np.minimum(parts["heel"][:, 2], parts["tip"][:, 2]))
    leg = measures.leg_length
    speed = np.zeros(len(clip))
    if len(clip) > 1:
        moved = np.gradient(points[:, 0], axis=0)
        speed = np.sqrt((moved * moved).sum(axis=1)) * clip.rate
    body = Body(
        rate=clip.rate,
        points=points,
        headings=facing(skeleton, clip.rotations),
        crouch=(points[:, 0, 2] - lower) / leg,
        speed=speed,
        scale=leg / USUAL_LEG,
    )
    paths = FootPaths(rate=clip.rate, left=feet["left"], right=feet["right"], leg_length=leg)
    return body, paths


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
