"""Counted steps: a body that takes just these steps, at these times.

Left to itself the gait model takes as many steps as a way needs, one more or one less at some
value of a parameter. A family is continuous, so its steps are counted beforehand; where the feet
belong beside the body is the gait model's, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from surefoot.character import Character
from surefoot.math import rotations
from surefoot.motion.footholds import SIDES, Foothold, Side
from surefoot.motion.gait.course import Course
from surefoot.motion.gait.runs import Stretch
from surefoot.motion.gait.stance import beside
from surefoot.motion.gait.track import Track
from surefoot.motion.gait.walker import Walker
from surefoot.world import World

GROUND = "ground"
"""What carries counted steps: level, at height 0."""


@dataclass(frozen=True)
class Counted:
    """A step of one foot.

    Attributes:
        foot: "left" or "right".
        lift: [s] when it leaves the ground.
        contact: [s] when it meets it again.
        middle: [s]: it comes down beside where the body is then.
    """

    foot: Side
    lift: float
    contact: float
    middle: float


def stepped(
    character: Character, world: World, stretches: Sequence[Stretch], steps: Sequence[Counted], *,
    before: Walker | None = None, since: float = 0.0, linger: float = 1.0,
) -> Walker:  # fmt: skip
    """A body that takes these steps along a path.

    Args:
        character: who.
        world: level ground.
        stretches: the path.
        steps: in order; each foot's own must not overlap.
        before: whose footholds come first, up to those of `since`; when not given, the body
            stands.
        since: [s] from when on steps are counted.
        linger: [s] to stay at the end.
    """
    track = Track(world, stretches, linger=linger)
    course = Course(track, character.measures)

    def hold(foot: Side, at: float, start: float) -> Foothold:
        points, headings = beside(foot, course.at(np.array([at])), character.measures)
        return Foothold(
            foot=foot, body=GROUND, position=points[0] * [1.0, 1.0, 0.0],
            rotation=rotations.from_yaw(headings[0]), start=start, end=np.inf,
        )  # fmt: skip

    if before is None:
        found = [hold(foot, track.start, track.start) for foot in SIDES]
    else:
        found = [one for one in before.footholds if one.start <= since + 1e-6]
    for step in steps:
        last = max(i for i, one in enumerate(found) if one.foot == step.foot)
        found[last] = replace(found[last], end=step.lift)
        found.append(hold(step.foot, step.middle, step.contact))
    stays = {max(i for i, one in enumerate(found) if one.foot == foot) for foot in SIDES}
    found = [replace(one, end=np.inf) if i in stays else one for i, one in enumerate(found)]
    return Walker(track, found, character.skeleton, character.measures)
