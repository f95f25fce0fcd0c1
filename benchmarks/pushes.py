"""Bare gaits and the very robust walk under thrown balls, over masses and speeds (coros2009 5.6).

The paper's walk falls in about 30, 70 and 100% of throws of 5, 10 and 15 kg, at a speed that is not
printed, and its policy in about 0, 10 and 10%. Throws come from random directions, at random
moments of the step; whoever is hit walks on for four seconds or falls. It takes minutes.
"""

from __future__ import annotations

from benchmarks.harness import Bench, Measured
from surefoot.physics import load_body, policies
from surefoot.physics.policies.pushed import throw_balls_at_policy
from surefoot.physics.trials import Throws, throw_balls

MASSES = (5.0, 10.0, 15.0)
SPEEDS = (4.0, 6.0, 8.0, 10.0)
MATCHED = 8.0
"""[m/s] at which the bare walk falls about as often as the paper's."""
THROWS = 200
SECONDS = 4.0
PAPER = {5.0: (30.0, 0.0), 10.0: (70.0, 10.0), 15.0: (100.0, 10.0)}


def run(bench: Bench) -> None:
    body = load_body("humanoid")
    policy = policies.train(body, policies.RobustWalk()).policy
    for mass in MASSES:
        title = f"falls under balls of {mass:g} kg"
        bench.record(title, "coros2009's walk, speed not printed", PAPER[mass][0], "%", 1)
        bench.record(title, "coros2009's policy, speed not printed", PAPER[mass][1], "%", 1)
        for speed in SPEEDS:
            walk = throw_balls(body, "walk", mass=mass, speed=speed, throws=THROWS, seconds=SECONDS)
            led = throw_balls_at_policy(
                policy, [0.0], mass=mass, speed=speed, throws=THROWS, seconds=SECONDS
            )
            record(bench, f"{title} at {speed:g} m/s", "bare walk", walk)
            found = record(bench, f"{title} at {speed:g} m/s", "policy", led)
            if speed == MATCHED:
                stroll = throw_balls(
                    body, "stroll", mass=mass, speed=speed, throws=THROWS, seconds=SECONDS
                )
                record(bench, f"{title} at {speed:g} m/s", "bare stroll", stroll)
                bench.claim(
                    f"{mass:g} kg: the policy falls less than the walk", found,
                    at_most=100 * walk.rate,
                )  # fmt: skip


def record(bench: Bench, title: str, who: str, thrown: Throws) -> Measured:
    low, high = thrown.interval()
    told = f"{title} (95%: {100 * low:.0f} to {100 * high:.0f})"
    return bench.record(told, who, 100 * thrown.rate, "%", THROWS)
