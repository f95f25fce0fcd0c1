"""Claims about the end: the goal is reached, and nothing is relied on for too long."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isinf

import numpy as np

from surefoot.planning import wording
from surefoot.planning.claims.walk import Fault, Finding, Walk, names
from surefoot.planning.goals import AllOf, AnyGoal, AnyOf, Goal, Region, first_reached, leaves


def horizons(walk: Walk) -> Iterator[Finding]:
    """Nothing carries the character after its motion stops being known."""
    known = {assumed.body: assumed.horizon for assumed in walk.plan.assumes}
    for part in walk.parts:
        uses = [(frame, part.segment.end) for frame in names(part.segment.frame)]
        uses += [(name, f.end) for f in part.segment.flights for name in names(f.landing.body)]
        for name, end in uses:
            if name not in walk.world:
                continue
            horizon = max(walk.world[name].trajectory.horizon, known.get(name, -inf))
            if end > horizon + 1e-6:
                yield Finding(
                    fault=Fault.HORIZON,
                    time=end,
                    place=part.segment.place(end),
                    message=f"the {part.segment.kind} relies on {name!r} until {end:.2f} s, but its"
                    f" motion is known only until {horizon:.2f} s",
                    bodies=(name,),
                )


def arrival(walk: Walk) -> Iterator[Finding]:
    """A plan that says so reaches its goal, in time, facing the right way."""
    plan, world = walk.plan, walk.world
    goal, end = plan.goal, plan.place(plan.end)
    goals = _goal_bodies(goal)
    bodies = (*goals, *names(end.body))
    if not plan or any(name not in world for name in names(end.body)):
        return
    if any(name not in world for name in goals):
        why = "the goal is on a body that is not in the world"
    elif _done(goal, walk):
        return
    else:
        where = wording.place(end, world, plan.end)
        wanted = f"{wording.goal(goal, world, plan.end)}{_wanted(goal)}"
        why = f"the plan ends at {where}, {plan.end:.2f} s, which is not {wanted}"
    yield Finding(fault=Fault.GOAL, time=plan.end, place=end, message=why, bodies=bodies)


def _done(goal: AnyGoal, walk: Walk) -> bool:
    plan, world = walk.plan, walk.world
    if isinstance(goal, AnyOf):
        return any(_done(part, walk) for part in goal.goals)
    if isinstance(goal, AllOf):
        times = np.concatenate([part.times for part in walk.parts]) if walk.parts else np.zeros(0)
    else:
        times = np.zeros(0)
    times = np.append(times, plan.end)
    points, headings = plan.track(times, world)
    return first_reached(goal, world, points, times, headings) is not None


def _wanted(goal: AnyGoal) -> str:
    if not isinstance(goal, Goal | Region):
        return ""
    wants = [] if goal.heading is None else [f"facing {goal.heading:.2f} rad"]
    if not all(isinf(t) for t in goal.arrive):
        wants.append(f"between {goal.arrive[0]:g} s and {goal.arrive[1]:g} s")
    if isinstance(goal, Goal):
        wants.insert(0, f"within {goal.tolerance:g} m")
    return f" ({', '.join(wants)})" if wants else ""


def _goal_bodies(goal: AnyGoal) -> tuple[str, ...]:
    each = (leaf.place.body if isinstance(leaf, Goal) else leaf.body for leaf in leaves(goal))
    return names(*each)
