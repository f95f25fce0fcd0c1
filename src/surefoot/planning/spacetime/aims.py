"""Aims: the landmarks that are goals."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Bools
from surefoot.errors import ProblemError
from surefoot.planning.goals import AllOf, AnyGoal, Goal, Region
from surefoot.planning.problem import Problem
from surefoot.planning.spacetime.landmarks import Landmarks
from surefoot.world import Place


def aims_of(goal: AnyGoal, marks: Landmarks, problem: Problem) -> tuple[list[Place], Bools]:
    """Places that are goals, and which landmarks `(n,)` are."""
    inside = np.zeros(len(marks), dtype=np.bool_)
    if isinstance(goal, AllOf):
        raise ProblemError(
            "the space-time planner goes to one goal, or any of several; plan to each of them in"
            " turn, or use the planner 'grid'"
        )
    if isinstance(goal, Goal):
        return [goal.place], inside
    if isinstance(goal, Region):
        world, t = problem.world, problem.start_time
        if len(marks):
            inside = goal.reached(world, marks.positions(world, t), np.full(len(marks), t))
        if not inside.any():
            raise ProblemError(f"goal {goal} has no place to stand that the landmarks know")
        return [], inside
    places: list[Place] = []
    for part in goal.goals:
        more, also = aims_of(part, marks, problem)
        places += more
        inside |= also
    return places, inside
