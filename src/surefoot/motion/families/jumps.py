"""Jumps: standing and running, across, up and down; and how landings are recovered from."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np

from surefoot.character import Character
from surefoot.character.capability import GRAVITY
from surefoot.motion.curves import smootherstep
from surefoot.motion.families.family import Family, Limit, Made, Parameter
from surefoot.motion.families.making import contacts, cut, mirrored, sent
from surefoot.motion.flight import Flight
from surefoot.motion.gait.runs import Stretch
from surefoot.motion.gait.similarity import size, slowness
from surefoot.motion.gait.walker import Walker
from surefoot.world import Body, Place, World
from surefoot.world.primitives import slab

STANDING_SHARE = 0.62
"""Of the farthest jump: how far one gets without a run-up."""

RUN_UP = 3.2
"""[m/s for a leg of 0.93 m] of the run before and after."""

SPARE = 0.03
"""[m] between an edge and the feet that are next to it."""

STEP = 0.1
"""[m] of height from which on the edge between two grounds must be jumped past."""

_STEP = 1 / 60
_RUN_UP, _RUN_OUT = 4.4, 5.0  # [s]
_READY = 1.4  # [s] of standing before a take-off
_SHOWN = 0.9  # [s] of that which the clip shows
_RECOVERY = 1.3  # [s] after a landing until the body stands


def standing_jump(character: Character) -> Family:
    """With both feet, from a stand to a stand."""
    skill = character.capability("jump")
    farthest = STANDING_SHARE * skill.max_jump_length

    def limits(values: Mapping[str, float]) -> Limit:
        rise = values["rise"]
        return Limit(
            name="distance",
            low=_past_edge(character, values["distance"], rise),
            high=_reach(rise, farthest, 0.75 * skill.max_jump_up),
            at=f"at a rise of {rise:.2f} m",
            why="to get past the edge",
        )

    return Family(
        name="standing jump",
        mode="jump",
        parameters=(
            Parameter(name="distance", unit="m", low=0.0, high=farthest, usual=0.5 * farthest),
            Parameter(name="rise", unit="m", low=-skill.max_drop, high=0.75 * skill.max_jump_up,
                      usual=0.0),
        ),
        make=lambda values: _jumped(character, values["distance"], values["rise"]),
        limits=limits,
    )  # fmt: skip


def running_jump(character: Character) -> Family:
    """Out of a run from one foot to the other, and on running."""
    skill = character.capability("jump")
    scale = size(character.measures.leg_length)

    def limits(values: Mapping[str, float]) -> Limit:
        rise = values["rise"]
        return Limit(
            name="distance",
            low=1.2 * scale,
            high=_reach(rise, skill.max_jump_length, skill.max_jump_up),
            at=f"at a rise of {rise:.2f} m",
        )

    return Family(
        name="running jump",
        mode="jump",
        parameters=(
            Parameter(name="distance", unit="m", low=1.2 * scale, high=skill.max_jump_length,
                      usual=1.8 * scale),
            Parameter(name="rise", unit="m", low=-skill.max_drop, high=skill.max_jump_up,
                      usual=0.0),
        ),
        make=lambda values: _leapt(character, values["distance"], values["rise"]),
        limits=limits,
    )  # fmt: skip


def landing(character: Character) -> Family:
    """The end of a jump: down from its highest point, and recovered to a stand."""
    skill = character.capability("jump")
    return Family(
        name="landing",
        mode="jump",
        parameters=(
            Parameter(name="drop", unit="m", low=0.0, high=skill.max_drop,
                      usual=0.4 * skill.max_drop),
        ),
        make=lambda values: _landed(character, values["drop"]),
    )  # fmt: skip


def _reach(rise: float, farthest: float, highest: float) -> float:
    """[m] Farther up means less far across: the two share one take-off."""
    up = max(rise, 0.0) / highest
    return farthest * sqrt(max(1 - up**2, 0.0) * 0.75 + 0.25)


def _past_edge(character: Character, distance: float, rise: float) -> float:
    """[m] Between two heights there is an edge, and the feet must be past it before they are lower.

    Farther jumps are higher and their feet longer above the edge, so that this depends on the
    distance itself; what it gives is far enough, whichever distance was asked for.
    """
    clearance = _standing_clearance(character, distance)
    # Going down the feet are above the edge for so long; going up it is the same way back.
    above = 2 * sqrt(2 * clearance / GRAVITY)
    past = (character.measures.foot_length + SPARE) * _airtime(rise, clearance) / above
    return past * min(abs(rise) / STEP, 1.0)


def _two_grounds(character: Character, distance: float, rise: float) -> World:
    """Ground to take off from, ground to land on, and an edge between them.

    It is before the toes of who goes down, and before the heels of who has come up.
    """
    near = min(distance, character.measures.foot_length + SPARE) / 2
    aside = min(max(rise / STEP, -1.0), 1.0) * (distance / 2 - near)
    edge = distance / 2 + aside
    return World(
        [
            Body(name="ground", mesh=slab((40.0, 10.0, 0.2), (edge - 20.0, 0.0, 0.0))),
            Body(name="target", mesh=slab((40.0, 10.0, 0.2), (edge + 20.0, 0.0, rise))),
        ]
    )


def _airtime(rise: float, clearance: float) -> float:
    """[s] of a flight whose highest point is `clearance` [m] above the higher of its ends."""
    up = clearance + max(rise, 0.0)
    down = clearance + max(-rise, 0.0)
    return sqrt(2 * up / GRAVITY) + sqrt(2 * down / GRAVITY)


def _standing_clearance(character: Character, distance: float) -> float:
    """[m] that a jump from a stand goes above the higher of its ends."""
    return 0.16 * size(character.measures.leg_length) + 0.10 * distance


def _flight(distance: float, rise: float, start: float, airtime: float) -> Flight:
    return Flight(
        take_off=Place("ground", np.zeros(3)),
        landing=Place("target", np.array([distance, 0.0, rise])),
        start=start,
        end=start + airtime,
    )


def _from_stand(character: Character, distance: float, rise: float, airtime: float) -> Walker:
    """Ready, in the air, and at rest again."""
    target = np.array([distance, 0.0, rise])
    end = _READY + airtime
    stretch = Stretch(
        times=np.array([0.0, _READY, end, end + _RECOVERY + 1.8]),
        positions=np.stack([np.zeros(3), np.zeros(3), target, target]),
        headings=np.zeros(4),
        flights=(_flight(distance, rise, _READY, airtime),),
    )
    return sent(character, _two_grounds(character, distance, rise), [stretch], linger=0.5)


def _from_run(character: Character, distance: float, rise: float, airtime: float) -> Walker:
    """A run at the usual speed, as fast as the jump needs at its ends, and on as before."""
    slow = slowness(character.measures.leg_length)
    usual, needed = RUN_UP * slow, distance / airtime
    before = np.arange(0.0, _RUN_UP + 1e-9, _STEP)
    after = np.arange(_STEP, _RUN_OUT, _STEP)
    faster = usual + (needed - usual) * smootherstep((before - _RUN_UP + 1.3 * slow) / (1.1 * slow))
    slower = needed + (usual - needed) * smootherstep((after - 0.15 * slow) / (1.1 * slow))
    there = np.cumsum(faster[::-1])[::-1] * _STEP
    on = distance + np.cumsum(slower) * _STEP
    xs = np.concatenate([-(there - faster * _STEP / 2), on])
    xs[len(before) - 1] = 0.0
    heights = np.concatenate([np.zeros(len(before)), np.full(len(after), rise)])
    times = np.concatenate([before, _RUN_UP + airtime + after])
    positions = np.stack([xs, 0 * xs, heights], axis=1)
    # The flight itself lies between the last point before and the first one after.
    stretch = Stretch(
        times=times, positions=positions, headings=0 * times, gait="run",
        flights=(_flight(distance, rise, _RUN_UP, airtime),),
    )  # fmt: skip
    return sent(character, _two_grounds(character, distance, rise), [stretch], linger=0.5)


def _jumped(character: Character, distance: float, rise: float) -> Made:
    airtime = _airtime(rise, _standing_clearance(character, distance))
    walker = _from_stand(character, distance, rise, airtime)
    return cut(walker, _READY - _SHOWN, _READY + airtime + _RECOVERY)


def _leapt(character: Character, distance: float, rise: float) -> Made:
    clearance = 0.08 * size(character.measures.leg_length) + 0.09 * distance
    airtime = _airtime(rise, clearance)
    walker = _from_run(character, distance, rise, airtime)
    downs = np.sort(np.concatenate([contacts(walker, "left"), contacts(walker, "right")]))
    last = int(np.searchsorted(downs, _RUN_UP - 0.02)) - 1
    # Which foot takes off is the run-up's choice; the clip is always shown with the left.
    left = any(
        hold.foot == "left" and abs(hold.start - downs[last]) < 1e-6 for hold in walker.footholds
    )
    made = cut(walker, float(downs[last - 3]), float(downs[last + 5]))
    return made if left else mirrored(made)


def _landed(character: Character, drop: float) -> Made:
    distance = 0.5 * size(character.measures.leg_length)
    clearance = _standing_clearance(character, distance)
    airtime = _airtime(-drop, clearance)
    walker = _from_stand(character, distance, -drop, airtime)
    highest = _READY + sqrt(2 * clearance / GRAVITY)
    return cut(walker, highest, _READY + airtime + _RECOVERY + 0.8)
