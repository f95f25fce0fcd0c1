"""Standing: people breathe and shift their weight; only statues are still."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats


@dataclass(frozen=True, eq=False)
class Idle:
    """What standing adds to a body at `n` moments; every array is `(n,)`.

    Attributes:
        left: [L] shift of the pelvis over one foot.
        up: [L] what that lowers it, negative.
        roll: [rad] of the pelvis, left side up.
        breath: -1..1, chest wide when positive.
        glance: [rad] the head turns to the left.
    """

    left: Floats
    up: Floats
    roll: Floats
    breath: Floats
    glance: Floats


def idle(times: Floats, share: Floats) -> Idle:
    """Idle motion at `times` [s], as much of it as `share` (0..1) says; the same every time."""

    def wave(period: float, shift: float = 0.0) -> Floats:
        return np.sin(2 * np.pi * (times / period + shift))

    # Periods without a common multiple, so that it does not look like a machine.
    weight = 0.75 * wave(7.3) + 0.25 * wave(3.1, 0.3)
    return Idle(
        left=0.016 * weight * share,
        up=-0.0025 * weight**2 * share,
        roll=0.022 * weight * share,
        breath=wave(3.9, 0.1) * share,
        glance=(0.05 * wave(11.7, 0.2) + 0.03 * wave(5.3, 0.6)) * share,
    )
