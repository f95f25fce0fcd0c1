"""Plans that a policy can execute: with what it can do alone, and at its pace."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.physics.policies import TASKS
from surefoot.physics.policies.policy import Policy
from surefoot.planning import Plan, Problem
from surefoot.planning.assumptions import assume
from surefoot.planning.frames import to_frame, to_world
from surefoot.planning.goals import AllOf, AnyGoal, AnyOf
from surefoot.planning.planners import Planner
from surefoot.planning.segments import Kind, Segment
from surefoot.planning.segments import Policy as ByPolicy
from surefoot.world import World
from surefoot.world.pacing import lived_at

_STEP = 0.05  # [m] that simulated feet step up or down
_LATER = 2.0  # [s] between departures that are tried
_DEPARTURES = 8
_APART = 0.1  # [m] that two carriers may move against each other while one steps over
_RATE = 10.0  # [1/s] at which that is looked at


def calm_plan(
    policy: Policy, problem: Problem, planner: Planner, *, pace: float, slack: float
) -> Plan:
    """A plan for a policy whose every boarding may be late, if there is one.

    Simulated bodies keep no time to the tenth of a second. Some departures are tried, a little
    later each, until every boarding of the plan could be made so much later, too; where none has
    that much, the one with the most is taken.

    Args:
        policy: that will execute it.
        problem: what is asked.
        planner: any.
        pace: above 0, at most 1: of a person's usual speeds.
        slack: [s], >= 0: how late a boarding may be.
    """
    best, most = plan_for(policy, problem, planner, pace=pace), -1.0
    for departure in range(_DEPARTURES):
        late = departure * _LATER
        if late >= problem.horizon:
            break
        if departure > 0:
            later = replace(
                problem, start_time=problem.start_time + late, horizon=problem.horizon - late
            )
            found = plan_for(policy, later, planner, pace=pace)
        else:
            found = best
        has = min(slack, slack_of(found, problem.world, slack)) if found else -1.0
        if has > most:
            best, most = found, has
        if most >= slack:
            break
    return best


def slack_of(plan: Plan, world: World, most: float) -> float:
    """[s], at most `most`: by how much every boarding of a plan may be late.

    For so long what is stepped from and what is stepped on stay as they are to each other.
    """
    slack, frame = most, plan.origin.body
    for segment in plan.segments:
        if segment.kind is Kind.BOARD and segment.frame != frame:
            count = int((segment.duration + most) * _RATE) + 2
            times = np.linspace(segment.start, segment.end + most, count)
            landing = np.tile(segment.positions[-1], (count, 1))
            seen = to_frame(world, frame, to_world(world, segment.frame, landing, times), times)
            apart = np.linalg.norm(seen - seen[0], axis=1) > _APART
            if apart.any():
                slack = min(slack, float(times[apart.argmax()]) - segment.end)
        frame = segment.frame
    return slack


def plan_for(policy: Policy, problem: Problem, planner: Planner, *, pace: float) -> Plan:
    """A plan that uses nothing but what a policy can do, as slowly as it does it.

    It is made at a person's usual pace in a world that is so much faster, and then stretched: what
    held in the one world at every moment holds in the other.

    Args:
        policy: that will execute it.
        problem: what is asked, on the world's own clock.
        planner: any.
        pace: above 0, at most 1: of a person's usual speeds.
    """
    executes = executed_by(policy)
    able = tuple(name for name in problem.skills if name in executes)
    if not able:
        raise InputError(
            f"policy {policy.task!r} executes {', '.join(executes)}; the problem allows only"
            f" {', '.join(problem.skills)}"
        )
    asked = replace(
        problem,
        character=_on_flat_soles(problem.character),
        world=lived_at(problem.world, pace, problem.end_time),
        goal=_on_clock(problem.goal, pace),
        start_time=problem.start_time * pace,
        horizon=problem.horizon * pace,
        capabilities=able,
    )
    found = planner.plan(asked)
    segments = tuple(_stretched(segment, policy, pace) for segment in found.segments)
    for segment in segments:
        if segment.kind not in executes:
            raise InputError(
                f"policy {policy.task!r} cannot {segment.kind}: it executes {', '.join(executes)}"
            )
    start, end = found.start / pace, found.end / pace
    return replace(
        found,
        start=start,
        goal=problem.goal,
        segments=segments,
        footsteps=(),
        cost=sum(segment.cost for segment in segments),
        assumes=assume(
            problem.world, start, end, [each.body for each in found.assumes], segments=segments
        ),
    )


def _on_flat_soles(character: Character) -> Character:
    """Somebody who steps no higher than a simulated foot swings."""
    low = {
        name: replace(skill, step_height=min(skill.step_height, _STEP))
        for name, skill in character.capabilities.items()
    }
    return replace(character, capabilities=low)


def executed_by(policy: Policy) -> tuple[str, ...]:
    """The kinds of segments that a policy executes."""
    executes = TASKS[policy.task].executes if policy.task in TASKS else ()
    if not executes:
        able = [name for name, task in TASKS.items() if task.executes]
        raise InputError(
            f"a policy for {policy.task!r} cannot follow plans; those that can: {', '.join(able)}"
        )
    return executes


def _on_clock(goal: AnyGoal, pace: float) -> AnyGoal:
    """The same goal with its times on the slower clock."""
    if isinstance(goal, AnyOf | AllOf):
        return replace(goal, goals=tuple(_on_clock(part, pace) for part in goal.goals))
    earliest, latest = goal.arrive
    return replace(goal, arrive=(earliest * pace, latest * pace))


def _stretched(segment: Segment, policy: Policy, pace: float) -> Segment:
    return replace(
        segment,
        times=segment.times / pace,
        execution=ByPolicy(policy.task),
        flights=(),
        cost=segment.cost / pace,
    )
