"""Plans and animates the rows of levine2011's Table I: `python tools/measure_plans.py [START ...]`.

For each scene and cost: what the plan costs, whether every claim holds, how fast feet slide and how
deep they are in the ground. STARTS are the times [s] at which plans begin; 0 when none is given.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.spacetime import COSTS, ROWS

from surefoot import animate, people
from surefoot.motion.quality.slide import penetration, sole_points
from surefoot.planning import Goal, Problem
from surefoot.planning.spacetime import SpaceTime
from surefoot.world import scenes


def main(starts: list[float]) -> None:
    """One line for each row and start."""
    who = people.adult()
    for scene, cost in ROWS:
        made = scenes.load(scene)
        for start in starts:
            problem = Problem(
                world=made.world, character=who, start=made.start, cost=COSTS[cost](),
                goal=Goal(made.goal, tolerance=0.4), start_time=start,
            )  # fmt: skip
            plan = SpaceTime().plan(problem)
            title = f"{scene}, {cost}, from {start:g} s"
            if not plan:
                print(f"{title}: {plan.status.message}", flush=True)
                continue
            animation = animate(plan, made.world, who)
            points = sole_points(who.skeleton, who.measures, animation.root, animation.rotations)
            deep = penetration(made.world, animation.times, points)
            deep = deep.reshape(len(deep), -1).max(axis=1)
            print(
                f"{title}: cost {plan.cost:.1f}, checks {bool(plan.check(made.world))}, slides"
                f" {1e3 * np.nanmax(animation.foot_slide()):.2f} mm/s, in the ground"
                f" {1e3 * deep.max():.0f} mm at {animation.times[deep.argmax()]:.2f} s",
                flush=True,
            )


if __name__ == "__main__":
    main([float(each) for each in sys.argv[1:]] or [0.0])
