"""Somebody who is posed as it goes, frame by frame: strides of a walk that was made before.

Who travels in a live world has no plan that could be animated ahead. Its legs go by how far it got.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.animation import animate
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.math import rotations
from surefoot.planning import Goal
from surefoot.planning.plan import Outcome, Plan, Status
from surefoot.planning.segments import Kind, Segment, Timing
from surefoot.studio.figures import Figure, figure
from surefoot.world import Body, Place, World
from surefoot.world.primitives import slab

LASTS = 6.0
"""[s] Of the walk that a stride is taken from."""

STEADY = 0.4
"""Share of it after which the walk is even."""


@dataclass(frozen=True, eq=False)
class _Stride:
    """From one contact of the left foot to the next.

    Attributes:
        figure: in motion.
        begin: [s] first contact.
        end: [s] the next one.
        length: [m] that is gone in between.
        stands: [s] when it stands.
    """

    figure: Figure
    begin: float
    end: float
    length: float
    stands: float


class Puppet:
    """A character that takes the pose of somebody who goes through a live world."""

    def __init__(self, character: Character) -> None:
        self._strides = {
            name: _stride(character, name, kind)
            for name, kind in (("walk", Kind.WALK), ("crouch", Kind.CROUCH))
            if name in character.capabilities
        }
        self.figure = next(iter(self._strides.values())).figure
        self._gone = 0.0
        self._last: Floats | None = None

    def pose(
        self, local: Floats, point: Floats, heading: float, skill: str, *, flies: bool
    ) -> tuple[Floats, Floats]:
        """Positions `(b, 3)` [m] and rotations `(b, 4)` of the bones.

        Args:
            local: `(3,)` [m] where the feet are in the frame of what carries them.
            point: `(3,)` [m] where they are in the world.
            heading: [rad].
            skill: how it goes about.
            flies: whether it is in the air.
        """
        stride = self._strides.get(skill) or next(iter(self._strides.values()))
        moved = 0.0 if self._last is None else float(np.linalg.norm((local - self._last)[:2]))
        self._last = np.array(local)
        # Farther than anybody gets in a frame: another ground carries now.
        moves = 1e-4 < moved < 0.3 * stride.length
        self._gone += moved if moves else 0.0
        t = stride.stands
        if moves or flies:
            share = 0.25 if flies else self._gone / stride.length % 1.0
            t = stride.begin + share * (stride.end - stride.begin)
        positions, turned = stride.figure.at(t)
        under = np.array([*stride.figure.centre(t)[:2], 0.0])
        yaw = rotations.from_yaw(heading)
        return point + rotations.rotate(yaw, positions - under), rotations.multiply(yaw, turned)


def _stride(character: Character, name: str, kind: Kind) -> _Stride:
    """Out of a straight walk over a floor of its own."""
    far = LASTS * character.capabilities[name].speed
    path = np.array([[0.0, 0.0, 0.0], [far, 0.0, 0.0]])
    world = World([Body(name="floor", mesh=slab((4.0 * far, 4.0, 0.2)))])
    segment = Segment(
        kind=kind, capability=name, times=np.array([0.0, LASTS]), positions=path,
        headings=np.zeros(2), frame="floor", timing=Timing.FIXED,
    )  # fmt: skip
    plan = Plan(
        character=character.name, capabilities=dict(character.capabilities),
        origin=Place("floor", path[0]), start=0.0, goal=Goal(Place("floor", path[1])),
        segments=(segment,), status=Status(Outcome.REACHED, "a straight walk"), planner="studio",
    )  # fmt: skip
    motion = animate(plan, world, character).motion
    starts = [hold.start for hold in motion.footholds if hold.foot == "left"]
    k = next(i for i, start in enumerate(starts) if start > STEADY * LASTS)
    moving = figure(character, motion.times, motion.root, motion.rotations)
    begin, end = starts[k], starts[k + 1]
    length = float(np.linalg.norm(moving.centre(end) - moving.centre(begin)))
    return _Stride(moving, begin, end, length, float(motion.times[0]))
