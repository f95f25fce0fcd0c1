"""Steps: what beacco2013's Table 1 says about each piece of a clip that can be played alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.footholds import Side

Mode = Literal["walk", "run", "turn", "stand", "jump", "crouch", "step up", "step down"]
MODES: Final[tuple[Mode, ...]] = (
    "walk",
    "run",
    "turn",
    "stand",
    "jump",
    "crouch",
    "step up",
    "step down",
)
"""Locomotion modes (4.1): walks and runs, turns, and platform actions."""

Feet = Literal["left", "right", "both"]
FEET: Final[tuple[Feet, ...]] = ("left", "right", "both")

SAMPLED: Final = ("root", "head", "left hand", "right hand", "left foot", "right foot")
"""Which points of the body are sampled."""

SAMPLES: Final = 9
"""At how many moments, evenly from start to end."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Step:
    """One annotated step (or whole turn, jump, stand) of a clip.

    Vectors are in the frame of the body when the step starts: x where it faces, y to its left, z
    up, from its root.

    Attributes:
        clip: the name of the clip it is cut from.
        mode: one of `MODES`.
        support: the foot on the ground when it starts; "both" for stands and two-footed jumps.
        swing: the foot that lands at its end; "both" likewise. A hop swings its support.
        start: [s] in the clip.
        end: [s] in the clip: the swing foot lands.
        root: `(3,)` [m], how far the root goes.
        foot: `(3,)` [m], how far the swing foot goes.
        movement_angle: [rad], between the swing foot's way and where the body faces: 0 forward,
            pi backward, pi/2 outward (a left foot to the left, a right foot to the right).
        rotation_angle: [rad], how far the body turns; positive to the left.
        samples: `(k, 6, 3)` [m], `SAMPLED` points at `SAMPLES` moments from start to end.
        root_height: [m], the root above the ground under the support when it starts.
        confidence: 0 to 1, of the plants it rests on.
        mirrored: it is the clip seen in a mirror: play it so.
    """

    clip: str
    mode: Mode
    support: Feet
    swing: Feet
    start: float
    end: float
    root: Floats
    foot: Floats
    movement_angle: float
    rotation_angle: float
    samples: Floats
    root_height: float
    confidence: float
    mirrored: bool = False

    @property
    def duration(self) -> float:
        """[s]."""
        return self.end - self.start

    @property
    def velocity(self) -> Floats:
        """`(3,)` [m/s], of the root on average."""
        return self.root / self.duration

    @property
    def speed(self) -> float:
        """[m/s] of the root over the ground."""
        return float(np.hypot(self.root[0], self.root[1])) / self.duration


def other(foot: Side) -> Side:
    """The other foot."""
    return "right" if foot == "left" else "left"
