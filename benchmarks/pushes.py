"""Bare gaits and the very robust walk under thrown balls and over planks (coros2009 5.6, 6).

The paper's walk falls in about 30, 70 and 100% of throws of 5, 10 and 15 kg, at a speed that is not
printed, and its policy in about 0, 10 and 10%. Throws come from random directions, at random
moments of the step; whoever is hit walks on for four seconds or falls. Seeds are not those that
the policy learned from. It takes half an hour of core time, with the training.
"""

from __future__ import annotations

from dataclasses import replace

from benchmarks.harness import Bench, Measured
from surefoot.physics import load_body, policies
from surefoot.physics.body import Body
from surefoot.physics.policies.pushed import falls, throw_balls_at_policy
from surefoot.physics.trials import Throws, strewn_before, throw_balls

MASSES = (5.0, 10.0, 15.0)
SPEEDS = (4.0, 6.0, 8.0, 10.0)
MATCHED = 8.0
"""[m/s] at which the bare walk falls about as often as the paper's."""
THROWS = 200
SECONDS = 4.0
PAPER = {5.0: (30.0, 0.0), 10.0: (70.0, 10.0), 15.0: (100.0, 10.0)}
BARE = ("walk", "stroll")
HEIGHTS = (0.02, 0.04, 0.06)
"""[m] of planks in the way."""
WALKS = 100
OVER = 7.0
"""[s] that a body has to walk over them."""


def run(bench: Bench) -> None:
    body = load_body("humanoid")
    policy = policies.train(body, policies.RobustWalk()).policy
    for mass in MASSES:
        title = f"falls under balls of {mass:g} kg"
        bench.record(title, "coros2009's walk, speed not printed", PAPER[mass][0], "%", 1)
        bench.record(title, "coros2009's policy, speed not printed", PAPER[mass][1], "%", 1)
        for speed in SPEEDS:
            _throw(bench, body, policy, mass, speed)
    for height in HEIGHTS:
        _strew(bench, body, policy, height)


def _throw(bench: Bench, body: Body, policy: policies.Policy, mass: float, speed: float) -> None:
    title = f"falls under balls of {mass:g} kg at {speed:g} m/s"

    def led_by(leading: policies.Policy) -> Throws:
        return throw_balls_at_policy(
            leading, [0.0], mass=mass, speed=speed, throws=THROWS, seconds=SECONDS
        )

    bare: dict[str, Throws] = {}
    for gait in BARE:
        bare[gait] = throw_balls(body, gait, mass=mass, speed=speed, throws=THROWS, seconds=SECONDS)
        record(bench, title, f"bare {gait}", bare[gait])
    found = record(bench, title, "policy", led_by(policy))
    if speed != MATCHED:
        return
    record(bench, title, "policy, values alone", led_by(replace(policy, recovery=None)))
    for gait, thrown in bare.items():
        bench.claim(
            f"{mass:g} kg: the policy falls less than the {gait}", found,
            at_most=100 * thrown.rate,
        )  # fmt: skip


def _strew(bench: Bench, body: Body, policy: policies.Policy, height: float) -> None:
    title = f"falls over planks {100 * height:g} cm high"
    for gait in BARE:
        stage, states = strewn_before(body, gait, height=height, walks=WALKS)
        fell = ~stage.advance(states, gait, OVER).standing
        record(bench, title, f"bare {gait}", Throws(fell=fell, hit=fell))
    stage, states = strewn_before(body, policy.steady, height=height, walks=WALKS)
    fell = falls(policy, [0.0], stage, states, OVER)
    record(bench, title, "policy", Throws(fell=fell, hit=fell))


def record(bench: Bench, title: str, who: str, thrown: Throws) -> Measured:
    low, high = thrown.interval()
    told = f"{title} (95%: {100 * low:.0f} to {100 * high:.0f})"
    return bench.record(told, who, 100 * thrown.rate, "%", len(thrown.fell))
