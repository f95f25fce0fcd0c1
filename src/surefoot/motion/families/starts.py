"""Starts and stops: from a stand into a steady walk or run, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from surefoot.character import Character
from surefoot.motion.curves import smootherstep
from surefoot.motion.families.counted import Counted, stepped
from surefoot.motion.families.family import Family, Made, Parameter
from surefoot.motion.families.making import contact_near, contacts, cut, level_ground, path_of, sent
from surefoot.motion.footholds import Foothold
from surefoot.motion.gait.runs import Gait
from surefoot.motion.gait.similarity import slowness
from surefoot.motion.gait.stance import other

QUIET, LEAD = 1.0, 0.4
"""[s] of standing before a start, and how much of it the clip shows."""

_STEADY = 3.2  # [s] in which a walk becomes steady
_STEP = 1 / 60
# [s for a leg of 0.93 m] from one foot's lift to the other's contact, and what becomes of it; less
# is both down.
_GAPS = (
    np.array([-0.6, -0.2, -0.1, -0.04, 0.1, 1.0]),
    np.array([-0.25, -0.2, -0.1, 0.1, 0.1, 1.0]),
)


def start(character: Character, gait: Gait = "walk") -> Family:
    """From a stand to a steady walk or run, in four steps."""
    return Family(
        name="start" if gait == "walk" else "start running",
        mode=gait,
        parameters=(speed_of(character, gait),),
        make=lambda values: _started(character, values, gait),
    )


def stop(character: Character, gait: Gait = "walk") -> Family:
    """From a steady walk to a stand: a shorter step, and the other foot beside it.

    Out of a run it takes two steps more.
    """
    return Family(
        name="stop" if gait == "walk" else "stop running",
        mode=gait,
        parameters=(speed_of(character, gait),),
        make=lambda values: _stopped(character, values["speed"], gait),
    )


def speed_of(character: Character, gait: Gait) -> Parameter:
    """The speed that a start leads to, or a stop comes from."""
    skill = character.capability(gait)
    scale = slowness(character.measures.leg_length)
    low, usual, high = (0.4, 1.3, skill.max_speed / scale) if gait == "walk" else (2.2, 3.0, 4.2)
    return Parameter(
        name="speed", unit="m/s", low=low * scale, high=high * scale, usual=usual * scale,
        lasting=True,
    )  # fmt: skip


def _started(character: Character, values: Mapping[str, float], gait: Gait) -> Made:
    speed = values["speed"]
    reached = reached_in(character, speed, gait)
    times = np.arange(0.0, QUIET + reached + 5.5, _STEP)
    going = speed * smootherstep((times - QUIET) / reached)
    stretch = path_of(times, going, 0 * times, 0 * times, gait=gait)
    walker = sent(character, level_ground(), [stretch], linger=0.5)
    downs = np.sort(np.concatenate([contacts(walker, "left"), contacts(walker, "right")]))
    lifted = min(hold.end for hold in walker.footholds)
    return cut(walker, lifted - LEAD, float(downs[4 if gait == "walk" else 5]))


def steady_contact(character: Character, speed: float, gait: Gait) -> tuple[float, float]:
    """A left contact of a steady walk or run [s], and how long the step after it takes [s]."""
    long = np.arange(0.0, _STEADY + 5.0, _STEP)
    ramp = smootherstep(long / 1.0)
    ahead = path_of(long, speed * ramp, 0 * long, 0 * long, gait=gait)
    steady = sent(character, level_ground(), [ahead], linger=0.5)
    begin = contact_near(steady, "left", _STEADY)
    after = contacts(steady, "right")
    return begin, float(after[after > begin][0]) - begin


def _stopped(character: Character, speed: float, gait: Gait) -> Made:
    # Steady at first: the contact after which it slows down.
    begin, half = steady_contact(character, speed, gait)
    braking = _stopping(character, speed, gait)
    times = np.arange(0.0, begin + braking + 3.0, _STEP)
    going = speed * smootherstep(times / 1.0) * (1 - smootherstep((times - begin) / braking))
    stretch = path_of(times, going, 0 * times, 0 * times, gait=gait)
    before = sent(character, level_ground(), [stretch], linger=1.0)
    # The gait model foresees the braking a little: its own contact there may be sooner.
    slows, begin = begin, contact_near(before, "left", begin)
    slow = slowness(character.measures.leg_length)
    rest = slows + braking + 0.6 * slow
    if gait == "run":
        # Four steps are the runner's own; the fifth closes the feet.
        downs = contacts(before, "left")
        later = downs[downs > begin + 1e-6]
        # Long legs come to rest in two steps less, and close the feet sooner.
        whole = len(later) > 1
        last = float(later[1 if whole else 0])
        lift = last + slow * (0.36 if whole else 0.12)
        steps = [Counted("right", lift, lift + 0.42 * slow, rest)]
        before.footholds = decided(before.footholds, begin, slow)
        walker = stepped(character, level_ground(), [stretch], steps, before=before, since=last)
        return cut(walker, begin, last + 1.08 * slow)
    lifts = {hold.foot: hold.end for hold in before.footholds if hold.start <= begin + 1e-6}
    foot, t = other("left"), begin
    first = t + 1.05 * half
    steps = [
        Counted(foot, min(lifts[foot], first - 0.34 * slow), first, slows + 0.62 * braking),
        Counted(
            "left", first + 0.12 * slow, first + 0.12 * slow + max(0.9 * half, 0.42 * slow), rest
        ),
        Counted(foot, first + 0.66 * slow + 0.9 * half, first + 1.08 * slow + 0.9 * half, rest),
    ]
    walker = stepped(character, level_ground(), [stretch], steps, before=before, since=begin)
    return cut(walker, begin, steps[-1].contact + 0.3)


def decided(footholds: Sequence[Foothold], since: float, slow: float) -> tuple[Foothold, ...]:
    """Footholds of somebody who either flies from one to the next or walks, not almost.

    Out of a run into a walk there is a step that hardly flies: a leg that waited for the other
    foot would be overstretched, since the body is still fast. It leaves the ground sooner.
    """
    ordered = list(footholds)
    for index, (one, two) in enumerate(pairwise(footholds)):
        if one.start > since - 1e-6 and one.foot != two.foot and np.isfinite(one.end):
            gap = slow * float(np.interp((two.start - one.end) / slow, *_GAPS))
            ordered[index] = replace(one, end=two.start - gap)
    return tuple(ordered)


def reached_in(character: Character, speed: float, gait: Gait) -> float:
    """[s] to come up to a speed, or down from it."""
    usual = 0.9 if gait == "walk" else 1.2
    usual *= slowness(character.measures.leg_length)
    return usual + 0.75 * speed / character.capability(gait).acceleration


def _stopping(character: Character, speed: float, gait: Gait) -> float:
    """[s] to come to a stand: a walk within two steps."""
    if gait == "run":
        return reached_in(character, speed, gait)
    return 0.75 * slowness(character.measures.leg_length) + 0.35 * speed
