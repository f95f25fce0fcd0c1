"""Plans and animates the rows of levine2011's Table I: `python tools/measure_plans.py [START ...]`.

For each scene and cost: what the plan costs, how many trajectories it took, whether every claim
holds, how fast it is at its end, how fast feet slide and how deep they are in the ground; and all
of them together. STARTS are the times [s] at which plans begin; 0 when none is given. Settings of
the search are judged by other times than they were found with.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.spacetime import COSTS, ROWS

from surefoot import animate, people
from surefoot.motion.quality.slide import penetration, sole_points
from surefoot.planning import Goal, Problem
from surefoot.planning.spacetime import SpaceTime
from surefoot.planning.spacetime.planner import solve
from surefoot.world import scenes


@dataclass(frozen=True)
class Measured:
    """One plan that was found, and its animation."""

    cost: float
    trajectories: int
    core: float
    """[ms] of one core that the search took, once when landmarks meet is known."""
    holds: bool
    last_speed: float
    """[m/s] of the body at the end, on what carries it."""
    slide: float
    """[mm/s], the most of all moments."""
    depth: float
    """[mm] of a sole in the ground, likewise."""

    def __str__(self) -> str:
        return (
            f"cost {self.cost:.1f}, {self.trajectories} trajectories, {self.core:.0f} ms, checks"
            f" {self.holds}, ends at {self.last_speed:.2f} m/s, slides {self.slide:.2f} mm/s, in"
            f" the ground {self.depth:.0f} mm"
        )


def measure(problem: Problem) -> Measured | str:
    """A plan for a problem, measured; or why there is none."""
    world, who = problem.world, problem.character
    search = SpaceTime().search(problem)
    search.likely  # noqa: B018  # known before time counts
    begun = process_time()
    search.run()
    core = 1e3 * (process_time() - begun)
    solved = solve(problem, search)
    plan = solved.plan
    if not plan:
        return plan.status.message
    animation = animate(plan, world, who)
    points = sole_points(who.skeleton, who.measures, animation.root, animation.rotations)
    last = plan.segments[-1]
    step = np.linalg.norm(np.diff(last.positions[-2:, :2], axis=0))
    return Measured(
        cost=plan.cost, trajectories=solved.evaluations, core=core, holds=bool(plan.check(world)),
        last_speed=float(step / (last.times[-1] - last.times[-2])),
        slide=1e3 * float(np.nanmax(animation.foot_slide())),
        depth=1e3 * float(penetration(world, animation.times, points).max()),
    )  # fmt: skip


def main(starts: list[float]) -> None:
    """One line for each row and start, and one for all."""
    who = people.adult()
    found: list[Measured] = []
    for scene, cost in ROWS:
        made = scenes.load(scene)
        for start in starts:
            problem = Problem(
                world=made.world, character=who, start=made.start, cost=COSTS[cost](),
                goal=Goal(made.goal, tolerance=0.4), start_time=start,
            )  # fmt: skip
            measured = measure(problem)
            print(f"{scene}, {cost}, from {start:g} s: {measured}", flush=True)
            if isinstance(measured, Measured):
                found.append(measured)
    asked = len(ROWS) * len(starts)
    quick = sum(one.core < 50.0 for one in found) / asked
    geometric = np.exp(np.mean(np.log([one.cost for one in found])))
    print(
        f"{len(found)} of {asked} found, {quick:.0%} of all within 50 ms, cost {geometric:.1f} on"
        f" average; {sum(one.holds for one in found)} check; at the end at most"
        f" {max(one.last_speed for one in found):.2f} m/s, slide at most"
        f" {max(one.slide for one in found):.2f} mm/s, in the ground at most"
        f" {max(one.depth for one in found):.0f} mm"
    )


if __name__ == "__main__":
    main([float(each) for each in sys.argv[1:]] or [0.0])
