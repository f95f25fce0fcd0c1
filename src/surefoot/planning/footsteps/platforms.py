"""Platform actions: what ground that is not level asks for (beacco2013, 4.1).

Steps up and down stairs and slopes, jumps, and walking in a crouch. They are dearer than usual
steps, and are searched for only where the ground asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.motion.curves import smootherstep
from surefoot.motion.steps import MODES, SAMPLES, Steps
from surefoot.planning.footsteps.cutting import Cut
from surefoot.planning.footsteps.playing import LONG_BLEND
from surefoot.planning.footsteps.treading import Treading

PRICES = {"jump": 2.0, "crouch": 1.4}
"""What platform actions cost, over the effort that their speed asks for."""

SLOW, FAST = 1.0, 1.8
"""[m/s] up to which a step goes as high as legs do, and from which on it stays nearly level."""

EASY = 0.12
"""[m] up and down that quick steps, and those backward and aside, go."""

SPARE = 0.12
"""[m] by which a jump may land higher or lower than by itself."""

DEEPEST = 0.3
"""[leg lengths] by which a body goes down into a crouch, or comes up, within one step."""

_STRAIGHT = 0.06  # [rad]
_SPOT = 0.1  # [m]


@dataclass(frozen=True)
class Variant:
    """A step as an action.

    Attributes:
        step: its index.
        speed: how fast it is played.
        turn: [rad] beyond what it does.
        lift: [m] how much higher than by itself the body is when it begins: it goes down into a
            crouch, or comes up from one where this is below 0.
    """

    step: int
    speed: float = 1.0
    turn: float = 0.0
    lift: float = 0.0

    def lifted(self, duration: float) -> Floats:
        """`(SAMPLES,)` [m]: how much higher the body is on the way."""
        since = np.linspace(0.0, duration, SAMPLES)
        return self.lift * (1.0 - np.asarray(smootherstep(since / LONG_BLEND)))


def crouching(steps: Steps, cuts: Sequence[Cut], usual: list[int], leg: float) -> list[Variant]:
    """Steps down into a crouch and up from one.

    Args:
        steps: all of them.
        cuts: likewise.
        usual: which are usual ones.
        leg: [m].
    """
    crouched = MODES.index("crouch")
    low = [
        index
        for index in np.flatnonzero(steps.mode == crouched).tolist()
        if abs(cuts[index].move[2]) < _STRAIGHT and cuts[index].move[0] > 0.1
    ]
    walk = MODES.index("walk")
    upright = [
        index
        for index in usual
        if steps.mode[index] == walk
        and abs(cuts[index].move[2]) < _STRAIGHT
        and 0.3 < cuts[index].move[0] / cuts[index].duration < SLOW
        and abs(cuts[index].move[1]) < 0.1
    ]
    if not low or not upright:
        return []
    stands = float(cuts[0].begin[0][0, 2])
    found: list[Variant] = []
    for index in low:
        lift = stands - float(cuts[index].begin[0][0, 2])
        if lift < DEEPEST * leg:
            found.append(Variant(index, lift=lift))
    lows = [float(cuts[index].end[0][0, 2]) for index in low]
    depth = max(low for low in lows if stands - low < DEEPEST * leg) if found else stands
    if not found:
        return []
    return found + [
        Variant(index, lift=depth - float(cuts[index].begin[0][0, 2])) for index in upright
    ]


def leads(one: Cut) -> bool:
    """Whether a platform action leads anywhere: who jumps or ducks on the spot does not."""
    return float(np.hypot(one.move[0], one.move[1])) > _SPOT or abs(one.treading.rise) > _SPOT


def uneven(modes: Ints) -> Bools:
    """`(n,)`: which modes need ground that is not level, or something to jump across."""
    return np.isin(modes, [MODES.index(mode) for mode in ("step up", "step down", "jump")])


def dearer(modes: Ints) -> Floats:
    """`(n,)`: what actions of some modes cost, over the effort that their speed asks for."""
    prices = np.array([PRICES.get(mode, 1.0) for mode in MODES])
    return prices[modes]


def reaches(
    trod: Sequence[Treading], moves: Floats, durations: Floats, modes: Ints, step_height: float
) -> Floats:
    """`(n, 2)` [m]: how far up and down from where the other foot is actions may take a foot.

    Where the second is below 0 they must go up at least so far.

    Args:
        trod: what each does with its feet.
        moves: `(n, 3)`, how far it goes.
        durations: `(n,)` [s].
        modes: `(n,)`.
        step_height: [m], the highest step without a jump.
    """
    going = np.hypot(moves[:, 0], moves[:, 1])
    pace = going / durations
    slow = np.clip((FAST - pace) / (FAST - SLOW), 0.0, 1.0)
    easy = min(EASY, step_height)
    most = easy + slow * (step_height - easy)
    most = np.where(moves[:, 0] < 0.7 * going, easy, most)
    found = np.stack([most, most], axis=1)
    for index, one in enumerate(trod):
        mode, rise = MODES[int(modes[index])], one.rise
        if mode == "jump":
            found[index] = rise + SPARE, SPARE - rise
        elif mode in ("step up", "step down"):
            # What goes up by itself is for ground that does.
            half = 0.4 * abs(rise)
            found[index] = rise + 0.1, 0.1 - rise
            found[index, 1 if rise > 0 else 0] = -half
    return found
