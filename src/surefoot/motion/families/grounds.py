"""Stairs and slopes: steady walks up and down them."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi, radians, sqrt, tan

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.math import Pose, rotations
from surefoot.motion.curves import smootherstep
from surefoot.motion.families.family import Family, Made, Parameter
from surefoot.motion.families.making import contact_near, cut, sent
from surefoot.motion.footholds import SIDES, Foothold
from surefoot.motion.gait import pace as pace_of
from surefoot.motion.gait import walk
from surefoot.motion.gait.runs import Stretch
from surefoot.motion.gait.soles import middle_ahead
from surefoot.motion.gait.stance import outward
from surefoot.motion.gait.track import Track
from surefoot.motion.gait.walker import Walker
from surefoot.world import Body, World
from surefoot.world.primitives import placed, slab, stairs

TREADS = 14
"""Steps of the flight that is climbed; the clip shows four in its middle."""

PACE = 0.62
"""[s] a tread, for a leg of 0.93 m: as slow as people are on stairs."""

STANCE = 0.55
"""Of two treads' time, that a foot is on the ground."""

TREAD = 1.01
"""Of the foot's length, that a tread is deep at least."""

_STEP = 1 / 60


def stairs_up(character: Character) -> Family:
    """Four steps up stairs, one to a tread."""
    return _stairs(character, 1)


def stairs_down(character: Character) -> Family:
    """Four steps down stairs, one to a tread."""
    return _stairs(character, -1)


def _stairs(character: Character, sign: int) -> Family:
    size = character.measures.leg_length / 0.93
    name, mode = ("stairs up", "step up") if sign > 0 else ("stairs down", "step down")
    return Family(
        name=name,
        mode=mode,
        parameters=(
            Parameter(
                name="riser",
                unit="m",
                low=0.10 * size,
                high=0.20 * size,
                usual=0.17 * size,
                lasting=True,
            ),
        ),
        make=lambda values: _climbed(character, sign, values["riser"]),
    )


def _climbed(character: Character, sign: int, riser: float) -> Made:
    """One foot in the middle of every tread, in an even rhythm."""
    size = character.measures.leg_length / 0.93
    # Steep stairs have short treads: twice the riser and the tread make a step (Blondel). But they
    # hold a whole foot, also a child's, which is long for its legs: no toes are in the next riser.
    least = max(0.27 * size, TREAD * character.measures.foot_length)
    tread = _smallest(0.63 * size - 2 * riser, least, 0.02 * size)
    height, length = TREADS * riser, TREADS * tread
    flight = placed(stairs(TREADS, 4.0, riser, tread))
    world = World(
        [
            Body(name="ground", mesh=slab((40.0, 20.0, 0.2))),
            Body(name="stairs", mesh=flight),
            Body(name="top", mesh=slab((20.0, 4.0, 0.2), (length + 10.0, 0.0, height))),
        ]
    )
    pace = PACE * sqrt(size)
    speed = tread / pace
    # Along the way: `far` grows, up or down.
    edge = 0.45 * size
    stretch = _over(world, sign, -edge, length + edge, length, speed)
    track = Track(world, [stretch], linger=1.0)
    measures = character.measures
    # The body is over the ankle, and a little ahead of it, in mid-stance.
    ratio = walk.speed_ratio(speed, measures.leg_length)
    over = float(walk.trail(ratio)) * measures.leg_length - middle_ahead(measures)
    stance = STANCE * 2 * pace
    half = float(pace_of.width(ratio, 0.0)) / 2 * measures.leg_length
    holds: list[Foothold] = []
    heading = 0.0 if sign > 0 else pi
    for number in range(-2, TREADS + 2):
        foot = SIDES[number % 2]
        far = (number + 0.5) * tread if number >= 0 else -edge + middle_ahead(measures)
        if number >= TREADS:
            far = length + edge + middle_ahead(measures)
        middle = 1.0 + (edge + far + over) / speed
        x = far if sign > 0 else length - far
        climbed = number + 1 if sign > 0 else TREADS - number
        z = min(max(climbed, 0), TREADS) * riser
        out = outward(foot) * (1.0 if sign > 0 else -1.0)
        facing = heading + outward(foot) * walk.TOE_OUT
        start = track.start if number < 0 else middle - stance / 2
        end = middle + stance / 2 if number < TREADS else np.inf
        if number < 0:
            end = 1.0 + (edge + (number + 2.5) * tread + over) / speed - stance / 2 - 0.5 * pace
        holds.append(
            Foothold(
                foot=foot, body=None, position=np.array([x, out * half, z]),
                rotation=rotations.from_yaw(facing), start=start, end=end,
            )
        )  # fmt: skip
    walker = Walker(track, holds, character.skeleton, measures)
    begin = contact_near(walker, "left", 1.0 + (edge + 5 * tread) / speed)
    return cut(walker, begin, begin + 4 * pace)


def _smallest(value: float, least: float, soft: float) -> float:
    """The value, but no less than `least`, with a round corner."""
    over = value - least
    return least + (over + sqrt(over**2 + soft**2)) / 2


def slope(character: Character) -> Family:
    """Two strides up or down a slope."""
    skill = character.capability("walk")
    scale = sqrt(character.measures.leg_length / 0.93)
    steepest = min(skill.max_slope, radians(20))
    return Family(
        name="slope",
        mode="walk",
        parameters=(
            Parameter(name="speed", unit="m/s", low=0.5 * scale, high=1.4 * scale,
                      usual=1.0 * scale, lasting=True),
            Parameter(name="slope", unit="rad", low=-steepest, high=steepest, usual=radians(10),
                      lasting=True),
        ),
        make=lambda values: _sloped(character, values),
    )  # fmt: skip


def _sloped(character: Character, values: Mapping[str, float]) -> Made:
    speed, angle = values["speed"], values["slope"]
    turn = rotations.from_axis_angle([0.0, 1.0, 0.0], -angle)
    mesh = slab((60.0, 10.0, 0.2)).transformed(Pose(rotation=turn))
    world = World([Body(name="ground", mesh=mesh)])
    times = np.arange(0.0, 9.0, _STEP)
    far = np.concatenate([[0.0], np.cumsum(np.diff(times) * speed * smootherstep(times / 1.0)[1:])])
    positions = np.stack([far, 0 * far, far * tan(angle)], axis=1)
    walker = sent(character, world,
                  [Stretch(times=times, positions=positions, headings=0 * times)])  # fmt: skip
    begin = contact_near(walker, "left", 3.2)
    lefts = [hold.start for hold in walker.footholds if hold.foot == "left" and hold.start > begin]
    return cut(walker, begin, lefts[1])


def _over(
    world: World, sign: int, start: float, end: float, length: float, speed: float
) -> Stretch:
    """Over the flight at an even speed, up or down, with a stand before and after."""
    count = max(int((end - start) / 0.05), 2)
    far = np.linspace(start, end, count)
    xs = far if sign > 0 else length - far
    above = np.column_stack([xs, 0 * xs, np.full(count, 30.0)])
    heights: Floats = world.support(above, down=60.0).height
    positions = np.column_stack([xs, 0 * xs, heights])
    times = 1.0 + (far - start) / speed
    return Stretch(
        times=np.concatenate([[0.0], times, [times[-1] + 1.0]]),
        positions=np.concatenate([positions[:1], positions, positions[-1:]]),
        headings=np.full(count + 2, 0.0 if sign > 0 else pi),
    )
