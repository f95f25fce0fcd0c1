"""Measures every gait of the simulated bodies: `python tools/measure_bodies.py PART [BODY ...]`.

Parts: walks (a minute from 20 starts, with speeds), transitions (which changes of gait stay up).
The tables of docs/bodies.md come from here.
"""

from __future__ import annotations

import sys

import numpy as np

from surefoot.errors import InputError
from surefoot.physics import Stage, body_names, load_body
from surefoot.physics.trials import limit_cycle, transitions
from surefoot.physics.tuning import disturbed, measure

SECONDS, STARTS, RATE = 60.0, 20, 10.0


def walks(name: str) -> None:
    """One line for each gait."""
    body = load_body(name)
    stage = Stage(body)
    print("| body | gait | up | m/s ahead | m/s aside | deg/s | flight | feet apart | step |")
    for gait in body.gaits:
        # What is to the right is the mirror image of what is to the left.
        if "right" in gait:
            continue
        try:
            cycle = limit_cycle(stage, gait).repeated(STARTS)
        except InputError as reason:
            print(f"| {name} | {gait} | {reason} |", flush=True)
            continue
        starts = disturbed(cycle, kick=0.05, seed=0)
        run = stage.advance(starts, gait, SECONDS, frames_per_second=RATE)
        seen = measure(run, SECONDS, RATE)
        step = run.of("duration").sum() / run.of("strikes").sum()
        print(
            f"| {name} | {gait} | {run.standing.sum()}/{STARTS} | {seen.speed.mean():.2f} "
            f"| {seen.sideways.mean():.2f} | {np.degrees(seen.turn.mean()):.0f} "
            f"| {100 * seen.flight.mean():.0f}% | {seen.width.mean():.2f} m | {step:.2f} s |",
            flush=True,
        )


def changes(name: str) -> None:
    """From the row's gait to the column's."""
    body = load_body(name)
    names = list(body.gaits)
    table = transitions(Stage(body), names, seconds=6.0, phases=2)
    print(f"| {name}: from \\ to | " + " | ".join(names) + " |")
    for gait, row in zip(names, table, strict=True):
        print(f"| {gait} | " + " | ".join(f"{100 * share:.0f}" for share in row) + " |", flush=True)
    print(f"{100 * table.mean():.0f}% of all changes stay up")


def main() -> None:
    """The part and the bodies that are named."""
    part, *names = sys.argv[1:] or ["walks"]
    for name in names or body_names():
        {"walks": walks, "transitions": changes}[part](name)


if __name__ == "__main__":
    main()
