"""Simulated bodies: how fast they are, and what the control callback costs (coros2009 section 5).

The paper's bodies ran at 1.1 to 2.5 times real time with steps of 0.5 ms, on a core of 2009. Ours
walk at steps of 1 ms with self-collision. Two cores are held against one by core time; the wall
clock's ratio is told as well, and is too low on a machine that others use.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.harness import Bench, Work
from surefoot.physics import Blend, Stage, body_names, load_body
from surefoot.physics.trials import limit_cycle

PAPER = {"bird": 2.5, "humanoid": 1.5, "raptor": 1.1}
"""Times real time, as the paper prints them."""

SECONDS = 2.0
BATCH, STEP = 64, 0.125
CALLS = 20_000


def run(bench: Bench) -> None:
    for name in body_names():
        one_body(bench, name)
    two_cores(bench)


def one_body(bench: Bench, name: str) -> None:
    """Real time, callback and steps of one body on one core."""
    stage = Stage(load_body(name))
    cycle = limit_cycle(stage, "walk")
    rate = bench.measure(
        f"{name}: seconds walked per second of one core, at 1 kHz",
        {"surefoot": Work(lambda: stage.advance(cycle, "walk", SECONDS), int(SECONDS))},
        unit="times real time",
        repeats=7,
    )["surefoot"]
    bench.record(f"{name}: times real time", "coros2009, at 2 kHz", PAPER[name], "times", 1)
    bench.claim(f"{name}: at least 10 times real time on one core", rate, at_least=10.0)

    steps = int(stage.advance(cycle, "walk", 10.0).of("strikes")[0])
    bench.record(
        f"{name}: character steps a second on one core", "surefoot", rate.value * steps / 10.0,
        "steps/s", steps,
    )  # fmt: skip
    for label, action in (("walk", "walk"), ("blend of two gaits", Blend("walk", "walk", 0.5))):
        share = callback_share(stage, action)
        found = bench.record(f"{name}: callback's share of a step", label, 100 * share, "%", CALLS)
        if action == "walk":
            bench.claim(f"{name}: the callback takes under 20% of step time", found, at_most=20.0)


def callback_share(stage: Stage, action: str | Blend) -> float:
    """Time of the callback alone over that of whole steps, in turns; the median."""
    cycle = limit_cycle(stage, "walk")
    shares: list[float] = []
    for _ in range(7):
        first = time.process_time()
        stage.torques(cycle, action, repeat=CALLS)
        second = time.process_time()
        stage.advance(cycle, action, SECONDS)
        third = time.process_time()
        steps = SECONDS / float(stage.model.opt.timestep)
        shares.append((second - first) / CALLS / ((third - second) / steps))
    return float(np.median(shares))


def two_cores(bench: Bench) -> None:
    """Many bodies on one thread and on two, by the wall clock, both cores being free."""
    stage = Stage(load_body("humanoid"))
    states = limit_cycle(stage, "walk").repeated(BATCH)
    wall: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(15):
        for threads, taken in wall.items():
            start = time.perf_counter()
            stage.advance(states, "walk", STEP, threads=threads)
            taken.append(time.perf_counter() - start)
    gain = bench.record(
        f"{BATCH} humanoids, two threads against one", "by the wall clock, best rounds",
        min(wall[1]) / min(wall[2]), "times", BATCH,
    )  # fmt: skip
    bench.claim("two cores are at least 1.8 times one", gain, at_least=1.8)
