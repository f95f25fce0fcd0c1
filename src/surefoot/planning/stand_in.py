"""A body that moves as a planned character will, for others to plan around."""

from __future__ import annotations

from math import cos, pi
from typing import TYPE_CHECKING

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.planning.frames import carries
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import cylinder

if TYPE_CHECKING:
    from surefoot.planning.plan import Plan

RATE = 30.0
"""[1/s] of the keys while something that moves carries the character."""

AFTER = 60.0
"""[s] that a stand-in goes on riding after the end of its plan."""

_SIDES = 24


def stand_in(
    plan: Plan, character: Character, world: World, *, name: str = "", until: float | None = None
) -> Body:
    """See `Plan.as_body`."""
    if character.name != plan.character:
        raise InputError(f"the plan is for {plan.character!r}, not for {character.name!r}")
    names = {segment.capability for segment in plan.segments} or set(character.capabilities)
    used = [character.capability(name) for name in sorted(names)]
    times = _key_times(plan, world, until)
    positions, headings = plan.track(times, world)
    # A prism has its corners on its circle; a wider one has its sides on ours.
    radius = max(capability.radius for capability in used) / cos(pi / _SIDES)
    return Body(
        name=name or character.name,
        mesh=cylinder(radius, max(capability.height for capability in used), _SIDES),
        trajectory=Keyframed(times, positions, rotations.from_yaw(headings)),
        tags={"character": True},
    )


def _key_times(plan: Plan, world: World, until: float | None) -> Floats:
    """Every corner of the paths, and steady keys wherever something moving carries them."""
    spans = [(segment.frame, segment.times) for segment in plan.segments]
    carrier = spans[-1][0] if spans else plan.origin.body
    end = plan.end
    if until is not None:
        end = arrays.time(until, "until", at_least=plan.end)
    elif carries(world, carrier):
        end += AFTER
    spans.append((carrier, np.array([plan.end, end])))
    keys = [np.array([plan.start])]
    for frame, times in spans:
        keys.append(times)
        if carries(world, frame):
            first, last = float(times[0]), float(times[-1])
            count = arrays.samples(last - first, RATE, f"the ride on {frame!r}")
            keys.append(np.linspace(first, last, max(count, 2)))
    return np.unique(np.concatenate(keys))
