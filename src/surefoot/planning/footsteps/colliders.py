"""The five cylinders around head, hands and feet (beacco2013 5.5), and one around the trunk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.motion.steps import SAMPLED


@dataclass(frozen=True, eq=False)
class Colliders:
    """Upright cylinders around points of a body, in the order of `SAMPLED`.

    Attributes:
        radii: `(6,)` [m]; the root's is the trunk.
        low: `(6,)` [m], <= 0: how far below its point each cylinder begins.
        high: `(6,)` [m], >= 0: how far above it ends.
    """

    radii: Floats
    low: Floats
    high: Floats


def colliders(measures: Measures) -> Colliders:
    """The five cylinders of a body, and the trunk's."""
    size = measures
    head, hand = size.height - size.chin_height, size.hand
    foot = (size.heel_behind + size.ball_ahead) / 2 + 0.01
    trunk = size.shoulder_height - size.leg_length
    chin, top = size.chin_height - size.head_height, size.height - size.head_height
    # The trunk is around the pelvis; the chest leans a little beyond it. Heights leave room for a
    # pelvis that sinks when steps are played.
    cylinders = {
        "root": (0.5 * size.shoulder_width + 0.03, -0.35 * trunk, trunk),
        "head": (0.42 * head + 0.02, chin - 0.04, top + 0.04),
        "hand": (0.3 * hand + 0.02, -0.7 * hand, 0.7 * hand),
        "foot": (foot, -1.5 * size.ankle_height, 1.5 * size.ankle_height),
    }
    radii, low, high = np.array([cylinders[name.split()[-1]] for name in SAMPLED]).T
    return Colliders(radii.copy(), low.copy(), high.copy())
