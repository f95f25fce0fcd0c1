"""From a footpath to the segments of a plan."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.steps import MODES
from surefoot.planning.cost import CostTable
from surefoot.planning.footsteps.footpath import Footpath
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Kind, Segment, Steps, Timing

_KINDS = {"walk": Kind.WALK, "run": Kind.RUN, "turn": Kind.TURN, "stand": Kind.WAIT}


def segments_of(path: Footpath, problem: Problem) -> tuple[Segment, ...]:
    """Steps of the same kind in a row as one segment each, with its cost."""
    kinds: list[Kind] = []
    for part in path.parts:
        mode = "stand" if part.stands else _mode(path, part.begins)
        kinds.append(_KINDS.get(mode, Kind.WALK))
    costs = problem.cost.table(problem.world, problem.character, tuple(problem.skills))
    found: list[Segment] = []
    index = 0
    while index < len(kinds):
        last = index
        while last + 1 < len(kinds) and kinds[last + 1] is kinds[index]:
            last += 1
        parts = path.parts[index : last + 1]
        first = path.states[path.index(parts[0].begins)]
        rows = np.stack([first, *(part.to for part in parts)])
        kind = kinds[index]
        skill = "run" if kind is Kind.RUN else "walk"
        mode = "wait" if kind.waits else skill
        times, positions = rows[:, 4], rows[:, :3]
        found.append(
            Segment(
                kind=kind,
                capability=skill,
                times=times,
                positions=positions,
                headings=rows[:, 3],
                timing=Timing.FIXED,
                execution=Steps(
                    tuple(part.name for part in parts), tuple(part.speed for part in parts)
                ),
                cost=_cost(problem, costs, mode, times, positions),
            )
        )
        index = last + 1
    return tuple(found)


def _mode(path: Footpath, t: float) -> str:
    action = int(path.ids[path.index(t)])
    return MODES[int(path.repertoire.steps.mode[path.repertoire.step[action]])]


def _cost(problem: Problem, costs: CostTable, mode: str, times: Floats, positions: Floats) -> float:
    steps = np.diff(times)
    middles = (positions[1:] + positions[:-1]) / 2
    velocities = np.diff(positions, axis=0) / steps[:, None]
    when = (times[1:] + times[:-1]) / 2
    reach = max(skill.step_height for skill in problem.skills.values())
    ground = problem.world.support(middles, when, up=reach, down=reach)
    return float((costs.rates(mode, middles, when, velocities, ground.body) * steps).sum())
