"""Tunes a gait for staying up after balls: `python tools/tune_recovery.py FROM FILE.toml [COUNT]`.

CMA-ES over the step time, the feedback and the curves of a gait of the humanoid, for so many
generations. Candidates begin in states at foot strikes after balls of 10 and 15 kg at 8 m/s, others
in each generation, and are kept up for two seconds: falls first, then how soon, then tilt and
effort. `brace` came about so from `walk backward`, in 30 generations, of which the first 25 were
after pushes from the front alone; its search was not kept, so that this does not give it again.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from surefoot.arrays import Floats
from surefoot.physics import Gait, Stage, States, load_body, save_gait
from surefoot.physics.body import Body
from surefoot.physics.evolution import Evolution
from surefoot.physics.gait import KNOTS, Curve
from surefoot.physics.policies.mirroring import Mirror
from surefoot.physics.policies.pushed import alone, led
from surefoot.physics.states import gathered
from surefoot.physics.trials import ball_of, thrown_at

SECONDS, STATES, THROWS = 2.0, 36, 200
TIMESTEP = 0.002  # [s]: 95% of who falls is the same as at half of that, in half the time
WALKED = "stroll"  # what the body does when a ball hits it
ANGLES = {"root bend": 0.08, "waist bend": 0.08, "swing hip out": 0.06}
CURVES = {"swing hip bend": 0.12}
SLOPES = {"swing knee": 0.2, "stance knee": 0.12, "stance ankle": 0.1}
"""Scales of the search: of a whole curve, of each of its knots, of its beginning and its end."""
SCALES = np.array(
    [0.04, 0.1, 0.06, 0.3, 0.1, 0.06, 0.25, *ANGLES.values()]
    + [scale for scale in CURVES.values() for _ in range(KNOTS)]
    + [scale for scale in SLOPES.values() for _ in range(2)]
)


def after_balls(body: Body) -> States:
    """Canonical states at the first foot strikes after throws."""
    kept: list[States] = []
    for mass in (10.0, 15.0, 15.0):
        stage, states = thrown_at(
            body, WALKED, mass=mass, speed=8.0, throws=THROWS, seed=1000 + len(kept)
        )
        # Who is hit late is so by the second strike.
        passing = led(stage, states, WALKED, lambda own: [WALKED] * len(own), 0.3)
        for _, _, after in passing:
            kept.append(alone(after, *ball_of(stage)))
    return Mirror(Stage(body)).canonical(gathered(kept))[0]


def gait_at(base: Gait, point: Floats, name: str) -> Gait:
    """The gait that a point of the search stands for."""
    moved = iter((np.asarray(point) * SCALES).tolist())
    step_time = float(np.clip(base.step_time + next(moved), 0.2, 0.6))
    ahead = replace(
        base.ahead, place=base.ahead.place + next(moved), speed=base.ahead.speed + next(moved),
        wanted=base.ahead.wanted + next(moved),
    )  # fmt: skip
    sideways = replace(
        base.sideways,
        place=base.sideways.place + next(moved),
        speed=base.sideways.speed + next(moved),
    )
    hold = float(np.clip(base.hold + next(moved), 0.0, 1.0))
    targets, flat = dict(base.targets), (0.0,) * KNOTS
    for key in ANGLES:
        offset = next(moved)
        targets[key] = tuple(v + offset for v in targets.get(key, flat))
    for key in CURVES:
        targets[key] = tuple(v + next(moved) for v in targets.get(key, flat))
    for key in SLOPES:
        line: Curve = tuple(np.linspace(next(moved), next(moved), KNOTS).tolist())
        targets[key] = tuple(v + d for v, d in zip(targets.get(key, flat), line, strict=True))
    return replace(
        base, name=name, step_time=step_time, ahead=ahead, sideways=sideways, hold=hold,
        targets=targets,
    )  # fmt: skip


def costs(body: Body, gaits: list[Gait], states: States) -> tuple[Floats, Floats]:
    """Of each gait: its cost, and the share that stays up."""
    stage = Stage(body, gaits=gaits, timestep=TIMESTEP)
    actions = [gait.name for gait in gaits for _ in range(len(states))]
    run = stage.advance(gathered([states] * len(gaits)), actions, SECONDS, threads=2)
    lasted = np.maximum(run.of("duration"), 0.01)
    each = np.where(run.standing, 0.0, 1.7 - 0.7 * lasted / SECONDS)
    each = each + 0.3 * run.of("tilt") / lasted + 1e-7 * run.of("effort") / lasted
    shape = len(gaits), len(states)
    return each.reshape(shape).mean(axis=1), run.standing.reshape(shape).mean(axis=1)


def main() -> None:
    """Searches from a gait, and writes the middle of the search after each generation."""
    body, output = load_body("humanoid"), Path(sys.argv[2])
    base = replace(body.gait(sys.argv[1]), takeover=100.0)
    pool = after_balls(body)
    search = Evolution(mean=np.zeros(len(SCALES)), sigma=0.4, seed=5)
    for generation in range(int(sys.argv[3]) if len(sys.argv) > 3 else 40):
        rows = np.random.default_rng(generation).choice(len(pool), STATES, replace=False)
        points = search.ask()
        gaits = [gait_at(base, point, f"candidate {i}") for i, point in enumerate(points)]
        found, up = costs(body, gaits, pool[rows.astype(np.int32)])
        search.tell(points, found + 0.01 * (points**2).mean(axis=1))
        save_gait(output, gait_at(base, search.mean, output.stem))
        print(f"generation {generation + 1}: {up.mean():.0%} stay up, {up.max():.0%} at best")


if __name__ == "__main__":
    main()
