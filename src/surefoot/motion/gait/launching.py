"""Launching: how high the pelvis is where a flight begins, and where it ends.

Legs are stretched as they leave the ground and ready to bend as they meet it again, but never so
far that the knee would have to turn faster than knees do: near its full stretch a leg gets longer
by almost nothing while its knee turns a lot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.capability import GRAVITY
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.curves import smoothstep
from surefoot.motion.gait import jump, pace, run
from surefoot.motion.gait.airtimes import Airtimes
from surefoot.motion.gait.ballistics import BRIEF
from surefoot.motion.gait.feet import Feet
from surefoot.motion.gait.flow import Flow, Flows

STRETCHED = 0.988
"""Of thigh and shin: as far as a leg is stretched at either end of a flight."""

_LEAPING = 0.3  # v*: how fast the pelvis goes up or down on the whole in a step of a run
_STEP = 0.004  # [s] over which speeds are measured

Wished = Callable[[Flow], tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False)
class _End:
    """Bodies at one end of their flights: where, turned how, how fast, at which v*."""

    times: Floats
    position: Floats
    rotation: Floats
    velocity: Floats
    ratio: Floats


def flight_ends(
    flows: Flows, wished: Wished, feet: tuple[Feet, Feet], hips: Floats, measures: Measures
) -> tuple[Floats, Floats]:
    """Where the pelvis `(k, 3)` [m] is at the start of every flight, and at its end.

    Args:
        flows: of the body.
        wished: positions and rotations of the pelvis, whether or not the legs are long enough.
        feet: left and right.
        hips: `(2, 3)` [m], the joints in the pelvis' frame.
        measures: of the body.
    """
    airtimes, leg = flows.airtimes, measures.leg_length
    leaving, landing = flows.at(airtimes.starts), flows.at(airtimes.ends)
    durations = airtimes.durations[:, None]
    places = [wished(flow) for flow in (leaving, landing)]
    rise = landing.floor - leaving.floor
    mean = (places[1][0] - places[0][0]) / durations
    mean[:, 2] = rise / durations[:, 0]
    gained = 0.5 * durations * np.array([0.0, 0.0, GRAVITY])
    ends = [
        _End(flow.times, *place, mean + way * gained, flow.ratio)
        for flow, place, way in zip((leaving, landing), places, (1, -1), strict=True)
    ]
    usual = run.push_off_extension(ends[0].ratio), run.contact_extension(ends[1].ratio)
    tucked = jump.tucked(rise / leg)
    for end, way, reach, less in zip(ends, (-1, 1), usual, (0.0, tucked), strict=True):
        height, straight = end.position[:, 2], measures.thigh + measures.shin
        _, stretching = _highest(feet, hips, end, reach * straight, way)
        calm = _calm(-way * stretching, way, airtimes.long, measures)
        reach = np.minimum(reach, calm) - less
        ready, _ = _highest(feet, hips, end, reach * straight, way)
        farthest, _ = _highest(feet, hips, end, np.full(len(height), STRETCHED * straight), way)
        # Runners keep their height as far as their legs let them; who jumps makes use of it.
        kept = np.minimum(ready, height + 0.01 * leg)
        ready = kept + airtimes.long * (ready - kept)
        # What is hardly a flight begins and ends where a walk is.
        ready = height + flies(airtimes) * (ready - height)
        end.position[:, 2] = np.minimum(ready, farthest)
    _even(ends[0].position, ends[1].position, airtimes, leg)
    return ends[0].position, ends[1].position


def flies(airtimes: Airtimes) -> Floats:
    """`(k,)` 0..1: how much flights are ones, and not only moments between two steps of a walk."""
    return smoothstep(airtimes.durations / (airtimes.slow * BRIEF))


def _highest(
    feet: tuple[Feet, Feet], hips: Floats, end: _End, reach: Floats, way: int
) -> tuple[Floats, Floats]:
    """Heights `(k,)` [m] where the legs on the ground are `reach` [m] long, and how they stretch.

    The latter [m/s] is that of the leg that stretches, or with `way` 1 shortens, the fastest.
    """
    highest, fastest = np.full(len(reach), np.inf), np.zeros(len(reach))
    for hip, foot in zip(hips, feet, strict=True):
        path, near = foot.at(end.times), foot.at(end.times + way * _STEP)
        at = end.position + rotations.rotate(end.rotation, hip)
        away = at - path.ankle
        level = (away[:, :2] ** 2).sum(axis=1)
        above = np.sqrt(np.maximum(reach**2 - level, (0.5 * reach) ** 2))
        height = path.ankle[:, 2] + above + (end.position - at)[:, 2]
        along = np.column_stack([away[:, :2], above])
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        speed = end.velocity - way * (near.ankle - path.ankle) / _STEP
        stretching = (speed * along).sum(axis=1)
        faster = path.stance & (way * stretching < way * fastest)
        fastest = np.where(faster, stretching, fastest)
        highest = np.where(path.stance, np.minimum(highest, height), highest)
    return highest, fastest


def _calm(speed: Floats, way: int, long: Floats, measures: Measures) -> Floats:
    """Of thigh and shin: how long a leg that stretches or bends at `speed` [m/s] may be."""
    beat = sqrt(measures.leg_length / GRAVITY)
    rate = (jump.LANDING_KNEE if way > 0 else jump.TAKE_OFF_KNEE) / beat
    least = pace.blended(long, *(jump.LANDING_LEG if way > 0 else jump.TAKE_OFF_LEG))
    bone = 0.5 * (measures.thigh + measures.shin)
    sine = np.minimum(np.maximum(speed, 0.0) / (bone * rate), np.sqrt(1 - least**2))
    return np.sqrt(1 - sine**2)


def _even(lifts: Floats, landings: Floats, airtimes: Airtimes, leg: float) -> None:
    """Lowers the higher end of short flights from which or to which it would be a leap."""
    most = _LEAPING * sqrt(GRAVITY * leg) * airtimes.durations
    most = most / np.maximum(1 - airtimes.long, 1e-6)
    rise = landings[:, 2] - lifts[:, 2]
    landings[:, 2] -= np.maximum(rise - most, 0.0)
    lifts[:, 2] -= np.maximum(-rise - most, 0.0)
