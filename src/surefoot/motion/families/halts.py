"""Halts: out of a steady walk or run to a stand as soon as can be."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.motion.curves import smootherstep
from surefoot.motion.families.counted import Counted, stepped
from surefoot.motion.families.family import Family, Made
from surefoot.motion.families.making import contact_near, cut, level_ground, path_of, sent
from surefoot.motion.families.starts import decided, speed_of, steady_contact
from surefoot.motion.gait.runs import Gait, Stretch
from surefoot.motion.gait.similarity import slowness
from surefoot.motion.gait.walker import Walker

RUNNERS_BRAKE, FAST_RUNNERS_BRAKE = 0.8, 1.2
"""[s for a leg of 0.93 m] in which a runner comes to rest: within two steps, or three when fast."""

FAST_RUN = 3.6
"""[m/s likewise]: whoever is faster needs the third step."""

WALKERS_WAIT = 0.12
"""[s likewise] that a walker goes on as before after a contact."""

_STEP = 1 / 60


def halt(character: Character, gait: Gait = "walk") -> Family:
    """To a stand: a walker puts one foot ahead and the other beside it.

    A runner takes as many steps as it needs.
    """
    make = _walker if gait == "walk" else _runner
    return Family(
        name="halt" if gait == "walk" else "halt running",
        mode=gait,
        parameters=(speed_of(character, gait),),
        make=lambda values: make(character, values["speed"]),
    )


def _walker(character: Character, speed: float) -> Made:
    slow = slowness(character.measures.leg_length)
    begin, half = steady_contact(character, speed, "walk")
    braking = 0.75 * slow + 0.15 * speed
    stretch = _braking(speed, begin + WALKERS_WAIT * slow, braking, "walk")
    before = sent(character, level_ground(), [stretch], linger=1.0)
    rest = begin + WALKERS_WAIT * slow + braking + 0.6 * slow
    begin = contact_near(before, "left", begin)
    lifts = {hold.foot: hold.end for hold in before.footholds if hold.start <= begin + 1e-6}
    first, swing = begin + half, max(0.9 * half, 0.42 * slow)
    steps = [
        Counted("right", min(lifts["right"], first - 0.34 * slow), first, rest),
        Counted("left", first + 0.1 * slow, first + 0.1 * slow + swing, rest),
    ]
    walker = stepped(character, level_ground(), [stretch], steps, before=before, since=begin)
    return cut(walker, begin, steps[-1].contact + 0.25 * slow)


def _runner(character: Character, speed: float) -> Made:
    slow = slowness(character.measures.leg_length)
    begin, half = steady_contact(character, speed, "run")
    brake = RUNNERS_BRAKE if speed <= FAST_RUN * slow else FAST_RUNNERS_BRAKE
    stretch = _braking(speed, begin, brake * slow, "run")
    before = sent(character, level_ground(), [stretch], linger=1.0)
    # It foresees the braking: from the step before on.
    begin = contact_near(before, "right", contact_near(before, "left", begin) - half)
    holds = decided(before.footholds, begin, slow)
    walker = Walker(before.track, holds, character.skeleton, character.measures)
    last = max(hold.start for hold in holds)
    return cut(walker, begin, last + 0.3 * slow)


def _braking(speed: float, begin: float, lasting: float, gait: Gait) -> Stretch:
    """Steady up to `begin` [s], and at rest `lasting` [s] after that."""
    times = np.arange(0.0, begin + lasting + 3.0, _STEP)
    going: Floats = speed * smootherstep(times / 1.0)
    going *= 1 - smootherstep((times - begin) / lasting)
    return path_of(times, going, 0 * times, 0 * times, gait=gait)
