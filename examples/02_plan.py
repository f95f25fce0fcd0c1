"""From a world to a walk: plan, check, animate, save."""

from __future__ import annotations

from pathlib import Path

import surefoot as sf


def main(output: Path = Path("out")) -> sf.Plan:
    scene = sf.scenes.load("yard")
    problem = sf.Problem(
        world=scene.world,
        character=sf.people.adult(),
        start=scene.start,
        goal=sf.Goal(scene.goal),
    )
    plan = sf.plan(problem)
    print(plan)
    print(plan.explain())
    print(plan.check(scene.world))

    output.mkdir(exist_ok=True)
    plan.save(output / "walk.plan.json")
    sf.animate(plan, scene.world, problem.character).save(output / "walk.glb")
    return plan


if __name__ == "__main__":
    main()
