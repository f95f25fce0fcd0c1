"""The five cylinders around head, hands and feet (beacco2013 5.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.measures import Measures
from surefoot.motion.steps import SAMPLED

# Of the body's height: radius of the cylinder, and how far it goes below and above its point. The
# one of the head goes down to the hips: shoulders and trunk are inside it.
_CYLINDERS = {
    "head": (0.125, -0.48, 0.06),
    "hand": (0.045, -0.06, 0.06),
    "foot": (0.075, -0.06, 0.05),
}


@dataclass(frozen=True, eq=False)
class Colliders:
    """Upright cylinders around points of a body, in the order of `SAMPLED`.

    Attributes:
        radii: `(6,)` [m]; the root itself has none.
        low: `(6,)` [m], <= 0: how far below its point each cylinder begins.
        high: `(6,)` [m], >= 0: how far above it ends.
    """

    radii: Floats
    low: Floats
    high: Floats


def colliders(measures: Measures) -> Colliders:
    """The five cylinders of a body."""
    rows = [_CYLINDERS.get(name.split()[-1], (0.0, 0.0, 0.0)) for name in SAMPLED]
    radii, low, high = np.array(rows).T * measures.height
    return Colliders(radii, low, high)
