"""The bare forward walk under thrown balls, over masses and speeds (coros2009 section 5.6).

The paper's walk falls in about 30, 70 and 100% of throws of 5, 10 and 15 kg, at a speed that is
not printed. Throws come from random directions, at random moments of the step. It takes minutes.
"""

from __future__ import annotations

from benchmarks.harness import Bench
from surefoot.physics import load_body
from surefoot.physics.trials import throw_balls

MASSES = (5.0, 10.0, 15.0)
SPEEDS = (4.0, 6.0, 8.0, 10.0)
THROWS = 200
PAPER = {5.0: 30.0, 10.0: 70.0, 15.0: 100.0}


def run(bench: Bench) -> None:
    body = load_body("humanoid")
    for mass in MASSES:
        title = f"falls under balls of {mass:g} kg"
        bench.record(title, "coros2009, speed not printed", PAPER[mass], "%", 1)
        for speed in SPEEDS:
            thrown = throw_balls(body, "walk", mass=mass, speed=speed, throws=THROWS, seconds=4.0)
            low, high = thrown.interval()
            bench.record(
                f"{title} at {speed:g} m/s (95%: {100 * low:.0f} to {100 * high:.0f})",
                "bare walk", 100 * thrown.rate, "%", THROWS,
            )  # fmt: skip
