"""Claims about footsteps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning.claims.walk import Fault, Finding, Walk, in_flight, names
from surefoot.planning.frames import frame_velocities, to_world
from surefoot.world import Place, World

SOLE = 0.03
"""[m] By which a footstep may lie above or below the ground."""

SLIP = 0.02
"""[m/s] By which a foot may slide over the ground."""


def footsteps(walk: Walk) -> Iterator[Finding]:
    """Feet stand on the ground, near the body, one after the other, and not in flight."""
    plan, world = walk.plan, walk.world
    last: dict[str, float] = {}
    for step in plan.footsteps:
        end = min(step.end, max(plan.end, step.start))
        why, bodies = "", names(step.place.body)
        if any(name not in world for name in bodies):
            why = "is on a body that is not in the world"
        elif step.start < last.get(step.foot, -np.inf):
            why = "is put down before it was lifted"
        else:
            why, found = _footing(step.place, np.linspace(step.start, end, 5), world)
            bodies += found
        if not why:
            why = _stance(walk, step.place, 0.5 * (step.start + end))
        last[step.foot] = step.end
        if why:
            yield Finding(
                fault=Fault.FOOTSTEP,
                time=step.start,
                place=step.place,
                message=f"the {step.foot} foot {why}",
                bodies=bodies,
            )


def _footing(place: Place, times: Floats, world: World) -> tuple[str, tuple[str, ...]]:
    points = to_world(world, place.body, np.tile(place.position, (len(times), 1)), times)
    below = world.support(points, times, up=SOLE, down=SOLE)
    if not below.hit.all():
        return f"has no ground within {SOLE} m", ()
    slip = np.linalg.norm(
        below.velocity - frame_velocities(world, place.body, points, times), axis=1
    )
    on = (world.names[int(below.body[np.argmax(slip)])],)
    return (f"slides on {on[0]!r} at {slip.max():.2f} m/s" if slip.max() > SLIP else ""), on


def _stance(walk: Walk, place: Place, t: float) -> str:
    """Why a foot cannot be on the ground at `t`, as the body is then."""
    for part in walk.parts:
        if part.segment.start <= t <= part.segment.end:
            if in_flight(part.segment, np.array([t]))[0]:
                return "is on the ground during a flight"
            body = walk.world.position(part.segment.place(t), t)
            away = float(np.linalg.norm((walk.world.position(place, t) - body)[:2]))
            if away > 0.6 * part.capability.height:
                return f"is {away:.2f} m from the body"
    return ""
