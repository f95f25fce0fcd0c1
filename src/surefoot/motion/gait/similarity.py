"""Similarity: how the numbers of the gait model go with the size of a body.

People of every size move alike at equal Froude numbers v^2 / (g L): through the same angles, in
lengths that go with the leg's, L, and times that go with sqrt(L / g). Accelerations are the same
for all. What is stated in metres or seconds is for a leg of 0.93 m, and scaled by these.
"""

from __future__ import annotations

from math import sqrt

ADULT_LEG = 0.93
"""[m]: an adult's leg, hip to sole."""


def size(leg: float) -> float:
    """Lengths of a body with legs of `leg` [m] over an adult's."""
    return leg / ADULT_LEG


def slowness(leg: float) -> float:
    """Times, and speeds, of a body with legs of `leg` [m] over an adult's."""
    return sqrt(leg / ADULT_LEG)
