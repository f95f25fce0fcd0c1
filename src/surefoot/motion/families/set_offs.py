"""Setting off: from a stand into a walk or run in any direction, turning with the first steps."""

from __future__ import annotations

from math import pi

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.motion.curves import smootherstep
from surefoot.motion.families.family import Family, Made, Parameter
from surefoot.motion.families.making import contacts, cut, level_ground, path_of, sent
from surefoot.motion.families.stands import QUICK_TURN
from surefoot.motion.families.starts import QUIET, reached_in, speed_of
from surefoot.motion.footholds import Side
from surefoot.motion.gait.runs import ROUNDING, Gait
from surefoot.motion.gait.similarity import slowness

LEAD = 0.3
"""[s] of standing that the clip shows."""

FARTHEST_RUNNING = 1.9
"""[rad]: who is to run farther round than that turns on the spot first."""

# [s for a leg of 0.93 m] that a turn takes at least, what right round takes more, how much of it
# is before the body goes, and by how much right round makes that later.
_SHORTEST, _LONGER, _AHEAD, _LATER = 0.5, 0.9, 0.1, 0.25
_STEP = 1 / 60


def set_off(character: Character, side: Side, gait: Gait = "walk") -> Family:
    """From a stand into a walk or run to a side; as many steps as the turn needs."""
    farthest = pi if gait == "walk" else FARTHEST_RUNNING
    return Family(
        name=f"set off {side}" if gait == "walk" else f"set off running {side}",
        mode=gait,
        parameters=(
            speed_of(character, gait),
            Parameter(name="angle", unit="rad", low=0.4, high=farthest, usual=pi / 2),
        ),
        make=lambda values: _off(character, side, values["speed"], values["angle"], gait),
    )


def _off(character: Character, side: Side, speed: float, angle: float, gait: Gait) -> Made:
    slow = slowness(character.measures.leg_length)
    signed, round_ = (angle if side == "left" else -angle), angle / pi
    reached = reached_in(character, speed, gait)
    times = np.arange(0.0, QUIET + reached + 6.0, _STEP)
    ahead = _LATER * round_ * slow
    going: Floats = speed * smootherstep((times - QUIET - ahead) / reached)
    lasting = (_SHORTEST + _LONGER * round_) * slow
    headings = signed * smootherstep((times - QUIET + _AHEAD * slow) / lasting)
    stretch = path_of(times, going, 0 * times, headings, gait=gait, turning=QUICK_TURN / slow)
    walker = sent(character, level_ground(), [stretch], lead=side, linger=0.5)
    lifted = min(hold.end for hold in walker.footholds)
    # Nothing of the turn is left.
    turned = QUIET - _AHEAD * slow + lasting + 0.5 * ROUNDING
    downs = np.sort(np.concatenate([contacts(walker, "left"), contacts(walker, "right")]))
    steady = QUIET + ahead + reached + ROUNDING
    end = downs[(downs > turned) & (downs > steady)]
    return cut(walker, lifted - LEAD, float(end[0]))
